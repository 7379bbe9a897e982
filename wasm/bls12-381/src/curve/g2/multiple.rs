//! A point times the curve's parameter, with coefficients that are reduced once each
//! ([`tower`](lightproof_limbs::tower)).

use ark_ec::AffineRepr;
use ark_ec::bls12::Bls12Config;
use ark_ff::{AdditiveGroup, BitIteratorBE, Field, MontFp};

use lightproof_limbs::tower::{Quadratic, Sums};

use super::{Curve, G2Affine, G2Projective};
use crate::field::{Fq, Fq2};
use crate::lazy::{Columns, Two};

const FOUR: Fq = MontFp!("4");

/// (x : y : z) with y²z = x³ + 4(u + 1)z³; coordinates are tight.
struct Point {
    x: Two,
    y: Two,
    z: Two,
}

/// |x|·P for the curve's parameter x.
pub(super) fn times_parameter(point: &G2Affine) -> G2Projective {
    let Some((x, y)) = point.xy() else { return G2Projective::ZERO };
    let (x, y, four) = (Two::new(&x), Two::new(&y), Two::both(&FOUR));
    let mut multiple = Point { x, y, z: Two::ONE };
    for bit in BitIteratorBE::without_leading_zeros(Curve::X).skip(1) {
        multiple.double(&four);
        if bit {
            multiple.add(&x, &y);
        }
    }
    let [x, y, z] = [multiple.x, multiple.y, multiple.z].map(|coordinate| coordinate.element());
    // A sum with infinity or of a point with itself: points of small orders alone meet them.
    if y == Fq2::ZERO && z == Fq2::ZERO {
        return point.mul_bigint(Curve::X);
    }
    // (x/z, y/z) are (xz/z², yz²/z³).
    G2Projective::new_unchecked(x * z, y * z.square(), z)
}

#[allow(clippy::many_single_char_names)] // As in the papers.
impl Point {
    /// Of each point, infinity too (Costello, Lange, Naehrig, "Faster pairing computations on curves
    /// with high-degree twists", §4; coordinates times four).
    #[inline(never)]
    fn double(&mut self, four: &Two) {
        let Self { x, y, z } = self;
        let (mut b, mut c, mut h) = (Columns::ZERO, Columns::ZERO, Columns::ZERO);
        y.squared(&mut b);
        z.squared(&mut c);
        // (y + z)² − y² − z².
        y.plus(z).squared(&mut h);
        h.subtract(&b);
        h.subtract(&c);
        let h = h.reduced();
        // e = 12(u + 1)·z², f = 3e.
        c.triple();
        c.turn();
        let e = c.reduced().scaled(four);
        let f = e.plus(&e.plus(&e));
        let (sum, rest) = (b.reduced_plus(&f), b.reduced_plus(&f.negated()));
        let b = b.reduced();

        // 2xy(b − f).
        let mut product = Columns::ZERO;
        x.product(y).times(&rest, &mut product);
        product.double();
        *x = product.reduced();
        // 4bh.
        b.times(&h, &mut product);
        product.double();
        product.double();
        *z = product.reduced();
        // (b + f)² − 12e².
        let mut square = Columns::ZERO;
        e.squared(&mut square);
        square.triple();
        square.double();
        square.double();
        sum.squared(&mut product);
        product.subtract(&square);
        *y = product.reduced();
    }

    /// Adds a point, which is neither infinity nor this one.
    #[inline(never)]
    fn add(&mut self, other_x: &Two, other_y: &Two) {
        let Self { x, y, z } = self;
        let (theta, lambda) = (y.minus(&other_y.product(z)), x.minus(&other_x.product(z)));
        let mut square = Columns::ZERO;
        theta.squared(&mut square);
        let f = z.product(&square.reduced());
        lambda.squared(&mut square);
        let d = square.reduced();
        let (e, g) = (lambda.product(&d), x.product(&d));
        let h = e.plus(&f).minus(&g.plus(&g));
        *x = lambda.product(&h);
        *z = z.product(&e);
        // θ·(g − h) − e·y.
        let mut other = Columns::ZERO;
        theta.times(&g.minus(&h), &mut square);
        e.times(y, &mut other);
        square.subtract(&other);
        *y = square.reduced();
    }
}
