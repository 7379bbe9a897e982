//! A state of a few accounts, its block, and requests about it, as a node and a client make them.

use std::collections::BTreeMap;

use crate::{Account, Query, Rlp, State, header, hex, keccak};
use serde_json::{Value, json};

/// The chain.
pub const CHAIN_ID: u64 = 7;
/// Hash of its block 0.
pub const GENESIS: [u8; 32] = [9; 32];
/// The block.
pub const NUMBER: u64 = 20_000;
/// Its beneficiary.
pub const COINBASE: [u8; 20] = [0xc0; 20];
/// Who is called.
pub const READER: [u8; 20] = [0xaa; 20];
/// Whom that one calls.
pub const CALLED: [u8; 20] = [0xbb; 20];
/// Whose code is measured.
pub const SIZED: [u8; 20] = [0xcc; 20];
/// Nobody.
pub const ABSENT: [u8; 20] = [0xdd; 20];
/// Who calls, where it matters.
pub const CALLER: [u8; 20] = [0xee; 20];
/// The code of EIP-2935's contract.
pub const HISTORY_CODE: &str = "3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042\
    575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff6001430306\
    5500";

/// All rules that are known, in their order.
pub const RULES: [&str; 11] = [
    "byzantium",
    "petersburg",
    "istanbul",
    "berlin",
    "london",
    "paris",
    "shanghai",
    "cancun",
    "prague",
    "osaka",
    "amsterdam",
];

/// The slot that a header of Amsterdam's names.
pub const SLOT: u64 = 0x1234;

/// Fields at a header's end, and the first rules that have them.
const APPENDED: &[(&str, &str)] = &[
    ("london", "baseFeePerGas"),
    ("shanghai", "withdrawalsRoot"),
    ("cancun", "blobGasUsed"),
    ("cancun", "excessBlobGas"),
    ("cancun", "parentBeaconBlockRoot"),
    ("prague", "requestsHash"),
    ("amsterdam", "blockAccessListHash"),
    ("amsterdam", "slotNumber"),
];

/// The history contract of EIP-2935.
pub fn history() -> [u8; 20] {
    hex::array("0000f90827f1c53a10cb7a02335b175320002935")
}

/// The accounts, and the header that commits to them.
#[derive(Clone, Debug)]
pub struct World {
    /// By address.
    pub accounts: BTreeMap<[u8; 20], Account>,
    /// Fields of the header, as JSON-RPC writes them.
    pub header: Value,
    /// Name of the rules, their blob fraction.
    pub fork: (&'static str, u64),
}

impl World {
    /// A Prague block with nothing but a contract of this code at [`READER`].
    pub fn of(code: &str) -> Self {
        let mut world =
            Self { accounts: BTreeMap::new(), header: prague(), fork: ("prague", 5_007_716) };
        world.contract(READER, code, &[]);
        world.contract(CALLED, "00", &[]);
        world
    }

    /// Makes its block follow these rules: the header has their fields, the rules their fraction.
    ///
    /// # Panics
    /// Where the header is no object, or the rules have no name here.
    #[must_use]
    pub fn under(mut self, rules: &'static str) -> Self {
        let place = |name| RULES.iter().position(|known| *known == name);
        let place_of_rules = place(rules).expect("rules that are known");
        let fields = self.header.as_object_mut().expect("an object");
        fields.insert("blockAccessListHash".into(), json!(hex::encode(&[0; 32])));
        fields.insert("slotNumber".into(), json!(format!("{SLOT:#x}")));
        for (since, name) in APPENDED {
            if place(since).is_some_and(|since| since > place_of_rules) {
                fields.remove(*name);
            }
        }
        let has_blobs = fields.contains_key("excessBlobGas");
        self.fork = (rules, if has_blobs { 5_007_716 } else { 0 });
        self
    }

