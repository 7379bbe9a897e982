//! Bytes that are not what their field may hold.

use ark_ec::AffineRepr as _;
use lightproof_core::system::balanceproofs::Scheme;

use super::points::{PAIR, offsets, read};
use super::scene::{Claim, Scene};
use super::torsion::written;
use super::values::ASKED;
use crate::case::Case;
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

/// Every case of a scene.
pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases: Vec<Case> =
        scene.variants().iter().flat_map(|variant| of(scene, *variant)).collect();
    cases.extend(uncompressed(scene));
    cases.extend(roots(scene));
    cases.extend(variants(scene));
    cases
}

fn of(scene: &Scene, variant: Variant) -> Vec<Case> {
    let honest = scene.claim(&PAIR, variant);
    let mut cases = points(&honest, variant);
    // Values.
    let mut value = |place: usize, bytes: &[u8; 32], comment: &str| {
        let mut claim = honest.clone();
        claim.values[place * 32..place * 32 + 32].copy_from_slice(bytes);
        cases.push(claim.refused("BadScalar", comment, "decode.scalar"));
    };
    value(0, &ORDER, "a value of the order");
    value(1, &[0xff; 32], "a value of 2^256 - 1");
    let mut more = ORDER;
    more[31] += 12;
    value(1, &more, "a value of the order and twelve");
    if variant == Variant::CommitHinted {
        let mut claim = honest.clone();
        claim.points[192..224].copy_from_slice(&ORDER);
        cases.push(claim.refused("BadScalar", "a weight of the order", "decode.scalar"));
    }
    cases.extend(shapes(&honest));
    cases
}

/// One point changed, the others honest.
fn points(honest: &Claim, variant: Variant) -> Vec<Case> {
    let mut cases = Vec::new();
    let last = offsets(honest, variant).last().copied().unwrap_or(0);
    let mut junk = [0; 48];
    (junk[0], junk[47]) = (0xc0, 1);
    let (mut signed, mut none, mut far) = ([0; 48], [0; 48], MODULUS);
    (signed[0], none[0]) = (0xe0, 0x40);
    far[0] |= 0x80;
    let mut off = [0; 48];
    (off[0], off[47]) = (0x80, 1);
    let plain: [u8; 48] = std::array::from_fn(|at| honest.points[last + at]);
    let mut unflagged = plain;
    unflagged[0] &= 0x7f;
    for (comment, bytes) in [
        ("infinity with bits", junk),
        ("infinity with a sign", signed),
        ("infinity that is not compressed", none),
        ("a coordinate of the modulus", far),
        ("a coordinate without a point", off),
        ("a point without its flag", unflagged),
        ("all ones", [0xff; 48]),
        ("all zeros", [0; 48]),
    ] {
        let mut claim = honest.clone();
        claim.points[last..last + 48].copy_from_slice(&bytes);
        cases.push(claim.refused("BadPoint", comment, "decode.point"));
    }
    cases
}

/// Too much, too little, or something else.
fn shapes(honest: &Claim) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut shape = |comment: &str, change: &dyn Fn(&mut Claim)| {
        let mut claim = honest.clone();
        change(&mut claim);
        cases.push(claim.refused("BadShape", comment, "decode.shape"));
    };
    shape("a byte of the points less", &|claim| claim.points.truncate(claim.points.len() - 1));
    shape("a byte of the points more", &|claim| claim.points.push(0));
    shape("a point less", &|claim| claim.points.truncate(claim.points.len() - 48));
    shape("a point more", &|claim| {
        let last = claim.points[claim.points.len() - 48..].to_vec();
        claim.points.extend(last);
    });
    shape("no points", &|claim| claim.points.clear());
    shape("a byte of the values less", &|claim| claim.values.truncate(claim.values.len() - 1));
    shape("a byte of the values more", &|claim| claim.values.push(0));
    shape("a value less", &|claim| claim.values.truncate(32));
    shape("a value more", &|claim| claim.values.extend([0; 32]));
    shape("no values", &|claim| claim.values.clear());
    let (values, points) = (Item::bytes(&honest.values), Item::bytes(&honest.points));
    let forms = [
        ("no field", vec![]),
        ("one field", vec![values.clone()]),
        ("three fields", vec![values.clone(), points.clone(), Item::bytes([])]),
        ("a list of values", vec![Item::List(vec![values.clone()]), points.clone()]),
        ("a list of points", vec![values, Item::List(vec![points])]),
    ];
    for (comment, items) in forms {
        let proof = Item::List(items).encode();
        cases.push(honest.clone().refused_as(proof, "BadShape", comment, "decode.shape"));
    }
    let proof = honest.proof();
    let mut trailing = proof.clone();
    trailing.push(0);
    let cut = proof[..proof.len() - 1].to_vec();
    for (comment, proof) in
        [("a byte behind", trailing), ("a byte cut off", cut), ("nothing", vec![])]
    {
        cases.push(honest.clone().refused_as(proof, "NotCanonicalRlp", comment, "decode.rlp"));
    }
    cases
}

