//! Openings of one AMT: that its leaf `i`, evaluated at x = w^i, is a.
//!
//! Node `(d, t)` holds the leaves that are t modulo 2^d. With `m_d = 2^(k − d)` and `X_d =
//! x^(m_d)`, `H_d` the batch proof of the node of depth d on the path, `h_d` that of its sibling,
//! and `C_d` the sibling's commitment:
//!
//! ```text
//! pairs: e(C_d, [tau^m_d]₂ + X_d·g2) = e(h_d, Z) for d = 1..k, and for the leaf, Y = C − Σ C_d,
//!        e(Y, [tau]₂ − x·g2) = e((a·x/n)·g1, Z)
//! fold to depth D: H_0 = C, e(H_{d−1} − X_d·(H_d − h_d), g2) = e(H_d + h_d, [tau^m_d]₂) for d = 1..D; then
//!        D = k: H_k = (a·x/n)·g1; else e(H_D − y·g1 + x·q, g2) = e(q, [tau]₂) with y = a·X_D/2^D
//! ```
//!
//! Depth 0 is a plain KZG opening, depth k is the fold of the paper's batch proofs, and between
//! them lie the hybrids. Nodes that leaves of one AMT share are given, and checked, once.
//!
//! Source: LVMT, OSDI 2023, §4. # Deviation: eq. (2) of the paper lacks the factor x; (3) is right.

// Operators on field and group elements reduce modulo a prime; they cannot overflow.
#![allow(clippy::arithmetic_side_effects)]

use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Entry;
use alloc::vec::Vec;

use ark_bn254::{Bn254, Fr};
use ark_ff::{Field, MontFp, One};

use super::params::{G1, Params};
use crate::algebra::{Equation, Equations, Point};
use crate::error::{DecodeError, Malformed, Span};
use crate::system::Encoded;
use crate::wire::Bytes;

/// 1/2.
const HALF: Fr =
    MontFp!("10944121435919637611123202872628637544274182200208017171849102093287904247809");

/// How the leaves of an AMT are opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// By commitments and batch proofs of the siblings: the paper's proof.
    Pairs,
    /// By batch proofs to a depth, 0 to k, and below it by one quotient.
    Fold(u8),
}

/// Depth and residue of a node, and whether its batch proof is meant (in pairs: or else its
/// commitment).
type Place = (u8, u32, bool);

/// Depths, from the root down, whose nodes leaves before this one gave: their equations were pushed
/// with those leaves', and are not pushed again.
///
/// That loses nothing. In pairs, the node of depth d is the sibling, and who names the same sibling
/// is itself t modulo 2^d for the same t: `X_d` is the same, so the equation is. In a fold, a leaf
/// before this one that gave both nodes has the same two, in the same order or the other. Both have
/// the same parent; with them exchanged, `X_d` has the other sign, and `H_{d−1} − X_d·(H_d − h_d)`
/// and `H_d + h_d` stay what they are.
///
/// The last equation of a leaf is its own: it alone holds the leaf's value, and is never shared.
/// For a fold to depth k it is that of depth k, in `pairs` and with a quotient one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shared(u8);

impl Shared {
    /// None yet.
    const NONE: Self = Self(0);

    /// Takes note that leaves before this one gave all nodes of a depth. Below a node that is new,
    /// all nodes are.
    fn add(&mut self, depth: u8) {
        if self.0.checked_add(1) == Some(depth) {
            self.0 = depth;
        }
    }

    /// Whether the equation of a depth was pushed.
    const fn has(self, depth: u8) -> bool {
        depth <= self.0
    }
}

/// One leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Leaf {
    index: u32,
    value: Fr,
    shared: Shared,
    /// By its place among the proof's points.
    quotient: Option<usize>,
    span: Span,
}

/// Openings of leaves of one AMT, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Openings {
    form: Form,
    /// By their places among the proof's points.
    nodes: BTreeMap<Place, usize>,
    leaves: Vec<Leaf>,
}

