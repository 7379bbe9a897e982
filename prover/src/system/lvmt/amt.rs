//! One AMT, from the leaves that are not zero: commitments of nodes, their batch proofs, and
//! openings.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use ark_bn254::{Fr, G1Affine, G1Projective};
use ark_ec::CurveGroup;
use ark_ff::{Field, One, Zero, batch_inversion};

use super::setup::{Place, Setup, VERSION_BITS};
use super::sum::sum;

/// Version of the sub-AMT below a leaf, and of the keys in its five slots.
pub type Versions = [u64; 6];

/// How leaves are opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// By commitment and batch proof of every sibling.
    Pairs,
    /// By batch proofs to a depth, and one quotient below it.
    Fold(u8),
}

/// An AMT that is opened, leaf by leaf.
#[derive(Clone, Debug)]
pub struct Amt {
    form: Form,
    values: BTreeMap<u32, Fr>,
    given: BTreeSet<Node>,
}

/// A node of an AMT's proof tree: depth, residue, and whether it is the batch proof or the
/// commitment.
pub type Node = (u8, u32, bool);

impl Amt {
    /// An AMT with some leaves; all others are zero.
    pub fn new(form: Form, leaves: &BTreeMap<u32, Versions>) -> Self {
        let mut amt = Self { form, values: BTreeMap::new(), given: BTreeSet::new() };
        amt.learn(leaves);
        amt
    }

    /// Learns what leaves are.
    pub fn learn(&mut self, leaves: &BTreeMap<u32, Versions>) {
        self.values.extend(leaves.iter().map(|(index, versions)| (*index, value(versions))));
    }

    /// Depth of the node over whose leaves a quotient is a sum, if openings have one.
    pub fn quotient_depth(&self, k: u8) -> Option<u8> {
        match self.form {
            Form::Fold(depth) if depth < k => Some(depth),
            _ => None,
        }
    }

    /// Nodes of the proof tree that open a leaf, from the root down.
    pub fn nodes(&self, k: u8, index: u32) -> Vec<Node> {
        let to = match self.form {
            Form::Pairs => k,
            Form::Fold(depth) => depth,
        };
        let nodes = (1..=to).flat_map(|depth| {
            let own = index & ((1 << depth) - 1);
            let sibling = own ^ (1 << (depth - 1));
            match self.form {
                Form::Pairs => vec![(depth, sibling, false), (depth, sibling, true)],
                Form::Fold(_) if depth == k => vec![(depth, sibling, true)],
                Form::Fold(_) => vec![(depth, own, true), (depth, sibling, true)],
            }
        });
        nodes.collect()
    }

    /// Points that open a leaf, without those of nodes that were given before: from the root down,
    /// then the quotient.
    pub fn open(&mut self, setup: &Setup, index: u32) -> Vec<G1Affine> {
        let Ok(points) = self.open_with(setup, index, |_| Ok::<_, Infallible>(None));
        points
    }

    /// As [`Amt::open`], from nodes that were kept.
    ///
    /// * `kept`: a node; `None` where it is to be summed from leaves.
    ///
    /// # Errors
    /// As `kept` has them.
    pub fn open_with<E>(
        &mut self,
        setup: &Setup,
        index: u32,
        kept: impl Fn(Node) -> Result<Option<G1Projective>, E>,
    ) -> Result<Vec<G1Affine>, E> {
        let k = setup.k();
        let mut points = Vec::new();
        for node in self.nodes(k, index) {
            if self.given.insert(node) {
                let (depth, residue, is_proof) = node;
                let row = if is_proof { depth } else { 0 };
                let point = kept(node)?;
                points.push(point.unwrap_or_else(|| self.node(setup, depth, residue, row)));
            }
        }
        if let Some(depth) = self.quotient_depth(k) {
            points.push(self.quotient(setup, depth, index));
        }
        Ok(G1Projective::normalize_batch(&points))
    }

    /// C.
    pub fn commitment(&self, setup: &Setup) -> G1Projective {
        self.node(setup, 0, 0, 0)
    }

    /// Leaves of a node that are not zero.
    fn inside(&self, depth: u8, residue: u32) -> impl Iterator<Item = (u32, Fr)> + '_ {
        let mask = (1_u32 << depth) - 1;
        let inside = self.values.iter().filter(move |(index, _)| **index & mask == residue);
        inside.map(|(index, value)| (*index, *value))
    }

    /// Σ a · B(row, i) over a node's leaves.
    fn node(&self, setup: &Setup, depth: u8, residue: u32, row: u8) -> G1Projective {
        let (places, values): (Vec<_>, Vec<_>) = self
            .inside(depth, residue)
            .map(|(index, value)| (Place::Batch(row, index), value))
            .unzip();
        sum(&setup.points(&places), &values)
    }

    /// (h(X) − h(x))/(X − x) for h the batch proof of the node of `depth` on the leaf's path.
    ///
    /// For j ≠ i, `B_j/(X − x_i)` is a polynomial: `(B_j − (x_j/x_i)·B_i)/(x_j − x_i)`.
    fn quotient(&self, setup: &Setup, depth: u8, index: u32) -> G1Projective {
        let x = setup.x(index);
        let others: Vec<(u32, Fr)> = self
            .inside(depth, index & ((1 << depth) - 1))
            .filter(|(other, _)| *other != index)
            .collect();
        let xs: Vec<Fr> = others.iter().map(|(other, _)| setup.x(*other)).collect();
        let mut inverses: Vec<Fr> = xs.iter().map(|other| *other - x).collect();
        batch_inversion(&mut inverses);
        let inverse = x.inverse().unwrap_or_default();
        let mut own = Fr::zero();
        let (mut places, mut scalars) = (Vec::new(), Vec::new());
        for (((other, value), x), difference) in others.iter().zip(xs).zip(inverses) {
            let scalar = *value * difference;
            own -= scalar * x * inverse;
            places.push(Place::Batch(depth, *other));
            scalars.push(scalar);
        }
        places.push(Place::Batch(depth, index));
        scalars.push(own);
        if let Some(value) = self.values.get(&index) {
            places.push(Place::Quotient(depth, index));
            scalars.push(*value);
        }
        sum(&setup.points(&places), &scalars)
    }
}

/// A leaf's value.
pub fn value(versions: &Versions) -> Fr {
    let radix = Fr::from(1_u64 << VERSION_BITS);
    let mut value = Fr::zero();
    let mut power = Fr::one();
    for version in versions {
        value += power * Fr::from(*version);
        power *= radix;
    }
    value
}
