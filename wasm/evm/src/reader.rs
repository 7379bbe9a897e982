//! What the engine reads from. What is not proven is not there: the read fails, and the run with
//! it.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::fmt;

use lightproof_core::hash::Hash;
use lightproof_core::system::mpt::Account;
use lightproof_core::trie::EMPTY_ROOT;
use revm::Database;
use revm::bytecode::Bytecode;
use revm::database_interface::DBErrorMarker;
use revm::handler::MainnetContext;
use revm::primitives::{Address, B256, Bytes, KECCAK_EMPTY, U256, address, b256};
use revm::state::AccountInfo;

use crate::answer::Failure;
use crate::block::Block;
use crate::fork::Rules;
use crate::item::Item;
use crate::overlay::{Overlay, info};
use crate::overrides::Overrides;
use crate::state::{Leaf, State};

/// The history contract of EIP-2935, its code's hash, and how many hashes it holds.
const HISTORY: Address = address!("0000f90827f1c53a10cb7a02335b175320002935");
const HISTORY_CODE: B256 =
    b256!("6e49e66782037c0555897870e29fa5e552daf4719552131a0abce779daec0a5d");
const HISTORY_LENGTH: u64 = 8191;

/// Why a read failed. What failed is kept by the reader; the engine hands this back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("stopped")
    }
}

impl core::error::Error for Stopped {}
impl DBErrorMarker for Stopped {}

/// Why a run was stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// At something that is not proven.
    Missing(Item),
    /// The caller's account is read, and was not loaded before the run.
    Caller,
    /// Anything else.
    Failed(Failure),
}

/// What a reader does about an item that is not proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// It stops the run.
    Strict,
    /// It notes the item and gives nothing: the run is thrown away, and only the list is kept.
    Guess,
}

/// Proven codes, made ready to run; shared by the calls of one machine.
pub(crate) type Codes = Vec<(B256, Bytecode)>;

/// What the engine runs in.
pub(crate) type Context<'r> = MainnetContext<Reader<'r>>;

/// Reads for one run.
pub(crate) struct Reader<'r> {
    state: &'r State<'r>,
    block: &'r Block,
    overlay: &'r Overlay,
    overrides: &'r Overrides,
    codes: &'r mut Codes,
    mode: Mode,
    /// Most items that are read.
    most: usize,
    /// Accounts by address, so that each is walked to once.
    accounts: BTreeMap<Address, Leaf<Account>>,
    /// Whose code a hash is: addresses as integers, for maps of these are there anyway.
    owners: BTreeMap<B256, U256>,
    /// An account that may not be read: see [`Stop::Caller`].
    pub(crate) unread: Option<Address>,
    /// An account that has storage and nothing else, and is being created: see EIP-7610.
    pub(crate) taken: Option<Address>,
    /// Why the run was stopped: the first reason.
    pub(crate) stop: Option<Stop>,
    /// What is missing, in the order of the reads.
    pub(crate) missing: Vec<Item>,
    /// The same, to look them up.
    lacking: BTreeSet<Item>,
    /// What was read.
    pub(crate) read: BTreeSet<Item>,
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Reader")
    }
}

