//! Malformed bytes, malformed questions, and configurations that do not fit.

use super::scene::{Forged, HEAD, Result, Scene, crowd, key};
use crate::case::{Case, Expected, Group, Setting, Source, header_source, invalid, refused};
use crate::edit::{Edit as _, flip};
use lightproof_prover::chain::header::Header;
use lightproof_prover::hash::keccak256;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::lmpt::prove::{Question, encode};

const PLAIN: &str = "plain";

/// Cases of `lmpt/1`.
pub(super) fn layered(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = shared(scene)?;
    let list = |key: &[u8]| Item::List(vec![Item::List(vec![Item::bytes(key)])]).encode();
    cases.push(question(scene, "storage roots, which this format has not", list(&key("old")))?);
    Ok(cases)
}

/// Cases of `lmpt/conflux`.
pub(super) fn conflux(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = shared(scene)?;
    let asked = scene.asked(&key("old"));
    let key = |bytes: &[u8]| Item::List(vec![Item::bytes(bytes)]).encode();
    for (comment, bytes) in [
        ("an address of 19 bytes", &asked[..19]),
        (
            "an address and a slot without what is asked between them",
            &[&asked[..20], &asked[24..]].concat()[..],
        ),
        ("an unknown suffix", &[&asked[..20], b"nonce"].concat()[..]),
        ("bytes behind a deposit", &[&asked[..20], b"deposit", &[1]].concat()[..]),
        ("a mark of eSpace twice", &[&asked[..20], &[0x81, 0x81]].concat()[..]),
    ] {
        cases.push(question(scene, comment, key(bytes))?);
    }
    let roots =
        Item::List(vec![Item::List(vec![Item::bytes(&asked), Item::bytes(&asked)])]).encode();
    cases.push(question(scene, "storage roots of two keys in one", roots)?);
    let (source, query, _, proof) = scene.forged(&super::scene::key("old"), PLAIN, |_| ())?;
    cases.push(invalid(
        "Variant",
        "a variant of lmpt/1",
        (source, query, "adjacent", proof),
        "decode.variant",
    ));
    Ok(cases)
}

fn question(scene: &Scene, comment: &str, query: Vec<u8>) -> Result<Case> {
    let (source, _, variant, proof) = scene.forged(&key("old"), PLAIN, |_| ())?;
    Ok(invalid("BadQuery", comment, (source, query, variant, proof), "input.query"))
}