    /// Adds a contract with one wei; slots are small.
    pub fn contract(&mut self, address: [u8; 20], code: &str, slots: &[(u64, Vec<u8>)]) {
        let storage = slots.iter().map(|(key, value)| (word(*key), value.clone())).collect();
        let account = Account { nonce: 1, balance: 1, storage, code: hex::decode(code) };
        self.accounts.insert(address, account);
    }

    /// What a node that has everything sends, for this call.
    pub fn request(&self, call: Call) -> Request {
        let state = State::new(self.accounts.clone());
        let mut nodes = Vec::new();
        for (address, account) in &self.accounts {
            let slots = account.storage.keys().map(|key| key.to_vec()).collect();
            let proof = state.prove(&Query { address: address.to_vec(), slots, want_code: false });
            nodes.extend(proof.nodes);
            nodes.extend(proof.slots.into_iter().flat_map(|slot| slot.nodes));
        }
        nodes.sort_unstable();
        nodes.dedup();
        let mut header = self.header.clone();
        header["stateRoot"] = json!(hex::encode(&state.root()));
        let header = header::execution(&header);
        let codes = self.accounts.values().map(|account| account.code.clone());
        Request {
            forks: forks(&[(self.fork.0, "block", 0, self.fork.1)]),
            hash: keccak(&header),
            headers: vec![header],
            nodes,
            codes: codes.filter(|code| !code.is_empty()).collect(),
            ancestors: Vec::new(),
            calls: vec![call],
            limits: [1 << 24, 64 << 20, 10_000],
            altered: Vec::new(),
            block: Default::default(),
            in_sequence: false,
        }
    }

