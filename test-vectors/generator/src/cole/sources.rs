//! `cole/1`: sources left out, closed, skipped, swapped; false counts and blocks; other states.

use super::bounds::of;
use super::scene::{HEAD, Scene, as_of, hot, range, rare};
use crate::case::{Case, Source, invalid};
use crate::edit::Edit as _;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::cole::EngineError;

type Result = std::result::Result<Vec<Case>, EngineError>;

const LEVELS: usize = 9;
const SOURCES: usize = 10;

/// Every case of this file about COLE.
pub(super) fn cases(scene: &Scene) -> Result {
    let mut cases = forms(scene)?;
    cases.extend(latest(scene)?);
    cases.extend(lists(scene)?);
    cases.extend(extents(scene)?);
    cases.extend(states(scene)?);
    Ok(cases)
}

fn query() -> lightproof_prover::system::cole::prove::Query {
    range(hot(), HEAD - 20, HEAD)
}

fn skipped(scene: &Scene, source: usize) -> std::result::Result<Item, EngineError> {
    // As a range of the distant future skips it.
    let proof = scene.proof(HEAD, &range(hot(), u32::MAX, u32::MAX));
    Ok(proof?.at(&[SOURCES, source]).clone())
}

fn closed(byte: u8) -> Item {
    Item::List(vec![Item::uint(2_u8), Item::bytes([byte; 32])])
}

fn forms(scene: &Scene) -> Result {
    let put = |source: usize, item: Item| {
        scene.forged(&query(), |proof| *proof.at(&[SOURCES, source]) = item)
    };
    let mut missing = skipped(scene, 1)?;
    // As if its blocks ended before the range, and were still above those of the run before.
    *missing.at(&[2]) = Item::uint(HEAD + 1);
    *missing.at(&[3]) = Item::uint(HEAD + 1);
    let late = put(0, missing)?;
    let mut early = skipped(scene, 3)?;
    *early.at(&[3]) = Item::uint(HEAD - 21);
    let opened = scene.proof(HEAD, &range(hot(), 1, HEAD))?.at(&[SOURCES, 4]).clone();
    let empty = Item::List(vec![Item::uint(1_u8)]);
    let flag = "WrongForm";
    Ok(vec![
        invalid(flag, "a run of the range skipped", put(1, skipped(scene, 1)?)?, "verify.source"),
        invalid(flag, "memory skipped", put(0, skipped(scene, 0)?)?, "verify.source"),
        invalid(flag, "a run of the range closed", put(1, closed(1))?, "verify.source"),
        invalid(flag, "an older run closed", put(4, closed(1))?, "verify.source"),
        invalid(
            flag,
            "a run opened, though its blocks miss the range",
            put(4, opened)?,
            "verify.source",
        ),
        invalid(flag, "memory said to be empty", put(0, empty.clone())?, "verify.root"),
        invalid(flag, "a run said to be empty", put(1, empty)?, "decode.shape"),
        invalid("FalseExtent", "memory skipped under blocks to come", late, "verify.order"),
        invalid("FalseExtent", "a run skipped under older blocks", put(3, early)?, "verify.root"),
    ])
}

fn latest(scene: &Scene) -> Result {
    // Found in the newest run; all older ones are closed.
    let query = as_of(rare(), HEAD);
    let older = scene.proof(HEAD, &range(rare(), 0, HEAD))?.at(&[SOURCES, 3]).clone();
    let put = |source: usize, item: Item| {
        scene.forged(&query, |proof| *proof.at(&[SOURCES, source]) = item)
    };
    let flag = "WrongForm";
    Ok(vec![
        invalid(flag, "the source of the answer closed", put(1, closed(1))?, "verify.source"),
        invalid(flag, "memory closed before the answer", put(0, closed(1))?, "verify.source"),
        invalid(
            flag,
            "memory skipped before the answer",
            put(0, skipped(scene, 0)?)?,
            "verify.source",
        ),
        invalid(flag, "a run opened after the answer", put(3, older)?, "verify.source"),
        invalid(
            flag,
            "a run skipped after the answer",
            put(3, skipped(scene, 3)?)?,
            "verify.source",
        ),
        invalid(flag, "a closed run with another digest", put(3, closed(1))?, "verify.root"),
        invalid(
            "Surplus",
            "versions beside the answer",
            scene.forged(&query, |proof| {
                let version = [34_u32.to_be_bytes().as_slice(), &[1; 32]].concat();
                proof.at(&of(1, super::bounds::VERSIONS)).bytes(|bytes| *bytes = version);
            })?,
            "verify.surplus",
        ),
        invalid(
            "Stale",
            "an older version passed off as the latest",
            scene.forged(&query, |proof| {
                let left = [rare().as_slice(), &33_u32.to_be_bytes(), &[1; 32]].concat();
                proof.at(&of(1, super::bounds::LEFT)).bytes(|bytes| *bytes = left);
            })?,
            "verify.root",
        ),
    ])
}

