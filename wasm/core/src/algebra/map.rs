//! `hash_to_curve` of RFC 9380 §8.8.2, suite `BLS12381G2_XMD:SHA-256_SSWU_RO_`, and its
//! `map_to_curve` on both groups, with arkworks' field hashing and isogeny coefficients, and the
//! square roots of [`super::root`].

use ark_bls12_381::{Fq, Fq2, G1Affine, G2Affine, g1, g2};
use ark_ec::hashing::curve_maps::parity;
use ark_ec::hashing::curve_maps::swu::SWUConfig;
use ark_ec::hashing::curve_maps::wb::WBConfig;
use ark_ec::short_weierstrass::Affine;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::field_hashers::{DefaultFieldHasher, HashToField};
use ark_ff::{Field, Zero};
use sha2::Sha256;

use super::halves::bls12_381::X;
use super::root::{Root, real_root, root};
use crate::observer::{Cost, Observer};

/// The point of G2 that stands for a message under a ciphersuite.
pub(crate) fn hash_to_g2(
    message: &[u8],
    ciphersuite: &[u8],
    observer: &mut impl Observer,
) -> G2Affine {
    observer.cost(Cost::Mapped(1));
    mapped(message, ciphersuite)
}

fn mapped(message: &[u8], ciphersuite: &[u8]) -> G2Affine {
    let hasher = <DefaultFieldHasher<Sha256> as HashToField<Fq2>>::new(ciphersuite);
    let [first, second] = hasher.hash_to_field(message);
    // The isogeny is a homomorphism: it is applied once, to the sum.
    let sum = swu(first, root).into_group() + swu(second, root);
    isogeny::<g2::Config>(sum.into_affine()).clear_cofactor()
}

/// The point of G1 that an element of the base field is mapped to, its cofactor cleared by 1 − x.
pub(crate) fn map_to_g1(t: Fq) -> G1Affine {
    let point = isogeny::<g1::Config>(swu(t, real_root));
    // The curve's parameter is negative.
    point.mul_bigint([X | 1]).into_affine()
}

/// The point of G2 that an element of Fq² is mapped to, its cofactor cleared.
pub(crate) fn map_to_g2(t: Fq2) -> G2Affine {
    isogeny::<g2::Config>(swu(t, root)).clear_cofactor()
}

/// Simplified SWU (RFC 9380 §6.6.2): x₁ or x₂ = ζt²·x₁ is on the curve, and y has the parity of t.
fn swu<C: SWUConfig>(t: C::BaseField, root: fn(C::BaseField) -> Root<C::BaseField>) -> Affine<C> {
    let zeta_t2 = C::ZETA * t.square();
    let tail = zeta_t2.square() + zeta_t2;
    let numerator = C::COEFF_B * (tail + C::BaseField::ONE);
    let denominator = C::COEFF_A * if tail.is_zero() { C::ZETA } else { -tail };
    // Neither a nor ζ is zero, nor is −tail here.
    let inverse = denominator.inverse().unwrap_or_default();
    let x1 = numerator * inverse;
    let (x, y) = match root((x1.square() + C::COEFF_A) * x1 + C::COEFF_B) {
        Root::Of(y) => (x1, y),
        // g(x₂) = (ζt²)³·g(x₁), so its root is ζt³ times that of ζ·g(x₁).
        Root::OfZetaTimes(y) => (zeta_t2 * x1, zeta_t2 * t * y),
    };
    Affine::new_unchecked(x, if parity(&y) == parity(&t) { y } else { -y })
}

