//! `ethereum-state-tests/` and `evm-made/`: transactions on a given state, and the root of the
//! state after them. The state is given to the machine as a witness: nodes under a root, and codes.

use std::collections::BTreeMap;

use lightproof_core::hash::Hash;
use lightproof_evm::context_interface::either::Either;
use lightproof_evm::context_interface::transaction::{Authorization, SignedAuthorization};
use lightproof_evm::primitives::{Address, B256, Bytes, TxKind, U256};
use lightproof_evm::{Answer, Block, Done, Failure, Limits, Machine, Native, Overlay};
use lightproof_evm::{Rules, State, TxEnv};
use lightproof_testkit::{Rlp, Trie, header, hex, keccak};
use serde_json::{Value, json};

use super::Report;
use super::common::{self, bytes, number, since, word};

/// Blob base fee's divisor and blobs of a transaction, where a file does not say.
const CANCUN_BLOBS: (u64, u64) = (3_338_477, 6);

pub(super) fn run(file: &str, json: &Value, report: &mut Report) {
    for (name, test) in json.as_object().unwrap() {
        let before = World::read(&test["pre"]);
        for (fork, cases) in test["post"].as_object().unwrap() {
            for (index, case) in cases.as_array().unwrap().iter().enumerate() {
                let verdict = one(test, &before, fork, case);
                report.case(&format!("{file} {name} {fork} {index}"), verdict);
            }
        }
    }
}

/// Accounts, and their tries.
#[derive(Clone)]
struct World {
    accounts: BTreeMap<Address, Account>,
    root: [u8; 32],
    nodes: Vec<Vec<u8>>,
}

#[derive(Clone, Default)]
struct Account {
    nonce: u64,
    balance: U256,
    code: Vec<u8>,
    slots: BTreeMap<B256, U256>,
}

impl World {
    fn read(json: &Value) -> Self {
        let accounts = json.as_object().unwrap().iter().map(|(address, account)| {
            let slots = account["storage"].as_object().into_iter().flatten();
            let slots = slots.map(|(key, value)| (word(&json!(key)), number(value)));
            let account = Account {
                nonce: number(&account["nonce"]).to(),
                balance: number(&account["balance"]),
                code: bytes(&account["code"]),
                slots: slots.filter(|(_, value)| !value.is_zero()).collect(),
            };
            (common::address(&json!(address)), account)
        });
        Self::new(accounts.collect())
    }

    fn new(accounts: BTreeMap<Address, Account>) -> Self {
        let mut nodes = Vec::new();
        let mut leaves = BTreeMap::new();
        for (address, account) in &accounts {
            let slots = account.slots.iter().map(|(key, value)| {
                (keccak(key.as_slice()), Rlp::Str(value.to_be_bytes_trimmed_vec()).encode())
            });
            let storage = keep(&slots.collect(), &mut nodes);
            let leaf = Rlp::list([
                Rlp::uint(account.nonce),
                Rlp::Str(account.balance.to_be_bytes_trimmed_vec()),
                Rlp::str(storage),
                Rlp::str(keccak(&account.code)),
            ]);
            leaves.insert(keccak(address.as_slice()), leaf.encode());
        }
        let root = keep(&leaves, &mut nodes);
        Self { accounts, root, nodes }
    }

    /// The accounts after changes.
    fn after(&self, changes: &Overlay) -> Self {
        let mut accounts = self.accounts.clone();
        for (address, change) in &changes.0 {
            let Some((nonce, balance, _)) = change.account else {
                accounts.remove(address);
                continue;
            };
            let account = accounts.entry(*address).or_default();
            (account.nonce, account.balance) = (nonce, balance);
            if change.wiped {
                (account.slots, account.code) = (BTreeMap::new(), Vec::new());
            }
            if let Some(code) = &change.code {
                account.code = code.to_vec();
            } else if change.account.is_some_and(|(_, _, hash)| hash == keccak(&[])) {
                account.code.clear();
            }
            account.slots.extend(&change.slots);
            account.slots.retain(|_, value| !value.is_zero());
        }
        Self::new(accounts)
    }
}

/// The root of a trie; all of its nodes are kept.
fn keep(leaves: &BTreeMap<[u8; 32], Vec<u8>>, nodes: &mut Vec<Vec<u8>>) -> [u8; 32] {
    let trie = Trie::new(leaves);
    for key in leaves.keys() {
        nodes.extend(trie.prove(key));
    }
    nodes.sort_unstable();
    nodes.dedup();
    trie.root()
}

