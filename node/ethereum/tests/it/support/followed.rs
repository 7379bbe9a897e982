//! A followed chain of a few blocks, a node that serves it, and a full node that follows it.

use std::path::Path;
use std::time::Duration;

use alloy_primitives::Address;
use lightproof_ethereum::block::Block;
use lightproof_ethereum::follow::Options;
use lightproof_ethereum::genesis::Genesis;
use lightproof_node::ethereum::Ethereum;
use lightproof_node::system;
use lightproof_prover::chain::database::Chain as Full;
use serde_json::Value;

use super::code::{EMPTY_AT, MARK_AT, SELF_DESTRUCT, TOKEN, TOKEN_AT, deploy};
use super::node::{Node, Served};
use super::transactions::{call, create, delegate, token_input};
use super::{Grown, Key, seal};

pub fn file() -> Value {
    let mut file = super::code::genesis();
    file["alloc"].as_object_mut().unwrap().remove(&EMPTY_AT.to_string());
    file
}

pub fn genesis(file: &Value) -> Genesis {
    Genesis::parse(file.to_string().as_bytes()).unwrap()
}

/// Block 0 and four with a deployed token, moved tokens, a deleted account and a delegation.
pub fn blocks() -> Vec<Block> {
    let genesis = genesis(&file());
    let mut chain = Grown::new(&genesis);
    let [a, b] = [Key::new(1), Key::new(2)];
    let withdrawals = Some(Vec::new().into());
    let body = alloy_consensus::BlockBody { withdrawals, ..Default::default() };
    let mut all = vec![seal(genesis.header, body)];
    let steps = [
        vec![create(&a, 0, 0, &deploy(TOKEN)), call(&a, 1, a.address.create(2), 9, &[])],
        vec![call(&b, 0, TOKEN_AT, 0, &token_input(a.address, 5)), create(&a, 2, 1, SELF_DESTRUCT)],
        vec![delegate(&a, 3, &b, 1, MARK_AT)],
        vec![call(&a, 4, Address::repeat_byte(7), 1, &[]), call(&a, 5, b.address, 0, &[])],
    ];
    for transactions in steps {
        let block = chain.build(transactions, Vec::new());
        chain.extend(&block);
        all.push(block);
    }
    all
}

pub fn serve(blocks: &[Block]) -> Node {
    let blocks = blocks.to_vec();
    Node::start(Served { finalized: blocks.len() - 1, blocks, raw: true, broken: None })
}

pub fn source(url: &str, file: &Value) -> Ethereum {
    let options = Options { timeout: Duration::from_mins(1), ..Options::default() };
    Ethereum::new(genesis(file), &[url.to_owned()], options).unwrap()
}

pub fn open(directory: &Path, source: &Ethereum) -> Full {
    Full::open_with(directory, system::config(7, 64), source).unwrap()
}
