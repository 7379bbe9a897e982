//! Answers as JSON.

use alloc::string::String;
use alloc::vec::Vec;

use lightproof_core::hash::Hash;
use lightproof_core::json::{self, ToJson as _};
use revm::primitives::{Address, U256};

use crate::answer::{Answer, Failure};
use crate::block::Block;
use crate::overlay::Change;

/// `{"block":{"number":"0x…","trusted":"0x…","rules":"…"}`, not closed: the answers follow.
pub(super) fn block(block: &Block, trusted: Hash, out: &mut String) {
    out.push_str("{\"block\":{\"number\":");
    json::quantity(out, &block.number.to_be_bytes());
    out.push_str(",\"trusted\":");
    json::bytes(out, &trusted.0);
    out.push_str(",\"rules\":");
    json::string(out, block.fork.rules.name());
    out.push('}');
}

impl Answer {
    /// Appends the answer as a JSON object.
    pub fn to_json(&self, out: &mut String) {
        match self {
            Self::Done(done) => done.to_json(out),
            Self::Missing(items) => {
                out.push_str("{\"status\":\"missing\",\"items\":");
                json::list(out, items, |out, item| item.to_json(out));
                out.push('}');
            }
            Self::Failed(failure) => failure.to_json(out),
        }
    }
}

impl Failure {
    /// Appends `{"status":"rejected","kind":…,"code":…,"message":…,"span":…}`.
    pub fn to_json(&self, out: &mut String) {
        let (kind, message) = match self {
            Self::Rejected(rejection) => return rejection.to_json(out),
            Self::Fork { number, .. } => (
                "chain",
                alloc::format!("the rules of block {number} are unknown: update, or add its fork"),
            ),
            Self::Refused(reason) => {
                ("call", alloc::format!("the rules refuse the call: {reason}"))
            }
            Self::Limit(name) => ("call", alloc::format!("the call reached the limit of {name}")),
            Self::Engine(reason) => ("call", alloc::format!("the engine stopped: {reason}")),
        };
        out.push_str("{\"status\":\"rejected\",\"kind\":");
        json::string(out, kind);
        out.push_str(",\"code\":");
        json::string(out, self.code());
        out.push_str(",\"message\":");
        json::string(out, &message);
        out.push_str(",\"span\":null}");
    }
}

impl crate::Done {
    fn to_json(&self, out: &mut String) {
        out.push_str("{\"status\":");
        json::string(out, self.status.name());
        out.push_str(",\"output\":");
        json::bytes(out, &self.output);
        out.push_str(",\"gasUsed\":");
        json::quantity(out, &self.gas_used.to_be_bytes());
        out.push_str(",\"logs\":");
        json::list(out, &self.logs, |out, log| {
            out.push_str("{\"address\":");
            json::bytes(out, log.address.as_slice());
            out.push_str(",\"topics\":");
            json::list(out, log.topics(), |out, topic| json::bytes(out, topic.as_slice()));
            out.push_str(",\"data\":");
            json::bytes(out, &log.data.data);
            out.push('}');
        });
        out.push_str(",\"created\":");
        match &self.created {
            Some(address) => json::bytes(out, address.as_slice()),
            None => out.push_str("null"),
        }
        let read: Vec<_> = self.read.iter().collect();
        out.push_str(",\"read\":");
        json::list(out, &read, |out, item| item.to_json(out));
        let changes: Vec<_> =
            self.changes.0.iter().filter(|(_, change)| change.is_change()).collect();
        out.push_str(",\"changes\":");
        json::list(out, &changes, |out, (address, change)| changed(out, address, change));
        out.push('}');
    }
}

/// `{"address":…,"nonce":[before,after],"balance":[before,after],"slots":[{"key":…,"value":…},…]}`.
fn changed(out: &mut String, address: &Address, change: &Change) {
    let (nonce, balance, _) = change.account.unwrap_or_default();
    let mut pair = |name: &str, before: U256, after: U256| {
        out.push_str(name);
        json::quantity(out, &before.to_be_bytes::<32>());
        out.push(',');
        json::quantity(out, &after.to_be_bytes::<32>());
        out.push(']');
    };
    pair("{\"nonce\":[", U256::from(change.before.0), U256::from(nonce));
    pair(",\"balance\":[", change.before.1, balance);
    out.push_str(",\"address\":");
    json::bytes(out, address.as_slice());
    let slots: Vec<_> = change.slots.iter().collect();
    out.push_str(",\"slots\":");
    json::list(out, &slots, |out, (key, value)| {
        out.push_str("{\"key\":");
        json::bytes(out, key.as_slice());
        out.push_str(",\"value\":");
        json::bytes(out, &value.to_be_bytes::<32>());
        out.push('}');
    });
    out.push('}');
}
