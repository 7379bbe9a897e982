//! Freshness, and what binds a tuple to its leaf, its block and the list of blocks.

use super::scene::{Forged, HEAD, Key, Result, Scene, query};
use crate::case::{Case, Source, invalid};
use crate::edit::{Edit as _, flip};
use lightproof_prover::rlp::Item;

/// Cases about proofs of another block.
pub(super) fn freshness(scene: &Scene) -> Result<Vec<Case>> {
    let flag = "OtherBlock";
    let mut cases = Vec::new();
    let hot = scene.key("crowd", 1);
    let deep = scene.key("deep", 11);
    // Everything but the openings is true of the head too.
    for (key, block) in [(&hot, 10), (&hot, 5), (&deep, 8), (&deep, 7)] {
        let stale = stale(scene, key, block)?;
        cases.push(invalid(flag, "a stale proof, its paths renewed", stale, "verify.opening"));
    }
    let old = scene.proof(10, std::slice::from_ref(&hot), "hybrid")?.encode();
    let claim = |source: Source, proof: Vec<u8>| {
        (source, query(std::slice::from_ref(&hot)), "hybrid", proof)
    };
    let fresh = scene.proof(HEAD, std::slice::from_ref(&hot), "hybrid")?.encode();
    cases.push(invalid(
        flag,
        "a whole proof of an older block, whose path in the list has another length",
        claim(scene.source(HEAD), old.clone()),
        "verify.path",
    ));
    let early = [scene.key("pair", 0)];
    let whole = scene.proof(11, &early, "hybrid")?.encode();
    let whole = (scene.source(HEAD), query(&early), "hybrid", whole);
    cases.push(invalid(flag, "a whole proof of the block before", whole, "verify.merkle"));
    let mixed = |aroot: u64, hroot: u64| {
        let bytes = [&scene.root(aroot)[..32], &scene.root(hroot)[32..]].concat();
        Source::Root { number: HEAD, bytes }
    };
    cases.extend([
        invalid(
            flag,
            "aroot of an older block",
            claim(mixed(10, HEAD), fresh.clone()),
            "verify.opening",
        ),
        invalid(
            flag,
            "hroot of an older block",
            claim(mixed(HEAD, 10), fresh.clone()),
            "verify.merkle",
        ),
        invalid(
            flag,
            "a tuple of a block after the root's",
            claim(scene.source(11), fresh),
            "verify.order",
        ),
        invalid(flag, "no such block at genesis", claim(scene.source(0), old), "verify.order"),
    ]);
    // The newest opening, and an older tuple.
    let mut proof = scene.proof(HEAD, std::slice::from_ref(&hot), "hybrid")?;
    let mut older = scene.proof(10, std::slice::from_ref(&hot), "hybrid")?;
    *proof.at(&[1]) = Item::List(vec![scene.entry(10)?]);
    for field in [4, 5] {
        *proof.at(&[2, 0, field]) = older.at(&[2, 0, field]).clone();
    }
    let forged = claim(scene.source(HEAD), proof.encode());
    cases.push(invalid(flag, "an old tuple under a fresh opening", forged, "verify.merkle"));
    // The newest parent, and an older sub-AMT.
    let keys = [scene.key("deep", 6)];
    let mut proof = scene.proof(HEAD, &keys, "hybrid")?;
    let mut older = scene.proof(4, &keys, "hybrid")?;
    let epochs: Vec<u64> =
        [&mut proof, &mut older].into_iter().flat_map(|proof| epochs(proof.at(&[1]))).collect();
    for field in [1, 2] {
        let item = older.at(&[2, 0, 2, field]).clone();
        *proof.at(&[2, 0, 2, field]) = item;
    }
    // Both tuples of the older proof stand in block 4.
    *proof.at(&[2, 0, 5]) = older.at(&[2, 0, 5]).clone();
    *proof.at(&[1]) = Item::List(vec![scene.entry(epochs.into_iter().min().unwrap_or(0))?]);
    let forged = (scene.source(HEAD), query(&keys), "hybrid", proof.encode());
    cases.push(invalid(flag, "an old sub-AMT under a fresh parent", forged, "verify.merkle"));
    Ok(cases)
}

