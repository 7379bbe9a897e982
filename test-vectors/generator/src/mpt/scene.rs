//! The state, headers and addresses that most cases share.

use std::collections::BTreeMap;

use super::reply::{Query, word};
use super::world::{Entry, World};
use crate::case::{Case, Expected, Setting, Source, header_source};
use lightproof_prover::chain::header::Header;
use lightproof_prover::chain::workload::population::{EMBEDDED_PAIRS, low_slot};
use lightproof_prover::chain::{Address, CHAIN_ID, Slot};
use lightproof_prover::hash::{EMPTY_ROOT, Word, keccak256};
use lightproof_prover::rlp::Item;
use lightproof_prover::trie::nibbles::{common_prefix, unpack};
use lightproof_prover::trie::node::Node;

/// Where an absence proof ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// In a branch whose child is empty.
    Branch,
    /// In the leaf of another key.
    Leaf,
    /// In an extension that leaves the key's path.
    Extension,
}

/// A devnet with a populated state.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The state of blocks 2 and 3.
    pub world: World,
    /// The state of block 1: every balance is lower.
    pub stale: World,
    /// A state with an extension in its account trie.
    pub sparse: World,
    /// Headers 0 to 3.
    pub headers: Vec<Header>,
}

impl Scene {
    /// Builds everything. The same every time.
    pub fn new() -> Self {
        let (world, stale) = (World::new(accounts(200)), World::new(accounts(100)));
        let mut headers: Vec<Header> = Vec::new();
        for (number, root) in (0..).zip([EMPTY_ROOT, stale.root, world.root, world.root]) {
            let parent = headers.last().map_or([0; 32], Header::hash);
            headers.push(Header::new(parent, number, vec![("mpt".to_owned(), root.to_vec())]));
        }
        Self { world, stale, sparse: World::new(sparse_accounts()), headers }
    }

    /// The devnet of [`Scene::headers`].
    pub fn devnet(&self) -> Setting {
        Setting {
            kind: "devnet",
            chain_id: CHAIN_ID,
            genesis_hash: self.headers[0].hash(),
            format: "mpt/1",
            params_digest: None,
            params: Vec::new(),
        }
    }

    /// Trusts block 3, whose state is [`Scene::world`].
    pub fn source(&self) -> Source {
        header_source(&[self.headers[3].encode()])
    }

    /// Trusts block `from` and walks back to block `to`.
    pub fn ancestors(&self, from: usize, to: usize) -> Source {
        let walk: Vec<_> = self.headers[to..=from].iter().rev().map(Header::encode).collect();
        header_source(&walk)
    }

    /// An address that is absent from `world` and whose proof ends as wanted.
    pub fn absent(world: &World, end: End) -> Address {
        let ends_so = |address: &Address| {
            let nodes = world.reply(&Query::account(*address)).nodes;
            let last = nodes.last().and_then(|node| Node::decode(node));
            match last {
                Some(Node::Branch { .. }) => end == End::Branch,
                Some(Node::Leaf { .. }) => end == End::Leaf,
                Some(Node::Extension { .. }) => end == End::Extension,
                _ => false,
            }
        };
        let absent = |address: &Address| world.entry(address).is_none();
        (0..100_000)
            .map(|index| address("absent", index))
            .find(|a| absent(a) && ends_so(a))
            .unwrap_or_default()
    }
}

impl Default for Scene {
    fn default() -> Self {
        Self::new()
    }
}

/// Pins a state root.
pub fn root_source(root: Word) -> Source {
    Source::Root { number: super::nodes::NUMBER, bytes: root.to_vec() }
}

