//! Powers of tau from a ceremony, BN254: `.ptau` files as snarkjs writes them, checked, and what an
//! AMT needs made of them.
//!
//! A file is sections of `type u32 ‖ size u64 ‖ bytes`, little-endian; section 1 names field and
//! power, 2 holds \[tau^i\]₁, 3 holds \[tau^i\]₂, coordinates in Montgomery form. Checked: points
//! on their curves and in their groups, the generators first, every \[tau^i\]₁ up to n and every
//! \[tau^(2^j)\]₂ that is used a power of one tau, by pairings with coefficients that the points
//! themselves decide, and tau neither 0 nor an n-th root of unity.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use ark_bn254::{Bn254, Fq, Fq2, Fr, G1Affine, G1Projective, G2Affine};
use ark_ec::pairing::Pairing;
use ark_ec::{AffineRepr, CurveGroup, VariableBaseMSM};
use ark_ff::{BigInt, FftField, Field, PrimeField, Zero};

use super::config::NAME;
use crate::error::StoreError;
use crate::hash::keccak256;

/// Why a file is not taken.
#[derive(Debug, thiserror::Error)]
pub enum PtauError {
    /// It cannot be read.
    #[error("the .ptau file cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// It is not of the form, or too small.
    #[error("not a .ptau file that fits: {0}")]
    Form(&'static str),
    /// Its points are not powers of one tau.
    #[error("the .ptau file is false: {0}")]
    False(&'static str),
}

impl From<PtauError> for StoreError {
    fn from(error: PtauError) -> Self {
        Self::System { name: NAME, source: Box::new(error) }
    }
}

/// Powers of one tau.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Powers {
    /// \[tau^i\]₁, i = 0..n.
    pub g1: Vec<G1Affine>,
    /// \[tau^(2^j)\]₂, j = 0..k.
    pub g2: Vec<G2Affine>,
}

/// Reads what AMTs of 2^k leaves need: a file of power k + 1 or more.
///
/// # Errors
/// [`PtauError`] says what is wrong with the file.
pub fn load(path: &Path, k: u8) -> Result<Powers, PtauError> {
    let mut file = File::open(path)?;
    let sections = sections(&mut file)?;
    let section =
        |kind| sections.get(&kind).copied().ok_or(PtauError::Form("a section is missing"));
    let (at, _) = section(1)?;
    file.seek(SeekFrom::Start(at))?;
    let field: [u8; 36] = read(&mut file)?;
    if field[..4] != [32, 0, 0, 0] || limbs(&field[4..]) != Fq::MODULUS {
        return Err(PtauError::Form("not of BN254"));
    }
    let power = u32::from_le_bytes(read(&mut file)?);
    if power > 28 || power <= u32::from(k) {
        return Err(PtauError::Form("its power is not k + 1 or more"));
    }
    let n = 1_u64 << k;
    let (at, size) = section(2)?;
    if size != ((2 << power) - 1) * 64 {
        return Err(PtauError::Form("section 2 is of another size"));
    }
    file.seek(SeekFrom::Start(at))?;
    let g1 = (0..=n).map(|_| g1(&read(&mut file)?)).collect::<Result<Vec<_>, _>>()?;
    let (at, size) = section(3)?;
    if size != (1 << power) * 128 {
        return Err(PtauError::Form("section 3 is of another size"));
    }
    let mut point = |index: u64| {
        file.seek(SeekFrom::Start(at + 128 * index))?;
        g2(&read(&mut file)?)
    };
    if point(0)? != G2Affine::generator() {
        return Err(PtauError::False("G2 does not start with its generator"));
    }
    let g2 = (0..=k).map(|j| point(1 << j)).collect::<Result<Vec<_>, _>>()?;
    let powers = Powers { g1, g2 };
    check(&powers)?;
    Ok(powers)
}

/// Offset and size of each section, by type.
fn sections(file: &mut File) -> Result<HashMap<u32, (u64, u64)>, PtauError> {
    if read::<4>(file)? != *b"ptau" || u32::from_le_bytes(read(file)?) != 1 {
        return Err(PtauError::Form("no magic number of version 1"));
    }
    let length = file.metadata()?.len();
    let mut sections = HashMap::new();
    for _ in 0..u32::from_le_bytes(read(file)?).min(16) {
        let kind = u32::from_le_bytes(read(file)?);
        let size = u64::from_le_bytes(read(file)?);
        let at = file.stream_position()?;
        if at.checked_add(size).is_none_or(|end| end > length) {
            return Err(PtauError::Form("a section is cut off"));
        }
        if sections.insert(kind, (at, size)).is_some() {
            return Err(PtauError::Form("a section twice"));
        }
        file.seek(SeekFrom::Start(at + size))?;
    }
    Ok(sections)
}

fn read<const N: usize>(file: &mut File) -> Result<[u8; N], PtauError> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn limbs(bytes: &[u8]) -> BigInt<4> {
    let mut limbs = [0; 4];
    for (limb, word) in limbs.iter_mut().zip(bytes.chunks(8)) {
        *limb = word.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    }
    BigInt(limbs)
}

/// Montgomery form with R = 2^256, as arkworks has it too.
fn coordinate(bytes: &[u8]) -> Result<Fq, PtauError> {
    let limbs = limbs(bytes);
    if limbs < Fq::MODULUS {
        Ok(Fq::new_unchecked(limbs))
    } else {
        Err(PtauError::Form("a coordinate over the modulus"))
    }
}

fn g1(bytes: &[u8; 64]) -> Result<G1Affine, PtauError> {
    let point = G1Affine::new_unchecked(coordinate(&bytes[..32])?, coordinate(&bytes[32..])?);
    let is_point = point.is_on_curve() && !point.is_zero();
    if is_point { Ok(point) } else { Err(PtauError::False("a point is not in G1")) }
}

fn g2(bytes: &[u8; 128]) -> Result<G2Affine, PtauError> {
    let part = |index: usize| coordinate(&bytes[32 * index..][..32]);
    let (x, y) = (Fq2::new(part(0)?, part(1)?), Fq2::new(part(2)?, part(3)?));
    let point = G2Affine::new_unchecked(x, y);
    let is_point =
        point.is_on_curve() && !point.is_zero() && point.is_in_correct_subgroup_assuming_on_curve();
    if is_point { Ok(point) } else { Err(PtauError::False("a point is not in G2")) }
}

fn check(powers: &Powers) -> Result<(), PtauError> {
    let Powers { g1, g2 } = powers;
    let (one, two) = (G1Affine::generator(), G2Affine::generator());
    if g1.first() != Some(&one) {
        return Err(PtauError::False("G1 does not start with its generator"));
    }
    let (Some(tau), Some(last)) = (g2.first(), g2.last()) else {
        return Err(PtauError::Form("no powers"));
    };
    if *last == two {
        return Err(PtauError::False("tau is a root of unity"));
    }
    // The points decide the coefficients, so that nobody can choose points that fit them.
    let mut transcript = Vec::new();
    for point in g1 {
        transcript.extend(lightproof_core::wire::bn254::compress(point));
    }
    let seed = keccak256(&transcript);
    let coefficients: Vec<Fr> = (0..g1.len() as u64 - 1)
        .map(|index| {
            let digest = keccak256(&[seed.as_slice(), &index.to_be_bytes()].concat());
            Fr::from_be_bytes_mod_order(&digest[..16])
        })
        .collect();
    let lower = G1Projective::msm_unchecked(&g1[..g1.len() - 1], &coefficients);
    let upper = G1Projective::msm_unchecked(&g1[1..], &coefficients);
    if Bn254::pairing(lower, *tau) != Bn254::pairing(upper, two) {
        return Err(PtauError::False("points of G1 are not powers of one tau"));
    }
    for (index, point) in g2.iter().enumerate() {
        let power = g1.get(1 << index).copied().unwrap_or_default();
        if Bn254::pairing(power, two) != Bn254::pairing(one, *point) {
            return Err(PtauError::False("points of G2 are not powers of the same tau"));
        }
    }
    Ok(())
}

/// B(depth, i) for every leaf: the values at w^i of Σ \[tau^j\]₁/n · X^(m − j), j < m.
pub fn batch_row(powers: &Powers, k: u8, depth: u8) -> Vec<G1Affine> {
    let (n, m) = (1_usize << k, 1_usize << (k - depth));
    let scale = Fr::from(n as u64).inverse().unwrap_or_default();
    let mut terms = vec![G1Projective::zero(); n];
    for (j, point) in powers.g1.iter().take(m).enumerate() {
        terms[(m - j) % n] = *point * scale;
    }
    evaluate(terms, root_of_unity(k))
}

/// Q(depth, i) for every leaf: the values at w^i of Σ (m − 1 − l)·\[tau^l\]₁/n · X^(m − 1 − l), l <
/// m − 1.
pub fn quotient_row(powers: &Powers, k: u8, depth: u8) -> Vec<G1Affine> {
    let (n, m) = (1_usize << k, 1_usize << (k - depth));
    let scale = Fr::from(n as u64).inverse().unwrap_or_default();
    let mut terms = vec![G1Projective::zero(); n];
    for (l, point) in powers.g1.iter().take(m - 1).enumerate() {
        let exponent = m - 1 - l;
        terms[exponent] = *point * (scale * Fr::from(exponent as u64));
    }
    evaluate(terms, root_of_unity(k))
}

/// Values of a polynomial with coefficients in G1 at the powers of a root of unity, by the fast
/// Fourier transform.
fn evaluate(mut values: Vec<G1Projective>, root: Fr) -> Vec<G1Affine> {
    let n = values.len();
    let bits = n.trailing_zeros();
    for index in 0..n {
        let other = index.reverse_bits() >> (usize::BITS - bits).min(usize::BITS - 1);
        if index < other {
            values.swap(index, other);
        }
    }
    let mut half = 1;
    while half < n {
        let step = root.pow([(n / (2 * half)) as u64]);
        for block in values.chunks_mut(2 * half) {
            let mut twiddle = Fr::from(1_u64);
            let (low, high) = block.split_at_mut(half);
            for (low, high) in low.iter_mut().zip(high) {
                let moved = if high.is_zero() { *high } else { *high * twiddle };
                (*low, *high) = (*low + moved, *low - moved);
                twiddle *= step;
            }
        }
        half *= 2;
    }
    G1Projective::normalize_batch(&values)
}

/// w, a primitive 2^k-th root of unity: 5^((r − 1)/2^k).
pub fn root_of_unity(k: u8) -> Fr {
    Fr::TWO_ADIC_ROOT_OF_UNITY.pow([1_u64 << (28 - u32::from(k))])
}

#[cfg(test)]
mod tests {
    use ark_bn254::G2Projective;
    use ark_ec::PrimeGroup;

