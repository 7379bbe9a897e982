//! Headers, chains, configurations and queries that must be rejected.

use super::reply::Query;
use super::scene::{self, Scene, execution_header};
use crate::case::{Case, Source, header_source, invalid};
use crate::edit::{Edit as _, changed};
use lightproof_prover::chain::header::Header;
use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::rlp::Item;

pub(super) fn asked(scene: &Scene, source: Source) -> (Source, Vec<u8>, Vec<u8>) {
    let query = Query::account(scene::eoa());
    (source, query.encode(), scene.world.reply(&query).encode())
}

/// Devnet headers.
pub(super) fn devnet(scene: &Scene) -> Vec<Case> {
    let mut cases = devnet_fields(scene);
    cases.extend(devnet_form(scene));
    cases
}

/// Trusts block 3 with a changed header: the hash is the changed one's.
fn trusted(scene: &Scene, change: &dyn Fn(&mut Header)) -> (Source, Vec<u8>, Vec<u8>) {
    let mut header = scene.headers[3].clone();
    change(&mut header);
    asked(scene, header_source(&[header.encode()]))
}

fn named(scene: &Scene, system: &str) -> (String, Vec<u8>) {
    (system.to_owned(), scene.world.root.to_vec())
}

fn devnet_fields(scene: &Scene) -> Vec<Case> {
    let honest = &scene.headers[3];
    let with = |change: &dyn Fn(&mut Header)| trusted(scene, change);
    let tampered = |change: &dyn Fn(&mut Header)| {
        let mut header = honest.clone();
        change(&mut header);
        asked(scene, Source::Header { hash: honest.hash(), rlps: vec![header.encode()] })
    };
    let followed = |change: &dyn Fn(&mut Header)| {
        let honest = honest.clone().with_origin([7; 32]);
        let mut header = honest.clone();
        change(&mut header);
        asked(scene, Source::Header { hash: honest.hash(), rlps: vec![header.encode()] })
    };
    vec![
        invalid(
            "HeaderChanged",
            "another state root",
            tampered(&|header| header.commitments[0].1 = vec![0x66; 32]),
            "verify.header",
        ),
        invalid(
            "HeaderChanged",
            "another number",
            tampered(&|header| header.number = 4),
            "verify.header",
        ),
        invalid(
            "HeaderChanged",
            "another origin",
            followed(&|header| header.origin = [8; 32]),
            "verify.header",
        ),
        invalid(
            "HeaderChanged",
            "the origin left out, and version 1",
            followed(&|header| *header = header.clone().with_origin([0; 32])),
            "verify.header",
        ),
        invalid(
            "OtherChain",
            "the header names another chain id",
            with(&|header| header.chain_id += 1),
            "verify.chain",
        ),
        invalid(
            "OtherChain",
            "header version 3",
            with(&|header| (header.version, header.origin) = (3, [7; 32])),
            "verify.chain",
        ),
        invalid(
            "OtherChain",
            "a block 0 that is not the chain's",
            with(&|header| {
                (header.number, header.parent_hash) = (0, [0; 32]);
            }),
            "verify.chain",
        ),
        invalid(
            "BadCommitment",
            "the header commits to no system",
            with(&|header| header.commitments.clear()),
            "verify.commitment",
        ),
        invalid(
            "BadCommitment",
            "the header commits to another system only",
            with(&|header| header.commitments = vec![named(scene, "cole")]),
            "verify.commitment",
        ),
        invalid(
            "BadCommitment",
            "a commitment of 31 bytes",
            with(&|header| header.commitments[0].1.truncate(31)),
            "verify.commitment",
        ),
    ]
}

