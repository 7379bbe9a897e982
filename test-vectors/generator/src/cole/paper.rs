//! `cole/fast24`: every attack on the authors' format.

use super::scene::{Forged, HEAD, Scene, as_of, highest, hot, lowest, never, range, rare};
use crate::case::{Case, Expected, invalid};
use crate::edit::{Edit as _, flip};
use lightproof_prover::rlp::Item;
use lightproof_prover::system::cole::EngineError;

type Result = std::result::Result<Vec<Case>, EngineError>;

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

fn query() -> lightproof_prover::system::cole::prove::Query {
    range(hot(), HEAD - 20, HEAD)
}

fn forged(
    scene: &Scene,
    change: impl FnOnce(&mut Item),
) -> std::result::Result<Forged, EngineError> {
    scene.forged(&query(), change)
}

/// Every case of this file about COLE.
pub(super) fn cases(scene: &Scene) -> Result {
    let mut cases = claims(scene)?;
    cases.extend(nodes(scene)?);
    cases.extend(separators(scene)?);
    cases.extend(entries(scene)?);
    cases.extend(positions(scene)?);
    cases.extend(witnesses(scene)?);
    cases.extend(lists(scene)?);
    Ok(cases)
}

fn claims(scene: &Scene) -> Result {
    let (flag, code) = ("Claimed", "verify.claim");
    let results =
        |change: &dyn Fn(&mut Vec<u8>)| forged(scene, |proof| proof.at(&RESULTS).bytes(change));
    let add =
        |path: &[usize], field, more| forged(scene, |proof| proof.at(&join(path, field)).add(more));
    Ok(vec![
        invalid(flag, "a result's value", results(&|bytes| bytes[ENTRY - 1] ^= 1)?, code),
        invalid(flag, "a result more", results(&|bytes| bytes.extend_from_within(..ENTRY))?, code),
        invalid(
            flag,
            "a result less",
            results(&|bytes| bytes.truncate(bytes.len() - ENTRY))?,
            code,
        ),
        invalid(flag, "no results", results(&Vec::clear)?, code),
        invalid(flag, "a leaf's range starts later", add(&LEAF, 0, 1)?, code),
        invalid(flag, "a leaf's range ends earlier", add(&NEXT_LEAF, 1, -1)?, code),
        invalid(flag, "a leaf's range ends beyond it", add(&NEXT_LEAF, 1, 7)?, code),
        invalid(flag, "fewer children opened", add(&ROOT, 1, -1)?, code),
        invalid(flag, "children opened that do not exist", add(&ROOT, 1, 9)?, code),
    ])
}

fn nodes(scene: &Scene) -> Result {
    let flag = "Nodes";
    let depths =
        |change: &dyn Fn(&mut Vec<Item>)| forged(scene, |proof| proof.at(&[0, 0, 1]).items(change));
    let leaves = |change: &dyn Fn(&mut Vec<Item>)| {
        forged(scene, |proof| proof.at(&[0, 0, 1, 1]).items(change))
    };
    let both = forged(scene, |proof| {
        proof.at(&RESULTS).bytes(|bytes| bytes[ENTRY - 1] ^= 1);
        proof.at(&join(&LEAF, 2)).bytes(|bytes| bytes[ENTRY - 1] ^= 1);
    })?;
    Ok(vec![
        invalid("ValueChanged", "in the result and in the leaf", both, "verify.merkle"),
        invalid(flag, "the root only", depths(&|all| all.truncate(1))?, "verify.incomplete"),
        invalid(flag, "no depth", depths(&Vec::clear)?, "verify.incomplete"),
        invalid(
            flag,
            "a leaf in range left out",
            leaves(&|all| _ = all.pop())?,
            "verify.incomplete",
        ),
        invalid(
            flag,
            "a leaf too many",
            leaves(&|all| all.push(all[0].clone()))?,
            "verify.surplus",
        ),
        invalid(flag, "two leaves swapped", leaves(&|all| all.swap(0, 1))?, "verify.order"),
        invalid(
            flag,
            "leaves at the root's depth",
            depths(&|all| all.insert(0, all[1].clone()))?,
            "verify.surplus",
        ),
        invalid(
            flag,
            "a leaf above the last depth",
            depths(&|all| {
                all[0] = Item::List(vec![
                    all[1].as_list().map_or_else(|| Item::List(vec![]), |leaves| leaves[0].clone()),
                ]);
            })?,
            "verify.path",
        ),
        invalid(
            flag,
            "an inner node on the last depth",
            depths(&|all| {
                all[1] = Item::List(
                    [all[0].as_list().unwrap_or_default(), all[0].as_list().unwrap_or_default()]
                        .concat(),
                );
            })?,
            "verify.incomplete",
        ),
        invalid(
            "FalseEdge",
            "memory said to be empty",
            forged(scene, |proof| *proof.at(&[0, 0]) = Item::List(vec![]))?,
            "verify.root",
        ),
    ])
}