    use super::super::setup::{Place, Setup, insecure_tau};
    use super::*;

    const K: u8 = 4;

    fn montgomery(coordinate: Fq) -> Vec<u8> {
        coordinate.0.0.iter().flat_map(|limb| limb.to_le_bytes()).collect()
    }

    /// A file of power 5, made from a known secret.
    fn file(tau: Fr) -> Vec<u8> {
        let power = |index: u64| tau.pow([index]);
        let mut sections = Vec::new();
        let modulus: Vec<u8> = Fq::MODULUS.0.iter().flat_map(|limb| limb.to_le_bytes()).collect();
        let numbers = [u32::from(K) + 1, u32::from(K) + 1].map(u32::to_le_bytes).concat();
        sections.push((1_u32, [32_u32.to_le_bytes().to_vec(), modulus, numbers].concat()));
        let g1 = (0..63).flat_map(|index| {
            let point = (G1Projective::generator() * power(index)).into_affine();
            [montgomery(point.x), montgomery(point.y)].concat()
        });
        sections.push((2, g1.collect()));
        let g2 = (0..32).flat_map(|index| {
            let point = (G2Projective::generator() * power(index)).into_affine();
            [point.x.c0, point.x.c1, point.y.c0, point.y.c1].map(montgomery).concat()
        });
        sections.push((3, g2.collect()));
        let mut bytes = [b"ptau".as_slice(), &1_u32.to_le_bytes(), &3_u32.to_le_bytes()].concat();
        for (kind, section) in sections {
            bytes.extend(kind.to_le_bytes());
            bytes.extend((section.len() as u64).to_le_bytes());
            bytes.extend(section);
        }
        bytes
    }

