//! A chain of every system on object storage: the same headers, proofs and rows as in a data
//! directory; and one that two nodes write.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use lightproof_node::system;
use lightproof_prover::chain::config::{CACHE_BYTES, Config};
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::source::{SourceBlock, SourceError};
use lightproof_prover::chain::workload::population::Population;
use lightproof_prover::chain::writes::WriteSet;
use lightproof_prover::error::StoreError;
use lightproof_prover::rlp::Item;
use lightproof_prover::store::blobs::Blobs;
use lightproof_prover::store::object::Object;
use lightproof_prover::store::{ALL, Order, Reader, Store, Table, Write};
use lightproof_prover::store::{Fate, embedded::Embedded};
use lightproof_prover::system::cole::prove::Query;
use lightproof_prover::system::lmpt::prove::{Question, encode};
use lightproof_prover::system::{cole, lmpt, verkle};

const SEED: u64 = 7;
const WINDOW: u64 = 12;
const HEAD: u64 = 40;

/// Every table.
const TABLES: [&str; 36] = [
    "attestations",
    "balanceproofs/order",
    "balanceproofs/roots",
    "balanceproofs/undo",
    "balanceproofs/values",
    "cole/log",
    "cole/records",
    "content hashes",
    "contents",
    "headers",
    "lmpt/flat",
    "lmpt/flat-journal",
    "lmpt/journal",
    "lmpt/log",
    "lmpt/nodes",
    "lmpt/pages",
    "lmpt/roots",
    "lvmt/blocks",
    "lvmt/list",
    "lvmt/newest",
    "lvmt/owners",
    "lvmt/records",
    "lvmt/rows",
    "lvmt/setup",
    "meta",
    "mpt/code",
    "mpt/journal",
    "mpt/nodes",
    "names",
    "numbers",
    "origins",
    "transactions",
    "verkle/journal",
    "verkle/slots",
    "verkle/values",
    "verkle/values-journal",
];

/// Memory and intervals are small, so that there are runs and merges.
fn config() -> Config {
    let history = cole::Config { capacity: 40, window: WINDOW, ..cole::Config::DEFAULT };
    let layers = lmpt::Config { interval: 3, window: WINDOW, ..lmpt::Config::DEFAULT };
    system::config(SEED, WINDOW).with(history).with(layers)
}

fn open(store: Box<dyn Store>, config: Config) -> Result<Chain, SourceError> {
    let workload = config.workload();
    Chain::open_in(store, "store", config, &workload)
}

fn object(directory: &Path) -> Box<dyn Store> {
    let url = format!("file://{}", directory.display());
    Box::new(Object::open(&url, CACHE_BYTES).unwrap())
}

/// What a chain proves of the oldest and of the newest block of its window.
fn proofs(chain: &Chain) -> Vec<String> {
    let snapshot = chain.snapshot().unwrap();
    let samples = Population::new(SEED, 0).samples();
    let mut all = Vec::new();
    for block in [snapshot.oldest_state(), snapshot.head()] {
        let mut prove = |system, query: &[u8]| {
            let proof = chain.prove(system, block, query);
            all.push(format!("{system} {block} {proof:?}"));
        };
        prove("balanceproofs", &Item::List([0_u64, 3].map(Item::uint).to_vec()).encode());
        for sample in &samples {
            for slot in sample.slots.iter().take(1) {
                let key: [u8; 52] = [&sample.address[..], slot].concat().try_into().unwrap();
                let (address, newest) = (key, u32::MAX);
                let question = Question { key: key.to_vec(), storage_roots: false };
                prove("cole", &Query { as_of: true, address, from: newest, to: newest }.encode());
                prove("lmpt", &encode(&[question]));
                prove("lvmt", &Item::List(vec![Item::bytes(key)]).encode());
                prove("verkle", &verkle::prove::encode(&[key]));
            }
        }
        let state = snapshot.state(block).unwrap();
        for sample in &samples {
            let account = state.account(&sample.address).unwrap();
            all.push(format!("mpt {block} {:?}", account.nodes));
            for slot in &sample.slots {
                let slot = state.slot(&sample.address, slot).unwrap();
                all.push(format!("mpt {block} {:?}", slot.nodes));
            }
        }
    }
    all
}

fn rows(chain: &Chain, table: &'static str) -> Vec<(Vec<u8>, Vec<u8>)> {
    let snapshot = chain.snapshot().unwrap();
    let rows = snapshot.reader().range(Table(table), ALL, Order::Ascending).unwrap();
    rows.map(|row| row.map(|(key, value)| (key.to_vec(), value.to_vec())).unwrap()).collect()
}

/// Journals whose entries say more in one store than in the other.
const JOURNALS: [&str; 4] =
    ["lmpt/flat-journal", "mpt/journal", "verkle/journal", "verkle/values-journal"];

/// Whether each block's journal names nothing that the other one does not.
fn name_the_same(found: &[(Vec<u8>, Vec<u8>)], expected: &[(Vec<u8>, Vec<u8>)]) {
    assert_eq!(found.len(), expected.len());
    for ((block, found), (same, expected)) in found.iter().zip(expected) {
        let [found, expected] = [found, expected].map(|journal| prefixes(journal));
        assert!(block == same && found.is_subset(&expected), "the journal of block {block:?}");
    }
}

