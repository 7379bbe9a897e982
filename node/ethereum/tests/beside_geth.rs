//! The full node beside a live geth: both give the same proofs.

mod support;

use alloy_eips::Encodable2718 as _;
use alloy_primitives::{B256, hex};
use lightproof_ethereum::follow::Options;
use lightproof_ethereum::genesis::Genesis;
use lightproof_node::ethereum::Ethereum;
use lightproof_node::node::Node;
use lightproof_node::rpc::Context;
use lightproof_node::system;
use serde_json::json;
use support::Key;
use support::code::{EMPTY_AT, TOKEN, TOKEN_AT, deploy};
use support::geth::{Geth, program};
use support::transactions::{call, create, token_input};

#[test]
fn the_proofs_of_a_followed_chain_are_those_of_geth() {
    let Some(program) = program() else { return };
    let mut file = support::code::genesis();
    file["alloc"].as_object_mut().unwrap().remove(&EMPTY_AT.to_string());
    let geth = Geth::start(&program, &file);
    let [a, b] = [Key::new(1), Key::new(2)];
    for step in 0..4 {
        let token = a.address.create(2 * step);
        let transactions = [
            create(&a, 2 * step, 0, &deploy(TOKEN)),
            call(&a, 2 * step + 1, TOKEN_AT, 0, &token_input(b.address, 1 + step)),
            call(&b, step, token, 3, &token_input(a.address, 0)),
        ];
        let raw = transactions.map(|one| hex::encode_prefixed(one.encoded_2718()));
        geth.send(&raw);
    }
    let genesis = Genesis::parse(file.to_string().as_bytes()).unwrap();
    let options = Options { depth: Some(0), ..Options::default() };
    let mut source = Ethereum::new(genesis, std::slice::from_ref(&geth.url), options).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let node = Node::open_with(directory.path(), system::config(7, 64), &source).unwrap();
    let head = geth.number();
    assert_eq!(node.advance(&mut source, head).unwrap().len() as u64, head);

    let snapshot = node.snapshot().unwrap();
    let context = Context { node: &node, snapshot: &snapshot };
    let block = format!("0x{head:x}");
    let slots: Vec<_> = [a.address.into_word(), b.address.into_word(), B256::ZERO].into();
    for address in [a.address, b.address, TOKEN_AT, a.address.create(2), EMPTY_AT] {
        let params = json!([address, slots, block]);
        let ours = context.answer("eth_getProof", &params).unwrap();
        let theirs = geth.rpc.call("eth_getProof", &params).unwrap();
        // geth writes other hashes for an account that is absent, which is what its proof shows.
        let present = if address == EMPTY_AT { &[][..] } else { &["codeHash", "storageHash"] };
        for key in ["accountProof", "balance", "nonce"].iter().chain(present) {
            assert_eq!(ours[key], theirs[key], "{address} {key}");
        }
        for (ours, theirs) in
            [0, 1, 2].map(|at| (&ours["storageProof"][at], &theirs["storageProof"][at]))
        {
            assert_eq!((&ours["value"], &ours["proof"]), (&theirs["value"], &theirs["proof"]));
        }
    }
}
