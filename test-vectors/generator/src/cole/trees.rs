//! `cole/1`: positions, siblings and the shapes of trees.

use super::bounds::{SIBLINGS, of};
use super::scene::{HEAD, Scene, hot, range};
use crate::case::{Case, invalid};
use crate::edit::Edit as _;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::cole::EngineError;

type Result = std::result::Result<Vec<Case>, EngineError>;

const PLACE: usize = 4;

/// Every case of this file.
pub(super) fn cases(scene: &Scene) -> Result {
    let mut cases = positions(scene)?;
    cases.extend(siblings(scene)?);
    cases.extend(memory(scene)?);
    Ok(cases)
}

/// Opens memory, and three runs; of the newest one, positions 2 to 8 of 20.
fn query() -> lightproof_prover::system::cole::prove::Query {
    range(hot(), HEAD - 20, HEAD)
}

fn positions(scene: &Scene) -> Result {
    let flag = "Shifted";
    let shift = |more| scene.forged(&query(), |proof| proof.at(&of(1, PLACE)).add(more));
    let at = |position: u128| {
        scene.forged(&query(), |proof| *proof.at(&of(1, PLACE)) = Item::uint(position))
    };
    Ok(vec![
        // As many digests are needed on every layer, beside other nodes.
        invalid(flag, "by one", shift(1)?, "verify.root"),
        invalid(flag, "by m: the same siblings beside other nodes", shift(4)?, "verify.root"),
        invalid(flag, "by m squared: beyond the run's end", shift(16)?, "verify.path"),
        invalid(flag, "to the greatest number", at(u128::from(u64::MAX))?, "verify.path"),
        invalid(flag, "to a number of nine bytes", at(1 << 64)?, "decode.shape"),
    ])
}

fn siblings(scene: &Scene) -> Result {
    let forged = |source, change: &dyn Fn(&mut Vec<u8>)| {
        scene.forged(&query(), |proof| proof.at(&of(source, SIBLINGS)).bytes(change))
    };
    let cut = |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - 32);
    let more = |count: usize| move |bytes: &mut Vec<u8>| bytes.extend(vec![7; 32 * count]);
    let swap = |bytes: &mut Vec<u8>| bytes[..64].rotate_left(32);
    Ok(vec![
        invalid(
            "Siblings",
            "the topmost one missing in a run",
            forged(1, &cut)?,
            "verify.incomplete",
        ),
        invalid("Siblings", "none in a run", forged(1, &Vec::clear)?, "verify.incomplete"),
        invalid("Siblings", "one too many in a run", forged(1, &more(1))?, "verify.surplus"),
        invalid(
            "Siblings",
            "a whole group too many in a run",
            forged(1, &more(4))?,
            "verify.surplus",
        ),
        invalid("Siblings", "two swapped in a run", forged(1, &swap)?, "verify.root"),
        invalid(
            "Siblings",
            "the topmost one missing in memory",
            forged(0, &cut)?,
            "verify.incomplete",
        ),
        invalid("Siblings", "one too many in memory", forged(0, &more(1))?, "verify.surplus"),
        invalid("Siblings", "a byte too few", forged(1, &|bytes| _ = bytes.pop())?, "decode.shape"),
    ])
}

fn memory(scene: &Scene) -> Result {
    let forged = |change: &dyn Fn(&mut Item)| {
        scene.forged(&query(), |proof| change(proof.at(&of(0, PLACE))))
    };
    let depth =
        |first: u64, counts: &[u8]| Item::List(vec![Item::uint(first), Item::bytes(counts)]);
    // Bottom-up: leaves of 2, 2 and 4 entries, all opened from the first one; a root of 3 nodes.
    let set =
        |at: usize, item: Item| forged(&move |place: &mut Item| *place.at(&[at]) = item.clone());
    let flag = "TreeShape";
    Ok(vec![
        invalid(flag, "no depth", forged(&|place| place.items(Vec::clear))?, "decode.limit"),
        invalid(
            flag,
            "the root's depth missing",
            forged(&|place| place.items(|all| _ = all.pop()))?,
            "verify.path",
        ),
        invalid(
            flag,
            "a root above the root",
            forged(&|place| place.items(|all| all.push(depth(0, &[0]))))?,
            "verify.root",
        ),
        invalid(flag, "a depth without nodes", set(1, depth(0, &[]))?, "verify.path"),
        invalid(flag, "opened after the last child", set(0, depth(2, &[1, 1, 3]))?, "verify.path"),
        invalid(flag, "opened after child 255", set(0, depth(256, &[1, 1, 3]))?, "decode.limit"),
        invalid(flag, "a leaf of m + 1 entries", set(0, depth(0, &[1, 1, 4]))?, "verify.path"),
        invalid(
            flag,
            "a leaf before the last that hides an entry",
            set(0, depth(0, &[1, 2, 3]))?,
            "verify.path",
        ),
        invalid(
            flag,
            "a leaf before the last with fewer entries",
            set(0, depth(0, &[1, 0, 3]))?,
            "verify.surplus",
        ),
        invalid(
            flag,
            "a leaf opened without an entry",
            set(0, depth(0, &[1, 1, 3, 3]))?,
            "verify.path",
        ),
        invalid(
            flag,
            "a leaf missing: more entries than leaves hold",
            set(0, depth(0, &[1, 1]))?,
            "verify.path",
        ),
        invalid(flag, "two roots", set(1, depth(0, &[0, 1]))?, "verify.path"),
        invalid(
            flag,
            "256 depths",
            forged(&|place| place.items(|all| all.resize(256, depth(0, &[0]))))?,
            "decode.limit",
        ),
    ])
}