fn one(test: &Value, before: &World, fork: &str, case: &Value) -> Result<(), String> {
    let rules = fork.to_lowercase();
    let transaction = transaction(&test["transaction"], case)?;
    let mut block = block(test, &rules, before.root)?;
    let blobs = &test["config"]["blobSchedule"][fork]["max"];
    block.max_blobs = if blobs.is_null() { CANCUN_BLOBS.1 } else { number(blobs).to() }.into();
    let mut state = State::default();
    for node in &before.nodes {
        state.add_node(node).map_err(|error| error.to_string())?;
    }
    for account in before.accounts.values() {
        state.add_code(&account.code).map_err(|error| error.to_string())?;
    }
    let mut machine = Machine::new(state, block, &Native);
    // A block's transactions have no limits but gas.
    let limits = Limits { gas: u64::MAX, memory: usize::MAX, items: usize::MAX };
    let refused = case["expectException"].is_string();
    let done = match transaction.map(|transaction| machine.transact(&transaction, &limits)) {
        Some(Answer::Done(done)) if !refused => done,
        Some(Answer::Failed(Failure::Refused(_))) | None if refused => return Ok(()),
        answer => return Err(format!("{answer:?}").chars().take(300).collect()),
    };
    result(&done, &case["result"])?;
    if common::logs_hash(&done.logs).to_vec() != bytes(&case["logs"]) {
        return Err("other logs".into());
    }
    let after = before.after(&done.changes);
    if after.root.to_vec() == bytes(&case["hash"]) {
        return Ok(());
    }
    Err(format!("other state: {:?} gas {}", done.status, done.gas_used))
}

/// What `evm-made` says beyond the format.
fn result(done: &Done, expected: &Value) -> Result<(), String> {
    if expected.is_null() {
        return Ok(());
    }
    let status = done.status.name();
    if status != expected["status"] {
        return Err(format!("{status}, not {}", expected["status"]));
    }
    if done.output.to_vec() != bytes(&expected["output"]) {
        return Err(format!("output {}", done.output));
    }
    if U256::from(done.gas_used) != number(&expected["gasUsed"]) {
        return Err(format!("gas {}, not {}", done.gas_used, number(&expected["gasUsed"])));
    }
    let logs = common::logs(&expected["logs"]);
    if done.logs == logs { Ok(()) } else { Err("other logs".into()) }
}

/// The block of `env`, through a header of its own.
fn block(test: &Value, rules: &str, root: [u8; 32]) -> Result<Block, String> {
    let env = &test["env"];
    let height: u64 = number(&env["currentNumber"]).to();
    let fraction = &test["config"]["blobSchedule"];
    let fraction = fraction.as_object().and_then(|all| {
        all.iter().find(|(name, _)| name.eq_ignore_ascii_case(rules)).map(|(_, entry)| entry)
    });
    let fraction =
        fraction.map_or(CANCUN_BLOBS.0, |entry| number(&entry["baseFeeUpdateFraction"]).to());
    let zero = hex::encode(&[0; 32]);
    let parent = height.checked_sub(1).map_or([0; 32], |parent| block_hash(parent).0);
    let mut json = json!({
        "parentHash": hex::encode(&parent),
        "sha3Uncles": zero,
        "miner": env["currentCoinbase"],
        "stateRoot": hex::encode(&root),
        "transactionsRoot": zero,
        "receiptsRoot": zero,
        "logsBloom": hex::encode(&[0; 256]),
        "difficulty": env["currentDifficulty"],
        "number": env["currentNumber"],
        "gasLimit": env["currentGasLimit"],
        "gasUsed": "0x0",
        "timestamp": env["currentTimestamp"],
        "extraData": "0x",
        "mixHash": hex::encode(word(&env["currentRandom"]).as_slice()),
        "nonce": "0x0000000000000000",
    });
    let appended = [
        (Rules::London, "baseFeePerGas", env["currentBaseFee"].clone()),
        (Rules::Shanghai, "withdrawalsRoot", json!(zero)),
        (Rules::Cancun, "blobGasUsed", json!("0x0")),
        (Rules::Cancun, "excessBlobGas", env["currentExcessBlobGas"].clone()),
        (Rules::Cancun, "parentBeaconBlockRoot", json!(zero)),
        (Rules::Prague, "requestsHash", json!(zero)),
        (Rules::Amsterdam, "blockAccessListHash", json!(zero)),
        (Rules::Amsterdam, "slotNumber", env["slotNumber"].clone()),
    ];
    for (from, name, value) in appended {
        if since(rules, from) {
            json[name] = value;
        }
    }
    let rlp = header::execution(&json);
    let hash = Hash(keccak(&rlp));
    let chain_id = number(test["config"].get("chainid").unwrap_or(&json!("0x1"))).to();
    let fraction = if since(rules, Rules::Cancun) { fraction } else { 0 };
    let forks = common::always(rules, fraction);
    // Block 0 of a state test is a genesis block of its own.
    let chain = common::chain(chain_id, if height == 0 { hash } else { Hash::ZERO });
    let mut block = Block::new(&chain, &forks, hash, &rlp)
        .map_err(|failure| format!("the block is not read: {failure:?}"))?;
    // The format's convention. Since Prague the history contract has to answer, where it is.
    let has_history = test["pre"].get("0x0000f90827f1c53a10cb7a02335b175320002935").is_some();
    if !(has_history && since(rules, Rules::Prague)) {
        let known = height.saturating_sub(256)..height;
        block.hashes.extend(known.map(|number| (number, block_hash(number))));
    }
    Ok(block)
}

