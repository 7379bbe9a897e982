//! `eth-call/`: recorded calls and a recorded block, each on nothing but what is proven; and each
//! again with every node, code and header left out, one at a time.

use std::collections::BTreeSet;

use lightproof_core::hash::Hash;
use lightproof_evm::primitives::{Bytes, TxKind, U256};
use lightproof_evm::{Answer, Block, Call, Done, Limits, Machine, Native, State, Status, TxEnv};
use lightproof_testkit::getproof;
use serde_json::Value;

use super::Report;
use super::common::{self, bytes, number};

pub(super) fn run(file: &str, json: &Value, report: &mut Report) {
    if json["kind"] == "block-run" {
        let mut receipts = json["expected"].as_array().unwrap().iter();
        let verdict = transactions(json, &mut |name, done| {
            report.case(&format!("{file} {name}"), receipt(done, receipts.next().unwrap()));
        });
        report.case(&format!("{file} as a whole"), verdict);
    } else {
        let witness = Witness::of_proofs(json);
        report.case(file, call(json, &witness));
        report.case(&format!("{file}, less each item"), less_each(json, &witness));
    }
}

/// What a node sends with a call.
#[derive(Clone)]
struct Witness {
    nodes: Vec<Vec<u8>>,
    codes: Vec<Vec<u8>>,
    headers: Vec<Vec<u8>>,
}

impl Witness {
    fn of_proofs(json: &Value) -> Self {
        let mut nodes = BTreeSet::new();
        for proof in json["proofs"].as_array().unwrap() {
            nodes.extend(getproof::nodes(&proof["accountProof"]));
            for slot in proof["storageProof"].as_array().unwrap() {
                nodes.extend(getproof::nodes(&slot["proof"]));
            }
        }
        let headers = json["ancestors"].as_array().into_iter().flatten();
        let rlp =
            |header: &Value| bytes(if header.is_object() { &header["header"] } else { header });
        Self {
            nodes: nodes.into_iter().collect(),
            codes: json["codes"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(_, code)| bytes(code))
                .collect(),
            headers: headers.map(rlp).collect(),
        }
    }

    fn machine(&self, json: &Value) -> Result<Machine<'_>, String> {
        let failed = |failure| format!("{failure:?}");
        let chain = common::chain(json["chainId"].as_u64().unwrap(), Hash::ZERO);
        let hash = Hash(common::word(&json["blockHash"]).0);
        let mut block = Block::new(&chain, &common::mainnet(), hash, &bytes(&json["header"]))
            .map_err(failed)?;
        let name = format!("{:?}", block.fork.rules);
        if json["fork"] != name.as_str() {
            return Err(format!("{name}, not {}", json["fork"]));
        }
        let headers: Vec<&[u8]> = self.headers.iter().map(Vec::as_slice).collect();
        block.extend(&chain, &headers).map_err(failed)?;
        if json["parentStateRoot"].is_string() {
            block.state_root = Hash(common::word(&json["parentStateRoot"]).0);
        }
        let mut state = State::default();
        for node in &self.nodes {
            state.add_node(node).map_err(|error| error.to_string())?;
        }
        for code in &self.codes {
            state.add_code(code).map_err(|error| error.to_string())?;
        }
        Ok(Machine::new(state, block, &Native))
    }

    /// What comes of the call over this witness.
    fn answer(&self, json: &Value, gas: Option<u64>) -> Result<Answer, String> {
        let call = &json["call"];
        let given = |name: &str| call.get(name).filter(|value| value.is_string());
        let defaults = Call::default();
        let call = Call {
            from: given("from").map(common::address).unwrap_or_default(),
            to: given("to").map(common::address),
            gas: gas.or(given("gas").map(|gas| number(gas).to())).unwrap_or(defaults.gas),
            gas_price: given("gasPrice").map(|price| number(price).to()).unwrap_or_default(),
            value: given("value").map(number).unwrap_or_default(),
            data: Bytes::from(bytes(given("data").or(given("input")).unwrap_or(&Value::Null))),
            access_list: common::access_list(&call["accessList"])
                .0
                .into_iter()
                .map(|entry| (entry.address, entry.storage_keys))
                .collect(),
        };
        Ok(self.machine(json)?.call(&call, &Limits::default()))
    }
}

