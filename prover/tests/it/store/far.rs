//! A store that is far away: paths of a trie are read in few rounds, and prove the same.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::Path;

use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::source::{Genesis, SourceBlock};
use lightproof_prover::chain::writes::WriteSet;
use lightproof_prover::chain::{Address, Slot};
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::keccak256;
use lightproof_prover::rng::Rng;
use lightproof_prover::store::embedded::Embedded;
use lightproof_prover::store::overlay::Overlay;
use lightproof_prover::store::versions::{ACCOUNTS, AHEAD, View, way};
use lightproof_prover::store::{
    self, ALL, Newest, Order, Range, Read, Reader, Rows, Store, Table, Value, Version, Write as _,
};
use lightproof_prover::system::lmpt::{self, Lmpt};
use lightproof_prover::system::mpt::{self, Mpt, State};
use lightproof_prover::system::verkle::{self, Commitment, Verkle};
use lightproof_prover::system::{Configuration, System};
use lightproof_prover::trie::Trie;
use lightproof_prover::trie::nibbles::unpack;

use super::plain::Plain;

/// Counts rounds of reads.
#[derive(Debug)]
struct Far<'r>(&'r dyn Read, Cell<usize>);

impl Read for Far<'_> {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Value<'_>>, StoreError> {
        self.1.update(|rounds| rounds + 1);
        self.0.get(table, key)
    }

    fn range(&self, table: Table, range: Range<'_>, order: Order) -> Result<Rows<'_>, StoreError> {
        self.1.update(|rounds| rounds + 1);
        self.0.range(table, range, order)
    }

    fn newest_many(
        &self,
        table: Table,
        prefixes: &[&[u8]],
        block: u64,
    ) -> Result<Vec<Option<Newest<'_>>>, StoreError> {
        self.1.update(|rounds| rounds + 1);
        self.0.newest_many(table, prefixes, block)
    }

    fn versions_many(
        &self,
        table: Table,
        prefixes: &[&[u8]],
        block: u64,
    ) -> Result<Vec<Vec<Version>>, StoreError> {
        self.1.update(|rounds| rounds + 1);
        self.0.versions_many(table, prefixes, block)
    }

    fn is_far(&self) -> bool {
        true
    }
}

#[test]
fn an_account_and_a_slot_are_proven_in_two_rounds() {
    let directory = tempfile::tempdir().unwrap();
    let config = Config::new(0, 4).with(mpt::Config { window: 4 });
    let chain = Chain::open(directory.path(), config, &Genesis::default()).unwrap();
    let address = |at: u16| std::array::from_fn(|byte| at.to_be_bytes()[byte % 2]);
    let mut writes = WriteSet::default();
    for at in 0..2_000_u16 {
        writes.account(address(at), 1, u128::from(at));
        let slot: [u8; 32] = std::array::from_fn(|byte| at.to_be_bytes()[byte % 2]);
        writes.slot(address(7), slot, [1; 32]);
    }
    chain
        .apply([SourceBlock { number: 1, timestamp: 1, origin: [0; 32], writes, content: None }])
        .unwrap();
    let snapshot = chain.snapshot().unwrap();
    let mut deepest = 0;
    for at in [0, 1, 7, 1_999, 2_000, u16::MAX] {
        let far = Far(snapshot.reader(), Cell::new(0));
        let (found, near) = (State::after(&far, 1), State::after(snapshot.reader(), 1));
        let account = found.account(&address(at)).unwrap();
        assert_eq!(account.nodes, near.account(&address(at)).unwrap().nodes);
        let slot = [u8::try_from(at % 256).unwrap(); 32];
        let proof = found.slot(&address(7), &slot).unwrap();
        assert_eq!(proof.nodes, near.slot(&address(7), &slot).unwrap().nodes);
        assert_eq!(far.1.get(), 2, "{at}");
        deepest = deepest.max(account.nodes.len().max(proof.nodes.len()));
    }
    // One read a node would have been more.
    assert!(deepest > 3, "{deepest}");
}

/// Nodes of the state's tries.
const NODES: Table = Table("mpt/nodes");

