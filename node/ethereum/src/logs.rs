//! Which logs a caller wants.

use std::collections::BTreeSet;

use alloy_consensus::Header;
use alloy_primitives::{Address, B256, Bloom, BloomInput, Log};
use serde::Deserialize;
use serde_json::Value;

use crate::json;
use crate::record::Record;

/// Topics of a log.
const MAX_TOPICS: usize = 4;
/// Addresses, or topics at one position.
const MAX_VALUES: usize = 1_000;

/// Addresses and topics as `eth_getLogs` takes them; no value at all is every value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    addresses: BTreeSet<Address>,
    topics: Vec<BTreeSet<B256>>,
    /// One list for the addresses and one for each position of a topic.
    blooms: Vec<Vec<Bloom>>,
}

/// One value or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Values<T> {
    One(T),
    Some(Vec<T>),
}

impl Filter {
    /// Reads the keys `address` and `topics`.
    ///
    /// # Errors
    /// The key, and what is wrong with it.
    pub fn parse(address: &Value, topics: &Value) -> Result<Self, (&'static str, String)> {
        let addresses: BTreeSet<Address> = values(address).map_err(|error| ("address", error))?;
        let error = |error| ("topics", error);
        let topics: Vec<BTreeSet<B256>> = match topics {
            Value::Null => Vec::new(),
            Value::Array(topics) if topics.len() > MAX_TOPICS => {
                return Err(error(format!("at most {MAX_TOPICS} positions, got {}", topics.len())));
            }
            Value::Array(topics) => {
                topics.iter().map(values).collect::<Result<_, _>>().map_err(error)?
            }
            _ => return Err(error("an array is required".to_owned())),
        };
        let bloom = |bytes: &[u8]| Bloom::from(BloomInput::Raw(bytes));
        let mut blooms = vec![addresses.iter().map(|one| bloom(one.as_slice())).collect()];
        blooms
            .extend(topics.iter().map(|all| all.iter().map(|one| bloom(one.as_slice())).collect()));
        Ok(Self { addresses, topics, blooms })
    }

    /// Whether a block may hold such logs, by its bloom filter.
    pub fn may_match(&self, header: &Header) -> bool {
        self.blooms.iter().all(|wanted| {
            wanted.is_empty() || wanted.iter().any(|one| header.logs_bloom.contains(one))
        })
    }

    /// Whether a log is wanted. A log with fewer topics than the filter has positions is not.
    pub fn matches(&self, log: &Log) -> bool {
        any(&self.addresses, |address| *address == log.address)
            && self.topics.len() <= log.topics().len()
            && self
                .topics
                .iter()
                .zip(log.topics())
                .all(|(topics, found)| any(topics, |topic| topic == found))
    }

    /// The wanted logs of a block, as geth prints them.
    pub fn logs(&self, record: &Record) -> Vec<Value> {
        let (mut logs, mut first) = (Vec::new(), 0);
        for (index, receipt) in record.receipts.iter().enumerate() {
            for (at, log) in receipt.logs.iter().enumerate() {
                if self.matches(log) {
                    logs.extend(json::log(record, index, at, first));
                }
            }
            first += receipt.logs.len();
        }
        logs
    }
}

fn any<T>(values: &BTreeSet<T>, wanted: impl Fn(&T) -> bool) -> bool {
    values.is_empty() || values.iter().any(wanted)
}

/// `null`, a value or a list of values.
fn values<T: Ord + for<'a> Deserialize<'a>>(json: &Value) -> Result<BTreeSet<T>, String> {
    if json.is_null() {
        return Ok(BTreeSet::new());
    }
    if json.as_array().is_some_and(|list| list.len() > MAX_VALUES) {
        return Err(format!("at most {MAX_VALUES} values"));
    }
    match Values::deserialize(json) {
        Ok(Values::One(value)) => Ok([value].into()),
        Ok(Values::Some(values)) => Ok(values.into_iter().collect()),
        Err(_) => Err("expected hex of the right length, a list of such, or null".to_owned()),
    }
}
