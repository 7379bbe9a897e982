//! Plain records of what a block holds: their bytes, and what is said of them in facts.

use serde_json::{Map, Value, json};

use lightproof_prover::chain::Address;
use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::hex::{self, quantity};
use lightproof_prover::rlp::Item;

/// Bytes of a Bloom filter.
pub const BLOOM_BYTES: usize = 256;

/// Gas of one blob (EIP-4844).
const GAS_PER_BLOB: u64 = 131_072;

/// A signature: `v` or parity, r, s.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// Parity; of a legacy transaction 27 or 28, or with the chain in it.
    pub v: u64,
    /// Big-endian.
    pub r: Word,
    /// Big-endian.
    pub s: Word,
}

impl Signature {
    fn items(&self) -> [Item; 3] {
        [Item::uint(self.v), Item::uint_bytes(&self.r), Item::uint_bytes(&self.s)]
    }

    fn json(&self, parity: &str, into: &mut Map<String, Value>) {
        into.insert(parity.into(), quantity(self.v).into());
        into.insert("r".into(), hex::quantity_of_bytes(&self.r).into());
        into.insert("s".into(), hex::quantity_of_bytes(&self.s).into());
    }
}

/// An authorization of EIP-7702.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    /// Zero for every chain.
    pub chain_id: u64,
    /// Whose code.
    pub address: Address,
    /// Of the account that consents.
    pub nonce: u64,
    /// Its signature.
    pub signature: Signature,
}

/// A transaction of any type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transaction {
    /// 0 to 4; another one has the fields of type 2.
    pub kind: u8,
    /// From type 1 on.
    pub chain_id: u64,
    /// Transactions sent before.
    pub nonce: u64,
    /// Highest price for gas, or the only one.
    pub price: u64,
    /// Of types from 2 on.
    pub tip: u64,
    /// Limit.
    pub gas: u64,
    /// `None` makes a contract.
    pub to: Option<Address>,
    /// In wei.
    pub value: u128,
    /// Call data.
    pub input: Vec<u8>,
    /// From type 1 on.
    pub access: Vec<(Address, Vec<Word>)>,
    /// Of type 3: price for blob gas.
    pub blob_fee: u64,
    /// Of type 3: versioned hashes.
    pub blobs: Vec<Word>,
    /// Of type 4.
    pub consents: Vec<Consent>,
    /// The sender's.
    pub signature: Signature,
}

fn words(words: &[Word]) -> Item {
    Item::List(words.iter().map(Item::bytes).collect())
}

fn hexes(words: &[Word]) -> Value {
    words.iter().map(|word| hex::encode(word)).collect()
}

fn typed(kind: u8, fields: Vec<Item>) -> Vec<u8> {
    let first = (kind > 0).then_some(kind);
    first.into_iter().chain(Item::List(fields).encode()).collect()
}

impl Transaction {
    /// The fields that are signed.
    fn unsigned(&self) -> Vec<Item> {
        let mut fields = Vec::new();
        if self.kind > 0 {
            fields.push(Item::uint(self.chain_id));
        }
        fields.push(Item::uint(self.nonce));
        if self.kind > 1 {
            fields.push(Item::uint(self.tip));
        }
        fields.extend([Item::uint(self.price), Item::uint(self.gas)]);
        fields.push(Item::bytes(self.to.map(|to| to.to_vec()).unwrap_or_default()));
        fields.extend([Item::uint(self.value), Item::bytes(&self.input)]);
        if self.kind > 0 {
            let entry = |(address, slots): &(Address, Vec<Word>)| {
                Item::List(vec![Item::bytes(address), words(slots)])
            };
            fields.push(Item::List(self.access.iter().map(entry).collect()));
        }
        if self.kind == 3 {
            fields.extend([Item::uint(self.blob_fee), words(&self.blobs)]);
        }
        if self.kind == 4 {
            let consent = |one: &Consent| {
                let head =
                    [Item::uint(one.chain_id), Item::bytes(one.address), Item::uint(one.nonce)];
                Item::List(head.into_iter().chain(one.signature.items()).collect())
            };
            fields.push(Item::List(self.consents.iter().map(consent).collect()));
        }
        fields
    }

    /// The fields of the envelope.
    pub fn fields(&self) -> Vec<Item> {
        self.unsigned().into_iter().chain(self.signature.items()).collect()
    }

    /// The envelope (EIP-2718).
    pub fn envelope(&self) -> Vec<u8> {
        typed(self.kind, self.fields())
    }

    /// Its hash.
    pub fn hash(&self) -> Word {
        keccak256(&self.envelope())
    }

    /// What the sender signed.
    fn signing_hash(&self) -> Word {
        let mut fields = self.unsigned();
        if self.kind == 0 && self.signature.v >= 35 {
            let chain_id = (self.signature.v - 35) / 2;
            fields.extend([Item::uint(chain_id), Item::uint(0_u8), Item::uint(0_u8)]);
        }
        keccak256(&typed(self.kind, fields))
    }

