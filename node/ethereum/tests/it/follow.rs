//! Which block comes next, by nodes that lie, disagree, fall silent or change their minds.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::support::code::genesis;
use super::support::node::{Broken, Node, Served};
use super::support::{Grown, Key, seal, take};
use alloy_eips::eip4895::Withdrawal;
use alloy_primitives::{Address, B256};
use lightproof_ethereum::block::Block;
use lightproof_ethereum::follow::{FollowError, Follower, Held, Next, Options};
use lightproof_ethereum::genesis::Genesis;

/// A chain of `count` blocks after block 0; from block `fork` on it pays somebody else.
fn blocks(count: usize, fork: usize, paid: u8) -> Vec<Block> {
    let genesis = Genesis::parse(genesis().to_string().as_bytes()).unwrap();
    let mut chain = Grown::new(&genesis);
    let body =
        alloy_consensus::BlockBody { withdrawals: Some(Vec::new().into()), ..Default::default() };
    let mut all = vec![seal(genesis.header, body)];
    for number in 1..=count {
        let to = Address::repeat_byte(if number < fork { 1 } else { paid });
        let transaction =
            super::support::transactions::call(&Key::new(1), number as u64 - 1, to, 1, &[]);
        let block = chain.build(vec![transaction], Vec::new());
        chain.extend(&block);
        all.push(block);
    }
    all
}

fn start(blocks: &[Block], finalized: usize) -> Node {
    Node::start(Served { blocks: blocks.to_vec(), finalized, raw: true, broken: None })
}

fn options() -> Options {
    Options { timeout: Duration::from_mins(1), ..Options::default() }
}

fn follow(nodes: &[&Node], options: Options) -> (Follower, Grown) {
    let genesis = Genesis::parse(genesis().to_string().as_bytes()).unwrap();
    let urls: Vec<_> = nodes.iter().map(|node| node.url.clone()).collect();
    (Follower::new(&urls, options, genesis.hash).unwrap(), Grown::new(&genesis))
}

#[test]
fn follows_finalized_blocks_and_waits_for_more() {
    let all = blocks(5, 9, 0);
    for raw in [true, false] {
        let node = start(&all, 3);
        node.change(|served| served.raw = raw);
        let (mut follower, mut chain) = follow(&[&node], options());
        let why = take(&mut follower, &mut chain).unwrap();
        assert_eq!((chain.head(), why.as_str()), ((3, all[3].hash), "newest"));
        node.change(|served| served.finalized = 5);
        take(&mut follower, &mut chain).unwrap();
        assert_eq!(chain.head(), (5, all[5].hash));
    }
}

#[test]
fn follows_to_a_depth_below_the_head() {
    let all = blocks(5, 9, 0);
    for (depth, expected) in [(0, 5), (2, 3), (5, 0), (9, 0)] {
        let node = start(&all, 0);
        let (mut follower, mut chain) =
            follow(&[&node], Options { depth: Some(depth), ..options() });
        take(&mut follower, &mut chain).unwrap();
        assert_eq!(chain.head().0, expected, "{depth}");
    }
}

#[test]
fn headers_are_fetched_in_batches() {
    let all = blocks(150, 999, 0);
    let node = start(&all, 150);
    let (mut follower, mut chain) = follow(&[&node], options());
    take(&mut follower, &mut chain).unwrap();
    assert_eq!(chain.head(), (150, all[150].hash));
    // Block 0, the head twice, three batches, and every block once.
    assert_eq!(node.requests.load(Ordering::Relaxed), 1 + 2 + 3 + 150);
}

#[test]
fn a_reorganization_below_what_is_held_stops_and_names_height_and_hashes() {
    let (all, other) = (blocks(5, 9, 0), blocks(7, 3, 2));
    assert_eq!(all[2].hash, other[2].hash);
    for finalized in [3, 5, 7] {
        let node = start(&all, 5);
        let (mut follower, mut chain) = follow(&[&node], options());
        take(&mut follower, &mut chain).unwrap();
        node.change(|served| (served.blocks, served.finalized) = (other.clone(), finalized));
        let number = finalized.min(5);
        let (ours, theirs) = (all[number].hash, other[number].hash);
        let expected = FollowError::Reorganized { number: number as u64, ours, theirs };
        let found = follower.next(&chain).unwrap_err();
        assert_eq!(found, expected);
        let text = found.to_string();
        for part in [number.to_string(), ours.to_string(), theirs.to_string()] {
            assert!(text.contains(&part), "{text}");
        }
    }
}

#[test]
fn a_head_that_goes_back_is_waited_for() {
    let all = blocks(5, 9, 0);
    let node = start(&all, 5);
    let (mut follower, mut chain) = follow(&[&node], options());
    take(&mut follower, &mut chain).unwrap();
    for finalized in [4, 0] {
        node.change(|served| served.finalized = finalized);
        let why = take(&mut follower, &mut chain).unwrap();
        assert!(why.contains("is below block 5"), "{why}");
    }
    assert_eq!(chain.head(), (5, all[5].hash));
}

#[test]
fn a_reorganization_above_what_is_held_is_followed() {
    let (all, other) = (blocks(5, 9, 0), blocks(7, 3, 2));
    let node = start(&all, 5);
    let (mut follower, mut chain) = follow(&[&node], options());
    for _ in 0..2 {
        let Next::Block(block) = follower.next(&chain).unwrap() else { panic!() };
        chain.extend(&block);
    }
    node.change(|served| (served.blocks, served.finalized) = (other.clone(), 7));
    // The hashes that were looked up are of the old chain: it looks again, and goes on.
    assert!(matches!(follower.next(&chain).unwrap(), Next::Wait(_)));
    take(&mut follower, &mut chain).unwrap();
    assert_eq!(chain.head(), (7, other[7].hash));
}