impl<'r> Reader<'r> {
    pub(crate) fn new(
        (state, block): (&'r State<'r>, &'r Block),
        (overlay, overrides): (&'r Overlay, &'r Overrides),
        codes: &'r mut Codes,
        mode: Mode,
        most: usize,
    ) -> Self {
        Self {
            state,
            block,
            overlay,
            overrides,
            codes,
            mode,
            most,
            accounts: BTreeMap::new(),
            owners: BTreeMap::new(),
            unread: None,
            taken: None,
            stop: None,
            missing: Vec::new(),
            lacking: BTreeSet::new(),
            read: BTreeSet::new(),
        }
    }

    /// Stops the run. The first reason stays.
    pub(crate) fn fail<T>(&mut self, stop: Stop) -> Result<T, Stopped> {
        self.stop.get_or_insert(stop);
        Err(Stopped)
    }

    /// Something is not proven: `guess` stands for it in a run that is thrown away.
    pub(crate) fn lack<T>(&mut self, item: Item, guess: T) -> Result<T, Stopped> {
        match self.mode {
            Mode::Strict => self.fail(Stop::Missing(item)),
            Mode::Guess => {
                if !self.lacking.contains(&item) {
                    if self.missing.len() >= self.most {
                        return self.fail(Stop::Failed(Failure::Limit("items")));
                    }
                    self.missing.push(item.clone());
                    self.lacking.insert(item);
                }
                Ok(guess)
            }
        }
    }

    /// Notes a read.
    fn note(&mut self, item: Item) -> Result<(), Stopped> {
        if self.read.len() >= self.most && !self.read.contains(&item) {
            return self.fail(Stop::Failed(Failure::Limit("items")));
        }
        self.read.insert(item);
        Ok(())
    }

    /// The proven account, below the overlay; unknown in a guess alone.
    fn proven(&mut self, address: Address) -> Result<Leaf<Account>, Stopped> {
        if let Some(known) = self.accounts.get(&address) {
            return Ok(*known);
        }
        match self.state.account(self.block.state_root, &address) {
            Ok(Leaf::Unknown) => self.lack(Item::Account(address), Leaf::Unknown),
            Ok(known) => {
                self.accounts.insert(address, known);
                Ok(known)
            }
            Err(rejection) => self.fail(Stop::Failed(rejection.into())),
        }
    }

    /// The account as it is proven, but for what the caller overrides.
    fn overridden(&mut self, address: Address) -> Result<Option<AccountInfo>, Stopped> {
        let overrides = self.overrides.0.get(&address);
        if let Some(whole) = overrides.filter(|given| given.is_whole()) {
            return Ok(whole.on(None));
        }
        self.note(Item::Account(address))?;
        let proven = self.proven(address)?.present().map(|account| {
            let balance = U256::from_be_bytes(account.balance.0);
            info(account.nonce, balance, B256::new(account.code_hash.0))
        });
        Ok(match overrides {
            Some(given) => given.on(proven),
            None => proven,
        })
    }

    /// The proven value of a slot, below the overlay.
    fn proven_slot(&mut self, address: Address, key: B256) -> Result<U256, Stopped> {
        let account = match self.proven(address)? {
            Leaf::Present(account) => account,
            // An absent account has no storage: every slot is zero, as under the empty root.
            Leaf::Absent => return Ok(U256::ZERO),
            Leaf::Unknown => return self.lack(Item::Slot(address, key), U256::ZERO),
        };
        match self.state.slot(account.storage_hash, key) {
            Ok(Leaf::Present(value)) => Ok(value),
            Ok(Leaf::Absent) => Ok(U256::ZERO),
            Ok(Leaf::Unknown) => self.lack(Item::Slot(address, key), U256::ZERO),
            Err(rejection) => self.fail(Stop::Failed(rejection.into())),
        }
    }

    /// Whether an account is proven to hold storage and nothing that the engine sees (EIP-7610): no
    /// code, nonce 0. Where nothing is proven, the engine's own read of it stops the run.
    pub(crate) fn only_has_storage(&self, address: Address) -> bool {
        let account = self.state.account(self.block.state_root, &address);
        let proven = account.ok().and_then(Leaf::present).map(|account| {
            let stored = account.storage_hash != EMPTY_ROOT;
            (account.nonce, B256::new(account.code_hash.0), stored)
        });
        let mut seen = proven.unwrap_or((0, KECCAK_EMPTY, false));
        if let Some(given) = self.overrides.0.get(&address) {
            seen = given.over(seen);
        }
        if let Some(change) = self.overlay.0.get(&address) {
            let Some((nonce, _, code_hash)) = change.account else { return false };
            seen = (nonce, code_hash, seen.2 && !change.wiped);
        }
        let (nonce, code_hash, stored) = seen;
        nonce == 0 && code_hash == KECCAK_EMPTY && stored
    }

    /// The hash of an earlier block as the history contract holds it. Its slots are empty for
    /// blocks from before it was there, and a hash is never zero.
    fn history(&mut self, number: u64) -> Result<Option<B256>, Stopped> {
        // Its slots are a ring: that of a block which it does not hold holds another one's hash.
        let back = self.block.number.saturating_sub(number);
        if self.block.fork.rules < Rules::Prague || !(1..=HISTORY_LENGTH).contains(&back) {
            return Ok(None);
        }
        let account = match self.state.account(self.block.state_root, &HISTORY) {
            Ok(account) => account.present(),
            Err(rejection) => return self.fail(Stop::Failed(rejection.into())),
        };
        let Some(account) = account.filter(|account| account.code_hash.0 == HISTORY_CODE.0) else {
            return Ok(None);
        };
        let index = U256::from(number.checked_rem(HISTORY_LENGTH).unwrap_or_default());
        match self.state.slot(account.storage_hash, B256::from(index)) {
            Ok(value) => Ok(value.present().map(B256::from)),
            Err(rejection) => self.fail(Stop::Failed(rejection.into())),
        }
    }
}

impl Database for Reader<'_> {
    type Error = Stopped;

