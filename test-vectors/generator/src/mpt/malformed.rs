//! Roots that commit to nodes and leaves which no canonical trie holds. Each proof is complete and
//! every claim in it true, so that a verifier which does not check the one rule accepts.

use super::nodes::{
    self, account_case, branch, branch_items, by_hash, extension, inline, leaf_node, other, pair,
    sibling, slot_case,
};
use super::reply::{Query, Reply, minimal};
use super::world::leaf_fields;
use crate::case::{Case, Source, invalid};
use lightproof_prover::hash::EMPTY_ROOT;
use lightproof_prover::rlp::Item;
use lightproof_prover::trie::nibbles::hex_prefix;

/// Every case of this file.
pub fn cases() -> Vec<Case> {
    let mut cases = paths();
    cases.extend(extensions());
    cases.extend(branches());
    cases.extend(lengths());
    cases.extend(account_leaves());
    cases.extend(slot_leaves());
    cases
}

fn case(
    flag: &'static str,
    comment: &str,
    (source, query, reply): (Source, Query, Reply),
    code: &'static str,
) -> Case {
    invalid(flag, comment, (source, query.encode(), reply.encode()), code)
}

fn paths() -> Vec<Case> {
    let path = nodes::account_path();
    let value = nodes::account_leaf();
    let with_prefix = |first: u8| {
        let mut prefixed = hex_prefix(&path, true);
        prefixed[0] = first;
        account_case(&[pair(prefixed, Item::bytes(&value))])
    };
    let odd_flag = {
        let mut prefixed = hex_prefix(&path[1..], true);
        prefixed[0] += 0x40;
        let leaf = pair(prefixed, Item::bytes(&value));
        account_case(&[branch(&[(path[0], by_hash(&leaf)), (other(path[0]), sibling())]), leaf])
    };
    let short = account_case(&[leaf_node(&path[..62], &value)]);
    let long = account_case(&[leaf_node(&[path.as_slice(), &[0, 0]].concat(), &value)]);
    let no_prefix = account_case(&[pair([], Item::bytes(&value))]);
    vec![
        case(
            "HexPrefix",
            "flag 6, an even leaf with an unknown bit",
            with_prefix(0x60),
            "decode.node",
        ),
        case("HexPrefix", "flag 7, an odd leaf with an unknown bit", odd_flag, "decode.node"),
        case("HexPrefix", "padding nibble 1 before an even path", with_prefix(0x21), "decode.node"),
        case("HexPrefix", "a path without its prefix byte", no_prefix, "decode.node"),
        case("PathLength", "a leaf that ends two nibbles early", short, "verify.path"),
        case("PathLength", "a leaf that ends two nibbles late", long, "verify.path"),
    ]
}

fn extensions() -> Vec<Case> {
    let path = nodes::account_path();
    let value = nodes::account_leaf();
    let leaf = leaf_node(&path[2..], &value);
    let fork =
        branch(&[(path[0], by_hash(&leaf_node(&path[1..], &value))), (other(path[0]), sibling())]);
    let deep =
        branch(&[(path[3], by_hash(&leaf_node(&path[4..], &value))), (other(path[3]), sibling())]);
    let inner = extension(&path[1..3], by_hash(&deep));
    let beyond = branch(&[(0, sibling()), (1, sibling())]);
    let slot = nodes::slot_path();
    let small = leaf_node(&slot[12..], &[5]);
    let flag = "BadExtension";
    vec![
        case(
            flag,
            "an empty path above a branch",
            account_case(&[
                extension(&[], by_hash(&fork)),
                fork.clone(),
                leaf_node(&path[1..], &value),
            ]),
            "decode.node",
        ),
        case(
            flag,
            "to nothing",
            account_case(&[extension(&path[..2], Item::bytes([]))]),
            "decode.node",
        ),
        case(
            flag,
            "to a leaf by hash",
            account_case(&[extension(&path[..2], by_hash(&leaf)), leaf]),
            "verify.path",
        ),
        case(
            flag,
            "to an embedded leaf",
            slot_case(&[extension(&slot[..12], inline(&small))], &[5]),
            "decode.node",
        ),
        case(
            flag,
            "to an extension",
            account_case(&[
                extension(&path[..1], by_hash(&inner)),
                inner,
                deep,
                leaf_node(&path[4..], &value),
            ]),
            "verify.path",
        ),
        case(
            flag,
            "as long as the key",
            account_case(&[extension(&path, by_hash(&beyond)), beyond]),
            "verify.path",
        ),
    ]
}

