//! A state to begin with in place of block 0: the header of a block, and the accounts after it, a
//! line each, as `geth dump --iterative` prints them.
//!
//! Nothing of it is trusted but the choice of the header: every account's code and storage are held
//! against the hashes beside them, and all accounts against the header's state root. A dump leaves
//! out slots whose preimage the node does not have, so what is missing is named.

use std::collections::BTreeMap;
use std::io::BufRead;

use alloy_consensus::Header;
use alloy_primitives::{Address, B256, Bytes, KECCAK256_EMPTY, U256, hex, keccak256};
use alloy_rlp::Decodable as _;
use alloy_trie::TrieAccount;
use alloy_trie::root::{state_root_unsorted, storage_root_unsorted};
use serde::Deserialize;

use crate::state::{Account, Changes};

/// Why no chain can begin with a state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// Not the RLP of a header, or not of one that a chain can begin with.
    #[error("the header of the state: {0}")]
    Header(String),
    /// The file cannot be read, or a line of it is no account.
    #[error("line {line} of the state: {reason}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// Slots or accounts are missing, too many or changed.
    #[error(
        "the state is not that of block {number}: {what}: expected {expected}, found {found}; a \
         dump is whole only from a node that ran with --cache.preimages from its first block on"
    )]
    Root {
        /// The block.
        number: u64,
        /// Which root.
        what: String,
        /// What the header or the account says.
        expected: B256,
        /// What the lines come to.
        found: B256,
    },
}

/// Where a chain begins, if not with its block 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The header of the block.
    pub header: Header,
    /// The hash of the block.
    pub hash: B256,
    /// The state after it, as changes to an empty one.
    pub state: Changes,
}

/// A line. The first one holds the root alone.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Line {
    root: Bytes,
    balance: Option<String>,
    nonce: Option<u64>,
    code_hash: Option<B256>,
    #[serde(default)]
    code: Bytes,
    /// Values are hex digits without a prefix, leading zeros left out.
    #[serde(default)]
    storage: BTreeMap<B256, String>,
    address: Option<Address>,
    key: Option<Bytes>,
}

impl Snapshot {
    /// Reads a header and the state after its block.
    ///
    /// * `header`: RLP, as bytes or as hex digits.
    /// * `state`: the lines of a dump, in any order.
    ///
    /// # Errors
    /// [`SnapshotError`] names the line, or the root that the lines do not come to.
    pub fn read(header: &[u8], state: impl BufRead) -> Result<Self, SnapshotError> {
        let header = decode(header).map_err(SnapshotError::Header)?;
        let number = header.number;
        let mut accounts = Vec::new();
        let mut changes = Changes::default();
        for (line, text) in (1..).zip(state.lines()) {
            let wrong = |reason: String| SnapshotError::Line { line, reason };
            let text = text.map_err(|error| wrong(error.to_string()))?;
            if text.trim().is_empty() {
                continue;
            }
            let parsed: Line =
                serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
            if line == 1 && parsed.balance.is_none() && parsed.address.is_none() {
                continue;
            }
            let (address, storage_root) = parsed.take(&mut changes).map_err(wrong)?;
            let first = (address, B256::ZERO);
            let last = (address, B256::repeat_byte(0xff));
            let slots = changes.slots.range(first..=last);
            let found =
                storage_root_unsorted(slots.map(|((_, slot), value)| (keccak256(slot), *value)));
            if found != storage_root {
                let what = format!("storageRoot of {address}");
                return Err(SnapshotError::Root { number, what, expected: storage_root, found });
            }
            accounts.push((address, storage_root));
        }
        let fields = |address: &Address| changes.accounts.get(address).copied().flatten();
        let found = state_root_unsorted(accounts.into_iter().map(|(address, storage_root)| {
            let Account { nonce, balance, code_hash } = fields(&address).unwrap_or_default();
            (keccak256(address), TrieAccount { nonce, balance, storage_root, code_hash })
        }));
        if found != header.state_root {
            let (what, expected) = ("stateRoot".to_owned(), header.state_root);
            return Err(SnapshotError::Root { number, what, expected, found });
        }
        Ok(Self { hash: header.hash_slow(), header, state: changes })
    }
}

impl Line {
    /// Adds an account to a state; its address and storage root.
    fn take(self, changes: &mut Changes) -> Result<(Address, B256), String> {
        let key = self.key.map_or_else(String::new, |key| format!(" with key {key}"));
        let Some(address) = self.address else {
            return Err(format!(
                "an account{key} without its address: the node has no preimages; it needs \
                 --cache.preimages from its first block on"
            ));
        };
        let missing = |name: &str| format!("{address}: no {name}");
        let balance = self.balance.ok_or_else(|| missing("balance"))?;
        let balance = U256::from_str_radix(&balance, 10);
        let balance = balance.map_err(|error| format!("{address}: balance: {error}"))?;
        let nonce = self.nonce.ok_or_else(|| missing("nonce"))?;
        let code_hash = self.code_hash.ok_or_else(|| missing("codeHash"))?;
        let storage_root = B256::try_from(self.root.as_ref());
        let storage_root = storage_root.map_err(|_| format!("{address}: root: not 32 bytes"))?;
        if keccak256(&self.code) != code_hash {
            return Err(format!("{address}: the code does not hash to codeHash {code_hash}"));
        }
        let account = Account { nonce, balance, code_hash };
        if account == Account::default() {
            return Err(format!("{address}: no nonce, no balance and no code"));
        }
        if code_hash != KECCAK256_EMPTY {
            if revm::bytecode::Bytecode::new_raw_checked(self.code.clone()).is_err() {
                return Err(format!("{address}: no code and no delegation (EIP-7702)"));
            }
            changes.codes.insert(code_hash, self.code);
        }
        if changes.accounts.insert(address, Some(account)).is_some() {
            return Err(format!("{address}: a second time"));
        }
        for (slot, value) in self.storage {
            let number = U256::from_str_radix(&value, 16).ok().filter(|value| !value.is_zero());
            let number =
                number.ok_or_else(|| format!("{address}: slot {slot}: value {value:?}"))?;
            changes.slots.insert((address, slot), number);
        }
        Ok((address, storage_root))
    }
}

/// A header from its RLP.
fn decode(bytes: &[u8]) -> Result<Header, String> {
    let text = std::str::from_utf8(bytes).ok().and_then(|text| hex::decode(text.trim()).ok());
    let rlp = text.as_deref().unwrap_or(bytes);
    let mut rest = rlp;
    let header = Header::decode(&mut rest).map_err(|error| format!("not RLP: {error}"))?;
    if !rest.is_empty() {
        return Err(format!("{} bytes too many", rest.len()));
    }
    if header.number == 0 {
        return Err("block 0: its state is that of the genesis file".to_owned());
    }
    Ok(header)
}
