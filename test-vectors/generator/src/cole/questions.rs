//! Answers to other questions, malformed questions, and configurations that do not fit.

use super::scene::{HEAD, Scene, as_of, hot, range, rare};
use crate::case::{Case, Group, Setting, refusals};
use crate::edit::Edit as _;
use crate::scene::{Result, Scene as _};
use lightproof_prover::rlp::Item;
use lightproof_prover::system::PLAIN;
use lightproof_prover::system::cole::prove::Query;

/// Every case of this file that needs no configuration of its own.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = answers(scene)?;
    cases.extend(malformed(scene)?);
    Ok(cases)
}

/// Nothing of the range is in the state: with all sources skipped, it would be proven empty and
/// complete.
pub(super) fn after(scene: &Scene) -> Result<Vec<Case>> {
    let claim = |from, to| scene.about(&range(hot(), from, to));
    let code = "verify.query";
    Ok(refusals([
        ("AfterRoot", "by one block", code, claim(HEAD + 1, HEAD + 1)?),
        ("AfterRoot", "by many blocks", code, claim(HEAD + 1000, u32::MAX)?),
    ]))
}

fn answers(scene: &Scene) -> Result<Vec<Case>> {
    let asked = range(hot(), 20, HEAD);
    let honest = scene.about(&asked)?;
    let field =
        |index: usize, value: u64| honest.edited(|proof| proof.set(&[index], Item::uint(value)));
    let mut others = Vec::new();
    let mut dressed = Vec::new();
    let (early, latest) = (range(hot(), 20, HEAD - 1), as_of(hot(), HEAD));
    for (comment, query, code) in [
        ("about another address", range(rare(), 20, HEAD), "verify.boundary"),
        ("about a wider range", range(hot(), 19, HEAD), "verify.order"),
        ("about a narrower range", range(hot(), 21, HEAD), "verify.boundary"),
        ("about a range that ends earlier", early, "verify.boundary"),
        ("about the latest value", latest, "verify.boundary"),
    ] {
        let other = scene.about(&query)?.with_query(honest.query.clone());
        // The fields say what was asked; the rest answers another question.
        let dress = other.edited(|proof| {
            proof.set(&[0], Item::uint(u8::from(asked.as_of)));
            proof.set(&[2], Item::bytes(asked.address));
            proof.set(&[3], Item::uint(asked.from));
            proof.set(&[4], Item::uint(asked.to));
        });
        let flag = "OtherQuestion";
        others.push(other.refused(flag, comment, "verify.query"));
        dressed.push(dress.refused(flag, &format!("{comment}, dressed up"), code));
    }
    // The address is part of every version's hash.
    dressed[..4].rotate_left(1);
    let (flag, code) = ("OtherQuestion", "verify.query");
    others.extend(refusals([
        (flag, "with m of another chain", code, field(6, 8)),
        (flag, "with T of another chain", code, field(7, 4)),
        (flag, "with another height", code, field(5, 38)),
        ("OtherSystem", "of COLE*", code, field(1, 1)),
        ("OtherSystem", "of a system that is none", code, field(1, 2)),
    ]));
    others.extend(dressed);
    Ok(others)
}

fn malformed(scene: &Scene) -> Result<Vec<Case>> {
    let ask = |mode: u64, address: &[u8], from: u64, to: u64| {
        let [mode, from, to] = [mode, from, to].map(Item::uint);
        Item::List(vec![mode, Item::bytes(address), from, to]).encode()
    };
    let address = hot();
    Ok(scene.about(&range(address, 1, HEAD))?.questions(&[
        ("an unknown mode", ask(2, &address, 1, 2)),
        ("from after to", ask(0, &address, 2, 1)),
        ("as of two blocks", ask(1, &address, 1, 2)),
        ("an address of 20 bytes", ask(0, &address[..20], 1, 2)),
        ("a block number of five bytes", ask(0, &address, 1, 1 << 32)),
    ]))
}

/// Groups with configurations of their own.
pub(super) fn settings(one: &Scene, paper: &Scene) -> Result<Vec<Group>> {
    let query: Query = range(hot(), 20, HEAD);
    let list =
        |items: &[u64]| Item::List(items.iter().map(|item| Item::uint(*item)).collect()).encode();
    let format = |scene: &Scene, format| Setting { format, ..scene.setting() };
    let pinned = |scene: &Scene, items: &[u64]| scene.setting().pinning(list(items));
    let other = Setting { params: list(&[0, 4, 4]), ..one.setting() };
    let unpinned = Setting { params_digest: None, ..one.setting() };
    let (params, shape) = ("input.params", "decode.shape");
    let table = [
        (one, format(one, "cole/2"), "an unknown format", "input.config"),
        (one, other, "parameters that do not hash to the digest", params),
        (one, unpinned, "no digest of parameters", params),
        (one, pinned(one, &[2, 4, 3]), "an unknown system", params),
        (one, pinned(one, &[0, 1, 3]), "m = 1", params),
        (one, pinned(one, &[0, 257, 3]), "m = 257", params),
        (one, pinned(one, &[0, 4, 1]), "T = 1", params),
        (one, pinned(one, &[0, 4, 3, 0]), "a parameter too many", params),
        (one, pinned(one, &[1, 4, 3]), "COLE's proof on a chain of COLE*", "verify.query"),
        (one, format(one, "cole/fast24"), "a proof of cole/1 on a chain of cole/fast24", shape),
        (paper, format(paper, "cole/1"), "a proof of cole/fast24 on a chain of cole/1", shape),
        // fast24 commits to neither system nor m.
        (
            paper,
            pinned(paper, &[1, 4, 3]),
            "the authors' COLE proof on a chain of COLE*",
            "verify.source",
        ),
        (
            paper,
            pinned(paper, &[0, 8, 3]),
            "the authors' proof on a chain with m = 8",
            "verify.incomplete",
        ),
    ];
    let group = |(scene, setting, comment, code): (&Scene, Setting, &str, _)| {
        Ok(Group::of(setting, scene.about(&query)?.refused("BadConfig", comment, code)))
    };
    let mut groups = table.into_iter().map(group).collect::<Result<Vec<_>>>()?;
    let lie = ("a commitment to another state", &[1; 32][..], "verify.root");
    groups.push(one.headers(&as_of(rare(), HEAD), PLAIN, 31, lie, None)?);
    Ok(groups)
}
