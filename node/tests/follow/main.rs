//! `lightproof-node run --follow`: its flags, its files, its end and its return.

#![cfg(all(feature = "ethereum", unix))]

#[path = "../support/kills.rs"]
mod kills;
mod process;
#[path = "../../ethereum/tests/it/support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use alloy_eips::eip2935::HISTORY_STORAGE_ADDRESS;
use alloy_eips::eip4788::BEACON_ROOTS_ADDRESS;
use alloy_primitives::Address;
use kills::kills;
use lightproof_ethereum::block::Block;
use lightproof_node::system;
use lightproof_prover::chain::config::WINDOW;
use lightproof_prover::chain::database::Chain as Full;
use lightproof_prover::hex;
use lightproof_prover::rng::Rng;
use process::{Process, block, refused};
use serde_json::{Value, json};
use support::beacon::{Answers, BeaconNode, checkpoint, network};
use support::followed::{blocks, file, genesis, serve, source};
use support::node::{Broken, Node, Served};
use support::transactions::call;
use support::{Grown, Key, seal};

/// A directory with a genesis file, and room for a chain.
struct Place {
    _directory: tempfile::TempDir,
    genesis: PathBuf,
    data: PathBuf,
}

fn place(genesis: &str) -> Place {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("genesis.json");
    std::fs::write(&file, genesis).unwrap();
    let data = directory.path().join("data");
    Place { _directory: directory, genesis: file, data }
}

impl Place {
    fn genesis(&self) -> &str {
        self.genesis.to_str().unwrap()
    }

    /// Flags of a node that follows without signing.
    fn follow<'a>(&'a self, url: &'a str) -> [&'a str; 8] {
        let unsigned = ["--committee-size", "0", "--block-time-ms", "1"];
        let [size, none, time, one] = unsigned;
        ["--follow", url, "--genesis", self.genesis(), size, none, time, one]
    }
}

/// Nobody listens there.
const NOBODY: &str = "http://127.0.0.1:1";

#[test]
fn flags_that_do_not_go_together_are_refused() {
    let place = place(&file().to_string());
    let genesis = place.genesis();
    let two = format!("{NOBODY},{NOBODY}");
    let unsigned = "--committee-size=0";
    for (arguments, why) in [
        (&["--follow", NOBODY][..], "--genesis"),
        (&["--genesis", genesis], "--follow"),
        (&["--follow-depth", "1"], "--follow"),
        (&["--trust-upstream"], "--follow"),
        (&["--follow", NOBODY, "--genesis", genesis], "--trust-upstream"),
        (&["--follow", &two, "--genesis", genesis, "--quorum", "1"], "--quorum 2"),
        (&["--follow", NOBODY, "--genesis", genesis, "--quorum", "2"], "needs as many upstreams"),
        (&["--follow", NOBODY, "--genesis", genesis, "--quorum", "0", unsigned], "quorum of 0"),
        (&["--follow", "ws://127.0.0.1", "--genesis", genesis, unsigned], "expected a URL"),
        (&["--follow", NOBODY, "--genesis", genesis, "--push", "127.0.0.1:0"], "--push"),
    ] {
        let said = refused(&place.data, arguments);
        assert!(said.contains(why), "{arguments:?}: {said}");
        assert!(!place.data.exists(), "{arguments:?} left something");
    }
}

#[test]
fn a_genesis_file_that_cannot_be_followed_is_refused_by_its_key() {
    let mut unknown = file();
    unknown["config"]["bogotaTime"] = json!(0);
    let mut old = file();
    old["config"]["cancunTime"] = Value::Null;
    for (genesis, why) in [
        ("", "cannot be read"),
        ("{}", "config"),
        ("[1, 2", "cannot be read"),
        (&unknown.to_string(), "bogotaTime"),
        (&old.to_string(), "cancunTime"),
    ] {
        let place = place(genesis);
        let said = refused(&place.data, &place.follow(NOBODY));
        assert!(said.contains(why), "{genesis}: {said}");
        assert!(!place.data.exists());
    }
    let place = place("");
    let missing = place.genesis().replace("genesis.json", "missing.json");
    let arguments = ["--follow", NOBODY, "--genesis", &missing, "--committee-size", "0"];
    let said = refused(&place.data, &arguments);
    assert!(said.contains("cannot read") && said.contains("missing.json"), "{said}");
}

