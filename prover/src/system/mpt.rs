//! `mpt`: Ethereum's secure account trie and one secure storage trie per account.
//!
//! Account leaf = RLP `[nonce, balance, storageRoot, codeHash]` under keccak(address); slot leaf =
//! RLP of the minimal integer under keccak(slot). An account that is empty (EIP-161) is not in the
//! trie.

pub mod account;

use std::ops::RangeInclusive;
use std::path::Path;

use crate::chain::state::AccountState;
use crate::chain::writes::{AccountWrite, WriteSet};
use crate::chain::{Address, Slot};
use crate::error::StoreError;
use crate::hash::{EMPTY_CODE_HASH, EMPTY_ROOT, Word, keccak256};
use crate::hex;
use crate::rlp::{self, Item};
use crate::store::versions::{ACCOUNTS, AHEAD, TrieId, View, Writer, prune, way};
use crate::store::{Read, Store, Table, Write};
use crate::system::{Configuration, Spec, System};
use crate::trie::nibbles::{Nibbles, unpack};
use crate::trie::node::Node;
use crate::trie::{self, NodeSource as _, Trie, Walk};
use account::Account;

/// Name of this system in headers.
pub const NAME: &str = "mpt";

const NODES: Table = Table("mpt/nodes");
const JOURNAL: Table = Table("mpt/journal");
/// Code by hash. Never pruned: it is shared between accounts and blocks, and written once.
const CODE: Table = Table("mpt/code");

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

/// What the system is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Newest blocks that stay provable, at least 1.
    pub window: u64,
}

impl Configuration for Config {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Vec<(&'static str, u64)> {
        // Its window is the chain's.
        vec![]
    }

    fn make(&self, _: Option<&Path>, _: &dyn Store) -> Box<dyn System> {
        Box::new(Mpt::new(self.window))
    }
}

impl System for Mpt {
    fn spec(&self) -> Spec {
        Spec { method: "eth_getProof", ..Spec::new(NAME, "mpt/1", self.window) }
    }

