//! What an `mpt` proof shows.

use alloc::string::String;
use alloc::vec::Vec;

use super::Account;
use crate::json::{self, ToJson};
use crate::system::Presence;
use crate::wire::Uint256;

/// One storage slot as proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The slot asked for.
    pub key: [u8; 32],
    /// Its value, never zero, or absence: the slot reads as zero.
    pub value: Presence<Uint256>,
}

/// An account and its slots as the state root commits to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The account.
    pub account: Presence<Account>,
    /// The slots, in the query's order.
    pub slots: Vec<Slot>,
    /// The code, if it was asked for; empty for an absent account.
    pub code: Option<Vec<u8>>,
}

impl ToJson for Fact {
    fn to_json(&self, out: &mut String) {
        out.push_str("{\"account\":");
        match &self.account {
            Presence::Present(account) => {
                out.push_str("{\"status\":\"present\",\"nonce\":");
                json::quantity(out, &account.nonce.to_be_bytes());
                out.push_str(",\"balance\":");
                json::quantity(out, &account.balance.0);
                out.push_str(",\"storageHash\":");
                json::bytes(out, &account.storage_hash.0);
                out.push_str(",\"codeHash\":");
                json::bytes(out, &account.code_hash.0);
                out.push('}');
            }
            Presence::Deleted | Presence::Absent => out.push_str("{\"status\":\"absent\"}"),
        }
        out.push_str(",\"slots\":");
        json::list(out, &self.slots, |out, slot| {
            out.push_str("{\"key\":");
            json::bytes(out, &slot.key);
            match &slot.value {
                Presence::Present(value) => {
                    out.push_str(",\"status\":\"present\",\"value\":");
                    json::quantity(out, &value.0);
                    out.push('}');
                }
                Presence::Deleted | Presence::Absent => out.push_str(",\"status\":\"absent\"}"),
            }
        });
        if let Some(code) = &self.code {
            out.push_str(",\"code\":");
            json::bytes(out, code);
        }
        out.push('}');
    }
}