/// A block, and the place of a key's tuple.
const BLOCK: &[usize] = &[1, 0];
const PLACE: &[usize] = &[2, 0, 5];

fn epochs(blocks: &Item) -> Vec<u64> {
    let blocks = blocks.as_list().unwrap_or_default().iter();
    blocks.filter_map(|block| Some(block.as_list()?.first()?.number())).collect()
}

/// An older proof, its blocks as the head's list of blocks has them.
pub(super) fn stale(scene: &Scene, key: &Key, block: u64) -> Result<Forged> {
    let keys = std::slice::from_ref(key);
    let mut proof = scene.proof(block, keys, "hybrid")?;
    let blocks = epochs(proof.at(&[1])).into_iter().map(|epoch| scene.entry(epoch));
    *proof.at(&[1]) = Item::List(blocks.collect::<Result<_>>()?);
    Ok((scene.source(HEAD), query(keys), "hybrid", proof.encode()))
}

/// Cases about tuples of something else.
// A table: one case after the other.
#[allow(clippy::too_many_lines)]
pub(super) fn tuples(scene: &Scene) -> Result<Vec<Case>> {
    let (pair, other) = (scene.key("pair", 0), scene.key("pair", 1));
    let deep = scene.key("deep", 11);
    let with = |key: &Key, change: &dyn Fn(&mut Item)| {
        scene.forged(std::slice::from_ref(key), "hybrid", |proof| change(proof))
    };
    let flag = "OtherTuple";
    let size = scene.lvmt.config().format.point_bytes();
    let slot = scene.proof(HEAD, std::slice::from_ref(&other), "hybrid")?.at(&[2, 0, 3]).clone();
    let mut cases = vec![
        invalid(
            flag,
            "another key's slot",
            with(&pair, &|proof| *proof.at(&[2, 0, 3]) = slot.clone())?,
            "verify.merkle",
        ),
        invalid(
            flag,
            "an unused slot",
            with(&pair, &|proof| *proof.at(&[2, 0, 3]) = Item::uint(5_u8))?,
            "verify.path",
        ),
        invalid(
            flag,
            "another value",
            with(&pair, &|proof| proof.at(&[2, 0, 4]).bytes(flip(1)))?,
            "verify.merkle",
        ),
        invalid(
            flag,
            "no value",
            with(&pair, &|proof| *proof.at(&[2, 0, 4]) = Item::bytes([]))?,
            "verify.merkle",
        ),
        invalid(
            flag,
            "a sub-AMT's tuple in place of the key's",
            with(&deep, &|proof| {
                let place = proof.at(&[2, 0, 2, 1, 1]).clone();
                *proof.at(&[2, 0, 5]) = place;
            })?,
            "verify.merkle",
        ),
        invalid(
            flag,
            "another sub-AMT's tuple",
            with(&deep, &|proof| {
                let place = proof.at(&[2, 0, 2, 3, 1]).clone();
                *proof.at(&[2, 0, 2, 1, 1]) = place;
            })?,
            "verify.merkle",
        ),
        invalid(
            flag,
            "another sub-AMT",
            with(&deep, &|proof| {
                let tree = proof.at(&[2, 0, 2, 3]).clone();
                *proof.at(&[2, 0, 2, 1]) = tree;
            })?,
            "verify.merkle",
        ),
        invalid(
            flag,
            "the sub-AMT above once more",
            with(&deep, &|proof| {
                let tree = proof.at(&[2, 0, 2, 1]).clone();
                *proof.at(&[2, 0, 2, 3]) = tree;
            })?,
            "verify.merkle",
        ),
        invalid(
            flag,
            "the key's tuple in place of the sub-AMT's",
            with(&deep, &|proof| {
                let place = proof.at(&[2, 0, 5]).clone();
                *proof.at(&[2, 0, 2, 1, 1]) = place;
            })?,
            "verify.merkle",
        ),
        invalid(
            flag,
            "a key of level 2 on level 1",
            with(&deep, &|proof| {
                *proof.at(&[2, 0, 1]) = Item::uint(1_u8);
                proof.at(&[2, 0, 2]).items(|leaves| leaves.truncate(3));
            })?,
            "verify.merkle",
        ),
        invalid(
            flag,
            "a sub-AMT where there is none",
            with(&pair, &|proof| {
                let mut deep = scene
                    .proof(HEAD, &[scene.key("deep", 11)], "hybrid")
                    .unwrap_or(Item::List(vec![]));
                let (leaf, mut tree) =
                    (proof.at(&[2, 0, 2, 0]).clone(), deep.at(&[2, 0, 2, 1]).clone());
                *tree.at(&[1]) = proof.at(&[2, 0, 5]).clone();
                *proof.at(&[2, 0, 1]) = Item::uint(1_u8);
                let points = proof.at(&[2, 0, 2, 0, 1]).clone();
                let below = Item::List(vec![
                    Item::uint(0_u8),
                    Item::bytes(&points.as_bytes().unwrap_or_default()[..size]),
                ]);
                *proof.at(&[2, 0, 2]) = Item::List(vec![leaf, tree, below]);
            })?,
            "verify.path",
        ),
    ];
    // The proof of a key that shares its leaf.
    let proof = scene.proof(HEAD, std::slice::from_ref(&pair), "hybrid")?.encode();
    let swapped = (scene.source(HEAD), query(std::slice::from_ref(&other)), "hybrid", proof);
    cases.push(invalid(flag, "the proof of a key at the same leaf", swapped, "verify.merkle"));
    for (comment, more) in [("a version more", 1), ("a version less", -1)] {
        let forged = with(&deep, &|proof| {
            // The lowest 40 bits are the sub-AMT's.
            add(proof.at(&[2, 0, 2, 0, 0]), 0, more);
        })?;
        cases.push(invalid(flag, &format!("{comment} of the sub-AMT"), forged, "verify.merkle"));
        let forged = with(&deep, &|proof| {
            let slot = proof.at(&[2, 0, 3]).number();
            add(proof.at(&[2, 0, 2, 4, 0]), usize::try_from(slot).unwrap_or(0), more);
        })?;
        cases.push(invalid(flag, &format!("{comment} of the key"), forged, "verify.merkle"));
    }
    Ok(cases)
}

