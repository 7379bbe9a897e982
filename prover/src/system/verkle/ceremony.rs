//! Setups of cf that nobody knows whole: everybody multiplies the secret of every slot by one of
//! their own and forgets it. One honest contributor is enough.
//!
//! File: `KVT-CF-ceremony-v1` ‖ u32be k ‖ h ‖ ĥ ‖ `h_ij` for i < j, by j and then i ‖ u32be
//! contributions ‖ contributions. A contribution is, for every slot, hᵢ after it (48 bytes), R =
//! r·G2 and T = t·G2 (96 bytes each) and s = t + c·r (32 bytes, big-endian), where c = SHA-256 of
//! everything in the file's place before it and of its own hᵢ, R and T, modulo r. All points are
//! compressed. It begins with zᵢ = 1 for every slot, so that a file without contributions is no
//! setup.
//!
//! A setup of powers of τ cannot serve: its squares open anything. That no contributor published
//! zᵢ², or chose secrets that depend on each other, is what no check can show; that it takes all of
//! them together is what the contributions show.

use ark_bls12_381::{Bls12_381, Fr, G1Affine, G2Affine, G2Projective};
use ark_ec::pairing::Pairing as _;
use ark_ec::{AffineRepr, CurveGroup as _, VariableBaseMSM as _};
use ark_ff::{PrimeField as _, Zero as _};
use ark_serialize::CanonicalSerialize;

use super::cf::Points;
use super::commitment::{coefficient, scalar_bytes};
use crate::hash::{Word, sha256};
use crate::sums::sum;

const MAGIC: &[u8] = b"KVT-CF-ceremony-v1";

/// Why a file is no setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CeremonyError {
    /// Not of the form.
    #[error("malformed: {0}")]
    Form(&'static str),
    /// Of the form, and wrong.
    #[error("not a setup: {0}")]
    Wrong(&'static str),
}

use CeremonyError::{Form, Wrong};

/// One slot of one contribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// hᵢ after the contribution.
    pub after: G1Affine,
    /// r·G2.
    pub factor: G2Affine,
    /// t·G2.
    pub nonce: G2Affine,
    /// t + c·r.
    pub response: Fr,
}

/// A setup, and who has a share in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ceremony {
    /// The points so far.
    pub points: Points,
    /// By contributor, and slot.
    pub contributions: Vec<Vec<Share>>,
}

impl Ceremony {
    /// A ceremony without contributions.
    pub fn new(bits: usize) -> Self {
        let k = 1_usize << bits;
        let points = Points {
            h: vec![G1Affine::generator(); k],
            hh: vec![G2Affine::generator(); k],
            cross: vec![G1Affine::generator(); k * (k - 1) / 2],
        };
        Self { points, contributions: vec![] }
    }

    /// Multiplies the secret of every slot.
    ///
    /// * `entropy`: 64 bytes that nobody else knows, to be forgotten.
    pub fn contribute(&mut self, entropy: &[u8; 64]) {
        let k = self.points.h.len();
        let draw = |purpose: &[u8], index: usize| {
            let index = (index as u64).to_be_bytes();
            let wide = [
                sha256(&[entropy, purpose, &index, &[0]]),
                sha256(&[entropy, purpose, &index, &[1]]),
            ];
            Fr::from_be_bytes_mod_order(&wide.concat())
        };
        let factors: Vec<Fr> = (0..k).map(|index| draw(b"factor", index)).collect();
        let nonces: Vec<Fr> = (0..k).map(|index| draw(b"nonce", index)).collect();
        let transcript = self.transcript(self.contributions.len());
        for (index, factor) in factors.iter().enumerate() {
            self.points.h[index] = (self.points.h[index] * factor).into_affine();
            self.points.hh[index] = (self.points.hh[index] * factor).into_affine();
        }
        for j in 1..k {
            for i in 0..j {
                let point = &mut self.points.cross[Points::place(i, j)];
                *point = (*point * (factors[i] * factors[j])).into_affine();
            }
        }
        let in_g2 = |scalar: &Fr| (G2Affine::generator() * scalar).into_affine();
        let mut shares: Vec<Share> = (0..k)
            .map(|index| Share {
                after: self.points.h[index],
                factor: in_g2(&factors[index]),
                nonce: in_g2(&nonces[index]),
                response: Fr::zero(),
            })
            .collect();
        let challenge = challenge(&transcript, &shares);
        for (share, (factor, nonce)) in shares.iter_mut().zip(factors.iter().zip(&nonces)) {
            share.response = *nonce + challenge * factor;
        }
        self.contributions.push(shares);
    }

