//! Freshness, and what binds a tuple to its leaf, its block and the list of blocks.

use super::scene::{HEAD, Key, Result, Scene};
use crate::case::{Case, Claim, Source};
use crate::edit::{Edit as _, flip};
use crate::scene::Scene as _;
use lightproof_prover::error::StoreError;
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
        cases.push(stale.refused(flag, "a stale proof, its paths renewed", "verify.opening"));
    }
    let hot = std::slice::from_ref(&hot);
    let (head, old, fresh) =
        (scene.source(HEAD)?, scene.claim(10, hot, "hybrid")?, scene.honest(hot, "hybrid")?);
    let early = scene.claim(11, &[scene.key("pair", 0)], "hybrid")?;
    let mixed = |aroot: u64, hroot: u64| {
        let bytes = [&scene.root(aroot)?[..32], &scene.root(hroot)?[32..]].concat();
        Ok::<_, StoreError>(Source::Root { number: HEAD, bytes })
    };
    for (comment, claim, source, code) in [
        (
            "a whole proof of an older block, whose path in the list has another length",
            &old,
            head.clone(),
            "verify.path",
        ),
        ("a whole proof of the block before", &early, head.clone(), "verify.merkle"),
        ("aroot of an older block", &fresh, mixed(10, HEAD)?, "verify.opening"),
        ("hroot of an older block", &fresh, mixed(HEAD, 10)?, "verify.merkle"),
        ("a tuple of a block after the root's", &fresh, scene.source(11)?, "verify.order"),
        ("no such block at genesis", &old, scene.source(0)?, "verify.order"),
    ] {
        cases.push(claim.with_source(source).refused(flag, comment, code));
    }
    let keys = [scene.key("deep", 6)];
    let (entry, mut older) = (scene.entry(10)?, old.item());
    let forged = fresh.edited(|proof| {
        proof.set(&[1], Item::List(vec![entry]));
        for path in [&[2, 0, 4], &[2, 0, 5]] {
            proof.set(path, older.at(path).clone());
        }
    });
    cases.push(forged.refused(flag, "an old tuple under a fresh opening", "verify.merkle"));
    let fresh = scene.honest(&keys, "hybrid")?;
    let mut older = scene.proof(4, &keys, "hybrid")?;
    let epochs: Vec<u64> = [&mut fresh.item(), &mut older]
        .into_iter()
        .flat_map(|proof| epochs(proof.at(&[1])))
        .collect();
    // Both tuples of the older proof are in block 4.
    let entry = scene.entry(epochs.into_iter().min().unwrap_or(0))?;
    let forged = fresh.edited(|proof| {
        for path in [&[2, 0, 2, 1][..], &[2, 0, 2, 2], &[2, 0, 5]] {
            proof.set(path, older.at(path).clone());
        }
        proof.set(&[1], Item::List(vec![entry]));
    });
    cases.push(forged.refused(flag, "an old sub-AMT under a fresh parent", "verify.merkle"));
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
pub(super) fn stale(scene: &Scene, key: &Key, block: u64) -> Result<Claim> {
    let old = scene.claim(block, std::slice::from_ref(key), "hybrid")?;
    let blocks = epochs(old.item().at(&[1])).into_iter().map(|epoch| scene.entry(epoch));
    let blocks = Item::List(blocks.collect::<Result<_>>()?);
    Ok(old.with_source(scene.source(HEAD)?).edited(|proof| proof.set(&[1], blocks)))
}