fn separators(scene: &Scene) -> Result {
    let flag = "Separators";
    let keys = |change: &dyn Fn(&mut Vec<u8>)| {
        forged(scene, |proof| proof.at(&join(&ROOT, 2)).bytes(change))
    };
    let children = |change: &dyn Fn(&mut Vec<u8>)| {
        forged(scene, |proof| proof.at(&join(&ROOT, 3)).bytes(change))
    };
    let leaf = |change: &dyn Fn(&mut Vec<u8>)| {
        forged(scene, |proof| proof.at(&join(&LEAF, 2)).bytes(change))
    };
    Ok(vec![
        invalid(flag, "none", keys(&Vec::clear)?, "verify.path"),
        invalid(
            flag,
            "as many as children",
            keys(&|bytes| bytes.extend([0xff; 56]))?,
            "verify.path",
        ),
        invalid(
            flag,
            "a child less",
            children(&|bytes| bytes.truncate(bytes.len() - 32))?,
            "verify.path",
        ),
        invalid(
            flag,
            "m + 1 of them",
            forged(scene, |proof| {
                proof.at(&join(&ROOT, 2)).bytes(|bytes| bytes.extend([0xff; 56]));
                proof.at(&join(&ROOT, 3)).bytes(|bytes| bytes.extend([0; 32]));
            })?,
            "verify.path",
        ),
        invalid(flag, "two swapped", keys(&|bytes| bytes[..112].rotate_left(56))?, "verify.order"),
        invalid(flag, "one twice", keys(&|bytes| bytes.copy_within(..56, 56))?, "verify.order"),
        // The root's digest is all that changes: the leaves still fit it.
        invalid(
            flag,
            "a byte of a child's digest",
            children(&|bytes| bytes[159] ^= 1)?,
            "verify.root",
        ),
        invalid(
            "Reordered",
            "two entries of a leaf",
            leaf(&|bytes| bytes.rotate_left(ENTRY))?,
            "verify.order",
        ),
        invalid("Dropped", "all entries of a leaf", leaf(&Vec::clear)?, "verify.path"),
        invalid(
            "Appended",
            "a leaf of m + 1 entries",
            leaf(&|bytes| bytes.extend([0xff; 3 * ENTRY]))?,
            "verify.path",
        ),
    ])
}

