//! Public parameters: powers of a secret tau, and the points that commitments and openings are sums
//! of.
//!
//! For a leaf i, x = w^i, n = 2^k and m = 2^(k − d):
//!
//! * B(d, i) = \[(x/n)·(tau^m − x^m)/(tau − x)\]₁, the batch proof of a node of depth d whose only
//!   value is 1 at i; B(0, i) is the Lagrange point `[L_i(tau)]₁`, of which a commitment is the
//!   sum;
//! * Q(d, i) = \[(B(d, i)(tau) − x^m/2^d)/(tau − x)\]₁, its quotient where it is opened at x.

use std::collections::HashMap;
use std::ops::Add;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ark_bn254::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{AdditiveGroup, BigInteger, Field, PrimeField, Zero, batch_inversion};
use rayon::prelude::*;

use lightproof_core::error::Span;
use lightproof_core::wire::{Bytes, bn254};

use super::ptau::{self, Powers, root_of_unity};
use crate::hash::{Word, keccak256};

/// Bits that a version takes in a leaf.
pub(super) const VERSION_BITS: usize = 40;

/// Bits of a window of the generator's multiples.
const WINDOW: usize = 8;

/// Points, or groups of them, that one thread makes.
const SHARE: usize = 64;

/// A point that depends on a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// B(depth, leaf).
    Batch(u8, u32),
    /// Q(depth, leaf).
    Quotient(u8, u32),
    /// 2^(40·slot) · B(depth, leaf), of depth, slot and leaf: what a batch proof, or at depth 0 a
    /// commitment, gains when the version in a slot rises by one.
    Shifted(u8, u8, u32),
}

/// B or Q of one depth, by leaf.
type Row = Vec<G1Affine>;

/// Where the points come from.
enum Basis {
    /// Whoever made the parameters knows tau: INSECURE, and points are made when they are needed.
    Known { tau: Fr, windows: Vec<Vec<G1Affine>> },
    /// From a ceremony's file: rows of all leaves, made when one of them is needed, and cached on
    /// disk.
    Powers { powers: Powers, cache: Option<PathBuf>, rows: Mutex<HashMap<(bool, u8), Arc<Row>>> },
}

/// Parameters of one size.
pub struct Setup {
    k: u8,
    omega: Fr,
    basis: Basis,
    bytes: Vec<u8>,
    /// Points made so far.
    made: Mutex<HashMap<Place, G1Affine>>,
}

impl Setup {
    /// Parameters whose tau follows from a seed: INSECURE, whoever knows the seed proves what he
    /// likes.
    ///
    /// * `k`: log2 of the number of leaves, 1 to 16.
    pub fn insecure(seed: u64, k: u8) -> Self {
        let tau = insecure_tau(seed);
        let mut power = tau;
        let mut powers = Vec::new();
        for _ in 0..=k {
            powers.push(G2Projective::generator() * power);
            power.square_in_place();
        }
        let windows = windows();
        Self::new(k, Basis::Known { tau, windows }, &G2Projective::normalize_batch(&powers))
    }

    /// Parameters from a ceremony.
    ///
    /// * `cache`: directory for what is made of them.
    pub fn from_powers(powers: Powers, cache: Option<PathBuf>) -> Self {
        let k = u8::try_from(powers.g2.len().saturating_sub(1)).unwrap_or(u8::MAX);
        let g2 = powers.g2.clone();
        Self::new(k, Basis::Powers { powers, cache, rows: Mutex::default() }, &g2)
    }

    fn new(k: u8, basis: Basis, powers: &[G2Affine]) -> Self {
        let omega = root_of_unity(k);
        let mut bytes = vec![k];
        bytes.extend(powers.iter().flat_map(g2_bytes));
        Self { k, omega, basis, bytes, made: Mutex::default() }
    }

    /// log2 of the number of leaves.
    pub fn k(&self) -> u8 {
        self.k
    }

    /// What the verifier needs: `k ‖ [tau^(2^j)]₂`.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Their name in chain configurations.
    pub fn digest(&self) -> Word {
        keccak256(&self.bytes)
    }

