//! The five hashes of `cole/1`.

use crate::hash::{Hash, Keccak256};
use crate::system::cole::params::Params;

/// Whether a source lies in memory or on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Place {
    Memory = 0,
    Run = 1,
}

/// Size and blocks of a source, as its hash binds them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::system::cole) struct Extent {
    /// Number of entries; 0 for an empty memory only.
    pub(super) entries: u64,
    /// Block of its oldest entry.
    pub(super) first: u32,
    /// Block of its newest entry.
    pub(super) last: u32,
}

/// One version.
pub(super) fn entry(address: &[u8], block: u32, value: &[u8; 32]) -> Hash {
    let mut hasher = tagged(&[0]);
    hasher.update(address);
    hasher.update(&block.to_be_bytes());
    hasher.update(value);
    hasher.finish()
}

/// A node over entries (a leaf) or over nodes.
pub(super) fn node(leaf: bool, children: &[Hash]) -> Hash {
    let mut hasher = tagged(&[if leaf { 1 } else { 2 }]);
    // A node has at most 256 children: its callers make sure.
    let count = u16::try_from(children.len()).unwrap_or_default();
    hasher.update(&count.to_be_bytes());
    for child in children {
        hasher.update(&child.0);
    }
    hasher.finish()
}

/// A source.
pub(super) fn source(place: Place, fanout: u16, extent: &Extent, root: &Hash) -> Hash {
    let mut hasher = tagged(&[3, place as u8]);
    hasher.update(&extent.entries.to_be_bytes());
    hasher.update(&fanout.to_be_bytes());
    hasher.update(&extent.first.to_be_bytes());
    hasher.update(&extent.last.to_be_bytes());
    hasher.update(&root.0);
    // Where other engines commit to a filter: filters are local here.
    hasher.update(&[0; 32]);
    hasher.finish()
}

/// A level: `counts` are #writing and #merging, `sources` the digests of its runs, newest first.
pub(super) fn level(index: u8, counts: [u8; 2], sources: &[Hash]) -> Hash {
    let mut hasher = tagged(&[4, index]);
    hasher.update(&counts);
    for source in sources {
        hasher.update(&source.0);
    }
    hasher.finish()
}

/// `H_state`.
pub(super) fn state(params: Params, height: u32, memories: &[Hash], levels: &[Hash]) -> Hash {
    let mut hasher = tagged(&[5, 1, params.kind as u8]);
    hasher.update(&params.fanout.to_be_bytes());
    hasher.update(&[params.size_ratio]);
    hasher.update(&height.to_be_bytes());
    hasher.update(&[params.kind.memories()]);
    for source in memories {
        hasher.update(&source.0);
    }
    // At most 255 levels: the decoder made sure.
    hasher.update(&[u8::try_from(levels.len()).unwrap_or_default()]);
    for level in levels {
        hasher.update(&level.0);
    }
    hasher.finish()
}

fn tagged(prefix: &[u8]) -> Keccak256 {
    let mut hasher = Keccak256::default();
    hasher.update(prefix);
    hasher
}