    /// Wei for a unit of gas.
    fn effective_price(&self, base_fee: Option<u64>) -> u64 {
        match self.kind {
            0 | 1 => self.price,
            _ => self.price.min(base_fee.unwrap_or_default() + self.tip),
        }
    }

    /// As facts have it.
    pub fn json(&self, index: usize) -> Value {
        let mut json = Map::new();
        let mut add = |name: &str, value: Value| json.insert(name.into(), value);
        add("transactionIndex", quantity(index as u64).into());
        add("hash", hex::encode(&self.hash()).into());
        add("signingHash", hex::encode(&self.signing_hash()).into());
        add("type", quantity(self.kind).into());
        if self.kind > 0 {
            add("chainId", quantity(self.chain_id).into());
        }
        add("nonce", quantity(self.nonce).into());
        if self.kind > 1 {
            add("maxPriorityFeePerGas", quantity(self.tip).into());
            add("maxFeePerGas", quantity(self.price).into());
        } else {
            add("gasPrice", quantity(self.price).into());
        }
        add("gas", quantity(self.gas).into());
        add("to", self.to.map(|to| hex::encode(&to)).into());
        add("value", quantity(self.value).into());
        add("input", hex::encode(&self.input).into());
        if self.kind > 0 {
            let entry = |(address, slots): &(Address, Vec<Word>)| json!({ "address": hex::encode(address), "storageKeys": hexes(slots) });
            add("accessList", self.access.iter().map(entry).collect());
        }
        if self.kind == 3 {
            add("maxFeePerBlobGas", quantity(self.blob_fee).into());
            add("blobVersionedHashes", hexes(&self.blobs));
        }
        if self.kind == 4 {
            add("authorizationList", self.consents.iter().map(Consent::json).collect());
        }
        self.signature.json(if self.kind == 0 { "v" } else { "yParity" }, &mut json);
        json.into()
    }
}

impl Consent {
    fn json(&self) -> Value {
        let mut json = Map::new();
        json.insert("chainId".into(), quantity(self.chain_id).into());
        json.insert("address".into(), hex::encode(&self.address).into());
        json.insert("nonce".into(), quantity(self.nonce).into());
        self.signature.json("yParity", &mut json);
        json.into()
    }
}

/// A log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// Who wrote it.
    pub address: Address,
    /// Up to four.
    pub topics: Vec<Word>,
    /// Anything.
    pub data: Vec<u8>,
}

impl Log {
    fn item(&self) -> Item {
        Item::List(vec![Item::bytes(self.address), words(&self.topics), Item::bytes(&self.data)])
    }

    /// As facts have it, without its transaction.
    pub fn json(&self, number: usize) -> Map<String, Value> {
        let mut json = Map::new();
        json.insert("logIndex".into(), quantity(number as u64).into());
        json.insert("address".into(), hex::encode(&self.address).into());
        json.insert("topics".into(), hexes(&self.topics));
        json.insert("data".into(), hex::encode(&self.data).into());
        json
    }
}

/// How a transaction ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Since Byzantium.
    Succeeded(bool),
    /// Before.
    StateRoot(Word),
}

/// A receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The transaction's.
    pub kind: u8,
    /// How it ended.
    pub outcome: Outcome,
    /// Gas of this one and all before.
    pub cumulative_gas: u64,
    /// In their order.
    pub logs: Vec<Log>,
}

/// Sets the three bits of an address or a topic (Yellow Paper, section 4.4.1).
pub fn set(bloom: &mut [u8; BLOOM_BYTES], entry: &[u8]) {
    let hash = keccak256(entry);
    for pair in [0, 2, 4] {
        let bit = usize::from(u16::from_be_bytes([hash[pair], hash[pair + 1]])) % 2048;
        bloom[BLOOM_BYTES - 1 - bit / 8] |= 1 << (bit % 8);
    }
}

impl Receipt {
    /// Addresses and topics of its logs.
    pub fn bloom(&self) -> [u8; BLOOM_BYTES] {
        let mut bloom = [0; BLOOM_BYTES];
        for log in &self.logs {
            set(&mut bloom, &log.address);
            log.topics.iter().for_each(|topic| set(&mut bloom, topic));
        }
        bloom
    }

    /// The fields of the envelope.
    pub fn fields(&self) -> Vec<Item> {
        vec![
            match &self.outcome {
                Outcome::Succeeded(succeeded) => Item::uint(u8::from(*succeeded)),
                Outcome::StateRoot(root) => Item::bytes(root),
            },
            Item::uint(self.cumulative_gas),
            Item::bytes(self.bloom()),
            Item::List(self.logs.iter().map(Log::item).collect()),
        ]
    }

    /// The envelope (EIP-2718).
    pub fn envelope(&self) -> Vec<u8> {
        typed(self.kind, self.fields())
    }
}

/// A withdrawal (EIP-4895).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    /// Of all.
    pub index: u64,
    /// The validator.
    pub validator: u64,
    /// Who is credited.
    pub address: Address,
    /// In gwei.
    pub amount: u64,
}

