//! Polynomials in three variables, by coefficients: that of xⁱyʲzᵏ stands at (i·t + j)·m + k.

use ark_bls12_381::Fr;
use ark_ff::Zero;

use super::{fft, polynomial};

/// A side of the vector, and the variable that runs over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// x, over φⁱ.
    Outer,
    /// y, over θʲ.
    Middle,
    /// z, over ηᵏ.
    Inner,
}

/// A polynomial, of degree below each side in its variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    sides: [usize; 3],
    /// Coefficients.
    pub entries: Vec<Fr>,
}

impl Tensor {
    /// Zero.
    pub fn zero(sides: [usize; 3]) -> Self {
        Self { sides, entries: vec![Fr::zero(); sides.iter().product()] }
    }

    /// The polynomial with these values, in the order of positions.
    pub fn interpolate(sides: [usize; 3], values: Vec<Fr>) -> Self {
        let mut tensor = Self { sides, entries: values };
        for axis in [Axis::Outer, Axis::Middle, Axis::Inner] {
            if tensor.lines(axis).0 > 1 {
                tensor.map(axis, |line| fft::inverse(line));
            }
        }
        tensor
    }

    /// Changes every line of coefficients along an axis.
    fn map(&mut self, axis: Axis, mut change: impl FnMut(&mut Vec<Fr>)) {
        let (count, stride) = self.lines(axis);
        for first in self.firsts(axis) {
            let places = (0..count).map(|step| first + step * stride);
            let mut line: Vec<Fr> = places.clone().map(|place| self.entries[place]).collect();
            change(&mut line);
            line.resize(count, Fr::zero());
            places.zip(line).for_each(|(place, value)| self.entries[place] = value);
        }
    }

    /// How long lines along an axis are, and how far apart their entries.
    fn lines(&self, axis: Axis) -> (usize, usize) {
        let [p, t, m] = self.sides;
        match axis {
            Axis::Outer => (p, t * m),
            Axis::Middle => (t, m),
            Axis::Inner => (m, 1),
        }
    }

    /// Where lines along an axis start.
    fn firsts(&self, axis: Axis) -> Vec<usize> {
        let (count, stride) = self.lines(axis);
        (0..self.entries.len()).filter(|place| place / stride % count == 0).collect()
    }

    /// Quotient and remainder by a monic polynomial in one variable, of degree at most that side.
    pub fn divide(&self, axis: Axis, divisor: &[Fr]) -> (Self, Self) {
        let (mut quotient, mut rest) = (self.clone(), self.clone());
        quotient.map(axis, |line| *line = polynomial::divide(line, divisor).0);
        rest.map(axis, |line| *line = polynomial::divide(line, divisor).1);
        (quotient, rest)
    }

    /// The polynomial in the other variables for a value of one.
    #[must_use]
    pub fn at(&self, axis: Axis, x: Fr) -> Self {
        let mut tensor = self.clone();
        tensor.map(axis, |line| *line = vec![polynomial::at(line, x)]);
        tensor
    }

    /// Adds `factor` times another one.
    pub fn add(&mut self, factor: Fr, other: &Self) {
        self.entries.iter_mut().zip(&other.entries).for_each(|(to, from)| *to += factor * from);
    }

    /// Adds a polynomial in z.
    pub fn add_inner(&mut self, factor: Fr, line: &[Fr]) {
        self.entries.iter_mut().zip(line).for_each(|(to, from)| *to += factor * from);
    }
}
