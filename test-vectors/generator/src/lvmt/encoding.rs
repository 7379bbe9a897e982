//! Malformed bytes, malformed questions, and roots from headers.

use super::scene::{HEAD, Result, Scene};
use crate::case::{Case, Claim, Group, Lie, Source};
use crate::edit::Edit as _;
use crate::scene::{Scene as _, bad_lists};
use lightproof_prover::rlp::Item;

/// Cases about bytes that are no proof.
// A table: one case after the other.
#[allow(clippy::too_many_lines)]
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let keys = [scene.key("deep", 11)];
    let honest = scene.honest(&keys, "hybrid")?;
    let flag = "NotCanonicalRlp";
    let raw = |proof| honest.with_proof(proof);
    let mut cases = honest.not_rlp();
    // Cuts are below.
    cases.remove(1);
    let string = raw(vec![0x83, 1, 2, 3]);
    cases.push(string.refused(flag, "a string in place of the proof", "decode.shape"));
    cases.extend(honest.lies(&[(flag, "a level with a leading zero", "decode.rlp", &|proof| {
        proof.set(&[2, 0, 1], Item::bytes([0, 2]));
    })]));
    let whole = &honest.proof;
    for end in [1, 2, whole.len() / 2, whole.len() - 1] {
        let comment = format!("cut off after {end} bytes");
        cases.push(raw(whole[..end].to_vec()).refused(flag, &comment, "decode.rlp"));
    }
    let flag = "Variant";
    for variant in ["kzg", "fold", "pairs"] {
        let comment = format!("a hybrid said to be {variant}");
        cases.push(honest.with_variant(variant).refused(flag, &comment, "decode.shape"));
    }
    let unknown = honest.with_variant("plain");
    cases.push(unknown.refused(flag, "an unknown variant", "decode.variant"));
    for depth in [0_u64, 8, 9, 255, 256] {
        let comment = format!("a hybrid of depth {depth}");
        let set = |proof: &mut Item| proof.set(&[0], Item::uint(depth));
        cases.extend(honest.lies_of(flag, "decode.shape", &[(&comment, &set)]));
    }
    let remove =
        |path: &'static [usize], index: usize| move |proof: &mut Item| proof.at(path).remove(index);
    cases.extend(honest.lies_of(
        "BadShape",
        "decode.shape",
        &[
            ("no depth", &remove(&[], 0)),
            ("no answers", &remove(&[], 2)),
            ("a field too many", &|proof| proof.push(Item::List(vec![]))),
            ("no answer for the key", &remove(&[2], 0)),
            ("an answer too many", &|proof| {
                proof.at(&[2]).items(|all| all.extend(all.first().cloned()));
            }),
            ("a kind of 2", &|proof| proof.set(&[2, 0, 0], Item::uint(2_u8))),
            ("a present key without fields", &|proof| {
                proof.at(&[2, 0]).items(|items| items.truncate(3));
            }),
            ("a field too many in an answer", &|proof| {
                proof.at(&[2, 0]).push(Item::bytes([]));
            }),
            ("no leaves", &|proof| proof.at(&[2, 0, 2]).items(Vec::clear)),
            ("no levels", &|proof| {
                proof.set(&[2, 0, 1], Item::uint(0_u8));
                proof.at(&[2, 0, 2]).items(Vec::clear);
            }),
            ("a level more than leaves", &|proof| proof.at(&[2, 0, 1]).add(1)),
            ("a level less than leaves", &|proof| proof.at(&[2, 0, 1]).add(-1)),
            ("32 levels", &|proof| proof.set(&[2, 0, 1], Item::uint(32_u8))),
            ("256 levels", &|proof| proof.set(&[2, 0, 1], Item::uint(256_u16))),
            ("2^64 - 1 levels", &|proof| proof.set(&[2, 0, 1], Item::uint(u64::MAX))),
            ("the last leaf left out", &remove(&[2, 0, 2], 4)),
        ],
    ));
    // What stands behind it is read in its place.
    cases.extend(honest.lies(&[
        ("BadShape", "a leaf left out", "decode.scalar", &remove(&[2, 0, 2], 2)),
        ("BadShape", "a sub-AMT left out", "decode.point", &remove(&[2, 0, 2], 1)),
    ]));
    cases.extend(honest.lies_of(
        "BadShape",
        "decode.shape",
        &[
            ("slot 0", &|proof| proof.set(&[2, 0, 3], Item::uint(0_u8))),
            ("slot 6", &|proof| proof.set(&[2, 0, 3], Item::uint(6_u8))),
            ("slot 9", &|proof| proof.set(&[2, 0, 3], Item::uint(9_u8))),
            ("slot 2^64 - 1", &|proof| proof.set(&[2, 0, 3], Item::uint(u64::MAX))),
            ("a list in place of the value", &|proof| proof.set(&[2, 0, 4], Item::List(vec![]))),
            ("a block that is not there", &|proof| proof.set(&[2, 0, 5, 0], Item::uint(9_u8))),
            ("block 2^64 - 1", &|proof| proof.set(&[2, 0, 5, 0], Item::uint(u64::MAX))),
            ("a field too many in a place", &|proof| {
                proof.at(&[2, 0, 5]).push(Item::bytes([]));
            }),
            ("a field too many in a block", &|proof| {
                proof.at(&[1, 0]).push(Item::bytes([]));
            }),
            ("a block twice", &|proof| {
                proof.at(&[1]).items(|blocks| blocks.extend(blocks.last().cloned()));
            }),
            ("a block of no tuple", &|proof| {
                let unused = Item::List(vec![Item::uint(HEAD), Item::uint(1_u8), Item::bytes([])]);
                proof.at(&[1]).items(|blocks| blocks.push(unused.clone()));
            }),
            ("a commitment of 31 bytes in a list of two", &|proof| {
                proof.set(&[2, 0, 2, 1], Item::bytes([1; 31]));
            }),
        ],
    ));
    let full = scene.honest(&[scene.key("full", 5), scene.key("deep", 12)], "hybrid")?;
    cases.extend(full.lies_of(
        "BadShape",
        "decode.shape",
        &[("blocks that do not ascend", &|proof| {
            proof.at(&[1]).items(|blocks| blocks.reverse());
        })],
    ));
    let both = scene.honest(&[scene.key("pair", 0), scene.key("pair", 1)], "hybrid")?;
    cases.extend(both.lies_of(
        "BadShape",
        "decode.shape",
        &[
            // A leaf that an answer before gave.
            ("a leaf given twice", &|proof| proof.copy(&[2, 0, 2], &[2, 1, 2])),
            ("answers exchanged: the first has no leaf", &|proof| proof.at(&[2]).swap(0, 1)),
        ],
    ));
    let nested = (0..3_000).fold(Item::List(vec![]), |inner, _| Item::List(vec![inner])).encode();
    let comment = "3,000 lists inside each other";
    cases.push(raw(nested).refused("BadShape", comment, "decode.shape"));
    let key = scene.key("pair", 0);
    let many = |index: u32| [key.as_slice(), &index.to_be_bytes()].concat();
    let mut questions = bad_lists(&key, &[1; 1_025], &(0..1_025).map(many).collect::<Vec<_>>());
    questions.insert(5, crate::scene::nested(&key));
    let honest = scene.honest(&[key], "hybrid")?;
    cases.extend(honest.questions(&questions));
    cases.extend(roots(scene, &honest)?);
    Ok(cases)
}