/// Cases that both formats have.
// A table: one case after the other.
#[allow(clippy::too_many_lines)]
fn shared(scene: &Scene) -> Result<Vec<Case>> {
    let role = key("old");
    let mut cases = Vec::new();
    let honest = scene.proof(HEAD, &scene.query(&[role]), PLAIN)?.encode();
    let raw = |bytes: Vec<u8>| {
        Ok::<Forged, lightproof_prover::error::StoreError>((
            scene.source(HEAD)?,
            scene.query(&[role]),
            PLAIN,
            bytes,
        ))
    };
    let flag = "NotCanonicalRlp";
    let long = [0xff; 8];
    cases.extend([
        invalid(
            flag,
            "a byte after the proof",
            raw([honest.as_slice(), &[0]].concat())?,
            "decode.rlp",
        ),
        invalid(
            flag,
            "the last byte cut off",
            raw(honest[..honest.len() - 1].to_vec())?,
            "decode.rlp",
        ),
        invalid(flag, "no bytes at all", raw(vec![])?, "decode.rlp"),
        invalid(
            flag,
            "a list of 2^64 - 1 bytes",
            raw([&[0xff], long.as_slice()].concat())?,
            "decode.rlp",
        ),
        invalid(flag, "a string in place of the proof", raw(vec![0x83, 1, 2, 3])?, "decode.shape"),
    ]);
    let with = |change: &dyn Fn(&mut Item)| scene.forged(&role, PLAIN, |proof| change(proof));
    cases.push(invalid(
        flag,
        "a root with a long length",
        with(&|proof| *proof.at(&[0]) = Item::Raw([&[0xb8, 32], [7; 32].as_slice()].concat()))?,
        "decode.rlp",
    ));
    cases.extend(refused(
        "BadShape",
        "decode.shape",
        with,
        &[
            ("a root of 31 bytes", &|proof| proof.at(&[1]).bytes(|root| root.truncate(31))),
            ("a root left out", &|proof| proof.items(|items| drop(items.remove(0)))),
            ("a field too many", &|proof| proof.items(|items| items.push(Item::List(vec![])))),
            ("a string in place of the keys' proofs", &|proof| *proof.at(&[4]) = Item::bytes([])),
            ("a string in place of a key's proof", &|proof| *proof.at(&[4, 0]) = Item::bytes([])),
            ("no fields", &|proof| proof.items(Vec::clear)),
        ],
    )?);
    let empty = Item::List(vec![]);
    let of_none = if scene.setting().format == "lmpt/1" {
        empty.clone()
    } else {
        Item::List(vec![empty.clone(); 3])
    };
    let many = with(&|proof| proof.at(&[4]).items(|keys| *keys = vec![of_none.clone(); 1_025]))?;
    cases.push(invalid("DenialOfService", "1,025 keys", many, "decode.limit"));
    let nested = (0..3_000).fold(empty, |inner, _| Item::List(vec![inner])).encode();
    cases.push(invalid(
        "DenialOfService",
        "3,000 lists inside each other",
        raw(nested)?,
        "decode.shape",
    ));
    for (index, name) in ["snapshot", "intermediate", "delta"].iter().enumerate() {
        let root = with(&|proof| proof.at(&[index]).bytes(flip(1)))?;
        cases.push(invalid("BadRoot", &format!("the {name} root changed"), root, "verify.root"));
    }
    let (_, query, variant, proof) = scene.forged(&role, PLAIN, |_| ())?;
    let pinned = |bytes: Vec<u8>| Source::Root { number: HEAD, bytes };
    let other = scene.view(HEAD - 1)?.commitment();
    let claim = |source| (source, query.clone(), variant, proof.clone());
    cases.push(invalid("BadRoot", "another root is trusted", claim(pinned(other)), "verify.root"));
    for length in [0, 31, 33, 63, 65] {
        let comment = format!("a pinned root of {length} bytes");
        cases.push(invalid("BadRoot", &comment, claim(pinned(vec![1; length])), "input.request"));
    }
    cases.extend(questions(scene)?);
    Ok(cases)
}

fn questions(scene: &Scene) -> Result<Vec<Case>> {
    let asked = scene.asked(&key("old"));
    let list =
        |keys: Vec<Vec<u8>>| Item::List(keys.into_iter().map(Item::Bytes).collect()).encode();
    let many = (0..1_025).map(|index| scene.asked(&crowd(index))).collect();
    let cases = [
        ("no key", list(vec![])),
        ("an empty key", list(vec![vec![]])),
        (
            "a key of 1,025 bytes",
            list(vec![[asked.as_slice(), &vec![1; 1_025 - asked.len()]].concat()]),
        ),
        ("the same key twice", list(vec![asked.clone(), asked.clone()])),
        ("1,025 keys", list(many)),
        ("a string in place of the list", Item::bytes(&asked).encode()),
        ("a byte after the list", [list(vec![asked.clone()]), vec![0]].concat()),
        ("no bytes", vec![]),
    ];
    cases.into_iter().map(|(comment, query)| question(scene, comment, query)).collect()
}

