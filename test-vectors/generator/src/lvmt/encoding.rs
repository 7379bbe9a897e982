//! Malformed bytes, malformed questions, and roots from headers.

use super::scene::{HEAD, Result, Scene, query};
use crate::case::{Case, Expected, Group, Setting, Source, header_source, invalid, refused};
use crate::edit::Edit as _;
use lightproof_prover::chain::header::Header;
use lightproof_prover::rlp::Item;

/// Cases about bytes that are no proof.
// A table: one case after the other.
#[allow(clippy::too_many_lines)]
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let keys = [scene.key("deep", 11)];
    let honest = scene.proof(HEAD, &keys, "hybrid")?.encode();
    let raw = |bytes: Vec<u8>| (scene.source(HEAD), query(&keys), "hybrid", bytes);
    let with = |change: &dyn Fn(&mut Item)| scene.forged(&keys, "hybrid", |proof| change(proof));
    let named = |variant: &'static str| (scene.source(HEAD), query(&keys), variant, honest.clone());
    let flag = "NotCanonicalRlp";
    let long = [0xff; 8];
    let mut cases = vec![
        invalid(
            flag,
            "a byte after the proof",
            raw([honest.as_slice(), &[0]].concat()),
            "decode.rlp",
        ),
        invalid(flag, "no bytes at all", raw(vec![]), "decode.rlp"),
        invalid(
            flag,
            "a list of 2^64 - 1 bytes",
            raw([&[0xff], long.as_slice()].concat()),
            "decode.rlp",
        ),
        invalid(flag, "a string in place of the proof", raw(vec![0x83, 1, 2, 3]), "decode.shape"),
        invalid(
            flag,
            "a level with a leading zero",
            with(&|proof| *proof.at(&[2, 0, 1]) = Item::bytes([0, 2]))?,
            "decode.rlp",
        ),
    ];
    for end in [1, 2, honest.len() / 2, honest.len() - 1] {
        let comment = format!("cut off after {end} bytes");
        cases.push(invalid(flag, &comment, raw(honest[..end].to_vec()), "decode.rlp"));
    }
    let flag = "Variant";
    for variant in ["kzg", "fold", "pairs"] {
        cases.push(invalid(
            flag,
            &format!("a hybrid said to be {variant}"),
            named(variant),
            "decode.shape",
        ));
    }
    cases.push(invalid(flag, "an unknown variant", named("plain"), "decode.variant"));
    for depth in [0_u64, 8, 9, 255, 256] {
        let forged = with(&|proof| *proof.at(&[0]) = Item::uint(depth))?;
        cases.push(invalid(flag, &format!("a hybrid of depth {depth}"), forged, "decode.shape"));
    }
    let remove = |path: &'static [usize], index: usize| {
        move |proof: &mut Item| proof.at(path).items(|items| drop(items.remove(index)))
    };
    cases.extend(refused(
        "BadShape",
        "decode.shape",
        with,
        &[
            ("no depth", &remove(&[], 0)),
            ("no answers", &remove(&[], 2)),
            ("a field too many", &|proof| proof.items(|items| items.push(Item::List(vec![])))),
            ("no answer for the key", &remove(&[2], 0)),
            ("an answer too many", &|proof| {
                proof.at(&[2]).items(|all| all.extend(all.first().cloned()));
            }),
            ("a kind of 2", &|proof| *proof.at(&[2, 0, 0]) = Item::uint(2_u8)),
            ("a present key without fields", &|proof| {
                proof.at(&[2, 0]).items(|items| items.truncate(3));
            }),
            ("a field too many in an answer", &|proof| {
                proof.at(&[2, 0]).items(|items| items.push(Item::bytes([])));
            }),
            ("no leaves", &|proof| proof.at(&[2, 0, 2]).items(Vec::clear)),
            ("no levels", &|proof| {
                *proof.at(&[2, 0, 1]) = Item::uint(0_u8);
                proof.at(&[2, 0, 2]).items(Vec::clear);
            }),
            ("a level more than leaves", &|proof| proof.at(&[2, 0, 1]).add(1)),
            ("a level less than leaves", &|proof| proof.at(&[2, 0, 1]).add(-1)),
            ("32 levels", &|proof| *proof.at(&[2, 0, 1]) = Item::uint(32_u8)),
            ("256 levels", &|proof| *proof.at(&[2, 0, 1]) = Item::uint(256_u16)),
            ("2^64 - 1 levels", &|proof| *proof.at(&[2, 0, 1]) = Item::uint(u64::MAX)),
            ("the last leaf left out", &remove(&[2, 0, 2], 4)),
        ],
    )?);
    // What stands behind it is read in its place.
    cases.push(invalid(
        "BadShape",
        "a leaf left out",
        with(&remove(&[2, 0, 2], 2))?,
        "decode.scalar",
    ));
    cases.push(invalid(
        "BadShape",
        "a sub-AMT left out",
        with(&remove(&[2, 0, 2], 1))?,
        "decode.point",
    ));
    cases.extend(refused(
        "BadShape",
        "decode.shape",
        with,
        &[
            ("slot 0", &|proof| *proof.at(&[2, 0, 3]) = Item::uint(0_u8)),
            ("slot 6", &|proof| *proof.at(&[2, 0, 3]) = Item::uint(6_u8)),
            ("slot 9", &|proof| *proof.at(&[2, 0, 3]) = Item::uint(9_u8)),
            ("slot 2^64 - 1", &|proof| *proof.at(&[2, 0, 3]) = Item::uint(u64::MAX)),
            ("a list in place of the value", &|proof| *proof.at(&[2, 0, 4]) = Item::List(vec![])),
            ("a block that is not there", &|proof| *proof.at(&[2, 0, 5, 0]) = Item::uint(9_u8)),
            ("block 2^64 - 1", &|proof| *proof.at(&[2, 0, 5, 0]) = Item::uint(u64::MAX)),
            ("a field too many in a place", &|proof| {
                proof.at(&[2, 0, 5]).items(|items| items.push(Item::bytes([])));
            }),
            ("a field too many in a block", &|proof| {
                proof.at(&[1, 0]).items(|items| items.push(Item::bytes([])));
            }),
            ("a block twice", &|proof| {
                proof.at(&[1]).items(|blocks| blocks.extend(blocks.last().cloned()));
            }),
            ("a block of no tuple", &|proof| {
                let unused = Item::List(vec![Item::uint(HEAD), Item::uint(1_u8), Item::bytes([])]);
                proof.at(&[1]).items(|blocks| blocks.push(unused.clone()));
            }),
            ("a commitment of 31 bytes in a list of two", &|proof| {
                *proof.at(&[2, 0, 2, 1]) = Item::bytes([1; 31]);
            }),
        ],
    )?);
    let full = [scene.key("full", 5), scene.key("deep", 12)];
    let backward =
        scene.forged(&full, "hybrid", |proof| proof.at(&[1]).items(|blocks| blocks.reverse()))?;
    cases.push(invalid("BadShape", "blocks that do not ascend", backward, "decode.shape"));
    // A leaf that an answer before gave.
    let both = [scene.key("pair", 0), scene.key("pair", 1)];
    let twice = scene.forged(&both, "hybrid", |proof| {
        let leaves = proof.at(&[2, 0, 2]).clone();
        *proof.at(&[2, 1, 2]) = leaves;
    })?;
    cases.push(invalid("BadShape", "a leaf given twice", twice, "decode.shape"));
    let swapped = scene
        .forged(&both, "hybrid", |proof| proof.at(&[2]).items(|answers| answers.swap(0, 1)))?;
    cases.push(invalid(
        "BadShape",
        "answers exchanged: the first has no leaf",
        swapped,
        "decode.shape",
    ));
    let nested = (0..3_000).fold(Item::List(vec![]), |inner, _| Item::List(vec![inner])).encode();
    cases.push(invalid("BadShape", "3,000 lists inside each other", raw(nested), "decode.shape"));
    cases.extend(questions(scene)?);
    cases.extend(roots(scene)?);
    Ok(cases)
}

