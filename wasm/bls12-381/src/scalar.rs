//! The scalar field.

use ark_bls12_381 as ark;
use ark_ff::{Fp, MontBackend};

lightproof_limbs::base_field! {
    /// The scalar field's arithmetic.
    FrConfig as ark_bls12_381::FrConfig, words 0 1 2 3, bits 29, limbs [0 1 2 3 4 5 6 7 8]
}

/// The scalar field.
pub type Fr = Fp<MontBackend<FrConfig, 4>, 4>;

/// An element of arkworks' field in this one.
pub(crate) const fn fr(element: ark::Fr) -> Fr {
    Fr::new_unchecked(element.0)
}
