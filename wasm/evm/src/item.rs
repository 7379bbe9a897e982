//! What a run reads, and what it stops at if it is not proven.

use alloc::string::String;

use lightproof_core::json;
use revm::primitives::{Address, B256};

/// One thing that a call reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Item {
    /// An account: nonce, balance, code hash, storage root; or that there is none.
    Account(Address),
    /// A storage slot, 32 bytes big-endian.
    Slot(Address, B256),
    /// The code of an account, by its hash.
    Code(Address, B256),
    /// The hash of a block before the one that the call runs in: from its headers, or, since
    /// Prague, from the storage of the history contract (EIP-2935).
    BlockHash(u64),
    /// A precompile on a curve that the caller does not have.
    Precompile(Address),
}

impl Item {
    /// Appends the item as a JSON object.
    pub fn to_json(&self, out: &mut String) {
        let kind = |out: &mut String, kind: &str, address: &Address| {
            out.push_str("{\"kind\":\"");
            out.push_str(kind);
            out.push_str("\",\"address\":");
            json::bytes(out, address.as_slice());
        };
        match self {
            Self::Account(address) => kind(out, "account", address),
            Self::Slot(address, key) => {
                kind(out, "slot", address);
                out.push_str(",\"key\":");
                json::bytes(out, key.as_slice());
            }
            Self::Code(address, hash) => {
                kind(out, "code", address);
                out.push_str(",\"hash\":");
                json::bytes(out, hash.as_slice());
            }
            Self::BlockHash(number) => {
                out.push_str("{\"kind\":\"blockHash\",\"number\":");
                json::quantity(out, &number.to_be_bytes());
            }
            Self::Precompile(address) => kind(out, "precompile", address),
        }
        out.push('}');
    }
}