#[test]
fn a_node_of_another_chain_is_refused_and_so_is_another_directory() {
    let upstream = serve(&blocks());
    let mut other = file();
    other["timestamp"] = json!("0x65");
    let place = place(&other.to_string());
    let (status, said) = Process::start(&place.data, &place.follow(&upstream.url)).last_words();
    assert!(!status.success() && said.contains("serves another chain"), "{said}");
    for hash in [genesis(&file()).hash, genesis(&other).hash] {
        assert!(said.contains(&hash.to_string()), "{said}");
    }
    // The directory keeps block 0 of the other genesis file.
    std::fs::write(&place.genesis, file().to_string()).unwrap();
    let said = refused(&place.data, &place.follow(&upstream.url));
    assert!(said.contains("choose another --data"), "{said}");
    let said = refused(&place.data, &["--blocks", "0"]);
    assert!(said.contains("choose another --data"), "{said}");
}

#[test]
fn a_block_that_is_wrong_ends_the_node_and_is_not_announced() {
    let mut all = blocks();
    let mut header = all[2].header.clone();
    header.gas_used += 1;
    all[2] = seal(header, all[2].body.clone());
    all.truncate(3);
    let upstream = serve(&all);
    let place = place(&file().to_string());
    let (status, said) = Process::start(&place.data, &place.follow(&upstream.url)).last_words();
    assert!(!status.success(), "{said}");
    for part in ["block 2", &all[2].hash.to_string(), "gasUsed: expected"] {
        assert!(said.contains(part), "{said}");
    }
    assert!(said.lines().all(|line| !line.starts_with("block 2 ")), "{said}");
}

#[test]
fn a_node_waits_for_nodes_that_are_down_and_serves_meanwhile() {
    let all = blocks();
    let upstream = serve(&all);
    upstream.change(|served| served.broken = Some(Broken::Down));
    let place = place(&file().to_string());
    let process = Process::start(&place.data, &place.follow(&upstream.url));
    assert_eq!(block(&process.event()).0, 0);
    process.says("waiting: ");
    upstream.change(|served| (served.broken, served.finalized) = (None, 2));
    process.announces(2);
    upstream.change(|served| served.broken = Some(Broken::Down));
    process.says("waiting: ");
    upstream.change(|served| (served.broken, served.finalized) = (None, 4));
    process.announces(4);
    drop(process);
    let file = file();
    let mut watched = Watched::new(&file, &all[..5]);
    watched.check(&place.data, 0);
    assert_eq!(watched.hashes.len(), 5);
}

#[test]
fn an_operator_who_trusts_a_node_signs() {
    let upstream = serve(&blocks());
    let place = place(&file().to_string());
    let arguments = ["--follow", &upstream.url, "--genesis", place.genesis(), "--trust-upstream"];
    let process =
        Process::start(&place.data, &[&arguments[..], &["--block-time-ms", "1"]].concat());
    let ready = process.event();
    assert_eq!(ready["chainId"], json!(support::CHAIN_ID));
    assert!(ready["consensus"].is_object() && ready["samples"] == json!([]), "{ready}");
    process.announces(4);
}

/// Block 0 and `count` more, each with a payment, to a few accounts in turn: the state stays as
/// small as it is, however many blocks there are.
fn payments(file: &Value, count: u64) -> Vec<Block> {
    const RECEIVERS: u64 = 16;
    /// A block can name no older ancestors.
    const NAMED: u64 = 256;
    let genesis = genesis(file);
    let mut chain = Grown::new(&genesis);
    let body =
        alloy_consensus::BlockBody { withdrawals: Some(Vec::new().into()), ..Default::default() };
    let mut all = vec![seal(genesis.header, body)];
    for nonce in 0..count {
        let to = Address::left_padding_from(&(nonce % RECEIVERS).to_be_bytes());
        let block = chain.build(vec![call(&Key::new(1), nonce, to, 1, &[])], Vec::new());
        chain.extend(&block);
        chain.world.hashes = chain.world.hashes.split_off(&nonce.saturating_sub(NAMED));
        all.push(block);
    }
    all
}

