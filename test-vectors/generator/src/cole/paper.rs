//! `cole/fast24`: every attack on the authors' format.

use super::scene::{HEAD, Scene, as_of, highest, hot, lowest, never, range, rare};
use crate::case::{Case, Source, refusals};
use crate::edit::{Edit as _, flip};
use crate::scene::{Result, Scene as _};
use lightproof_prover::error::StoreError;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::PLAIN;
use lightproof_prover::system::cole::prove::Query;

/// The in-memory tree's results, root and first two leaves.
const RESULTS: [usize; 3] = [0, 0, 0];
const ROOT: [usize; 5] = [0, 0, 1, 0, 0];
const LEAF: [usize; 5] = [0, 0, 1, 1, 0];
const NEXT_LEAF: [usize; 5] = [0, 0, 1, 1, 1];
/// The newest run: 16 entries with sentinels, opened from position 3 to 7.
const RUN: [usize; 3] = [1, 0, 0];
/// The oldest run.
const OLD: [usize; 3] = [1, 2, 0];
const ENTRY: usize = 88;

fn join(path: &[usize], field: usize) -> Vec<usize> {
    [path, &[field]].concat()
}

fn query() -> Query {
    range(hot(), HEAD - 20, HEAD)
}

/// Every case of this file about COLE.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = claims(scene)?;
    cases.extend(nodes(scene)?);
    cases.extend(separators(scene)?);
    cases.extend(entries(scene)?);
    cases.extend(positions(scene)?);
    cases.extend(witnesses(scene)?);
    cases.extend(lists(scene)?);
    Ok(cases)
}

fn claims(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let (flag, code) = ("Claimed", "verify.claim");
    let results =
        |change: &dyn Fn(&mut Vec<u8>)| honest.edited(|proof| proof.at(&RESULTS).bytes(change));
    let add =
        |path: &[usize], field, more| honest.edited(|proof| proof.at(&join(path, field)).add(more));
    Ok(refusals([
        (flag, "a result's value", code, results(&|bytes| bytes[ENTRY - 1] ^= 1)),
        (flag, "a result more", code, results(&|bytes| bytes.extend_from_within(..ENTRY))),
        (flag, "a result less", code, results(&|bytes| bytes.truncate(bytes.len() - ENTRY))),
        (flag, "no results", code, results(&Vec::clear)),
        (flag, "a leaf's range starts later", code, add(&LEAF, 0, 1)),
        (flag, "a leaf's range ends earlier", code, add(&NEXT_LEAF, 1, -1)),
        (flag, "a leaf's range ends beyond it", code, add(&NEXT_LEAF, 1, 7)),
        (flag, "fewer children opened", code, add(&ROOT, 1, -1)),
        (flag, "children opened that do not exist", code, add(&ROOT, 1, 9)),
    ]))
}

fn nodes(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let flag = "Nodes";
    let depths =
        |change: &dyn Fn(&mut Vec<Item>)| honest.edited(|proof| proof.at(&[0, 0, 1]).items(change));
    let leaves = |change: &dyn Fn(&mut Vec<Item>)| {
        honest.edited(|proof| proof.at(&[0, 0, 1, 1]).items(change))
    };
    let both = honest.edited(|proof| {
        proof.at(&RESULTS).bytes(|bytes| bytes[ENTRY - 1] ^= 1);
        proof.at(&join(&LEAF, 2)).bytes(|bytes| bytes[ENTRY - 1] ^= 1);
    });
    Ok(refusals([
        ("ValueChanged", "in the result and in the leaf", "verify.merkle", both),
        (flag, "the root only", "verify.incomplete", depths(&|all| all.truncate(1))),
        (flag, "no depth", "verify.incomplete", depths(&Vec::clear)),
        (flag, "a leaf in range left out", "verify.incomplete", leaves(&|all| _ = all.pop())),
        (flag, "a leaf too many", "verify.surplus", leaves(&|all| all.push(all[0].clone()))),
        (flag, "two leaves swapped", "verify.order", leaves(&|all| all.swap(0, 1))),
        (
            flag,
            "leaves at the root's depth",
            "verify.surplus",
            depths(&|all| all.insert(0, all[1].clone())),
        ),
        (
            flag,
            "a leaf above the last depth",
            "verify.path",
            depths(&|all| {
                all[0] = Item::List(vec![
                    all[1].as_list().map_or_else(|| Item::List(vec![]), |leaves| leaves[0].clone()),
                ]);
            }),
        ),
        (
            flag,
            "an inner node on the last depth",
            "verify.incomplete",
            depths(&|all| {
                all[1] = Item::List(
                    [all[0].as_list().unwrap_or_default(), all[0].as_list().unwrap_or_default()]
                        .concat(),
                );
            }),
        ),
        (
            "FalseEdge",
            "memory said to be empty",
            "verify.root",
            honest.edited(|proof| proof.set(&[0, 0], Item::List(vec![]))),
        ),
    ]))
}