fn roots(scene: &Scene, honest: &Claim) -> Result<Vec<Case>> {
    let root = scene.root(HEAD)?;
    let mut cases = Vec::new();
    let mut case = |comment: &str, bytes: Vec<u8>| {
        let claim = honest.with_source(Source::Root { number: HEAD, bytes });
        cases.push(claim.refused("BadRoot", comment, "input.request"));
    };
    for length in [0, 31, 32, 63] {
        case(&format!("a pinned root of {length} bytes"), root[..length].to_vec());
    }
    case("a pinned root of 65 bytes", [root.as_slice(), &[0]].concat());
    case("an aroot that is no point", [&[0xff; 32], &root[32..]].concat());
    Ok(cases)
}

/// Roots from headers.
pub(super) fn headers(scene: &Scene) -> Result<Group> {
    let keys = [scene.key("deep", 0), scene.key("crowd", 30)];
    let old = scene.root(0)?;
    let lie = ("a commitment to another state", old.as_slice(), "verify.merkle");
    let forged = ("a header that does not hash to the trusted hash", old.as_slice());
    scene.headers(&keys, "hybrid", 63, lie, Some(forged))
}

/// Cases of `lvmt/osdi23` alone.
pub(super) fn osdi23(scene: &Scene) -> Result<Vec<Case>> {
    let keys = [scene.key("pair", 0)];
    let honest = scene.honest(&keys, "pairs")?;
    let short = honest.with_query(scene.query(&[vec![1; 31]]));
    let mut cases = vec![short.refused("BadQuery", "a key of 31 bytes", "input.query")];
    // Root and depth of block 4 stand behind aroot and those of four blocks.
    let at = 64 + 33 * 4;
    let flag = "BadRoot";
    let roots: [Lie<'_, Vec<u8>>; 7] = [
        (flag, "a block with another root", "verify.merkle", &|bytes| bytes[at] ^= 1),
        (flag, "an empty block", "verify.path", &|bytes| bytes[at..at + 32].fill(0)),
        (flag, "a block of another depth", "verify.path", &|bytes| bytes[at + 32] += 1),
        (flag, "a block left out", "input.request", &|bytes| drop(bytes.drain(at..at + 33))),
        (flag, "half a block", "input.request", &|bytes| bytes.truncate(bytes.len() - 16)),
        (flag, "an aroot that is no point", "input.request", &|bytes| bytes[..64].fill(1)),
        (flag, "aroot of no state", "verify.opening", &|bytes| bytes[..64].fill(0)),
    ];
    for (flag, comment, code, edit) in roots {
        let mut bytes = scene.root(HEAD)?;
        edit(&mut bytes);
        let claim = honest.with_source(Source::Root { number: HEAD, bytes });
        cases.push(claim.refused(flag, comment, code));
    }
    let flag = "MerklePlace";
    let (place, block, point) = (&[2, 0, 5], &[1, 0], &[2, 0, 2, 0, 1]);
    cases.extend(honest.lies(&[
        (flag, "a position with a high bit", "verify.path", &|proof| {
            proof.at(place).at(&[1]).add(1 << 40);
        }),
        (flag, "a path cut short", "verify.path", &|proof| {
            proof.at(place).at(&[2]).bytes(|bytes| bytes.truncate(bytes.len() - 32));
        }),
        (flag, "the next block", "verify.path", &|proof| proof.at(block).at(&[0]).add(1)),
        (flag, "a block after the last", "verify.order", &|proof| {
            proof.at(block).set(&[0], Item::uint(HEAD + 1));
        }),
        (flag, "a block with a count", "decode.shape", &|proof| {
            proof.at(block).push(Item::uint(7_u8));
        }),
        ("BadPoint", "a point off the curve", "decode.point", &|proof| {
            proof.at(point).bytes(|bytes| bytes[63] ^= 1);
        }),
        ("BadPoint", "a coordinate over the modulus", "decode.point", &|proof| {
            proof.at(point).bytes(|bytes| bytes[..32].fill(0xff));
        }),
    ]));
    let absent = scene.honest(&[scene.key("full", 5)], "pairs")?;
    cases.extend(absent.lies(&[(
        "NotAbsent",
        "an owner of 31 bytes",
        "verify.absence",
        &|proof| {
            proof.set(&[2, 0, 3, 0, 2, 0], Item::bytes([9; 31]));
        },
    )]));
    Ok(cases)
}
