//! A followed chain: blocks of token transfers, and what each part of following them costs.

#[path = "../../ethereum/tests/it/support/mod.rs"]
mod support;

use std::time::Duration;

use alloy_eips::eip2935::HISTORY_STORAGE_ADDRESS;
use alloy_eips::eip4788::BEACON_ROOTS_ADDRESS;
use alloy_primitives::Address;
use lightproof_ethereum::block::Block;
use lightproof_ethereum::execute::execute;
use lightproof_ethereum::follow::Options;
use lightproof_ethereum::rules::Parent;
use lightproof_node::ethereum::Ethereum;
use lightproof_node::system::Selection;
use lightproof_prover::chain::database::Chain;
use serde_json::Value;

use super::usage::{self, Watch};
use support::code::TOKEN_AT;
use support::followed::{file, genesis, serve};
use support::transactions::{call, token_input};
use support::{Grown, Key, World, seal};

/// Blocks of so many token transfers to other accounts each; their chain before each block.
fn grown(blocks: u64, transfers: u64) -> Vec<(World, Parent, Block)> {
    let genesis = genesis(&file());
    let mut chain = Grown::new(&genesis);
    let sender = Key::new(1);
    let mut all = Vec::new();
    for block in 0..blocks {
        let transactions = (0..transfers).map(|at| {
            let nonce = block * transfers + at;
            let mut to = [0x77; 20];
            to[12..].copy_from_slice(&nonce.to_be_bytes());
            call(&sender, nonce, TOKEN_AT, 0, &token_input(Address::from(to), 1))
        });
        let block = chain.build(transactions.collect(), Vec::new());
        let (world, parent) = (chain.world.clone(), chain.parent.clone());
        chain.extend(&block);
        all.push((world, parent, block));
    }
    all
}

fn systems(name: &str) -> Selection {
    if name == "all" { Selection::all() } else { Selection::parse(name).unwrap() }
}

/// A node that follows these blocks to the end, from a genesis.
fn followed(name: &str, file: &Value, blocks: Vec<Block>) -> Value {
    let count = blocks.len() as u64;
    let withdrawals = Some(Vec::new().into());
    let body = alloy_consensus::BlockBody { withdrawals, ..Default::default() };
    let mut all = vec![seal(genesis(file).header, body)];
    all.extend(blocks);
    let upstream = serve(&all);
    drop(all);
    let directory = tempfile::tempdir().unwrap();
    let options = Options { timeout: Duration::from_mins(1), ..Options::default() };
    let urls = [upstream.url.clone()];
    let mut follow = Ethereum::new(genesis(file), &urls, options).unwrap();
    let chain = Chain::open_with(directory.path(), systems(name).usual(7, 64), &follow).unwrap();
    let (bytes, watch) = (usage::bytes(directory.path()), Watch::start());
    let mut held = 0;
    while held < count {
        held += chain.advance(&mut follow, 16).unwrap().len() as u64;
    }
    watch.row(count, usage::bytes(directory.path()).saturating_sub(bytes))
}

/// * `part`: `senders` recovered, blocks executed in memory (`execution`), or all of it by a node
///   with these systems.
pub(crate) fn row(part: &str, blocks: u64, transfers: u64) -> Value {
    let all = grown(blocks, transfers);
    let gas = all.iter().map(|(_, _, block)| block.header.gas_used).sum::<u64>() / blocks;
    let watch = Watch::start();
    let mut row = match part {
        "senders" => {
            for (_, _, block) in &all {
                for transaction in &block.body.transactions {
                    use alloy_consensus::transaction::SignerRecoverable as _;
                    std::hint::black_box(transaction.recover_signer().unwrap());
                }
            }
            watch.row(blocks, 0)
        }
        "execution" => {
            let chain = genesis(&file()).chain;
            for (world, parent, block) in &all {
                let root = block.header.state_root;
                execute(&chain, parent, block, world, |_| Ok(root)).unwrap();
            }
            watch.row(blocks, 0)
        }
        systems => followed(systems, &file(), all.into_iter().map(|(_, _, block)| block).collect()),
    };
    row["gas"] = gas.into();
    row
}

/// Blocks of one transfer each, to a few accounts again and again.
pub(crate) fn catch_up(systems: &str, blocks: u64) -> Value {
    const RECEIVERS: u64 = 16;
    /// Ancestors that a block can name: older hashes would only be copied with the state.
    const NAMED: u64 = 256;
    // Without the contracts that keep hashes of blocks: the state stays as small as it is, and its
    // root, which is computed anew for each block that is made, costs nothing.
    let mut file = file();
    for kept in [HISTORY_STORAGE_ADDRESS, BEACON_ROOTS_ADDRESS] {
        file["alloc"].as_object_mut().unwrap().remove(&kept.to_string()).unwrap();
    }
    let mut chain = Grown::new(&genesis(&file));
    let sender = Key::new(1);
    let mut all = Vec::new();
    for nonce in 0..blocks {
        let to = Address::left_padding_from(&(0x7700 + nonce % RECEIVERS).to_be_bytes());
        let transfer = call(&sender, nonce, TOKEN_AT, 0, &token_input(to, 1));
        let block = chain.build(vec![transfer], Vec::new());
        chain.extend(&block);
        chain.world.hashes = chain.world.hashes.split_off(&nonce.saturating_sub(NAMED));
        all.push(block);
    }
    followed(systems, &file, all)
}