#[test]
fn another_chain_is_refused_by_its_block_0() {
    let mut all = blocks(1, 9, 0);
    all[0].header.timestamp += 1;
    let node = start(&all, 1);
    let (mut follower, chain) = follow(&[&node], options());
    let found = follower.next(&chain).unwrap_err();
    assert!(
        matches!(&found, FollowError::OtherChain { found, .. } if *found == all[0].header.hash_slow())
    );
}

#[test]
fn a_forged_child_is_followed_by_nobody_who_asks_two_nodes() {
    let all = blocks(3, 9, 0);
    let mut forged = blocks(2, 9, 0);
    let mint =
        Withdrawal { index: 0, validator_index: 0, address: Address::ZERO, amount: u64::MAX };
    let genesis = Genesis::parse(genesis().to_string().as_bytes()).unwrap();
    let mut chain = Grown::new(&genesis);
    chain.extend(&forged[1]);
    chain.extend(&forged[2]);
    forged.push(chain.build(Vec::new(), vec![mint]));
    let [honest, liar, third] = [start(&all, 3), start(&forged, 3), start(&all, 2)];
    // It is valid: by one node alone it would be taken.
    let (mut follower, mut alone) = follow(&[&liar], options());
    take(&mut follower, &mut alone).unwrap();
    assert_eq!(alone.head(), (3, forged[3].hash));
    let two = Options { quorum: 2, ..options() };
    let (mut follower, mut chain) = follow(&[&liar, &honest], two);
    let why = take(&mut follower, &mut chain).unwrap();
    assert_eq!(chain.head().0, 0);
    assert!(why.contains("do not agree on block 3"), "{why}");
    // Two that agree are enough, at the height that both have reached.
    let (mut follower, mut chain) = follow(&[&liar, &honest, &third], two);
    take(&mut follower, &mut chain).unwrap();
    assert_eq!(chain.head().0, 0);
    third.change(|served| served.finalized = 3);
    take(&mut follower, &mut chain).unwrap();
    assert_eq!(chain.head(), (3, all[3].hash));
    // A node that names a height which no other has reached changes nothing.
    let (mut follower, mut chain) = follow(&[&honest, &third], two);
    third.change(|served| served.finalized = 1);
    take(&mut follower, &mut chain).unwrap();
    assert_eq!(chain.head(), (1, all[1].hash));
}

#[test]
fn a_quorum_of_more_nodes_than_there_are_is_refused() {
    for quorum in [0, 2] {
        let options = Options { quorum, ..options() };
        let urls = ["http://127.0.0.1:1".to_owned()];
        let found = Follower::new(&urls, options, B256::ZERO).err();
        assert_eq!(found, Some(FollowError::Quorum { quorum, upstreams: 1 }));
    }
    let found = Follower::new(&["ws://127.0.0.1".to_owned()], options(), B256::ZERO);
    assert!(matches!(found, Err(FollowError::Url(_))));
}

#[test]
fn a_block_with_a_body_that_is_not_its_own_is_refused_and_another_node_asked() {
    let all = blocks(2, 9, 0);
    let [liar, honest] = [start(&all, 2), start(&all, 2)];
    // Another block under the height, and a malformed one, as raw bytes.
    liar.change(|served| served.blocks[1].header.gas_used += 1);
    let (mut follower, mut chain) = follow(&[&liar], options());
    let why = take(&mut follower, &mut chain).unwrap();
    assert!(why.contains("has another block 1"), "{why}");
    let (mut follower, mut chain) = follow(&[&liar, &honest], options());
    take(&mut follower, &mut chain).unwrap();
    assert_eq!(chain.head(), (2, all[2].hash));
}

#[test]
fn answers_that_are_malformed_endless_or_missing_are_waited_out() {
    let all = blocks(1, 9, 0);
    let honest = start(&all, 1);
    let bodies =
        ["", "null", "[]", "{}", "{\"id\":0}", "{\"id\":0,\"result\":{}}", "\u{0}", "[[[[[["];
    let mut broken: Vec<_> =
        bodies.iter().map(|body| Broken::Body(body.as_bytes().to_vec())).collect();
    broken.push(Broken::Body("[".repeat(1 << 20).into_bytes()));
    broken.push(Broken::Body(
        b"{\"id\":0,\"error\":{\"code\":-32003,\"message\":\"too large\"}}".to_vec(),
    ));
    broken.extend([Broken::Endless, Broken::Silent, Broken::Elsewhere, Broken::Down]);
    for how in broken {
        let node = start(&all, 1);
        node.change(|served| served.broken = Some(how.clone()));
        let quick = Options { timeout: Duration::from_secs(3), ..options() };
        let (mut follower, chain) = follow(&[&node], quick);
        assert!(matches!(follower.next(&chain).unwrap(), Next::Wait(_)), "{how:?}");
        // The same beside a node that answers.
        let (mut follower, mut chain) = follow(&[&node, &honest], quick);
        take(&mut follower, &mut chain).unwrap();
        assert_eq!(chain.head(), (1, all[1].hash), "{how:?}");
        node.change(|served| served.broken = None);
    }
}

#[test]
fn the_header_of_a_hash_is_that_hash_or_nothing() {
    let all = blocks(1, 9, 0);
    let node = start(&all, 1);
    let (follower, _) = follow(&[&node], options());
    assert_eq!(follower.header(all[1].hash).unwrap(), all[1].header);
    assert!(follower.header(B256::ZERO).is_err());
}
