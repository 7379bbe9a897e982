//! Small states, hashed here, and what hides an older version in them.

use lightproof_core::Verifier;
use lightproof_core::system::cole::Cole;
use lightproof_hash::Blake2b256;
use lightproof_testkit::ask::{Chain, Source, claims};
use lightproof_testkit::{Claim, Rlp, keccak};
use serde_json::Value;

const ADDRESS: [u8; 52] = [7; 52];

/// Blocks have numbers up to this one.
const HEIGHT: u32 = 10;

/// m of all trees.
const FANOUT: u16 = 4;

fn key(block: u32) -> Vec<u8> {
    [&ADDRESS[..], &block.to_be_bytes()].concat()
}

/// Block ‖ value.
fn record(block: u32) -> Vec<u8> {
    [&block.to_be_bytes()[..], &[1; 32]].concat()
}

fn entry(block: u32) -> Vec<u8> {
    [&ADDRESS[..], &record(block)].concat()
}

/// All versions from a block to the last one, asked for under a root.
fn verdict(format: &str, root: [u8; 32], from: u32, proof: &Rlp) -> Value {
    let params = Rlp::list([0, FANOUT.into(), 2].map(Rlp::uint)).encode();
    let config = Rlp::list([Rlp::str(format), Rlp::str(keccak(&params))]).encode();
    let chain = Chain { kind: "devnet", chain_id: 1, genesis_hash: [1; 32] }.encode();
    let verifier = Verifier::<Cole>::new(&chain, &config, &params).unwrap();
    let [mode, first, last] = [0, from.into(), HEIGHT.into()].map(Rlp::uint);
    let query = Rlp::list([mode, Rlp::str(ADDRESS), first, last]).encode();
    let source = Source::Root { number: HEIGHT.into(), bytes: root.to_vec() };
    let claim = Claim::plain(source, query, proof.encode());
    let verdicts = verifier.verify(&claims(&[claim]), [0; 32], &mut ());
    serde_json::from_str::<Value>(&verdicts).unwrap()[0].clone()
}

/// `cole/1`: versions of blocks 5, 8 and 9 in memory, in one leaf.
#[test]
fn an_opening_without_its_left_neighbour_is_at_the_edge() {
    let digests = [5, 8, 9].map(|block| keccak(&[&[0][..], &entry(block)].concat()));
    let leaf = keccak(&[&[1, 0, 3][..], &digests.concat()].concat());
    let extent = [3_u64.to_be_bytes().as_slice(), &FANOUT.to_be_bytes()].concat();
    let blocks = [5_u32.to_be_bytes(), 9_u32.to_be_bytes()].concat();
    let memory = keccak(&[&[3, 0][..], &extent, &blocks, &leaf, &[0; 32]].concat());
    let head = [&[5, 1, 0][..], &FANOUT.to_be_bytes(), &[2], &HEIGHT.to_be_bytes(), &[1]].concat();
    let root = keccak(&[&head[..], &memory, &[0]].concat());
    // From the first opened child on, and what is said of the one before.
    let proof = |first: u64, left: Vec<u8>, siblings: &[u8]| {
        let place = Rlp::list([Rlp::list([Rlp::uint(first), Rlp::str([2])])]);
        let versions = [record(8), record(9)].concat();
        let [form, count, oldest, newest] = [3, 3, 5, 9].map(Rlp::uint);
        let opened = [Rlp::str(left), Rlp::str(versions), Rlp::str([]), Rlp::str(siblings)];
        let mut source = vec![form, count, oldest, newest, place];
        source.extend(opened);
        let [mode, system, from, to, height, m, ratio, memories] =
            [0, 0, 6, 10, 10, 4, 2, 1].map(Rlp::uint);
        let address = Rlp::str(ADDRESS);
        let sources = Rlp::list([Rlp::List(source)]);
        let levels = Rlp::str([]);
        let question = [mode, system, address, from, to, height, m, ratio];
        Rlp::list(question.into_iter().chain([memories, levels, sources]))
    };
    let honest = verdict("cole/1", root, 6, &proof(0, entry(5), &[]));
    assert_eq!(honest["fact"]["predecessor"]["block"], "0x5", "{honest}");
    let hidden = verdict("cole/1", root, 6, &proof(1, Vec::new(), &digests[0]));
    assert_eq!(hidden["code"], "verify.boundary", "{hidden}");
}

/// `cole/fast24`: a version of block 5 in one leaf, those of blocks 8 and 9 in the next.
#[test]
fn a_leaf_behind_another_does_not_show_that_nothing_was_before() {
    let blake2b = |parts: &[&[u8]]| {
        let mut hasher = Blake2b256::new();
        for part in parts {
            hasher.update(part);
        }
        hasher.finish()
    };
    let leaf = |blocks: &[u32]| {
        let both = |block: &u32| [blake2b(&[&key(*block)]), blake2b(&[&[1; 32]])].concat();
        blake2b(&[&blocks.iter().flat_map(both).collect::<Vec<_>>()])
    };
    let children = [leaf(&[5]), leaf(&[8, 9])].concat();
    let root = blake2b(&[&blake2b(&[&key(8)]), &children]);
    let state = blake2b(&[&root]);
    let node = |opened: [u64; 2], parts: &[Vec<u8>]| {
        let [start, end] = opened.map(Rlp::uint);
        Rlp::list([start, end].into_iter().chain(parts.iter().map(Rlp::str)))
    };
    let proof = |results: &[u32], depths: [Vec<Rlp>; 2]| {
        let results: Vec<u8> = results.iter().copied().flat_map(entry).collect();
        let depths = Rlp::list(depths.map(Rlp::List));
        let memory = Rlp::list([Rlp::str(results), depths]);
        Rlp::list([Rlp::list([memory]), Rlp::list([])])
    };
    let inner = |opened| node(opened, &[key(8), children.clone()]);
    let last = |opened| node(opened, &[[entry(8), entry(9)].concat()]);
    let predecessor = |from, proof: Rlp| {
        let verdict = verdict("cole/fast24", state, from, &proof);
        verdict["fact"]["predecessor"]["status"].as_str().map(String::from)
    };
    // The first leaf is not opened: the version in it may be there or not.
    let behind = proof(&[8, 9], [vec![inner([1, 1])], vec![last([0, 1])]]);
    assert_eq!(predecessor(8, behind).as_deref(), Some("notProven"));
    let shown = proof(&[9], [vec![inner([1, 1])], vec![last([1, 1])]]);
    assert_eq!(predecessor(9, shown).as_deref(), Some("proven"));
    let first = node([0, 0], &[entry(5)]);
    let all = proof(&[5, 8, 9], [vec![inner([0, 1])], vec![first, last([0, 1])]]);
    assert_eq!(predecessor(4, all).as_deref(), Some("none"));
}
