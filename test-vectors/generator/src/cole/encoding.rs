//! `cole/1`: bytes that are no encoding of a proof.

use super::bounds::{LEFT, RIGHT, VERSIONS, of};
use super::scene::{HEAD, Scene, hot, range};
use crate::case::{Case, refusals};
use crate::edit::Edit as _;
use crate::scene::Result;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::cole::prove::Query;

/// Every case of this file.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = canonical(scene)?;
    cases.extend(shapes(scene)?);
    cases.extend(too_many(scene)?);
    Ok(cases)
}

fn query() -> Query {
    range(hot(), HEAD - 20, HEAD)
}

fn canonical(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let forged = |change: &dyn Fn(&mut Item)| honest.edited(change);
    let raw = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut proof = honest.proof.clone();
        change(&mut proof);
        honest.with_proof(proof)
    };
    let (flag, code) = ("NotCanonical", "decode.rlp");
    Ok(refusals([
        (flag, "a byte after the proof", code, raw(&|bytes| bytes.push(0))),
        (flag, "the last byte missing", code, raw(&|bytes| _ = bytes.pop())),
        (flag, "no bytes", code, raw(&Vec::clear)),
        (
            flag,
            "a height with a leading zero",
            code,
            forged(&|p| p.set(&[5], Item::bytes([0, 39]))),
        ),
        (
            flag,
            "a position with a leading zero",
            code,
            forged(&|p| p.set(&of(1, 4), Item::bytes([0, 2]))),
        ),
        (
            flag,
            "a small byte with a prefix",
            code,
            forged(&|p| p.set(&[7], Item::Raw(vec![0x81, 3]))),
        ),
        (
            "Variant",
            "a shape of proof that cole does not have",
            "decode.variant",
            honest.with_variant("hinted"),
        ),
    ]))
}

fn shapes(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    let list = || Item::List(Vec::new());
    Ok(honest.lies_of(
        "NotOfTheForm",
        "decode.shape",
        &[
            ("an item after the sources", &|p| p.items(|all| all.push(list()))),
            ("no sources", &|p| p.items(|all| _ = all.pop())),
            ("a string in place of the sources", &|p| *p.at(&[10]) = Item::bytes([1])),
            ("a list in place of the address", &|p| *p.at(&[2]) = list()),
            ("an address of 51 bytes", &|p| p.at(&[2]).bytes(|b| _ = b.pop())),
            ("an item after a source", &|p| p.at(&[10, 1]).items(|all| all.push(list()))),
            ("a source without items", &|p| *p.at(&[10, 1]) = list()),
            ("an unknown form of source", &|p| *p.at(&of(1, 0)) = Item::uint(4_u8)),
            ("a run with a tree's place", &|p| *p.at(&of(1, 4)) = list()),
            ("memory with a run's place", &|p| *p.at(&of(0, 4)) = Item::uint(1_u8)),
            ("a neighbour of 87 bytes", &|p| p.at(&of(1, LEFT)).bytes(|b| _ = b.pop())),
            ("a neighbour of two entries", &|p| p.at(&of(1, RIGHT)).bytes(|b| b.extend([0; 88]))),
            ("a version of 35 bytes", &|p| p.at(&of(1, VERSIONS)).bytes(|b| _ = b.pop())),
            ("levels of three bytes", &|p| p.at(&[9]).bytes(|b| _ = b.pop())),
        ],
    ))
}

/// Counts that no chain of these parameters reaches: refused before anything is read.
fn too_many(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.about(&query())?;
    Ok(honest.lies_of(
        "TooMany",
        "decode.limit",
        &[
            ("256 levels", &|p| p.at(&[9]).bytes(|b| b.resize(512, 0))),
            ("three in-memory trees", &|p| *p.at(&[8]) = Item::uint(3_u8)),
            ("more runs on a level than T", &|p| *p.at(&[9]) = Item::bytes([255, 255])),
        ],
    ))
}
