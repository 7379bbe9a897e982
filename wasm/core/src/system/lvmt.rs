//! `lvmt`: a key's latest value, or that it was never written.
//!
//! LVMT keeps versions, not values, in vectors of n = 2^k leaves that are committed to as authenticated multipoint
//! evaluation trees (AMT) over BN254. A leaf is `a = Σ ver_j · 2^(40·j)`: `ver_0` counts the versions of the sub-AMT
//! below it, `ver_1` to `ver_5` those of five keys. A key takes the first free slot on the path that its bits lead along,
//! from the root AMT down, and keeps it. Values stand in the blocks that wrote them: each block commits to a Merkle
//! tree of tuples, a key's (key, version, level, slot, value) and a sub-AMT's (path, version, commitment).
//!
//! Root, `lvmt/1`: `aroot ‖ hroot`, 32 bytes each, of block E, the number of the header. `aroot` is the root AMT's commitment,
//! `hroot` the RFC 9162 tree (keccak, inner nodes tagged 01) over the blocks 0..E ([`tuple::block`]). Root, `lvmt/osdi23`:
//! `aroot` in 64 bytes, then for every block 0..E its root, 32 bytes, and the depth of its tree, one byte.
//!
//! Query: RLP `[key, …]`. Variants `hybrid`, `kzg`, `fold` and `pairs` name how the root AMT's leaves are opened
//! ([`amt`]); sub-AMTs are opened by `kzg` in `hybrid`, and as the root in the others.
//!
//! Proof: RLP `[D, blocks, answers]`. D is the depth to which the root AMT is folded: 0 in `kzg` and `pairs`, k in `fold`,
//! 1 to k − 1 in `hybrid`. Integers are minimal, lists of points or hashes one string each.
//!
//! * blocks: `[[epoch, count, path], …]` (`lvmt/osdi23`: `[[epoch], …]`), by ascending epoch, those that tuples stand in: number of
//!   tuples, and siblings in the tree of blocks, bottom-up.
//! * answers, one for each key in the query's order: `[1, level, leaves, slot, value, place]` for a present key, `[0, level,
//!   leaves, owners]` for an absent one. `level` is that of the last AMT on the key's path.
//! * leaves: along the path from the root, what no answer before gave: for a sub-AMT `[commitment, place]` of its
//!   tuple, then for its leaf `[a, points]`. Points of nodes that a leaf of the same AMT gave before are
//!   left out ([`amt::Openings::read`]).
//! * owners: for every leaf on the path whose owners no answer before gave, `[[key, version, value, place], …]` by ascending slot:
//!   one tuple of each key that has a slot, of any version. `value` is the value's keccak (`lvmt/osdi23`: the value).
//! * place: `[block, position, path]` of a tuple: number in blocks, position in that block's tree, and siblings bottom-up.
//!
//! Present: every leaf above the last has a sub-AMT, whose tuple of exactly the leaf's version is in a block; the
//! slot of the last leaf has a version, and the key's tuple of exactly this version is in a block. Absent: the last
//! leaf has no sub-AMT, all leaves above it have five owners, and no owner of any of them is the key.
//!
//! # Deviation
//! The authors' verifier compares neither the tuple's version with the opened one, nor the commitment with a trusted
//! root, nor path lengths with anything. Source: LVMT, OSDI 2023, §3 and appendix; the page of this system says where it
//! corrects the paper.

pub mod amt;
mod fact;
pub mod merkle;
mod params;
mod proof;
mod query;
pub mod tuple;
mod verify;

pub use fact::{Fact, Value};
pub use params::{Format, Params};
pub use proof::Proof;
pub use query::{Key, Query};

use alloc::vec::Vec;

use ark_bn254::{Bn254, G1Affine};

use crate::algebra::Equations;
use crate::error::{DecodeError, InputError, Malformed, Span, VerifyError};
use crate::hash::Hash;
use crate::system::{System, SystemConfig};
use crate::trace::Trace;
use crate::wire::Bytes;

/// The system `lvmt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lvmt {}

/// What a block commits to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateRoot {
    /// `aroot`.
    commitment: G1Affine,
    history: History,
}

/// What binds the tuples of all blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
enum History {
    /// `lvmt/1`: the tree of blocks, and the last block's number.
    One { hroot: Hash, number: u64 },
    /// `lvmt/osdi23`: root and depth of each block's tree.
    Osdi23(Vec<(Hash, u8)>),
}

impl System for Lvmt {
    const NAME: &'static str = "lvmt";
    type Params = Params;
    type Root = StateRoot;
    type Query = Query;
    type Proof<'a> = Proof<'a>;
    type Fact = Fact;
    type Equations = Equations<Bn254>;

    fn params(config: &SystemConfig<'_>, bytes: &[u8]) -> Result<Params, InputError> {
        Params::pinned(config, bytes)
    }

    fn root(params: &Params, bytes: &[u8], number: u64) -> Result<StateRoot, DecodeError> {
        let span = Span { start: 0, end: bytes.len() };
        let malformed = Malformed::Shape;
        let wrong = DecodeError { malformed, field: "root", reason: "wrong length", span };
        let (aroot, rest) = bytes.split_at_checked(params.format.point_bytes()).ok_or(wrong)?;
        let commitment = params.format.point(Bytes { bytes: aroot, span }, "aroot")?;
        let history = match params.format {
            Format::One => {
                History::One { hroot: Hash(rest.try_into().map_err(|_| wrong)?), number }
            }
            Format::Osdi23 => {
                let (blocks, []) = rest.as_chunks::<33>() else { return Err(wrong) };
                if number.checked_add(1) != Some(blocks.len() as u64) {
                    return Err(wrong);
                }
                let block = |[root @ .., depth]: &[u8; 33]| (Hash(*root), *depth);
                History::Osdi23(blocks.iter().map(block).collect())
            }
        };
        Ok(StateRoot { commitment, history })
    }

    fn query(params: &Params, rlp: &[u8]) -> Result<Query, InputError> {
        Query::from_rlp(params, rlp)
    }

    fn decode<'a>(
        params: &Params,
        query: &Query,
        variant: &str,
        bytes: &'a [u8],
    ) -> Result<Proof<'a>, DecodeError> {
        let forms = proof::Forms::of(params, variant).ok_or(DecodeError {
            malformed: Malformed::Variant,
            field: "variant",
            reason: "lvmt has hybrid, kzg, fold and pairs",
            span: Span::default(),
        })?;
        Proof::read(params, query, forms, bytes)
    }

    fn check(
        params: &Params,
        root: &StateRoot,
        query: &Query,
        proof: &Proof<'_>,
        todo: &mut Equations<Bn254>,
        trace: &mut dyn Trace,
    ) -> Result<Fact, VerifyError> {
        verify::check(params, root, query, proof, todo, trace)
    }
}
