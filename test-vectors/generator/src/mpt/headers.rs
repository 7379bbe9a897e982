//! Headers, chains, configurations and queries that must be rejected.

use super::reply::Query;
use super::scene::{self, Scene, execution_header};
use crate::case::{Case, Source, header_source, refusals};
use crate::edit::{Edit as _, changed};
use lightproof_prover::chain::header::Header;
use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::rlp::Item;

// Flags and codes of many cases.
const CHANGED: &str = "HeaderChanged";
const BAD: &str = "BadHeader";
const OTHER: &str = "OtherChain";
const COMMITMENT: &str = "BadCommitment";
const FORM: &str = "decode.header";
const HASH: &str = "verify.header";
const CHAIN: &str = "verify.chain";

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
    refusals([
        (
            CHANGED,
            "another state root",
            HASH,
            tampered(&|header| header.commitments[0].1 = vec![0x66; 32]),
        ),
        (CHANGED, "another number", HASH, tampered(&|header| header.number = 4)),
        (CHANGED, "another origin", HASH, followed(&|header| header.origin = [8; 32])),
        (
            CHANGED,
            "the origin left out, and version 1",
            HASH,
            followed(&|header| *header = header.clone().with_origin([0; 32])),
        ),
        (OTHER, "the header names another chain id", CHAIN, with(&|header| header.chain_id += 1)),
        (
            OTHER,
            "header version 3",
            CHAIN,
            with(&|header| (header.version, header.origin) = (3, [7; 32])),
        ),
        (
            OTHER,
            "a block 0 that is not the chain's",
            CHAIN,
            with(&|header| {
                (header.number, header.parent_hash) = (0, [0; 32]);
            }),
        ),
        (
            COMMITMENT,
            "the header commits to no system",
            "verify.commitment",
            with(&|header| header.commitments.clear()),
        ),
        (
            COMMITMENT,
            "the header commits to another system only",
            "verify.commitment",
            with(&|header| header.commitments = vec![named(scene, "cole")]),
        ),
        (
            COMMITMENT,
            "a commitment of 31 bytes",
            "verify.commitment",
            with(&|header| header.commitments[0].1.truncate(31)),
        ),
    ])
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
    refusals([
        (
            BAD,
            "systems descend",
            FORM,
            with(&|header| header.commitments = vec![mpt.clone(), cole.clone()]),
        ),
        (
            BAD,
            "a system twice",
            FORM,
            with(&|header| header.commitments = vec![mpt.clone(), mpt.clone()]),
        ),
        (BAD, "the committee root left out", FORM, items(&|items| drop(items.pop()))),
        (BAD, "a field too many", FORM, items(&|items| items.push(Item::bytes([])))),
        (
            BAD,
            "an origin in a header of version 1",
            FORM,
            items(&|items| items.push(Item::bytes([7; 32]))),
        ),
        (
            BAD,
            "no origin in a header of version 2",
            FORM,
            items(&|items| items[0] = Item::uint(2_u64)),
        ),
        (BAD, "an origin of zeros", FORM, origin(&[&[0; 32]])),
        (BAD, "an origin of 31 bytes", FORM, origin(&[&[7; 31]])),
        (BAD, "a field after the origin", FORM, origin(&[&[7; 32], &[]])),
        (BAD, "a number with a leading zero", FORM, items(&|items| items[3] = Item::bytes([0, 3]))),
        (BAD, "a parent hash of 31 bytes", FORM, items(&|items| items[2] = Item::bytes([1; 31]))),
        (
            BAD,
            "a header above 16 KiB",
            "decode.limit",
            with(&|header| header.commitments.push(("x".into(), vec![1; 17_000]))),
        ),
    ])
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
    refusals([
        (CHANGED, "another state root", HASH, tampered(with(21, 3, Item::bytes([0x66; 32])))),
        (CHANGED, "the last optional field left out", HASH, tampered(fields(20))),
        (CHANGED, "an optional field too many", HASH, tampered(fields(22))),
        (CHANGED, "an optional field in the middle left out", HASH, tampered(without(21, 16))),
        (
            BAD,
            "the hash commits to a header with a gap: no withdrawalsRoot",
            FORM,
            committed(without(21, 16)),
        ),
        (BAD, "14 fields", FORM, committed(fields(14))),
        (BAD, "a nonce of 7 bytes", FORM, committed(with(21, 14, Item::bytes([0; 7])))),
        (BAD, "a logs bloom of 255 bytes", FORM, committed(with(21, 6, Item::bytes([0; 255])))),
        (BAD, "a state root of 31 bytes", FORM, committed(with(21, 3, Item::bytes([1; 31])))),
        (BAD, "a number with a leading zero", FORM, committed(with(21, 8, Item::bytes([0, 3])))),
        (BAD, "a devnet header on an Ethereum chain", FORM, asked(scene, scene.source())),
        ("HeaderLink", "a parent whose number is two less", CHAIN, walk),
        ("HeaderLink", "a child of the trusted block, which anyone can make", HASH, forged),
    ])
}
