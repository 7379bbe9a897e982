//! Every state root against a model and alloy-trie; the window of provable blocks; what pruning
//! leaves on disk.

use std::collections::BTreeMap;
use std::path::Path;

use crate::model::Model;
use lightproof_node::system;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::workload::block_writes;
use lightproof_prover::chain::{Address, Slot};
use lightproof_prover::hash::{EMPTY_ROOT, Word, keccak256};
use lightproof_prover::rlp::Item;
use lightproof_prover::store::embedded::Embedded;
use lightproof_prover::store::versions::{ACCOUNTS, TrieId};
use lightproof_prover::store::{ALL, Order, Store as _, Table};
use lightproof_prover::trie::Trie;
use lightproof_prover::trie::nibbles::Nibbles;

const SEED: u64 = 7;

/// The models of blocks 0 to `head`.
fn models(head: u64) -> Vec<Model> {
    let mut models = vec![Model::default()];
    for number in 0..=head {
        let mut model = models.last().unwrap().clone();
        let writes = block_writes(SEED, number, &model).unwrap();
        model.apply(&writes);
        models.push(model);
    }
    models.remove(0);
    models
}

fn open(directory: &Path, window: u64) -> Chain {
    Chain::of_workload(directory, system::config(SEED, window)).unwrap()
}

#[test]
fn every_root_is_alloys_and_every_block_of_the_window_stays_provable() {
    const HEAD: u64 = 40;
    const WINDOW: u64 = 12;
    let directory = tempfile::tempdir().unwrap();
    let node = open(directory.path(), WINDOW);
    // Alone and in batches: the chain must not depend on it.
    for count in [1, 1, 7, 20, 1, 10] {
        node.produce(count).unwrap();
    }
    let models = models(HEAD);
    let snapshot = node.snapshot().unwrap();
    assert_eq!((snapshot.head(), snapshot.oldest_state()), (HEAD, HEAD + 1 - WINDOW));
    for (number, model) in (0..).zip(&models) {
        let header = snapshot.header(number).unwrap().unwrap();
        assert_eq!(header.commitment("mpt").unwrap(), model.root(), "block {number}");
        assert_eq!(snapshot.number_of(&header.hash()).unwrap(), Some(number));
        match snapshot.state(number) {
            Some(_) => assert!(number > HEAD - WINDOW),
            None => assert!(number <= HEAD - WINDOW),
        }
    }
    assert!(snapshot.state(HEAD + 1).is_none());
    // Everybody who ever was, as of each block.
    let everybody: Vec<Address> =
        models.last().unwrap().accounts.keys().copied().chain([[9; 20]]).collect();
    for number in [HEAD - WINDOW + 1, HEAD - 8, HEAD] {
        let (state, model) =
            (snapshot.state(number).unwrap(), &models[usize::try_from(number).unwrap()]);
        let root = model.root();
        for address in &everybody {
            let proof = state.account(address).unwrap();
            assert_eq!(keccak256(&proof.nodes[0]), root);
            assert_eq!(
                proof.account.map(|account| account.encode()),
                model.accounts.contains_key(address).then(|| model.leaf(address))
            );
            check_slots(&state, model, address);
        }
    }
}

fn check_slots(
    state: &lightproof_prover::system::mpt::State<'_>,
    model: &Model,
    address: &Address,
) {
    let empty = std::collections::BTreeMap::new();
    let slots = model.slots.get(address).unwrap_or(&empty);
    let absent: Slot = [0xee; 32];
    let storage_root = model.storage_root(address);
    for slot in slots.keys().chain([&absent]) {
        let proof = state.slot(address, slot).unwrap();
        assert_eq!(proof.value, slots.get(slot).copied().unwrap_or_default());
        let root = proof.nodes.first().map_or(EMPTY_ROOT, |node| keccak256(node));
        assert_eq!(root, storage_root);
    }
}

#[test]
fn pruning_leaves_exactly_the_nodes_that_the_window_needs() {
    for window in [1, 5] {
        let directory = tempfile::tempdir().unwrap();
        let node = open(directory.path(), window);
        node.produce(40).unwrap();
        drop(node);
        let database = Embedded::open(&directory.path().join("chain.redb")).unwrap();
        let reader = database.reader().unwrap();
        let rows = |table| reader.range(Table(table), ALL, Order::Ascending).unwrap();
        assert_eq!(rows("mpt/journal").count() as u64, window - 1);
        // The oldest block needs its whole state; each later one adds what it changed.
        let states: Vec<_> = models(40)[40 - usize::try_from(window).unwrap() + 1..]
            .iter()
            .map(stored_nodes)
            .collect();
        let changes = states.windows(2).map(|pair| {
            let written = pair[1].iter().filter(|(path, node)| pair[0].get(*path) != Some(node));
            let ended = pair[0].keys().filter(|path| !pair[1].contains_key(*path));
            written.count() + ended.count()
        });
        let needed = states[0].len() + changes.sum::<usize>();
        assert_eq!(rows("mpt/nodes").count(), needed, "window {window}");
    }
}

/// The nodes of a state that is built at once, by trie and path.
fn stored_nodes(model: &Model) -> BTreeMap<(TrieId, Nibbles), Vec<u8>> {
    let leaf = |(slot, value): (&Slot, &Word)| (keccak256(slot), Item::uint_bytes(value).encode());
    let accounts = model.accounts.keys().map(|address| (keccak256(address), model.leaf(address)));
    let storage = model
        .slots
        .iter()
        .map(|(address, slots)| (keccak256(address), nodes(slots.iter().map(leaf))));
    let tries = storage.chain([(ACCOUNTS, nodes(accounts))]);
    tries
        .flat_map(|(trie, nodes)| nodes.into_iter().map(move |(path, node)| ((trie, path), node)))
        .collect()
}

fn nodes(leaves: impl Iterator<Item = (Word, Vec<u8>)>) -> BTreeMap<Nibbles, Vec<u8>> {
    let nothing = BTreeMap::<Nibbles, Vec<u8>>::new();
    let mut trie = Trie::open(&nothing).unwrap();
    for (key, value) in leaves {
        trie.set(&key, value).unwrap();
    }
    trie.finish().written
}

#[test]
fn a_seed_decides_every_hash() {
    let hashes = |seed, counts: &[u64]| {
        let directory = tempfile::tempdir().unwrap();
        let node = Chain::of_workload(directory.path(), system::config(seed, 64)).unwrap();
        for count in counts {
            node.produce(*count).unwrap();
        }
        let snapshot = node.snapshot().unwrap();
        (0..=snapshot.head())
            .map(|number| snapshot.header(number).unwrap().unwrap().hash())
            .collect::<Vec<_>>()
    };
    assert_eq!(hashes(7, &[10]), hashes(7, &[1, 2, 3, 4]));
    assert_ne!(hashes(7, &[])[0], hashes(8, &[])[0]);
}

#[test]
fn a_directory_in_use_or_of_another_chain_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let node = open(directory.path(), 64);
    let refused = |seed| {
        Chain::of_workload(directory.path(), system::config(seed, 64)).unwrap_err().to_string()
    };
    assert!(refused(SEED).contains("in use"), "{}", refused(SEED));
    drop(node);
    assert!(refused(8).contains("seed 7, not seed 8"), "{}", refused(8));
    assert_eq!(open(directory.path(), 64).snapshot().unwrap().head(), 0);
}