    /// Whether somebody is known to know tau.
    pub fn is_insecure(&self) -> bool {
        matches!(self.basis, Basis::Known { .. })
    }

    /// w^index.
    pub fn x(&self, index: u32) -> Fr {
        self.omega.pow([u64::from(index)])
    }

    /// Points at some places, in their order.
    pub fn points(&self, places: &[Place]) -> Vec<G1Affine> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let missing: Vec<Place> =
            places.iter().filter(|place| !made.contains_key(*place)).copied().collect();
        let points = G1Projective::normalize_batch(&self.make(&missing));
        made.extend(missing.into_iter().zip(points));
        places.iter().map(|place| made[place]).collect()
    }

    /// The sum of the points of each group. Who knows tau adds logarithms, and makes one point a
    /// group.
    pub fn sums(&self, groups: &[Vec<Place>]) -> Vec<G1Projective> {
        match &self.basis {
            Basis::Known { tau, windows } => {
                let sums = groups.par_chunks(SHARE).flat_map_iter(|groups| {
                    let mut scalars = self.logarithms(*tau, &groups.concat()).into_iter();
                    let sum = |group: &Vec<Place>| scalars.by_ref().take(group.len()).sum();
                    let sums: Vec<Fr> = groups.iter().map(sum).collect();
                    sums.into_iter().map(|scalar| times_generator(windows, scalar))
                });
                sums.collect()
            }
            Basis::Powers { .. } => {
                let mut points = self.points(&groups.concat()).into_iter();
                let sum = |group: &Vec<Place>| {
                    points.by_ref().take(group.len()).fold(G1Projective::zero(), Add::add)
                };
                groups.iter().map(sum).collect()
            }
        }
    }

    fn make(&self, places: &[Place]) -> Vec<G1Projective> {
        match &self.basis {
            Basis::Known { tau, windows } => {
                let points = places.par_chunks(SHARE).flat_map_iter(|places| {
                    let scalars = self.logarithms(*tau, places).into_iter();
                    scalars.map(|scalar| times_generator(windows, scalar))
                });
                points.collect()
            }
            Basis::Powers { .. } => places.iter().map(|place| self.look_up(*place)).collect(),
        }
    }

    /// The points' logarithms, for who knows tau.
    fn logarithms(&self, tau: Fr, places: &[Place]) -> Vec<Fr> {
        let index = |place: &Place| match place {
            Place::Batch(_, index) | Place::Quotient(_, index) | Place::Shifted(_, _, index) => {
                *index
            }
        };
        let xs: Vec<Fr> = places.iter().map(|place| self.x(index(place))).collect();
        let mut inverses: Vec<Fr> = xs.iter().map(|x| tau - x).collect();
        batch_inversion(&mut inverses);
        let n = Fr::from(1_u64 << self.k).inverse().unwrap_or_default();
        let batch = |depth: u8, x: Fr, inverse: Fr| {
            let m = [1 << (self.k - depth)];
            x * n * (tau.pow(m) - x.pow(m)) * inverse
        };
        let all = places.iter().zip(xs).zip(inverses);
        all.map(|((place, x), inverse)| match *place {
            Place::Batch(depth, _) => batch(depth, x, inverse),
            Place::Quotient(depth, _) => {
                let y = x.pow([1 << (self.k - depth)])
                    * Fr::from(1_u64 << depth).inverse().unwrap_or_default();
                (batch(depth, x, inverse) - y) * inverse
            }
            Place::Shifted(depth, slot, _) => {
                let shift = Fr::from(1_u64 << VERSION_BITS).pow([u64::from(slot)]);
                batch(depth, x, inverse) * shift
            }
        })
        .collect()
    }

    /// A point of a ceremony's.
    fn look_up(&self, place: Place) -> G1Projective {
        match place {
            Place::Batch(depth, index) => self.row(false, depth)[index as usize].into_group(),
            Place::Quotient(depth, index) => self.row(true, depth)[index as usize].into_group(),
            Place::Shifted(depth, slot, index) => {
                let mut point = self.look_up(Place::Batch(depth, index));
                for _ in 0..VERSION_BITS * usize::from(slot) {
                    point.double_in_place();
                }
                point
            }
        }
    }
}

