//! What a header must satisfy beside its roots: the executor takes all of it for granted.

use std::fmt::Display;

use alloy_consensus::{EMPTY_OMMER_ROOT_HASH, Header};
use alloy_eips::eip4844::DATA_GAS_PER_BLOB;
use alloy_primitives::{B64, B256, U256};

use crate::block::Block;
use crate::chain::Chain;

/// The least gas that a block may offer.
pub const MIN_GAS_LIMIT: u64 = 5_000;
const MAX_GAS_LIMIT: u64 = (1 << 63) - 1;
/// A block's gas limit moves by less than this part of its parent's.
const GAS_LIMIT_DIVISOR: u64 = 1_024;
const MAX_EXTRA_DATA: usize = 32;
/// Of a block's RLP, from Osaka on (EIP-7934).
pub const MAX_BLOCK_BYTES: usize = 8 << 20;
/// The price of gas stays where blocks use one in so many parts of their gas.
const ELASTICITY: u64 = 2;
/// The price moves by at most this part.
const BASE_FEE_DIVISOR: u128 = 8;

/// A field of a header that is not what it must be. The node stops at such a block.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: expected {expected}, found {found}")]
pub struct Mismatch {
    /// The field's name in JSON-RPC.
    pub field: &'static str,
    /// What follows from the parent, the rules or the execution.
    pub expected: String,
    /// What the block says.
    pub found: String,
}

/// The block that the next one builds on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parent {
    /// Its header.
    pub header: Header,
    /// The header's hash.
    pub hash: B256,
}

/// Checks a block's header and size against its parent and the rules of its time.
///
/// # Errors
/// [`Mismatch`] names the first field that breaks a rule.
pub fn check(chain: &Chain, parent: &Parent, block: &Block) -> Result<(), Mismatch> {
    let (old, new) = (&parent.header, &block.header);
    equal("parentHash", parent.hash, new.parent_hash)?;
    equal("number", u128::from(old.number) + 1, u128::from(new.number))?;
    holds("timestamp", new.timestamp > old.timestamp, new.timestamp, || {
        format!("later than {}", old.timestamp)
    })?;
    constants(block)?;
    gas_limit(old.gas_limit, new)?;
    equal(
        "baseFeePerGas",
        Maybe(Some(next_base_fee(old))),
        Maybe(new.base_fee_per_gas.map(u128::from)),
    )?;
    presence(chain, new)?;
    blob_gas(chain, old, new)?;
    let fits = !chain.is_osaka(new.timestamp) || block.size <= MAX_BLOCK_BYTES;
    holds("size", fits, block.size, || format!("at most {MAX_BLOCK_BYTES} bytes (EIP-7934)"))
}

pub(crate) fn equal<T: PartialEq + Display + Copy>(
    field: &'static str,
    expected: T,
    found: T,
) -> Result<(), Mismatch> {
    holds(field, expected == found, found, || expected.to_string())
}

fn holds(
    field: &'static str,
    rule: bool,
    found: impl Display,
    expected: impl FnOnce() -> String,
) -> Result<(), Mismatch> {
    if rule {
        return Ok(());
    }
    Err(Mismatch { field, expected: expected(), found: found.to_string() })
}

/// A field that a header may lack.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Maybe<T>(pub(crate) Option<T>);

impl<T: Display> Display for Maybe<T> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(out),
            None => out.write_str("nothing"),
        }
    }
}

/// Fields that proof of stake fixes.
fn constants(block: &Block) -> Result<(), Mismatch> {
    let header = &block.header;
    equal("difficulty", U256::ZERO, header.difficulty)?;
    equal("nonce", B64::ZERO, header.nonce)?;
    equal("sha3Uncles", EMPTY_OMMER_ROOT_HASH, header.ommers_hash)?;
    equal("uncles", 0, block.body.ommers.len())?;
    let length = header.extra_data.len();
    holds("extraData", length <= MAX_EXTRA_DATA, format!("{length} bytes"), || {
        format!("at most {MAX_EXTRA_DATA} bytes")
    })
}

fn gas_limit(old: u64, header: &Header) -> Result<(), Mismatch> {
    let new = header.gas_limit;
    let bound = old / GAS_LIMIT_DIVISOR;
    holds("gasLimit", new.abs_diff(old) < bound, new, || {
        format!("less than {bound} from the parent's {old}")
    })?;
    holds("gasLimit", (MIN_GAS_LIMIT..=MAX_GAS_LIMIT).contains(&new), new, || {
        format!("from {MIN_GAS_LIMIT} to {MAX_GAS_LIMIT}")
    })?;
    holds("gasUsed", header.gas_used <= new, header.gas_used, || format!("at most {new}"))
}

/// The price of gas in a block's child (EIP-1559).
pub fn next_base_fee(parent: &Header) -> u128 {
    let target = parent.gas_limit / ELASTICITY;
    let price = u128::from(parent.base_fee_per_gas.unwrap_or_default());
    // At most 2^64 * 2^64, over a target that `MIN_GAS_LIMIT` keeps above zero.
    let change = |gas: u64| price * u128::from(gas) / u128::from(target.max(1)) / BASE_FEE_DIVISOR;
    if parent.gas_used > target {
        price.saturating_add(change(parent.gas_used - target).max(1))
    } else {
        price.saturating_sub(change(target - parent.gas_used))
    }
}

/// Fields that a fork brings.
fn presence(chain: &Chain, header: &Header) -> Result<(), Mismatch> {
    let prague = chain.is_prague(header.timestamp);
    let fields = [
        ("withdrawalsRoot", true, header.withdrawals_root.is_some()),
        ("blobGasUsed", true, header.blob_gas_used.is_some()),
        ("excessBlobGas", true, header.excess_blob_gas.is_some()),
        ("parentBeaconBlockRoot", true, header.parent_beacon_block_root.is_some()),
        ("requestsHash", prague, header.requests_hash.is_some()),
        ("blockAccessListHash", false, header.block_access_list_hash.is_some()),
        ("slotNumber", false, header.slot_number.is_some()),
    ];
    let text = |present| if present { "a value" } else { "nothing" };
    fields.into_iter().try_for_each(|(field, expected, found)| {
        holds(field, expected == found, text(found), || text(expected).to_owned())
    })
}

fn blob_gas(chain: &Chain, old: &Header, new: &Header) -> Result<(), Mismatch> {
    // The child's parameters: a fork changes the price with its first block.
    let params = chain.blob_params(new.timestamp);
    let used = new.blob_gas_used.unwrap_or_default();
    let max = params.max_blob_gas_per_block();
    holds("blobGasUsed", used <= max, used, || format!("at most {max}"))?;
    holds("blobGasUsed", used.is_multiple_of(DATA_GAS_PER_BLOB), used, || {
        format!("a multiple of {DATA_GAS_PER_BLOB}")
    })?;
    let excess = params.next_block_excess_blob_gas_osaka(
        old.excess_blob_gas.unwrap_or_default(),
        old.blob_gas_used.unwrap_or_default(),
        old.base_fee_per_gas.unwrap_or_default(),
    );
    equal("excessBlobGas", Maybe(Some(excess)), Maybe(new.excess_blob_gas))
}