    fn commit(
        &self,
        batch: &mut dyn Write,
        block: u64,
        writes: &WriteSet,
    ) -> Result<Vec<u8>, StoreError> {
        for (hash, bytes) in writes.codes() {
            batch.put(CODE, hash, bytes)?;
        }
        let mut tries = Writer::new(batch, NODES, block);
        let touched: Vec<_> =
            writes.touched().map(|address| (address, keccak256(&address))).collect();
        read_ahead(&mut tries, &touched, writes)?;
        let mut accounts = Vec::new();
        for (address, key) in touched {
            let walk = trie::prove(&tries.before(ACCOUNTS), &key)?;
            let mut account = account_of(&walk)?.unwrap_or_default();
            if let Some(storage_root) = update_storage(&mut tries, &key, &address, writes)? {
                account.storage_root = storage_root;
            }
            if let Some(write) = writes.accounts.get(&address) {
                check(&address, *write, &account, tries.batch())?;
                account = written(account, *write);
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
        tries.finish(JOURNAL, block)?;

        // Block `oldest` is the last of the window from now on: nobody can ask for what it
        // replaced.
        if let Some(oldest) = (block + 1).checked_sub(self.window) {
            prune(batch, NODES, JOURNAL, oldest)?;
        }
        Ok(root.to_vec())
    }
}

/// Refuses a write that would leave slots without an account, or an account without its code. The
/// account has the block's storage root already.
fn check(
    address: &Address,
    write: AccountWrite,
    account: &Account,
    store: &dyn Read,
) -> Result<(), StoreError> {
    let account_name = hex::encode(address);
    match write {
        AccountWrite::Deleted if account.storage_root != EMPTY_ROOT => {
            Err(StoreError::Block(format!(
                "account {account_name} is deleted but still has slots; clear each of them first"
            )))
        }
        AccountWrite::Set { code_hash: Some(hash), .. }
            if hash != EMPTY_CODE_HASH && store.get(CODE, &hash)?.is_none() =>
        {
            let hash = hex::encode(&hash);
            Err(StoreError::Block(format!(
                "account {account_name} has code {hash}, which no block holds"
            )))
        }
        _ => Ok(()),
    }
}

/// An account after a write to it.
fn written(account: Account, write: AccountWrite) -> Account {
    match write {
        AccountWrite::Set { nonce, balance, code_hash } => {
            Account { nonce, balance, code_hash: code_hash.unwrap_or(account.code_hash), ..account }
        }
        AccountWrite::Deleted => {
            Account { storage_root: account.storage_root, ..Account::default() }
        }
    }
}

/// Reads the ways to all that a block touches, if the store is far away: those to the accounts with
/// the roots of their storage tries, then what of those tries lies below. Most of them are small.
fn read_ahead(
    tries: &mut Writer<'_>,
    touched: &[(Address, Word)],
    writes: &WriteSet,
) -> Result<(), StoreError> {
    if !tries.batch().is_far() {
        return Ok(());
    }
    let accounts: Vec<_> = touched.iter().map(|(_, key)| unpack(key)).collect();
    let accounts = accounts.iter().flat_map(|key| way(ACCOUNTS, key, 0..=AHEAD));
    let slots = touched.iter().flat_map(|(address, trie)| {
        slots_of(address, writes).map(|((_, slot), _)| (*trie, unpack(&keccak256(slot))))
    });
    let mut slots: Vec<(TrieId, Nibbles)> = slots.collect();
    let at = |slots: &[(TrieId, Nibbles)], depths: RangeInclusive<usize>| {
        let ways = slots.iter().flat_map(|(trie, slot)| way(*trie, slot, depths.clone()));
        ways.collect::<Vec<_>>()
    };
    let roots = at(&slots, 0..=0);
    tries.expect(accounts.chain(roots))?;
    for depths in [1..=2, 3..=AHEAD] {
        let above = depths.start() - 1;
        let mut below = Vec::new();
        for (trie, slot) in slots {
            // A leaf has nothing below it.
            let node = tries.before(trie).node(&slot[..above])?;
            let node = node.as_deref().and_then(Node::decode);
            if matches!(node, Some(Node::Branch { .. } | Node::Extension { .. })) {
                below.push((trie, slot));
            }
        }
        slots = below;
        tries.expect(at(&slots, depths).into_iter())?;
    }
    Ok(())
}

/// What a block writes to the slots of an account.
fn slots_of<'w>(
    address: &Address,
    writes: &'w WriteSet,
) -> impl Iterator<Item = (&'w (Address, Slot), &'w Word)> {
    writes.slots.range((*address, [0; 32])..=(*address, [0xff; 32]))
}

fn update_storage(
    tries: &mut Writer<'_>,
    key: &Word,
    address: &Address,
    writes: &WriteSet,
) -> Result<Option<Word>, StoreError> {
    let mut slots = slots_of(address, writes).peekable();
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
    let value = rlp::decode(leaf).ok().and_then(|item| item.as_word());
    value.ok_or(StoreError::Corrupt("a slot leaf is no integer"))
}

/// The state after one block.
#[derive(Clone, Copy, Debug)]
pub struct State<'r> {
    store: &'r dyn Read,
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

impl<'r> State<'r> {
    /// The state after `block`, which must lie in the window, or be the newest one.
    pub fn after(store: &'r dyn Read, block: u64) -> Self {
        Self { store, block }
    }

    /// Proves an account.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn account(&self, address: &Address) -> Result<AccountProof, StoreError> {
        let walk =
            trie::prove(&View::new(self.store, NODES, ACCOUNTS, self.block), &keccak256(address))?;
        Ok(AccountProof { account: account_of(&walk)?, nodes: walk.nodes })
    }

    /// Proves a slot.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn slot(&self, address: &Address, slot: &Slot) -> Result<SlotProof, StoreError> {
        let walk = trie::prove(
            &View::new(self.store, NODES, keccak256(address), self.block),
            &keccak256(slot),
        )?;
        Ok(SlotProof { value: value_of(&walk)?, nodes: walk.nodes })
    }

    /// The fields of an account; `None` if there is none.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn fields(&self, address: &Address) -> Result<Option<AccountState>, StoreError> {
        let fields =
            |Account { nonce, balance, code_hash, .. }| AccountState { nonce, balance, code_hash };
        Ok(self.account(address)?.account.map(fields))
    }

    /// The code with this hash.
    ///
    /// # Errors
    /// [`StoreError`] if there is none, or the database fails.
    pub fn code(&self, hash: &Word) -> Result<Vec<u8>, StoreError> {
        if *hash == EMPTY_CODE_HASH {
            return Ok(Vec::new());
        }
        let code = self.store.get(CODE, hash)?.map(|code| code.to_vec());
        code.ok_or(StoreError::Corrupt("an account's code is missing"))
    }
}