    fn load_bytes(bytes: &[u8]) -> Result<Powers, PtauError> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file.ptau");
        std::fs::write(&path, bytes).unwrap();
        load(&path, K)
    }

    #[test]
    fn points_are_those_that_the_secret_makes() {
        let known = Setup::insecure(0, K);
        let directory = tempfile::tempdir().unwrap();
        // The second time they come from the cache.
        for _ in 0..2 {
            let powers = load_bytes(&file(insecure_tau(0))).unwrap();
            let setup = Setup::from_powers(powers, Some(directory.path().to_owned()));
            assert_eq!(setup.digest(), known.digest());
            assert!(known.is_insecure() && !setup.is_insecure());
            for depth in 0..=K {
                for index in 0..16 {
                    let mut places = vec![Place::Batch(depth, index), Place::Shifted(0, 1, index)];
                    places.extend((depth < K).then_some(Place::Quotient(depth, index)));
                    assert_eq!(setup.points(&places), known.points(&places), "{depth} {index}");
                }
            }
        }
    }

    #[test]
    fn false_and_malformed_files_are_refused() {
        let honest = file(insecure_tau(0));
        assert!(load_bytes(&honest).is_ok());
        let other = file(insecure_tau(1));
        // Behind the header, and the prefixes of sections 1 to 3.
        let g1 = 12 + 12 + 44 + 12;
        let g2 = g1 + 64 * 63 + 12;
        let replaced = |at: usize, length: usize| {
            let mut bytes = honest.clone();
            bytes[at..at + length].copy_from_slice(&other[at..at + length]);
            bytes
        };
        let is_false = |bytes: &[u8]| matches!(load_bytes(bytes), Err(PtauError::False(_)));
        // Generators are the same in both; every other power that is used is not.
        for index in 1..=16 {
            assert!(is_false(&replaced(g1 + 64 * index, 64)), "G1 {index}");
        }
        for index in [1, 2, 4, 8, 16] {
            assert!(is_false(&replaced(g2 + 128 * index, 128)), "G2 {index}");
        }
        let mut twice = honest.clone();
        twice.copy_within(g1 + 64..g1 + 128, g1);
        assert!(is_false(&twice));
        let mut off = honest.clone();
        off[g1 + 64 * 3] ^= 1;
        assert!(is_false(&off));
        for end in [0, 3, 11, 40, honest.len() - 1] {
            assert!(load_bytes(&honest[..end]).is_err(), "{end}");
        }
        for at in [0, 4, 24, 28, 60] {
            let mut bytes = honest.clone();
            bytes[at] ^= 0x40;
            assert!(load_bytes(&bytes).is_err(), "{at}");
        }
        assert!(is_false(&file(Fr::from(1_u64))));
        assert!(is_false(&file(Fr::zero())));
        assert!(is_false(&file(root_of_unity(K))));
    }
}