/// The isogeny to the group's curve; infinity stays infinity, and so does a point of its kernel.
fn isogeny<C: WBConfig>(point: Affine<C::IsogenousCurve>) -> Affine<C> {
    let map = &C::ISOGENY_MAP;
    let Some((x, y)) = point.xy() else {
        return Affine::identity();
    };
    let at_x = |polynomial: &[C::BaseField]| {
        polynomial.iter().rev().fold(C::BaseField::zero(), |sum, coefficient| sum * x + coefficient)
    };
    let (x_below, y_below) = (at_x(map.x_map_denominator), at_x(map.y_map_denominator));
    let Some(inverse) = (x_below * y_below).inverse() else {
        return Affine::identity();
    };
    let image_x = at_x(map.x_map_numerator) * y_below * inverse;
    let image_y = at_x(map.y_map_numerator) * y * x_below * inverse;
    Affine::new_unchecked(image_x, image_y)
}

#[cfg(test)]
mod tests {
    use ark_bls12_381::G2Projective;
    use ark_ec::hashing::HashToCurve;
    use ark_ec::hashing::curve_maps::wb::WBMap;
    use ark_ec::hashing::map_to_curve_hasher::{MapToCurve, MapToCurveBasedHasher};

    use super::*;
    use crate::hash::sha256;
    use alloc::string::String;
    use alloc::vec::Vec;
    use ark_serialize::CanonicalSerialize;

    #[test]
    fn gives_the_points_of_arkworks_own_hasher() {
        type Hasher =
            MapToCurveBasedHasher<G2Projective, DefaultFieldHasher<Sha256>, WBMap<g2::Config>>;
        for seed in 0..24_u8 {
            let message = sha256(&[&[seed]]);
            let expected = Hasher::new(b"suite").unwrap().hash(&message.0).unwrap();
            assert_eq!(hash_to_g2(&message.0, b"suite", &mut ()), expected);
        }
    }

    #[test]
    fn gives_the_points_of_arkworks_own_maps() {
        let mut t = Fq::from(7_u64);
        for _ in 0..16 {
            let expected = WBMap::<g1::Config>::map_to_curve(t).unwrap().clear_cofactor();
            assert_eq!(map_to_g1(t), expected);
            let both = Fq2::new(t, t.square());
            let expected = WBMap::<g2::Config>::map_to_curve(both).unwrap().clear_cofactor();
            assert_eq!(map_to_g2(both), expected);
            t = t.square() + Fq::ONE;
        }
    }

    #[test]
    fn maps_zero() {
        // The exceptional case of the map: its tail is zero.
        let point = isogeny::<g2::Config>(swu(Fq2::zero(), root));
        assert!(point.is_on_curve());
    }

    /// RFC 9380 §J.10.1, the message `abc` hashed to the field and mapped, both parts of it.
    #[test]
    fn maps_the_rfcs_example() {
        let hasher = <DefaultFieldHasher<Sha256> as HashToField<Fq2>>::new(
            b"QUUX-V01-CS02-with-BLS12381G2_XMD:SHA-256_SSWU_RO_",
        );
        let [first, second] = hasher.hash_to_field(b"abc");
        let sum = swu(first, root).into_group() + swu(second, root);
        let point = isogeny::<g2::Config>(sum.into_affine()).clear_cofactor();
        let mut bytes = Vec::new();
        point.serialize_uncompressed(&mut bytes).unwrap();
        let digits = bytes.iter().map(|byte| alloc::format!("{byte:02x}"));
        assert_eq!(digits.collect::<String>(), EXPECTED.concat());
    }

    /// x and y, the part at u first.
    const EXPECTED: [&str; 4] = [
        "139cddbccdc5e91b9623efd38c49f81a6f83f175e80b06fc374de9eb4b41dfe4ca3a230ed250fbe3a2acf73a41177fd8",
        "02c2d18e033b960562aae3cab37a27ce00d80ccd5ba4b7fe0e7a210245129dbec7780ccc7954725f4168aff2787776e6",
        "00aa65dae3c8d732d10ecd2c50f8a1baf3001578f71c694e03866e9f3d49ac1e1ce70dd94a733534f106d4cec0eddd16",
        "1787327b68159716a37440985269cf584bcb1e621d3a7202be6ea05c4cfe244aeb197642555a0645fb87bf7466b2ba48",
    ];
}
