//! What stands above the proven state: changes of earlier calls of a sequence, or of the caller's
//! own.

use alloc::collections::BTreeMap;

use revm::bytecode::Bytecode;
use revm::primitives::{Address, B256, Bytes, KECCAK_EMPTY, U256};
use revm::state::{AccountInfo, EvmState};

/// One account as it stands above the proven state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Nonce and balance before the run.
    pub before: (u64, U256),
    /// Nonce, balance, code hash; `None` if there is no account now.
    pub account: Option<(u64, U256, B256)>,
    /// Its code, if that is new.
    pub code: Option<Bytes>,
    /// Whether nothing of the proven storage is left.
    pub wiped: bool,
    /// Slots that differ.
    pub slots: BTreeMap<B256, U256>,
}

/// Changes by address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlay(pub BTreeMap<Address, Change>);

impl Overlay {
    /// Puts later changes on top.
    pub fn apply(&mut self, later: Self) {
        for (address, change) in later.0 {
            let mine = self.0.entry(address).or_default();
            if change.wiped {
                mine.slots.clear();
                mine.wiped = true;
                mine.code = None;
            }
            mine.before = change.before;
            let code_hash = |account: Option<(u64, U256, B256)>| account.map(|(_, _, hash)| hash);
            if code_hash(mine.account) != code_hash(change.account) {
                mine.code = None;
            }
            mine.account = change.account;
            mine.code = change.code.or(mine.code.take());
            mine.slots.extend(change.slots);
        }
    }

    /// What a run changed.
    pub(crate) fn of(state: EvmState) -> Self {
        let mut changes = BTreeMap::new();
        // One by one: to collect a map sorts first, by code that nothing else uses.
        for (address, account) in state {
            if !account.is_touched() {
                continue;
            }
            // EIP-161: an account that is touched and empty is gone.
            let gone = account.is_selfdestructed() || account.is_empty();
            let wiped = gone || account.is_created();
            let info = &account.info;
            let code = info.code.as_ref().filter(|_| info.code_hash != KECCAK_EMPTY);
            let mut slots = BTreeMap::new();
            for (key, slot) in account.storage.iter().filter(|(_, slot)| slot.is_changed()) {
                slots.insert(B256::from(*key), slot.present_value);
            }
            let original = account.original_info();
            let before = (original.nonce, original.balance);
            let change = if gone {
                Change { before, wiped, ..Change::default() }
            } else {
                Change {
                    before,
                    account: Some((info.nonce, info.balance, info.code_hash)),
                    code: code.map(Bytecode::original_bytes),
                    wiped,
                    slots,
                }
            };
            changes.insert(address, change);
        }
        Self(changes)
    }
}

impl Change {
    /// Whether anything differs from before the run: engines touch accounts that they leave as is.
    pub(crate) fn is_change(&self) -> bool {
        let (nonce, balance, _) = self.account.unwrap_or_default();
        self.before != (nonce, balance) || !self.slots.is_empty()
    }

    /// As the engine takes it.
    pub(crate) fn info(&self) -> Option<AccountInfo> {
        let (nonce, balance, code_hash) = self.account?;
        Some(info(nonce, balance, code_hash))
    }
}

/// An account whose code is asked for when it is needed.
pub(crate) fn info(nonce: u64, balance: U256, code_hash: B256) -> AccountInfo {
    let code = (code_hash == KECCAK_EMPTY).then(Bytecode::default);
    AccountInfo { balance, nonce, code_hash, account_id: None, code }
}