    /// The file.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(number(self.points.h.len()));
        write(&self.points.h, &mut out);
        write(&self.points.hh, &mut out);
        write(&self.points.cross, &mut out);
        out.extend(number(self.contributions.len()));
        for shares in &self.contributions {
            out.extend(encode_shares(shares));
        }
        out
    }

    /// Whether a file begins as one of a ceremony does.
    pub fn is_file(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a file and checks all of it.
    ///
    /// # Errors
    /// [`CeremonyError`] names what is wrong.
    pub fn read(bytes: &[u8]) -> Result<Self, CeremonyError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(Form("not a file of a ceremony"))?;
        let k = take_number(&mut rest)?;
        if ![32, 256, 1_024].contains(&k) {
            return Err(Form("k is 32, 256 or 1024"));
        }
        let points = Points {
            h: take_points(&mut rest, k)?,
            hh: take_points(&mut rest, k)?,
            cross: take_points(&mut rest, k * (k - 1) / 2)?,
        };
        let count = take_number(&mut rest)?;
        let mut contributions = Vec::new();
        for _ in 0..count {
            let mut shares = Vec::with_capacity(k);
            for _ in 0..k {
                shares.push(Share {
                    after: take_point(&mut rest)?,
                    factor: take_point(&mut rest)?,
                    nonce: take_point(&mut rest)?,
                    response: take_scalar(&mut rest)?,
                });
            }
            contributions.push(shares);
        }
        if !rest.is_empty() {
            return Err(Form("trailing bytes"));
        }
        let ceremony = Self { points, contributions };
        ceremony.check()?;
        Ok(ceremony)
    }

    /// SHA-256 of what came before contribution number `index`.
    fn transcript(&self, index: usize) -> Word {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(number(self.points.h.len()));
        bytes
            .extend(self.contributions.iter().take(index).flat_map(|shares| encode_shares(shares)));
        sha256(&[&bytes])
    }

    fn check(&self) -> Result<(), CeremonyError> {
        let last = self.contributions.last().ok_or(Wrong("nobody contributed"))?;
        if last.iter().zip(&self.points.h).any(|(share, h)| share.after != *h) {
            return Err(Wrong("the last contribution leads to other points"));
        }
        let mut before = vec![G1Affine::generator(); self.points.h.len()];
        for (index, shares) in self.contributions.iter().enumerate() {
            let challenge = challenge(&self.transcript(index), shares);
            for share in shares {
                let left = G2Affine::generator() * share.response;
                if left != share.nonce + share.factor * challenge {
                    return Err(Wrong("a contributor does not know their own factor"));
                }
            }
            let seed = sha256(&[&self.transcript(index + 1), b"chain"]);
            let weights = weights(&seed, shares.len());
            let after: Vec<_> = shares.iter().map(|share| share.after).collect();
            let total = sum(&after, &weights);
            let mut left = vec![(-total).into_affine()];
            let mut right = vec![G2Affine::generator()];
            for ((before, weight), share) in before.iter().zip(&weights).zip(shares) {
                left.push((*before * weight).into_affine());
                right.push(share.factor);
            }
            if !Bls12_381::multi_pairing(left, right).is_zero() {
                return Err(Wrong("a contribution does not follow from the one before"));
            }
            before = after;
        }
        check_points(&self.points)
    }
}

