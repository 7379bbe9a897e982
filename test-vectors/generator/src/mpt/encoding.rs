//! Bytes that are no canonical RLP, of another shape, or too many.

use super::nodes::{self, account_case, chain, leaf_node, pair};
use super::reply::{Query, Reply};
use super::scene::{self, Scene};
use crate::case::{Case, Source, invalid};
use lightproof_prover::chain::workload::population::low_slot;
use lightproof_prover::rlp::Item;
use lightproof_prover::trie::nibbles::hex_prefix;

/// Every case of this file.
pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = envelope(scene);
    cases.extend(committed());
    cases.extend(shape(scene));
    cases.extend(sizes(scene));
    cases
}

/// RLP rules broken in the proof itself.
fn envelope(scene: &Scene) -> Vec<Case> {
    let query = Query::account(scene::eoa());
    let reply = scene.world.reply(&query);
    let case = |comment, proof| {
        invalid("NotCanonicalRlp", comment, (scene.source(), query.encode(), proof), "decode.rlp")
    };
    let with = |index: usize, raw: &[u8]| {
        let mut items = reply.items();
        items[index] = Item::Raw(raw.to_vec());
        Item::List(items).encode()
    };
    let (mut trailing, mut truncated) = (reply.encode(), reply.encode());
    trailing.push(0);
    truncated.pop();
    vec![
        case("a byte after the proof", trailing),
        case("the last byte cut off", truncated),
        case("no bytes at all", vec![]),
        // Nonce 5.
        case("a small byte with a length prefix", with(1, &[0x81, 5])),
        case("an integer with a leading zero", with(1, &[0x82, 0, 5])),
        case("a long length for a short string", with(1, &[0xb8, 1, 0x85])),
        case(
            "a length with a leading zero",
            with(1, &[&[0xb9, 0, 56], [0x85; 56].as_slice()].concat()),
        ),
        case(
            "a string of 2^64 - 1 bytes",
            with(1, &[0xbf, 255, 255, 255, 255, 255, 255, 255, 255]),
        ),
        case("a list of 2^64 - 1 bytes", vec![0xff, 255, 255, 255, 255, 255, 255, 255, 255]),
        case(
            "a list of 2^64 - 1 bytes for the nodes",
            with(5, &[0xff, 255, 255, 255, 255, 255, 255, 255, 255]),
        ),
    ]
}

/// RLP rules broken in a node that the root commits to.
fn committed() -> Vec<Case> {
    let path = hex_prefix(&nodes::account_path(), true);
    let value = nodes::account_leaf();
    let honest = leaf_node(&nodes::account_path(), &value);
    let mut trailing = honest.clone();
    trailing.push(0x80);
    // The body takes more than 55 bytes, so its length stands in one byte; here it takes two.
    let padded_length = [&[0xf9, 0], &honest[1..]].concat();
    let long_form = pair(&path, Item::Raw([&[0xb9, 0, 70], value.as_slice()].concat()));
    let case = |comment, node| {
        let (source, query, reply) = account_case(&[node]);
        invalid("NotCanonicalRlp", comment, (source, query.encode(), reply.encode()), "decode.rlp")
    };
    vec![
        case("a byte after a committed node", trailing),
        case("a committed node whose length has a leading zero", padded_length),
        case("a committed leaf value whose length has a leading zero", long_form),
    ]
}

fn shape(scene: &Scene) -> Vec<Case> {
    let query = Query::account(scene::eoa());
    let reply = scene.world.reply(&query);
    let case = |comment, items: Vec<Item>| {
        invalid(
            "BadShape",
            comment,
            (scene.source(), query.encode(), Item::List(items).encode()),
            "decode.shape",
        )
    };
    let with = |index: usize, item: Item| {
        let mut items = reply.items();
        items[index] = item;
        items
    };
    let slot_of_two = Item::List(vec![Item::List(vec![Item::bytes(low_slot(0)), Item::bytes([])])]);
    let mut long = reply.items();
    long.push(Item::List(vec![]));
    vec![
        case("the last field left out", reply.items()[..7].to_vec()),
        case("a field too many", long),
        case("no fields", vec![]),
        case("an address of 19 bytes", with(0, Item::bytes([0x4c; 19]))),
        case("a balance of 33 bytes", with(2, Item::bytes([0x4c; 33]))),
        case("a storage hash of 31 bytes", with(3, Item::bytes([0x4c; 31]))),
        case("a list in place of the nonce", with(1, Item::List(vec![]))),
        case("a string in place of the nodes", with(5, Item::bytes([]))),
        case("a node that is a list, not a string", with(5, Item::List(vec![Item::List(vec![])]))),
        case("a slot of two fields", with(6, slot_of_two)),
    ]
}

/// Denial of service: counts, sizes and nesting above the caps.
fn sizes(scene: &Scene) -> Vec<Case> {
    let query = Query::account(scene::eoa());
    let with_nodes = |comment, change: &dyn Fn(&mut Vec<Vec<u8>>), code| {
        let mut reply = scene.world.reply(&query);
        change(&mut reply.nodes);
        invalid("DenialOfService", comment, (scene.source(), query.encode(), reply.encode()), code)
    };
    let nested =
        |depth| (0..depth).fold(Item::List(vec![]), |inner, _| Item::List(vec![inner])).encode();
    let mut deepest = chain(&nodes::account_path(), 64, leaf_node(&[], &nodes::account_leaf()));
    deepest.push(deepest[0].clone());
    let (source, deep_query, deep) = account_case(&deepest);
    let slot_count = many_slots(scene);
    vec![
        invalid(
            "DenialOfService",
            "66 nodes",
            (source, deep_query.encode(), deep.encode()),
            "decode.limit",
        ),
        with_nodes("a node of 601 bytes", &|nodes| nodes[0].resize(601, 0), "decode.limit"),
        with_nodes("a node of 64 KiB", &|nodes| *nodes = vec![vec![0xff; 65_536]], "decode.limit"),
        with_nodes(
            "3,000 lists inside each other as a node",
            &|nodes| *nodes = vec![nested(3_000)],
            "decode.limit",
        ),
        with_nodes(
            "190 lists inside each other as a node",
            &|nodes| *nodes = vec![nested(190)],
            "decode.node",
        ),
        invalid(
            "DenialOfService",
            "3,000 lists inside each other as the proof",
            (scene.source(), query.encode(), nested(3_000)),
            "decode.shape",
        ),
        with_nodes(
            "1,000 well-formed leaves of 32 bytes",
            &|nodes| nodes.resize(1_000, leaf_node(&[1; 50], &[7; 3])),
            "decode.limit",
        ),
        with_nodes("a node of one byte", &|nodes| nodes.push(vec![0x80]), "decode.node"),
        slot_count,
    ]
}

/// One slot above the cap, in the reply only.
fn many_slots(scene: &Scene) -> Case {
    let slots: Vec<_> = (0..1_025).map(low_slot).collect();
    let reply: Reply = scene.world.reply(&Query::slots(scene::eoa(), &slots));
    let asked = Query::slots(scene::eoa(), &slots[..1]);
    let source: Source = scene.source();
    invalid(
        "DenialOfService",
        "1,025 slots",
        (source, asked.encode(), reply.encode()),
        "decode.limit",
    )
}
