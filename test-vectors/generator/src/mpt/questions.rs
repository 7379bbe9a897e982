//! How headers link, what is asked, and under which configuration.

use super::headers::asked;
use super::reply::Query;
use super::scene::{self, Scene, root_source};
use crate::case::{Case, Group, Setting, Source, invalid, refusals};
use lightproof_prover::chain::header::Header;
use lightproof_prover::chain::workload::population::low_slot;
use lightproof_prover::rlp::Item;

/// Links and queries on the devnet.
pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = links(scene);
    cases.extend(questions(scene));
    cases
}

fn links(scene: &Scene) -> Vec<Case> {
    let [_, _, parent, head] = scene.headers.as_slice() else { return vec![] };
    let forged = Header::new(head.hash(), 4, vec![("mpt".to_owned(), scene.world.root.to_vec())]);
    let walk = |headers: &[&Header]| {
        let rlps = headers.iter().map(|header| header.encode()).collect();
        asked(scene, Source::Header { hash: headers[0].hash(), rlps })
    };
    let skipping = Header::new(parent.hash(), 4, head.commitments.clone());
    let mut other_parent = parent.clone();
    other_parent.timestamp += 1;
    let none = asked(scene, Source::Header { hash: head.hash(), rlps: vec![] });
    refusals([
        (
            "HeaderLink",
            "a child of the trusted block, which anyone can make",
            "verify.header",
            walk(&[head, &forged]),
        ),
        (
            "HeaderLink",
            "a grandparent in place of the parent",
            "verify.header",
            walk(&[head, &scene.headers[1]]),
        ),
        (
            "HeaderLink",
            "the parent with another timestamp",
            "verify.header",
            walk(&[head, &other_parent]),
        ),
        ("HeaderLink", "the trusted block twice", "verify.header", walk(&[head, head])),
        (
            "HeaderLink",
            "a parent whose number is two less",
            "verify.chain",
            walk(&[&skipping, parent]),
        ),
        ("HeaderLink", "no header at all", "input.request", none),
    ])
}

fn questions(scene: &Scene) -> Vec<Case> {
    let query = Query::account(scene::eoa());
    let proof = scene.world.reply(&query).encode();
    let asked = |query: Vec<u8>| (scene.source(), query, proof.clone());
    let slots: Vec<_> = (0..1_025).map(low_slot).collect();
    let list = |items: &[Item]| Item::List(items.to_vec()).encode();
    let address = Item::bytes(scene::eoa());
    let variant = invalid(
        "BadVariant",
        "a variant that mpt does not have",
        asked(query.encode()),
        "decode.variant",
    );
    let mut short_root = asked(query.encode());
    short_root.0 = Source::Root { number: 3, bytes: vec![1; 31] };
    vec![
        Case { variant: "hinted", ..variant },
        invalid("BadQuery", "no RLP", asked(vec![0xc1]), "input.query"),
        invalid(
            "BadQuery",
            "an address of 19 bytes",
            asked(list(&[Item::bytes([1; 19]), Item::List(vec![]), Item::bytes([])])),
            "input.query",
        ),
        invalid(
            "BadQuery",
            "a slot of 31 bytes",
            asked(list(&[
                address.clone(),
                Item::List(vec![Item::bytes([1; 31])]),
                Item::bytes([]),
            ])),
            "input.query",
        ),
        invalid(
            "BadQuery",
            "wantCode 2",
            asked(list(&[address.clone(), Item::List(vec![]), Item::uint(2_u64)])),
            "input.query",
        ),
        invalid(
            "BadQuery",
            "wantCode left out",
            asked(list(&[address, Item::List(vec![])])),
            "input.query",
        ),
        invalid(
            "BadQuery",
            "a slot twice",
            asked(Query::slots(scene::eoa(), &[low_slot(1), low_slot(1)]).encode()),
            "input.query",
        ),
        invalid(
            "BadQuery",
            "1,025 slots",
            asked(Query::slots(scene::eoa(), &slots).encode()),
            "input.query",
        ),
        invalid("BadCommitment", "a pinned root of 31 bytes", short_root, "input.request"),
    ]
}

/// Chains and configurations that core does not know, one group each.
pub(super) fn settings(scene: &Scene) -> Vec<Group> {
    let honest = scene.devnet();
    let group = |setting: Setting, flag, comment, code| Group {
        setting,
        cases: vec![invalid(flag, comment, asked(scene, root_source(scene.world.root)), code)],
    };
    vec![
        group(
            Setting { kind: "bitcoin", ..honest.clone() },
            "BadConfig",
            "an unknown kind of chain",
            "input.chain",
        ),
        group(
            Setting { format: "mpt/2", ..honest.clone() },
            "BadConfig",
            "an unknown format",
            "input.config",
        ),
        group(
            Setting { params_digest: Some([1; 32]), ..honest },
            "BadConfig",
            "public parameters, of which mpt has none",
            "input.params",
        ),
    ]
}
