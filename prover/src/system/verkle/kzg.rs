//! `kzg`: slots are values of a polynomial at the k-th roots of unity; the setup is Ethereum's
//! ceremony.

use std::sync::{Arc, OnceLock};

use ark_bls12_381::{Fr, G1Affine, G1Projective, G2Affine};
use ark_ec::{AffineRepr as _, CurveGroup as _, PrimeGroup as _};
use ark_ff::{FftField as _, Field as _, One as _, PrimeField as _, Zero as _, batch_inversion};
use ark_poly::{EvaluationDomain as _, Radix2EvaluationDomain};
use ark_serialize::CanonicalSerialize as _;

use super::commitment::{
    Claim, Committer, Compressed, Opened, POINT_BYTES, compressed, multiples, read_point,
};
use super::multiples::Multiples;
use super::openings::occupied;
use crate::hash::{Word, sha256};
use crate::sums::sum;

/// τ⁰·G1 … τ¹⁰²³·G1, then τ·G2, compressed: from `trusted_setup_4096.json` of Ethereum's KZG
/// ceremony of 2023, `g1_monomial` and `g2_monomial`, byte for byte.
const CEREMONY: &[u8] = include_bytes!("ethereum.bin");
/// Powers in it.
const POWERS: usize = 1_024;

/// A vector with no more than one slot in so many occupied is opened by those alone.
const SPARSE: usize = 2;

/// The setup for one k.
#[derive(Debug)]
pub struct Kzg {
    bits: usize,
    /// Lagrange polynomials at τ, once they are needed.
    lagrange: OnceLock<Vec<G1Affine>>,
    multiples: Option<Multiples>,
    /// The opening of slot i of the vector that holds 1 in slot i and nothing else, once it is
    /// needed.
    own: OnceLock<Vec<G1Affine>>,
    /// ωᵈ.
    places: Vec<Fr>,
    /// 1/(ωᵈ − 1); zero for d = 0.
    gaps: Vec<Fr>,
}

impl Kzg {
    /// The setup for nodes of 2^`bits` slots, at most 1,024; made once in a process.
    pub fn new(bits: usize) -> Arc<Self> {
        static MADE: [OnceLock<Arc<Kzg>>; 11] = [const { OnceLock::new() }; 11];
        let bits = bits.min(10);
        Arc::clone(MADE[bits].get_or_init(|| Arc::new(Self::made(bits))))
    }

    fn made(bits: usize) -> Self {
        let k = 1_usize << bits;
        let omega = Fr::get_root_of_unity(k as u64).unwrap_or_else(Fr::one);
        let places: Vec<Fr> =
            std::iter::successors(Some(Fr::one()), |place| Some(*place * omega)).take(k).collect();
        let mut gaps: Vec<Fr> = places.iter().map(|place| *place - Fr::one()).collect();
        batch_inversion(&mut gaps);
        let multiples = multiples(bits);
        Self { bits, lagrange: OnceLock::new(), multiples, own: OnceLock::new(), places, gaps }
    }

    fn lagrange(&self) -> &[G1Affine] {
        self.lagrange
            .get_or_init(|| G1Projective::normalize_batch(&self.interpolated(&self.powers())))
    }

    /// (Lᵢ(X) − 1)/(X − ωⁱ) = 1/k · Σ (k − 1 − a)·ω^(−i(a + 1))·Xᵃ, at τ.
    fn own(&self) -> &[G1Affine] {
        self.own.get_or_init(|| {
            let k = self.places.len();
            let weigh = |(a, power): (usize, G1Projective)| power.mul_bigint([(k - 1 - a) as u64]);
            let weighed: Vec<_> = self.powers().into_iter().enumerate().map(weigh).collect();
            let values = self.interpolated(&weighed).into_iter().enumerate();
            let values: Vec<_> =
                values.map(|(i, value)| value * self.places[(k - i) % k]).collect();
            G1Projective::normalize_batch(&values)
        })
    }

    /// τ⁰·G1 … τᵏ⁻¹·G1.
    fn powers(&self) -> Vec<G1Projective> {
        let points = CEREMONY.chunks(POINT_BYTES).take(POWERS.min(self.places.len()));
        // The file is part of this program; a test holds it against another implementation's copy.
        points.filter_map(read_point).map(G1Affine::into_group).collect()
    }

    fn interpolated(&self, points: &[G1Projective]) -> Vec<G1Projective> {
        let domain = Radix2EvaluationDomain::<Fr>::new(self.places.len());
        domain.map_or_else(Vec::new, |domain| domain.ifft(points))
    }

    /// Values of (f(X) − `at`)/(X − ωⁱ) at the roots of unity, times `factor`, added to `into`; f
    /// is `vector` with `at` in slot i.
    fn add_quotient(&self, vector: &[Fr], digit: usize, at: Fr, factor: Fr, into: &mut [Fr]) {
        let k = self.places.len();
        // 1/(ωʲ − ωⁱ) = ω⁻ⁱ/(ω^(j−i) − 1).
        let inverse = self.places[(k - digit) % k];
        let mut own = Fr::zero();
        for (other, value) in vector.iter().enumerate() {
            if other == digit || *value == at {
                continue;
            }
            let distance = (k + other - digit) % k;
            let slope = (*value - at) * inverse * self.gaps[distance];
            into[other] += slope * factor;
            // f'(ωⁱ) = −Σ slope·ω^(j−i), by l'Hôpital on the quotient.
            own -= slope * self.places[distance];
        }
        into[digit] += own * factor;
    }

