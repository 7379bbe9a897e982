//! `lvmt`: a key's latest value, or that it was never written.
//!
//! LVMT keeps versions, not values, in vectors of n = 2^k leaves that are committed to as
//! authenticated multipoint evaluation trees (AMT) over BN254. A leaf is `a = Σ ver_j · 2^(40·j)`:
//! `ver_0` counts the versions of the sub-AMT below it, `ver_1` to `ver_5` those of five keys. A
//! key takes the first free slot on the path that its bits lead along, from the root AMT down, and
//! keeps it. Values stand in the blocks that wrote them: each block commits to a Merkle
//! tree of tuples, a key's (key, version, level, slot, value) and a sub-AMT's (path, version,
//! commitment).
//!
//! Bytes of roots, queries and proofs: `spec/systems/lvmt.md`, sections 3 to 5.
//!
//! Present: every leaf above the last has a sub-AMT, whose tuple of exactly the leaf's version is
//! in a block; the slot of the last leaf has a version, and the key's tuple of exactly this version
//! is in a block. Absent: the last leaf has no sub-AMT, all leaves above it have five owners, and
//! no owner of any of them is the key.
//!
//! # Deviation
//! The authors' verifier compares neither the tuple's version with the opened one, nor the
//! commitment with a trusted root, nor path lengths with anything. Source: LVMT, OSDI 2023, §3 and
//! appendix; `spec/systems/lvmt.md`, section 12, says where it corrects the paper.

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
use crate::observer::Observer;
use crate::system::{Encoded, System, SystemConfig};
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

    fn digest(params: &Params) -> Hash {
        params.digest
    }

    fn root(params: &Params, bytes: &[u8], number: u64) -> Result<StateRoot, DecodeError> {
        let span = Span { start: 0, end: bytes.len() };
        let malformed = Malformed::Shape;
        let wrong = malformed.at("root", "wrong length", span);
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
        let forms = proof::Forms::of(params, variant).ok_or(Malformed::Variant.at(
            "variant",
            "unknown variant: lvmt has hybrid, kzg, fold and pairs",
            Span::default(),
        ))?;
        Proof::read(params, query, forms, bytes)
    }

    fn points<'p>(proof: &'p Proof<'_>) -> &'p [Encoded<'p>] {
        &proof.points
    }

    fn check(
        params: &Params,
        root: &StateRoot,
        query: &Query,
        proof: &Proof<'_>,
        todo: &mut Equations<Bn254>,
        observer: &mut impl Observer,
    ) -> Result<Fact, VerifyError> {
        verify::check(params, root, query, proof, todo, observer)
    }
}
