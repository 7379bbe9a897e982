//! The five hashes of `cole/1`.

use alloc::vec::Vec;

use lightproof_hash::{Keccak256, Pairs, keccak256};

use crate::hash::Hash;
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

/// What the versions of an address hash before block ‖ value.
pub(super) fn address(address: &[u8]) -> Keccak256 {
    let mut hasher = Keccak256::default();
    hasher.update(&[0]);
    hasher.update(address);
    hasher
}

/// Entries or nodes side by side, hashed two at a time.
#[derive(Default)]
pub(super) struct Row {
    pairs: Pairs,
    digests: Vec<Digest>,
}

impl Row {
    /// Makes room for so many digests, and no more.
    pub(super) fn reserve(&mut self, count: usize) {
        self.digests.reserve_exact(count);
    }

    /// One entry: address ‖ block ‖ value.
    pub(super) fn entry(&mut self, encoded: &[u8; ENTRY_BYTES]) {
        self.push(&Keccak256::EMPTY, &[&[0], encoded]);
    }

    /// The entry that begins so: its address is hashed already.
    pub(super) fn version(&mut self, begun: &Keccak256, rest: &[u8]) {
        self.push(begun, &[rest]);
    }

    /// A node over entries (a leaf) or over nodes, which come in parts.
    pub(super) fn node(&mut self, leaf: bool, [before, opened, after]: [&[Digest]; 3]) {
        let count = before.len().saturating_add(opened.len()).saturating_add(after.len());
        // A node has at most 256 children: its callers make sure.
        let [high, low] = u16::try_from(count).unwrap_or_default().to_be_bytes();
        let head = [if leaf { 1 } else { 2 }, high, low];
        let [before, opened, after] = [before, opened, after].map(<[Digest]>::as_flattened);
        self.push(&Keccak256::EMPTY, &[&head, before, opened, after]);
    }

    /// Their digests, in order; the next row begins.
    pub(super) fn finish(&mut self) -> Vec<Digest> {
        if let Some(last) = self.pairs.finish() {
            self.digests.push(last);
        }
        core::mem::take(&mut self.digests)
    }

    fn push(&mut self, begun: &Keccak256, parts: &[&[u8]]) {
        if let Some(both) = self.pairs.push(begun, parts) {
            self.digests.extend_from_slice(&both);
        }
    }
}

/// A source.
pub(super) fn source(place: Place, fanout: u16, extent: &Extent, root: &Digest) -> Digest {
    keccak256(&[
        &[3, place as u8],
        &extent.entries.to_be_bytes(),
        &fanout.to_be_bytes(),
        &extent.first.to_be_bytes(),
        &extent.last.to_be_bytes(),
        root,
        // Where other engines commit to a filter: filters are local here.
        &[0; 32],
    ])
}

/// A level: `counts` are #writing and #merging, `sources` the digests of its runs, newest first.
pub(super) fn level(index: u8, counts: [u8; 2], sources: &[Digest]) -> Digest {
    let [writing, merging] = counts;
    keccak256(&[&[4, index, writing, merging], sources.as_flattened()])
}

/// `H_state`.
pub(super) fn state(params: Params, height: u32, memories: &[Digest], levels: &[Digest]) -> Hash {
    let Params { kind, size_ratio, .. } = params;
    let ([m1, m0], [h3, h2, h1, h0]) = (params.fanout.to_be_bytes(), height.to_be_bytes());
    let head = [5, 1, kind as u8, m1, m0, size_ratio, h3, h2, h1, h0, kind.memories()];
    // At most 255 levels: the decoder made sure.
    let count = u8::try_from(levels.len()).unwrap_or_default();
    Hash(keccak256(&[&head, memories.as_flattened(), &[count], levels.as_flattened()]))
}