#[test]
fn what_many_keys_need_of_a_trie_is_read_in_one_round() {
    let directory = tempfile::tempdir().unwrap();
    let config = Config::new(0, 4).with(mpt::Config { window: 4 });
    let chain = Chain::open(directory.path(), config, &Genesis::default()).unwrap();
    let mut writes = WriteSet::default();
    for at in 0..2_000_u16 {
        writes.account(std::array::from_fn(|byte| at.to_be_bytes()[byte % 2]), 1, 9);
    }
    chain
        .apply([SourceBlock { number: 1, timestamp: 1, origin: [0; 32], writes, content: None }])
        .unwrap();
    let snapshot = chain.snapshot().unwrap();
    let keys: Vec<_> = (0..200_u16).map(|at| keccak256(&at.to_be_bytes())).collect();
    let paths: Vec<_> = keys.iter().map(|key| unpack(key)).collect();
    let changed = |store: &dyn Read, expected: bool| {
        let mut store = Overlay::new(store);
        if expected {
            let ways = paths.iter().flat_map(|path| way(ACCOUNTS, path, 0..=AHEAD));
            store.expect(NODES, &ways.collect(), 1).unwrap();
        }
        let source = View::new(&store, NODES, ACCOUNTS, 1);
        let mut trie = Trie::open(&source).unwrap();
        for key in &keys {
            trie.set(key, vec![7; 40]).unwrap();
        }
        trie.finish()
    };
    let far = Far(snapshot.reader(), Cell::new(0));
    let found = changed(&far, true);
    assert_eq!(far.1.get(), 1);
    assert_eq!(found, changed(snapshot.reader(), false));
    assert!(!found.written.is_empty());
}

#[test]
fn a_block_reads_the_ways_to_all_its_accounts_in_one_round() {
    let directory = tempfile::tempdir().unwrap();
    let config = Config::new(0, 4).with(mpt::Config { window: 4 });
    let chain = Chain::open(directory.path(), config, &Genesis::default()).unwrap();
    let accounts = |numbers: std::ops::Range<u16>, balance| {
        let mut writes = WriteSet::default();
        for at in numbers {
            writes.account(std::array::from_fn(|byte| at.to_be_bytes()[byte % 2]), 1, balance);
        }
        writes
    };
    let writes = accounts(0..2_000, 9);
    chain
        .apply([SourceBlock { number: 1, timestamp: 1, origin: [0; 32], writes, content: None }])
        .unwrap();
    let snapshot = chain.snapshot().unwrap();
    // Half of them are there.
    let writes = accounts(1_800..2_200, 7);
    let root = |store: &dyn Read| Mpt::new(4).commit(&mut Overlay::new(store), 2, &writes).unwrap();
    let far = Far(snapshot.reader(), Cell::new(0));
    let found = root(&far);
    assert_eq!(far.1.get(), 1);
    assert_eq!(found, root(snapshot.reader()));
}

/// Address and slot of a key. Account 0 has many slots, the others have a few.
fn place(key: u16) -> (Address, Slot) {
    let account = if key.is_multiple_of(3) { 0 } else { key % 401 };
    let bytes = |number: u16| number.to_be_bytes();
    let address = std::array::from_fn(|byte| bytes(account)[byte % 2]);
    (address, std::array::from_fn(|byte| bytes(key)[byte % 2]))
}

/// Slots of a block: each of them is set, or some are cleared.
fn slots(keys: impl Iterator<Item = u16>, value: u8, cleared: bool) -> WriteSet {
    let mut writes = WriteSet::default();
    for key in keys {
        let (address, slot) = place(key);
        let value = if cleared && key.is_multiple_of(8) { 0 } else { value };
        writes.account(address, 1, 9);
        writes.slot(address, slot, [value; 32]);
    }
    writes
}

/// A chain whose blocks set and clear some of the same slots, and the block after its window.
fn chain_of_slots(directory: &Path, config: impl Configuration + 'static) -> (Chain, WriteSet) {
    let chain = Chain::open(directory, Config::new(0, 2).with(config), &Genesis::default());
    let chain = chain.unwrap();
    for number in 1..6_u8 {
        let keys = (0..3_000_u16).filter(|key| number == 1 || key % 7 == u16::from(number));
        let writes = slots(keys, number, number > 1);
        let (number, origin) = (u64::from(number), [0; 32]);
        chain
            .apply([SourceBlock { number, timestamp: number, origin, writes, content: None }])
            .unwrap();
    }
    // The last ones are new.
    (chain, slots((0..3_200).filter(|key| key % 5 == 0), 9, false))
}

/// Commits a block to a store that is far away and to a near one, with the same outcome. Returns
/// the rounds of the first one, and how many rows the block removes.
fn rounds(chain: &Chain, system: &dyn System, writes: &WriteSet) -> (usize, usize) {
    let snapshot = chain.snapshot().unwrap();
    let outcome = |store: &dyn Read| {
        let mut batch = Overlay::new(store);
        let root = system.commit(&mut batch, 6, writes).unwrap();
        // A journal says more where more is known.
        let is_state = |(table, ..): &(Table, _, _)| !table.0.contains("journal");
        (root, batch.into_changes().filter(is_state).collect::<Vec<_>>())
    };
    let far = Far(snapshot.reader(), Cell::new(0));
    let found = outcome(&far);
    assert!(found == outcome(snapshot.reader()), "a far store and a near one differ");
    (far.1.get(), found.1.iter().filter(|(_, _, value)| value.is_none()).count())
}