fn questions(scene: &Scene) -> Result<Vec<Case>> {
    let key = scene.key("pair", 0);
    let list =
        |keys: Vec<Vec<u8>>| Item::List(keys.into_iter().map(Item::Bytes).collect()).encode();
    let many =
        (0..1_025_u32).map(|index| [key.as_slice(), &index.to_be_bytes()].concat()).collect();
    [
        ("no key", list(vec![])),
        ("an empty key", list(vec![vec![]])),
        ("a key of 1,025 bytes", list(vec![vec![1; 1_025]])),
        ("the same key twice", list(vec![key.clone(), key.clone()])),
        ("1,025 keys", list(many)),
        (
            "a list in place of a key",
            Item::List(vec![Item::List(vec![Item::bytes(&key)])]).encode(),
        ),
        ("a string in place of the list", Item::bytes(&key).encode()),
        ("a byte after the list", [list(vec![key.clone()]), vec![0]].concat()),
        ("no bytes", vec![]),
    ]
    .into_iter()
    .map(|(comment, query)| {
        let (source, _, variant, proof) =
            scene.forged(&[scene.key("pair", 0)], "hybrid", |_| ())?;
        Ok(invalid("BadQuery", comment, (source, query, variant, proof), "input.query"))
    })
    .collect()
}

