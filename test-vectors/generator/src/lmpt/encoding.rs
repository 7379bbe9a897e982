//! Malformed bytes, malformed questions, and configurations that do not fit.

use super::scene::{HEAD, Result, Scene, crowd, key};
use crate::case::{Case, Group, Setting, Source};
use crate::edit::{Edit as _, flip};
use crate::scene::{Scene as _, bad_lists, list, nested};
use lightproof_prover::error::StoreError;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::lmpt::Format;
use lightproof_prover::system::lmpt::prove::{Question, encode};

const PLAIN: &str = "plain";

/// Cases of `lmpt/1`.
pub(super) fn layered(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = shared(scene)?;
    let (_, list) = nested(&key("old"));
    let question = [("storage roots, which this format has not", list)];
    cases.extend(scene.honest(&[key("old")], PLAIN)?.questions(&question));
    Ok(cases)
}

/// Cases of `lmpt/conflux`.
pub(super) fn conflux(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = shared(scene)?;
    let honest = scene.honest(&[key("old")], PLAIN)?;
    let asked = scene.asked(&key("old"));
    let key = |parts: &[&[u8]]| list(&[parts.concat()]);
    let roots = Item::List(vec![Item::bytes(&asked), Item::bytes(&asked)]);
    cases.extend(honest.questions(&[
        ("an address of 19 bytes", key(&[&asked[..19]])),
        (
            "an address and a slot without what is asked between them",
            key(&[&asked[..20], &asked[24..]]),
        ),
        ("an unknown suffix", key(&[&asked[..20], b"nonce"])),
        ("bytes behind a deposit", key(&[&asked[..20], b"deposit", &[1]])),
        ("a mark of eSpace twice", key(&[&asked[..20], &[0x81, 0x81]])),
        ("storage roots of two keys in one", Item::List(vec![roots]).encode()),
    ]));
    let adjacent = honest.with_variant("adjacent");
    cases.push(adjacent.refused("Variant", "a variant of lmpt/1", "decode.variant"));
    Ok(cases)
}

/// Cases that both formats have.
// A table: one case after the other.
#[allow(clippy::too_many_lines)]
fn shared(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.honest(&[key("old")], PLAIN)?;
    let raw = |bytes: Vec<u8>| honest.with_proof(bytes);
    let flag = "NotCanonicalRlp";
    let mut cases = honest.not_rlp();
    let string = raw(vec![0x83, 1, 2, 3]);
    cases.push(string.refused(flag, "a string in place of the proof", "decode.shape"));
    cases.extend(honest.lies(&[(flag, "a root with a long length", "decode.rlp", &|proof| {
        proof.set(&[0], Item::Raw([&[0xb8, 32], [7; 32].as_slice()].concat()));
    })]));
    cases.extend(honest.lies_of(
        "BadShape",
        "decode.shape",
        &[
            ("a root of 31 bytes", &|proof| proof.at(&[1]).bytes(|root| root.truncate(31))),
            ("a root left out", &|proof| proof.remove(0)),
            ("a field too many", &|proof| proof.push(Item::List(vec![]))),
            ("a string in place of the keys' proofs", &|proof| proof.set(&[4], Item::bytes([]))),
            ("a string in place of a key's proof", &|proof| proof.set(&[4, 0], Item::bytes([]))),
            ("no fields", &|proof| proof.items(Vec::clear)),
        ],
    ));
    let empty = Item::List(vec![]);
    let of_none = match scene.config.format {
        Format::Layered => empty.clone(),
        Format::Conflux => Item::List(vec![empty.clone(); 3]),
    };
    let flag = "DenialOfService";
    cases.extend(honest.lies(&[(flag, "1,025 keys", "decode.limit", &|proof| {
        proof.set(&[4], Item::List(vec![of_none.clone(); 1_025]));
    })]));
    let nested = (0..3_000).fold(empty, |inner, _| Item::List(vec![inner])).encode();
    let comment = "3,000 lists inside each other";
    cases.push(raw(nested).refused(flag, comment, "decode.shape"));
    let flag = "BadRoot";
    for (index, name) in ["snapshot", "intermediate", "delta"].iter().enumerate() {
        let comment = format!("the {name} root changed");
        let edit = |proof: &mut Item| proof.at(&[index]).bytes(flip(1));
        cases.extend(honest.lies(&[(flag, &comment, "verify.root", &edit)]));
    }
    let pinned = |bytes: Vec<u8>| honest.with_source(Source::Root { number: HEAD, bytes });
    let other = pinned(scene.root(HEAD - 1)?);
    cases.push(other.refused(flag, "another root is trusted", "verify.root"));
    for length in [0, 31, 33, 63, 65] {
        let comment = format!("a pinned root of {length} bytes");
        cases.push(pinned(vec![1; length]).refused(flag, &comment, "input.request"));
    }
    let asked = scene.asked(&key("old"));
    let long = [asked.as_slice(), &vec![1; 1_025 - asked.len()]].concat();
    let many: Vec<_> = (0..1_025).map(|index| scene.asked(&crowd(index))).collect();
    cases.extend(honest.questions(&bad_lists(&asked, &long, &many)));
    Ok(cases)
}

/// Groups with configurations of their own.
pub(super) fn settings(layered: &Scene, conflux: &Scene) -> Result<Vec<Group>> {
    let group = |scene: &Scene, setting: Setting, comment: &str, code| {
        let claim = scene.honest(&[key("old")], PLAIN)?;
        Ok::<_, StoreError>(Group::of(setting, claim.refused("BadConfig", comment, code)))
    };
    let with = |scene: &Scene, format| Setting { format, ..scene.setting() };
    let params = layered.setting().pinning(b"params".to_vec());
    let digest = Setting { params: Vec::new(), ..params.clone() };
    // A key that both formats take.
    let both = Question { key: conflux.asked(&key("old")), storage_roots: false };
    let as_other = |scene: &Scene, setting: Setting, comment: &str| {
        let claim = scene.answer(HEAD, encode(std::slice::from_ref(&both)), PLAIN)?;
        let bytes = scene.root(HEAD)?[..32].to_vec();
        let claim = claim.with_source(Source::Root { number: HEAD, bytes });
        Ok::<_, StoreError>(Group::of(setting, claim.refused("BadConfig", comment, "decode.shape")))
    };
    let other = with(layered, "lmpt/conflux");
    Ok(vec![
        group(layered, with(layered, "lmpt/2"), "an unknown format", "input.config")?,
        group(layered, with(layered, "mpt/1"), "another system's format", "input.config")?,
        group(layered, digest, "a digest of parameters", "input.params")?,
        group(layered, params, "parameters", "input.params")?,
        as_other(layered, other, "a proof of lmpt/1 on a chain of lmpt/conflux")?,
        as_other(conflux, with(conflux, "lmpt/1"), "a proof of lmpt/conflux on a chain of lmpt/1")?,
        headers(layered)?,
        headers(conflux)?,
    ])
}

/// Roots from headers.
fn headers(scene: &Scene) -> Result<Group> {
    let lie = ("a commitment to another state", &[1; 32][..], "verify.root");
    let forged = ("a header that does not hash to the trusted hash", &[9; 32][..]);
    scene.headers(&[key("back")], PLAIN, 31, lie, Some(forged))
}
