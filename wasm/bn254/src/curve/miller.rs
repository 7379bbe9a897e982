//! The pairing, in two parts: a loop over any number of pairs, and a power of its result.
//!
//! * One chain of squarings serves all pairs; arkworks has one for every four.
//! * Coefficients are reduced once each, after their products are summed
//!   ([`tower`](lightproof_limbs::tower)).

use ark_ec::bn::{BnConfig, G1Prepared, G2Prepared};
use ark_ff::biginteger::arithmetic::find_naf;
use lightproof_limbs::tower::{Quadratic, Twelve};

extern crate alloc;
use alloc::vec::Vec;

use super::Config;
use crate::field::{Fq2, Fq12, Fq12Config};
use crate::lazy::Two;

/// A line's coefficients of y, x·w and v·w.
type Line = (Fq2, Fq2, Fq2);

/// A pair's points: one by its coordinates, the other by its lines.
struct Pair {
    x: Two,
    y: Two,
    lines: alloc::vec::IntoIter<Line>,
}

impl Pair {
    /// `f` times the next line.
    fn step(&mut self, f: &mut Twelve<Two>) {
        let Some((c0, c1, c2)) = self.lines.next() else { return };
        let (c0, c1) = (Two::loose(&c0).scaled(&self.y), Two::loose(&c1).scaled(&self.x));
        f.multiply_by_other_line(&c0, &c1, &Two::new(&c2));
    }
}

/// The product of the pairs' loops.
pub(super) fn product(left: &[G1Prepared<Config>], right: Vec<G2Prepared<Config>>) -> Fq12 {
    let all = left.iter().zip(right).filter(|(left, right)| !left.is_zero() && !right.is_zero());
    let mut pairs: Vec<Pair> = all
        .map(|(left, right)| {
            let [x, y] = [left.0.x, left.0.y].map(|coordinate| Two::both(&coordinate));
            Pair { x, y, lines: right.ell_coeffs.into_iter() }
        })
        .collect();
    let mut step = |f: &mut Twelve<Two>| pairs.iter_mut().for_each(|pair| pair.step(f));
    let mut f = Twelve::ONE;
    // The highest digit is the point itself.
    for digit in Config::ATE_LOOP_COUNT.iter().rev().skip(1) {
        f.square();
        step(&mut f);
        if *digit != 0 {
            step(&mut f);
        }
    }
    // The images of the point under frobenius.
    step(&mut f);
    step(&mut f);
    f.element()
}

/// The power (p¹² − 1)/r · 2x(6x² + 3x + 1) (Fuentes-Castañeda, Knapp, Rodríguez-Henríquez, "Faster
/// hashing to G2", §5), as arkworks has it; `None` for zero.
pub(super) fn power(element: &Fq12) -> Option<Fq12> {
    let f = Twelve::<Two>::new(element);
    let f = f.conjugate().times(&f.inverse()?);
    let f = f.frobenius::<Fq12Config>(2).times(&f);
    let squared = |f: &Twelve<Two>| {
        let mut square = *f;
        square.cyclotomic_square();
        square
    };
    // −2x, −6x, 6x², 12x² and −12x³.
    let two = squared(&to_minus_x(&f));
    let six = squared(&two).times(&two);
    let of_square = to_minus_x(&six);
    let of_cube = to_minus_x(&squared(&of_square));
    let all = of_cube.conjugate().times(&of_square).times(&six.conjugate());
    let most = all.times(&two);
    let rest = all.times(&of_square).times(&f);
    let rest = most.frobenius::<Fq12Config>(1).times(&rest);
    let rest = all.frobenius::<Fq12Config>(2).times(&rest);
    let last = f.conjugate().times(&most).frobenius::<Fq12Config>(3);
    Some(last.times(&rest).element())
}

/// To the power of −x, in the cyclotomic subgroup.
fn to_minus_x(f: &Twelve<Two>) -> Twelve<Two> {
    let inverse = f.conjugate();
    let mut power = Twelve::ONE;
    for digit in find_naf(Config::X).into_iter().rev() {
        power.cyclotomic_square();
        match digit {
            1 => power = power.times(f),
            -1 => power = power.times(&inverse),
            _ => {}
        }
    }
    // x is positive.
    power.conjugate()
}
