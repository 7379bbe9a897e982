//! The kept proof tree: commitments and batch proofs of the root AMT's nodes, so that a proof reads
//! them in place of summing leaves. (The paper's maintenance; sub-AMTs have few leaves, and a
//! quotient, by which they are opened, no tree would give.)
//!
//! A version that rises by one in slot s of leaf i adds 2^(40·s)·B(0, i) to the commitment of every
//! node above the leaf, and 2^(40·s)·B(d, i) to the batch proof of the one at depth d. A shard
//! keeps the nodes that its proofs have: those on paths to its leaves, and their siblings. A leaf
//! of another shard then changes no more than the nodes down to where its path leaves.

use std::collections::BTreeMap;

use ark_bn254::{G1Affine, G1Projective};
use ark_ec::CurveGroup;

use lightproof_core::wire::bn254;

use super::amt::Node;
use super::rows::{View, node_row};
use super::setup::{Place, Setup};
use super::shard::Shard;
use crate::error::StoreError;

/// What stands at the nodes of a shard's tree once versions rose.
///
/// * `risen`: leaf and slot of every version that rose, each by one.
pub(super) fn updated(
    setup: &Setup,
    view: &View<'_>,
    shard: Shard,
    risen: &[(u32, u8)],
) -> Result<Vec<(Node, G1Affine)>, StoreError> {
    // A commitment is a sum of points that the block's own commitments have needed already.
    let leaves: Vec<Place> =
        risen.iter().map(|&(index, slot)| Place::Shifted(0, slot, index)).collect();
    let leaves = setup.points(&leaves);
    let mut nodes: BTreeMap<Node, G1Projective> = BTreeMap::new();
    let mut proofs: BTreeMap<Node, Vec<Place>> = BTreeMap::new();
    for (&(index, slot), point) in risen.iter().zip(leaves) {
        for depth in 1..=setup.k() {
            let residue = index & ((1 << depth) - 1);
            if !shard.keeps(depth, residue) {
                break;
            }
            *nodes.entry((depth, residue, false)).or_default() += point;
            let place = Place::Shifted(depth, slot, index);
            proofs.entry((depth, residue, true)).or_default().push(place);
        }
    }
    let (proofs, places): (Vec<Node>, Vec<Vec<Place>>) = proofs.into_iter().unzip();
    nodes.extend(proofs.into_iter().zip(setup.sums(&places)));
    for (node, sum) in &mut nodes {
        if let Some(before) = view.node(*node)? {
            *sum += before;
        }
    }
    let points: Vec<G1Projective> = nodes.values().copied().collect();
    Ok(nodes.into_keys().zip(G1Projective::normalize_batch(&points)).collect())
}

/// Rows of nodes.
pub(super) fn rows(nodes: &[(Node, G1Affine)]) -> impl Iterator<Item = (Vec<u8>, Vec<u8>)> {
    nodes.iter().map(|(node, point)| (node_row(*node), bn254::affine(point).to_vec()))
}