impl Setup {
    /// All points of one kind and depth.
    fn row(&self, is_quotient: bool, depth: u8) -> Arc<Row> {
        let Basis::Powers { powers, cache, rows } = &self.basis else { return Arc::default() };
        let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
        let row = rows.entry((is_quotient, depth)).or_insert_with(|| {
            let digest = crate::hex::encode(&self.digest());
            let name = format!("{digest}-{}{depth}", if is_quotient { 'q' } else { 'b' });
            let file = cache.as_ref().map(|cache| cache.join(name));
            let cached = file.as_ref().and_then(|file| cached(file, 1 << self.k));
            Arc::new(cached.unwrap_or_else(|| {
                let make = if is_quotient { ptau::quotient_row } else { ptau::batch_row };
                let row = make(powers, self.k, depth);
                // A cache that cannot be written costs the time to make the row again.
                let _ = file.map(|file| store(&file, &row));
                row
            }))
        });
        Arc::clone(row)
    }
}

/// A row from disk, if it is whole.
fn cached(file: &Path, count: usize) -> Option<Row> {
    let bytes = std::fs::read(file).ok()?;
    let (points, digest) = bytes.split_last_chunk::<32>()?;
    if keccak256(points) != *digest {
        return None;
    }
    let (points, []) = points.as_chunks::<{ bn254::G1_AFFINE_BYTES }>() else { return None };
    let point =
        |bytes: &[u8; 64]| bn254::g1_affine(Bytes { bytes, span: Span::default() }, "point").ok();
    points.iter().map(point).collect::<Option<Row>>().filter(|row| row.len() == count)
}

fn store(file: &Path, row: &Row) -> std::io::Result<()> {
    let mut bytes: Vec<u8> = row.iter().flat_map(bn254::affine).collect();
    bytes.extend(keccak256(&bytes));
    if let Some(directory) = file.parent() {
        std::fs::create_dir_all(directory)?;
    }
    let unfinished = file.with_extension("unfinished");
    std::fs::write(&unfinished, bytes)?;
    std::fs::rename(unfinished, file)
}

impl std::fmt::Debug for Setup {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digest = crate::hex::encode(&self.digest());
        formatter.debug_struct("Setup").field("digest", &digest).finish_non_exhaustive()
    }
}

/// The tau of [`Setup::insecure`].
pub fn insecure_tau(seed: u64) -> Fr {
    let label = [b"lightproof INSECURE tau".as_slice(), &seed.to_be_bytes()].concat();
    Fr::from_be_bytes_mod_order(&keccak256(&label))
}

/// x.c1 ‖ x.c0 ‖ y.c1 ‖ y.c0, big-endian.
fn g2_bytes(point: &G2Affine) -> Vec<u8> {
    let Some((x, y)) = point.xy() else { return vec![0; 128] };
    [x.c1, x.c0, y.c1, y.c0].iter().flat_map(|part| part.into_bigint().to_bytes_be()).collect()
}

/// Multiples 0..255 of 2^(8·i) times the generator, for i = 0..31.
fn windows() -> Vec<Vec<G1Affine>> {
    let mut base = G1Projective::generator();
    let rows = Fr::MODULUS_BIT_SIZE.div_ceil(8);
    let mut all = Vec::new();
    for _ in 0..rows {
        let mut row = vec![G1Projective::zero()];
        for _ in 1..1 << WINDOW {
            row.push(row[row.len() - 1] + base);
        }
        base += row[row.len() - 1];
        all.push(G1Projective::normalize_batch(&row));
    }
    all
}

fn times_generator(windows: &[Vec<G1Affine>], scalar: Fr) -> G1Projective {
    let digits = scalar.into_bigint().to_bytes_le();
    let mut sum = G1Projective::zero();
    for (row, digit) in windows.iter().zip(digits) {
        sum += row[usize::from(digit)];
    }
    sum
}
