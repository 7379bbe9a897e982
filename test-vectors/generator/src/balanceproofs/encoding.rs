//! Bytes that are not what their field may hold.

use ark_ec::AffineRepr as _;
use lightproof_core::system::balanceproofs::Scheme;

use super::points::{PAIR, offsets, read};
use super::scene::{Result, Scene, in_points, in_values, pinned, points_of};
use super::torsion::written;
use super::values::ASKED;
use crate::case::{Case, Claim};
use crate::edit::Edit as _;
use crate::scene::Scene as _;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::balanceproofs::Variant;

/// r, the order of the groups.
const ORDER: [u8; 32] = [
    0x73, 0xed, 0xa7, 0x53, 0x29, 0x9d, 0x7d, 0x48, 0x33, 0x39, 0xd8, 0x08, 0x09, 0xa1, 0xd8, 0x05,
    0x53, 0xbd, 0xa4, 0x02, 0xff, 0xfe, 0x5b, 0xfe, 0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x01,
];

/// p, the modulus of coordinates.
const MODULUS: [u8; 48] = [
    0x1a, 0x01, 0x11, 0xea, 0x39, 0x7f, 0xe6, 0x9a, 0x4b, 0x1b, 0xa7, 0xb6, 0x43, 0x4b, 0xac, 0xd7,
    0x64, 0x77, 0x4b, 0x84, 0xf3, 0x85, 0x12, 0xbf, 0x67, 0x30, 0xd2, 0xa0, 0xf6, 0xb0, 0xf6, 0x24,
    0x1e, 0xab, 0xff, 0xfe, 0xb1, 0x53, 0xff, 0xff, 0xb9, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xaa, 0xab,
];

/// Flag and code of scalars.
const SCALAR: (&str, &str) = ("BadScalar", "decode.scalar");

/// Every case of a variant.
pub(super) fn cases(scene: &Scene, variant: Variant) -> Result<Vec<Case>> {
    let honest = scene.opened(&PAIR, variant)?;
    let mut cases = points(&honest, variant);
    let mut more = ORDER;
    more[31] += 12;
    cases.extend(honest.lies_of(
        SCALAR.0,
        SCALAR.1,
        &[
            ("a value of the order", &in_values(|it| it[..32].copy_from_slice(&ORDER))),
            ("a value of 2^256 - 1", &in_values(|it| it[32..].fill(0xff))),
            ("a value of the order and twelve", &in_values(|it| it[32..].copy_from_slice(&more))),
        ],
    ));
    if variant == Variant::CommitHinted {
        let claim = honest.edited(in_points(|it| it[192..224].copy_from_slice(&ORDER)));
        cases.push(claim.refused(SCALAR.0, "a weight of the order", SCALAR.1));
    }
    cases.extend(shapes(&honest));
    Ok(cases)
}

/// Every case of a scene.
pub(super) fn of_scene(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = uncompressed(scene)?;
    cases.extend(roots(scene)?);
    cases.extend(variants(scene)?);
    Ok(cases)
}

/// One point changed, the others honest.
fn points(honest: &Claim, variant: Variant) -> Vec<Case> {
    let points = points_of(honest);
    let last = offsets(&points, variant).last().copied().unwrap_or(0);
    let with = |changes: &[(usize, u8)], mut bytes: [u8; 48]| {
        for (at, byte) in changes {
            bytes[*at] = *byte;
        }
        bytes
    };
    let plain: [u8; 48] = std::array::from_fn(|at| points[last + at]);
    let forms = [
        ("infinity with bits", with(&[(0, 0xc0), (47, 1)], [0; 48])),
        ("infinity with a sign", with(&[(0, 0xe0)], [0; 48])),
        ("infinity that is not compressed", with(&[(0, 0x40)], [0; 48])),
        ("a coordinate of the modulus", with(&[(0, MODULUS[0] | 0x80)], MODULUS)),
        ("a coordinate without a point", with(&[(0, 0x80), (47, 1)], [0; 48])),
        ("a point without its flag", with(&[(0, plain[0] & 0x7f)], plain)),
        ("all ones", [0xff; 48]),
        ("all zeros", [0; 48]),
    ];
    let case = |(comment, bytes): (&str, [u8; 48])| {
        let claim = honest.edited(in_points(|it| it[last..last + 48].copy_from_slice(&bytes)));
        claim.refused("BadPoint", comment, "decode.point")
    };
    forms.map(case).into()
}

