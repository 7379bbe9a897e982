//! What a block holds beside state: transactions, receipts, withdrawals, and the logs that match a
//! filter.
//!
//! Bytes, checks and their reasons: `spec/systems/body.md`.
//!
//! An Ethereum header commits to each by the root of a trie over the whole list. So a proof is the
//! list, and whatever is proven of one item is proven with all others at hand: nothing can be left
//! out, moved or exchanged.

mod bloom;
mod check;
mod fact;
mod filter;
mod proof;
mod query;
mod receipt;
mod transaction;
mod withdrawal;

pub use bloom::{BLOOM_BYTES, Bloom};
pub use fact::{Fact, LogFact, ReceiptFact, TransactionFact};
pub use filter::Filter;
pub use proof::Proof;
pub use query::{MAX_ITEMS, Query};
pub use receipt::{Log, Outcome, Receipt};
pub use transaction::{Access, Authorization, Blobs, Fee, Signature, Transaction, Uint};
pub use withdrawal::Withdrawal;

use crate::error::{DecodeError, InputError, Malformed, Span, VerifyError};
use crate::hash::Hash;
use crate::header::TrustedHeader;
use crate::observer::Observer;
use crate::system::{System, SystemConfig};
use crate::wire::{Reader, Uint256};

/// The statements about a block's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {}

/// The one format: Ethereum's tries over lists, of every fork with a Merkle Patricia Trie.
pub const FORMAT: &str = "body/1";

/// The one variant: whole lists.
pub const VARIANT: &str = "plain";

/// What a header says of its block's body: RLP `[transactionsRoot, receiptsRoot, logsBloom]`, then,
/// as forks appended them, `baseFeePerGas` and `withdrawalsRoot`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    pub(super) transactions: Hash,
    pub(super) receipts: Hash,
    pub(super) bloom: Bloom,
    pub(super) base_fee: Option<Uint256>,
    pub(super) withdrawals: Option<Hash>,
}

impl Root {
    fn read(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut items = Reader::whole_list(bytes, 0, "body")?;
        let optional = |items: &Reader<'_>| !items.is_empty();
        let root = Self {
            transactions: items.hash("transactionsRoot")?,
            receipts: items.hash("receiptsRoot")?,
            bloom: Bloom(items.array("logsBloom")?),
            base_fee: optional(&items).then(|| items.uint256("baseFeePerGas")).transpose()?,
            withdrawals: optional(&items).then(|| items.hash("withdrawalsRoot")).transpose()?,
        };
        items.finish("body")?;
        Ok(root)
    }
}

impl System for Body {
    const NAME: &'static str = "body";
    type Params = ();
    type Root = Root;
    type Query = Query;
    type Proof<'a> = Proof<'a>;
    type Fact = Fact;
    type Equations = ();

    fn params(config: &SystemConfig<'_>, bytes: &[u8]) -> Result<(), InputError> {
        if config.format != FORMAT.as_bytes() {
            return Err(InputError::Config("unknown format; body has body/1"));
        }
        if config.params_digest.is_some() || !bytes.is_empty() {
            return Err(InputError::Params("body has no public parameters"));
        }
        Ok(())
    }

    fn committed(header: &TrustedHeader) -> Option<&[u8]> {
        header.body()
    }

    fn root((): &(), bytes: &[u8], _number: u64) -> Result<Root, DecodeError> {
        Root::read(bytes)
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
        if variant != VARIANT {
            let reason = "body has one variant, plain";
            return Err(Malformed::Variant.at("variant", reason, Span::default()));
        }
        Proof::from_rlp(query, bytes)
    }

    fn check(
        (): &(),
        root: &Root,
        query: &Query,
        proof: &Proof<'_>,
        (): &mut (),
        observer: &mut impl Observer,
    ) -> Result<Fact, VerifyError> {
        check::check(root, query, proof, observer)
    }
}