/// The prefixes that a journal names.
fn prefixes(mut journal: &[u8]) -> BTreeSet<&[u8]> {
    let mut prefixes = BTreeSet::new();
    while let Some((kind, rest)) = journal.split_first() {
        let (prefix, rest) = rest.split_at(usize::from(kind & 127));
        prefixes.insert(prefix);
        // The block of the version that goes.
        journal = if kind & 128 == 0 { rest } else { &rest[8..] };
    }
    prefixes
}

#[test]
fn a_chain_on_object_storage_has_the_headers_proofs_and_rows_of_one_in_a_directory() {
    let (directory, objects) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut head = 0;
    while head < HEAD {
        // Each time both are opened again.
        let chain = Chain::of_workload(directory.path(), config()).unwrap();
        let other = open(object(objects.path()), config()).unwrap();
        assert_eq!(other.genesis_hash(), chain.genesis_hash());
        assert_eq!(proofs(&other), proofs(&chain), "opened at {head}");
        for count in [1, 9] {
            let headers = chain.produce(count).unwrap();
            assert_eq!(other.produce(count).unwrap(), headers);
            head += count;
        }
        let found = proofs(&other);
        assert!(found.iter().all(|proof| !proof.contains("Err")), "{found:?}");
        assert_eq!(found, proofs(&chain), "{head}");
        for table in TABLES {
            let [found, expected] = [&other, &chain].map(|chain| rows(chain, table));
            if JOURNALS.contains(&table) {
                name_the_same(&found, &expected);
            } else {
                assert_eq!(found, expected, "{table} at {head}");
            }
        }
    }
    let kept = TABLES.map(|table| {
        let chain = Chain::of_workload(directory.path(), config()).unwrap();
        rows(&chain, table).len()
    });
    assert!(kept.iter().filter(|count| **count > 0).count() > 25, "{kept:?}");
}

#[test]
fn a_store_holds_one_chain() {
    let objects = tempfile::tempdir().unwrap();
    drop(open(object(objects.path()), config()).unwrap());
    let refused = open(object(objects.path()), system::config(SEED, WINDOW + 1));
    let refused = refused.unwrap_err().to_string();
    assert!(refused.starts_with("store holds window 12, not window 13"), "{refused}");
    assert_eq!(Chain::clock_in(&*object(objects.path())).unwrap(), Some(config().clock));
}

/// A store whose first batch fails after its work was done.
#[derive(Debug)]
struct Failing(Embedded);

impl Store for Failing {
    fn reader(&self) -> Result<Reader, StoreError> {
        self.0.reader()
    }

    fn batch(&self, work: &mut dyn FnMut(&mut dyn Write) -> Fate) -> Result<(), StoreError> {
        self.0.batch(&mut |batch| {
            work(batch);
            Fate::Abandon
        })?;
        Err(StoreError::Fenced)
    }

    fn blobs(&self, system: &str) -> Arc<dyn Blobs> {
        self.0.blobs(system)
    }
}

#[test]
fn a_chain_whose_first_batch_fails_is_not_opened() {
    let store = Box::new(Failing(Embedded::in_memory().unwrap()));
    let config = system::Selection::parse("mpt").unwrap().usual(SEED, WINDOW);
    let refused = open(store, config);
    assert!(matches!(refused, Err(SourceError::Store(StoreError::Fenced))), "{refused:?}");
}

/// Two writers that would make other blocks: the second takes over, and the first one's next block
/// is on no chain.
#[test]
fn of_two_writers_one_makes_blocks() {
    let objects = tempfile::tempdir().unwrap();
    let block = |number: u64, value: u8| {
        let mut writes = WriteSet::default();
        writes.slot([0xaa; 20], [1; 32], [value; 32]);
        let timestamp = config().clock.genesis + 100 * number;
        SourceBlock { number, timestamp, origin: [0; 32], writes, content: None }
    };
    let first = open(object(objects.path()), config()).unwrap();
    let common = first.apply([block(1, 1)]).unwrap();
    let second = open(object(objects.path()), config()).unwrap();
    for _ in 0..2 {
        let refused = first.apply([block(2, 2)]);
        assert!(matches!(refused, Err(StoreError::Fenced)), "{refused:?}");
    }
    // Long enough for runs of cole, whose files both name alike.
    let made = second.apply((2..=30).map(|number| block(number, 3))).unwrap();
    // The first one may miss files now, which is not what it says.
    let refused = first.apply((2..=60).map(|number| block(number, 2)));
    assert!(matches!(refused, Err(StoreError::Fenced)), "{refused:?}");
    drop((first, second));
    let third = open(object(objects.path()), config()).unwrap();
    let snapshot = third.snapshot().unwrap();
    assert_eq!(snapshot.head(), 30);
    for header in common.iter().chain(&made) {
        assert_eq!(snapshot.header(header.number).unwrap().as_ref(), Some(header));
    }
}
