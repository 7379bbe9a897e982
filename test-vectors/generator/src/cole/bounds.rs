//! `cole/1`: entries changed, added and left out; neighbours and edges that bound nothing.

use super::scene::{HEAD, Scene, as_of, hot, lowest, never, range, rare};
use crate::case::{Case, refusals};
use crate::edit::{Edit as _, flip};
use crate::scene::Result;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::cole::prove::Query;

/// Fields of an opened source.
pub(super) const LEFT: usize = 5;
pub(super) const VERSIONS: usize = 6;
pub(super) const RIGHT: usize = 7;
pub(super) const SIBLINGS: usize = 8;

/// Length of a version on the wire.
const VERSION: usize = 36;

/// Path of a field of a source.
pub(super) fn of(source: usize, field: usize) -> [usize; 3] {
    [10, source, field]
}

/// Every case of this file.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = values(scene)?;
    cases.extend(entries(scene)?);
    cases.extend(neighbours(scene)?);
    cases.extend(edges(scene)?);
    cases.extend(forged(scene)?);
    Ok(cases)
}

/// Opens the in-memory tree and three runs.
fn query() -> Query {
    range(hot(), HEAD - 20, HEAD)
}

fn values(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let flag = "ValueChanged";
    let root = "verify.root";
    let flipped = |source, field, from_end| {
        honest.edited(|proof| proof.at(&of(source, field)).bytes(flip(from_end)))
    };
    Ok(refusals([
        (flag, "a version in memory", root, flipped(0, VERSIONS, 1)),
        (flag, "a version in a run", root, flipped(1, VERSIONS, 1)),
        (flag, "a left neighbour's value", root, flipped(1, LEFT, 1)),
        (flag, "a right neighbour's value", root, flipped(2, RIGHT, 1)),
        (flag, "a sibling", root, flipped(1, SIBLINGS, 1)),
        (
            flag,
            "the latest value",
            root,
            scene.about(&as_of(hot(), HEAD))?.edited(|proof| {
                proof.at(&of(0, LEFT)).bytes(flip(1));
            }),
        ),
        (
            flag,
            "the version before the range",
            root,
            honest.edited(|proof| proof.at(&of(3, LEFT)).bytes(flip(1))),
        ),
    ]))
}

fn entries(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let forged = |source, change: &dyn Fn(&mut Vec<u8>)| {
        honest.edited(|proof| proof.at(&of(source, VERSIONS)).bytes(change))
    };
    let swap = |bytes: &mut Vec<u8>| bytes[..2 * VERSION].rotate_left(VERSION);
    let repeat = |bytes: &mut Vec<u8>| bytes.extend_from_within(bytes.len() - VERSION..);
    let drop = |at: usize| move |bytes: &mut Vec<u8>| _ = bytes.drain(at..at + VERSION);
    let foreign = |bytes: &mut Vec<u8>| bytes[3] = 39;
    Ok(refusals([
        ("Reordered", "two versions of a run swapped", "verify.order", forged(1, &swap)),
        ("Reordered", "two versions in memory swapped", "verify.order", forged(0, &swap)),
        ("Appended", "a version given twice", "verify.order", forged(1, &repeat)),
        // The two sources' blocks are disjoint, so no block can stand in both.
        (
            "TwoSources",
            "a run's version of a block that stands in memory",
            "verify.order",
            forged(1, &foreign),
        ),
        // Five versions from position 3 to 7, neighbours at 2 and 8: one less ends with a full
        // group, which needs no digests on its right.
        ("Dropped", "a run's first version", "verify.surplus", forged(1, &drop(0))),
        ("Dropped", "a version amid a run", "verify.surplus", forged(1, &drop(VERSION))),
        ("Dropped", "all versions of a run", "verify.surplus", forged(1, &Vec::clear)),
        // In memory, a node before the last then lacks a child.
        ("Dropped", "a version in memory", "verify.path", forged(0, &drop(0))),
    ]))
}

