//! Proofs from a view, in both formats.

mod fast24;
mod one;

use super::config::Format;
use super::error::{EngineError, Result};
use super::key::{Address, Entry, Key};
use super::view::{Source, View};
use crate::rlp::{self, Item};

/// A query: RLP `[mode, address, from, to]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query {
    /// The value as of block `to`, rather than all versions in `from..=to`.
    pub as_of: bool,
    /// Account ‖ slot.
    pub address: Address,
    /// First block.
    pub from: u32,
    /// Last block, included.
    pub to: u32,
}

impl Query {
    /// Reads a query; `None` if it is malformed.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let item = rlp::decode(bytes).ok()?;
        let [mode, address, from, to] = item.as_list()? else { return None };
        let number = |item: &Item| u32::try_from(item.as_uint()?).ok();
        let query = Self {
            as_of: match number(mode)? {
                0 => false,
                1 => true,
                _ => return None,
            },
            address: address.as_bytes()?.try_into().ok()?,
            from: number(from)?,
            to: number(to)?,
        };
        let ordered = query.from <= query.to && (!query.as_of || query.from == query.to);
        ordered.then_some(query)
    }

    /// The bytes that [`Query::decode`] reads.
    pub fn encode(&self) -> Vec<u8> {
        let mode = Item::uint(u8::from(self.as_of));
        let address = Item::bytes(self.address);
        Item::List(vec![mode, address, Item::uint(self.from), Item::uint(self.to)]).encode()
    }
}

impl View {
    /// The proof that answers a query, RLP in the format's form.
    ///
    /// # Errors
    /// [`EngineError::Usage`] if the format cannot prove anything of the address,
    /// [`EngineError::Io`] if a file cannot be read.
    pub fn prove(&self, query: &Query) -> Result<Vec<u8>> {
        match self.config.format {
            Format::One => one::prove(self, query),
            Format::Fast24 { .. } if [[0; 52], [0xff; 52]].contains(&query.address) => {
                Err(EngineError::Usage("this address is kept for sentinels"))
            }
            Format::Fast24 { .. } => fast24::prove(self, query),
        }
    }
}

/// The greatest key below `key`; `None` for the least key.
fn before(key: &Key) -> Option<Key> {
    let mut below = *key;
    for byte in below.iter_mut().rev() {
        let (next, borrow) = byte.overflowing_sub(1);
        *byte = next;
        if !borrow {
            return Some(below);
        }
    }
    None
}

/// Entries of a source around a range of keys.
struct Around {
    /// Position in a run of the first of the entries below.
    first: u64,
    /// The greatest entry below the range.
    left: Option<Entry>,
    /// Entries in the range.
    inside: Vec<Entry>,
    /// The least entry above it.
    right: Option<Entry>,
}

/// Entries after `below` and up to `high`, and their neighbours. `below` is the greatest key that
/// is not in the range.
fn around(source: Source<'_>, below: Option<&Key>, high: &Key) -> Result<Around> {
    match source {
        Source::Memory(memory) => {
            let tree = &memory.tree;
            let all = || tree.between(&[0; 56], high);
            let (left, inside) = match below {
                None => (None, all()),
                Some(below) if below >= high => (tree.at_most(high), Vec::new()),
                Some(below) => {
                    let mut inside = tree.between(below, high);
                    inside.retain(|entry| entry.key > *below);
                    (tree.at_most(below), inside)
                }
            };
            Ok(Around { first: 0, left, inside, right: tree.above(high) })
        }
        Source::Sealed(sealed) => around(Source::Run(sealed.run()), below, high),
        Source::Run(run) => {
            let start = below.map_or(Ok(0), |below| run.rank(below))?;
            let end = run.rank(high)?.max(start);
            let first = start.saturating_sub(1);
            let mut inside = run.entries(first, (end + 1).min(run.len()))?;
            let right = if end < run.len() { inside.pop() } else { None };
            let left = (start > 0).then(|| inside.remove(0));
            Ok(Around { first, left, inside, right })
        }
    }
}