    fn basic(&mut self, address: Address) -> Result<Option<AccountInfo>, Stopped> {
        if self.unread == Some(address) {
            return self.fail(Stop::Caller);
        }
        let account = if let Some(change) = self.overlay.0.get(&address) {
            change.info()
        } else {
            self.overridden(address)?
        };
        if let Some(account) = &account {
            self.owners.insert(account.code_hash, address.into_word().into());
        }
        if self.taken == Some(address) {
            // The engine sees a collision by the nonce; the handler puts it back.
            return Ok(account.map(|account| AccountInfo { nonce: 1, ..account }));
        }
        Ok(account)
    }

    fn code_by_hash(&mut self, hash: B256) -> Result<Bytecode, Stopped> {
        if hash == KECCAK_EMPTY {
            return Ok(Bytecode::default());
        }
        let mut changed = self
            .overlay
            .0
            .values()
            .filter(|change| change.account.is_some_and(|(_, _, code_hash)| code_hash == hash));
        if let Some(code) = changed.find_map(|change| change.code.as_ref()) {
            return Ok(ready(code.clone()));
        }
        if let Some(code) = self.overrides.0.values().find_map(|given| given.code(hash)) {
            return Ok(ready(code.clone()));
        }
        let owner = self.owners.get(&hash).copied().unwrap_or_default();
        let owner = Address::from_word(owner.into());
        self.note(Item::Code(owner, hash))?;
        if let Some((_, code)) = self.codes.iter().find(|(known, _)| *known == hash) {
            return Ok(code.clone());
        }
        let Some(code) = self.state.code(Hash(hash.0)) else {
            return self.lack(Item::Code(owner, hash), Bytecode::default());
        };
        let code = ready(Bytes::copy_from_slice(code));
        self.codes.push((hash, code.clone()));
        Ok(code)
    }

    fn storage(&mut self, address: Address, index: U256) -> Result<U256, Stopped> {
        let key = B256::from(index);
        if let Some(change) = self.overlay.0.get(&address) {
            if let Some(value) = change.slots.get(&key) {
                return Ok(*value);
            }
            if change.wiped {
                return Ok(U256::ZERO);
            }
        }
        if let Some(value) = self.overrides.0.get(&address).and_then(|given| given.slot(&key)) {
            return Ok(value);
        }
        self.note(Item::Slot(address, key))?;
        self.proven_slot(address, key)
    }

    /// Asked for the 256 blocks before the one that the call sees, which may be overridden.
    fn block_hash(&mut self, number: u64) -> Result<B256, Stopped> {
        if number > self.block.number {
            let reason = "BLOCKHASH of a block after the proven one";
            return self.fail(Stop::Failed(Failure::Refused(reason.into())));
        }
        self.note(Item::BlockHash(number))?;
        if let Some(hash) = self.block.hashes.get(&number) {
            return Ok(B256::new(hash.0));
        }
        match self.history(number)? {
            Some(hash) => Ok(hash),
            None => self.lack(Item::BlockHash(number), B256::ZERO),
        }
    }
}

/// A code as the engine runs it: 23 bytes that begin `ef0100` delegate (EIP-7702), all else is
/// code.
fn ready(code: Bytes) -> Bytecode {
    Bytecode::new_raw_checked(code.clone()).unwrap_or_else(|_| Bytecode::new_legacy(code))
}