#[test]
fn a_block_of_many_storage_tries_reads_and_prunes_in_few_rounds() {
    let directory = tempfile::tempdir().unwrap();
    let (chain, writes) = chain_of_slots(directory.path(), mpt::Config { window: 2 });
    let (rounds, removed) = rounds(&chain, &Mpt::new(2), &writes);
    // Accounts with roots, two parts of what lies below; a journal, and the versions it names.
    assert_eq!(rounds, 5);
    assert!(removed > 500, "{removed} rows were removed");
}

#[test]
fn a_block_of_verkle_reads_a_level_in_a_round() {
    let directory = tempfile::tempdir().unwrap();
    let config = verkle::Config { commitment: Commitment::CfInsecure(1), bits: 5, window: 2 };
    let (chain, writes) = chain_of_slots(directory.path(), config);
    // Values; the top node with its slots, and three levels below.
    assert_eq!(rounds(&chain, &Verkle::new(config), &writes), (5, 0));
}

/// Writes of a block, of few keys, so that each is written and cleared again and again.
fn repeated(block: u64, clears: bool) -> WriteSet {
    let (mut rng, mut writes) = (Rng::new(5, "prune", block), WriteSet::default());
    for _ in 0..40 {
        let (address, slot) = place(u16::try_from(rng.below(600)).unwrap());
        let cleared = rng.one_in(3) && clears;
        let value = if cleared { 0 } else { u8::try_from(block).unwrap() + 1 };
        writes.account(address, block + 1, 9);
        writes.slot(address, slot, [value; 32]);
    }
    writes
}

/// Blocks of a system in a store whose batches remember what they read, and in one that is near.
fn far_and_near(make: impl Fn() -> Box<dyn System>, last: u64) -> [Reader; 2] {
    let stores: [Box<dyn Store>; 2] =
        [Box::<Plain>::default(), Box::new(Embedded::in_memory().unwrap())];
    stores.map(|store| {
        let system = make();
        for block in 0..=last {
            let writes = repeated(block, true);
            system.begin(&store.reader().unwrap());
            store::write(&*store, |batch| system.commit(batch, block, &writes)).unwrap();
            system.durable().unwrap();
        }
        store.reader().unwrap()
    })
}

/// The rows of a table, which are the same in both stores.
fn same_rows(readers: &[Reader; 2], table: Table) -> Vec<(Vec<u8>, Vec<u8>)> {
    let [far, near] = readers.each_ref().map(|reader| {
        let rows = reader.range(table, ALL, Order::Ascending).unwrap();
        let rows = rows.map(|row| row.map(|(key, value)| (key.to_vec(), value.to_vec())).unwrap());
        rows.collect::<Vec<_>>()
    });
    assert!(far == near, "a far store and a near one keep different rows of {table:?}");
    far
}

/// Holds the versions that a system keeps once it has pruned against what its window sees.
///
/// * `kept`: blocks that stay provable.
/// * `rounds`: of the block that follows.
fn prunes(make: impl Fn() -> Box<dyn System>, tables: &[Table], kept: u64, rounds: usize) {
    const LAST: u64 = 24;
    let readers = far_and_near(&make, LAST);
    for table in tables {
        let mut before = BTreeSet::new();
        let rows = same_rows(&readers, *table);
        for (key, value) in &rows {
            let (prefix, block) = key.split_last_chunk().unwrap();
            if u64::from_be_bytes(*block) < LAST + 2 - kept {
                assert!(!value.is_empty(), "what ended before the window is kept");
                assert!(before.insert(prefix), "two versions from before the window are kept");
            }
        }
        assert!(before.len() > 50 && rows.len() > before.len());
    }
    // Nearly all that is pruned was known when it was replaced. What ended is asked for.
    let far = Far(&*readers[0], Cell::new(0));
    make().commit(&mut Overlay::new(&far), LAST + 1, &repeated(LAST + 1, false)).unwrap();
    assert_eq!(far.1.get(), rounds);
}

#[test]
fn a_store_that_is_far_keeps_no_version_that_nobody_sees() {
    prunes(|| Box::new(Mpt::new(2)), &[NODES], 2, 4);
    let config = verkle::Config { commitment: Commitment::CfInsecure(1), bits: 5, window: 2 };
    // Eight blocks of slack.
    let tables = ["verkle/slots", "verkle/values"].map(Table);
    prunes(|| Box::new(Verkle::new(config)), &tables, 10, 8);
}

#[test]
fn lmpt_keeps_the_same_rows_in_a_store_that_is_far() {
    // Slots are set and cleared again between two merges, and their versions have one number.
    for interval in [1, 3] {
        let config = lmpt::Config { interval, window: 4, ..lmpt::Config::DEFAULT };
        // The journals of all blocks that wrote a version are pruned then, or of none.
        let readers = far_and_near(|| Box::new(Lmpt::new(config)), 41);
        for table in ["lmpt/flat", "lmpt/nodes", "lmpt/pages", "lmpt/roots"].map(Table) {
            assert!(same_rows(&readers, table).len() > 10, "{table:?}");
        }
    }
}
