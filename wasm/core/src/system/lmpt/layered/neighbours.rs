//! Absence by two adjacent leaves (LMPT, §III): nothing stands between them, and the key would.

use alloc::vec::Vec;

use crate::error::{DecodeError, Malformed, Span, VerifyError};
use crate::hash::Hash;
use crate::observer::{Observer, note};
use crate::trie::{Branching, TrieProof};
use crate::wire::Reader;

/// The leaves next to a key on its left and right; one is missing at the trie's edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Neighbours<'a> {
    left: Option<Leaf<'a>>,
    right: Option<Leaf<'a>>,
    span: Span,
}

/// A leaf's key, and the nodes along it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Leaf<'a> {
    key: Hash,
    nodes: TrieProof<'a>,
}

impl<'a> Neighbours<'a> {
    pub(super) fn read(left: Reader<'a>, right: Reader<'a>) -> Result<Self, DecodeError> {
        let span = Span { start: left.span().start, end: right.span().end };
        let (left, right) = (Leaf::read(left)?, Leaf::read(right)?);
        if left.is_none() && right.is_none() {
            return Err(Malformed::Shape.at("neighbours", "none on either side", span));
        }
        Ok(Self { left, right, span })
    }

    /// Checks that no leaf under `root` has this key.
    pub(super) fn check(
        &self,
        root: Hash,
        key: &Hash,
        observer: &mut impl Observer,
    ) -> Result<(), VerifyError> {
        let absence = |reason| VerifyError::Absence { reason, span: self.span };
        let left =
            self.left.as_ref().map(|leaf| leaf.branching(root, "left", observer)).transpose()?;
        let right =
            self.right.as_ref().map(|leaf| leaf.branching(root, "right", observer)).transpose()?;
        if self.left.as_ref().is_some_and(|leaf| leaf.key >= *key) {
            return Err(absence("the left neighbour does not stand left of the key"));
        }
        if self.right.as_ref().is_some_and(|leaf| leaf.key <= *key) {
            return Err(absence("the right neighbour does not stand right of the key"));
        }
        // Where the two paths part; at an edge there is one path, and it is outermost from the root
        // on.
        let fork = match (&left, &right) {
            (Some(left), Some(right)) => {
                Some(fork(left, right).ok_or(absence("the neighbours share one path"))?)
            }
            _ => None,
        };
        let below = |branch: &&Branching<'_>| fork.is_none_or(|(depth, _)| branch.depth > depth);
        if left.iter().flatten().filter(below).any(Branching::has_right) {
            return Err(absence("a leaf stands right of the left neighbour"));
        }
        if right.iter().flatten().filter(below).any(Branching::has_left) {
            return Err(absence("a leaf stands left of the right neighbour"));
        }
        if fork.is_some_and(|(_, between)| between) {
            return Err(absence("a leaf stands between the neighbours"));
        }
        note!(
            observer,
            Compared "neighbours",
            self.span,
            left: self.left.is_some(),
            right: self.right.is_some(),
        );
        Ok(())
    }
}

impl<'a> Leaf<'a> {
    fn read(mut items: Reader<'a>) -> Result<Option<Self>, DecodeError> {
        if items.is_empty() {
            return Ok(None);
        }
        let leaf = Self {
            key: items.hash("neighbour's key")?,
            nodes: TrieProof::read(items.list("nodes")?)?,
        };
        items.finish("neighbour")?;
        Ok(Some(leaf))
    }

    /// The branches on the way to the leaf, which must be there.
    fn branching(
        &self,
        root: Hash,
        side: &'static str,
        observer: &mut impl Observer,
    ) -> Result<Vec<Branching<'a>>, VerifyError> {
        note!(observer, Compared "neighbour", self.nodes.span(), side: side, neighbour: &self.key);
        let mut branches = Vec::new();
        match self.nodes.walk_visiting(
            root,
            &self.key,
            &mut |branch| branches.push(branch),
            observer,
        )? {
            Some(_) => Ok(branches),
            None => Err(VerifyError::Absence {
                reason: "neighbour is not a leaf of the trie",
                span: self.nodes.span(),
            }),
        }
    }
}

/// Depth of the branch where two paths part, and whether it has a child between them.
fn fork(left: &[Branching<'_>], right: &[Branching<'_>]) -> Option<(usize, bool)> {
    let (left, right) = left.iter().zip(right).find(|(left, right)| left.nibble != right.nibble)?;
    Some((left.depth, left.has_before(right.nibble)))
}
