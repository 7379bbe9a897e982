//! A followed chain: blocks of token transfers, and what each part of following them costs.

#[path = "../../ethereum/tests/it/support/mod.rs"]
mod support;

use std::path::Path;
use std::time::Duration;

use alloy_consensus::proofs::{calculate_receipt_root, calculate_transaction_root};
use alloy_consensus::transaction::SignerRecoverable as _;
use alloy_eips::eip2935::HISTORY_STORAGE_ADDRESS;
use alloy_eips::eip4788::BEACON_ROOTS_ADDRESS;
use alloy_primitives::Address;
use lightproof_ethereum::block::Block;
use lightproof_ethereum::execute::{execute, recover_senders};
use lightproof_ethereum::follow::Options;
use lightproof_ethereum::rules::Parent;
use lightproof_node::ethereum::Ethereum;
use lightproof_node::system::Selection;
use lightproof_prover::chain::database::Chain;
use serde_json::Value;

use super::timed::timed;
use super::usage::{self, Spent};
use support::code::TOKEN_AT;
use support::followed::{file, genesis, serve};
use support::node::Node;
use support::transactions::{call, token_input};
use support::{Grown, Key, World, seal};

/// A chain of token transfers, and a node that serves it.
pub(crate) struct Upstream {
    node: Node,
    /// The state before each block, and the block, where they are kept.
    steps: Vec<(World, Parent, Block)>,
}

impl Upstream {
    fn serve(file: &Value, blocks: &[Block], steps: Vec<(World, Parent, Block)>) -> Self {
        let withdrawals = Some(Vec::new().into());
        let body = alloy_consensus::BlockBody { withdrawals, ..Default::default() };
        let mut all = vec![seal(genesis(file).header, body)];
        all.extend_from_slice(blocks);
        Self { node: serve(&all), steps }
    }

    pub(crate) fn url(&self) -> &str {
        &self.node.url
    }

    /// Blocks of so many transfers each, all of them to accounts that hold nothing yet.
    pub(crate) fn transfers(blocks: u64, transfers: u64) -> Self {
        let mut chain = Grown::new(&genesis(&file()));
        let sender = Key::new(1);
        let mut steps = Vec::new();
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
            steps.push((world, parent, block));
        }
        let all: Vec<_> = steps.iter().map(|(_, _, block)| block.clone()).collect();
        Self::serve(&file(), &all, steps)
    }

    /// Blocks of one transfer each, to a few accounts again and again.
    pub(crate) fn small(blocks: u64) -> Self {
        const RECEIVERS: u64 = 16;
        /// Ancestors that a block can name: older hashes would only be copied with the state.
        const NAMED: u64 = 256;
        let mut chain = Grown::new(&genesis(&small_file()));
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
        Self::serve(&small_file(), &all, Vec::new())
    }

    /// The parts of following that need no node: senders, the same by the library that was not
    /// chosen, roots of the lists, and all with the execution and every other check.
    pub(crate) fn parts(&self) -> Vec<Value> {
        let chain = genesis(&file()).chain;
        let [mut senders, mut k256, mut roots, mut whole] = [Spent::default(); 4];
        for (world, parent, block) in &self.steps {
            senders.by(|| recover_senders(block).unwrap());
            k256.by(|| {
                for transaction in &block.body.transactions {
                    transaction.recover_signer().unwrap();
                }
            });
            let root = block.header.state_root;
            let done = whole.by(|| execute(&chain, parent, block, world, |_| Ok(root)).unwrap());
            roots.by(|| {
                let transactions = calculate_transaction_root(&block.body.transactions);
                assert_eq!(transactions, block.header.transactions_root);
                let receipts = calculate_receipt_root(&done.receipts);
                assert_eq!(receipts, block.header.receipts_root);
            });
        }
        let count = self.steps.len() as u64;
        let gas: u64 = self.steps.iter().map(|(_, _, block)| block.header.gas_used).sum();
        let parts = [("senders", senders), ("k256", k256), ("roots", roots), ("memory", whole)];
        let row = |(part, spent): (&str, Spent)| {
            let mut row = spent.row(&format!("follow/{part}"), count);
            row["gas"] = (gas / count).into();
            row
        };
        parts.map(row).to_vec()
    }
}

/// Without the contracts that keep hashes of blocks: the state stays as small as it is, and its
/// root, which is computed anew for each block that is made, costs nothing.
fn small_file() -> Value {
    let mut file = file();
    for kept in [HISTORY_STORAGE_ADDRESS, BEACON_ROOTS_ADDRESS] {
        file["alloc"].as_object_mut().unwrap().remove(&kept.to_string()).unwrap();
    }
    file
}

/// A node that follows such a chain of `count` blocks to its end: rows of the whole and of each
/// system's commits in it.
///
/// * `id`: `follow/SYSTEMS` or `catch-up/SYSTEMS`.
pub(crate) fn followed(id: &str, url: &str, count: u64) -> Vec<Value> {
    /// Blocks after which the memory is looked at.
    const FIRST: u64 = 1_000;
    let (kind, systems) = id.split_once('/').unwrap();
    let file = if kind == "catch-up" { small_file() } else { file() };
    let directory = tempfile::tempdir().unwrap();
    let options = Options { timeout: Duration::from_mins(1), ..Options::default() };
    let mut follow = Ethereum::new(genesis(&file), &[url.to_owned()], options).unwrap();
    let selected =
        if systems == "all" { Selection::all() } else { Selection::parse(systems).unwrap() };
    let (config, notes) = timed(selected.usual(7, 64));
    let open =
        |path: &Path, follow: &Ethereum| Chain::open_with(path, config.clone(), follow).unwrap();
    drop(open(directory.path(), &follow));
    let before = usage::bytes(directory.path());
    let chain = open(directory.path(), &follow);
    // The first block's systems are none of these.
    for (_, note) in &notes {
        *note.lock().unwrap() = Spent::default();
    }
    let (mut held, mut gas, mut first, mut spent) = (0, 0, None, Spent::default());
    while held < count {
        held += spent.by(|| chain.advance(&mut follow, 16).unwrap().len() as u64);
        if held >= FIRST {
            first.get_or_insert_with(usage::peak);
        }
    }
    let snapshot = chain.snapshot().unwrap();
    for number in 1..=if kind == "follow" { count } else { 0 } {
        let content = snapshot.content(number).unwrap().unwrap();
        let header = lightproof_ethereum::record::Record::decode_header(&content).unwrap();
        gas += header.gas_used;
    }
    drop(snapshot);
    let mut whole = spent.row(id, count);
    drop(chain);
    whole["bytes"] = (usage::bytes(directory.path()).saturating_sub(before) / count).into();
    whole["gas"] = (gas / count).into();
    whole["peakFirstBytes"] = first.into();
    let parts = notes.iter().map(|(name, note)| {
        let mut row = note.lock().unwrap().row(&format!("{id}/{name}"), count);
        row["gas"] = whole["gas"].clone();
        row
    });
    let parts: Vec<_> = parts.collect();
    std::iter::once(whole).chain(parts).collect()
}