fn separators(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let flag = "Separators";
    let keys = |change: &dyn Fn(&mut Vec<u8>)| {
        honest.edited(|proof| proof.at(&join(&ROOT, 2)).bytes(change))
    };
    let children = |change: &dyn Fn(&mut Vec<u8>)| {
        honest.edited(|proof| proof.at(&join(&ROOT, 3)).bytes(change))
    };
    let leaf = |change: &dyn Fn(&mut Vec<u8>)| {
        honest.edited(|proof| proof.at(&join(&LEAF, 2)).bytes(change))
    };
    Ok(refusals([
        (flag, "none", "verify.path", keys(&Vec::clear)),
        (flag, "as many as children", "verify.path", keys(&|bytes| bytes.extend([0xff; 56]))),
        (flag, "a child less", "verify.path", children(&|bytes| bytes.truncate(bytes.len() - 32))),
        (
            flag,
            "m + 1 of them",
            "verify.path",
            honest.edited(|proof| {
                proof.at(&join(&ROOT, 2)).bytes(|bytes| bytes.extend([0xff; 56]));
                proof.at(&join(&ROOT, 3)).bytes(|bytes| bytes.extend([0; 32]));
            }),
        ),
        (flag, "two swapped", "verify.order", keys(&|bytes| bytes[..112].rotate_left(56))),
        (flag, "one twice", "verify.order", keys(&|bytes| bytes.copy_within(..56, 56))),
        // The root's digest is all that changes: the leaves still fit it.
        (flag, "a byte of a child's digest", "verify.root", children(&|bytes| bytes[159] ^= 1)),
        (
            "Reordered",
            "two entries of a leaf",
            "verify.order",
            leaf(&|bytes| bytes.rotate_left(ENTRY)),
        ),
        ("Dropped", "all entries of a leaf", "verify.path", leaf(&Vec::clear)),
        (
            "Appended",
            "a leaf of m + 1 entries",
            "verify.path",
            leaf(&|bytes| bytes.extend([0xff; 3 * ENTRY])),
        ),
    ]))
}

fn entries(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let run = |change: &dyn Fn(&mut Vec<u8>)| {
        honest.edited(|proof| proof.at(&join(&RUN, 3)).bytes(change))
    };
    let both = |change: &dyn Fn(&mut Vec<u8>), first: i64, last: i64| {
        honest.edited(|proof| {
            proof.at(&join(&RUN, 1)).add(first);
            proof.at(&join(&RUN, 2)).add(last);
            proof.at(&join(&RUN, 3)).bytes(change);
        })
    };
    let no_left = |bytes: &mut Vec<u8>| _ = bytes.drain(..ENTRY);
    let no_right = |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - ENTRY);
    let fake_right = |bytes: &mut Vec<u8>| {
        bytes.truncate(bytes.len() - 2 * ENTRY);
        bytes.extend([highest().as_slice(), &36_u32.to_be_bytes(), &[7; 32]].concat());
    };
    let late = |bytes: &mut Vec<u8>| {
        let at = bytes.len() - 33;
        bytes[at] = 40;
    };
    let wider = honest.with_proof(scene.about(&range(hot(), HEAD - 21, HEAD))?.proof);
    Ok(refusals([
        ("ValueChanged", "in a run", "verify.root", run(&|bytes| bytes[2 * ENTRY - 1] ^= 1)),
        (
            "Reordered",
            "two versions of a run",
            "verify.order",
            run(&|bytes| bytes[ENTRY..3 * ENTRY].rotate_left(ENTRY)),
        ),
        (
            "Appended",
            "a version beyond the positions",
            "verify.path",
            run(&|bytes| bytes.extend([0xfe; ENTRY])),
        ),
        (
            "Dropped",
            "a version amid a run",
            "verify.path",
            run(&|bytes| _ = bytes.drain(ENTRY..2 * ENTRY)),
        ),
        ("Neighbour", "none on the left", "verify.boundary", both(&no_left, 1, 0)),
        ("Neighbour", "none on the right", "verify.boundary", both(&no_right, 0, -1)),
        (
            "Neighbour",
            "one entry only",
            "verify.boundary",
            both(&|bytes| bytes.truncate(ENTRY), 0, -4),
        ),
        (
            "Neighbour",
            "the last version hidden behind a made-up neighbour",
            "verify.root",
            both(&fake_right, 0, -1),
        ),
        (
            "Neighbour",
            "a version before the range beside the left neighbour",
            "verify.boundary",
            wider,
        ),
        ("FutureBlock", "an entry of a block to come", "verify.order", run(&late)),
    ]))
}

