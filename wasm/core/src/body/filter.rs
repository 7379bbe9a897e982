//! Filters of logs, as in `eth_getLogs`.

use alloc::vec::Vec;

use super::bloom::Bloom;
use super::receipt::Log;
use crate::hash::Hash;

/// Which logs are asked for, as in `eth_getLogs`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The contract is one of these; any, if there are none.
    pub addresses: Vec<[u8; 20]>,
    /// By position: the topic is one of these; any, if there are none, but it is there.
    pub topics: Vec<Vec<Hash>>,
}

impl Filter {
    /// Whether a block with this Bloom filter may have a log that is asked for.
    pub fn may_match(&self, bloom: &Bloom) -> bool {
        let any =
            |mut found: core::slice::Iter<'_, Hash>| found.any(|topic| bloom.may_hold(&topic.0));
        (self.addresses.is_empty() || self.addresses.iter().any(|address| bloom.may_hold(address)))
            && self.topics.iter().all(|position| position.is_empty() || any(position.iter()))
    }

    /// Whether the log is asked for.
    pub fn matches(&self, log: &Log<'_>) -> bool {
        let mut topics = log.topics;
        (self.addresses.is_empty() || self.addresses.contains(&log.address))
            && self.topics.iter().all(|position| {
                let found = topics.next();
                found.is_some_and(|topic| position.is_empty() || position.contains(&topic))
            })
    }
}
