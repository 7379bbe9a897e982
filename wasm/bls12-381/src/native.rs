//! What the curve of WebAssembly has beside arkworks' items, by arkworks.

use ark_bls12_381::{Bls12_381, Fq12, G1Affine, G2Affine};
use ark_ec::pairing::Pairing;

/// The product of the loops of pairs, and for each point on the right whether it is in the subgroup,
/// infinity included, found when it is asked for. The product means nothing if one is not.
pub fn miller_loop<'a>(
    left: &[G1Affine],
    right: &'a [G2Affine],
) -> (Fq12, impl DoubleEndedIterator<Item = bool> + use<'a>) {
    let product = Bls12_381::multi_miller_loop(left, right).0;
    (product, right.iter().map(G2Affine::is_in_correct_subgroup_assuming_on_curve))
}
