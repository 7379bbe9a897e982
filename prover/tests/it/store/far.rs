//! A store that is far away: paths of a trie are read in few rounds, and prove the same.

use std::cell::Cell;

use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::source::{Genesis, SourceBlock};
use lightproof_prover::chain::writes::WriteSet;
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::keccak256;
use lightproof_prover::store::overlay::Overlay;
use lightproof_prover::store::versions::{ACCOUNTS, View};
use lightproof_prover::store::{Order, Range, Read, Rows, Table, Value};
use lightproof_prover::system::System as _;
use lightproof_prover::system::mpt::{self, Mpt, State};
use lightproof_prover::trie::Trie;

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
    ) -> Result<Vec<Option<Value<'_>>>, StoreError> {
        self.1.update(|rounds| rounds + 1);
        self.0.newest_many(table, prefixes, block)
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
    let changed = |store: &dyn Read, expected: bool| {
        let source = View::new(store, NODES, ACCOUNTS, 1);
        let mut trie = Trie::open(&source).unwrap();
        if expected {
            trie.expect(keys.iter().map(<[u8; 32]>::as_slice)).unwrap();
        }
        for key in &keys {
            trie.set(key, vec![7; 40]).unwrap();
        }
        trie.finish()
    };
    let far = Far(snapshot.reader(), Cell::new(0));
    let found = changed(&far, true);
    // The root twice, then all at once.
    assert!(far.1.get() <= 3, "{} rounds", far.1.get());
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
    // All ways, and the root once more.
    assert!(far.1.get() <= 2, "{} rounds", far.1.get());
    assert_eq!(found, root(snapshot.reader()));
}
