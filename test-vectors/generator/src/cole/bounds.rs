//! `cole/1`: entries changed, added and left out; neighbours and edges that bound nothing.

use super::scene::{HEAD, Scene, as_of, hot, lowest, never, range, rare};
use crate::case::{Case, invalid};
use crate::edit::{Edit as _, flip};
use lightproof_prover::rlp::Item;
use lightproof_prover::system::cole::EngineError;

type Result = std::result::Result<Vec<Case>, EngineError>;

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
pub(super) fn cases(scene: &Scene) -> Result {
    let mut cases = values(scene)?;
    cases.extend(entries(scene)?);
    cases.extend(neighbours(scene)?);
    cases.extend(edges(scene)?);
    cases.extend(forged(scene)?);
    Ok(cases)
}

/// Opens the in-memory tree and three runs.
fn query() -> lightproof_prover::system::cole::prove::Query {
    range(hot(), HEAD - 20, HEAD)
}

fn values(scene: &Scene) -> Result {
    let flag = "ValueChanged";
    let root = "verify.root";
    let flipped = |source, field, from_end| {
        scene.forged(&query(), |proof| proof.at(&of(source, field)).bytes(flip(from_end)))
    };
    Ok(vec![
        invalid(flag, "a version in memory", flipped(0, VERSIONS, 1)?, root),
        invalid(flag, "a version in a run", flipped(1, VERSIONS, 1)?, root),
        invalid(flag, "a left neighbour's value", flipped(1, LEFT, 1)?, root),
        invalid(flag, "a right neighbour's value", flipped(2, RIGHT, 1)?, root),
        invalid(flag, "a sibling", flipped(1, SIBLINGS, 1)?, root),
        invalid(
            flag,
            "the latest value",
            scene.forged(&as_of(hot(), HEAD), |proof| {
                proof.at(&of(0, LEFT)).bytes(flip(1));
            })?,
            root,
        ),
        invalid(
            flag,
            "the version before the range",
            scene.forged(&query(), |proof| proof.at(&of(3, LEFT)).bytes(flip(1)))?,
            root,
        ),
    ])
}

fn entries(scene: &Scene) -> Result {
    let forged = |source, change: &dyn Fn(&mut Vec<u8>)| {
        scene.forged(&query(), |proof| proof.at(&of(source, VERSIONS)).bytes(change))
    };
    let swap = |bytes: &mut Vec<u8>| bytes[..2 * VERSION].rotate_left(VERSION);
    let repeat = |bytes: &mut Vec<u8>| bytes.extend_from_within(bytes.len() - VERSION..);
    let drop = |at: usize| move |bytes: &mut Vec<u8>| _ = bytes.drain(at..at + VERSION);
    let foreign = |bytes: &mut Vec<u8>| bytes[3] = 39;
    Ok(vec![
        invalid("Reordered", "two versions of a run swapped", forged(1, &swap)?, "verify.order"),
        invalid("Reordered", "two versions in memory swapped", forged(0, &swap)?, "verify.order"),
        invalid("Appended", "a version given twice", forged(1, &repeat)?, "verify.order"),
        // The two sources' blocks are disjoint, so no block can stand in both.
        invalid(
            "TwoSources",
            "a run's version of a block that stands in memory",
            forged(1, &foreign)?,
            "verify.order",
        ),
        // Five versions from position 3 to 7, neighbours at 2 and 8: one less ends with a full
        // group, which needs no digests on its right.
        invalid("Dropped", "a run's first version", forged(1, &drop(0))?, "verify.surplus"),
        invalid("Dropped", "a version amid a run", forged(1, &drop(VERSION))?, "verify.surplus"),
        invalid("Dropped", "all versions of a run", forged(1, &Vec::clear)?, "verify.surplus"),
        // In memory, a node before the last then lacks a child.
        invalid("Dropped", "a version in memory", forged(0, &drop(0))?, "verify.path"),
    ])
}

