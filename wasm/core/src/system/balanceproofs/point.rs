//! Points of G1 in a proof: compressed, or by both coordinates.

use ark_bls12_381::G1Affine;

use crate::error::DecodeError;
use crate::system::Encoded;
use crate::wire::point::{G1_BYTES, g1_or_identity, g1_uncompressed};

/// Bytes of a point by both coordinates.
pub(super) const UNCOMPRESSED: usize = 2 * G1_BYTES;

/// Reads a point of either form.
pub(super) fn point(encoded: &Encoded<'_>) -> Result<G1Affine, DecodeError> {
    let Encoded { from, field, .. } = *encoded;
    if from.bytes.len() == UNCOMPRESSED {
        return g1_uncompressed(from, field);
    }
    g1_or_identity(from, field)
}