/// keccak of the number in decimal ASCII: what the format says that a block's hash is.
fn block_hash(number: u64) -> Hash {
    Hash(keccak(number.to_string().as_bytes()))
}

/// The transaction of a case; `None` if it has no encoding, so that no node could be sent it.
fn transaction(json: &Value, case: &Value) -> Result<Option<TxEnv>, String> {
    let at = |field: &str, index: &str| {
        let index = usize::try_from(case["indexes"][index].as_u64().unwrap()).unwrap();
        json[field][index].clone()
    };
    let access_list =
        if json["accessLists"].is_array() { at("accessLists", "data") } else { Value::Null };
    let blobs = json.get("maxFeePerBlobGas").is_some();
    let authorizations = json["authorizationList"].as_array();
    let fees = json.get("maxFeePerGas").is_some();
    let to = json["to"].as_str().filter(|to| !to.is_empty());
    if to.is_none() && (blobs || authorizations.is_some()) {
        return Ok(None);
    }
    let fits = |value: U256| u64::try_from(value).map_err(|_| format!("{value} is over 64 bits"));
    Ok(Some(TxEnv {
        tx_type: match () {
            () if authorizations.is_some() => 4,
            () if blobs => 3,
            () if fees => 2,
            () if !access_list.is_null() => 1,
            () => 0,
        },
        caller: common::address(&json["sender"]),
        gas_limit: fits(number(&at("gasLimit", "gas")))?,
        gas_price: number(&json[if fees { "maxFeePerGas" } else { "gasPrice" }]).to(),
        kind: to.map_or(TxKind::Create, |to| TxKind::Call(common::address(&json!(to)))),
        value: number(&at("value", "value")),
        data: Bytes::from(bytes(&at("data", "data"))),
        nonce: fits(number(&json["nonce"]))?,
        chain_id: Some(1),
        access_list: common::access_list(&access_list),
        gas_priority_fee: fees.then(|| number(&json["maxPriorityFeePerGas"]).to()),
        blob_hashes: json["blobVersionedHashes"]
            .as_array()
            .into_iter()
            .flatten()
            .map(word)
            .collect(),
        max_fee_per_blob_gas: number(&json["maxFeePerBlobGas"]).to(),
        authorization_list: authorizations.into_iter().flatten().map(authorization).collect(),
    }))
}

fn authorization<R>(json: &Value) -> Either<SignedAuthorization, R> {
    let inner = Authorization {
        chain_id: number(&json["chainId"]),
        address: common::address(&json["address"]),
        nonce: number(&json["nonce"]).to(),
    };
    let parity = json.get("yParity").unwrap_or(&json["v"]);
    let parity = number(parity).to::<u64>();
    let parity = u8::try_from(if parity >= 27 { parity - 27 } else { parity }).unwrap();
    let (r, s) = (number(&json["r"]), number(&json["s"]));
    Either::Left(SignedAuthorization::new_unchecked(inner, parity, r, s))
}
