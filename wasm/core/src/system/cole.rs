//! `cole`: every version of an address between two blocks, with nothing left out; its latest value,
//! or its value as of a block, or that it was never written.
//!
//! COLE keeps compound keys `address ‖ block` in a few sources: an in-memory B+-tree (two for
//! COLE\*) and sorted runs on disk. A block commits to all of them in one hash, `H_state`. Each
//! source covers blocks of its own, newest source first, so a proof opens the sources that can
//! matter: one run of neighbouring entries in each, bounded by an entry before and after the
//! queried range, or by the source's edge.
//!
//! Bytes of commitments, parameters and queries: `spec/systems/cole.md`, section 2; of proofs:
//! sections 5 and 6. Two formats: `cole/1`, whose hashes bind everything that a proof depends on,
//! and `cole/fast24`, the digests of the paper's authors, which bind neither the system nor the
//! fanout: the configuration pins them as [`Params`].
//!
//! Source: COLE, FAST 2024. Where the paper's verifier is unsound or incomplete, the checks here
//! are stricter; the module of each format says how.

mod fact;
mod fast24;
mod key;
mod one;
mod params;
mod query;

pub use fact::{Fact, History, Predecessor, Version};
pub use key::{ADDRESS_BYTES, Address};
pub use params::{Format, Kind, Params};
pub use query::{Mode, Query};

use crate::error::{DecodeError, InputError, Malformed, Span, VerifyError};
use crate::hash::Hash;
use crate::observer::Observer;
use crate::system::{System, SystemConfig};
use crate::wire::Reader;

/// The system `cole`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cole {}

/// The one variant.
pub const VARIANT: &str = "plain";

/// What a block commits to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateRoot {
    /// `H_state`.
    digest: Hash,
    /// The block's number. Keys hold it in 4 bytes.
    height: u32,
}

/// A proof of the configured format, decoded and not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<'a>(Formatted<'a>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Formatted<'a> {
    One(one::Proof<'a>),
    Fast24(fast24::Proof<'a>),
}

impl System for Cole {
    const NAME: &'static str = "cole";
    type Params = Params;
    type Root = StateRoot;
    type Query = Query;
    type Proof<'a> = Proof<'a>;
    type Fact = Fact;
    type Equations = ();

    fn params(config: &SystemConfig<'_>, bytes: &[u8]) -> Result<Params, InputError> {
        Params::pinned(config, bytes)
    }

    fn root(_params: &Params, bytes: &[u8], number: u64) -> Result<StateRoot, DecodeError> {
        let error =
            |reason| Malformed::Shape.at("H_state", reason, Span { start: 0, end: bytes.len() });
        let digest = Hash(bytes.try_into().map_err(|_| error("H_state has 32 bytes"))?);
        let height = number.try_into().map_err(|_| error("block numbers have 4 bytes"))?;
        Ok(StateRoot { digest, height })
    }

    fn query(params: &Params, rlp: &[u8]) -> Result<Query, InputError> {
        Query::from_rlp(*params, rlp)
    }

    fn decode<'a>(
        params: &Params,
        _query: &Query,
        variant: &str,
        bytes: &'a [u8],
    ) -> Result<Proof<'a>, DecodeError> {
        if variant != VARIANT {
            let (field, reason) = ("variant", "cole has one variant, plain");
            let malformed = Malformed::Variant;
            return Err(malformed.at(field, reason, Span::default()));
        }
        let items = Reader::whole_list(bytes, 0, "proof")?;
        Ok(Proof(match params.format {
            Format::One => Formatted::One(one::Proof::read(*params, items)?),
            Format::Fast24 => Formatted::Fast24(fast24::Proof::read(*params, items)?),
        }))
    }

    fn check(
        params: &Params,
        root: &StateRoot,
        query: &Query,
        proof: &Proof<'_>,
        (): &mut (),
        observer: &mut impl Observer,
    ) -> Result<Fact, VerifyError> {
        if query.mode == Mode::Range && query.from > root.height {
            // Nothing would be opened, and an empty history proven of blocks that the root does not
            // know.
            let field = "first block: it comes after the root's";
            return Err(VerifyError::Query { field, span: Span::default() });
        }
        match &proof.0 {
            Formatted::One(proof) => one::check(*params, root, query, proof, observer),
            Formatted::Fast24(proof) => fast24::check(*params, root, query, proof, observer),
        }
    }
}
