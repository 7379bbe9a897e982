//! What a `verkle` proof shows.

use alloc::string::String;
use alloc::vec::Vec;

use crate::json::{self, ToJson};
use crate::system::Presence;

/// The answers to a query, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Keys, unhashed, each with its value or its proven absence.
    pub answers: Vec<(Vec<u8>, Presence<Vec<u8>>)>,
}

impl ToJson for Fact {
    fn to_json(&self, out: &mut String) {
        out.push_str("{\"values\":");
        json::list(out, &self.answers, |out, (key, answer)| {
            out.push_str("{\"key\":");
            json::bytes(out, key);
            if let Presence::Present(value) = answer {
                out.push_str(",\"status\":\"present\",\"value\":");
                json::bytes(out, value);
            } else {
                // A deleted key leaves no trace in the tree.
                out.push_str(",\"status\":\"absent\"");
            }
            out.push('}');
        });
        out.push('}');
    }
}
