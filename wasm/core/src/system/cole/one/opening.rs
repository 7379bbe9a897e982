//! From opened entries and their siblings up to the root of a source.

use alloc::vec::Vec;

use super::digest::{Digest, Row};
use super::proof::{Depth, Opening, Where};
use crate::error::{Span, VerifyError};
use crate::wire::Items;

/// Digests of neighbours, in order.
type Nodes = Vec<Digest>;

/// The root that the opened entries hash to.
///
/// * `opened`: digests of all opened entries, neighbours included, in order.
/// * `entries`: n, the committed number of entries.
///
/// # Errors
/// `verify.boundary` if an edge is claimed that is none, `verify.path` for an impossible place,
/// `verify.incomplete` and `verify.surplus` for too few or too many siblings.
pub(super) fn root(
    opening: &Opening<'_>,
    opened: Nodes,
    entries: u64,
    fanout: u16,
    span: Span,
) -> Result<Digest, VerifyError> {
    let mut fold = Fold { siblings: opening.siblings, row: Row::default(), span };
    let root = match &opening.place {
        Where::Run(first) => fold.run(opening, opened, *first, entries, fanout)?,
        Where::Memory(depths) => fold.memory(opening, opened, *depths, fanout)?,
    };
    if !fold.siblings.is_empty() {
        return Err(VerifyError::Surplus { span });
    }
    Ok(root)
}

/// How many hashes that takes, those of the entries among them, and of how many bytes.
///
/// * `opened`: number of opened entries.
pub(super) fn work(opening: &Opening<'_>, opened: u64, entries: u64, fanout: u16) -> (u64, u64) {
    let hashes = hashes(opening, opened, entries, fanout);
    let nodes = hashes.saturating_sub(opened);
    // Every node but the root is a child, and so is every sibling.
    let children = hashes.saturating_add(opening.siblings.len() as u64).saturating_sub(1);
    let parts = [(opened, 89_u64), (nodes, 3), (children, 32)];
    let bytes = parts.map(|(count, each)| count.saturating_mul(each));
    (hashes, bytes.into_iter().fold(0, u64::saturating_add))
}

fn hashes(opening: &Opening<'_>, opened: u64, entries: u64, fanout: u16) -> u64 {
    let (mut first, m) = match &opening.place {
        Where::Run(first) => (*first, u64::from(fanout).max(2)),
        Where::Memory(depths) => {
            let nodes = depths.map(|depth| depth.counts.len() as u64);
            return nodes.fold(opened, u64::saturating_add);
        }
    };
    let (mut end, mut count, mut hashes) = (first.saturating_add(opened), entries, opened);
    loop {
        first = first.checked_div(m).unwrap_or_default();
        (end, count) = (end.div_ceil(m), count.div_ceil(m));
        hashes = hashes.saturating_add(end.saturating_sub(first));
        if count <= 1 {
            return hashes;
        }
    }
}

struct Fold<'a> {
    siblings: &'a [Digest],
    /// The layer or depth that is being hashed.
    row: Row,
    span: Span,
}

impl<'a> Fold<'a> {
    /// A run: position 0 is the left edge, position n - 1 the right one, and every count follows
    /// from n, m, the first position and how many entries are opened.
    fn run(
        &mut self,
        opening: &Opening<'_>,
        mut nodes: Nodes,
        mut first: u64,
        mut count: u64,
        fanout: u16,
    ) -> Result<Digest, VerifyError> {
        let end = first.checked_add(nodes.len() as u64).filter(|end| *end <= count);
        let end = end.ok_or(self.path("entries beyond the end of their run"))?;
        self.edge(opening.left.is_some() || first == 0)?;
        self.edge(opening.right.is_some() || end == count)?;
        if nodes.is_empty() {
            return Err(self.path("no entry is opened"));
        }
        let m = u64::from(fanout);
        let mut leaf = true;
        loop {
            // Nodes of this layer are `count`; those at first..end are known.
            let end = first.saturating_add(nodes.len() as u64);
            let group_end = end.div_ceil(m).saturating_mul(m).min(count);
            let before = self.take(first.checked_rem(m).unwrap_or_default())?;
            let after = self.take(group_end.saturating_sub(end))?;
            let layer = [before, &nodes, after].concat();
            self.row.reserve(layer.len().div_ceil(fanout.into()));
            for group in layer.chunks(fanout.into()) {
                self.row.node(leaf, [&[], group, &[]]);
            }
            nodes = self.row.finish();
            (first, count) = (first.checked_div(m).unwrap_or_default(), count.div_ceil(m));
            if count == 1 {
                break;
            }
            leaf = false;
        }
        // One node remains, since all of first..end lie below it.
        nodes.first().copied().ok_or(self.path("no root"))
    }

    /// An in-memory tree. Its opened nodes are neighbours on every depth: each but the first is
    /// opened from its first child, each but the last to its last, none without a child.
    fn memory(
        &mut self,
        opening: &Opening<'_>,
        mut nodes: Nodes,
        depths: Items<'_, Depth<'_>>,
        fanout: u16,
    ) -> Result<Digest, VerifyError> {
        let (mut left_edge, mut right_edge, mut leaf) = (true, true, true);
        for depth in depths {
            left_edge &= depth.first == 0;
            let mut known = nodes.as_slice();
            let mut first = depth.first;
            // A node without an opened child is refused below.
            self.row.reserve(depth.counts.len().min(nodes.len()));
            for (index, count) in depth.counts.iter().enumerate() {
                let count = usize::from(*count).saturating_add(1);
                if count > fanout.into() || first >= count {
                    return Err(self.path("a node has more children than m, or fewer than named"));
                }
                let before = self.take(first as u64)?;
                let room = count.saturating_sub(first);
                let (opened, rest) = known.split_at_checked(room).unwrap_or((known, &[]));
                if opened.is_empty() {
                    return Err(self.path("a node is opened without a child"));
                }
                known = rest;
                let missing = room.saturating_sub(opened.len());
                let last = index.saturating_add(1) == depth.counts.len();
                if missing > 0 && !last {
                    return Err(self.path("a node before the last is not opened to its end"));
                }
                right_edge &= missing == 0;
                let after = self.take(missing as u64)?;
                self.row.node(leaf, [before, opened, after]);
                first = 0;
            }
            if !known.is_empty() {
                return Err(self.path("more children than the opened nodes hold"));
            }
            nodes = self.row.finish();
            leaf = false;
        }
        self.edge(opening.left.is_some() || left_edge)?;
        self.edge(opening.right.is_some() || right_edge)?;
        match nodes.as_slice() {
            [root] => Ok(*root),
            _ => Err(self.path("the opened nodes do not lead to one root")),
        }
    }

    /// The next siblings.
    fn take(&mut self, count: u64) -> Result<&'a [Digest], VerifyError> {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let incomplete = VerifyError::Incomplete { span: self.span };
        let (taken, rest) = self.siblings.split_at_checked(count).ok_or(incomplete)?;
        self.siblings = rest;
        Ok(taken)
    }

    fn edge(&self, bounded: bool) -> Result<(), VerifyError> {
        if bounded {
            return Ok(());
        }
        let reason = "a neighbour is missing and the opening is not at the edge of the source";
        Err(VerifyError::Boundary { reason, span: self.span })
    }

    fn path(&self, reason: &'static str) -> VerifyError {
        VerifyError::Path { reason, span: self.span }
    }
}