impl Openings {
    /// No leaf yet.
    pub const fn new(form: Form) -> Self {
        Self { form, nodes: BTreeMap::new(), leaves: Vec::new() }
    }

    /// Depth down to which the tree is folded; k where every level is.
    pub(super) const fn folded(&self, params: &Params) -> u8 {
        match self.form {
            Form::Pairs => params.k(),
            Form::Fold(depth) => depth,
        }
    }

    /// Which of the leaves has an index, in the order in which they were read.
    pub fn find(&self, index: u32) -> Option<usize> {
        self.leaves.iter().position(|leaf| leaf.index == index)
    }

    /// Adds a leaf, whose points stand in one string without those of nodes that a leaf before it
    /// gave: from the root down, in pairs `C_d ‖ h_d`, in a fold `H_d ‖ h_d` (no `H_k`), then
    /// the quotient unless D = k. Returns its number.
    ///
    /// # Errors
    /// `decode.shape` if the number of points is not the one that the form asks for.
    ///
    /// * `into`: takes the points.
    pub fn read<'a>(
        &mut self,
        params: &Params,
        (index, value): (u32, Fr),
        points: Bytes<'a>,
        into: &mut Vec<Encoded<'a>>,
    ) -> Result<usize, DecodeError> {
        let mut points = Points { params, all: points, at: 0, into };
        let span = points.all.span;
        let mut shared = Shared::NONE;
        let deepest = match self.form {
            Form::Pairs => params.k(),
            Form::Fold(depth) => depth,
        };
        for depth in 1..=deepest {
            let (own, sibling) = places(index, depth);
            let wanted = match self.form {
                Form::Pairs => [Some((depth, sibling, false)), Some((depth, sibling, true))],
                // The batch proof of a leaf is computed from its value.
                Form::Fold(_) if depth == params.k() => [None, Some((depth, sibling, true))],
                Form::Fold(_) => [Some((depth, own, true)), Some((depth, sibling, true))],
            };
            let mut is_new = false;
            for place in wanted.into_iter().flatten() {
                if let Entry::Vacant(node) = self.nodes.entry(place) {
                    node.insert(points.next()?);
                    is_new = true;
                }
            }
            let is_own = self.form == Form::Fold(depth) && depth == params.k();
            if !is_new && !is_own {
                shared.add(depth);
            }
        }
        let is_folded = self.form == Form::Pairs || self.form == Form::Fold(params.k());
        let quotient = if is_folded { None } else { Some(points.next()?) };
        points.finish()?;
        self.leaves.push(Leaf { index, value, shared, quotient, span });
        Ok(self.leaves.len().saturating_sub(1))
    }

    /// Pushes the equations that all of them are made of.
    ///
    /// * `commitment`: C.
    pub fn push(&self, params: &Params, commitment: Point, todo: &mut Equations<Bn254>) {
        let given = self.nodes.iter().map(|(place, point)| (*place, todo.of_proof(*point)));
        let nodes: BTreeMap<Place, Point> = given.collect();
        for leaf in &self.leaves {
            let check = Check { params, nodes: &nodes, commitment, leaf };
            match self.form {
                Form::Pairs => check.pairs(todo),
                Form::Fold(depth) => check.fold(depth, todo),
            }
        }
    }
}

/// Residues of the node on the path, and of its sibling.
const fn places(index: u32, depth: u8) -> (u32, u32) {
    let own = index & ((1_u32 << depth) - 1);
    (own, own ^ (1 << (depth - 1)))
}

struct Points<'p, 'a> {
    params: &'p Params,
    all: Bytes<'a>,
    at: usize,
    into: &'p mut Vec<Encoded<'a>>,
}

impl Points<'_, '_> {
    /// The next one's place.
    fn next(&mut self) -> Result<usize, DecodeError> {
        let end = self.at.saturating_add(self.params.format.point_bytes());
        let Some(bytes) = self.all.bytes.get(self.at..end) else {
            return Err(Malformed::Shape.at("opening", "too few points", self.all.span));
        };
        let start = self.all.span.start;
        let span = Span { start: start.saturating_add(self.at), end: start.saturating_add(end) };
        self.at = end;
        let from = Bytes { bytes, span };
        self.into.push(Encoded { from, field: "opening", is_finite: false });
        Ok(self.into.len().saturating_sub(1))
    }

