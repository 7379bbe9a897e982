//! A file's scheme, its setup as our parameters, and its proofs as our points.

use std::path::Path;

use ark_bls12_381::{Fr, G1Affine, G2Affine};
use ark_ec::CurveGroup;
use ark_ff::{One, PrimeField};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use lightproof_core::system::balanceproofs::{BalanceProofs, Params};
use lightproof_core::system::{System, SystemConfig};
use lightproof_testkit::{Rlp, hex, keccak};
use serde_json::Value;

use super::Parts;

/// More points of a grid than this are not made.
const MAX_GRID: u64 = 2048;

/// Parameters of a file.
pub(crate) struct Setup {
    format: &'static str,
    /// p, t, m; one where the scheme has no such side.
    sides: [u64; 3],
    params: Vec<u8>,
    has_grid: bool,
}

impl Setup {
    /// Parameters are in the file itself, or in the one that it names.
    pub(crate) fn of(folder: &Path, file: &Value) -> Self {
        let params = match &file["params"] {
            Value::String(name) => {
                serde_json::from_slice(&std::fs::read(folder.join(name)).unwrap()).unwrap()
            }
            params => params.clone(),
        };
        let side = |name: &str| file[name].as_u64();
        // As many powers as the largest set of one bucket, and one more in G2.
        let aggregates = file["aggregate"].as_array().into_iter().flatten();
        let largest = aggregates.map(|one| one["indices"].as_array().unwrap().len()).max();
        let (format, sides, given, power) = match (side("p"), side("t"), side("m")) {
            (None, ..) => ("basic", vec![side("n").unwrap()], "", ""),
            (Some(p), None, Some(m)) => ("bucketed", vec![p, m], "alpha", "beta_"),
            (Some(p), Some(t), Some(m)) => ("two-layer", vec![p, t, m], "alpha beta", "gamma_"),
            other => panic!("unknown sides: {other:?}"),
        };
        let count = u64::try_from(largest.unwrap_or(1)).unwrap().min(*sides.last().unwrap());
        let count = usize::try_from(count).unwrap();
        let powers = |group: &str, count: usize| -> Vec<u8> {
            let powers = params[format!("{power}{group}_powers")].as_array().unwrap();
            powers.iter().take(count).flat_map(bytes).collect()
        };
        let (g1, g2) = (powers("g1", count), powers("g2", count + 1));
        let outer = given.split_whitespace().flat_map(|name| bytes(&params[format!("{name}_g2")]));
        let grid = grid(&params, format, &sides, &g2[..96]);
        let has_grid = !grid.is_empty();
        let params = Rlp::list([
            Rlp::list(sides.iter().map(|side| Rlp::uint(*side))),
            Rlp::str(g1),
            Rlp::str(g2),
            Rlp::str(outer.collect::<Vec<_>>()),
            Rlp::str(grid),
        ]);
        let sides = match *sides.as_slice() {
            [n] => [1, 1, n],
            [p, m] => [p, 1, m],
            _ => sides.try_into().unwrap(),
        };
        let format = match format {
            "basic" => "balanceproofs/basic",
            "bucketed" => "balanceproofs/bucketed",
            _ => "balanceproofs/two-layer",
        };
        Self { format, sides, params: params.encode(), has_grid }
    }

    /// One position, generators and twice them: for what needs no proof.
    pub(crate) fn smallest() -> Self {
        use ark_ec::AffineRepr;
        let (g, h) = (G1Affine::generator(), G2Affine::generator());
        let twice = (h + h).into_affine();
        let params = Rlp::list([
            Rlp::list([Rlp::uint(1)]),
            Rlp::str(written(&g)),
            Rlp::str([written(&h), written(&twice)].concat()),
            Rlp::str([]),
            Rlp::str([]),
        ]);
        let (format, params) = ("balanceproofs/basic", params.encode());
        Self { format, sides: [1, 1, 1], params, has_grid: false }
    }

    /// The parameters, pinned by a configuration.
    pub(crate) fn prepared(&self) -> Params {
        let config = Rlp::list([Rlp::str(self.format), Rlp::str(keccak(&self.params))]).encode();
        let config = SystemConfig::from_rlp(&config).unwrap();
        BalanceProofs::params(&config, &self.params).unwrap()
    }

    /// A claim of the file in the variants that its proof has.
    pub(crate) fn parts(&self, claim: &Value) -> Vec<(&'static str, Option<Parts>)> {
        let proof = &claim["proof"];
        let positions =
            |field: &str| claim[field].as_array().map(|all| all.iter().map(number).collect());
        let indices: Option<Vec<u64>> =
            positions("queried_indices").or_else(|| positions("indices"));
        let positions = indices.unwrap_or_else(|| vec![number(&claim["index"])]);
        if proof.is_string() {
            let variant = if positions.len() == 1 { "singles" } else { "plain" };
            let values = values(claim);
            return vec![(
                variant,
                Some(Parts { positions, values, variant, points: bytes(proof) }),
            )];
        }
        if !proof["buckets"].is_array() {
            let points = [&proof["Pi"], &proof["Psi"], &proof["pi"]];
            let points: Vec<&Value> =
                points.into_iter().filter(|point| point.is_string()).collect();
            let (variant, values) = ("plain", values(claim));
            let points = texts(&points);
            return vec![(variant, Some(Parts { positions, values, variant, points }))];
        }
        let (named, values) = self.named(proof);
        if named != positions {
            return vec![("plain", None)];
        }
        let parts = |variant, points| {
            Some(Parts { positions: positions.clone(), values: values.clone(), variant, points })
        };
        let mut all = vec![("plain", parts("plain", Self::whole(claim)))];
        if self.has_grid && claim["halved"].is_object() {
            all.push(("halved", parts("halved", Self::half(claim))));
        }
        all
    }