/// Without the contracts that keep hashes of blocks: each block would add to the state, whose root
/// is computed anew for each.
fn lasting() -> Value {
    let mut file = file();
    for kept in [HISTORY_STORAGE_ADDRESS, BEACON_ROOTS_ADDRESS] {
        file["alloc"].as_object_mut().unwrap().remove(&kept.to_string()).unwrap();
    }
    file
}

/// What is known of the chain in a directory, from looking at it again and again.
struct Watched<'a> {
    file: &'a Value,
    all: &'a [Block],
    announced: BTreeMap<u64, String>,
    /// Of the blocks that were found durable.
    hashes: Vec<String>,
}

impl<'a> Watched<'a> {
    fn new(file: &'a Value, all: &'a [Block]) -> Self {
        Self { file, all, announced: BTreeMap::new(), hashes: Vec::new() }
    }

    /// The chain in a directory follows the blocks to its head, keeps each, and has every block
    /// that was announced.
    ///
    /// * `from`: the first block whose contents are compared.
    fn check(&mut self, data: &Path, from: usize) {
        let source = source(NOBODY, self.file);
        let node = Full::open_with(data, system::config(7, WINDOW), &source).unwrap();
        let snapshot = node.snapshot().unwrap();
        let count = usize::try_from(snapshot.head()).unwrap() + 1;
        let possible = self.hashes.len()..=self.all.len();
        assert!(possible.contains(&count), "{count} blocks, expected {possible:?}");
        for (at, followed) in self.all.iter().enumerate().take(count).skip(from) {
            let number = at as u64;
            let header = snapshot.header(number).unwrap().unwrap();
            assert_eq!(header.origin, followed.hash.0, "block {number}");
            assert_eq!(snapshot.followed(&header.origin).unwrap(), Some(number));
            assert!(snapshot.content(number).unwrap().is_some());
            for (at, transaction) in followed.body.transactions.iter().enumerate() {
                let found = snapshot.find_transaction(&transaction.tx_hash().0).unwrap();
                assert_eq!(found, Some((number, at)));
            }
            let hash = hex::encode(&header.hash());
            match self.hashes.get(at) {
                Some(known) => assert_eq!(*known, hash, "block {number}"),
                None => self.hashes.push(hash),
            }
        }
        for (number, hash) in self.announced.range(from as u64..) {
            let found = self.hashes.get(usize::try_from(*number).unwrap());
            assert_eq!(found, Some(hash), "block {number}");
        }
    }

    /// The same where only a kill since the last look can have done damage: from the block before
    /// the last one that was durable then.
    fn check_newest(&mut self, data: &Path) {
        self.check(data, self.hashes.len().saturating_sub(2));
    }
}

#[test]
fn a_killed_node_goes_on_with_every_block_that_it_had_announced() {
    const BLOCKS: usize = 18;
    let rounds = kills(4);
    let file = lasting();
    let all = payments(&file, ((rounds + 1) * BLOCKS) as u64);
    let served = Served { blocks: all.clone(), finalized: 0, raw: true, broken: None };
    let upstream = Node::start(served);
    let place = place(&file.to_string());
    let mut rng = Rng::new(3, "follow-kill-test", 0);
    let mut watched = Watched::new(&file, &all);
    for round in 1..=rounds {
        upstream.change(|served| served.finalized = round * BLOCKS);
        let process = Process::start(&place.data, &place.follow(&upstream.url));
        // Killed at its start, while it executes, or between two batches.
        for _ in 0..rng.below(BLOCKS as u64) {
            watched.announced.extend([block(&process.event())]);
        }
        std::thread::sleep(std::time::Duration::from_millis(rng.below(60)));
        watched.announced.extend(process.kill());
        watched.check_newest(&place.data);
    }
    upstream.change(|served| served.finalized = all.len() - 1);
    let process = Process::start(&place.data, &place.follow(&upstream.url));
    process.announces(all.len() as u64 - 1);
    process.kill();
    watched.check(&place.data, 0);
    assert_eq!(watched.hashes.len(), all.len());
    // A node that nobody killed makes the same chain.
    let directory = tempfile::tempdir().unwrap();
    let mut follow = source(&upstream.url, &file);
    let node = Full::open_with(directory.path(), system::config(7, WINDOW), &follow).unwrap();
    while node.advance(&mut follow, 256).unwrap().len() == 256 {}
    drop(node);
    watched.check(directory.path(), 0);
    assert_eq!(watched.hashes.len(), all.len());
    println!("following: {rounds} kills, {} blocks announced, none lost", watched.announced.len());
}

