//! The five hashes of `cole/1`.

use crate::hash::{Hash, Keccak256};
use crate::system::cole::key::ENTRY_BYTES;
use crate::system::cole::params::Params;

/// A hash beside others: nodes are hashed over their children's bytes in one piece.
pub(super) type Digest = [u8; 32];

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

/// One entry: address ‖ block ‖ value.
pub(super) fn entry(encoded: &[u8; ENTRY_BYTES]) -> Digest {
    let mut hasher = tagged(&[0]);
    hasher.update(encoded);
    hasher.finish().0
}

/// What the versions of an address hash before block ‖ value.
pub(super) fn address(address: &[u8]) -> Keccak256 {
    let mut hasher = tagged(&[0]);
    hasher.update(address);
    hasher
}

/// The entry that begins so: its address is hashed already.
pub(super) fn version(begun: &Keccak256, rest: &[u8]) -> Digest {
    let mut hasher = begun.clone();
    hasher.update(rest);
    hasher.finish().0
}

/// A node over entries (a leaf) or over nodes.
pub(super) fn node(leaf: bool, children: &[Digest]) -> Digest {
    // A node has at most 256 children: its callers make sure.
    let [high, low] = u16::try_from(children.len()).unwrap_or_default().to_be_bytes();
    let mut hasher = tagged(&[if leaf { 1 } else { 2 }, high, low]);
    hasher.update(children.as_flattened());
    hasher.finish().0
}

/// A source.
pub(super) fn source(place: Place, fanout: u16, extent: &Extent, root: &Digest) -> Digest {
    let mut hasher = tagged(&[3, place as u8]);
    hasher.update(&extent.entries.to_be_bytes());
    hasher.update(&fanout.to_be_bytes());
    hasher.update(&extent.first.to_be_bytes());
    hasher.update(&extent.last.to_be_bytes());
    hasher.update(root);
    // Where other engines commit to a filter: filters are local here.
    hasher.update(&[0; 32]);
    hasher.finish().0
}

/// A level: `counts` are #writing and #merging, `sources` the digests of its runs, newest first.
pub(super) fn level(index: u8, counts: [u8; 2], sources: &[Digest]) -> Digest {
    let [writing, merging] = counts;
    let mut hasher = tagged(&[4, index, writing, merging]);
    hasher.update(sources.as_flattened());
    hasher.finish().0
}

/// `H_state`.
pub(super) fn state(params: Params, height: u32, memories: &[Digest], levels: &[Digest]) -> Hash {
    let mut hasher = tagged(&[5, 1, params.kind as u8]);
    hasher.update(&params.fanout.to_be_bytes());
    hasher.update(&[params.size_ratio]);
    hasher.update(&height.to_be_bytes());
    hasher.update(&[params.kind.memories()]);
    hasher.update(memories.as_flattened());
    // At most 255 levels: the decoder made sure.
    hasher.update(&[u8::try_from(levels.len()).unwrap_or_default()]);
    hasher.update(levels.as_flattened());
    hasher.finish()
}

fn tagged(prefix: &[u8]) -> Keccak256 {
    let mut hasher = Keccak256::default();
    hasher.update(prefix);
    hasher
}