fn roots(scene: &Scene) -> Result<Vec<Case>> {
    let (_, query, variant, proof) = scene.forged(&[scene.key("pair", 0)], "hybrid", |_| ())?;
    let claim = |bytes: Vec<u8>| {
        (Source::Root { number: HEAD, bytes }, query.clone(), variant, proof.clone())
    };
    let root = scene.root(HEAD);
    let mut cases = Vec::new();
    for length in [0, 31, 32, 63] {
        let comment = format!("a pinned root of {length} bytes");
        cases.push(invalid("BadRoot", &comment, claim(root[..length].to_vec()), "input.request"));
    }
    let longer = [root.as_slice(), &[0]].concat();
    cases.push(invalid("BadRoot", "a pinned root of 65 bytes", claim(longer), "input.request"));
    let no_point = [&[0xff; 32], &root[32..]].concat();
    cases.push(invalid("BadRoot", "an aroot that is no point", claim(no_point), "input.request"));
    Ok(cases)
}

/// Roots from headers.
pub(super) fn headers(scene: &Scene) -> Result<Group> {
    let keys = [scene.key("deep", 0), scene.key("crowd", 30)];
    let proof = scene.proof(HEAD, &keys, "hybrid")?.encode();
    let header = |commitments| Header::new([7; 32], HEAD, commitments).encode();
    let claim = |rlp: Vec<u8>| (header_source(&[rlp]), query(&keys), "hybrid", proof.clone());
    let lvmt = |bytes: &[u8]| vec![("lvmt".to_owned(), bytes.to_vec())];
    let mpt = || vec![("mpt".to_owned(), vec![1; 32])];
    let root = scene.root(HEAD);
    let (source, query_bytes, variant, proof_bytes) = claim(header([lvmt(&root), mpt()].concat()));
    let valid = Case {
        comment: "committed by a header, beside another system".to_owned(),
        flags: vec!["Header"],
        source,
        query: query_bytes,
        variant,
        proof: proof_bytes,
        expected: Expected::Valid(scene.fact(HEAD, &keys)),
    };
    let mut forged = claim(header(lvmt(&root)));
    if let Source::Header { rlps, .. } = &mut forged.0 {
        rlps[0] = header(lvmt(&scene.root(0)));
    }
    let genesis = Header::new([0; 32], 0, Vec::new());
    let none = "verify.commitment";
    Ok(Group {
        setting: Setting { genesis_hash: genesis.hash(), ..scene.setting() },
        cases: vec![
            valid,
            invalid(
                "Header",
                "a header that commits to other systems only",
                claim(header(mpt())),
                none,
            ),
            invalid("Header", "a commitment of 63 bytes", claim(header(lvmt(&root[..63]))), none),
            invalid(
                "Header",
                "a commitment to another state",
                claim(header(lvmt(&scene.root(0)))),
                "verify.merkle",
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

/// Cases of `lvmt/osdi23` alone.
pub(super) fn osdi23(scene: &Scene) -> Result<Vec<Case>> {
    let keys = [scene.key("pair", 0)];
    let claim = || scene.forged(&keys, "pairs", |_| ());
    let with = |change: &dyn Fn(&mut Item)| scene.forged(&keys, "pairs", |proof| change(proof));
    let mut cases = Vec::new();
    let (source, _, variant, proof) = claim()?;
    let short = (source, query(&[vec![1; 31]]), variant, proof);
    cases.push(invalid("BadQuery", "a key of 31 bytes", short, "input.query"));
    // Root and depth of block 4 stand behind aroot and those of four blocks.
    let at = 64 + 33 * 4;
    let root = |change: &dyn Fn(&mut Vec<u8>), code| {
        let (_, query, variant, proof) = claim()?;
        let mut bytes = scene.root(HEAD);
        change(&mut bytes);
        let source = Source::Root { number: HEAD, bytes };
        Ok::<_, lightproof_prover::error::StoreError>(((source, query, variant, proof), code))
    };
    for (comment, (claim, code)) in [
        ("a block with another root", root(&|bytes| bytes[at] ^= 1, "verify.merkle")?),
        ("an empty block", root(&|bytes| bytes[at..at + 32].fill(0), "verify.path")?),
        ("a block of another depth", root(&|bytes| bytes[at + 32] += 1, "verify.path")?),
        ("a block left out", root(&|bytes| drop(bytes.drain(at..at + 33)), "input.request")?),
        ("half a block", root(&|bytes| bytes.truncate(bytes.len() - 16), "input.request")?),
        ("an aroot that is no point", root(&|bytes| bytes[..64].fill(1), "input.request")?),
        ("aroot of no state", root(&|bytes| bytes[..64].fill(0), "verify.opening")?),
    ] {
        cases.push(invalid("BadRoot", comment, claim, code));
    }
    for (comment, change, code) in [
        (
            "a position with a high bit",
            &(|proof: &mut Item| proof.at(&[2, 0, 5, 1]).add(1 << 40)) as &dyn Fn(&mut Item),
            "verify.path",
        ),
        (
            "a path cut short",
            &|proof| proof.at(&[2, 0, 5, 2]).bytes(|bytes| bytes.truncate(bytes.len() - 32)),
            "verify.path",
        ),
        ("the next block", &|proof| proof.at(&[1, 0, 0]).add(1), "verify.path"),
        (
            "a block after the last",
            &|proof| *proof.at(&[1, 0, 0]) = Item::uint(HEAD + 1),
            "verify.order",
        ),
        (
            "a block with a count",
            &|proof| proof.at(&[1, 0]).items(|items| items.push(Item::uint(7_u8))),
            "decode.shape",
        ),
    ] {
        cases.push(invalid("MerklePlace", comment, with(change)?, code));
    }
    for (comment, change) in [
        ("a point off the curve", &(|bytes: &mut Vec<u8>| bytes[63] ^= 1) as &dyn Fn(&mut Vec<u8>)),
        ("a coordinate over the modulus", &|bytes| bytes[..32].fill(0xff)),
    ] {
        let forged = with(&|proof| proof.at(&[2, 0, 2, 0, 1]).bytes(|bytes| change(bytes)))?;
        cases.push(invalid("BadPoint", comment, forged, "decode.point"));
    }
    let absent = [scene.key("full", 5)];
    let short = scene.forged(&absent, "pairs", |proof| {
        *proof.at(&[2, 0, 3, 0, 2, 0]) = Item::bytes([9; 31]);
    })?;
    cases.push(invalid("NotAbsent", "an owner of 31 bytes", short, "verify.absence"));
    Ok(cases)
}
