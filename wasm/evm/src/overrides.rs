//! What a caller wants to be otherwise than it is proven: state overrides and block overrides.
//!
//! They are the caller's own, never a node's. What they do not name is proven as ever.

use alloc::collections::BTreeMap;

use lightproof_core::hash::keccak256;
use revm::context::BlockEnv;
use revm::context_interface::block::BlobExcessGasAndPrice;
use revm::primitives::{Address, B256, Bytes, KECCAK_EMPTY, U256};
use revm::state::AccountInfo;

use crate::overlay::info;

/// What is altered of one account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Override {
    /// Wei.
    pub balance: Option<U256>,
    /// Nonce.
    pub nonce: Option<u64>,
    /// Code, by its hash, which this crate computes: see [`Self::set_code`].
    pub(crate) code: Option<(B256, Bytes)>,
    /// Whether nothing of the proven storage is left.
    pub wiped: bool,
    /// Slots that differ.
    pub slots: BTreeMap<B256, U256>,
}

/// Alterations of the state, by address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides(pub BTreeMap<Address, Override>);

/// Alterations of the block that calls see. Its rules stay those of the proven block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockOverride {
    /// Number.
    pub number: Option<u64>,
    /// Seconds since 1970-01-01 UTC.
    pub time: Option<u64>,
    /// Gas limit.
    pub gas_limit: Option<u64>,
    /// Who is paid.
    pub coinbase: Option<Address>,
    /// The random value of the beacon chain, where the rules have one.
    pub prev_randao: Option<B256>,
    /// Wei per gas.
    pub base_fee: Option<u64>,
    /// Wei per blob gas, where the rules have blobs.
    pub blob_base_fee: Option<u64>,
}

impl Override {
    /// Alters the code.
    pub fn set_code(&mut self, code: Bytes) {
        self.code = Some((B256::new(keccak256(&code).0), code));
    }

    /// Whether all of the account but its storage is given, so that it needs no proof.
    pub(crate) const fn is_whole(&self) -> bool {
        self.balance.is_some() && self.nonce.is_some() && self.code.is_some()
    }

    /// The account with what is altered; `None` if there is none, and nothing here makes one.
    pub(crate) fn on(&self, below: Option<AccountInfo>) -> Option<AccountInfo> {
        if self.balance.is_none() && self.nonce.is_none() && self.code.is_none() {
            return below;
        }
        let below = below.unwrap_or_else(|| info(0, U256::ZERO, KECCAK_EMPTY));
        let code_hash = self.code.as_ref().map_or(below.code_hash, |(hash, _)| *hash);
        let balance = self.balance.unwrap_or(below.balance);
        Some(info(self.nonce.unwrap_or(below.nonce), balance, code_hash))
    }

    /// What stands here for a slot; `None` if the proven value does.
    pub(crate) fn slot(&self, key: &B256) -> Option<U256> {
        self.slots.get(key).copied().or(self.wiped.then_some(U256::ZERO))
    }

    /// The code, if it is altered to one of this hash.
    pub(crate) fn code(&self, wanted: B256) -> Option<&Bytes> {
        self.code.as_ref().filter(|(hash, _)| *hash == wanted).map(|(_, code)| code)
    }

    /// Nonce, code hash and whether there is storage, where the account below has these.
    pub(crate) fn over(&self, (nonce, code_hash, stored): (u64, B256, bool)) -> (u64, B256, bool) {
        let code_hash = self.code.as_ref().map_or(code_hash, |(hash, _)| *hash);
        let stored = stored && !self.wiped || self.slots.values().any(|value| !value.is_zero());
        (self.nonce.unwrap_or(nonce), code_hash, stored)
    }
}

impl BlockOverride {
    /// Alters the fields that instructions read.
    pub fn apply(&self, env: &mut BlockEnv) {
        let put = |field: &mut U256, value: Option<u64>| {
            if let Some(value) = value {
                *field = U256::from(value);
            }
        };
        put(&mut env.number, self.number);
        put(&mut env.timestamp, self.time);
        env.gas_limit = self.gas_limit.unwrap_or(env.gas_limit);
        env.beneficiary = self.coinbase.unwrap_or(env.beneficiary);
        env.basefee = self.base_fee.unwrap_or(env.basefee);
        // Where the rules know neither, there is nothing to alter.
        env.prevrandao = env.prevrandao.map(|proven| self.prev_randao.unwrap_or(proven));
        if let (Some(price), Some(blobs)) = (self.blob_base_fee, &mut env.blob_excess_gas_and_price)
        {
            *blobs = BlobExcessGasAndPrice { blob_gasprice: price.into(), ..*blobs };
        }
    }
}
