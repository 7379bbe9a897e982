//! Proofs over RPC: what was answered before is not made again.

use lightproof_node::answers::{Answers, Question};
use lightproof_node::rpc::Context;
use lightproof_node::system::Selection;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::Proof;
use serde_json::{Value, json};

#[test]
fn an_equal_question_about_a_block_makes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let config = Selection::parse("lmpt,mpt").unwrap().usual(3, 16);
    let chain = Chain::of_workload(directory.path(), config).unwrap();
    chain.produce(2).unwrap();
    let snapshot = chain.snapshot().unwrap();
    let [first, second] = [1, 2].map(|number| snapshot.header(number).unwrap().unwrap().hash());
    let answers = Answers::of(chain.systems());
    let spec = &chain.systems().iter().find(|served| served.spec.name == "lmpt").unwrap().spec;
    let query = |key: u8| Item::List(vec![Item::bytes([key; 52])]).encode();
    // Whoever proved it would give another answer.
    let question = Question { block: &second, query: &query(7), accepted: spec.variants };
    let kept: Result<_, ()> = answers.answer("lmpt", question, || Ok(Proof::plain(vec![1, 2])));
    kept.unwrap();
    let context =
        Context { node: &chain, answers: &answers, snapshot: &snapshot, offers_get: false };
    let ask = |block: &[u8; 32], key: u8| -> Value {
        let options = json!({ "blockHash": hex::encode(block) });
        let params = json!(["lmpt", hex::encode(&query(key)), options]);
        context.answer("lp_getProof", &params).unwrap()["proof"].clone()
    };
    assert_eq!(ask(&second, 7), "0x0102");
    assert_ne!(ask(&first, 7), "0x0102");
    assert_ne!(ask(&second, 8), "0x0102");
}
