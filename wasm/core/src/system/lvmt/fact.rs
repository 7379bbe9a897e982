//! What an `lvmt` proof shows.

use alloc::string::String;
use alloc::vec::Vec;

use crate::json::{self, ToJson};
use crate::system::Presence;

/// A key's latest value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// What was written last.
    pub value: Vec<u8>,
    /// How often the key was written.
    pub version: u64,
    /// The block that wrote it last.
    pub block: u64,
    /// Where the version stands: level of the AMT, 0 for the root.
    pub level: usize,
    /// And slot of its leaf, 1 to 5.
    pub slot: usize,
}

/// The answers to a query, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Keys, unhashed, each with its latest value or that it has none.
    pub answers: Vec<(Vec<u8>, Presence<Value>)>,
}

impl ToJson for Fact {
    fn to_json(&self, out: &mut String) {
        out.push_str("{\"values\":[");
        for (index, (key, answer)) in self.answers.iter().enumerate() {
            out.push_str(if index > 0 { ",{\"key\":" } else { "{\"key\":" });
            json::bytes(out, key);
            match answer {
                Presence::Present(value) => value.fields(out),
                // lvmt has no deletion: an empty value is a value.
                Presence::Deleted | Presence::Absent => out.push_str(",\"status\":\"absent\""),
            }
            out.push('}');
        }
        out.push_str("]}");
    }
}

impl Value {
    fn fields(&self, out: &mut String) {
        out.push_str(",\"status\":\"present\",\"value\":");
        json::bytes(out, &self.value);
        out.push_str(",\"version\":");
        json::quantity(out, &self.version.to_be_bytes());
        out.push_str(",\"block\":");
        json::quantity(out, &self.block.to_be_bytes());
        out.push_str(",\"level\":");
        json::number(out, self.level);
        out.push_str(",\"slot\":");
        json::number(out, self.slot);
    }
}