fn neighbours(scene: &Scene) -> Result {
    let forged = |change: &dyn Fn(&mut Item)| scene.forged(&query(), change);
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
    Ok(vec![
        invalid(
            flag,
            "the last version passed off as the right neighbour",
            forged(&cut_tail)?,
            "verify.boundary",
        ),
        invalid(
            flag,
            "the first version passed off as the left neighbour",
            forged(&cut_head)?,
            "verify.boundary",
        ),
        invalid(
            flag,
            "the last version hidden behind a made-up neighbour",
            forged(&fake_right)?,
            "verify.surplus",
        ),
        invalid(
            flag,
            "a left neighbour of a block that its run does not cover",
            forged(&outside(LEFT))?,
            "verify.order",
        ),
        invalid(
            flag,
            "a right neighbour of a block that its run does not cover",
            forged(&outside(RIGHT))?,
            "verify.order",
        ),
    ])
}

fn edges(scene: &Scene) -> Result {
    let flag = "FalseEdge";
    let clear = |source, field| {
        scene.forged(&query(), |proof| proof.at(&of(source, field)).bytes(Vec::clear))
    };
    let at_start = |source| {
        scene.forged(&query(), |proof| {
            proof.at(&of(source, LEFT)).bytes(Vec::clear);
            *proof.at(&of(source, 4)) = Item::uint(0_u8);
        })
    };
    let moved = scene.forged(&query(), |proof| {
        proof.at(&of(1, LEFT)).bytes(Vec::clear);
        proof.at(&of(1, 4)).add(1);
    })?;
    let below = scene.forged(&range(lowest(), HEAD, HEAD), |proof| {
        proof.at(&of(0, RIGHT)).bytes(Vec::clear);
    })?;
    Ok(vec![
        invalid(flag, "a run without its left neighbour", clear(1, LEFT)?, "verify.boundary"),
        invalid(
            flag,
            "a run without its left neighbour, from the next position",
            moved,
            "verify.boundary",
        ),
        // Six entries from position 0 on need fewer digests than seven from position 2 on.
        invalid(flag, "a run said to start with its first version", at_start(1)?, "verify.surplus"),
        invalid(flag, "a run without its right neighbour", clear(1, RIGHT)?, "verify.boundary"),
        // With an entry less, the last opened leaf is opened without a child.
        invalid(flag, "memory without its left neighbour", clear(0, LEFT)?, "verify.path"),
        invalid(flag, "memory without its right neighbour", clear(0, RIGHT)?, "verify.path"),
        invalid(flag, "memory opened nowhere", below, "verify.path"),
    ])
}

fn forged(scene: &Scene) -> Result {
    // A version is added, and the right neighbour dropped: as many entries as before.
    let mut version = 39_u32.to_be_bytes().to_vec();
    version.extend([9; 32]);
    let invented = scene.forged(&range(never(), HEAD, HEAD), |proof| {
        proof.at(&of(0, VERSIONS)).bytes(|bytes| bytes.extend_from_slice(&version));
        proof.at(&of(0, RIGHT)).bytes(Vec::clear);
    })?;
    let replaced = scene.forged(&as_of(never(), HEAD), |proof| {
        let entry = [never().as_slice(), &39_u32.to_be_bytes(), &[9; 32]].concat();
        proof.at(&of(0, LEFT)).bytes(|bytes| *bytes = entry);
    })?;
    let renamed = scene.forged(&as_of(rare(), HEAD), |proof| {
        proof.at(&of(1, LEFT)).bytes(|bytes| bytes[0] = 0);
    })?;
    let hidden = scene.forged(&query(), |proof| {
        proof.at(&of(3, LEFT)).bytes(|bytes| bytes[0] = 0);
    })?;
    Ok(vec![
        invalid(
            "Invented",
            "a version of an address that was never written",
            invented,
            "verify.boundary",
        ),
        invalid(
            "Invented",
            "a latest value of an address that was never written",
            replaced,
            "verify.source",
        ),
        invalid("Hidden", "the latest version under another address", renamed, "verify.source"),
        invalid(
            "Hidden",
            "the version before the range under another address",
            hidden,
            "verify.root",
        ),
    ])
}