fn devnet_form(scene: &Scene) -> Vec<Case> {
    let honest = &scene.headers[3];
    let with = |change: &dyn Fn(&mut Header)| trusted(scene, change);
    let items = |change: &dyn Fn(&mut Vec<Item>)| {
        let header = changed(&honest.encode(), |header| header.items(change));
        asked(scene, header_source(&[header]))
    };
    let origin = |fields: &[&[u8]]| {
        items(&|items| {
            items[0] = Item::uint(2_u64);
            items.extend(fields.iter().map(Item::bytes));
        })
    };
    let [mpt, cole] = ["mpt", "cole"].map(|name| named(scene, name));
    vec![
        invalid(
            "BadHeader",
            "systems descend",
            with(&|header| header.commitments = vec![mpt.clone(), cole.clone()]),
            "decode.header",
        ),
        invalid(
            "BadHeader",
            "a system twice",
            with(&|header| header.commitments = vec![mpt.clone(), mpt.clone()]),
            "decode.header",
        ),
        invalid(
            "BadHeader",
            "the committee root left out",
            items(&|items| drop(items.pop())),
            "decode.header",
        ),
        invalid(
            "BadHeader",
            "a field too many",
            items(&|items| items.push(Item::bytes([]))),
            "decode.header",
        ),
        invalid(
            "BadHeader",
            "an origin in a header of version 1",
            items(&|items| items.push(Item::bytes([7; 32]))),
            "decode.header",
        ),
        invalid(
            "BadHeader",
            "no origin in a header of version 2",
            items(&|items| items[0] = Item::uint(2_u64)),
            "decode.header",
        ),
        invalid("BadHeader", "an origin of zeros", origin(&[&[0; 32]]), "decode.header"),
        invalid("BadHeader", "an origin of 31 bytes", origin(&[&[7; 31]]), "decode.header"),
        invalid("BadHeader", "a field after the origin", origin(&[&[7; 32], &[]]), "decode.header"),
        invalid(
            "BadHeader",
            "a number with a leading zero",
            items(&|items| items[3] = Item::bytes([0, 3])),
            "decode.header",
        ),
        invalid(
            "BadHeader",
            "a parent hash of 31 bytes",
            items(&|items| items[2] = Item::bytes([1; 31])),
            "decode.header",
        ),
        invalid(
            "BadHeader",
            "a header above 16 KiB",
            with(&|header| header.commitments.push(("x".into(), vec![1; 17_000]))),
            "decode.limit",
        ),
    ]
}

/// Ethereum headers.
pub(super) fn ethereum(scene: &Scene) -> Vec<Case> {
    let fields = |count| execution_header(count, 1_000, [0x77; 32], scene.world.root);
    let encode = |items: Vec<Item>| Item::List(items).encode();
    let honest = keccak256(&encode(fields(21)));
    let tampered =
        |items: Vec<Item>| asked(scene, Source::Header { hash: honest, rlps: vec![encode(items)] });
    let committed = |items: Vec<Item>| asked(scene, header_source(&[encode(items)]));
    let with = |count, index: usize, item: Item| {
        let mut items = fields(count);
        items[index] = item;
        items
    };
    let without = |count, index: usize| {
        let mut items = fields(count);
        items.remove(index);
        items
    };
    let parent: Word = keccak256(&encode(fields(21)));
    let skipping = encode(execution_header(21, 1_002, parent, scene.world.root));
    let walk = asked(scene, header_source(&[skipping, encode(fields(21))]));
    let child = encode(execution_header(21, 1_001, honest, scene.world.root));
    let forged =
        asked(scene, Source::Header { hash: honest, rlps: vec![encode(fields(21)), child] });
    vec![
        invalid(
            "HeaderChanged",
            "another state root",
            tampered(with(21, 3, Item::bytes([0x66; 32]))),
            "verify.header",
        ),
        invalid(
            "HeaderChanged",
            "the last optional field left out",
            tampered(fields(20)),
            "verify.header",
        ),
        invalid(
            "HeaderChanged",
            "an optional field too many",
            tampered(fields(22)),
            "verify.header",
        ),
        invalid(
            "HeaderChanged",
            "an optional field in the middle left out",
            tampered(without(21, 16)),
            "verify.header",
        ),
        invalid(
            "BadHeader",
            "the hash commits to a header with a gap: no withdrawalsRoot",
            committed(without(21, 16)),
            "decode.header",
        ),
        invalid("BadHeader", "14 fields", committed(fields(14)), "decode.header"),
        invalid(
            "BadHeader",
            "a nonce of 7 bytes",
            committed(with(21, 14, Item::bytes([0; 7]))),
            "decode.header",
        ),
        invalid(
            "BadHeader",
            "a logs bloom of 255 bytes",
            committed(with(21, 6, Item::bytes([0; 255]))),
            "decode.header",
        ),
        invalid(
            "BadHeader",
            "a state root of 31 bytes",
            committed(with(21, 3, Item::bytes([1; 31]))),
            "decode.header",
        ),
        invalid(
            "BadHeader",
            "a number with a leading zero",
            committed(with(21, 8, Item::bytes([0, 3]))),
            "decode.header",
        ),
        invalid(
            "BadHeader",
            "a devnet header on an Ethereum chain",
            asked(scene, scene.source()),
            "decode.header",
        ),
        invalid("HeaderLink", "a parent whose number is two less", walk, "verify.chain"),
        invalid(
            "HeaderLink",
            "a child of the trusted block, which anyone can make",
            forged,
            "verify.header",
        ),
    ]
}
