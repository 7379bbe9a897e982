//! What an `lmpt` proof shows.

use alloc::string::String;
use alloc::vec::Vec;

use crate::hash::Hash;
use crate::json::{self, ToJson};
use crate::system::Presence;

/// A layer of the state, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Writes of the current period.
    Delta,
    /// Writes of the period before.
    Intermediate,
    /// Everything older.
    Snapshot,
}

impl Layer {
    /// Its name in facts and texts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Delta => "delta",
            Self::Intermediate => "intermediate",
            Self::Snapshot => "snapshot",
        }
    }
}

/// A key's newest write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The value, a deletion that is not merged yet, or proven absence in all three layers.
    pub value: Presence<Vec<u8>>,
    /// The layer that answered; for absence the last one, the snapshot.
    pub layer: Layer,
}

/// Hash of the node that ends at a key, in each layer that has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StorageRoots {
    /// In the delta.
    pub delta: Option<Hash>,
    /// In the intermediate layer.
    pub intermediate: Option<Hash>,
    /// In the snapshot.
    pub snapshot: Option<Hash>,
}

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The key's newest write.
    Value(Value),
    /// The key's storage roots.
    StorageRoots(StorageRoots),
}

/// The answers to a query, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Keys, unhashed, each with its answer.
    pub answers: Vec<(Vec<u8>, Answer)>,
}

impl ToJson for Fact {
    fn to_json(&self, out: &mut String) {
        out.push_str("{\"values\":[");
        for (index, (key, answer)) in self.answers.iter().enumerate() {
            out.push_str(if index > 0 { ",{\"key\":" } else { "{\"key\":" });
            json::bytes(out, key);
            match answer {
                Answer::Value(value) => value.fields(out),
                Answer::StorageRoots(roots) => roots.fields(out),
            }
            out.push('}');
        }
        out.push_str("]}");
    }
}

impl Value {
    fn fields(&self, out: &mut String) {
        match &self.value {
            Presence::Present(value) => {
                out.push_str(",\"status\":\"present\",\"value\":");
                json::bytes(out, value);
            }
            Presence::Deleted => out.push_str(",\"status\":\"deleted\""),
            Presence::Absent => out.push_str(",\"status\":\"absent\""),
        }
        out.push_str(",\"layer\":");
        json::string(out, self.layer.name());
    }
}

impl StorageRoots {
    fn fields(&self, out: &mut String) {
        let layers = [
            (Layer::Delta, self.delta),
            (Layer::Intermediate, self.intermediate),
            (Layer::Snapshot, self.snapshot),
        ];
        out.push_str(",\"storageRoots\":{");
        for (layer, root) in layers {
            if layer != Layer::Delta {
                out.push(',');
            }
            json::string(out, layer.name());
            out.push(':');
            match root {
                Some(root) => json::bytes(out, &root.0),
                None => out.push_str("null"),
            }
        }
        out.push('}');
    }
}
