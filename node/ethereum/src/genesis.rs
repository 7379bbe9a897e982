//! geth's `genesis.json`: the configuration of a chain and the state of its block 0.
//!
//! Unknown keys are refused. A fork that is not known has rules that are not known, and a chain
//! that is executed by the wrong rules comes to a stop at a block that nobody can explain.

mod config;

use std::collections::BTreeMap;
use std::fmt::Display;

use alloy_consensus::constants::EMPTY_WITHDRAWALS;
use alloy_consensus::proofs::state_root_unhashed;
use alloy_consensus::{EMPTY_OMMER_ROOT_HASH, Header};
use alloy_eips::eip7685::EMPTY_REQUESTS_HASH;
use alloy_genesis::GenesisAccount;
use alloy_primitives::{Address, B64, B256, Bytes, KECCAK256_EMPTY, U64, U256, keccak256};
use alloy_trie::EMPTY_ROOT_HASH;
use serde::Deserialize;

use crate::chain::Chain;
use crate::rules::MIN_GAS_LIMIT;
use crate::state::{Account, Changes};

/// Why a chain cannot be followed from its `genesis.json`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenesisError {
    /// Not the JSON of a genesis file, or with a key that is not known.
    #[error("the genesis file cannot be read: {0}")]
    Json(String),
    /// A value that no chain can be followed with.
    #[error("genesis file, {key}: expected {expected}, found {found}")]
    Value {
        /// The key of the value.
        key: &'static str,
        /// What it must be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
}

/// Where a chain begins.
#[derive(Clone, Debug)]
pub struct Genesis {
    /// The rules by time.
    pub chain: Chain,
    /// The header of block 0.
    pub header: Header,
    /// The hash of block 0.
    pub hash: B256,
    /// The state of block 0, as changes to an empty one.
    pub state: Changes,
}

/// The file. `deny_unknown_fields` is the check.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct File {
    config: config::Config,
    #[serde(default)]
    nonce: U64,
    #[serde(default)]
    timestamp: U64,
    #[serde(default)]
    extra_data: Bytes,
    gas_limit: U64,
    #[serde(default)]
    difficulty: U256,
    #[serde(default)]
    mix_hash: B256,
    #[serde(default)]
    coinbase: Address,
    alloc: BTreeMap<Address, GenesisAccount>,
    #[serde(default)]
    number: U64,
    #[serde(default)]
    gas_used: U64,
    #[serde(default)]
    parent_hash: B256,
    base_fee_per_gas: Option<U64>,
    excess_blob_gas: Option<U64>,
    blob_gas_used: Option<U64>,
    slot_number: Option<U64>,
}

impl Genesis {
    /// Reads the file.
    ///
    /// # Errors
    /// [`GenesisError`] names the key that is not known, or whose value cannot be followed.
    pub fn parse(json: &[u8]) -> Result<Self, GenesisError> {
        let file: File =
            serde_json::from_slice(json).map_err(|error| GenesisError::Json(error.to_string()))?;
        let timestamp = file.timestamp.to();
        let chain = file.config.chain(timestamp)?;
        file.check()?;
        let header = file.header(&chain);
        let state = state(file.alloc)?;
        Ok(Self { hash: header.hash_slow(), chain, header, state })
    }
}

pub(crate) fn refuse(
    key: &'static str,
    expected: &'static str,
    found: &dyn Display,
) -> GenesisError {
    GenesisError::Value { key, expected, found: found.to_string() }
}

/// Initial price of gas (EIP-1559).
const INITIAL_BASE_FEE: u64 = 1_000_000_000;
/// What geth writes for a limit of zero.
const DEFAULT_GAS_LIMIT: u64 = 4_712_388;
/// Larger ones come from no chain, and the sum with a block's own must not overflow.
const MAX_BLOB_GAS: u64 = 1 << 48;

impl File {
    fn gas_limit(&self) -> u64 {
        if self.gas_limit.is_zero() { DEFAULT_GAS_LIMIT } else { self.gas_limit.to() }
    }

    fn check(&self) -> Result<(), GenesisError> {
        if !self.number.is_zero() {
            return Err(refuse("number", "0", &self.number));
        }
        if let Some(slot) = self.slot_number {
            return Err(refuse("slotNumber", "nothing: a field of Amsterdam", &slot));
        }
        if !(MIN_GAS_LIMIT..1 << 63).contains(&self.gas_limit()) {
            return Err(refuse("gasLimit", "from 5000 to 2^63 - 1", &self.gas_limit));
        }
        let blob_gas =
            [("excessBlobGas", self.excess_blob_gas), ("blobGasUsed", self.blob_gas_used)];
        for (key, value) in blob_gas {
            if let Some(value) = value.filter(|value| value.to::<u64>() > MAX_BLOB_GAS) {
                return Err(refuse(key, "at most 2^48", &value));
            }
        }
        Ok(())
    }

    fn header(&self, chain: &Chain) -> Header {
        let timestamp = self.timestamp.to();
        Header {
            parent_hash: self.parent_hash,
            ommers_hash: EMPTY_OMMER_ROOT_HASH,
            beneficiary: self.coinbase,
            state_root: state_root_unhashed(self.alloc.clone()),
            transactions_root: EMPTY_ROOT_HASH,
            receipts_root: EMPTY_ROOT_HASH,
            difficulty: self.difficulty,
            gas_limit: self.gas_limit(),
            gas_used: self.gas_used.to(),
            timestamp,
            extra_data: self.extra_data.clone(),
            mix_hash: self.mix_hash,
            nonce: B64::from(self.nonce.to_be_bytes::<8>()),
            base_fee_per_gas: Some(
                self.base_fee_per_gas.map_or(INITIAL_BASE_FEE, |price| price.to()),
            ),
            withdrawals_root: Some(EMPTY_WITHDRAWALS),
            blob_gas_used: Some(self.blob_gas_used.unwrap_or_default().to()),
            excess_blob_gas: Some(self.excess_blob_gas.unwrap_or_default().to()),
            parent_beacon_block_root: Some(B256::ZERO),
            requests_hash: chain.is_prague(timestamp).then_some(EMPTY_REQUESTS_HASH),
            ..Header::default()
        }
    }
}

fn state(alloc: BTreeMap<Address, GenesisAccount>) -> Result<Changes, GenesisError> {
    let mut changes = Changes::default();
    for (address, account) in alloc {
        let mut code_hash = KECCAK256_EMPTY;
        if let Some(code) = account.code.filter(|code| !code.is_empty()) {
            if revm::bytecode::Bytecode::new_raw_checked(code.clone()).is_err() {
                let expected = "code or a delegation of 23 bytes (EIP-7702)";
                return Err(refuse("alloc", expected, &format!("{code} at {address}")));
            }
            code_hash = keccak256(&code);
            changes.codes.insert(code_hash, code);
        }
        let nonce = account.nonce.unwrap_or_default();
        let fields = Account { nonce, balance: account.balance, code_hash };
        changes.accounts.insert(address, Some(fields));
        let storage = account.storage.unwrap_or_default().into_iter();
        changes.slots.extend(
            storage
                .map(|(slot, value)| ((address, slot), U256::from_be_bytes(value.0)))
                .filter(|(_, value)| !value.is_zero()),
        );
    }
    Ok(changes)
}