/// Too much, too little, or something else.
fn shapes(honest: &Claim) -> Vec<Case> {
    let shape = ("BadShape", "decode.shape");
    let mut cases = honest.lies_of(
        shape.0,
        shape.1,
        &[
            ("a byte of the points less", &in_points(|it| it.truncate(it.len() - 1))),
            ("a byte of the points more", &in_points(|it| it.push(0))),
            ("a point less", &in_points(|it| it.truncate(it.len() - 48))),
            ("a point more", &in_points(|it| it.extend_from_within(it.len() - 48..))),
            ("no points", &in_points(Vec::clear)),
            ("a byte of the values less", &in_values(|it| it.truncate(it.len() - 1))),
            ("a byte of the values more", &in_values(|it| it.push(0))),
            ("a value less", &in_values(|it| it.truncate(32))),
            ("a value more", &in_values(|it| it.extend([0; 32]))),
            ("no values", &in_values(Vec::clear)),
        ],
    );
    let nested = |item: &mut Item| *item = Item::List(vec![item.clone()]);
    cases.extend(honest.lies_of(
        shape.0,
        shape.1,
        &[
            ("no field", &|it| it.items(Vec::clear)),
            ("one field", &|it| it.pop()),
            ("three fields", &|it| it.push(Item::bytes([]))),
            ("a list of values", &|it| nested(it.at(&[0]))),
            ("a list of points", &|it| nested(it.at(&[1]))),
        ],
    ));
    let proof = &honest.proof;
    let forms = [
        ("a byte behind", [proof.as_slice(), &[0]].concat()),
        ("a byte cut off", proof[..proof.len() - 1].to_vec()),
        ("nothing", vec![]),
    ];
    cases.extend(forms.map(|(comment, proof)| {
        honest.with_proof(proof).refused("NotCanonicalRlp", comment, "decode.rlp")
    }));
    cases
}

/// Both coordinates: only `T1` and `T3` are read so, and infinity has one form there, too.
fn uncompressed(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    let every: Vec<u64> = (0..16).collect();
    // Beside its points, `commit-hinted` holds others and scalars.
    let variants = scene.variants().iter().filter(|variant| **variant != Variant::CommitHinted);
    for variant in variants {
        let hinted = matches!(variant, Variant::T1 | Variant::T3);
        let asked = if hinted { &every[..] } else { &PAIR };
        let honest = scene.opened(asked, *variant)?;
        let bytes = points_of(&honest);
        let points: Vec<_> =
            offsets(&bytes, *variant).into_iter().map(|at| read(&bytes, at)).collect();
        let claim = honest.edited(in_points(|it| *it = written(&points)));
        if !hinted {
            cases.push(claim.refused("BadPoint", "points uncompressed", "decode.point"));
            continue;
        }
        let comment = "every position, uncompressed, infinity among the points";
        cases.push(scene.accepted("Honest", comment, claim.clone(), &every));
        let claim = claim.edited(in_points(|it| {
            let places = points.iter().enumerate().filter(|(_, point)| point.is_zero());
            places.for_each(|(place, _)| it[96 * place..][..96].fill(0));
        }));
        let comment = "uncompressed, zeros for infinity";
        cases.push(claim.refused("BadPoint", comment, "decode.point"));
    }
    Ok(cases)
}

/// Commitments that are none.
fn roots(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.opened(&PAIR, scene.variants()[0])?;
    let root = scene.root(Scene::HEAD)?;
    let forms = [
        ("a byte less", root[..47].to_vec()),
        ("a byte more", [root.as_slice(), &[0]].concat()),
        ("nothing", vec![]),
        ("a coordinate of the modulus", [&[MODULUS[0] | 0x80], &MODULUS[1..]].concat()),
        ("without its flag", [&[root[0] & 0x7f], &root[1..]].concat()),
    ];
    let case = |(comment, root)| {
        honest.with_source(pinned(root)).refused("BadRoot", comment, "input.request")
    };
    Ok(forms.map(case).into())
}

/// Proofs under names that are not theirs.
fn variants(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    // In one bucket, some variants have the same points.
    let basic = scene.config.scheme == Scheme::Basic;
    let honest = |variant| scene.opened(if basic { &PAIR[..] } else { &ASKED }, variant);
    let known = scene.variants();
    for name in ["", "Plain", "T2", "singles", "T1", "T3", "halved", "commit-hinted"] {
        if known.iter().all(|variant| variant.name() != name) {
            let claim = honest(known[0])?.with_variant(name);
            cases.push(claim.refused("Variant", "unknown to the scheme", "decode.variant"));
        }
    }
    for variant in known {
        for other in known.iter().filter(|other| *other != variant) {
            let claim = honest(*variant)?.with_variant(other.name());
            let same = points_of(&claim).len() == points_of(&honest(*other)?).len();
            // Where the other has a point of G1, this one has a point of G2.
            let crossed = *variant == Variant::CommitHinted && *other != Variant::Plain;
            let code = match (same, crossed) {
                (true, _) => "verify.opening",
                (_, true) => "decode.point",
                _ => "decode.shape",
            };
            let comment = format!("the points of {}", variant.name());
            cases.push(claim.refused("Variant", &comment, code));
        }
    }
    Ok(cases)
}

/// More positions than a variant reaches.
pub(super) fn limits(scene: &Scene) -> Result<Vec<Case>> {
    if !scene.is_ethereum() {
        return Ok(Vec::new());
    }
    let many: Vec<u64> = (0..65).collect();
    let claim = scene.opened(&many, Variant::Plain)?;
    Ok(vec![claim.refused("TooFewPowers", "65 positions, 64 powers", "decode.limit")])
}