fn call(json: &Value, witness: &Witness) -> Result<(), String> {
    let expected = &json["expected"];
    let done = match witness.answer(json, None)? {
        Answer::Done(done) => done,
        answer => return Err(format!("{answer:?}").chars().take(300).collect()),
    };
    let status = done.status.name();
    if status != expected["status"] {
        return Err(format!("{status}, not {}", expected["status"]));
    }
    let given = |name: &str| expected.get(name).filter(|value| !value.is_null());
    if given("output").is_some_and(|output| bytes(output) != done.output) {
        return Err(format!("output {}", done.output));
    }
    if given("gasUsed").is_some_and(|gas| number(gas) != U256::from(done.gas_used)) {
        return Err(format!("gas {}", done.gas_used));
    }
    if given("logs").is_some_and(|logs| common::logs(logs) != done.logs) {
        return Err("other logs".into());
    }
    // An estimate is a node's: enough gas, and a little more than is used at most.
    if let Some(estimate) = given("estimateGas").map(|gas| number(gas).to::<u64>()) {
        let with = witness.answer(json, Some(estimate))?;
        let enough = matches!(&with, Answer::Done(done) if done.status == Status::Success);
        if !enough || done.gas_used > estimate || estimate - done.gas_used > estimate / 20 {
            return Err(format!("{} used, estimated {estimate}", done.gas_used));
        }
    }
    Ok(())
}

/// Whatever is left out, the answer is the same or that something is missing.
fn less_each(json: &Value, witness: &Witness) -> Result<(), String> {
    let honest = witness.answer(json, None)?;
    let mut needed = 0;
    let mut without = |smaller: Witness, what: &str| match smaller.answer(json, None) {
        Ok(Answer::Missing(items)) if !items.is_empty() => {
            needed += 1;
            Ok(())
        }
        Ok(answer) if answer == honest => Ok(()),
        // Headers are a chain: one that lacks breaks it.
        Err(_) if what == "header" => Ok(()),
        other => Err(format!("without one {what}: {other:.300?}")),
    };
    for index in 0..witness.nodes.len() {
        let mut smaller = witness.clone();
        smaller.nodes.remove(index);
        without(smaller, "node")?;
    }
    for index in 0..witness.codes.len() {
        let mut smaller = witness.clone();
        smaller.codes.remove(index);
        without(smaller, "code")?;
    }
    for index in 0..witness.headers.len() {
        let mut smaller = witness.clone();
        smaller.headers.remove(index);
        without(smaller, "header")?;
    }
    if needed > 0 { Ok(()) } else { Err("nothing was needed".into()) }
}

/// Runs the transactions of a block one after the other, on the state before it.
fn transactions(json: &Value, each: &mut dyn FnMut(&str, &Done)) -> Result<(), String> {
    let list = |name: &str| json["witness"][name].as_array().unwrap().iter().map(bytes).collect();
    let headers = json["ancestors"].as_array().into_iter().flatten().map(bytes).collect();
    let witness = Witness { nodes: list("state"), codes: list("codes"), headers };
    let mut machine = witness.machine(json)?;
    for (index, transaction) in json["transactions"].as_array().unwrap().iter().enumerate() {
        let limits = Limits { gas: u64::MAX, memory: usize::MAX, items: usize::MAX };
        match machine.transact(&read(transaction, json["chainId"].as_u64()), &limits) {
            Answer::Done(done) => {
                each(&format!("transaction {index}"), &done);
                machine.overlay.apply(done.changes);
            }
            answer => return Err(format!("{index}: {answer:?}").chars().take(300).collect()),
        }
    }
    Ok(())
}

/// A transaction as JSON-RPC writes it.
fn read(json: &Value, chain_id: Option<u64>) -> TxEnv {
    let fees = json["maxFeePerGas"].is_string();
    TxEnv {
        tx_type: number(&json["type"]).to(),
        caller: common::address(&json["from"]),
        gas_limit: number(&json["gas"]).to(),
        gas_price: number(&json[if fees { "maxFeePerGas" } else { "gasPrice" }]).to(),
        kind: match &json["to"] {
            Value::Null => TxKind::Create,
            to => TxKind::Call(common::address(to)),
        },
        value: number(&json["value"]),
        data: Bytes::from(bytes(&json["input"])),
        nonce: number(&json["nonce"]).to(),
        chain_id,
        access_list: common::access_list(&json["accessList"]),
        gas_priority_fee: fees.then(|| number(&json["maxPriorityFeePerGas"]).to()),
        blob_hashes: Vec::new(),
        max_fee_per_blob_gas: 0,
        authorization_list: Vec::new(),
    }
}

fn receipt(done: &Done, expected: &Value) -> Result<(), String> {
    if U256::from(u8::from(done.status == Status::Success)) != number(&expected["status"]) {
        return Err(format!("{:?}", done.status));
    }
    if U256::from(done.gas_used) != number(&expected["gasUsed"]) {
        return Err(format!("gas {}, not {}", done.gas_used, number(&expected["gasUsed"])));
    }
    if done.logs == common::logs(&expected["logs"]) { Ok(()) } else { Err("other logs".into()) }
}
