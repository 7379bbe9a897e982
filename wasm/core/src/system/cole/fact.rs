//! What a `cole` proof shows.

use alloc::string::String;
use alloc::vec::Vec;

use super::key::{Address, Record, written};
use crate::json::{self, ToJson};
use crate::system::Presence;

/// A value, and the block that wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// Block number.
    pub block: u32,
    /// What was written.
    pub value: [u8; 32],
}

impl Version {
    pub(super) fn of(record: &Record) -> Self {
        let value = record.last_chunk().copied().unwrap_or_default();
        Self { block: written(record), value }
    }
}

/// The version before the queried blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predecessor {
    /// Proven: the newest version before them.
    Proven(Version),
    /// Proven: there is none.
    None,
    /// The proof does not say.
    NotProven,
}

/// All versions in a range of blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// The address.
    pub address: Address,
    /// First block asked for.
    pub from: u32,
    /// Last block that the history covers: the one asked for, but no later than the root's block.
    pub to: u32,
    /// What stood before `from`.
    pub predecessor: Predecessor,
    pub(super) records: Vec<Record>,
}

impl History {
    /// Every version in these blocks, oldest first; nothing is left out.
    pub fn versions(&self) -> impl ExactSizeIterator<Item = Version> {
        self.records.iter().map(Version::of)
    }
}

/// An answer to a [`super::Query`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// To a range.
    History(History),
    /// To a value as of a block.
    AsOf {
        /// The address.
        address: Address,
        /// The block asked for, but no later than the root's block.
        block: u32,
        /// The newest version in `block` or before, or that there is none.
        value: Presence<Version>,
    },
}

impl ToJson for Fact {
    fn to_json(&self, out: &mut String) {
        match self {
            Self::History(history) => history.to_json(out),
            Self::AsOf { address, block, value } => {
                out.push_str("{\"mode\":\"asOf\",\"address\":");
                json::bytes(out, address);
                out.push_str(",\"asOf\":");
                number(out, *block);
                out.push_str(",\"value\":");
                match value {
                    Presence::Present(version) => with_status(out, "present", version),
                    Presence::Deleted | Presence::Absent => out.push_str("{\"status\":\"absent\"}"),
                }
                out.push('}');
            }
        }
    }
}

impl ToJson for History {
    fn to_json(&self, out: &mut String) {
        out.push_str("{\"mode\":\"range\",\"address\":");
        json::bytes(out, &self.address);
        out.push_str(",\"fromBlock\":");
        number(out, self.from);
        out.push_str(",\"toBlock\":");
        number(out, self.to);
        out.push_str(",\"complete\":true,\"versions\":");
        // One string for all: a hundred objects take JavaScript longer to parse than their proof
        // takes to check.
        json::bytes(out, self.records.as_flattened());
        out.push_str(",\"predecessor\":");
        match &self.predecessor {
            Predecessor::Proven(version) => with_status(out, "proven", version),
            Predecessor::None => out.push_str("{\"status\":\"none\"}"),
            Predecessor::NotProven => out.push_str("{\"status\":\"notProven\"}"),
        }
        out.push('}');
    }
}

fn with_status(out: &mut String, status: &str, version: &Version) {
    out.push_str("{\"status\":");
    json::string(out, status);
    out.push(',');
    body(out, version);
}

fn body(out: &mut String, version: &Version) {
    out.push_str("\"block\":");
    number(out, version.block);
    out.push_str(",\"value\":");
    json::bytes(out, &version.value);
    out.push('}');
}

fn number(out: &mut String, block: u32) {
    json::quantity(out, &block.to_be_bytes());
}