/// A case that must prove exactly what `world`'s model says.
pub fn valid(
    flags: &[&'static str],
    comment: &str,
    source: Source,
    world: &World,
    query: &Query,
) -> Case {
    Case {
        comment: comment.to_owned(),
        flags: flags.to_vec(),
        source,
        query: query.encode(),
        variant: "plain",
        proof: world.reply(query).encode(),
        expected: Expected::Valid(world.fact(query)),
    }
}

/// An address by kind and index.
pub fn address(kind: &str, index: u64) -> Address {
    let hash = keccak256(format!("lightproof/vectors/{kind}/{index}").as_bytes());
    std::array::from_fn(|i| hash[12 + i])
}

/// An account that sent transactions and has no code.
pub fn eoa() -> Address {
    address("eoa", 5)
}

/// A contract with slots 0 to 19.
pub fn contract() -> Address {
    address("contract", 0)
}

/// Another contract with slots 0 to 11.
pub fn other_contract() -> Address {
    address("contract", 1)
}

/// A contract whose two leaves are embedded in their branch.
pub fn tiny() -> Address {
    address("tiny", 0)
}

/// An account with the largest fields and slot values at the edges of RLP's forms.
pub fn extreme() -> Address {
    address("extreme", 0)
}

/// An account that delegates its code (EIP-7702).
pub fn delegated() -> Address {
    address("delegated", 0)
}

/// The two slots of [`tiny`].
pub fn tiny_slots() -> [Slot; 2] {
    [low_slot(EMBEDDED_PAIRS[0].0), low_slot(EMBEDDED_PAIRS[0].1)]
}

/// Values of [`extreme`]'s slots 0 to 3.
pub fn extreme_values() -> [Word; 4] {
    [[0xff; 32], word(&[0x7f]), word(&[0x80]), word(&[1, 0])]
}

/// Some code.
pub fn code() -> Vec<u8> {
    [&[0x60, 0x80, 0x60, 0x40, 0x52], [0x5b; 59].as_slice()].concat()
}

fn accounts(wei: u8) -> BTreeMap<Address, Entry> {
    let plain = |nonce, balance| Entry { nonce, balance, ..Entry::default() };
    let slots = |count: u64| -> BTreeMap<Slot, Word> {
        (0..count).map(|slot| (low_slot(slot), keccak256(&low_slot(slot)))).collect()
    };
    let mut all: BTreeMap<Address, Entry> = (0..36_u8)
        .map(|i| (address("eoa", i.into()), plain(i.into(), word(&[wei, i, 7]))))
        .collect();
    let with_code =
        |nonce, slots, code: Vec<u8>| Entry { nonce, balance: word(&[wei]), slots, code };
    all.insert(contract(), with_code(1, slots(20), code()));
    all.insert(other_contract(), with_code(1, slots(12), code()));
    let small = tiny_slots().into_iter().zip([word(&[0x2a]), word(&[0x11])]).collect();
    all.insert(tiny(), with_code(1, small, code()));
    let delegation = [&[0xef, 0x01, 0x00], contract().as_slice()].concat();
    all.insert(delegated(), with_code(9, BTreeMap::new(), delegation));
    let edges = (0..).map(low_slot).zip(extreme_values()).collect();
    all.insert(
        extreme(),
        Entry { nonce: u64::MAX, balance: [0xff; 32], slots: edges, code: vec![0] },
    );
    all
}

/// Two accounts whose keys share three nibbles, and one that shares none with them.
fn sparse_accounts() -> BTreeMap<Address, Entry> {
    let shared =
        |a: &Address, b: &Address| common_prefix(&unpack(&keccak256(a)), &unpack(&keccak256(b)));
    let first = address("sparse", 0);
    let find = |nibbles| {
        let found = (1..100_000)
            .map(|index| address("sparse", index))
            .find(|other| shared(&first, other) == nibbles);
        found.unwrap_or_default()
    };
    let entry = |nonce| Entry { nonce, balance: word(&[1, 0, 0]), ..Entry::default() };
    BTreeMap::from([(first, entry(1)), (find(3), entry(2)), (find(0), entry(3))])
}

/// An Ethereum header with the first `fields` fields; beyond the 23 known ones come unknown ones.
pub fn execution_header(fields: usize, number: u64, parent: Word, state_root: Word) -> Vec<Item> {
    let hash = |name: &str| Item::bytes(keccak256(name.as_bytes()));
    let mut items = vec![
        Item::bytes(parent),
        hash("sha3Uncles"),
        Item::bytes(address("miner", 0)),
        Item::bytes(state_root),
        hash("transactionsRoot"),
        hash("receiptsRoot"),
        Item::bytes([0; 256]),
        Item::uint(0_u64),
        Item::uint(number),
        Item::uint(30_000_000_u64),
        Item::uint(12_345_678_u64),
        Item::uint(1_700_000_000 + 12 * number),
        Item::bytes("lightproof"),
        hash("mixHash"),
        Item::bytes([0; 8]),
        Item::uint(7_u64),
        hash("withdrawalsRoot"),
        Item::uint(131_072_u64),
        Item::uint(0_u64),
        hash("parentBeaconBlockRoot"),
        hash("requestsHash"),
        hash("blockAccessListHash"),
        Item::uint(11_000_000_u64),
        Item::List(vec![Item::bytes("a later fork"), Item::uint(1_u64)]),
    ];
    items.truncate(fields);
    items
}
