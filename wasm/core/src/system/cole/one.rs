//! Format `cole/1`. Hashes are keccak-256 with a leading tag byte, integers big-endian:
//!
//! * entry `H(00 ‖ key ‖ value)`; leaf node `H(01 ‖ n u16 ‖ entries)`; inner node
//!   `H(02 ‖ n u16 ‖ children)`;
//! * source `S = H(03 ‖ kind ‖ n u64 ‖ m u16 ‖ first block u32 ‖ last block u32 ‖ root ‖ 0^32)`;
//! * level `H(04 ‖ index u8 ‖ #writing u8 ‖ #merging u8 ‖ S…)`;
//! * `H_state = H(05 ‖ 1 ‖ system u8 ‖ m u16 ‖ T u8 ‖ height u32 ‖ #memories u8 ‖ S… ‖ #levels u8 ‖ level…)`.
//!
//! Proof: RLP `[mode, system, address, from, to, height, m, T, #memories, levels, [source, …]]`. `levels`
//! is a string of two bytes per level, #writing ‖ #merging. Sources stand newest first: memories, then
//! each level's writing and merging runs. A source is
//!
//! * `[0, n, first block, last block, root]`: skipped, its blocks miss the question;
//! * `[1]`: an empty memory;
//! * `[2, S]`: closed, the answer stands in a newer source;
//! * `[3, n, first block, last block, place, left, versions, right, siblings]`: opened.
//!
//! `left` and `right` are the neighbours (key ‖ value) or empty at an edge; `versions` packs block ‖
//! value; `siblings` packs digests bottom-up, left ones then right ones. `place` is the position of the
//! first opened entry in a run, or for a memory `[[first, counts], …]` bottom-up: the index of the first
//! opened child, and each opened node's child count less one, a byte each.
//!
//! # Deviation
//! The paper commits to no counts and no blocks, and lets a proof stop early on entries that nothing
//! authenticates. Here `n` and each source's blocks are part of its hash: edges are positions 0 and
//! `n - 1`, and which sources are left closed follows from the question.

mod digest;
mod opening;
mod proof;
mod verify;

pub(super) use proof::Proof;
pub(super) use verify::check;