fn positions(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let shift = |more| {
        honest.edited(|proof| {
            proof.at(&join(&RUN, 1)).add(more);
            proof.at(&join(&RUN, 2)).add(more);
        })
    };
    let last = |item: Item| honest.edited(|proof| *proof.at(&join(&RUN, 2)) = item);
    let layers = |change: &dyn Fn(&mut Vec<Item>)| {
        honest.edited(|proof| proof.at(&join(&RUN, 4)).items(change))
    };
    let layer = |change: &dyn Fn(&mut Vec<u8>)| {
        honest.edited(|proof| proof.at(&[1, 0, 0, 4, 0]).bytes(change))
    };
    Ok(refusals([
        // Two layers: the same siblings stand beside positions m^2 further on.
        ("Shifted", "by m squared", "verify.incomplete", shift(16)),
        ("Shifted", "by m", "verify.root", shift(4)),
        ("Shifted", "the first position after the last", "verify.path", last(Item::uint(2_u8))),
        (
            "Shifted",
            "the last position is the greatest number",
            "verify.path",
            last(Item::uint(u64::MAX)),
        ),
        (
            "Siblings",
            "the topmost layer missing",
            "verify.incomplete",
            layers(&|all| _ = all.pop()),
        ),
        (
            "Siblings",
            "a layer above the root",
            "verify.surplus",
            layers(&|all| all.push(Item::bytes([]))),
        ),
        ("Siblings", "no layers", "verify.incomplete", layers(&Vec::clear)),
        (
            "Siblings",
            "one missing on the left",
            "verify.incomplete",
            layer(&|bytes| bytes.truncate(64)),
        ),
        (
            "Siblings",
            "a whole group too many",
            "verify.surplus",
            layer(&|bytes| bytes.extend([7; 128])),
        ),
        ("Siblings", "one changed", "verify.root", layer(&|bytes| bytes[0] ^= 1)),
    ]))
}

/// A closed run. Its digest does not matter: the proof falls before it is used.
fn closed() -> Item {
    Item::List(vec![Item::uint(2_u8), Item::bytes([1; 32])])
}

fn witnesses(scene: &Scene) -> Result<Vec<Case>> {
    let close = |query: &Query, path: [usize; 3]| {
        Ok::<_, StoreError>(scene.about(query)?.edited(|proof| proof.set(&path, closed())))
    };
    let digests = |proof: &mut Item| {
        // Every run closed with its true digest.
        let runs = scene
            .view(HEAD)
            .levels
            .iter()
            .map(|level| level.runs().map(|run| run.digest(&scene.config)).collect::<Vec<_>>());
        let close = |digest: &[u8; 32]| Item::List(vec![Item::uint(2_u8), Item::bytes(digest)]);
        let levels = runs.map(|runs| Item::List(runs.iter().map(close).collect()));
        proof.set(&[1], Item::List(levels.collect()));
    };
    let early = range(rare(), HEAD, HEAD);
    let closed_early = scene.about(&early)?.edited(digests).proves(
        "ClosedEarly",
        "closed by another address's older entry: the version before the range is not proven",
        scene.told(HEAD, &early, false),
    );
    let surplus = scene.about(&as_of(rare(), HEAD))?.edited(|proof| {
        proof.at(&OLD).push(Item::bytes([7; ENTRY]));
    });
    let flag = "Closed";
    let mut cases = vec![closed_early];
    cases.extend(refusals([
        (flag, "without an older entry in a newer source", "verify.source", close(&query(), RUN)?),
        (flag, "on the entries of the run itself", "verify.source", close(&query(), OLD)?),
        // The least sentinel counts as block 0, and is no entry.
        (flag, "on the least sentinel", "verify.source", close(&range(lowest(), 1, HEAD), OLD)?),
        (
            flag,
            "a latest value closed on another address's entry",
            "verify.incomplete",
            scene.about(&as_of(rare(), HEAD))?.edited(digests),
        ),
        (
            flag,
            "absence closed on another address's entry",
            "verify.incomplete",
            scene.about(&as_of(never(), HEAD))?.edited(digests),
        ),
        ("Surplus", "results beside a closed run", "decode.shape", surplus),
    ]));
    Ok(cases)
}

