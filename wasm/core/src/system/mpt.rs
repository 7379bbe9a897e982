//! `mpt`: Ethereum's accounts and storage slots, present or absent, as `eth_getProof` serves them
//! (EIP-1186).
//!
//! Bytes, checks and their reasons: `spec/systems/mpt.md`.
//!
//! The fields that the node claims (nonce, balance, hashes, slot values) travel along and are
//! compared; what a fact holds was read from the leaves.

mod account;
mod fact;
mod proof;
mod query;
mod verify;

pub use account::{Account, EMPTY_CODE_HASH, slot_value};
pub use fact::{Fact, Slot};
pub use proof::Proof;
pub use query::{MAX_SLOTS, Query};

use crate::error::{DecodeError, InputError, VerifyError};
use crate::hash::Hash;
use crate::observer::Observer;
use crate::system::{System, SystemConfig};

/// The system `mpt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mpt {}

/// The one format: keccak, secure tries, RLP.
pub const FORMAT: &str = "mpt/1";

/// The one variant.
pub const VARIANT: &str = "plain";

impl System for Mpt {
    const NAME: &'static str = "mpt";
    type Params = ();
    type Root = Hash;
    type Query = Query;
    type Proof<'a> = Proof<'a>;
    type Fact = Fact;
    type Equations = ();

    fn params(config: &SystemConfig<'_>, bytes: &[u8]) -> Result<(), InputError> {
        if config.format != FORMAT.as_bytes() {
            return Err(InputError::Config("unknown format; mpt has mpt/1"));
        }
        if config.params_digest.is_some() || !bytes.is_empty() {
            return Err(InputError::Params("mpt has no public parameters"));
        }
        Ok(())
    }

    fn root((): &(), bytes: &[u8], _number: u64) -> Result<Hash, DecodeError> {
        proof::root(bytes)
    }

    fn query((): &(), rlp: &[u8]) -> Result<Query, InputError> {
        Query::from_rlp(rlp)
    }

    fn decode<'a>(
        (): &(),
        query: &Query,
        variant: &str,
        bytes: &'a [u8],
    ) -> Result<Proof<'a>, DecodeError> {
        Proof::from_rlp(query, variant, bytes)
    }

    fn check(
        (): &(),
        root: &Hash,
        query: &Query,
        proof: &Proof<'_>,
        (): &mut (),
        observer: &mut impl Observer,
    ) -> Result<Fact, VerifyError> {
        verify::check(*root, query, proof, observer)
    }
}