    /// The positions that a proof names, and their values, in its order.
    fn named(&self, proof: &Value) -> (Vec<u64>, Vec<u8>) {
        let [_, t, m] = self.sides;
        let (mut positions, mut all) = (Vec::new(), Vec::new());
        for bucket in proof["buckets"].as_array().unwrap() {
            let i = number(&bucket["i"]);
            let j = bucket["j"].as_u64().unwrap_or(0);
            let inner = bucket["k"].as_array().unwrap().iter().map(number);
            positions.extend(inner.map(|k| (i * t + j) * m + k));
            all.extend(values(bucket));
        }
        (positions, all)
    }

    /// Points of an aggregate, in the order of `plain`.
    pub(crate) fn whole(claim: &Value) -> Vec<u8> {
        let proof = &claim["proof"];
        let mut points = Vec::new();
        for (place, i) in proof["S"].as_array().unwrap().iter().enumerate() {
            let buckets = proof["buckets"].as_array().unwrap().iter();
            let mut buckets = buckets.filter(|bucket| bucket["i"] == *i).peekable();
            match (&proof["Pi_i"][place], buckets.peek()) {
                (Value::String(point), _) => points.extend(hex::decode(point)),
                (_, Some(bucket)) => points.extend(bytes(&bucket["Pi"])),
                _ => {}
            }
            for bucket in buckets {
                let both = [&bucket["psi"], &bucket["pi"]];
                points.extend(both.into_iter().filter(|point| point.is_string()).flat_map(bytes));
            }
        }
        points
    }

    /// Points of an aggregate, in the order of `halved`.
    pub(crate) fn half(claim: &Value) -> Vec<u8> {
        let (proof, halved) = (&claim["proof"], &claim["halved"]);
        let mut points = bytes(&halved["Pi_S"]);
        for (place, i) in proof["S"].as_array().unwrap().iter().enumerate() {
            if let Some(point) = halved["Psi_iT"][place].as_str() {
                points.extend(hex::decode(point));
            }
            let buckets = proof["buckets"].as_array().unwrap().iter();
            points.extend(
                buckets.filter(|bucket| bucket["i"] == *i).flat_map(|one| bytes(&one["pi"])),
            );
        }
        points
    }
}

/// Products of all powers in G2, from the secrets that a file of test parameters tells.
fn grid(params: &Value, format: &str, sides: &[u64], generator: &[u8]) -> Vec<u8> {
    let names: &[&str] = match format {
        "bucketed" => &["alpha", "beta"],
        "two-layer" => &["alpha", "beta", "gamma"],
        _ => return Vec::new(),
    };
    let secret = |name: &&str| params[format!("{name}_TEST_ONLY")].as_str().map(hex::decode);
    let Some(secrets) = names.iter().map(secret).collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    if sides.iter().map(|side| side + 1).product::<u64>() > MAX_GRID {
        return Vec::new();
    }
    let generator = G2Affine::deserialize_compressed(generator).unwrap();
    let mut scalars = vec![Fr::one()];
    for (secret, side) in secrets.iter().zip(sides) {
        let secret = Fr::from_be_bytes_mod_order(secret);
        let powers: Vec<Fr> = std::iter::successors(Some(Fr::one()), |power| Some(*power * secret))
            .take(usize::try_from(side + 1).unwrap())
            .collect();
        scalars =
            scalars.iter().flat_map(|left| powers.iter().map(move |power| *left * power)).collect();
    }
    scalars.iter().flat_map(|scalar| written(&(generator * scalar).into_affine())).collect()
}

fn written(point: &impl CanonicalSerialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    point.serialize_compressed(&mut bytes).unwrap();
    bytes
}

/// Compressed points, uncompressed.
pub(crate) fn uncompressed(points: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for point in points.chunks(48) {
        let point = G1Affine::deserialize_compressed_unchecked(point).unwrap();
        point.serialize_uncompressed(&mut bytes).unwrap();
    }
    bytes
}

fn values(claim: &Value) -> Vec<u8> {
    match claim["values"].as_array() {
        Some(values) => values.iter().flat_map(bytes).collect(),
        None => bytes(&claim["value"]),
    }
}

pub(crate) fn texts(points: &[&Value]) -> Vec<u8> {
    points.iter().flat_map(|point| bytes(point)).collect()
}

pub(crate) fn bytes(text: &Value) -> Vec<u8> {
    hex::decode(text.as_str().unwrap())
}

pub(crate) fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

#[test]
fn parameters_are_taken_from_the_file_itself() {
    use ark_ec::AffineRepr;
    let (g, h) = (G1Affine::generator(), G2Affine::generator());
    let g2 = [h, (h + h).into_affine()].map(|point| hex::encode(&written(&point)));
    let params = serde_json::json!({ "g1_powers": [hex::encode(&written(&g))], "g2_powers": g2 });
    let file = serde_json::json!({ "n": 1, "params": params });
    let setup = Setup::of(Path::new("no folder"), &file);
    assert_eq!(setup.params, Setup::smallest().params);
    setup.prepared();
}