#[test]
fn a_node_killed_while_it_imports_a_state_has_all_of_it_or_none() {
    const ACCOUNTS: u64 = 500;
    let mut file = lasting();
    let accounts = file["alloc"].as_object_mut().unwrap();
    for number in 1..=ACCOUNTS {
        // None of those that are paid, nor a precompile.
        let address = Address::left_padding_from(&(number << 32).to_be_bytes());
        accounts.insert(address.to_string(), json!({ "balance": format!("{number:#x}") }));
    }
    let all = payments(&file, 2);
    let upstream =
        Node::start(Served { blocks: all.clone(), finalized: 2, raw: true, broken: None });
    let newest = |place: &Place| {
        let process = Process::start(&place.data, &place.follow(&upstream.url));
        process.announces(2);
        process.kill();
        let mut watched = Watched::new(&file, &all);
        watched.check(&place.data, 0);
        watched.hashes
    };
    let begun = std::time::Instant::now();
    let expected = newest(&place(&file.to_string()));
    assert_eq!(expected.len(), 3);
    let took = u64::try_from(begun.elapsed().as_millis()).unwrap();
    let mut rng = Rng::new(3, "import-kill-test", 0);
    let (rounds, mut cut) = (kills(6), 0);
    for _ in 0..rounds {
        let place = place(&file.to_string());
        let process = Process::start(&place.data, &place.follow(&upstream.url));
        std::thread::sleep(std::time::Duration::from_millis(rng.below(took)));
        if process.kill().is_empty() {
            cut += 1;
        }
        assert_eq!(newest(&place), expected);
    }
    println!(
        "importing: {rounds} kills, {cut} before block 0 was there, the whole state after each"
    );
}

#[test]
fn an_operator_who_trusts_a_checkpoint_signs_what_the_beacon_chain_proves() {
    let all = blocks();
    let network = network(5, 460, &all);
    let beacon = BeaconNode::start(Answers::honest(&network, 440));
    let upstream = serve(&all);
    upstream.change(|served| served.finalized = 0);
    let place = place(&file().to_string());
    let consensus = place.genesis().replace("genesis.json", "consensus.json");
    std::fs::write(&consensus, network.consensus().to_string()).unwrap();
    let root = checkpoint(&network).to_string();
    let follow = ["--follow", &upstream.url, "--genesis", place.genesis(), "--block-time-ms", "1"];
    let proven = ["--beacon", &beacon.url, "--checkpoint", &root, "--consensus", &consensus];
    for missing in [0, 2, 4] {
        let rest: Vec<_> = (0..6).filter(|at| at / 2 * 2 != missing).map(|at| proven[at]).collect();
        let said = refused(&place.data, &[&follow[..], &rest].concat());
        assert!(said.contains(proven[missing]), "{said}");
    }
    for both in ["--trust-upstream", "--quorum=1", "--follow-depth=0"] {
        let said = refused(&place.data, &[&follow[..], &proven, &[both]].concat());
        assert!(said.contains("cannot be used with"), "{said}");
    }
    let process = Process::start(&place.data, &[&follow[..], &proven].concat());
    assert!(process.event()["consensus"].is_object());
    process.announces(3);
    beacon.change(|answers| *answers = Answers::honest(&network, 448));
    process.announces(4);
    process.kill();
    let other = BeaconNode::start(Answers::honest(&support::beacon::network(6, 460, &all), 448));
    let proven = ["--beacon", &other.url, "--checkpoint", &root, "--consensus", &consensus];
    let process = Process::start(&place.data, &[&follow[..], &proven].concat());
    process.says("verify.checkpoint");
}