fn neighbours(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let forged = |change: &dyn Fn(&mut Item)| honest.edited(change);
    // The last version becomes the right neighbour, the first one the left neighbour.
    let cut_tail = |proof: &mut Item| {
        let mut last = Vec::new();
        proof.at(&of(1, VERSIONS)).bytes(|bytes| last = bytes.split_off(bytes.len() - VERSION));
        proof.at(&of(1, RIGHT)).bytes(|bytes| *bytes = [hot().as_slice(), &last].concat());
    };
    let cut_head = |proof: &mut Item| {
        let mut first = Vec::new();
        proof.at(&of(1, VERSIONS)).bytes(|bytes| first = bytes.drain(..VERSION).collect());
        proof.at(&of(1, LEFT)).bytes(|bytes| *bytes = [hot().as_slice(), &first].concat());
    };
    // The last version and its neighbour make way for a neighbour that was never hashed.
    let fake_right = |proof: &mut Item| {
        proof.at(&of(1, VERSIONS)).bytes(|bytes| bytes.truncate(bytes.len() - VERSION));
        proof.at(&of(1, RIGHT)).bytes(|bytes| {
            *bytes = [never().as_slice(), &34_u32.to_be_bytes(), &[7; 32]].concat();
            bytes[0] = 0xff;
        });
    };
    let outside = |field: usize| {
        move |proof: &mut Item| proof.at(&of(1, field)).bytes(|bytes| bytes[55] = 39)
    };
    let flag = "Neighbour";
    Ok(refusals([
        (
            flag,
            "the last version passed off as the right neighbour",
            "verify.boundary",
            forged(&cut_tail),
        ),
        (
            flag,
            "the first version passed off as the left neighbour",
            "verify.boundary",
            forged(&cut_head),
        ),
        (
            flag,
            "the last version hidden behind a made-up neighbour",
            "verify.surplus",
            forged(&fake_right),
        ),
        (
            flag,
            "a left neighbour of a block that its run does not cover",
            "verify.order",
            forged(&outside(LEFT)),
        ),
        (
            flag,
            "a right neighbour of a block that its run does not cover",
            "verify.order",
            forged(&outside(RIGHT)),
        ),
    ]))
}

fn edges(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let flag = "FalseEdge";
    let clear =
        |source, field| honest.edited(|proof| proof.at(&of(source, field)).bytes(Vec::clear));
    let at_start = |source| {
        honest.edited(|proof| {
            proof.at(&of(source, LEFT)).bytes(Vec::clear);
            proof.set(&of(source, 4), Item::uint(0_u8));
        })
    };
    let moved = honest.edited(|proof| {
        proof.at(&of(1, LEFT)).bytes(Vec::clear);
        proof.at(&of(1, 4)).add(1);
    });
    let below = scene.about(&range(lowest(), HEAD, HEAD))?.edited(|proof| {
        proof.at(&of(0, RIGHT)).bytes(Vec::clear);
    });
    Ok(refusals([
        (flag, "a run without its left neighbour", "verify.boundary", clear(1, LEFT)),
        (
            flag,
            "a run without its left neighbour, from the next position",
            "verify.boundary",
            moved,
        ),
        // Six entries from position 0 on need fewer digests than seven from position 2 on.
        (flag, "a run said to start with its first version", "verify.surplus", at_start(1)),
        (flag, "a run without its right neighbour", "verify.boundary", clear(1, RIGHT)),
        // With an entry less, the last opened leaf is opened without a child.
        (flag, "memory without its left neighbour", "verify.path", clear(0, LEFT)),
        (flag, "memory without its right neighbour", "verify.path", clear(0, RIGHT)),
        (flag, "memory opened nowhere", "verify.path", below),
    ]))
}

fn forged(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    // A version is added, and the right neighbour dropped: as many entries as before.
    let mut version = 39_u32.to_be_bytes().to_vec();
    version.extend([9; 32]);
    let invented = scene.about(&range(never(), HEAD, HEAD))?.edited(|proof| {
        proof.at(&of(0, VERSIONS)).bytes(|bytes| bytes.extend_from_slice(&version));
        proof.at(&of(0, RIGHT)).bytes(Vec::clear);
    });
    let replaced = scene.about(&as_of(never(), HEAD))?.edited(|proof| {
        let entry = [never().as_slice(), &39_u32.to_be_bytes(), &[9; 32]].concat();
        proof.at(&of(0, LEFT)).bytes(|bytes| *bytes = entry);
    });
    let renamed = scene.about(&as_of(rare(), HEAD))?.edited(|proof| {
        proof.at(&of(1, LEFT)).bytes(|bytes| bytes[0] = 0);
    });
    let hidden = honest.edited(|proof| {
        proof.at(&of(3, LEFT)).bytes(|bytes| bytes[0] = 0);
    });
    Ok(refusals([
        ("Invented", "a version of an address that was never written", "verify.boundary", invented),
        (
            "Invented",
            "a latest value of an address that was never written",
            "verify.source",
            replaced,
        ),
        ("Hidden", "the latest version under another address", "verify.source", renamed),
        ("Hidden", "the version before the range under another address", "verify.root", hidden),
    ]))
}