fn entries(scene: &Scene) -> Result {
    let run = |change: &dyn Fn(&mut Vec<u8>)| {
        forged(scene, |proof| proof.at(&join(&RUN, 3)).bytes(change))
    };
    let both = |change: &dyn Fn(&mut Vec<u8>), first: i64, last: i64| {
        forged(scene, |proof| {
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
    let wider = {
        let proof = scene.proof(HEAD, &range(hot(), HEAD - 21, HEAD))?.encode();
        (scene.source(HEAD), query().encode(), proof)
    };
    Ok(vec![
        invalid(
            "ValueChanged",
            "in a run",
            run(&|bytes| bytes[2 * ENTRY - 1] ^= 1)?,
            "verify.root",
        ),
        invalid(
            "Reordered",
            "two versions of a run",
            run(&|bytes| bytes[ENTRY..3 * ENTRY].rotate_left(ENTRY))?,
            "verify.order",
        ),
        invalid(
            "Appended",
            "a version beyond the positions",
            run(&|bytes| bytes.extend([0xfe; ENTRY]))?,
            "verify.path",
        ),
        invalid(
            "Dropped",
            "a version amid a run",
            run(&|bytes| _ = bytes.drain(ENTRY..2 * ENTRY))?,
            "verify.path",
        ),
        invalid("Neighbour", "none on the left", both(&no_left, 1, 0)?, "verify.boundary"),
        invalid("Neighbour", "none on the right", both(&no_right, 0, -1)?, "verify.boundary"),
        invalid(
            "Neighbour",
            "one entry only",
            both(&|bytes| bytes.truncate(ENTRY), 0, -4)?,
            "verify.boundary",
        ),
        invalid(
            "Neighbour",
            "the last version hidden behind a made-up neighbour",
            both(&fake_right, 0, -1)?,
            "verify.root",
        ),
        invalid(
            "Neighbour",
            "a version before the range beside the left neighbour",
            wider,
            "verify.boundary",
        ),
        invalid("FutureBlock", "an entry of a block to come", run(&late)?, "verify.order"),
    ])
}

fn positions(scene: &Scene) -> Result {
    let shift = |more| {
        forged(scene, |proof| {
            proof.at(&join(&RUN, 1)).add(more);
            proof.at(&join(&RUN, 2)).add(more);
        })
    };
    let last = |item: Item| forged(scene, |proof| *proof.at(&join(&RUN, 2)) = item);
    let layers = |change: &dyn Fn(&mut Vec<Item>)| {
        forged(scene, |proof| proof.at(&join(&RUN, 4)).items(change))
    };
    let layer = |change: &dyn Fn(&mut Vec<u8>)| {
        forged(scene, |proof| proof.at(&[1, 0, 0, 4, 0]).bytes(change))
    };
    Ok(vec![
        // Two layers: the same siblings stand beside positions m^2 further on.
        invalid("Shifted", "by m squared", shift(16)?, "verify.incomplete"),
        invalid("Shifted", "by m", shift(4)?, "verify.root"),
        invalid(
            "Shifted",
            "the first position after the last",
            last(Item::uint(2_u8))?,
            "verify.path",
        ),
        invalid(
            "Shifted",
            "the last position is the greatest number",
            last(Item::uint(u64::MAX))?,
            "verify.path",
        ),
        invalid(
            "Siblings",
            "the topmost layer missing",
            layers(&|all| _ = all.pop())?,
            "verify.incomplete",
        ),
        invalid(
            "Siblings",
            "a layer above the root",
            layers(&|all| all.push(Item::bytes([])))?,
            "verify.surplus",
        ),
        invalid("Siblings", "no layers", layers(&Vec::clear)?, "verify.incomplete"),
        invalid(
            "Siblings",
            "one missing on the left",
            layer(&|bytes| bytes.truncate(64))?,
            "verify.incomplete",
        ),
        invalid(
            "Siblings",
            "a whole group too many",
            layer(&|bytes| bytes.extend([7; 128]))?,
            "verify.surplus",
        ),
        invalid("Siblings", "one changed", layer(&|bytes| bytes[0] ^= 1)?, "verify.root"),
    ])
}

/// A closed run. Its digest does not matter: the proof falls before it is used.
fn closed() -> Item {
    Item::List(vec![Item::uint(2_u8), Item::bytes([1; 32])])
}

fn witnesses(scene: &Scene) -> Result {
    let close = |query: &lightproof_prover::system::cole::prove::Query, path: [usize; 3]| {
        scene.forged(query, |proof| *proof.at(&path) = closed())
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
        *proof.at(&[1]) = Item::List(levels.collect());
    };
    let early = scene.forged(&range(rare(), HEAD, HEAD), digests)?;
    let closed_early = Case {
        comment:
            "closed by another address's older entry: the version before the range is not proven"
                .to_owned(),
        flags: vec!["ClosedEarly"],
        source: early.0,
        query: early.1,
        variant: "plain",
        proof: early.2,
        expected: Expected::Valid(scene.fact(HEAD, &range(rare(), HEAD, HEAD), false)),
    };
    let surplus = scene.forged(&as_of(rare(), HEAD), |proof| {
        proof.at(&OLD).items(|all| all.push(Item::bytes([7; ENTRY])));
    })?;
    let flag = "Closed";
    Ok(vec![
        closed_early,
        invalid(
            flag,
            "without an older entry in a newer source",
            close(&query(), RUN)?,
            "verify.source",
        ),
        invalid(flag, "on the entries of the run itself", close(&query(), OLD)?, "verify.source"),
        // The least sentinel counts as block 0, and is no entry.
        invalid(
            flag,
            "on the least sentinel",
            close(&range(lowest(), 1, HEAD), OLD)?,
            "verify.source",
        ),
        invalid(
            flag,
            "a latest value closed on another address's entry",
            scene.forged(&as_of(rare(), HEAD), digests)?,
            "verify.incomplete",
        ),
        invalid(
            flag,
            "absence closed on another address's entry",
            scene.forged(&as_of(never(), HEAD), digests)?,
            "verify.incomplete",
        ),
        invalid("Surplus", "results beside a closed run", surplus, "decode.shape"),
    ])
}

fn lists(scene: &Scene) -> Result {
    let levels =
        |change: &dyn Fn(&mut Vec<Item>)| forged(scene, |proof| proof.at(&[1]).items(change));
    let filter =
        |bytes: Vec<u8>| forged(scene, |proof| *proof.at(&join(&RUN, 5)) = Item::bytes(bytes));
    let mut changed = vec![0; 32];
    changed[0] = 1;
    let query = |address| range(address, 1, 2);
    let asked = |address| {
        let claim = forged(scene, |_| ())?;
        Ok::<Forged, EngineError>((claim.0, query(address).encode(), claim.2))
    };
    let empty = || Item::List(Vec::new());
    Ok(vec![
        invalid("SourceList", "a run dropped", levels(&|all| all[0] = empty())?, "verify.root"),
        invalid("SourceList", "a level dropped", levels(&|all| _ = all.remove(0))?, "verify.root"),
        invalid(
            "SourceList",
            "an empty level dropped",
            levels(&|all| _ = all.remove(1))?,
            "verify.root",
        ),
        invalid(
            "SourceList",
            "an empty level more",
            levels(&|all| all.push(empty()))?,
            "verify.root",
        ),
        invalid("SourceList", "two levels swapped", levels(&|all| all.swap(0, 2))?, "verify.order"),
        invalid(
            "OtherSystem",
            "two in-memory trees",
            forged(scene, |proof| proof.at(&[0]).items(|all| all.push(empty())))?,
            "verify.source",
        ),
        invalid(
            "OtherSystem",
            "no in-memory tree",
            forged(scene, |proof| proof.at(&[0]).items(Vec::clear))?,
            "verify.source",
        ),
        invalid("Filter", "a run's filter digest left out", filter(Vec::new())?, "verify.root"),
        invalid("Filter", "a run's filter digest changed", filter(changed)?, "verify.root"),
        invalid(
            "Filter",
            "a run's filter digest of 31 bytes",
            filter(vec![1; 31])?,
            "decode.shape",
        ),
        invalid("BadQuery", "the least sentinel's address", asked([0; 52])?, "input.query"),
        invalid("BadQuery", "the greatest sentinel's address", asked([0xff; 52])?, "input.query"),
        invalid(
            "OtherState",
            "the state of the block before",
            {
                let claim = forged(scene, |_| ())?;
                let state = scene.view(HEAD - 1).state.to_vec();
                (crate::case::Source::Root { number: HEAD.into(), bytes: state }, claim.1, claim.2)
            },
            "verify.root",
        ),
        // Entries of the newest block are of a block to come for the state before.
        invalid(
            "FutureBlock",
            "a newer block's proof",
            {
                let claim = forged(scene, |_| ())?;
                (scene.source(HEAD - 1), claim.1, claim.2)
            },
            "verify.order",
        ),
    ])
}

/// Every case of this file about COLE\*, without filters.
pub(super) fn star(scene: &Scene) -> Result {
    let garbage = {
        // Block 1: the merging group's tree is empty, its digest 32 zero bytes.
        let mut proof = scene.proof(1, &range(hot(), 1, 1))?;
        let entry = [hot().as_slice(), &1_u32.to_be_bytes(), &[9; 32]].concat();
        let leaf = Item::List(vec![Item::uint(0_u8), Item::uint(0_u8), Item::bytes(&entry)]);
        *proof.at(&[0, 1]) =
            Item::List(vec![Item::bytes(&entry), Item::List(vec![Item::List(vec![leaf])])]);
        (scene.source(1), range(hot(), 1, 1).encode(), proof.encode())
    };
    let swapped = |path: &[usize], one: usize, other: usize| {
        forged(scene, |proof| proof.at(path).items(|all| all.swap(one, other)))
    };
    let filter = forged(scene, |proof| *proof.at(&join(&RUN, 5)) = Item::bytes([1; 32]))?;
    Ok(vec![
        invalid("FalseEdge", "a made-up tree in place of an empty one", garbage, "verify.root"),
        invalid(
            "SourceList",
            "the two in-memory trees swapped",
            swapped(&[0], 0, 1)?,
            "verify.order",
        ),
        invalid("SourceList", "two runs swapped", swapped(&[1, 0], 0, 1)?, "verify.order"),
        invalid(
            "SourceList",
            "a writing and a merging run swapped",
            swapped(&[1, 0], 1, 2)?,
            "verify.order",
        ),
        invalid(
            "OtherSystem",
            "one in-memory tree",
            forged(scene, |proof| proof.at(&[0]).items(|all| _ = all.pop()))?,
            "verify.source",
        ),
        invalid("Filter", "a filter digest added", filter, "verify.root"),
        invalid(
            "ValueChanged",
            "a sibling of the second run",
            forged(scene, |proof| proof.at(&[1, 0, 1, 4, 0]).bytes(flip(1)))?,
            "verify.root",
        ),
    ])
}