    fn finish(&self) -> Result<(), DecodeError> {
        if self.at == self.all.bytes.len() {
            Ok(())
        } else {
            Err(Malformed::Shape.at("opening", "too many points", self.all.span))
        }
    }
}

/// One leaf's equations.
struct Check<'a> {
    params: &'a Params,
    nodes: &'a BTreeMap<Place, Point>,
    commitment: Point,
    leaf: &'a Leaf,
}

impl Check<'_> {
    /// A node that was read.
    fn node(&self, depth: u8, residue: u32, is_proof: bool) -> Point {
        self.nodes.get(&(depth, residue, is_proof)).copied().unwrap_or(Point::Unknown)
    }

    /// a · x / n, the batch proof of the leaf in terms of g1.
    fn leaf_proof(&self, x: Fr) -> Fr {
        self.leaf.value * x * HALF.pow([u64::from(self.params.k())])
    }

    fn pairs(&self, todo: &mut Equations<Bn254>) {
        let (params, k) = (self.params, self.params.k());
        let one = Fr::one();
        let x = params.power(self.leaf.index, k);
        let mut last = Equation::new(self.leaf.span)
            .times(params.tau(k), self.commitment, one)
            .times(params.g2(), self.commitment, -x)
            .times(params.z(), Point::Fixed(G1), -self.leaf_proof(x));
        for depth in 1..=k {
            let (_, sibling) = places(self.leaf.index, depth);
            let commitment = self.node(depth, sibling, false);
            last = last.times(params.tau(k), commitment, -one).times(params.g2(), commitment, x);
            if self.leaf.shared.has(depth) {
                continue;
            }
            let power = params.power(self.leaf.index, depth);
            let equation = Equation::new(self.leaf.span)
                .times(params.tau(depth), commitment, one)
                .times(params.g2(), commitment, power)
                .times(params.z(), self.node(depth, sibling, true), -one);
            todo.push(equation);
        }
        todo.push(last);
    }

    fn fold(&self, to: u8, todo: &mut Equations<Bn254>) {
        let (params, index) = (self.params, self.leaf.index);
        let one = Fr::one();
        let x = params.power(index, params.k());
        let mut parent = self.commitment;
        for depth in 1..=to {
            let (own, sibling) = places(index, depth);
            // The node's batch proof is `scalar` · `node`.
            let (node, scalar) = if depth == params.k() {
                (Point::Fixed(G1), self.leaf_proof(x))
            } else {
                (self.node(depth, own, true), one)
            };
            if !self.leaf.shared.has(depth) {
                let sibling = self.node(depth, sibling, true);
                let power = params.power(index, depth);
                let equation = Equation::new(self.leaf.span)
                    .times(params.g2(), parent, one)
                    .times(params.g2(), node, -power * scalar)
                    .times(params.g2(), sibling, power)
                    .times(params.tau(depth), node, -scalar)
                    .times(params.tau(depth), sibling, -one);
                todo.push(equation);
            }
            parent = node;
        }
        if let Some(quotient) = self.leaf.quotient {
            let quotient = todo.of_proof(quotient);
            let y = self.leaf.value * params.power(index, to) * HALF.pow([u64::from(to)]);
            let equation = Equation::new(self.leaf.span)
                .times(params.g2(), parent, one)
                .times(params.g2(), Point::Fixed(G1), -y)
                .times(params.g2(), quotient, x)
                .times(params.tau(params.k()), quotient, -one);
            todo.push(equation);
        }
    }
}

#[cfg(test)]
mod tests {
    use ark_ff::AdditiveGroup;

    use super::*;

    #[test]
    fn half_is_a_half() {
        assert_eq!(HALF.double(), Fr::one());
    }
}
