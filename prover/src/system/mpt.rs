//! `mpt`: Ethereum's secure account trie and one secure storage trie per account.
//!
//! Account leaf = RLP `[nonce, balance, storageRoot, codeHash]` under keccak(address); slot leaf =
//! RLP of the minimal integer under keccak(slot). An account that is empty (EIP-161) is not in the
//! trie.

pub mod account;

use redb::{ReadTransaction, ReadableTable, TableDefinition, WriteTransaction};

use crate::chain::writes::{AccountWrite, WriteSet};
use crate::chain::{Address, Slot};
use crate::error::StoreError;
use crate::hash::{Word, keccak256};
use crate::rlp::{self, Item};
use crate::system::System;
use crate::trie::store::{ACCOUNTS, Bytes, JournalTable, NodeTable, View, Writer, prune};
use crate::trie::{self, Trie, Walk};
use account::Account;

/// Name of this system in headers.
pub const NAME: &str = "mpt";

const NODES: NodeTable = TableDefinition::new("mpt/nodes");
const JOURNAL: JournalTable = TableDefinition::new("mpt/journal");
/// Code by hash. Never pruned: it is shared between accounts and blocks, and written once.
const CODE: TableDefinition<'static, Bytes, Bytes> = TableDefinition::new("mpt/code");

/// The system.
#[derive(Clone, Copy, Debug)]
pub struct Mpt {
    window: u64,
}

impl Mpt {
    /// Keeps the newest `window` blocks provable.
    pub fn new(window: u64) -> Self {
        Self { window: window.max(1) }
    }
}

impl System for Mpt {
    fn name(&self) -> &'static str {
        NAME
    }

    fn format(&self) -> &'static str {
        "mpt/1"
    }

    fn params_digest(&self) -> Option<Word> {
        None
    }

    fn window(&self) -> u64 {
        self.window
    }

    fn commit(
        &self,
        transaction: &WriteTransaction,
        block: u64,
        writes: &WriteSet,
    ) -> Result<Vec<u8>, StoreError> {
        let mut nodes = transaction.open_table(NODES)?;
        let mut code = transaction.open_table(CODE)?;
        let mut tries = Writer::new(&mut nodes, block);
        let mut accounts = Vec::new();
        for address in writes.touched() {
            let key = keccak256(&address);
            let walk = trie::prove(&tries.before(ACCOUNTS), &key)?;
            let mut account = account_of(&walk)?.unwrap_or_default();
            if let Some(storage_root) = update_storage(&mut tries, &key, &address, writes)? {
                account.storage_root = storage_root;
            }
            if let Some(AccountWrite { nonce, balance, code: new_code }) =
                writes.accounts.get(&address)
            {
                (account.nonce, account.balance) = (*nonce, *balance);
                if let Some(bytes) = new_code {
                    account.code_hash = keccak256(bytes);
                    code.insert(account.code_hash.as_slice(), bytes.as_slice())?;
                }
            }
            accounts.push((key, account));
        }
        let before = tries.before(ACCOUNTS);
        let mut account_trie = Trie::open(&before)?;
        for (key, account) in accounts {
            account_trie
                .set(&key, if account.is_empty() { Vec::new() } else { account.encode() })?;
        }
        let changes = account_trie.finish();
        let root = changes.root;
        tries.apply(ACCOUNTS, &changes)?;
        let written = tries.finish();

        let mut journal = transaction.open_table(JOURNAL)?;
        journal.insert(block, written.as_slice())?;
        // Block `oldest` is the last of the window from now on: nobody can ask for what it
        // replaced.
        if let Some(oldest) = (block + 1).checked_sub(self.window) {
            prune(&mut nodes, &mut journal, oldest)?;
        }
        Ok(root.to_vec())
    }
}

fn update_storage(
    tries: &mut Writer<'_, '_>,
    key: &Word,
    address: &Address,
    writes: &WriteSet,
) -> Result<Option<Word>, StoreError> {
    let mut slots = writes.slots.range((*address, [0; 32])..=(*address, [0xff; 32])).peekable();
    if slots.peek().is_none() {
        return Ok(None);
    }
    let before = tries.before(*key);
    let mut storage = Trie::open(&before)?;
    for ((_, slot), value) in slots {
        let cleared = *value == [0; 32];
        storage.set(
            &keccak256(slot),
            if cleared { Vec::new() } else { Item::uint_bytes(value).encode() },
        )?;
    }
    let changes = storage.finish();
    tries.apply(*key, &changes)?;
    Ok(Some(changes.root))
}

