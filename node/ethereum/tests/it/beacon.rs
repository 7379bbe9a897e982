//! The head as the beacon chain proves it, by beacon nodes that lie, are behind or fall silent.

use std::time::Duration;

use super::support::beacon::{Answers, BeaconNode, START, checkpoint, consensus, network};
use super::support::followed::{blocks, file, genesis, serve};
use super::support::node::Node;
use super::support::{CHAIN_ID, Grown, take};
use alloy_primitives::B256;
use lightproof_ethereum::block::Block;
use lightproof_ethereum::follow::beacon::{Beacon, BeaconError, Consensus};
use lightproof_ethereum::follow::{FollowError, Follower, Held as _, Options};
use lightproof_generator::light::beacon::network::Network;

/// The keys of the network that the checkpoint is of, and of another one.
const SEED: u64 = 5;
const OTHER: u64 = 6;
/// The slot of now: period 7.
const NOW: u64 = 460;
/// Final is then block 3, at slot 424, and block 4, at slot 432, which period 7 signs.
const THIRD: u64 = 440;
const FOURTH: u64 = 448;

fn beacon(urls: &[&BeaconNode], network: &Network) -> Beacon {
    let urls: Vec<_> = urls.iter().map(|node| node.url.clone()).collect();
    let chain = (CHAIN_ID, genesis(&file()).hash);
    let timeout = Duration::from_secs(30);
    Beacon::new(&urls, consensus(network), chain, checkpoint(network), timeout).unwrap()
}

fn follow(nodes: &[&Node], beacon: Beacon) -> (Follower, Grown) {
    let genesis = genesis(&file());
    let urls: Vec<_> = nodes.iter().map(|node| node.url.clone()).collect();
    let follower = Follower::new(&urls, Options::default(), genesis.hash).unwrap();
    (follower.by(beacon), Grown::new(&genesis))
}

/// Other blocks after block 0, as valid as the chain's.
fn forged() -> Vec<Block> {
    let mut chain = Grown::new(&genesis(&file()));
    let mut all = vec![blocks().remove(0)];
    for _ in 0..4 {
        let block = chain.build(Vec::new(), Vec::new());
        chain.extend(&block);
        all.push(block);
    }
    all
}

#[test]
fn follows_to_the_block_that_is_proven_whatever_the_node_names() {
    let all = blocks();
    let network = network(SEED, NOW, &all);
    let upstream = serve(&all);
    upstream.change(|served| served.finalized = 0);
    let signed = BeaconNode::start(Answers::honest(&network, THIRD));
    let (mut follower, mut chain) = follow(&[&upstream], beacon(&[&signed], &network));
    assert_eq!(take(&mut follower, &mut chain).unwrap(), "newest");
    assert_eq!(chain.head(), (3, all[3].hash));
    // Across a handover of committees.
    signed.change(|answers| *answers = Answers::honest(&network, FOURTH));
    upstream.change(|served| served.finalized = 1);
    assert_eq!(take(&mut follower, &mut chain).unwrap(), "newest");
    assert_eq!(chain.head(), (4, all[4].hash));
    // What was proven stays so while nodes are behind, or say nothing.
    for answers in [Answers::honest(&network, THIRD), Answers::default()] {
        signed.change(|served| *served = answers);
        assert_eq!(take(&mut follower, &mut chain).unwrap(), "newest");
    }
}

#[test]
fn a_forged_chain_is_followed_by_nobody() {
    let (all, forged) = (blocks(), forged());
    let network = network(SEED, NOW, &all);
    let signed = BeaconNode::start(Answers::honest(&network, FOURTH));
    let [liar, honest] = [serve(&forged), serve(&all)];
    let (mut follower, mut chain) = follow(&[&liar], beacon(&[&signed], &network));
    let why = take(&mut follower, &mut chain).unwrap();
    assert!(why.contains("has another block 4"), "{why}");
    assert_eq!(chain.head().0, 0);
    let (mut follower, mut chain) = follow(&[&liar, &honest], beacon(&[&signed], &network));
    take(&mut follower, &mut chain).unwrap();
    assert_eq!(chain.head(), (4, all[4].hash));
}

