//! `eth-call/`: recorded calls and a recorded block, each on nothing but what is proven; and each
//! again with every node, code and header left out, one at a time.

use std::collections::BTreeSet;

use lightproof_core::hash::Hash;
use lightproof_evm::primitives::{Bytes, TxKind, U256};
use lightproof_evm::{Answer, Block, Call, Done, Limits, Machine, Native, State, Status, TxEnv};
use lightproof_testkit::getproof;
use serde_json::Value;

use super::Report;
use super::common::{self, bytes, field, list, number, object};

pub(super) fn run(file: &str, json: &Value, report: &mut Report) {
    if json["kind"] == "block-run" {
        let witness = match Witness::of_block(json) {
            Ok(witness) => witness,
            Err(complaint) => return report.case(file, Err(complaint)),
        };
        let whole = receipts(file, json, &witness, report);
        report.case(&format!("{file} as a whole"), whole);
        let less = less_each(&witness, |witness| transactions(json, witness));
        report.case(&format!("{file}, less each item"), less);
    } else {
        let witness = match Witness::of_proofs(json) {
            Ok(witness) => witness,
            Err(complaint) => return report.case(file, Err(complaint)),
        };
        report.case(file, call(json, &witness));
        let less = less_each(&witness, |witness| witness.answer(json, None));
        report.case(&format!("{file}, less each item"), less);
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
    fn of_proofs(json: &Value) -> Result<Self, String> {
        let mut nodes = BTreeSet::new();
        for proof in list(json, "proofs")? {
            nodes.extend(getproof::nodes(field(proof, "accountProof")?));
            for slot in list(proof, "storageProof")? {
                nodes.extend(getproof::nodes(field(slot, "proof")?));
            }
        }
        Ok(Self {
            nodes: nodes.into_iter().collect(),
            codes: object(json, "codes")?.iter().map(|(_, code)| bytes(code)).collect(),
            headers: Self::ancestors(json),
        })
    }

    fn of_block(json: &Value) -> Result<Self, String> {
        let witness = field(json, "witness")?;
        let given = |name| Ok::<_, String>(list(witness, name)?.iter().map(bytes).collect());
        Ok(Self { nodes: given("state")?, codes: given("codes")?, headers: Self::ancestors(json) })
    }

    /// Only what asks for the hashes of earlier blocks has them.
    fn ancestors(json: &Value) -> Vec<Vec<u8>> {
        let rlp =
            |header: &Value| bytes(if header.is_object() { &header["header"] } else { header });
        json["ancestors"].as_array().into_iter().flatten().map(rlp).collect()
    }

    fn machine(&self, json: &Value) -> Result<Machine<'_>, String> {
        let failed = |failure| format!("{failure:?}");
        let id = chain_id(json)?;
        let fork = field(json, "fork")?.as_str().ok_or("field fork is not a name")?;
        let chain = common::chain(id, Hash::ZERO);
        let hash = Hash(common::word(field(json, "blockHash")?).0);
        let header = bytes(field(json, "header")?);
        let mut block =
            Block::new(&chain, &common::forks(id, fork), hash, &header).map_err(failed)?;
        let name = format!("{:?}", block.fork.rules);
        if fork != name {
            return Err(format!("{name}, not {fork}"));
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

    /// The witness without one item, and of what kind that is.
    fn less(&self, index: usize) -> (Self, &'static str) {
        let mut smaller = self.clone();
        let (nodes, codes) = (self.nodes.len(), self.codes.len());
        let (list, at, kind) = match index {
            _ if index < nodes => (&mut smaller.nodes, index, "node"),
            _ if index < nodes + codes => (&mut smaller.codes, index - nodes, "code"),
            _ => (&mut smaller.headers, index - nodes - codes, "header"),
        };
        list.remove(at);
        (smaller, kind)
    }

    /// What comes of the call over this witness.
    fn answer(&self, json: &Value, gas: Option<u64>) -> Result<Answer, String> {
        let call = field(json, "call")?;
        let given = |name: &str| call.get(name).filter(|value| value.is_string());
        let defaults = Call::default();
        let call = Call {
            from: given("from").map(common::address).unwrap_or_default(),
            to: given("to").map(common::address),
            gas: gas.or(given("gas").map(|gas| number(gas).to())).unwrap_or(defaults.gas),
            gas_price: given("gasPrice").map(|price| number(price).to()).unwrap_or_default(),
            value: given("value").map(number).unwrap_or_default(),
            data: Bytes::from(bytes(given("data").or(given("input")).unwrap_or(&Value::Null))),
            access_list: common::access_list(&call["accessList"])?
                .0
                .into_iter()
                .map(|entry| (entry.address, entry.storage_keys))
                .collect(),
        };
        Ok(self.machine(json)?.call(&call, &Limits::default()))
    }
}

fn call(json: &Value, witness: &Witness) -> Result<(), String> {
    let expected = field(json, "expected")?;
    let done = match witness.answer(json, None)? {
        Answer::Done(done) => done,
        answer => return Err(format!("{answer:?}").chars().take(300).collect()),
    };
    let status = done.status.name();
    if status != *field(expected, "status")? {
        return Err(format!("{status}, not {}", expected["status"]));
    }
    let given = |name: &str| expected.get(name).filter(|value| !value.is_null());
    if given("output").is_some_and(|output| bytes(output) != done.output) {
        return Err(format!("output {}", done.output));
    }
    if given("gasUsed").is_some_and(|gas| number(gas) != U256::from(done.gas_used)) {
        return Err(format!("gas {}", done.gas_used));
    }
    if let Some(logs) = given("logs")
        && common::logs(logs)? != done.logs
    {
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

/// What a run comes to, and whether something was missing on the way.
trait Ending: PartialEq + std::fmt::Debug {
    fn misses(&self) -> bool;
}

impl Ending for Answer {
    fn misses(&self) -> bool {
        matches!(self, Self::Missing(items) if !items.is_empty())
    }
}

/// The transactions of a block: the last one is where the run stopped.
impl Ending for Vec<Answer> {
    fn misses(&self) -> bool {
        self.last().is_some_and(Answer::misses)
    }
}

/// Whatever is left out, the answer is the same or that something is missing. A build without
/// optimisation leaves out some of many items.
fn less_each<T: Ending>(
    witness: &Witness,
    run: impl Fn(&Witness) -> Result<T, String>,
) -> Result<(), String> {
    let honest = run(witness)?;
    let count = witness.nodes.len() + witness.codes.len() + witness.headers.len();
    let every = if cfg!(debug_assertions) { count.div_ceil(100).max(1) } else { 1 };
    let mut needed = 0;
    for index in (0..count).step_by(every) {
        let (smaller, kind) = witness.less(index);
        match run(&smaller) {
            Ok(answer) if answer.misses() => needed += 1,
            Ok(answer) if answer == honest => (),
            // Headers are a chain: one that lacks breaks it.
            Err(_) if kind == "header" => (),
            other => return Err(format!("without one {kind}: {other:.300?}")),
        }
    }
    if needed > 0 { Ok(()) } else { Err("nothing was needed".into()) }
}

/// What comes of a block's transactions, one after the other on the state before it, up to the
/// first that does not end.
fn transactions(json: &Value, witness: &Witness) -> Result<Vec<Answer>, String> {
    let mut machine = witness.machine(json)?;
    let mut answers = Vec::new();
    for transaction in list(json, "transactions")? {
        let limits = Limits { gas: u64::MAX, memory: usize::MAX, items: usize::MAX };
        let answer = machine.transact(&read(transaction, chain_id(json)?)?, &limits);
        if let Answer::Done(done) = &answer {
            machine.overlay.apply(done.changes.clone());
        }
        let goes_on = matches!(answer, Answer::Done(_));
        answers.push(answer);
        if !goes_on {
            break;
        }
    }
    Ok(answers)
}

/// Each transaction, as its receipt says; fails if there are not as many.
fn receipts(
    file: &str,
    json: &Value,
    witness: &Witness,
    report: &mut Report,
) -> Result<(), String> {
    let answers = transactions(json, witness)?;
    let (expected, all) = (list(json, "expected")?, list(json, "transactions")?.len());
    for (index, (answer, expected)) in answers.iter().zip(expected).enumerate() {
        let verdict = match answer {
            Answer::Done(done) => receipt(done, expected),
            answer => Err(format!("{answer:.300?}")),
        };
        report.case(&format!("{file} transaction {index}"), verdict);
    }
    let counts = (answers.len(), expected.len());
    if counts == (all, all) {
        return Ok(());
    }
    Err(format!("{} of {all} transactions ran, of {} receipts", counts.0, counts.1))
}

fn chain_id(json: &Value) -> Result<u64, String> {
    field(json, "chainId")?.as_u64().ok_or_else(|| "field chainId is not a number".into())
}

/// A transaction as JSON-RPC writes it.
fn read(json: &Value, chain_id: u64) -> Result<TxEnv, String> {
    let fees = json["maxFeePerGas"].is_string();
    Ok(TxEnv {
        tx_type: number(field(json, "type")?).to(),
        caller: common::address(field(json, "from")?),
        gas_limit: number(field(json, "gas")?).to(),
        gas_price: number(field(json, if fees { "maxFeePerGas" } else { "gasPrice" })?).to(),
        kind: match &json["to"] {
            Value::Null => TxKind::Create,
            to => TxKind::Call(common::address(to)),
        },
        value: number(field(json, "value")?),
        data: Bytes::from(bytes(field(json, "input")?)),
        nonce: number(field(json, "nonce")?).to(),
        chain_id: Some(chain_id),
        access_list: common::access_list(&json["accessList"])?,
        gas_priority_fee: common::priority_fee(json)?,
        blob_hashes: common::words(&json["blobVersionedHashes"]),
        max_fee_per_blob_gas: number(&json["maxFeePerBlobGas"]).to(),
        authorization_list: common::authorizations(&json["authorizationList"])?,
    })
}

fn receipt(done: &Done, expected: &Value) -> Result<(), String> {
    let status = number(field(expected, "status")?);
    if U256::from(u8::from(done.status == Status::Success)) != status {
        return Err(format!("{:?}", done.status));
    }
    let gas = number(field(expected, "gasUsed")?);
    if U256::from(done.gas_used) != gas {
        return Err(format!("gas {}, not {gas}", done.gas_used));
    }
    let logs = common::logs(field(expected, "logs")?)?;
    if done.logs == logs { Ok(()) } else { Err("other logs".into()) }
}