fn branches() -> Vec<Case> {
    let path = nodes::account_path();
    let leaf = leaf_node(&path[1..], &nodes::account_leaf());
    let honest = branch_items(&[(path[0], by_hash(&leaf)), (other(path[0]), sibling())]);
    let with = |change: &dyn Fn(&mut Vec<Item>)| {
        let mut items = honest.clone();
        change(&mut items);
        account_case(&[Item::List(items).encode(), leaf.clone()])
    };
    let beside = usize::from(other(path[0]));
    // Without its last item, a branch whose 16th child is the value's place.
    let sixteen = {
        let mut items = honest.clone();
        items.pop();
        account_case(&[Item::List(items).encode(), leaf.clone()])
    };
    let flag = "BadBranch";
    vec![
        case(flag, "one child", with(&|items| items[beside] = Item::bytes([])), "decode.node"),
        case(flag, "a value", with(&|items| items[16] = Item::bytes("value")), "decode.node"),
        case(flag, "16 items", sixteen, "decode.node"),
        case(flag, "18 items", with(&|items| items.push(Item::bytes([]))), "decode.node"),
        case(
            flag,
            "a child of 31 bytes",
            with(&|items| items[beside] = Item::bytes([0x55; 31])),
            "decode.node",
        ),
        case(
            flag,
            "a child of 33 bytes",
            with(&|items| items[beside] = Item::bytes([0x55; 33])),
            "decode.node",
        ),
        case(
            flag,
            "a child of one byte",
            with(&|items| items[beside] = Item::bytes([0x55])),
            "decode.node",
        ),
        case(
            flag,
            "a node of three items",
            account_case(&[Item::List(honest[..3].to_vec()).encode(), leaf.clone()]),
            "decode.node",
        ),
        case(
            flag,
            "a child that is an empty list",
            with(&|items| items[beside] = Item::List(vec![])),
            "decode.node",
        ),
    ]
}

fn lengths() -> Vec<Case> {
    let path = nodes::account_path();
    let leaf = leaf_node(&path[1..], &nodes::account_leaf());
    let long_inline = branch(&[(path[0], inline(&leaf)), (other(path[0]), sibling())]);
    let slot = nodes::slot_path();
    let small = leaf_node(&slot[12..], &[5]);
    let fork = branch(&[(slot[11], by_hash(&small)), (other(slot[11]), sibling())]);
    let root = extension(&slot[..11], by_hash(&fork));
    vec![
        case(
            "NodeLength",
            "a leaf of 32 bytes or more inside its parent",
            account_case(&[long_inline]),
            "decode.node",
        ),
        case(
            "NodeLength",
            "a leaf below 32 bytes by hash",
            slot_case(&[root, fork, small], &[5]),
            "decode.node",
        ),
    ]
}

fn account_leaves() -> Vec<Case> {
    let path = nodes::account_path();
    let fields = leaf_fields(&nodes::account(), &EMPTY_ROOT);
    let holding = |value: Item| account_case(&[pair(hex_prefix(&path, true), value)]);
    let with = |change: &dyn Fn(&mut Vec<Item>)| {
        let mut fields = fields.clone();
        change(&mut fields);
        holding(Item::bytes(Item::List(fields).encode()))
    };
    let mut trailing = nodes::account_leaf();
    trailing.push(0x80);
    vec![
        case("BadLeafValue", "an empty value", holding(Item::bytes([])), "decode.node"),
        case(
            "BadLeafValue",
            "a list in place of a string",
            holding(Item::List(fields.clone())),
            "decode.node",
        ),
        case("BadAccount", "three fields", with(&|fields| drop(fields.pop())), "verify.value"),
        case(
            "BadAccount",
            "five fields",
            with(&|fields| fields.push(Item::bytes([]))),
            "verify.value",
        ),
        case(
            "BadAccount",
            "a nonce with a leading zero",
            with(&|fields| fields[0] = Item::bytes([0, 3])),
            "verify.value",
        ),
        case(
            "BadAccount",
            "a nonce of 2^64",
            with(&|fields| fields[0] = Item::bytes([1, 0, 0, 0, 0, 0, 0, 0, 0])),
            "verify.value",
        ),
        case(
            "BadAccount",
            "a balance of 33 bytes",
            with(&|fields| fields[1] = Item::bytes([1; 33])),
            "verify.value",
        ),
        case(
            "BadAccount",
            "a storage root of 31 bytes",
            with(&|fields| fields[2] = Item::bytes([1; 31])),
            "verify.value",
        ),
        case(
            "BadAccount",
            "an empty code hash",
            with(&|fields| fields[3] = Item::bytes([])),
            "verify.value",
        ),
        case(
            "BadAccount",
            "a byte after the account",
            holding(Item::bytes(trailing)),
            "verify.value",
        ),
        case(
            "BadAccount",
            "a string in place of the account",
            holding(Item::bytes(Item::bytes([0x4c; 70]).encode())),
            "verify.value",
        ),
    ]
}

fn slot_leaves() -> Vec<Case> {
    let path = nodes::slot_path();
    let holding = |comment, value: &[u8], claimed: Vec<u8>| {
        case(
            "BadSlotValue",
            comment,
            slot_case(&[leaf_node(&path, value)], &claimed),
            "verify.value",
        )
    };
    vec![
        holding("a leading zero", &[0x82, 0x00, 0x05], minimal(5_u64)),
        holding("a small integer with a length prefix", &[0x81, 0x05], minimal(5_u64)),
        holding("zero, which is absence", &[0x80], vec![]),
        holding("33 bytes", &Item::bytes([1; 33]).encode(), vec![1; 32]),
        holding("a list", &[0xc1, 0x05], minimal(5_u64)),
        holding("a byte after the integer", &[0x05, 0x05], minimal(5_u64)),
    ]
}
