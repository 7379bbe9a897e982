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

/// A multiple (x : y : z) of a point, with y²z = x³ + 4(u + 1)z³; coordinates are tight.
pub(in super::super) struct Multiple {
    x: Two,
    y: Two,
    z: Two,
    /// The point's own coordinates.
    point: [Two; 2],
    four: Two,
}

/// |x|·P for the curve's parameter x.
pub(super) fn times_parameter(point: &G2Affine) -> G2Projective {
    let Some(mut multiple) = Multiple::new(point) else { return G2Projective::ZERO };
    for bit in BitIteratorBE::without_leading_zeros(Curve::X).skip(1) {
        multiple.double();
        if bit {
            multiple.add();
        }
    }
    // Points of order 13 alone have none.
    multiple.value().unwrap_or_else(|| point.mul_bigint(Curve::X))
}

#[allow(clippy::many_single_char_names)] // As in the papers.
impl Multiple {
    /// The point, once; `None` for infinity.
    pub(in super::super) fn new(point: &G2Affine) -> Option<Self> {
        let (x, y) = point.xy()?;
        let point @ [x, y] = [&x, &y].map(Two::new);
        Some(Self { x, y, z: Two::ONE, point, four: Two::both(&FOUR) })
    }

    /// What it is; `None` if the point was added to infinity or to itself on the way.
    ///
    /// Both leave (0 : 0 : 0), which stays as it is however often it is doubled and added to. Every
    /// other sum is exact: a point and its negative make (0 : y : 0), infinity. So is every double,
    /// since no point has order 2.
    pub(in super::super) fn value(&self) -> Option<G2Projective> {
        let [x, y, z] = [self.x, self.y, self.z].map(|coordinate| coordinate.element());
        // (x/z, y/z) are (xz/z², yz²/z³).
        (y != Fq2::ZERO || z != Fq2::ZERO)
            .then(|| G2Projective::new_unchecked(x * z, y * z.square(), z))
    }

    /// What the tangent's slope has over 2yz: 3x².
    #[inline(never)]
    pub(in super::super) fn rise_of_tangent(&self) -> Two {
        let mut square = Columns::ZERO;
        self.x.squared(&mut square);
        square.triple();
        square.reduced()
    }

    /// Of each point, infinity too (Costello, Lange, Naehrig, "Faster pairing computations on curves
    /// with high-degree twists", §4; coordinates times four). Returns what a tangent consists of:
    /// 12(u + 1)z² − y², which is not tight, and 2yz.
    #[inline(never)]
    pub(in super::super) fn double(&mut self) -> [Two; 2] {
        let Self { x, y, z, four, .. } = self;
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
        [e.minus(&b), h]
    }

    /// Adds the point, to what is neither infinity nor the point. Returns what the line through both
    /// consists of, θ and λ with θ/λ its slope, which are not tight.
    #[inline(never)]
    pub(in super::super) fn add(&mut self) -> [Two; 2] {
        let Self { x, y, z, point: [other_x, other_y], .. } = self;
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
        [theta, lambda]
    }

    /// The last part of that line, λy − θx at the point.
    #[inline(never)]
    pub(in super::super) fn rest_of_line(&self, [theta, lambda]: &[Two; 2]) -> Two {
        let ([x, y], mut rest, mut other) = (&self.point, Columns::ZERO, Columns::ZERO);
        lambda.times(y, &mut rest);
        theta.times(x, &mut other);
        rest.subtract(&other);
        rest.reduced()
    }
}
