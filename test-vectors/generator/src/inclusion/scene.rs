//! The blocks that the cases are about, their roots and headers, and questions and proofs as bytes.

use super::model::{
    Block, Consent, Filter, Log, Outcome, Receipt, Signature, Transaction, Withdrawal,
};
use crate::case::{Claim, Setting, Source, header_source};
use crate::mpt::scene::execution_header;
use lightproof_prover::chain::Address;
use lightproof_prover::hash::{EMPTY_ROOT, Word, keccak256};
use lightproof_prover::rlp::Item;
use lightproof_prover::system::PLAIN;
use lightproof_prover::trie::Trie;
use lightproof_prover::trie::nibbles::Nibbles;

/// Number of every block.
pub(super) const NUMBER: u64 = 9;

/// Contracts and people.
pub(super) const A: Address = [0xaa; 20];
pub(super) const B: Address = [0xbb; 20];
pub(super) const C: Address = [0xcc; 20];

/// Topics.
pub(super) const TRANSFER: Word = [0x11; 32];
pub(super) const ALICE: Word = [0x22; 32];
pub(super) const BOB: Word = [0x33; 32];

/// Ethereum, without parameters.
pub(super) fn setting() -> Setting {
    Setting {
        kind: "ethereum",
        chain_id: 1337,
        genesis_hash: [0x99; 32],
        format: "body/1",
        params_digest: None,
        params: vec![],
    }
}

fn signature(of: u64, v: u64) -> Signature {
    let [r, s] =
        [0_u8, 1].map(|which| keccak256(&[of.to_be_bytes().as_slice(), &[which]].concat()));
    Signature { v, r, s }
}

/// A transaction of a type; 5 is of no fork yet.
pub(super) fn transaction(kind: u8, nonce: u64) -> Transaction {
    let consents = [(0, 0), (1337, 1)].map(|(chain_id, v)| Consent {
        chain_id,
        address: B,
        nonce: 4,
        signature: signature(nonce + 100 + chain_id, v),
    });
    Transaction {
        kind,
        chain_id: 1337,
        nonce,
        price: 40,
        tip: 2,
        gas: 210_000,
        to: Some(C),
        value: 5_000_000_000_000_000_000,
        input: vec![0xde, 0xad, 0xbe, 0xef],
        access: vec![(B, vec![[7; 32], [8; 32]]), (C, vec![])],
        blob_fee: 9,
        blobs: vec![[1; 32], [2; 32]],
        consents: consents.to_vec(),
        // Both parities, and a chain of EIP-155.
        signature: signature(nonce, if kind == 0 { 35 + 2 * 1337 } else { nonce % 2 }),
    }
}

pub(super) fn log(address: Address, topics: &[Word]) -> Log {
    // As long as its topics, and an end that is no whole word.
    Log { address, topics: topics.to_vec(), data: [topics.concat(), vec![9; 8]].concat() }
}

fn receipt(kind: u8, cumulative_gas: u64, logs: Vec<Log>) -> Receipt {
    Receipt { kind, outcome: Outcome::Succeeded(true), cumulative_gas, logs }
}

/// A block with a transaction of every type, some of which made logs.
pub(super) fn full() -> Block {
    let mut transactions: Vec<_> = (0..5).map(|kind| transaction(kind, kind.into())).collect();
    // One that makes a contract, and one for every chain.
    transactions.push(Transaction { to: None, ..transaction(2, 5) });
    let mut early = transaction(0, 6);
    early.signature.v = 28;
    early.value = 0;
    early.input = vec![];
    transactions.push(early);
    let logs = |index| match index {
        1 => vec![log(A, &[TRANSFER, ALICE, BOB]), log(B, &[TRANSFER, BOB, ALICE]), log(A, &[])],
        3 => vec![log(A, &[TRANSFER, BOB, ALICE, [4; 32]])],
        4 => vec![log(C, &[BOB])],
        _ => vec![],
    };
    let each = |(index, transaction): (usize, &Transaction)| {
        receipt(transaction.kind, 21_000 * (index as u64 + 1), logs(index))
    };
    let mut receipts: Vec<_> = transactions.iter().enumerate().map(each).collect();
    receipts[2].outcome = Outcome::Succeeded(false);
    let withdrawal = |index: u64| Withdrawal {
        index: 70_000 + index,
        validator: 300 + index,
        address: B,
        amount: index * 1_000,
    };
    let withdrawals = (0..3).map(withdrawal).collect();
    Block { transactions, receipts, withdrawals, base_fee: Some(7) }
}

/// The block beside it.
pub(super) fn other() -> Block {
    let mut block = full();
    block.transactions.iter_mut().for_each(|transaction| transaction.nonce += 50);
    block.receipts.iter_mut().for_each(|receipt| receipt.cumulative_gas += 5);
    block.withdrawals.iter_mut().for_each(|withdrawal| withdrawal.index += 3);
    block
}