fn lists(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let levels =
        |change: &dyn Fn(&mut Vec<Item>)| honest.edited(|proof| proof.at(&[1]).items(change));
    let filter =
        |bytes: Vec<u8>| honest.edited(|proof| *proof.at(&join(&RUN, 5)) = Item::bytes(bytes));
    let mut changed = vec![0; 32];
    changed[0] = 1;
    let asked = |address| honest.with_query(range(address, 1, 2).encode());
    let empty = || Item::List(Vec::new());
    Ok(refusals([
        ("SourceList", "a run dropped", "verify.root", levels(&|all| all[0] = empty())),
        ("SourceList", "a level dropped", "verify.root", levels(&|all| _ = all.remove(0))),
        ("SourceList", "an empty level dropped", "verify.root", levels(&|all| _ = all.remove(1))),
        ("SourceList", "an empty level more", "verify.root", levels(&|all| all.push(empty()))),
        ("SourceList", "two levels swapped", "verify.order", levels(&|all| all.swap(0, 2))),
        (
            "OtherSystem",
            "two in-memory trees",
            "verify.source",
            honest.edited(|proof| proof.at(&[0]).items(|all| all.push(empty()))),
        ),
        (
            "OtherSystem",
            "no in-memory tree",
            "verify.source",
            honest.edited(|proof| proof.at(&[0]).items(Vec::clear)),
        ),
        ("Filter", "a run's filter digest left out", "verify.root", filter(Vec::new())),
        ("Filter", "a run's filter digest changed", "verify.root", filter(changed)),
        ("Filter", "a run's filter digest of 31 bytes", "decode.shape", filter(vec![1; 31])),
        ("BadQuery", "the least sentinel's address", "input.query", asked([0; 52])),
        ("BadQuery", "the greatest sentinel's address", "input.query", asked([0xff; 52])),
        ("OtherState", "the state of the block before", "verify.root", {
            let bytes = scene.root(u64::from(HEAD) - 1)?;
            honest.with_source(Source::Root { number: HEAD.into(), bytes })
        }),
        // Entries of the newest block are of a block to come for the state before.
        (
            "FutureBlock",
            "a newer block's proof",
            "verify.order",
            honest.with_source(scene.source(u64::from(HEAD) - 1)?),
        ),
    ]))
}

/// Every case of this file about COLE\*, without filters.
pub(super) fn star(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let garbage = {
        // Block 1: the merging group's tree is empty, its digest 32 zero bytes.
        let entry = [hot().as_slice(), &1_u32.to_be_bytes(), &[9; 32]].concat();
        let leaf = Item::List(vec![Item::uint(0_u8), Item::uint(0_u8), Item::bytes(&entry)]);
        let depths = Item::List(vec![Item::List(vec![leaf])]);
        let tree = Item::List(vec![Item::bytes(&entry), depths]);
        scene.claim(1, &range(hot(), 1, 1), PLAIN)?.edited(|proof| proof.set(&[0, 1], tree))
    };
    let swapped = |path: &[usize], one: usize, other: usize| {
        honest.edited(|proof| proof.at(path).swap(one, other))
    };
    let filter = honest.edited(|proof| *proof.at(&join(&RUN, 5)) = Item::bytes([1; 32]));
    Ok(refusals([
        ("FalseEdge", "a made-up tree in place of an empty one", "verify.root", garbage),
        ("SourceList", "the two in-memory trees swapped", "verify.order", swapped(&[0], 0, 1)),
        ("SourceList", "two runs swapped", "verify.order", swapped(&[1, 0], 0, 1)),
        (
            "SourceList",
            "a writing and a merging run swapped",
            "verify.order",
            swapped(&[1, 0], 1, 2),
        ),
        (
            "OtherSystem",
            "one in-memory tree",
            "verify.source",
            honest.edited(|proof| proof.at(&[0]).items(|all| _ = all.pop())),
        ),
        ("Filter", "a filter digest added", "verify.root", filter),
        (
            "ValueChanged",
            "a sibling of the second run",
            "verify.root",
            honest.edited(|proof| proof.at(&[1, 0, 1, 4, 0]).bytes(flip(1))),
        ),
    ]))
}