fn account_of(walk: &Walk) -> Result<Option<Account>, StoreError> {
    let decode = |leaf: &Vec<u8>| {
        Account::decode(leaf).ok_or(StoreError::Corrupt("an account leaf is no account"))
    };
    walk.value.as_ref().map(decode).transpose()
}

fn value_of(walk: &Walk) -> Result<Word, StoreError> {
    let Some(leaf) = &walk.value else { return Ok([0; 32]) };
    let corrupt = StoreError::Corrupt("a slot leaf is no integer");
    let Ok(Item::Bytes(bytes)) = rlp::decode(leaf) else { return Err(corrupt) };
    let start = 32_usize.checked_sub(bytes.len()).ok_or(corrupt)?;
    let mut value = [0; 32];
    value[start..].copy_from_slice(&bytes);
    Ok(value)
}

/// The state after one block.
#[derive(Debug)]
pub struct State<N, C> {
    nodes: N,
    code: C,
    block: u64,
}

/// An account or its absence, with the nodes that prove it.
#[derive(Clone, Debug)]
pub struct AccountProof {
    /// `None` if there is no such account.
    pub account: Option<Account>,
    /// RLP of the account trie's nodes from the root down.
    pub nodes: Vec<Vec<u8>>,
}

/// A slot's value with the nodes that prove it.
#[derive(Clone, Debug)]
pub struct SlotProof {
    /// 32 zero bytes if the slot is absent.
    pub value: Word,
    /// RLP of the storage trie's nodes from the root down; empty if the account has no storage.
    pub nodes: Vec<Vec<u8>>,
}

/// State tables of a read transaction.
pub type ReadState = State<redb::ReadOnlyTable<Bytes, Bytes>, redb::ReadOnlyTable<Bytes, Bytes>>;

/// State tables of a block's own transaction.
pub type WriteState<'t> = State<redb::Table<'t, Bytes, Bytes>, redb::Table<'t, Bytes, Bytes>>;

/// Opens the state after `block`, which must lie in the window.
///
/// # Errors
/// [`StoreError`] if the tables cannot be opened.
pub fn state_at(transaction: &ReadTransaction, block: u64) -> Result<ReadState, StoreError> {
    Ok(State { nodes: transaction.open_table(NODES)?, code: transaction.open_table(CODE)?, block })
}

/// Opens the newest state inside a block's own transaction, before that block writes.
///
/// # Errors
/// [`StoreError`] if the tables cannot be opened.
pub fn state_before(
    transaction: &WriteTransaction,
    block: u64,
) -> Result<WriteState<'_>, StoreError> {
    let block = block.saturating_sub(1);
    Ok(State { nodes: transaction.open_table(NODES)?, code: transaction.open_table(CODE)?, block })
}

impl<N: ReadableTable<Bytes, Bytes>, C: ReadableTable<Bytes, Bytes>> State<N, C> {
    /// Proves an account.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn account(&self, address: &Address) -> Result<AccountProof, StoreError> {
        let walk = trie::prove(&View::new(&self.nodes, ACCOUNTS, self.block), &keccak256(address))?;
        Ok(AccountProof { account: account_of(&walk)?, nodes: walk.nodes })
    }

    /// Proves a slot.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn slot(&self, address: &Address, slot: &Slot) -> Result<SlotProof, StoreError> {
        let walk =
            trie::prove(&View::new(&self.nodes, keccak256(address), self.block), &keccak256(slot))?;
        Ok(SlotProof { value: value_of(&walk)?, nodes: walk.nodes })
    }

    /// The code with this hash; empty if there is none.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn code(&self, hash: &Word) -> Result<Vec<u8>, StoreError> {
        Ok(self.code.get(hash.as_slice())?.map(|code| code.value().to_vec()).unwrap_or_default())
    }
}
