//! Square roots in Fq² = Fq\[u\]/(u² + 1), by two exponentiations in Fq and none to learn whether
//! there is one. arkworks spends twice as many, and they are a third of what a signature costs
//! beside the pairing.

use ark_bls12_381::{Fq, Fq2};
use ark_ff::{Field, MontFp, One, PrimeField, Zero};

/// ζ = −(2 + u), the non-square of the map to the curve (RFC 9380 §8.8.2).
pub(super) const ZETA: Fq2 = Fq2::new(MontFp!("-2"), MontFp!("-1"));

/// A root of −5. The norm of ζ is 5, and −1 is no square.
const ROOT_OF_MINUS_FIVE: Fq = MontFp!(
    "248294325734266649657405162895821171812231848760181225578082735178502750823719347628762635478508544819911854747095"
);

/// A root of −11, −ζ of the map to the curve over Fq (RFC 9380 §8.8.1).
const ROOT_OF_MINUS_ELEVEN: Fq = MontFp!(
    "674008237974212438248723729577393239183484355108025529917084410198223800758598092373770506194640977045288353413059"
);

/// What a square root was found of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root<F> {
    /// Of the element.
    Of(F),
    /// Of ζ times the element, which is no square itself.
    OfZetaTimes(F),
}

/// The root of `a`, or of ζ·a if `a` has none; exactly one of the two has.
///
/// The complex method: for b = b₀ + b₁u with norm n = b₀² + b₁² = β², one of (b₀ ± β)/2 is a square
/// δ, and √b = √δ + b₁/(2√δ)·u. Both exponentiations are to (p − 3)/4, which gives x^(1/2) up to
/// the sign of x under the root, and its inverse along with it.
pub(super) fn root(a: Fq2) -> Root<Fq2> {
    if a.c1.is_zero() {
        return Root::Of(root_of_real(a.c0));
    }
    let norm = a.c0.square() + a.c1.square();
    let candidate = norm * to_root(norm);
    if candidate.square() == norm {
        Root::Of(half_root(a, candidate))
    } else {
        // candidate² = −norm, and norm(ζ·a) = 5·norm.
        let b = ZETA * a;
        Root::OfZetaTimes(if b.c1.is_zero() {
            root_of_real(b.c0)
        } else {
            half_root(b, candidate * ROOT_OF_MINUS_FIVE)
        })
    }
}

/// The root of `b`, which has one and is not in Fq, given a root of its norm: neither δ is zero
/// then.
fn half_root(b: Fq2, norm_root: Fq) -> Fq2 {
    let delta = half(b.c0 + norm_root);
    let inverse = to_root(delta);
    let candidate = delta * inverse;
    let other = half(b.c1) * inverse;
    if candidate.square() == delta {
        Fq2::new(candidate, other)
    } else {
        // candidate² = −δ, and δ·(b₀ − β)/2 = −b₁²/4: the other one is the square.
        Fq2::new(-other, candidate)
    }
}

/// The root of `a` in Fq, if it has one.
pub(super) fn real(a: Fq) -> Option<Fq> {
    let candidate = a * to_root(a);
    (candidate.square() == a).then_some(candidate)
}

/// The root of an element of Fq in Fq, or that of 11 times it if it has none.
pub(super) fn real_root(a: Fq) -> Root<Fq> {
    let candidate = a * to_root(a);
    if candidate.square() == a {
        Root::Of(candidate)
    } else {
        // candidate² = −a.
        Root::OfZetaTimes(candidate * ROOT_OF_MINUS_ELEVEN)
    }
}

/// The root of an element of Fq, which always has one in Fq².
fn root_of_real(a: Fq) -> Fq2 {
    let candidate = a * to_root(a);
    if candidate.square() == a {
        Fq2::new(candidate, Fq::zero())
    } else {
        Fq2::new(Fq::zero(), candidate)
    }
}

/// x^((p − 3)/4), four bits at a time.
fn to_root(x: Fq) -> Fq {
    // x¹ to x¹⁵.
    let mut powers = [x; 15];
    let mut power = x;
    for slot in &mut powers {
        *slot = power;
        power *= x;
    }
    let mut result = Fq::one();
    // p = 3 (mod 4), so (p − 3)/4 is p without its last two bits.
    let exponent = Fq::MODULUS >> 2;
    for limb in exponent.0.iter().rev() {
        for shift in (0..64).step_by(4).rev() {
            for _ in 0..4 {
                result.square_in_place();
            }
            let digit = usize::try_from(limb >> shift & 15).unwrap_or(0);
            if let Some(power) = digit.checked_sub(1).and_then(|place| powers.get(place)) {
                result *= power;
            }
        }
    }
    result
}

fn half(mut x: Fq) -> Fq {
    // (p + 1)/2, the inverse of 2.
    const HALF: Fq = MontFp!(
        "2001204777610833696708894912867952078278441409969503942666029068062015825245418932221343814564507832018947136279894"
    );
    x *= HALF;
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_what_they_say() {
        assert_eq!(ROOT_OF_MINUS_FIVE.square(), -Fq::from(5_u64));
        assert_eq!(ROOT_OF_MINUS_ELEVEN.square(), -Fq::from(11_u64));
        assert_eq!(half(Fq::one()) + half(Fq::one()), Fq::one());
    }

    #[test]
    fn finds_a_root_of_every_element_or_of_zeta_times_it() {
        let mut squares = 0;
        let mut a = Fq2::new(Fq::from(3_u64), Fq::from(5_u64));
        let real = [Fq2::zero(), Fq2::one(), -Fq2::one(), Fq2::from(5_u64), -Fq2::from(5_u64)];
        let imaginary = [Fq2::new(Fq::zero(), Fq::one()), Fq2::new(Fq::zero(), Fq::from(7_u64))];
        // ζ times these is in Fq: squares and others, of either sign.
        let below = (1..9_u64).map(|k| Fq2::from(k) * ZETA.inverse().unwrap());
        let below = below.flat_map(|a| [a, -a]);
        let walked = core::iter::from_fn(|| {
            a = a.square() + ZETA;
            Some(a)
        });
        let edges = real.into_iter().chain(imaginary).chain(below);
        for a in edges.chain(walked.take(60)) {
            match root(a) {
                Root::Of(root) => {
                    assert_eq!(root.square(), a);
                    squares += 1;
                }
                Root::OfZetaTimes(root) => {
                    assert_eq!(root.square(), ZETA * a);
                    assert!(a.legendre().is_qnr());
                }
            }
        }
        assert!((20..60).contains(&squares), "{squares}");
    }

    #[test]
    fn finds_a_root_in_fq_of_every_element_or_of_eleven_times_it() {
        let mut squares = 0;
        for a in (0..40_u64).map(Fq::from).flat_map(|a| [a, -a]) {
            match real_root(a) {
                Root::Of(root) => {
                    assert_eq!(root.square(), a);
                    squares += 1;
                }
                Root::OfZetaTimes(root) => {
                    assert_eq!(root.square(), Fq::from(11_u64) * a);
                    assert!(a.legendre().is_qnr());
                }
            }
        }
        assert!((20..60).contains(&squares), "{squares}");
    }
}
