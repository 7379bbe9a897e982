//! What is asked: positions of the vector; and the buckets that they fall into.

use alloc::vec::Vec;
use core::ops::Range;

use super::params::Shape;
use crate::error::{DecodeError, InputError};
use crate::wire::Reader;

/// A query: RLP `[position, …]`, at least one, strictly ascending, each below n.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// In ascending order: a set, so that nothing is a root of the vanishing polynomial twice.
    pub positions: Vec<u64>,
}

impl Query {
    /// Decodes a query.
    ///
    /// # Errors
    /// [`InputError::Query`] if the bytes are not of the form, or name what the vector does not
    /// have.
    pub(super) fn from_rlp(shape: &Shape, rlp: &[u8]) -> Result<Self, InputError> {
        let malformed = |error: DecodeError| InputError::Query(error.reason);
        let mut items = Reader::whole_list(rlp, 0, "query").map_err(malformed)?;
        let mut positions: Vec<u64> = Vec::new();
        while !items.is_empty() {
            let position = items.u64("position").map_err(malformed)?;
            if positions.last().is_some_and(|last| *last >= position) {
                return Err(InputError::Query("positions must be strictly ascending"));
            }
            if position >= shape.size() {
                return Err(InputError::Query("position is not below the vector's length"));
            }
            positions.push(position);
        }
        if positions.is_empty() {
            return Err(InputError::Query("at least one position"));
        }
        Ok(Self { positions })
    }

    /// How many values are asked for.
    pub fn count(&self) -> usize {
        self.positions.len()
    }

    /// The buckets that hold the positions, in ascending order.
    pub fn buckets(&self, shape: &Shape) -> Vec<Outer> {
        let mut outer: Vec<Outer> = Vec::new();
        for (index, position) in self.positions.iter().enumerate() {
            let [i, j, _] = shape.split(*position);
            if outer.last().is_none_or(|last| last.i != i) {
                outer.push(Outer { i, inner: Vec::new() });
            }
            let Some(bucket) = outer.last_mut() else { continue };
            let end = index.saturating_add(1);
            match bucket.inner.last_mut().filter(|last| last.j == j) {
                Some(last) => last.members.end = end,
                None => bucket.inner.push(Inner { j, members: index..end }),
            }
        }
        outer
    }
}

/// A bucket of the outer layer that holds positions of the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outer {
    /// Its number.
    pub i: u64,
    /// Its own buckets that hold some, never empty.
    pub inner: Vec<Inner>,
}

/// A bucket of the inner layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inner {
    /// Its number in the outer one.
    pub j: u64,
    /// Its positions, as places in the query.
    pub members: Range<usize>,
}
