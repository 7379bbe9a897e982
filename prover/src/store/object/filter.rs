//! What tells the engine that a file has no version under a prefix, so that it does not read it.
//!
//! The engine's own filters know whole keys. A question for the newest version knows no key: it
//! asks for the rows under a prefix, and without a filter it reads a block of every file.

use std::fmt;
use std::sync::Arc;

use slatedb::bytes::{BufMut, Bytes};
use slatedb::{
    BloomFilterPolicy, Filter, FilterBuilder, FilterPolicy, FilterQuery, FilterTarget, RowEntry,
};

/// Bits of a filter for each prefix: one of a hundred files is read for nothing.
const BITS: u32 = 10;
/// Bytes of a block's number, at the end of a version's key.
const NUMBER: usize = size_of::<u64>();

/// A filter over all keys without their last eight bytes.
///
/// Only [`FilterTarget::Prefix`] of what comes before a block's number may be asked for: another
/// prefix would be said to be missing.
pub(super) struct Prefixes(BloomFilterPolicy);

/// The policies with which a store is opened, for writing and for reading: the engine's own, and
/// the one that knows prefixes.
pub(super) fn policies() -> Vec<Arc<dyn FilterPolicy>> {
    let keys = BloomFilterPolicy::new(BITS);
    vec![Arc::new(keys), Arc::new(Prefixes(BloomFilterPolicy::new(BITS)))]
}

impl FilterPolicy for Prefixes {
    fn name(&self) -> &'static str {
        "lightproof/versions"
    }

    fn builder(&self) -> Box<dyn FilterBuilder> {
        Box::new(Building { filter: self.0.builder(), last: None })
    }

    fn decode(&self, data: &[u8]) -> Arc<dyn Filter> {
        Arc::new(Known(self.0.decode(data)))
    }

    fn estimate_size(&self, keys: usize) -> usize {
        self.0.estimate_size(keys)
    }
}

struct Building {
    filter: Box<dyn FilterBuilder>,
    /// What was added last: the versions under a prefix follow each other.
    last: Option<Bytes>,
}

impl FilterBuilder for Building {
    fn add_entry(&mut self, entry: &RowEntry) {
        let known = entry.key.slice(..entry.key.len().saturating_sub(NUMBER));
        if self.last.as_ref() != Some(&known) {
            self.filter.add_entry(&RowEntry { key: known.clone(), ..entry.clone() });
            self.last = Some(known);
        }
    }

    fn build(&mut self) -> Arc<dyn Filter> {
        Arc::new(Known(self.filter.build()))
    }
}

struct Known(Arc<dyn Filter>);

impl Filter for Known {
    fn might_match(&self, query: &FilterQuery) -> bool {
        match &query.target {
            FilterTarget::Prefix(prefix) => self.0.might_match(&FilterQuery::point(prefix.clone())),
            FilterTarget::Point(_) | FilterTarget::Range { .. } => true,
        }
    }

    fn encode(&self, writer: &mut dyn BufMut) {
        self.0.encode(writer);
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn clamp_allocated_size(&self) -> Arc<dyn Filter> {
        Arc::new(Self(self.0.clamp_allocated_size()))
    }
}

impl fmt::Debug for Prefixes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