fn lists(scene: &Scene) -> Result {
    let forged = |change: &dyn Fn(&mut Item)| scene.forged(&query(), change);
    let levels = |proof: &mut Item, levels: &[u8]| {
        proof.at(&[LEVELS]).bytes(|bytes| *bytes = levels.to_vec());
    };
    let remove = |proof: &mut Item, at: usize| proof.at(&[SOURCES]).items(|all| _ = all.remove(at));
    let swap = |query: &lightproof_prover::system::cole::prove::Query, one, other| {
        scene.forged(query, |proof| proof.at(&[SOURCES]).items(|all| all.swap(one, other)))
    };
    let flag = "SourceList";
    Ok(vec![
        invalid(
            flag,
            "a run dropped, levels as they were",
            forged(&|proof| remove(proof, 1))?,
            "decode.shape",
        ),
        invalid(
            flag,
            "a run dropped and not counted",
            forged(&|proof| {
                remove(proof, 1);
                levels(proof, &[1, 0, 2, 0]);
            })?,
            "verify.root",
        ),
        invalid(
            flag,
            "a level dropped",
            forged(&|proof| {
                remove(proof, 1);
                remove(proof, 1);
                levels(proof, &[2, 0]);
            })?,
            "verify.root",
        ),
        invalid(
            flag,
            "an empty level more",
            forged(&|proof| levels(proof, &[2, 0, 2, 0, 0, 0]))?,
            "verify.root",
        ),
        invalid(
            flag,
            "runs counted to the other level",
            forged(&|proof| levels(proof, &[1, 0, 3, 0]))?,
            "verify.root",
        ),
        invalid(
            flag,
            "merging runs, which COLE does not have",
            forged(&|proof| levels(proof, &[1, 1, 2, 0]))?,
            "verify.source",
        ),
        invalid(flag, "two runs swapped", swap(&query(), 1, 2)?, "verify.order"),
        invalid(flag, "two closed runs swapped", swap(&as_of(hot(), HEAD), 1, 2)?, "verify.root"),
        invalid(
            flag,
            "a run given twice",
            forged(&|proof| {
                let run = proof.at(&[SOURCES, 4]).clone();
                proof.at(&[SOURCES]).items(|all| all.push(run));
                levels(proof, &[2, 0, 3, 0]);
            })?,
            "verify.order",
        ),
    ])
}

fn extents(scene: &Scene) -> Result {
    let flag = "FalseExtent";
    let forged = |change: &dyn Fn(&mut Item)| scene.forged(&query(), change);
    let add = |source, field, more| {
        scene.forged(&query(), |proof| proof.at(&of(source, field)).add(more))
    };
    Ok(vec![
        invalid(flag, "a run said to hold a fifth more entries", add(1, 1, 4)?, "verify.root"),
        invalid(flag, "a skipped run's number of entries", add(4, 1, 1)?, "verify.root"),
        invalid(flag, "memory's number of entries", add(0, 1, 1)?, "verify.root"),
        invalid(
            flag,
            "a run said to hold no entries",
            forged(&|p| *p.at(&of(1, 1)) = Item::uint(0_u8))?,
            "decode.shape",
        ),
        invalid(
            flag,
            "as many entries as a number holds",
            forged(&|p| *p.at(&of(1, 1)) = Item::uint(u64::MAX))?,
            "verify.incomplete",
        ),
        invalid(
            flag,
            "more entries than a number holds",
            forged(&|p| *p.at(&of(1, 1)) = Item::uint(1_u128 << 64))?,
            "decode.shape",
        ),
        invalid(flag, "a run that starts a block later", add(3, 2, 1)?, "verify.root"),
        invalid(flag, "a run that ends a block earlier", add(4, 3, -1)?, "verify.root"),
        invalid(flag, "a run whose blocks overlap the newer run's", add(2, 3, 1)?, "verify.order"),
        invalid(
            flag,
            "a run that ends before it starts",
            forged(&|p| *p.at(&of(2, 3)) = Item::uint(26_u8))?,
            "verify.order",
        ),
        invalid(flag, "memory that holds blocks to come", add(0, 3, 1)?, "verify.order"),
        invalid(
            flag,
            "a block number of five bytes",
            forged(&|p| *p.at(&of(0, 3)) = Item::uint(1_u64 << 32))?,
            "decode.shape",
        ),
        invalid(flag, "entries outside a run's blocks", add(1, 3, -4)?, "verify.order"),
    ])
}