/// Groups with configurations of their own.
pub(super) fn settings(layered: &Scene, conflux: &Scene) -> Result<Vec<Group>> {
    let group = |scene: &Scene, setting: Setting, comment: &str, code| {
        let claim = scene.forged(&key("old"), PLAIN, |_| ())?;
        Ok::<_, lightproof_prover::error::StoreError>(Group {
            setting,
            cases: vec![invalid("BadConfig", comment, claim, code)],
        })
    };
    let with = |scene: &Scene, format| Setting { format, ..scene.setting() };
    let digest = Setting { params_digest: Some(keccak256(b"params")), ..layered.setting() };
    let params = Setting {
        params_digest: Some(keccak256(b"params")),
        params: b"params".to_vec(),
        ..layered.setting()
    };
    // A key that both formats take.
    let both = Question { key: conflux.asked(&key("old")), storage_roots: false };
    let as_other = |scene: &Scene, setting: Setting, comment: &str, root: usize, code| {
        let query = encode(std::slice::from_ref(&both));
        let proof = scene.proof(HEAD, &query, PLAIN)?.encode();
        let bytes = scene.view(HEAD)?.commitment()[..root].to_vec();
        let claim = (Source::Root { number: HEAD, bytes }, query, PLAIN, proof);
        Ok::<_, lightproof_prover::error::StoreError>(Group {
            setting,
            cases: vec![invalid("BadConfig", comment, claim, code)],
        })
    };
    Ok(vec![
        group(layered, with(layered, "lmpt/2"), "an unknown format", "input.config")?,
        group(layered, with(layered, "mpt/1"), "another system's format", "input.config")?,
        group(layered, digest, "a digest of parameters", "input.params")?,
        group(layered, params, "parameters", "input.params")?,
        as_other(
            layered,
            with(layered, "lmpt/conflux"),
            "a proof of lmpt/1 on a chain of lmpt/conflux",
            32,
            "decode.shape",
        )?,
        as_other(
            conflux,
            with(conflux, "lmpt/1"),
            "a proof of lmpt/conflux on a chain of lmpt/1",
            32,
            "decode.shape",
        )?,
        headers(layered)?,
        headers(conflux)?,
    ])
}

/// Roots from headers.
fn headers(scene: &Scene) -> Result<Group> {
    let asked = key("back");
    let query = scene.query(&[asked]);
    let proof = scene.proof(HEAD, &query, PLAIN)?.encode();
    let header = |commitments| Header::new([7; 32], HEAD, commitments).encode();
    let claim = |rlp: Vec<u8>| (header_source(&[rlp]), query.clone(), PLAIN, proof.clone());
    let lmpt = |bytes: &[u8]| vec![("lmpt".to_owned(), bytes.to_vec())];
    let mpt = || vec![("mpt".to_owned(), vec![1; 32])];
    let root = scene.view(HEAD)?.commitment();
    let (source, query_bytes, variant, proof_bytes) = claim(header([lmpt(&root), mpt()].concat()));
    let valid = Case {
        comment: "committed by a header, beside another system".to_owned(),
        flags: vec!["Header"],
        source: source.clone(),
        query: query_bytes,
        variant,
        proof: proof_bytes,
        expected: Expected::Valid(scene.fact(HEAD, &[asked])),
    };
    let mut forged = claim(header(lmpt(&root)));
    if let Source::Header { rlps, .. } = &mut forged.0 {
        rlps[0] = header(lmpt(&[9; 32]));
    }
    let genesis = Header::new([0; 32], 0, Vec::new());
    Ok(Group {
        setting: Setting { genesis_hash: genesis.hash(), ..scene.setting() },
        cases: vec![
            valid,
            invalid(
                "Header",
                "a header that commits to other systems only",
                claim(header(mpt())),
                "verify.commitment",
            ),
            invalid(
                "Header",
                "a commitment of 31 bytes",
                claim(header(lmpt(&root[..31]))),
                "verify.commitment",
            ),
            invalid(
                "Header",
                "a commitment to another state",
                claim(header(lmpt(&[1; 32]))),
                "verify.root",
            ),
            invalid(
                "Header",
                "a header that does not hash to the trusted hash",
                forged,
                "verify.header",
            ),
        ],
    })
}