/// Both coordinates: only `T1` and `T3` are read so, and infinity has one form there, too.
fn uncompressed(scene: &Scene) -> Vec<Case> {
    let mut cases = Vec::new();
    let every: Vec<u64> = (0..16).collect();
    for variant in scene.variants() {
        let hinted = matches!(variant, Variant::T1 | Variant::T3);
        // Beside its points, this one holds others and scalars.
        if *variant == Variant::CommitHinted {
            continue;
        }
        let asked = if hinted { &every[..] } else { &PAIR };
        let honest = scene.claim(asked, *variant);
        let places = offsets(&honest, *variant);
        let points: Vec<_> = places.into_iter().map(|at| read(&honest, at)).collect();
        let mut claim = Claim { points: written(&points), ..honest };
        if !hinted {
            cases.push(claim.refused("BadPoint", "points uncompressed", "decode.point"));
            continue;
        }
        let comment = "every position, uncompressed, infinity among the points";
        cases.push(scene.accepted("Honest", comment, claim.clone(), &every));
        for (place, point) in points.iter().enumerate() {
            if point.is_zero() {
                claim.points[96 * place..][..96].fill(0);
            }
        }
        let comment = "uncompressed, zeros for infinity";
        cases.push(claim.refused("BadPoint", comment, "decode.point"));
    }
    cases
}

/// Commitments that are none.
fn roots(scene: &Scene) -> Vec<Case> {
    let honest = scene.claim(&PAIR, scene.variants()[0]);
    let mut far = MODULUS;
    far[0] |= 0x80;
    let root = honest.root.clone();
    [
        ("a byte less", root[..47].to_vec()),
        ("a byte more", [root.as_slice(), &[0]].concat()),
        ("nothing", vec![]),
        ("a coordinate of the modulus", far.to_vec()),
        ("without its flag", [&[root[0] & 0x7f], &root[1..]].concat()),
    ]
    .into_iter()
    .map(|(comment, root)| {
        Claim { root, ..honest.clone() }.refused("BadRoot", comment, "input.request")
    })
    .collect()
}

/// Proofs under names that are not theirs.
fn variants(scene: &Scene) -> Vec<Case> {
    let mut cases = Vec::new();
    // In one bucket, some variants have the same points.
    let basic = scene.config.scheme == Scheme::Basic;
    let honest = |variant| scene.claim(if basic { &PAIR[..] } else { &ASKED }, variant);
    let known = scene.variants();
    for name in ["", "Plain", "T2", "singles", "T1", "T3", "halved", "commit-hinted"] {
        if known.iter().all(|variant| variant.name() != name) {
            let claim = Claim { variant: name, ..honest(known[0]) };
            cases.push(claim.refused("Variant", "unknown to the scheme", "decode.variant"));
        }
    }
    for variant in known {
        for other in known {
            let claim = Claim { variant: other.name(), ..honest(*variant) };
            let same = claim.points.len() == honest(*other).points.len();
            if variant != other {
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
    }
    cases
}

/// More positions than a variant reaches.
pub(super) fn limits(scene: &Scene) -> Vec<Case> {
    if !scene.is_ethereum() {
        return Vec::new();
    }
    let many: Vec<u64> = (0..65).collect();
    let claim = scene.claim(&many, Variant::Plain);
    vec![claim.refused("TooFewPowers", "65 positions, 64 powers", "decode.limit")]
}