    /// Σ value · Lagrange, zeros left out.
    fn commit(&self, values: &[Fr]) -> G1Projective {
        let occupied = || values.iter().enumerate().filter(|(_, value)| !value.is_zero());
        let points: Vec<_> = occupied().map(|(digit, _)| self.lagrange()[digit]).collect();
        let scalars: Vec<_> = occupied().map(|(_, value)| *value).collect();
        sum(&points, &scalars)
    }
}

impl Committer for Kzg {
    fn tag(&self) -> &'static str {
        "KVT-KZG-v1"
    }

    fn bits(&self) -> usize {
        self.bits
    }

    fn params(&self) -> Vec<u8> {
        let mut out = CEREMONY[..POINT_BYTES].to_vec();
        // Writing to a vector cannot fail.
        let _ = G2Affine::generator().serialize_compressed(&mut out);
        out.extend_from_slice(&CEREMONY[POWERS * POINT_BYTES..]);
        out
    }

    fn basis(&self, digit: usize) -> G1Affine {
        self.lagrange()[digit]
    }

    fn multiples(&self) -> Option<&Multiples> {
        self.multiples.as_ref()
    }

    fn open(&self, vector: &[Fr], digit: usize) -> G1Projective {
        let mut values = vec![Fr::zero(); vector.len()];
        let at = vector[digit];
        if occupied(vector) > vector.len() / SPARSE {
            self.add_quotient(vector, digit, at, Fr::one(), &mut values);
            return self.commit(&values);
        }
        // Without the value at ωⁱ the quotient is as sparse as the node.
        self.add_quotient(vector, digit, Fr::zero(), Fr::one(), &mut values);
        self.commit(&values) + sum(&self.own()[digit..=digit], &[at])
    }

    /// `D ‖ U`, from the openings π of the claims: D = Σ ρ·π, and U = Σ ρ/(z − ω)·π, since
    /// ((f − m)/(z − ω) − (f − m)/(X − ω))/(X − z) = (f − m)/((X − ω)(z − ω)).
    fn aggregate(&self, claims: &[Opened], seed: &Word) -> Vec<u8> {
        let openings: Vec<_> = claims.iter().map(|claim| claim.opening).collect();
        let mut factors: Vec<Fr> = claims.iter().map(|claim| claim.coefficient).collect();
        let total = compressed(sum(&openings, &factors));
        let z = challenge(seed, &total);
        let mut gaps: Vec<Fr> = claims.iter().map(|claim| z - self.places[claim.digit]).collect();
        batch_inversion(&mut gaps);
        for (factor, gap) in factors.iter_mut().zip(gaps) {
            *factor *= gap;
        }
        [total, compressed(sum(&openings, &factors))].concat()
    }

    /// D commits to g = Σ ρ·(f − m)/(X − ω), U to (Σ ρ/(z − ω)·(f − m) − g)/(X − z).
    fn aggregate_unopened(&self, claims: &[Claim<'_>], seed: &Word) -> Option<Vec<u8>> {
        let k = self.places.len();
        // Two sums of k terms, against as many as are occupied.
        if claims.iter().map(|claim| occupied(claim.vector)).sum::<usize>() < 2 * k {
            return None;
        }
        let mut g = vec![Fr::zero(); k];
        for Claim { vector, digit, coefficient } in claims {
            self.add_quotient(vector, *digit, vector[*digit], *coefficient, &mut g);
        }
        let sum = compressed(self.commit(&g));
        let z = challenge(seed, &sum);
        let mut below: Vec<Fr> = self.places.iter().map(|place| z - place).collect();
        // z is a root of unity once in 2^245 times.
        batch_inversion(&mut below);
        let mut rest: Vec<Fr> = g.iter().map(|value| -*value).collect();
        for Claim { vector, digit, coefficient } in claims {
            let factor = *coefficient * below[*digit];
            for (rest, value) in rest.iter_mut().zip(*vector) {
                *rest += factor * (*value - vector[*digit]);
            }
        }
        let quotient: Vec<Fr> =
            rest.iter().zip(&below).map(|(value, below)| -*value * below).collect();
        Some([sum, compressed(self.commit(&quotient))].concat())
    }
}

/// Where an aggregate is opened.
fn challenge(seed: &Word, sum: &Compressed) -> Fr {
    Fr::from_be_bytes_mod_order(&sha256(&[seed, sum]))
}

impl PartialEq for Kzg {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

/// ω of a domain, for tests that compute with other code.
pub fn place(bits: usize, digit: usize) -> Fr {
    let omega = Fr::get_root_of_unity(1 << bits).unwrap_or_else(Fr::one);
    omega.pow([digit as u64])
}
