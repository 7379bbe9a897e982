//! Points and parameters as they travel.

use ark_serialize::CanonicalSerialize;
use lightproof_core::system::balanceproofs::{Domain, Scheme, Shape};

use crate::rlp::Item;

/// RLP `[sides, g1, g2, outer, grid]`.
pub fn params(shape: &Shape, g1: &[u8], g2: &[u8], outer: &[u8], grid: &[u8]) -> Vec<u8> {
    let side = |domain: &Domain| Item::uint(domain.size());
    let [p, t, m] = [&shape.outer, &shape.middle, &shape.inner].map(side);
    let sides = match shape.scheme {
        Scheme::Basic => vec![m],
        Scheme::Bucketed => vec![p, m],
        Scheme::TwoLayer => vec![p, t, m],
    };
    let mut items = vec![Item::List(sides)];
    items.extend([g1, g2, outer, grid].map(Item::bytes));
    Item::List(items).encode()
}

/// Points in compressed form, one after the other.
pub fn bytes<P: CanonicalSerialize>(points: &[P]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for point in points {
        // Writing to memory cannot fail.
        let _ = point.serialize_compressed(&mut bytes);
    }
    bytes
}