    /// The nodes that prove an account and slots of it.
    pub fn proof(&self, address: [u8; 20], slots: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let state = State::new(self.accounts.clone());
        let query = Query { address: address.to_vec(), slots: slots.to_vec(), want_code: false };
        let proof = state.prove(&query);
        let slots = proof.slots.into_iter().flat_map(|slot| slot.nodes);
        proof.nodes.into_iter().chain(slots).collect()
    }
}

/// The chain's configuration, RLP.
pub fn chain() -> Vec<u8> {
    Rlp::list([Rlp::str("ethereum"), Rlp::uint(CHAIN_ID), Rlp::str(GENESIS)]).encode()
}

/// A word that holds a number.
pub fn word(number: u64) -> [u8; 32] {
    let mut word = [0; 32];
    word[24..].copy_from_slice(&number.to_be_bytes());
    word
}

/// Hash of a block, as this chain has it.
pub fn block_hash(number: u64) -> [u8; 32] {
    keccak(&number.to_be_bytes())
}

/// The fields of a Prague header.
fn prague() -> Value {
    let zero = hex::encode(&[0; 32]);
    json!({
        "parentHash": hex::encode(&block_hash(NUMBER - 1)),
        "sha3Uncles": zero,
        "miner": hex::encode(&COINBASE),
        "transactionsRoot": zero,
        "receiptsRoot": zero,
        "logsBloom": hex::encode(&[0; 256]),
        "difficulty": "0x0",
        "number": format!("{NUMBER:#x}"),
        "gasLimit": "0x2255100",
        "gasUsed": "0x0",
        "timestamp": "0x6553f100",
        "extraData": "0x",
        "mixHash": hex::encode(&[0x3a; 32]),
        "nonce": "0x0000000000000000",
        "baseFeePerGas": "0x3b9aca07",
        "withdrawalsRoot": zero,
        "blobGasUsed": "0x0",
        "excessBlobGas": "0x2000000",
        "parentBeaconBlockRoot": zero,
        "requestsHash": zero,
    })
}

/// A table of forks: rules, `block` or `time`, where they begin, blob fraction.
pub fn forks(entries: &[(&str, &str, u64, u64)]) -> Vec<u8> {
    let entry = |(rules, start, at, fraction): &(&str, &str, u64, u64)| {
        Rlp::list([Rlp::str(rules), Rlp::str(start), Rlp::uint(*at), Rlp::uint(*fraction)])
    };
    Rlp::list(entries.iter().map(entry)).encode()
}

/// A call's fields.
#[derive(Clone, Debug)]
pub struct Call {
    /// Who calls.
    pub from: [u8; 20],
    /// Who is called; empty to create.
    pub to: Vec<u8>,
    /// Its limit.
    pub gas: u64,
    /// Wei.
    pub value: u64,
    /// Input.
    pub data: Vec<u8>,
}

/// A call of [`READER`] by nobody, with the most gas.
pub fn call() -> Call {
    Call { from: [0; 20], to: READER.to_vec(), gas: 1 << 24, value: 0, data: Vec::new() }
}

/// A request of `spec/calls.md`, section 3, and the table of forks beside it. Loose fields, so that
/// tests can break them.
#[derive(Clone, Debug)]
pub struct Request {
    /// RLP.
    pub forks: Vec<u8>,
    /// What the caller trusts.
    pub hash: [u8; 32],
    /// From the trusted one back to the block that calls run in.
    pub headers: Vec<Vec<u8>>,
    /// Of tries.
    pub nodes: Vec<Vec<u8>>,
    /// Of contracts.
    pub codes: Vec<Vec<u8>>,
    /// Headers before the block.
    pub ancestors: Vec<Vec<u8>>,
    /// What is run.
    pub calls: Vec<Call>,
    /// Gas, memory, items.
    pub limits: [u64; 3],
    /// The state's overrides.
    pub altered: Vec<Altered>,
    /// Number, time, gas limit, coinbase, random value, base fee, blob base fee.
    pub block: [Option<Vec<u8>>; 7],
    /// Whether each call runs on what those before it left.
    pub in_sequence: bool,
}

/// A state override.
#[derive(Clone, Debug, Default)]
pub struct Altered {
    /// Whose.
    pub address: [u8; 20],
    /// Wei.
    pub balance: Option<u64>,
    /// Count.
    pub nonce: Option<u64>,
    /// Of a contract.
    pub code: Option<Vec<u8>>,
    /// All slots.
    pub storage: Option<Vec<(u64, u64)>>,
    /// Some slots.
    pub slots: Vec<(u64, u64)>,
}

impl Altered {
    fn encode(&self) -> Rlp {
        let slots = |slots: &[(u64, u64)]| {
            Rlp::list(
                slots
                    .iter()
                    .map(|(key, value)| Rlp::list([Rlp::str(word(*key)), Rlp::uint(*value)])),
            )
        };
        Rlp::list([
            Rlp::str(self.address),
            Rlp::list(self.balance.map(Rlp::uint)),
            Rlp::list(self.nonce.map(Rlp::uint)),
            Rlp::strings(&self.code),
            Rlp::list(self.storage.as_deref().map(slots)),
            slots(&self.slots),
        ])
    }
}

impl Request {
    /// RLP.
    pub fn encode(&self) -> Vec<u8> {
        let call = |call: &Call| {
            Rlp::list([
                Rlp::str(call.from),
                Rlp::str(&call.to),
                Rlp::uint(call.gas),
                Rlp::uint(0),
                Rlp::uint(call.value),
                Rlp::str(&call.data),
                Rlp::list([]),
            ])
        };
        Rlp::list([
            Rlp::list([Rlp::str(self.hash), Rlp::strings(&self.headers)]),
            Rlp::list([&self.nodes, &self.codes, &self.ancestors].map(Rlp::strings)),
            Rlp::list(self.calls.iter().map(call)),
            Rlp::list(self.limits.map(Rlp::uint)),
            Rlp::list([
                Rlp::list(self.altered.iter().map(Altered::encode)),
                Rlp::list(self.block.iter().map(Rlp::strings)),
            ]),
            Rlp::uint(u64::from(self.in_sequence)),
        ])
        .encode()
    }
}
