//! The light client's side: from JSON replies to the verifier's verdict.

use lightproof_core::Verifier;
use lightproof_core::system::mpt::Mpt;
use lightproof_generator::case::{Case, Expected, Setting, Source};
use lightproof_generator::mpt::reply::{Query, Reply, SlotReply};
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::{Address, CHAIN_ID, Slot};
use lightproof_prover::hash::Word;
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use serde_json::Value;

/// The chain as the client pins it.
pub(crate) fn setting(node: &Chain) -> Setting {
    Setting {
        kind: "devnet",
        chain_id: CHAIN_ID,
        genesis_hash: node.genesis_hash(),
        format: "mpt/1",
        params_digest: None,
        params: Vec::new(),
    }
}

/// What the verifier says: its verdict as JSON.
pub(crate) fn verify(setting: &Setting, source: Source, query: &Query, reply: &Reply) -> Value {
    let case = Case {
        comment: String::new(),
        flags: vec![],
        source,
        query: query.encode(),
        variant: "plain",
        proof: reply.encode(),
        expected: Expected::Invalid(""),
    };
    let verifier = Verifier::<Mpt>::new(&setting.chain_rlp(), &setting.config_rlp(), &[]).unwrap();
    let verdicts: Value =
        serde_json::from_str(&verifier.verify(&case.claims_rlp(), [9; 32], &mut ())).unwrap();
    verdicts[0].clone()
}

/// What the verifier says about headers alone.
pub(crate) fn verify_headers(setting: &Setting, hash: &Word, rlps: &[Vec<u8>]) -> Value {
    let list = Item::List(rlps.iter().map(Item::bytes).collect()).encode();
    serde_json::from_str(&lightproof_core::verifier::headers(&setting.chain_rlp(), hash, &list))
        .unwrap()
}

pub(crate) fn query(address: Address, slots: &[Slot], want_code: bool) -> Query {
    Query { address, slots: slots.to_vec(), want_code }
}

/// Reads the replies to `eth_getProof` and `eth_getCode`. `None` if they are not of their form: a
/// transport reports that before any verifier sees it.
pub(crate) fn reply(proof: &Value, code: Option<&Value>) -> Option<Reply> {
    let bytes = |value: &Value| hex::decode(value.as_str()?).ok();
    let nodes = |value: &Value| {
        let nodes: Vec<_> = value.as_array()?.iter().map(bytes).collect::<Option<_>>()?;
        Some(if nodes == [[0x80]] { vec![] } else { nodes })
    };
    let slot = |slot: &Value| {
        Some(SlotReply {
            key: padded(&slot["key"])?,
            value: quantity(&slot["value"])?,
            nodes: nodes(&slot["proof"])?,
        })
    };
    Some(Reply {
        address: bytes(&proof["address"])?,
        nonce: quantity(&proof["nonce"])?,
        balance: quantity(&proof["balance"])?,
        storage_hash: bytes(&proof["storageHash"])?,
        code_hash: bytes(&proof["codeHash"])?,
        nodes: nodes(&proof["accountProof"])?,
        slots: proof["storageProof"].as_array()?.iter().map(slot).collect::<Option<_>>()?,
        code: match code {
            Some(code) => Some(bytes(code)?),
            None => None,
        },
    })
}

fn quantity(value: &Value) -> Option<Vec<u8>> {
    let digits = value.as_str()?.strip_prefix("0x")?.trim_start_matches('0');
    hex::decode(&format!("0x{}{digits}", "0".repeat(digits.len() % 2))).ok()
}

fn padded(value: &Value) -> Option<Vec<u8>> {
    let digits = value.as_str()?.strip_prefix("0x")?;
    hex::decode(&format!("0x{digits:0>64}")).ok()
}
