//! `cole/1`: positions, siblings and the shapes of trees.

use super::bounds::{SIBLINGS, of};
use super::scene::{HEAD, Scene, hot, range};
use crate::case::{Case, refusals};
use crate::edit::Edit as _;
use crate::scene::Result;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::cole::prove::Query;

const PLACE: usize = 4;

/// Every case of this file.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = positions(scene)?;
    cases.extend(siblings(scene)?);
    cases.extend(memory(scene)?);
    Ok(cases)
}

/// Opens memory, and three runs; of the newest one, positions 2 to 8 of 20.
fn query() -> Query {
    range(hot(), HEAD - 20, HEAD)
}

fn positions(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let flag = "Shifted";
    let shift = |more| honest.edited(|proof| proof.at(&of(1, PLACE)).add(more));
    let at =
        |position: u128| honest.edited(|proof| *proof.at(&of(1, PLACE)) = Item::uint(position));
    Ok(refusals([
        // As many digests are needed on every layer, beside other nodes.
        (flag, "by one", "verify.root", shift(1)),
        (flag, "by m: the same siblings beside other nodes", "verify.root", shift(4)),
        (flag, "by m squared: beyond the run's end", "verify.path", shift(16)),
        (flag, "to the greatest number", "verify.path", at(u128::from(u64::MAX))),
        (flag, "to a number of nine bytes", "decode.shape", at(1 << 64)),
    ]))
}

fn siblings(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let forged = |source, change: &dyn Fn(&mut Vec<u8>)| {
        honest.edited(|proof| proof.at(&of(source, SIBLINGS)).bytes(change))
    };
    let cut = |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - 32);
    let more = |count: usize| move |bytes: &mut Vec<u8>| bytes.extend(vec![7; 32 * count]);
    let swap = |bytes: &mut Vec<u8>| bytes[..64].rotate_left(32);
    Ok(refusals([
        ("Siblings", "the topmost one missing in a run", "verify.incomplete", forged(1, &cut)),
        ("Siblings", "none in a run", "verify.incomplete", forged(1, &Vec::clear)),
        ("Siblings", "one too many in a run", "verify.surplus", forged(1, &more(1))),
        ("Siblings", "a whole group too many in a run", "verify.surplus", forged(1, &more(4))),
        ("Siblings", "two swapped in a run", "verify.root", forged(1, &swap)),
        ("Siblings", "the topmost one missing in memory", "verify.incomplete", forged(0, &cut)),
        ("Siblings", "one too many in memory", "verify.surplus", forged(0, &more(1))),
        ("Siblings", "a byte too few", "decode.shape", forged(1, &|bytes| _ = bytes.pop())),
    ]))
}

fn memory(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let forged =
        |change: &dyn Fn(&mut Item)| honest.edited(|proof| change(proof.at(&of(0, PLACE))));
    let depth =
        |first: u64, counts: &[u8]| Item::List(vec![Item::uint(first), Item::bytes(counts)]);
    // Bottom-up: leaves of 2, 2 and 4 entries, all opened from the first one; a root of 3 nodes.
    let set =
        |at: usize, item: Item| forged(&move |place: &mut Item| *place.at(&[at]) = item.clone());
    let flag = "TreeShape";
    Ok(refusals([
        (flag, "no depth", "decode.limit", forged(&|place| place.items(Vec::clear))),
        (
            flag,
            "the root's depth missing",
            "verify.path",
            forged(&|place| place.items(|all| _ = all.pop())),
        ),
        (
            flag,
            "a root above the root",
            "verify.root",
            forged(&|place| place.items(|all| all.push(depth(0, &[0])))),
        ),
        (flag, "a depth without nodes", "verify.path", set(1, depth(0, &[]))),
        (flag, "opened after the last child", "verify.path", set(0, depth(2, &[1, 1, 3]))),
        (flag, "opened after child 255", "decode.limit", set(0, depth(256, &[1, 1, 3]))),
        (flag, "a leaf of m + 1 entries", "verify.path", set(0, depth(0, &[1, 1, 4]))),
        (
            flag,
            "a leaf before the last that hides an entry",
            "verify.path",
            set(0, depth(0, &[1, 2, 3])),
        ),
        (
            flag,
            "a leaf before the last with fewer entries",
            "verify.surplus",
            set(0, depth(0, &[1, 0, 3])),
        ),
        (flag, "a leaf opened without an entry", "verify.path", set(0, depth(0, &[1, 1, 3, 3]))),
        (
            flag,
            "a leaf missing: more entries than leaves hold",
            "verify.path",
            set(0, depth(0, &[1, 1])),
        ),
        (flag, "two roots", "verify.path", set(1, depth(0, &[0, 1]))),
        (
            flag,
            "256 depths",
            "decode.limit",
            forged(&|place| place.items(|all| all.resize(256, depth(0, &[0])))),
        ),
    ]))
}