/// Cases about tuples of something else.
// A table: one case after the other.
#[allow(clippy::too_many_lines)]
pub(super) fn tuples(scene: &Scene) -> Result<Vec<Case>> {
    let [pair, other, deep] =
        [("pair", 0), ("pair", 1), ("deep", 11)].map(|(role, index)| [scene.key(role, index)]);
    let flag = "OtherTuple";
    let size = scene.lvmt.config().format.point_bytes();
    let slot = scene.proof(HEAD, &other, "hybrid")?.at(&[2, 0, 3]).clone();
    let swapped = scene.query(&other);
    let (pair, deep) = (scene.honest(&pair, "hybrid")?, scene.honest(&deep, "hybrid")?);
    let mut cases = pair.lies(&[
        (flag, "another key's slot", "verify.merkle", &|proof| proof.set(&[2, 0, 3], slot.clone())),
        (flag, "an unused slot", "verify.path", &|proof| proof.set(&[2, 0, 3], Item::uint(5_u8))),
        (flag, "another value", "verify.merkle", &|proof| proof.at(&[2, 0, 4]).bytes(flip(1))),
        (flag, "no value", "verify.merkle", &|proof| proof.set(&[2, 0, 4], Item::bytes([]))),
    ]);
    cases.extend(deep.lies(&[
        (flag, "a sub-AMT's tuple in place of the key's", "verify.merkle", &|proof| {
            proof.copy(&[2, 0, 2, 1, 1], &[2, 0, 5]);
        }),
        (flag, "another sub-AMT's tuple", "verify.merkle", &|proof| {
            proof.copy(&[2, 0, 2, 3, 1], &[2, 0, 2, 1, 1]);
        }),
        (flag, "another sub-AMT", "verify.merkle", &|proof| {
            proof.copy(&[2, 0, 2, 3], &[2, 0, 2, 1]);
        }),
        (flag, "the sub-AMT above once more", "verify.merkle", &|proof| {
            proof.copy(&[2, 0, 2, 1], &[2, 0, 2, 3]);
        }),
        (flag, "the key's tuple in place of the sub-AMT's", "verify.merkle", &|proof| {
            proof.copy(&[2, 0, 5], &[2, 0, 2, 1, 1]);
        }),
        (flag, "a key of level 2 on level 1", "verify.merkle", &|proof| {
            proof.set(&[2, 0, 1], Item::uint(1_u8));
            proof.at(&[2, 0, 2]).items(|leaves| leaves.truncate(3));
        }),
    ]));
    let sub = deep.item().at(&[2, 0, 2, 1]).clone();
    cases.extend(pair.lies(&[(flag, "a sub-AMT where there is none", "verify.path", &|proof| {
        let (leaf, mut tree) = (proof.at(&[2, 0, 2, 0]).clone(), sub.clone());
        tree.set(&[1], proof.at(&[2, 0, 5]).clone());
        let points = proof.at(&[2, 0, 2, 0, 1]).as_bytes().unwrap_or_default();
        let below = Item::List(vec![Item::uint(0_u8), Item::bytes(&points[..size])]);
        proof.set(&[2, 0, 1], Item::uint(1_u8));
        proof.set(&[2, 0, 2], Item::List(vec![leaf, tree, below]));
    })]));
    let comment = "the proof of a key at the same leaf";
    cases.push(pair.with_query(swapped).refused(flag, comment, "verify.merkle"));
    for (comment, more) in [("a version more", 1), ("a version less", -1)] {
        cases.extend(deep.lies(&[
            // The lowest 40 bits are the sub-AMT's.
            (flag, &format!("{comment} of the sub-AMT"), "verify.merkle", &|proof| {
                add(proof.at(&[2, 0, 2, 0, 0]), 0, more);
            }),
            (flag, &format!("{comment} of the key"), "verify.merkle", &|proof| {
                let slot = proof.at(&[2, 0, 3]).number();
                add(proof.at(&[2, 0, 2, 4, 0]), usize::try_from(slot).unwrap_or(0), more);
            }),
        ]));
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
    let honest = scene.honest(&keys, "hybrid")?;
    let field = |list: &[usize], field| [list, &[field]].concat();
    let truncate = |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - 32);
    let extend = |bytes: &mut Vec<u8>| bytes.extend([5; 32]);
    let mut cases = Vec::new();
    for (name, path) in [("tuple's", field(PLACE, 2)), ("block's", field(BLOCK, 2))] {
        let flag = "MerklePath";
        cases.extend(honest.lies(&[
            (flag, &format!("a {name} sibling changed"), "verify.merkle", &|proof| {
                proof.at(&path).bytes(flip(1));
            }),
            (flag, &format!("a {name} path cut short"), "verify.path", &|proof| {
                proof.at(&path).bytes(truncate);
            }),
            (flag, &format!("a {name} path too long"), "verify.path", &|proof| {
                proof.at(&path).bytes(extend);
            }),
            (flag, &format!("half a sibling in a {name} path"), "decode.shape", &|proof| {
                proof.at(&path).bytes(|bytes| bytes.truncate(bytes.len() - 16));
            }),
        ]));
    }
    let flag = "MerklePlace";
    cases.extend(honest.lies(&[
        (flag, "the position next to it", "verify.merkle", &|proof| {
            let position = proof.at(&field(PLACE, 1)).number();
            proof.set(&field(PLACE, 1), Item::uint(position ^ 1));
        }),
        (flag, "a position with a high bit", "verify.path", &|proof| {
            let position = proof.at(&field(PLACE, 1)).number();
            proof.set(&field(PLACE, 1), Item::uint(position | 1 << 40));
        }),
        (flag, "a position of 2^64", "decode.shape", &|proof| {
            proof.set(&field(PLACE, 1), Item::uint(1_u128 << 64));
        }),
        (flag, "the next block", "verify.merkle", &|proof| proof.at(&field(BLOCK, 0)).add(1)),
        (flag, "a block after the last", "verify.order", &|proof| {
            proof.set(&field(BLOCK, 0), Item::uint(HEAD + 1));
        }),
        (flag, "a block of one tuple more", "verify.merkle", &|proof| {
            proof.at(&field(BLOCK, 1)).add(1);
        }),
        (flag, "a block of one tuple less", "verify.path", &|proof| {
            proof.at(&field(BLOCK, 1)).add(-1);
        }),
        (flag, "a block of 2^64 - 1 tuples", "verify.path", &|proof| {
            proof.set(&field(BLOCK, 1), Item::uint(u64::MAX));
        }),
        (flag, "block 2^64 - 1 of the list", "verify.order", &|proof| {
            proof.set(&field(BLOCK, 0), Item::uint(u64::MAX));
        }),
        (flag, "an empty block", "verify.path", &|proof| {
            proof.set(&field(BLOCK, 1), Item::uint(0_u8));
        }),
        (flag, "the tuple's parent for a leaf", "verify.merkle", &|proof| {
            let position = proof.at(&field(PLACE, 1)).number();
            let count = proof.at(&field(BLOCK, 1)).number();
            proof.set(&field(PLACE, 1), Item::uint(position / 2));
            proof.set(&field(BLOCK, 1), Item::uint(count.div_ceil(2)));
            proof.at(&field(PLACE, 2)).bytes(|bytes| drop(bytes.drain(..32)));
        }),
    ]));
    // Two tuples of one block: they must lead to one root.
    let both = scene.honest(&[scene.key("pair", 0), scene.key("pair", 1)], "hybrid")?;
    cases.extend(both.lies(&[(
        "MerklePath",
        "the second tuple of a block",
        "verify.merkle",
        &|proof| proof.at(&[2, 1, 5, 2]).bytes(flip(1)),
    )]));
    Ok(cases)
}
