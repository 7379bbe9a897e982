//! `cole/1`: bytes that are no encoding of a proof.

use super::bounds::{LEFT, RIGHT, VERSIONS, of};
use super::edit::Edit as _;
use super::scene::{HEAD, Scene, hot, invalid, range};
use crate::rlp::Item;
use crate::system::cole::EngineError;
use crate::system::cole::prove::Query;
use crate::vectors::case::Case;

/// Every case of this file.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>, EngineError> {
    let mut cases = canonical(scene)?;
    cases.extend(shapes(scene)?);
    Ok(cases)
}

fn query() -> Query {
    range(hot(), HEAD - 20, HEAD)
}

fn canonical(scene: &Scene) -> Result<Vec<Case>, EngineError> {
    let query = query();
    let forged = |change: &dyn Fn(&mut Item)| scene.forged(&query, change);
    let raw = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut claim = scene.forged(&query, |_| ())?;
        change(&mut claim.2);
        Ok::<_, EngineError>(claim)
    };
    let flag = "NotCanonical";
    let mut variant = invalid(
        "Variant",
        "a shape of proof that cole does not have",
        forged(&|_| ())?,
        "decode.variant",
    );
    variant.variant = "hinted";
    Ok(vec![
        invalid(flag, "a byte after the proof", raw(&|bytes| bytes.push(0))?, "decode.rlp"),
        invalid(flag, "the last byte missing", raw(&|bytes| _ = bytes.pop())?, "decode.rlp"),
        invalid(flag, "no bytes", raw(&Vec::clear)?, "decode.rlp"),
        invalid(
            flag,
            "a height with a leading zero",
            forged(&|p| *p.at(&[5]) = Item::bytes([0, 39]))?,
            "decode.rlp",
        ),
        invalid(
            flag,
            "a position with a leading zero",
            forged(&|p| *p.at(&of(1, 4)) = Item::bytes([0, 2]))?,
            "decode.rlp",
        ),
        invalid(
            flag,
            "a small byte with a prefix",
            forged(&|p| *p.at(&[7]) = Item::Raw(vec![0x81, 3]))?,
            "decode.rlp",
        ),
        variant,
    ])
}

fn shapes(scene: &Scene) -> Result<Vec<Case>, EngineError> {
    let query = query();
    let forged = |change: &dyn Fn(&mut Item)| scene.forged(&query, change);
    let list = || Item::List(Vec::new());
    let flag = "NotOfTheForm";
    Ok(vec![
        invalid(
            flag,
            "an item after the sources",
            forged(&|p| p.items(|all| all.push(list())))?,
            "decode.shape",
        ),
        invalid(flag, "no sources", forged(&|p| p.items(|all| _ = all.pop()))?, "decode.shape"),
        invalid(
            flag,
            "a string in place of the sources",
            forged(&|p| *p.at(&[10]) = Item::bytes([1]))?,
            "decode.shape",
        ),
        invalid(
            flag,
            "a list in place of the address",
            forged(&|p| *p.at(&[2]) = list())?,
            "decode.shape",
        ),
        invalid(
            flag,
            "an address of 51 bytes",
            forged(&|p| p.at(&[2]).bytes(|b| _ = b.pop()))?,
            "decode.shape",
        ),
        invalid(
            flag,
            "an item after a source",
            forged(&|p| p.at(&[10, 1]).items(|all| all.push(list())))?,
            "decode.shape",
        ),
        invalid(
            flag,
            "a source without items",
            forged(&|p| *p.at(&[10, 1]) = list())?,
            "decode.shape",
        ),
        invalid(
            flag,
            "an unknown form of source",
            forged(&|p| *p.at(&of(1, 0)) = Item::uint(4_u8))?,
            "decode.shape",
        ),
        invalid(
            flag,
            "a run with a tree's place",
            forged(&|p| *p.at(&of(1, 4)) = list())?,
            "decode.shape",
        ),
        invalid(
            flag,
            "memory with a run's place",
            forged(&|p| *p.at(&of(0, 4)) = Item::uint(1_u8))?,
            "decode.shape",
        ),
        invalid(
            flag,
            "a neighbour of 87 bytes",
            forged(&|p| p.at(&of(1, LEFT)).bytes(|b| _ = b.pop()))?,
            "decode.shape",
        ),
        invalid(
            flag,
            "a neighbour of two entries",
            forged(&|p| p.at(&of(1, RIGHT)).bytes(|b| b.extend([0; 88])))?,
            "decode.shape",
        ),
        invalid(
            flag,
            "a version of 35 bytes",
            forged(&|p| p.at(&of(1, VERSIONS)).bytes(|b| _ = b.pop()))?,
            "decode.shape",
        ),
        invalid(
            flag,
            "levels of three bytes",
            forged(&|p| p.at(&[9]).bytes(|b| _ = b.pop()))?,
            "decode.shape",
        ),
        invalid(
            "TooMany",
            "256 levels",
            forged(&|p| p.at(&[9]).bytes(|b| b.resize(512, 0)))?,
            "decode.limit",
        ),
    ])
}
