//! The pairing, in two parts: a loop over any number of pairs, and a power of its result.
//!
//! * One chain of squarings serves all pairs; arkworks has one for every four.
//! * Lines of points that are paired once are made in the loop and not kept ([`pairs`](super::pairs)).
//! * A line whose last coefficient is one is multiplied in by ten products in 𝔽\_p² instead of
//!   thirteen.
//! * Coefficients are reduced once each, after their products are summed ([`tower`](lightproof_limbs::tower)).

use ark_ec::bls12::{Bls12Config, G1Prepared, G2Prepared};
use ark_ff::{BitIteratorBE, Field, batch_inversion};

extern crate alloc;
use alloc::vec::Vec;

use super::Config;
use lightproof_limbs::tower::{Quadratic, Twelve};

use crate::field::{Fq, Fq2, Fq12, Fq12Config};
use crate::lazy::Two;

/// A line's coefficients of 1, v·x and v·w·y.
type Line = (Fq2, Fq2, Fq2);

/// A pair, by which the loop multiplies.
pub(super) trait Factor {
    /// Multiplies `f` by the tangent at the multiple of the right point, which it doubles.
    fn double(&mut self, f: &mut Twelve<Two>);

    /// Multiplies `f` by the line through the multiple and the right point, which it adds.
    fn add(&mut self, f: &mut Twelve<Two>);
}

/// A pair's points: one by its coordinates, the other by its lines.
struct Pair {
    x: Two,
    y: Two,
    /// 1/y. The curve has odd order over 𝔽\_p, so that no point has y = 0.
    inverse: Two,
    /// x/y.
    ratio: Two,
    lines: alloc::vec::IntoIter<Line>,
}

impl Factor for Pair {
    fn double(&mut self, f: &mut Twelve<Two>) {
        self.step(f);
    }

    fn add(&mut self, f: &mut Twelve<Two>) {
        self.step(f);
    }
}

impl Pair {
    /// `f` times the next line, up to a factor in 𝔽\_p, which the power removes.
    fn step(&mut self, f: &mut Twelve<Two>) {
        let Some((c0, c1, c2)) = self.lines.next() else { return };
        let one = Two::loose(&c1);
        if c2 == Fq2::ONE {
            f.multiply_by_unit_line(
                &Two::loose(&c0).scaled(&self.inverse),
                &one.scaled(&self.ratio),
            );
        } else {
            let two = Two::loose(&c2).scaled(&self.y);
            f.multiply_by_line(&Two::new(&c0), &one.scaled(&self.x), &two);
        }
    }
}

/// The product of the loops of pairs whose lines are there.
pub(super) fn product(left: &[G1Prepared<Config>], right: Vec<G2Prepared<Config>>) -> Fq12 {
    let mut inverses: Vec<Fq> = left.iter().map(|point| point.0.y).collect();
    batch_inversion(&mut inverses);
    let all = left.iter().zip(right).zip(inverses);
    let mut pairs: Vec<Pair> = all
        .filter(|((left, right), _)| !left.is_zero() && !right.is_zero())
        .map(|((left, right), inverse)| {
            let lines = right.ell_coeffs.into_iter();
            let [x, y, inverse, ratio] = [left.0.x, left.0.y, inverse, left.0.x * inverse]
                .map(|coordinate| Two::both(&coordinate));
            Pair { x, y, inverse, ratio, lines }
        })
        .collect();
    run(&mut pairs)
}

/// The product of the pairs' loops.
pub(super) fn run<F: Factor>(pairs: &mut [F]) -> Fq12 {
    let mut f = Twelve::ONE;
    for bit in BitIteratorBE::without_leading_zeros(Config::X).skip(1) {
        f.square();
        for pair in &mut *pairs {
            pair.double(&mut f);
            if bit {
                pair.add(&mut f);
            }
        }
    }
    // x is negative.
    f.conjugate().element()
}

/// The power (p¹² − 1)/r · 3 (Hayashida, Hayasaka, Teruya, "Efficient final exponentiation via
/// cyclotomic structure for pairings over families of elliptic curves", for this family), as
/// arkworks has it; `None` for zero.
pub(super) fn power(element: &Fq12) -> Option<Fq12> {
    let f = Twelve::new(element);
    let f = f.conjugate().times(&f.inverse()?);
    let f = f.frobenius::<Fq12Config>(2).times(&f);
    let mut square = f;
    square.cyclotomic_square();
    // (x − 1)², x + p, x² + p² − 1.
    let mut y = to_x(&f).times(&f.conjugate());
    y = to_x(&y).times(&y.conjugate());
    y = to_x(&y).times(&y.frobenius::<Fq12Config>(1));
    let last = to_x(&to_x(&y)).times(&y.conjugate()).times(&y.frobenius::<Fq12Config>(2));
    Some(f.times(&square).times(&last).element())
}

/// To the power of x, in the cyclotomic subgroup.
fn to_x(f: &Twelve<Two>) -> Twelve<Two> {
    let mut power = *f;
    for bit in BitIteratorBE::without_leading_zeros(Config::X).skip(1) {
        power.cyclotomic_square();
        if bit {
            power = power.times(f);
        }
    }
    // x is negative.
    power.conjugate()
}
