//! `cole/1`: sources left out, closed, skipped, swapped; false counts and blocks; other states.

use super::bounds::of;
use super::scene::{HEAD, Scene, as_of, hot, range, rare};
use crate::case::{Case, Claim, Source, refusals};
use crate::edit::Edit as _;
use crate::scene::{Result, Scene as _};
use lightproof_prover::rlp::Item;
use lightproof_prover::system::PLAIN;
use lightproof_prover::system::cole::prove::Query;

const LEVELS: usize = 9;
const SOURCES: usize = 10;

/// Every case of this file about COLE.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = forms(scene)?;
    cases.extend(latest(scene)?);
    cases.extend(lists(scene)?);
    cases.extend(extents(scene)?);
    cases.extend(states(scene)?);
    Ok(cases)
}

fn query() -> Query {
    range(hot(), HEAD - 20, HEAD)
}

fn skipped(scene: &Scene, source: usize) -> Result<Item> {
    // As a range of the distant future skips it.
    let mut proof = scene.about(&range(hot(), u32::MAX, u32::MAX))?.item();
    Ok(proof.at(&[SOURCES, source]).clone())
}

fn closed(byte: u8) -> Item {
    Item::List(vec![Item::uint(2_u8), Item::bytes([byte; 32])])
}

fn forms(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let put =
        |source: usize, item: Item| honest.edited(|proof| *proof.at(&[SOURCES, source]) = item);
    let mut missing = skipped(scene, 1)?;
    // As if its blocks ended before the range, and were still above those of the run before.
    *missing.at(&[2]) = Item::uint(HEAD + 1);
    *missing.at(&[3]) = Item::uint(HEAD + 1);
    let late = put(0, missing);
    let mut early = skipped(scene, 3)?;
    *early.at(&[3]) = Item::uint(HEAD - 21);
    let opened = scene.about(&range(hot(), 1, HEAD))?.item().at(&[SOURCES, 4]).clone();
    let empty = Item::List(vec![Item::uint(1_u8)]);
    let flag = "WrongForm";
    Ok(refusals([
        (flag, "a run of the range skipped", "verify.source", put(1, skipped(scene, 1)?)),
        (flag, "memory skipped", "verify.source", put(0, skipped(scene, 0)?)),
        (flag, "a run of the range closed", "verify.source", put(1, closed(1))),
        (flag, "an older run closed", "verify.source", put(4, closed(1))),
        (flag, "a run opened, though its blocks miss the range", "verify.source", put(4, opened)),
        (flag, "memory said to be empty", "verify.root", put(0, empty.clone())),
        (flag, "a run said to be empty", "decode.shape", put(1, empty)),
        ("FalseExtent", "memory skipped under blocks to come", "verify.order", late),
        ("FalseExtent", "a run skipped under older blocks", "verify.root", put(3, early)),
    ]))
}

fn latest(scene: &Scene) -> Result<Vec<Case>> {
    // Found in the newest run; all older ones are closed.
    let honest = scene.about(&as_of(rare(), HEAD))?;
    let older = scene.about(&range(rare(), 0, HEAD))?.item().at(&[SOURCES, 3]).clone();
    let put =
        |source: usize, item: Item| honest.edited(|proof| *proof.at(&[SOURCES, source]) = item);
    let flag = "WrongForm";
    Ok(refusals([
        (flag, "the source of the answer closed", "verify.source", put(1, closed(1))),
        (flag, "memory closed before the answer", "verify.source", put(0, closed(1))),
        (flag, "memory skipped before the answer", "verify.source", put(0, skipped(scene, 0)?)),
        (flag, "a run opened after the answer", "verify.source", put(3, older)),
        (flag, "a run skipped after the answer", "verify.source", put(3, skipped(scene, 3)?)),
        (flag, "a closed run with another digest", "verify.root", put(3, closed(1))),
        (
            "Surplus",
            "versions beside the answer",
            "verify.surplus",
            honest.edited(|proof| {
                let version = [34_u32.to_be_bytes().as_slice(), &[1; 32]].concat();
                proof.at(&of(1, super::bounds::VERSIONS)).bytes(|bytes| *bytes = version);
            }),
        ),
        (
            "Stale",
            "an older version passed off as the latest",
            "verify.root",
            honest.edited(|proof| {
                let left = [rare().as_slice(), &33_u32.to_be_bytes(), &[1; 32]].concat();
                proof.at(&of(1, super::bounds::LEFT)).bytes(|bytes| *bytes = left);
            }),
        ),
    ]))
}

