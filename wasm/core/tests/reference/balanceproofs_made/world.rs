//! A plain model of the paper's formulas, over secrets that are known: every point is one multiple
//! of a generator.

use std::collections::BTreeMap;

use ark_bls12_381::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use ark_ec::PrimeGroup;
use ark_ff::{BigInteger, FftField, Field, One, PrimeField, Zero};
use ark_serialize::CanonicalSerialize;
use lightproof_testkit::hex;
use serde_json::{Value, json};

/// A vector of p·t·m values, most of them zero; what a scheme does not have is a side of one.
pub(super) struct World {
    pub(super) name: &'static str,
    pub(super) scheme: &'static str,
    pub(super) sides: [u64; 3],
    /// α, β, γ; the last one is τ of `basic`, β of `bucketed`.
    pub(super) secrets: [Fr; 3],
    pub(super) generators: (G1Projective, G2Projective),
    pub(super) values: BTreeMap<u64, Fr>,
}

/// By outer bucket, by inner bucket: places.
pub(super) type Groups = BTreeMap<u64, BTreeMap<u64, Vec<u64>>>;

impl World {
    pub(super) fn new(
        name: &'static str,
        scheme: &'static str,
        sides: [u64; 3],
        seed: u64,
    ) -> Self {
        let drawn = |number: u64| Fr::from(seed * 1_000 + number).pow([0x1234_5677]);
        let n: u64 = sides.iter().product();
        let values = (0..110).map(|number| (number * 7_919 % n, drawn(number + 10)));
        let (g, h) = (G1Projective::generator(), G2Projective::generator());
        Self {
            name,
            scheme,
            sides,
            secrets: [drawn(1), drawn(2), drawn(3)],
            generators: (g * drawn(4), h * drawn(5)),
            values: values.collect(),
        }
    }

    pub(super) fn n(&self) -> u64 {
        self.sides.iter().product()
    }

    pub(super) fn split(&self, position: u64) -> [u64; 3] {
        let [_, t, m] = self.sides;
        [position / (t * m), position / m % t, position % m]
    }

    pub(super) fn groups(&self, positions: &[u64]) -> Groups {
        let mut groups = Groups::new();
        for position in positions {
            let [i, j, k] = self.split(*position);
            groups.entry(i).or_default().entry(j).or_default().push(k);
        }
        groups
    }

    pub(super) fn root(&self, side: usize, place: u64) -> Fr {
        Fr::get_root_of_unity(self.sides[side]).unwrap().pow([place])
    }

    pub(super) fn roots(&self, side: usize, places: impl IntoIterator<Item = u64>) -> Vec<Fr> {
        places.into_iter().map(|place| self.root(side, place)).collect()
    }

    /// φ, or φᵢ or φᵢⱼ, at a point.
    pub(super) fn phi(&self, fixed: &[u64], at: [Fr; 3]) -> Fr {
        let value = |(position, value): (&u64, &Fr)| {
            let place = self.split(*position);
            let own = place.iter().zip(fixed).all(|(place, fixed)| place == fixed);
            let basis = (fixed.len()..3).map(|side| {
                let (n, root) = (self.sides[side], self.root(side, place[side]));
                root * (at[side].pow([n]) - Fr::one()) / (Fr::from(n) * (at[side] - root))
            });
            if own { *value * basis.product::<Fr>() } else { Fr::zero() }
        };
        self.values.iter().map(value).sum()
    }

    pub(super) fn outer(&self, i: u64, at: [Fr; 3]) -> Fr {
        (self.phi(&[], at) - self.phi(&[i], at)) / (at[0] - self.root(0, i))
    }

    pub(super) fn middle(&self, i: u64, j: u64, at: [Fr; 3]) -> Fr {
        (self.phi(&[i], at) - self.phi(&[i, j], at)) / (at[1] - self.root(1, j))
    }

    /// A\_K and c\_K at a point.
    pub(super) fn bucket(&self, i: u64, j: u64, places: &[u64], at: Fr) -> (Fr, Fr) {
        let roots = self.roots(2, places.iter().copied());
        let [_, t, m] = self.sides;
        let known = places.iter().enumerate().map(|(place, k)| {
            let value = self.values.get(&((i * t + j) * m + k)).copied().unwrap_or_default();
            value * lagrange(&roots, place, at)
        });
        (vanishing(&roots, at), known.sum())
    }

    pub(super) fn inner(&self, i: u64, j: u64, places: &[u64], at: [Fr; 3]) -> Fr {
        let (a, c) = self.bucket(i, j, places, at[2]);
        (self.phi(&[i, j], at) - c) / a
    }

    /// Π\_S.
    pub(super) fn whole_outer(&self, groups: &Groups, at: [Fr; 3]) -> Fr {
        let roots = self.roots(0, groups.keys().copied());
        let each = groups.keys().enumerate();
        let sum: Fr =
            each.map(|(place, i)| lagrange(&roots, place, at[0]) * self.phi(&[*i], at)).sum();
        (self.phi(&[], at) - sum) / vanishing(&roots, at[0])
    }

    /// Ψᵢ of all its inner buckets.
    pub(super) fn whole_middle(&self, i: u64, inner: &BTreeMap<u64, Vec<u64>>, at: [Fr; 3]) -> Fr {
        let roots = self.roots(1, inner.keys().copied());
        let each = inner.keys().enumerate();
        let sum: Fr =
            each.map(|(place, j)| lagrange(&roots, place, at[1]) * self.phi(&[i, *j], at)).sum();
        (self.phi(&[i], at) - sum) / vanishing(&roots, at[1])
    }

    pub(super) fn g1(&self, scalar: Fr) -> Vec<u8> {
        written(&G1Affine::from(self.generators.0 * scalar))
    }

    pub(super) fn g2(&self, scalar: Fr) -> Vec<u8> {
        written(&G2Affine::from(self.generators.1 * scalar))
    }

    pub(super) fn point(&self, scalar: Fr) -> Value {
        text(&self.g1(scalar))
    }

    pub(super) fn commitment(&self) -> Fr {
        self.phi(&[], self.secrets)
    }

    pub(super) fn value(&self, position: u64) -> Fr {
        self.values.get(&position).copied().unwrap_or_default()
    }

    pub(super) fn values_of(&self, positions: &[u64]) -> Vec<Fr> {
        positions.iter().map(|position| self.value(*position)).collect()
    }
}

/// ∏ (x − root).
pub(super) fn vanishing(roots: &[Fr], x: Fr) -> Fr {
    roots.iter().map(|root| x - root).product()
}

/// The polynomial that is one at one of the roots and zero at the others.
pub(super) fn lagrange(roots: &[Fr], place: usize, x: Fr) -> Fr {
    let others = roots.iter().enumerate().filter(|(other, _)| *other != place);
    others.map(|(_, other)| (x - other) / (roots[place] - other)).product()
}

pub(super) fn written(point: &impl CanonicalSerialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    point.serialize_compressed(&mut bytes).unwrap();
    bytes
}

pub(super) fn be(scalar: Fr) -> Vec<u8> {
    scalar.into_bigint().to_bytes_be()
}

pub(super) fn text(bytes: &[u8]) -> Value {
    json!(hex::encode(bytes).trim_start_matches("0x"))
}

pub(super) fn scalar(scalar: Fr) -> Value {
    text(&be(scalar))
}