impl Withdrawal {
    /// Its bytes.
    pub fn encode(&self) -> Vec<u8> {
        let Self { index, validator, address, amount } = self;
        let numbers = [Item::uint(*index), Item::uint(*validator)];
        let rest = [Item::bytes(address), Item::uint(*amount)];
        Item::List(numbers.into_iter().chain(rest).collect()).encode()
    }

    /// As facts have it.
    pub fn json(&self) -> Value {
        json!({
            "index": quantity(self.index),
            "validatorIndex": quantity(self.validator),
            "address": hex::encode(&self.address),
            "amount": quantity(self.amount),
        })
    }
}

/// What a block holds beside state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// In their order.
    pub transactions: Vec<Transaction>,
    /// One each.
    pub receipts: Vec<Receipt>,
    /// In their order.
    pub withdrawals: Vec<Withdrawal>,
    /// Since London.
    pub base_fee: Option<u64>,
}

/// Which logs are asked for: addresses, and topics by position.
pub type Filter = (Vec<Address>, Vec<Vec<Word>>);

fn matches((addresses, topics): &Filter, log: &Log) -> bool {
    let fits = |(at, any): (usize, &Vec<Word>)| {
        log.topics.get(at).is_some_and(|topic| any.is_empty() || any.contains(topic))
    };
    (addresses.is_empty() || addresses.contains(&log.address))
        && topics.iter().enumerate().all(fits)
}

impl Block {
    /// The Bloom filter of all logs.
    pub fn bloom(&self) -> [u8; BLOOM_BYTES] {
        let mut all = [0; BLOOM_BYTES];
        for bloom in self.receipts.iter().map(Receipt::bloom) {
            all.iter_mut().zip(bloom).for_each(|(sum, byte)| *sum |= byte);
        }
        all
    }

    /// The fact of transactions, of these indices or all.
    pub fn transactions_fact(&self, indices: &[usize]) -> Value {
        let all = self.transactions.iter().enumerate();
        let wanted = all.filter(|(index, _)| indices.is_empty() || indices.contains(index));
        let list: Vec<_> = wanted.map(|(index, one)| one.json(index)).collect();
        json!({ "count": self.transactions.len(), "transactions": list })
    }

    /// The fact of receipts, of these indices or all.
    pub fn receipts_fact(&self, indices: &[usize]) -> Value {
        let (mut list, mut gas, mut number) = (Vec::new(), 0, 0);
        for (index, (receipt, transaction)) in
            self.receipts.iter().zip(&self.transactions).enumerate()
        {
            let logs: Vec<Value> = receipt
                .logs
                .iter()
                .enumerate()
                .map(|(at, log)| log.json(number + at).into())
                .collect();
            let mut json = Map::new();
            let mut add = |name: &str, value: Value| json.insert(name.into(), value);
            add("transactionIndex", quantity(index as u64).into());
            add("transactionHash", hex::encode(&transaction.hash()).into());
            add("type", quantity(receipt.kind).into());
            add("to", transaction.to.map(|to| hex::encode(&to)).into());
            match &receipt.outcome {
                Outcome::Succeeded(succeeded) => {
                    add("status", quantity(u8::from(*succeeded)).into())
                }
                Outcome::StateRoot(root) => add("root", hex::encode(root).into()),
            };
            add("cumulativeGasUsed", quantity(receipt.cumulative_gas).into());
            add("gasUsed", quantity(receipt.cumulative_gas - gas).into());
            let price = transaction.effective_price(self.base_fee);
            add("effectiveGasPrice", quantity(price).into());
            if transaction.kind == 3 {
                let blob_gas = transaction.blobs.len() as u64 * GAS_PER_BLOB;
                add("blobGasUsed", quantity(blob_gas).into());
            }
            add("logsBloom", hex::encode(&receipt.bloom()).into());
            add("logs", logs.into());
            if indices.is_empty() || indices.contains(&index) {
                list.push(Value::from(json));
            }
            gas = receipt.cumulative_gas;
            number += receipt.logs.len();
        }
        json!({ "count": self.receipts.len(), "receipts": list })
    }

    /// The fact of withdrawals.
    pub fn withdrawals_fact(&self) -> Value {
        let list: Vec<_> = self.withdrawals.iter().map(Withdrawal::json).collect();
        json!({ "withdrawals": list })
    }

    /// The fact of logs, with hashes of their transactions or without.
    pub fn logs_fact(&self, filter: &Filter, hashes: bool) -> Value {
        let (mut list, mut number) = (Vec::new(), 0);
        for (index, receipt) in self.receipts.iter().enumerate() {
            for log in &receipt.logs {
                if matches(filter, log) {
                    let mut json = log.json(number);
                    json.insert("transactionIndex".into(), quantity(index as u64).into());
                    if hashes {
                        let hash = self.transactions[index].hash();
                        json.insert("transactionHash".into(), hex::encode(&hash).into());
                    }
                    list.push(Value::from(json));
                }
                number += 1;
            }
        }
        json!({ "logs": list })
    }
}
