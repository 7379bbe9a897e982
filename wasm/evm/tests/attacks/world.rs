//! A state of a few accounts, its block, and requests about it, as a node and a client make them.

use std::collections::BTreeMap;
use std::rc::Rc;

use lightproof_evm::Heavy;
use lightproof_testkit::{Account, Query, Rlp, State, header, hex, keccak};
use serde_json::{Value, json};

pub(super) const CHAIN_ID: u64 = 7;
pub(super) const NUMBER: u64 = 20_000;
pub(super) const COINBASE: [u8; 20] = [0xc0; 20];
pub(super) const READER: [u8; 20] = [0xaa; 20];
pub(super) const CALLED: [u8; 20] = [0xbb; 20];
pub(super) const SIZED: [u8; 20] = [0xcc; 20];
pub(super) const ABSENT: [u8; 20] = [0xdd; 20];
pub(super) const CALLER: [u8; 20] = [0xee; 20];
pub(super) const HISTORY_CODE: &str = "3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042\
    575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff6001430306\
    5500";

/// The history contract of EIP-2935.
pub(super) fn history() -> [u8; 20] {
    hex::array("0000f90827f1c53a10cb7a02335b175320002935")
}

/// The accounts, and the header that commits to them.
pub(super) struct World {
    pub(super) accounts: BTreeMap<[u8; 20], Account>,
    /// Fields of the header, as JSON-RPC writes them.
    pub(super) header: Value,
    /// Name of the rules, their blob fraction.
    pub(super) fork: (&'static str, u64),
}

impl World {
    /// A Prague block with nothing but a contract of this code at [`READER`].
    pub(super) fn of(code: &str) -> Self {
        let mut world =
            Self { accounts: BTreeMap::new(), header: prague(), fork: ("prague", 5_007_716) };
        world.contract(READER, code, &[]);
        world.contract(CALLED, "00", &[]);
        world
    }

    /// Adds a contract with one wei; slots are small.
    pub(super) fn contract(&mut self, address: [u8; 20], code: &str, slots: &[(u64, Vec<u8>)]) {
        let storage = slots.iter().map(|(key, value)| (word(*key), value.clone())).collect();
        let account = Account { nonce: 1, balance: 1, storage, code: hex::decode(code) };
        self.accounts.insert(address, account);
    }

    /// What a node that has everything sends, for this call.
    pub(super) fn request(&self, call: Call) -> Request {
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
            heavy: Rc::new(()),
            calls: vec![call],
            limits: [1 << 24, 64 << 20, 10_000],
            altered: Vec::new(),
            block: Default::default(),
            in_sequence: false,
        }
    }

    /// The nodes that prove an account and slots of it.
    pub(super) fn proof(&self, address: [u8; 20], slots: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let state = State::new(self.accounts.clone());
        let query = Query { address: address.to_vec(), slots: slots.to_vec(), want_code: false };
        let proof = state.prove(&query);
        let slots = proof.slots.into_iter().flat_map(|slot| slot.nodes);
        proof.nodes.into_iter().chain(slots).collect()
    }
}

/// A word that holds a number.
pub(super) fn word(number: u64) -> [u8; 32] {
    let mut word = [0; 32];
    word[24..].copy_from_slice(&number.to_be_bytes());
    word
}

/// Hash of a block, as this chain has it.
pub(super) fn block_hash(number: u64) -> [u8; 32] {
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
pub(super) fn forks(entries: &[(&str, &str, u64, u64)]) -> Vec<u8> {
    let entry = |(rules, start, at, fraction): &(&str, &str, u64, u64)| {
        Rlp::list([Rlp::str(rules), Rlp::str(start), Rlp::uint(*at), Rlp::uint(*fraction)])
    };
    Rlp::list(entries.iter().map(entry)).encode()
}

/// A call's fields.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) from: [u8; 20],
    pub(super) to: Vec<u8>,
    pub(super) gas: u64,
    pub(super) value: u64,
    pub(super) data: Vec<u8>,
}

/// A call of [`READER`] by nobody, with the most gas.
pub(super) fn call() -> Call {
    Call { from: [0; 20], to: READER.to_vec(), gas: 1 << 24, value: 0, data: Vec::new() }
}

/// A request. Loose fields, so that tests can break them.
#[derive(Clone)]
pub(super) struct Request {
    pub(super) forks: Vec<u8>,
    pub(super) hash: [u8; 32],
    pub(super) headers: Vec<Vec<u8>>,
    pub(super) nodes: Vec<Vec<u8>>,
    pub(super) codes: Vec<Vec<u8>>,
    pub(super) ancestors: Vec<Vec<u8>>,
    /// Whoever runs precompiles on curves.
    pub(super) heavy: Rc<dyn Heavy>,
    pub(super) calls: Vec<Call>,
    pub(super) limits: [u64; 3],
    pub(super) altered: Vec<Altered>,
    /// Number, time, gas limit, coinbase, random value, base fee, blob base fee.
    pub(super) block: [Option<Vec<u8>>; 7],
    pub(super) in_sequence: bool,
}

/// A state override.
#[derive(Clone, Default)]
pub(super) struct Altered {
    pub(super) address: [u8; 20],
    pub(super) balance: Option<u64>,
    pub(super) nonce: Option<u64>,
    pub(super) code: Option<Vec<u8>>,
    pub(super) storage: Option<Vec<(u64, u64)>>,
    pub(super) slots: Vec<(u64, u64)>,
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
    pub(super) fn encode(&self) -> Vec<u8> {
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

    /// The whole answer.
    pub(super) fn run(&self) -> Value {
        run(&self.forks, &self.encode(), &*self.heavy)
    }

    /// The answer to the first call, or the rejection of all.
    pub(super) fn first(&self) -> Value {
        let all = self.run();
        if all["answers"].is_array() { all["answers"][0].clone() } else { all }
    }

    /// What the first call returned.
    pub(super) fn output(&self) -> Vec<u8> {
        let answer = self.first();
        assert_eq!(answer["status"], "success", "{answer}");
        hex::decode(answer["output"].as_str().unwrap())
    }

    /// What the first call stopped at, as the answer names it.
    pub(super) fn missing(&self) -> Value {
        let answer = self.first();
        assert_eq!(answer["status"], "missing", "{answer}");
        answer["items"][0].clone()
    }
}

/// Runs a request's bytes.
pub(super) fn run(forks: &[u8], request: &[u8], heavy: &dyn Heavy) -> Value {
    let chain = Rlp::list([Rlp::str("ethereum"), Rlp::uint(CHAIN_ID), Rlp::str([9; 32])]).encode();
    let text = lightproof_evm::interface::run(&chain, forks, request, heavy);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