/// Root of the trie over a list.
pub fn trie_root(list: &[Vec<u8>]) -> Word {
    let nothing = std::collections::BTreeMap::<Nibbles, Vec<u8>>::new();
    // Reading and writing a map in memory cannot fail.
    let Ok(mut trie) = Trie::open(&nothing) else { return EMPTY_ROOT };
    for (index, value) in list.iter().enumerate() {
        let _ = trie.set(&Item::uint(index as u64).encode(), value.clone());
    }
    trie.finish().root
}

/// The lists of a block as its tries hold them, which a liar changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lists {
    /// Envelopes.
    pub transactions: Vec<Vec<u8>>,
    /// Envelopes.
    pub receipts: Vec<Vec<u8>>,
    /// RLP.
    pub withdrawals: Vec<Vec<u8>>,
}

/// The honest lists.
pub fn lists(block: &Block) -> Lists {
    Lists {
        transactions: block.transactions.iter().map(Transaction::envelope).collect(),
        receipts: block.receipts.iter().map(Receipt::envelope).collect(),
        withdrawals: block.withdrawals.iter().map(Withdrawal::encode).collect(),
    }
}

impl Lists {
    /// What a header says of the body, with as many fields as the block's fork has: 3, 4 or 5.
    pub(super) fn root(&self, block: &Block, fields: usize) -> Source {
        let mut items = vec![
            Item::bytes(trie_root(&self.transactions)),
            Item::bytes(trie_root(&self.receipts)),
            Item::bytes(block.bloom()),
            Item::uint(block.base_fee.unwrap_or_default()),
            Item::bytes(trie_root(&self.withdrawals)),
        ];
        items.truncate(fields);
        Source::Root { number: NUMBER, bytes: Item::List(items).encode() }
    }

    /// A proof.
    pub(super) fn proof(&self, question: &Question) -> Vec<u8> {
        let lists: Vec<&[Vec<u8>]> = match question {
            Question::Transactions(_) => vec![&self.transactions],
            Question::Receipts(_) | Question::Logs(_, true) => {
                vec![&self.transactions, &self.receipts]
            }
            Question::Withdrawals => vec![&self.withdrawals],
            Question::Bloom(_) => vec![],
            Question::Logs(_, false) => vec![&self.receipts],
        };
        Item::List(lists.into_iter().map(strings).collect()).encode()
    }
}

fn strings(list: &[Vec<u8>]) -> Item {
    Item::List(list.iter().map(Item::bytes).collect())
}

/// The header of an Ethereum block with as many fields.
pub(super) fn header(block: &Block, fields: usize) -> Vec<Item> {
    let mut items = execution_header(fields, NUMBER, [0x55; 32], [0x66; 32]);
    let own = lists(block);
    items[4] = Item::bytes(trie_root(&own.transactions));
    items[5] = Item::bytes(trie_root(&own.receipts));
    items[6] = Item::bytes(block.bloom());
    if let Some(base_fee) = items.get_mut(15) {
        *base_fee = Item::uint(block.base_fee.unwrap_or_default());
    }
    if let Some(root) = items.get_mut(16) {
        *root = Item::bytes(trie_root(&own.withdrawals));
    }
    items
}

/// Trusts the hash of that header.
pub(super) fn header_of(block: &Block, fields: usize) -> Source {
    header_source(&[Item::List(header(block, fields)).encode()])
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Of these indices, or all.
    Transactions(Vec<usize>),
    /// Of these indices, or all.
    Receipts(Vec<usize>),
    /// All.
    Withdrawals,
    /// Whether a log may be there.
    Bloom(Filter),
    /// Logs, with their transactions' hashes or without.
    Logs(Filter, bool),
}

impl Question {
    /// The items of the query.
    pub(super) fn items(&self) -> Vec<Item> {
        let indices =
            |all: &[usize]| Item::List(all.iter().map(|at| Item::uint(*at as u64)).collect());
        match self {
            Self::Transactions(wanted) => vec![Item::bytes("transactions"), indices(wanted)],
            Self::Receipts(wanted) => vec![Item::bytes("receipts"), indices(wanted)],
            Self::Withdrawals => vec![Item::bytes("withdrawals")],
            Self::Bloom(filter) => filtered("bloom", filter),
            Self::Logs(filter, hashes) => {
                let mut items = filtered("logs", filter);
                items.push(Item::uint(u8::from(*hashes)));
                items
            }
        }
    }

    /// The query's bytes.
    pub(super) fn encode(&self) -> Vec<u8> {
        Item::List(self.items()).encode()
    }
}

fn filtered(kind: &str, (addresses, topics): &Filter) -> Vec<Item> {
    let topics = topics.iter().map(|any| Item::List(any.iter().map(Item::bytes).collect()));
    let addresses = addresses.iter().map(Item::bytes).collect();
    vec![Item::bytes(kind), Item::List(addresses), Item::List(topics.collect())]
}

/// The claim that lists answer a question under a root.
pub(super) fn claim(source: Source, question: &Question, lists: &Lists) -> Claim {
    (source, question.encode(), PLAIN, lists.proof(question)).into()
}
