//! Input: an `mpt` proof (RLP, first byte from 0xc0 on), or a question by number and edits of its
//! honest proof, four bytes each. Under the root of a fixed state nothing is proven but what is true.

use std::sync::LazyLock;

use crate::{DEVNET, verdicts};
use lightproof_core::Verifier;
use lightproof_core::system::mpt::Mpt;
use lightproof_core::wire::Reader;
use lightproof_testkit::{Claim, Query, Source, State, ask, header, keccak, sample};

struct World {
    state: State,
    verifier: Verifier<Mpt>,
    source: Source,
    /// Questions with their honest proofs.
    asked: Vec<(Query, Vec<u8>)>,
}

static WORLD: LazyLock<World> = LazyLock::new(|| {
    let state = sample::state();
    let rlp = header::devnet(DEVNET.chain_id, &[1; 32], 1, &state.root());
    let source = Source::Header { hash: keccak(&rlp).to_vec(), rlps: vec![rlp] };
    let asked = sample::queries().into_iter().map(|query| {
        let proof = state.prove(&query).encode();
        (query, proof)
    });
    let asked = asked.collect();
    let verifier = Verifier::new(&DEVNET.encode(), &ask::mpt_config(), &[]).expect("well-formed");
    World { state, verifier, source, asked }
});

/// The question that a proof says it answers: a forger would choose it so.
fn question_of(proof: &[u8]) -> Option<Query> {
    let mut items = Reader::whole_list(proof, 0, "proof").ok()?;
    let address = items.array::<20>("address").ok()?;
    for field in ["nonce", "balance", "storageHash", "codeHash", "nodes"] {
        items.item(field).ok()?;
    }
    let mut list = items.list("slots").ok()?;
    let mut slots = Vec::new();
    while !list.is_empty() {
        slots.push(list.list("slot").ok()?.array::<32>("key").ok()?.to_vec());
    }
    let want_code = !items.list("code").ok()?.is_empty();
    Some(Query { address: address.to_vec(), slots, want_code })
}

fn edit(proof: &mut Vec<u8>, edit: &[u8; 4]) {
    let at = usize::from(u16::from_be_bytes([edit[1], edit[2]])) % proof.len().max(1);
    let value = edit[3];
    match edit[0] % 6 {
        0 if at < proof.len() => proof[at] = value,
        1 if at < proof.len() => proof[at] ^= value,
        2 if at < proof.len() => drop(proof.remove(at)),
        3 => proof.insert(at, value),
        4 => proof.truncate(at),
        5 => {
            let end = proof.len().min(at + usize::from(value));
            let piece = proof[at.min(end)..end].to_vec();
            proof.extend(piece);
        }
        _ => {}
    }
}

/// One input.
pub fn fuzz(data: &[u8]) {
    let World { state, verifier, source, asked } = &*WORLD;
    let (query, proof) = match data {
        [0xc0..=0xff, ..] => (question_of(data), data.to_vec()),
        [number, edits @ ..] => {
            let (query, proof) = &asked[usize::from(*number) % asked.len()];
            let mut proof = proof.clone();
            let (edits, _) = edits.as_chunks::<4>();
            edits.iter().for_each(|change| edit(&mut proof, change));
            (Some(query.clone()), proof)
        }
        [] => return,
    };
    let query = query.unwrap_or_else(|| asked[0].0.clone());
    let claim = Claim::plain(source.clone(), query.encode(), proof);
    let verdicts = verdicts(&verifier.verify(&ask::claims(&[claim]), [0; 32], &mut ()));
    assert_eq!(verdicts.len(), 1);
    if verdicts[0]["status"] == "proven" {
        assert_eq!(verdicts[0]["fact"], state.fact(&query));
    }
}
