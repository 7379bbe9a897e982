//! Neighbouring entries of a run, up to the run's digest.

use alloc::vec::Vec;

use super::proof::Range;
use super::{blake2b, concatenated};
use crate::error::{Span, VerifyError};
use crate::hash::Hash;
use crate::system::cole::key::Key;

/// Digest of the run that holds the entries next to each other, one below `low` and one above
/// `high`.
///
/// # Errors
/// `verify.path` for impossible positions, `verify.order` if keys do not ascend, `verify.boundary`
/// if the ends are not the range's neighbours, `verify.incomplete` and `verify.surplus` for
/// siblings.
pub(super) fn check(
    range: &Range<'_>,
    fanout: u16,
    low: &Key,
    high: &Key,
    span: Span,
) -> Result<Hash, VerifyError> {
    let entries = &range.entries;
    let count = range.last.checked_sub(range.first).and_then(|count| count.checked_add(1));
    if count != Some(entries.len() as u64) {
        return Err(VerifyError::Path { reason: "r - l + 1 is not the number of entries", span });
    }
    if !entries.is_sorted_by(|one, next| one.key() < next.key()) {
        return Err(VerifyError::Order { reason: "entries do not ascend", span });
    }
    let bounded = match entries.as_slice() {
        [left, inside @ .., right] => {
            let in_range = |key: &Key| low <= key && key <= high;
            left.key() < low && right.key() > high && inside.iter().all(|one| in_range(one.key()))
        }
        _ => false,
    };
    if !bounded {
        let reason = "not the range and a neighbour on each side";
        return Err(VerifyError::Boundary { reason, span });
    }
    let leaves = entries.iter().map(|entry| blake2b(entry.encoded)).collect();
    let root = root(range, leaves, fanout, span)?;
    Ok(match range.filter {
        None => concatenated(&[root]),
        Some(filter) => concatenated(&[root, filter]),
    })
}

/// Layers go up until one node remains at position 0. The size of the tree is not committed: that
/// the entries are neighbours follows from the full groups between them.
fn root(
    range: &Range<'_>,
    mut nodes: Vec<Hash>,
    fanout: u16,
    span: Span,
) -> Result<Hash, VerifyError> {
    let m = u64::from(fanout);
    let (mut first, mut last) = (range.first, range.last);
    for siblings in &range.layers {
        let before = usize::try_from(first.checked_rem(m).unwrap_or_default()).unwrap_or_default();
        let Some((left, right)) = siblings.split_at_checked(before) else {
            return Err(VerifyError::Incomplete { span });
        };
        let room = m.saturating_sub(1).saturating_sub(last.checked_rem(m).unwrap_or_default());
        let lone = last == 0 && right.is_empty();
        if right.len() as u64 > room || lone {
            return Err(VerifyError::Surplus { span });
        }
        let layer: Vec<Hash> = left.iter().copied().map(Hash).chain(nodes).collect();
        let layer: Vec<Hash> = layer.into_iter().chain(right.iter().copied().map(Hash)).collect();
        nodes = layer.chunks(fanout.into()).map(concatenated).collect();
        first = first.checked_div(m).unwrap_or_default();
        last = last.checked_div(m).unwrap_or_default();
    }
    match nodes.as_slice() {
        [root] if last == 0 => Ok(*root),
        _ => Err(VerifyError::Incomplete { span }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::cole::key::{entries, key};
    use crate::wire::Bytes;

    /// Why entries of these blocks do not answer for blocks 10 to 20.
    fn refusal(blocks: &[u32]) -> &'static str {
        let of = |block| key(&[5; 52], block);
        let packed: Vec<u8> =
            blocks.iter().flat_map(|block| of(*block).into_iter().chain([1; 32])).collect();
        let span = Span { start: 0, end: packed.len() };
        let entries = entries(Bytes { bytes: &packed, span }, "entries").unwrap();
        let last = (entries.len() as u64).saturating_sub(1);
        let range = Range { first: 0, last, entries, layers: alloc::vec![&[]], filter: None };
        check(&range, 4, &of(10), &of(20), span).err().map_or("", |error| error.code())
    }

    /// A left neighbour of the range's own first key would hide what was there before.
    #[test]
    fn neighbours_lie_outside_of_the_range() {
        assert_eq!(refusal(&[9, 12, 21]), "");
        assert_eq!(refusal(&[9, 10, 20, 21]), "");
        assert_eq!(refusal(&[10, 12, 21]), "verify.boundary");
        assert_eq!(refusal(&[9, 12, 20]), "verify.boundary");
        assert_eq!(refusal(&[9, 12, 12, 21]), "verify.order");
    }
}