/// Adds to the version in a slot of a leaf.
pub(super) fn add(value: &mut Item, slot: usize, more: i8) {
    let mut bytes = [0; 30];
    let digits = value.as_bytes().unwrap_or_default().to_vec();
    bytes[30 - digits.len()..].copy_from_slice(&digits);
    let at = 29 - 5 * slot;
    bytes[at] = bytes[at].wrapping_add_signed(more);
    *value = Item::uint_bytes(&bytes);
}

/// Cases about Merkle paths.
// A table: one case after the other.
#[allow(clippy::too_many_lines)]
pub(super) fn merkle(scene: &Scene) -> Result<Vec<Case>> {
    // In block 4, with sub-AMTs behind it, and other blocks after it.
    let keys = [scene.key("pair", 0)];
    let with = |change: &dyn Fn(&mut Item)| scene.forged(&keys, "hybrid", |proof| change(proof));
    let field = |list: &[usize], field| [list, &[field]].concat();
    let truncate = |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - 32);
    let extend = |bytes: &mut Vec<u8>| bytes.extend([5; 32]);
    let mut cases = Vec::new();
    for (name, path) in [("tuple's", field(PLACE, 2)), ("block's", field(BLOCK, 2))] {
        let flag = "MerklePath";
        cases.push(invalid(
            flag,
            &format!("a {name} sibling changed"),
            with(&|proof| proof.at(&path).bytes(flip(1)))?,
            "verify.merkle",
        ));
        cases.push(invalid(
            flag,
            &format!("a {name} path cut short"),
            with(&|proof| proof.at(&path).bytes(truncate))?,
            "verify.path",
        ));
        cases.push(invalid(
            flag,
            &format!("a {name} path too long"),
            with(&|proof| proof.at(&path).bytes(extend))?,
            "verify.path",
        ));
        cases.push(invalid(
            flag,
            &format!("half a sibling in a {name} path"),
            with(&|proof| proof.at(&path).bytes(|bytes| bytes.truncate(bytes.len() - 16)))?,
            "decode.shape",
        ));
    }
    let flag = "MerklePlace";
    cases.extend([
        invalid(
            flag,
            "the position next to it",
            with(&|proof| {
                let position = proof.at(&field(PLACE, 1)).number();
                *proof.at(&field(PLACE, 1)) = Item::uint(position ^ 1);
            })?,
            "verify.merkle",
        ),
        invalid(
            flag,
            "a position with a high bit",
            with(&|proof| {
                let position = proof.at(&field(PLACE, 1)).number();
                *proof.at(&field(PLACE, 1)) = Item::uint(position | 1 << 40);
            })?,
            "verify.path",
        ),
        invalid(
            flag,
            "a position of 2^64",
            with(&|proof| *proof.at(&field(PLACE, 1)) = Item::uint(1_u128 << 64))?,
            "decode.shape",
        ),
        invalid(
            flag,
            "the next block",
            with(&|proof| proof.at(&field(BLOCK, 0)).add(1))?,
            "verify.merkle",
        ),
        invalid(
            flag,
            "a block after the last",
            with(&|proof| *proof.at(&field(BLOCK, 0)) = Item::uint(HEAD + 1))?,
            "verify.order",
        ),
        invalid(
            flag,
            "a block of one tuple more",
            with(&|proof| proof.at(&field(BLOCK, 1)).add(1))?,
            "verify.merkle",
        ),
        invalid(
            flag,
            "a block of one tuple less",
            with(&|proof| proof.at(&field(BLOCK, 1)).add(-1))?,
            "verify.path",
        ),
        invalid(
            flag,
            "a block of 2^64 - 1 tuples",
            with(&|proof| *proof.at(&field(BLOCK, 1)) = Item::uint(u64::MAX))?,
            "verify.path",
        ),
        invalid(
            flag,
            "block 2^64 - 1 of the list",
            with(&|proof| *proof.at(&field(BLOCK, 0)) = Item::uint(u64::MAX))?,
            "verify.order",
        ),
        invalid(
            flag,
            "an empty block",
            with(&|proof| *proof.at(&field(BLOCK, 1)) = Item::uint(0_u8))?,
            "verify.path",
        ),
        invalid(
            flag,
            "the tuple's parent for a leaf",
            with(&|proof| {
                let position = proof.at(&field(PLACE, 1)).number();
                let count = proof.at(&field(BLOCK, 1)).number();
                *proof.at(&field(PLACE, 1)) = Item::uint(position / 2);
                *proof.at(&field(BLOCK, 1)) = Item::uint(count.div_ceil(2));
                proof.at(&field(PLACE, 2)).bytes(|bytes| drop(bytes.drain(..32)));
            })?,
            "verify.merkle",
        ),
    ]);
    // Two tuples of one block: they must lead to one root.
    let both = [scene.key("pair", 0), scene.key("pair", 1)];
    let forged = scene.forged(&both, "hybrid", |proof| proof.at(&[2, 1, 5, 2]).bytes(flip(1)))?;
    cases.push(invalid("MerklePath", "the second tuple of a block", forged, "verify.merkle"));
    Ok(cases)
}