fn lists(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let forged = |change: &dyn Fn(&mut Item)| honest.edited(change);
    let levels = |proof: &mut Item, levels: &[u8]| {
        proof.at(&[LEVELS]).bytes(|bytes| *bytes = levels.to_vec());
    };
    let remove = |proof: &mut Item, at: usize| proof.at(&[SOURCES]).items(|all| _ = all.remove(at));
    let swap = |claim: &Claim| claim.edited(|proof| proof.at(&[SOURCES]).swap(1, 2));
    let flag = "SourceList";
    Ok(refusals([
        (
            flag,
            "a run dropped, levels as they were",
            "decode.shape",
            forged(&|proof| remove(proof, 1)),
        ),
        (
            flag,
            "a run dropped and not counted",
            "verify.root",
            forged(&|proof| {
                remove(proof, 1);
                levels(proof, &[1, 0, 2, 0]);
            }),
        ),
        (
            flag,
            "a level dropped",
            "verify.root",
            forged(&|proof| {
                remove(proof, 1);
                remove(proof, 1);
                levels(proof, &[2, 0]);
            }),
        ),
        (
            flag,
            "an empty level more",
            "verify.root",
            forged(&|proof| levels(proof, &[2, 0, 2, 0, 0, 0])),
        ),
        (
            flag,
            "runs counted to the other level",
            "verify.root",
            forged(&|proof| levels(proof, &[1, 0, 3, 0])),
        ),
        (
            flag,
            "merging runs, which COLE does not have",
            "verify.source",
            forged(&|proof| levels(proof, &[1, 1, 2, 0])),
        ),
        (flag, "two runs swapped", "verify.order", swap(&honest)),
        (flag, "two closed runs swapped", "verify.root", swap(&scene.about(&as_of(hot(), HEAD))?)),
        (
            flag,
            "a run given twice",
            "verify.order",
            forged(&|proof| {
                let run = proof.at(&[SOURCES, 4]).clone();
                proof.at(&[SOURCES]).items(|all| all.push(run));
                levels(proof, &[2, 0, 3, 0]);
            }),
        ),
    ]))
}

fn extents(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let flag = "FalseExtent";
    let forged = |change: &dyn Fn(&mut Item)| honest.edited(change);
    let add = |source, field, more| honest.edited(|proof| proof.at(&of(source, field)).add(more));
    Ok(refusals([
        (flag, "a run said to hold a fifth more entries", "verify.root", add(1, 1, 4)),
        (flag, "a skipped run's number of entries", "verify.root", add(4, 1, 1)),
        (flag, "memory's number of entries", "verify.root", add(0, 1, 1)),
        (
            flag,
            "a run said to hold no entries",
            "decode.shape",
            forged(&|p| *p.at(&of(1, 1)) = Item::uint(0_u8)),
        ),
        (
            flag,
            "as many entries as a number holds",
            "verify.incomplete",
            forged(&|p| *p.at(&of(1, 1)) = Item::uint(u64::MAX)),
        ),
        (
            flag,
            "more entries than a number holds",
            "decode.shape",
            forged(&|p| *p.at(&of(1, 1)) = Item::uint(1_u128 << 64)),
        ),
        (flag, "a run that starts a block later", "verify.root", add(3, 2, 1)),
        (flag, "a run that ends a block earlier", "verify.root", add(4, 3, -1)),
        (flag, "a run whose blocks overlap the newer run's", "verify.order", add(2, 3, 1)),
        (
            flag,
            "a run that ends before it starts",
            "verify.order",
            forged(&|p| *p.at(&of(2, 3)) = Item::uint(26_u8)),
        ),
        (flag, "memory that holds blocks to come", "verify.order", add(0, 3, 1)),
        (
            flag,
            "a block number of five bytes",
            "decode.shape",
            forged(&|p| *p.at(&of(0, 3)) = Item::uint(1_u64 << 32)),
        ),
        (flag, "entries outside a run's blocks", "verify.order", add(1, 3, -4)),
    ]))
}

