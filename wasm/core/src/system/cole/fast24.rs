//! Format `cole/fast24`: the digests of the paper's authors, blake2b-256 without tags.
//!
//! * in-memory tree: leaf `H(‖ H(key) ‖ H(value))`, inner node `H(‖ H(separator) ‖ children)`, no entries
//!   0^32; child `i` holds `separator[i - 1] <= key < separator[i]`;
//! * run: tree of fanout m over `H(key ‖ value)`, with a least and a greatest sentinel among the entries;
//!   its digest is `H(root)`, or `H(root ‖ H(filter))` where runs carry Bloom filters;
//! * level `H(run digests)`, newest first; `H_state = H(in-memory roots ‖ level digests)`.
//!
//! Proof: RLP `[[memory, …], [[run, …], …]]`. A memory is `[]` if it is empty, else `[results, [[node, …],
//! …]]`, the opened nodes of each depth from the root down: a leaf `[start, end, entries]`, an inner node
//! `[start, end, separators, children]`. A run is `[0, l, r, entries, [layer, …], filter digest]`, opened from
//! position l to r, `[1, root, filter]` where the filter excludes the address, or `[2, digest]`, closed.
//! Fixed-size records are packed in one string each. `results`, `start` and `end` are what the authors'
//! prover claims: they are compared with what the separators and leaves say.
//!
//! As of block b, the proof is that of the range `b..=b`: a version in it, or else its predecessor.
//!
//! # Deviation
//! The authors' verifier trusts `start`, `end` and `results`, does not bind positions to the tree, and stops
//! early on entries that nothing authenticates. Here a source is left closed only after an opened
//! source has shown an authenticated entry older than the range: sources partition time, so whatever
//! is older than that source is older than the range.

mod filter;
mod memory;
mod proof;
mod run;
mod verify;
mod xxh3;

use lightproof_hash::Blake2b256;

use crate::hash::Hash;

pub(super) use proof::Proof;
pub(super) use verify::check;

fn blake2b(bytes: &[u8]) -> Hash {
    let mut hasher = Blake2b256::new();
    hasher.update(bytes);
    Hash(hasher.finish())
}

fn concatenated(words: &[Hash]) -> Hash {
    let mut hasher = Blake2b256::new();
    for word in words {
        hasher.update(&word.0);
    }
    Hash(hasher.finish())
}