/// What a beacon node serves that leads its client to the forged chain, if it can.
fn lies(real: &Network) -> Vec<(&'static str, Answers)> {
    let forged = forged();
    let theirs = network(OTHER, NOW, &forged);
    let honest = Answers::honest(real, FOURTH);
    let other = Answers::honest(&theirs, FOURTH);
    let block = (4, forged[4].hash.0);
    let [few, swapped] = [
        real.update_by(THIRD, "finality", &[0b0001_1111]),
        real.update_with(THIRD, "finality", block),
    ];
    let none = Vec::<u8>::new();
    let only = |finality: Vec<u8>| Answers { finality, updates: Vec::new(), ..honest.clone() };
    let mut cut = honest.clone();
    cut.updates.iter_mut().for_each(|(_, update)| update.truncate(100));
    vec![
        ("all of another network", other.clone()),
        ("a finality that other keys signed", only(other.finality.clone())),
        (
            "committees of another network",
            Answers { updates: other.updates.clone(), ..honest.clone() },
        ),
        ("a finality that five of eight signed", only(few)),
        ("a finality around another execution block", only(swapped)),
        ("a finality of a committee that is not known", only(honest.finality.clone())),
        ("an update in place of a finality", only(honest.updates[0].1.clone())),
        ("updates that are cut off", Answers { finality: none.clone(), ..cut }),
        ("nothing after the bootstrap", only(none.clone())),
        ("another form", Answers { kind: Some("application/json"), ..honest.clone() }),
        ("nothing", Answers::default()),
    ]
}

#[test]
fn no_beacon_node_leads_to_a_block_that_its_committees_did_not_sign() {
    let all = blocks();
    let network = network(SEED, NOW, &all);
    let [forging, honest] = [serve(&forged()), serve(&all)];
    let right = BeaconNode::start(Answers::honest(&network, FOURTH));
    for (lie, answers) in lies(&network) {
        let liar = BeaconNode::start(answers);
        for upstream in [&forging, &honest] {
            let (mut follower, mut chain) = follow(&[upstream], beacon(&[&liar], &network));
            take(&mut follower, &mut chain).unwrap();
            assert_eq!(chain.head().0, 0, "{lie}");
        }
        // The next one is asked.
        let (mut follower, mut chain) = follow(&[&honest], beacon(&[&liar, &right], &network));
        take(&mut follower, &mut chain).unwrap();
        assert_eq!(chain.head(), (4, all[4].hash), "{lie}");
    }
}

#[test]
fn a_checkpoint_that_is_too_old_stops_the_node() {
    let all = blocks();
    let days = |days: u64| days * 86_400 / 6;
    for (age, is_old) in [(days(14) - 100, false), (days(14), true)] {
        let network = network(SEED, START + age, &all);
        let node = BeaconNode::start(Answers::honest(&network, THIRD));
        let upstream = serve(&all);
        let (mut follower, mut chain) = follow(&[&upstream], beacon(&[&node], &network));
        let found = take(&mut follower, &mut chain);
        let expected = FollowError::Beacon(BeaconError::Old { age: 14, max: 14 });
        if is_old {
            assert_eq!(found, Err(expected));
            assert_eq!(chain.head().0, 0);
        } else {
            assert_eq!(found.as_deref(), Ok("newest"));
            assert_eq!(chain.head().0, 3);
        }
    }
}

#[test]
fn what_no_client_can_start_from_is_refused() {
    let network = network(SEED, NOW, &[]);
    let (timeout, url) = (Duration::from_secs(30), "http://127.0.0.1:1");
    let new = |url: &str, root: B256, consensus: Consensus| {
        Beacon::new(&[url.to_owned()], consensus, (1, B256::ZERO), root, timeout).err()
    };
    let root = checkpoint(&network);
    let zero = new(url, B256::ZERO, consensus(&network));
    assert!(matches!(zero, Some(BeaconError::Checkpoint(_))));
    let socket = new("ws://127.0.0.1", root, consensus(&network));
    assert!(matches!(socket, Some(BeaconError::Url(_))));
    assert!(new(url, root, consensus(&network)).is_none());
    let mut odd = network.consensus();
    odd["committeeSize"] = 7.into();
    let odd = Consensus::parse(odd.to_string().as_bytes()).unwrap();
    assert!(matches!(new(url, root, odd), Some(BeaconError::Consensus(_))));
    let mut unknown = network.consensus();
    unknown["period"] = 7.into();
    for json in [unknown.to_string(), "{}".to_owned(), String::new()] {
        let found = Consensus::parse(json.as_bytes());
        assert!(matches!(found, Err(BeaconError::Consensus(_))), "{json}");
    }
}