fn states(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let before = u64::from(HEAD) - 1;
    let old = scene.claim(before, &query(), PLAIN)?;
    let pinned = |number: u64, bytes: Vec<u8>| honest.with_source(Source::Root { number, bytes });
    let (head, flag) = (u64::from(HEAD), "OtherState");
    let (root, request) = ("verify.root", "input.request");
    Ok(refusals([
        (flag, "an older block's proof", "verify.query", old.with_source(honest.source.clone())),
        (flag, "a newer block's proof", "verify.query", honest.with_source(old.source.clone())),
        (flag, "the state of the block before", root, pinned(head, scene.root(before)?)),
        (flag, "a state that is no hash of anything", root, pinned(head, vec![0; 32])),
        (flag, "a state of 31 bytes", request, pinned(head, vec![1; 31])),
        (flag, "a block whose number has five bytes", request, pinned(1 << 32, vec![1; 32])),
    ]))
}

/// Every case of this file about COLE\*: an empty writing memory, two levels with merging runs.
pub(super) fn star(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let forged = |change: &dyn Fn(&mut Item)| honest.edited(change);
    let levels = |levels: &'static [u8]| {
        forged(&|proof: &mut Item| proof.at(&[LEVELS]).bytes(|bytes| *bytes = levels.to_vec()))
    };
    let flag = "SourceList";
    Ok(refusals([
        (
            flag,
            "the two memories swapped",
            "verify.root",
            forged(&|proof| proof.at(&[SOURCES]).swap(0, 1)),
        ),
        (flag, "merging runs counted as writing", "verify.root", levels(&[3, 0, 1, 3])),
        (flag, "a writing run counted as merging", "verify.root", levels(&[0, 3, 0, 4])),
        (
            flag,
            "a writing and a merging run swapped",
            "verify.order",
            forged(&|proof| proof.at(&[SOURCES]).swap(5, 6)),
        ),
        (
            flag,
            "the empty memory written out",
            "decode.shape",
            forged(&|proof| {
                let zero = || Item::uint(0_u8);
                *proof.at(&[SOURCES, 0]) =
                    Item::List(vec![zero(), zero(), zero(), zero(), Item::bytes([0; 32])]);
            }),
        ),
        (
            flag,
            "the empty memory closed",
            "verify.source",
            forged(&|proof| proof.set(&[SOURCES, 0], closed(0))),
        ),
        (
            flag,
            "the empty memory said to hold an entry",
            "verify.order",
            forged(&|proof| {
                let block = || Item::uint(HEAD + 1);
                *proof.at(&[SOURCES, 0]) = Item::List(vec![
                    Item::uint(0_u8),
                    Item::uint(1_u8),
                    block(),
                    block(),
                    Item::bytes([0; 32]),
                ]);
            }),
        ),
        (
            "OtherSystem",
            "said to be of COLE",
            "verify.query",
            forged(&|proof| proof.set(&[1], Item::uint(0_u8))),
        ),
        (
            "OtherSystem",
            "one memory only",
            "verify.query",
            forged(&|proof| {
                proof.set(&[8], Item::uint(1_u8));
                proof.at(&[SOURCES]).items(|all| _ = all.remove(0));
            }),
        ),
    ]))
}
