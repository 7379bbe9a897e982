//! `ethereum-state-tests/` and `evm-made/`: transactions on a given state, and the root of the
//! state after them. The state is given to the machine as a witness: nodes under a root, and codes.

use std::collections::BTreeMap;

use lightproof_core::hash::Hash;
use lightproof_evm::primitives::{Address, B256, Bytes, TxKind, U256};
use lightproof_evm::{Answer, Block, Done, Failure, Limits, Machine, Native, Overlay};
use lightproof_evm::{Rules, State, TxEnv};
use lightproof_testkit::{Rlp, Trie, header, hex, keccak};
use serde_json::{Map, Value, json};

use super::Report;
use super::common::{self, bytes, field, list, number, object, since, word};

/// Blob base fee's divisor and blobs of a transaction, where a file does not say.
const CANCUN_BLOBS: (u64, u64) = (3_338_477, 6);

pub(super) fn run(file: &str, json: &Value, report: &mut Report) {
    let Some(tests) = json.as_object() else {
        return report.case(file, Err("not an object of tests".into()));
    };
    for (name, test) in tests {
        let name = format!("{file} {name}");
        if let Err(complaint) = every(&name, test, report) {
            report.case(&name, Err(complaint));
        }
    }
}

/// Runs the cases of one test, for each fork that it names.
fn every(name: &str, test: &Value, report: &mut Report) -> Result<(), String> {
    let before = World::read(object(test, "pre")?)?;
    for (fork, _) in object(test, "post")? {
        for (index, case) in list(&test["post"], fork)?.iter().enumerate() {
            report.case(&format!("{name} {fork} {index}"), one(test, &before, fork, case));
        }
    }
    Ok(())
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
    fn read(accounts: &Map<String, Value>) -> Result<Self, String> {
        let accounts = accounts.iter().map(|(address, account)| {
            let slots = object(account, "storage")?.iter();
            let slots = slots.map(|(key, value)| (word(&json!(key)), number(value)));
            let account = Account {
                nonce: number(field(account, "nonce")?).to(),
                balance: number(field(account, "balance")?),
                code: bytes(field(account, "code")?),
                slots: slots.filter(|(_, value)| !value.is_zero()).collect(),
            };
            Ok((common::address(&json!(address)), account))
        });
        Ok(Self::new(accounts.collect::<Result<_, String>>()?))
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
    let rules = match fork {
        "ConstantinopleFix" => "petersburg".into(),
        "Merge" => "paris".into(),
        _ => fork.to_lowercase(),
    };
    let transaction = transaction(field(test, "transaction")?, chain_id(test), case)?;
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
    if common::logs_hash(&done.logs).to_vec() != bytes(field(case, "logs")?) {
        return Err("other logs".into());
    }
    let after = before.after(&done.changes);
    if after.root.to_vec() == bytes(field(case, "hash")?) {
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
    if status != *field(expected, "status")? {
        return Err(format!("{status}, not {}", expected["status"]));
    }
    if done.output.to_vec() != bytes(field(expected, "output")?) {
        return Err(format!("output {}", done.output));
    }
    let gas = number(field(expected, "gasUsed")?);
    if U256::from(done.gas_used) != gas {
        return Err(format!("gas {}, not {gas}", done.gas_used));
    }
    let logs = common::logs(field(expected, "logs")?)?;
    if done.logs == logs { Ok(()) } else { Err("other logs".into()) }
}

/// The block of `env`, through a header of its own.
fn block(test: &Value, rules: &str, root: [u8; 32]) -> Result<Block, String> {
    let env = field(test, "env")?;
    let height: u64 = number(field(env, "currentNumber")?).to();
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
        "miner": field(env, "currentCoinbase")?,
        "stateRoot": hex::encode(&root),
        "transactionsRoot": zero,
        "receiptsRoot": zero,
        "logsBloom": hex::encode(&[0; 256]),
        "difficulty": env.get("currentDifficulty").unwrap_or(&json!("0x0")),
        "number": env["currentNumber"],
        "gasLimit": field(env, "currentGasLimit")?,
        "gasUsed": "0x0",
        "timestamp": field(env, "currentTimestamp")?,
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
            let absent = format!("no {name} in env");
            json[name] = if value.is_null() { return Err(absent) } else { value };
        }
    }
    let rlp = header::execution(&json);
    let hash = Hash(keccak(&rlp));
    let fraction = if since(rules, Rules::Cancun) { fraction } else { 0 };
    let forks = common::always(rules, fraction);
    // Block 0 of a state test is a genesis block of its own.
    let chain = common::chain(chain_id(test), if height == 0 { hash } else { Hash::ZERO });
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

/// The chain's number; that of the format's convention where the file names none.
fn chain_id(test: &Value) -> u64 {
    test["config"].get("chainid").map_or(1, |id| number(id).to())
}

/// keccak of the number in decimal ASCII: what the format says that a block's hash is.
fn block_hash(number: u64) -> Hash {
    Hash(keccak(number.to_string().as_bytes()))
}

/// The transaction of a case; `None` if it has no encoding, so that no node could be sent it.
fn transaction(json: &Value, chain_id: u64, case: &Value) -> Result<Option<TxEnv>, String> {
    let at = |name: &str, index: &str| {
        let place = field(field(case, "indexes")?, index)?.as_u64();
        let place = place.and_then(|place| usize::try_from(place).ok());
        let value = place.and_then(|place| list(json, name).ok()?.get(place));
        value.cloned().ok_or_else(|| format!("no {name} at index {index}"))
    };
    let access_list =
        if json["accessLists"].is_array() { at("accessLists", "data")? } else { Value::Null };
    let blobs = json.get("maxFeePerBlobGas").is_some();
    let authorizations = json["authorizationList"].is_array();
    let fees = json.get("maxFeePerGas").is_some();
    let to = json["to"].as_str().filter(|to| !to.is_empty());
    if to.is_none() && (blobs || authorizations) {
        return Ok(None);
    }
    let fits = |value: U256| u64::try_from(value).map_err(|_| format!("{value} is over 64 bits"));
    Ok(Some(TxEnv {
        tx_type: match () {
            () if authorizations => 4,
            () if blobs => 3,
            () if fees => 2,
            () if !access_list.is_null() => 1,
            () => 0,
        },
        caller: common::address(field(json, "sender")?),
        gas_limit: fits(number(&at("gasLimit", "gas")?))?,
        gas_price: number(field(json, if fees { "maxFeePerGas" } else { "gasPrice" })?).to(),
        kind: to.map_or(TxKind::Create, |to| TxKind::Call(common::address(&json!(to)))),
        value: number(&at("value", "value")?),
        data: Bytes::from(bytes(&at("data", "data")?)),
        nonce: fits(number(field(json, "nonce")?))?,
        chain_id: Some(chain_id),
        access_list: common::access_list(&access_list)?,
        gas_priority_fee: common::priority_fee(json)?,
        blob_hashes: common::words(&json["blobVersionedHashes"]),
        max_fee_per_blob_gas: number(&json["maxFeePerBlobGas"]).to(),
        authorization_list: common::authorizations(&json["authorizationList"])?,
    }))
}