/// What a loader checks of a setup's points: no secret zero, all different up to their sign, e(hᵢ,
/// G2) = e(G1, ĥᵢ) and e(`h_ij`, G2) = e(hᵢ, ĥⱼ).
///
/// # Errors
/// [`CeremonyError::Wrong`] names the check.
pub fn check_points(points: &Points) -> Result<(), CeremonyError> {
    let Points { h, hh, cross } = points;
    if h.iter().any(G1Affine::is_zero) || hh.iter().any(G2Affine::is_zero) {
        return Err(Wrong("a secret is zero"));
    }
    let mut abscissas: Vec<_> = h.iter().map(|point| point.x().unwrap_or_default()).collect();
    abscissas.sort_unstable();
    if abscissas.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Wrong("two slots have the same secret"));
    }
    let mut bytes = Vec::new();
    write(h, &mut bytes);
    write(hh, &mut bytes);
    write(cross, &mut bytes);
    let seed = sha256(&[b"points", &bytes]);
    let rho = weights(&seed, h.len());
    let (in_g1, in_g2) = (sum(h, &rho), G2Projective::msm_unchecked(hh, &rho));
    let left = [in_g1.into_affine(), -G1Affine::generator()];
    let right = [G2Affine::generator(), in_g2.into_affine()];
    if !Bls12_381::multi_pairing(left, right).is_zero() {
        return Err(Wrong("a slot's points differ in their secret"));
    }
    let seed = sha256(&[b"products", &seed]);
    let rho = weights(&seed, cross.len());
    let mut left = vec![(-sum(cross, &rho)).into_affine()];
    let mut right = vec![G2Affine::generator()];
    for (j, second) in hh.iter().enumerate().skip(1) {
        let start = Points::place(0, j);
        left.push(sum(&h[..j], &rho[start..start + j]).into_affine());
        right.push(*second);
    }
    if Bls12_381::multi_pairing(left, right).is_zero() {
        Ok(())
    } else {
        Err(Wrong("a product of secrets is another one's"))
    }
}

fn weights(seed: &Word, count: usize) -> Vec<Fr> {
    (0..count).map(|index| coefficient(seed, index)).collect()
}

fn challenge(transcript: &Word, shares: &[Share]) -> Fr {
    let mut bytes = transcript.to_vec();
    for share in shares {
        write(&[share.after], &mut bytes);
        write(&[share.factor, share.nonce], &mut bytes);
    }
    Fr::from_be_bytes_mod_order(&sha256(&[&bytes]))
}

fn encode_shares(shares: &[Share]) -> Vec<u8> {
    let mut out = Vec::new();
    for share in shares {
        write(&[share.after], &mut out);
        write(&[share.factor, share.nonce], &mut out);
        out.extend(scalar_bytes(share.response));
    }
    out
}

fn write<P: CanonicalSerialize>(points: &[P], out: &mut Vec<u8>) {
    for point in points {
        // Writing to a vector cannot fail.
        let _ = point.serialize_compressed(&mut *out);
    }
}

fn number(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes()
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8], CeremonyError> {
    let (head, tail) = rest.split_at_checked(count).ok_or(Form("cut off"))?;
    *rest = tail;
    Ok(head)
}

fn take_number(rest: &mut &[u8]) -> Result<usize, CeremonyError> {
    let bytes = take(rest, 4)?;
    Ok(bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

/// A point in its subgroup, in the one form that it is written in.
fn take_point<P: AffineRepr>(rest: &mut &[u8]) -> Result<P, CeremonyError> {
    let bytes = take(rest, P::zero().compressed_size())?;
    let wrong = Form("not a point");
    let point = P::deserialize_compressed(bytes).map_err(|_| wrong)?;
    let mut again = Vec::new();
    write(std::slice::from_ref(&point), &mut again);
    if again == bytes { Ok(point) } else { Err(wrong) }
}

fn take_points<P: AffineRepr>(rest: &mut &[u8], count: usize) -> Result<Vec<P>, CeremonyError> {
    if count > rest.len() / P::zero().compressed_size() {
        return Err(Form("cut off"));
    }
    (0..count).map(|_| take_point(rest)).collect()
}

fn take_scalar(rest: &mut &[u8]) -> Result<Fr, CeremonyError> {
    let bytes = take(rest, 32)?;
    let scalar = Fr::from_be_bytes_mod_order(bytes);
    if scalar_bytes(scalar) == bytes { Ok(scalar) } else { Err(Form("not a scalar")) }
}
