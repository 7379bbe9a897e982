//! A ceremony's file: `BP-two-layer-ceremony-v1` ‖ p ‖ t ‖ m ‖ \[αⁱβʲγᵏ\]₁, k first to run ‖ \[α\]₂
//! ‖ \[β\]₂ ‖ \[γᵏ\]₂ for k ≤ m ‖ contributions. A contribution is, for α, β and γ, the secret in
//! G1 after it, the commitment (48 bytes each) and the response (32 bytes). Numbers are 4 bytes;
//! everything is big-endian, points are compressed.

use ark_bls12_381::{Fr, G1Affine};
use ark_ff::{BigInteger, PrimeField};
use ark_serialize::CanonicalDeserialize;

use super::{Ceremony, Contribution, Fault, Knowledge, shape};
use crate::system::balanceproofs::encoding::bytes;

const MAGIC: &[u8] = b"BP-two-layer-ceremony-v1";

/// Bytes of a contribution.
const CONTRIBUTION: usize = 3 * (48 + 48 + 32);

impl Ceremony {
    /// The file.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        for side in self.sides {
            out.extend(u32::try_from(side).unwrap_or(u32::MAX).to_be_bytes());
        }
        out.extend(bytes(&self.g1));
        out.extend(bytes(&self.outer));
        out.extend(bytes(&self.g2));
        for Knowledge { result, commitment, response } in
            self.contributions.iter().flat_map(|contribution| contribution.secrets)
        {
            out.extend(bytes(&[result, commitment]));
            out.extend(response.into_bigint().to_bytes_be());
        }
        out
    }

    /// Whether a file says that it is one of this ceremony.
    pub fn is_file(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a file and checks all of it: no vector is made on points that do not fit together.
    ///
    /// * `fresh`: 32 bytes that no contributor could foresee.
    ///
    /// # Errors
    /// [`Fault`] says what is wrong.
    pub fn read(bytes: &[u8], fresh: &[u8; 32]) -> Result<Self, Fault> {
        let ceremony = Self::decode(bytes)?;
        ceremony.verify(fresh)?;
        Ok(ceremony)
    }

    /// Points of the groups' subgroups, which [`Ceremony::verify`] has yet to check.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, Fault> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(Fault::Form("not a ceremony's file"))?;
        let mut sides = [0; 3];
        for side in &mut sides {
            let number = take(&mut rest, 4)?;
            let number = number.iter().fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte));
            *side = usize::try_from(number).unwrap_or(usize::MAX);
        }
        // At most 2³² in all.
        shape(sides)?;
        let g1 = take(&mut rest, sides.iter().product::<usize>() * 48)?;
        let (outer, g2) = (take(&mut rest, 2 * 96)?, take(&mut rest, (sides[2] + 1) * 96)?);
        let outer = points(outer, 96)?;
        let outer = outer.try_into().map_err(|_| Fault::Form("cut off"))?;
        let (contributions, []) = rest.as_chunks::<CONTRIBUTION>() else {
            return Err(Fault::Form("cut off, or trailing bytes"));
        };
        let contributions = contributions.iter().map(contribution).collect::<Result<_, _>>()?;
        Ok(Self { sides, g1: points(g1, 48)?, outer, g2: points(g2, 96)?, contributions })
    }
}

fn contribution(bytes: &[u8; CONTRIBUTION]) -> Result<Contribution, Fault> {
    let mut secrets = Vec::new();
    for part in bytes.chunks(CONTRIBUTION / 3) {
        let (pair, response) = part.split_at(96);
        let pair: Vec<G1Affine> = points(pair, 48)?;
        let scalar = Fr::from_be_bytes_mod_order(response);
        if scalar.into_bigint().to_bytes_be() != response {
            return Err(Fault::Form("a scalar over the order"));
        }
        secrets.push(Knowledge { result: pair[0], commitment: pair[1], response: scalar });
    }
    let secrets = secrets.try_into().map_err(|_| Fault::Form("cut off"))?;
    Ok(Contribution { secrets })
}

fn points<P: CanonicalDeserialize>(bytes: &[u8], size: usize) -> Result<Vec<P>, Fault> {
    let read = |bytes: &[u8]| P::deserialize_compressed(bytes);
    let points: Result<_, _> = bytes.chunks(size).map(read).collect();
    points.map_err(|_| Fault::Form("bytes that are no point of a group"))
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8], Fault> {
    let (head, tail) = rest.split_at_checked(count).ok_or(Fault::Form("cut off"))?;
    *rest = tail;
    Ok(head)
}
