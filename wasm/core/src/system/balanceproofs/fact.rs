//! What a proof of balanceproofs shows.

use alloc::string::String;
use alloc::vec::Vec;

use crate::json::{self, ToJson};

/// The value at each position that was asked for, in ascending order of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Position, and value: an integer below the order of the group, 32 bytes big-endian.
    pub values: Vec<(u64, [u8; 32])>,
}

impl ToJson for Fact {
    fn to_json(&self, out: &mut String) {
        out.push_str("{\"values\":");
        json::list(out, &self.values, |out, (position, value)| {
            out.push_str("{\"position\":");
            json::quantity(out, &position.to_be_bytes());
            out.push_str(",\"value\":");
            json::bytes(out, value);
            out.push('}');
        });
        out.push('}');
    }
}