fn states(scene: &Scene) -> Result {
    let query = query();
    let proof = |block| scene.view(block).prove(&query);
    let pinned = |number: u32, state: u32| Source::Root {
        number: number.into(),
        bytes: scene.view(state).state.to_vec(),
    };
    let flag = "OtherState";
    let claim = |source, proof| (source, query.encode(), proof);
    Ok(vec![
        invalid(
            flag,
            "an older block's proof",
            claim(scene.source(HEAD), proof(HEAD - 1)?),
            "verify.query",
        ),
        invalid(
            flag,
            "a newer block's proof",
            claim(scene.source(HEAD - 1), proof(HEAD)?),
            "verify.query",
        ),
        invalid(
            flag,
            "the state of the block before",
            claim(pinned(HEAD, HEAD - 1), proof(HEAD)?),
            "verify.root",
        ),
        invalid(
            flag,
            "a state that is no hash of anything",
            claim(Source::Root { number: HEAD.into(), bytes: vec![0; 32] }, proof(HEAD)?),
            "verify.root",
        ),
        invalid(
            flag,
            "a state of 31 bytes",
            claim(Source::Root { number: HEAD.into(), bytes: vec![1; 31] }, proof(HEAD)?),
            "input.request",
        ),
        invalid(
            flag,
            "a block whose number has five bytes",
            claim(Source::Root { number: 1 << 32, bytes: vec![1; 32] }, proof(HEAD)?),
            "input.request",
        ),
    ])
}

/// Every case of this file about COLE\*: an empty writing memory, two levels with merging runs.
pub(super) fn star(scene: &Scene) -> Result {
    let query = query();
    let forged = |change: &dyn Fn(&mut Item)| scene.forged(&query, change);
    let levels = |levels: &'static [u8]| {
        forged(&|proof: &mut Item| proof.at(&[LEVELS]).bytes(|bytes| *bytes = levels.to_vec()))
    };
    let flag = "SourceList";
    Ok(vec![
        invalid(
            flag,
            "the two memories swapped",
            forged(&|proof| proof.at(&[SOURCES]).items(|all| all.swap(0, 1)))?,
            "verify.root",
        ),
        invalid(flag, "merging runs counted as writing", levels(&[3, 0, 1, 3])?, "verify.root"),
        invalid(flag, "a writing run counted as merging", levels(&[0, 3, 0, 4])?, "verify.root"),
        invalid(
            flag,
            "a writing and a merging run swapped",
            forged(&|proof| proof.at(&[SOURCES]).items(|all| all.swap(5, 6)))?,
            "verify.order",
        ),
        invalid(
            flag,
            "the empty memory written out",
            forged(&|proof| {
                let zero = || Item::uint(0_u8);
                *proof.at(&[SOURCES, 0]) =
                    Item::List(vec![zero(), zero(), zero(), zero(), Item::bytes([0; 32])]);
            })?,
            "decode.shape",
        ),
        invalid(
            flag,
            "the empty memory closed",
            forged(&|proof| *proof.at(&[SOURCES, 0]) = closed(0))?,
            "verify.source",
        ),
        invalid(
            flag,
            "the empty memory said to hold an entry",
            forged(&|proof| {
                let block = || Item::uint(HEAD + 1);
                *proof.at(&[SOURCES, 0]) = Item::List(vec![
                    Item::uint(0_u8),
                    Item::uint(1_u8),
                    block(),
                    block(),
                    Item::bytes([0; 32]),
                ]);
            })?,
            "verify.order",
        ),
        invalid(
            "OtherSystem",
            "said to be of COLE",
            forged(&|proof| *proof.at(&[1]) = Item::uint(0_u8))?,
            "verify.query",
        ),
        invalid(
            "OtherSystem",
            "one memory only",
            forged(&|proof| {
                *proof.at(&[8]) = Item::uint(1_u8);
                proof.at(&[SOURCES]).items(|all| _ = all.remove(0));
            })?,
            "verify.query",
        ),
    ])
}
