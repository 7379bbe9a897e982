//! Chains from a source of their own: what a write set may say, and what is refused before anything
//! is durable.

use std::collections::VecDeque;
use std::path::Path;

use lightproof_node::system;
use lightproof_prover::chain::Address;
use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::header::Header;
use lightproof_prover::chain::source::{Genesis, Parent, Source, SourceBlock, SourceError};
use lightproof_prover::chain::state::{AccountState, StateReader, Wei};
use lightproof_prover::chain::writes::{AccountWrite, WriteSet};
use lightproof_prover::hash::{EMPTY_CODE_HASH, keccak256};
use lightproof_prover::system::balanceproofs::Config as Vectors;
use lightproof_prover::system::{cole, lmpt};

use crate::model::Model;

const A: Address = [0xaa; 20];
const B: Address = [0xbb; 20];
const C: Address = [0xcc; 20];
const MOST: Wei = Wei([0xff; 32]);

/// Blocks from a list, on an empty genesis.
#[derive(Default)]
struct Listed {
    genesis: Genesis,
    blocks: VecDeque<SourceBlock>,
}

impl Source for Listed {
    fn genesis(&self) -> Result<Genesis, SourceError> {
        Ok(Genesis { chain_id: 4_242, ..self.genesis.clone() })
    }

    fn next(
        &mut self,
        parent: &Parent,
        state: &dyn StateReader,
    ) -> Result<Option<SourceBlock>, SourceError> {
        // What a source reads is the state after the parent.
        assert_eq!(state.origin(parent.number)?, Some(parent.origin));
        assert_eq!(state.origin(parent.number + 1)?, None);
        Ok(self.blocks.pop_front())
    }
}

fn block(number: u64, writes: WriteSet) -> SourceBlock {
    let origin = keccak256(&number.to_be_bytes());
    SourceBlock { number, timestamp: 10 * number, origin, writes, content: None }
}

fn writes(change: impl FnOnce(&mut WriteSet)) -> WriteSet {
    let mut writes = WriteSet::default();
    change(&mut writes);
    writes
}

fn open(directory: &Path, config: Config) -> Chain {
    Chain::open_with(directory, config, &Listed::default()).unwrap()
}

fn advance(node: &Chain, block: SourceBlock) -> Result<Header, String> {
    let mut source = Listed { blocks: [block].into(), ..Listed::default() };
    let headers = node.advance(&mut source, 5).map_err(|error| error.to_string())?;
    let [header] = headers.try_into().unwrap();
    Ok(header)
}

/// Accounts, code and slots that come, change and go.
fn story() -> Vec<WriteSet> {
    vec![
        writes(|writes| {
            writes.account(A, 1, MOST);
            writes.contract(B, u64::MAX, 7, vec![0xfe; 40]);
            writes.contract(C, 1, 0, vec![0xfe; 40]);
            writes.slot(B, [1; 32], [2; 32]);
            // No account of its own, only a slot.
            writes.slot([0xdd; 20], [1; 32], [3; 32]);
        }),
        // Of B slots alone change; C is delegated by EIP-7702; A is spent and ceases to exist.
        writes(|writes| {
            writes.slot(B, [2; 32], [4; 32]);
            writes.contract(C, 2, 5, [&[0xef, 1, 0], A.as_slice()].concat());
            writes.account(A, 0, 0);
        }),
        // The delegation ends, B destroys itself, A is back.
        writes(|writes| {
            writes.contract(C, 3, 5, vec![]);
            writes.slot(B, [1; 32], [0; 32]);
            writes.slot(B, [2; 32], [0; 32]);
            writes.delete(B);
            writes.account(A, 0, 9);
        }),
        // Code that an earlier block holds, named by its hash alone; an account that never was.
        writes(|writes| {
            let code_hash = Some(keccak256(&[0xfe; 40]));
            let write = AccountWrite::Set { nonce: 1, balance: 3.into(), code_hash };
            writes.accounts.insert(A, write);
            writes.delete([0xee; 20]);
            writes.slot([0xdd; 20], [1; 32], [0; 32]);
        }),
    ]
}

#[test]
fn every_root_is_alloys_and_the_reader_has_no_defaults() {
    let directory = tempfile::tempdir().unwrap();
    let chain = system::config(7, 16);
    let node = open(
        directory.path(),
        Config {
            systems: chain
                .systems
                .iter()
                .filter(|one| one.name() != "balanceproofs")
                .cloned()
                .collect(),
            ..chain
        },
    );
    let mut model = Model::default();
    for (number, writes) in (1..).zip(story()) {
        model.apply(&writes);
        let header = advance(&node, block(number, writes)).unwrap();
        assert_eq!(header.commitment("mpt").unwrap(), model.root(), "block {number}");
        assert_eq!((header.version, header.chain_id), (2, 4_242));
        assert_eq!(header.origin, keccak256(&number.to_be_bytes()));
    }
    let snapshot = node.snapshot().unwrap();
    let state = |number| snapshot.state(number).unwrap();
    let first = state(1).fields(&A).unwrap().unwrap();
    assert_eq!(first, AccountState { nonce: 1, balance: MOST, code_hash: EMPTY_CODE_HASH });
    assert_eq!(state(2).fields(&A).unwrap(), None);
    assert_eq!(state(3).fields(&B).unwrap(), None);
    assert_eq!(state(4).code(&keccak256(&[0xfe; 40])).unwrap(), [0xfe; 40]);
    assert!(state(4).code(&[9; 32]).is_err(), "unknown code");
    assert!(state(4).code(&EMPTY_CODE_HASH).unwrap().is_empty());
}

#[test]
fn a_block_that_is_refused_leaves_no_trace_in_any_system() {
    let config = || system::config(7, 16);
    let (disturbed, calm) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (disturbed, calm) = (open(disturbed.path(), config()), open(calm.path(), config()));
    let a = "0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    let start = writes(|writes| {
        writes.account(A, 0, 5);
        writes.slot(A, [1; 32], [2; 32]);
    });
    for node in [&disturbed, &calm] {
        advance(node, block(1, start.clone())).unwrap();
    }
    let other = |writes: &mut WriteSet| {
        writes.account(B, 0, 1);
        writes.slot(B, [1; 32], [2; 32]);
    };
    let code_hash = Some([9; 32]);
    let unknown = AccountWrite::Set { nonce: 1, balance: 1.into(), code_hash };
    for (block, reason) in [
        (block(3, start.clone()), "expected block 2, found block 3".to_owned()),
        (block(1, start.clone()), "expected block 2, found block 1".to_owned()),
        (
            SourceBlock { timestamp: 9, ..block(2, start.clone()) },
            "block 2 has timestamp 9, below 10".to_owned(),
        ),
        (
            block(
                2,
                writes(|writes| {
                    other(writes);
                    writes.delete(A);
                }),
            ),
            format!("{a} is deleted but still has slots"),
        ),
        (
            block(
                2,
                writes(|writes| {
                    other(writes);
                    writes.accounts.insert(A, unknown);
                }),
            ),
            format!("{a} has code 0x0909"),
        ),
        (
            block(
                2,
                writes(|writes| {
                    other(writes);
                    writes.account(A, 0, MOST);
                }),
            ),
            format!("{a} has a balance that is not below the order"),
        ),
    ] {
        let error = advance(&disturbed, block).unwrap_err();
        assert!(error.contains(&reason), "{error}");
        assert_eq!(disturbed.snapshot().unwrap().head(), 1);
    }
    for number in 2..5 {
        let next = writes(|writes| {
            other(writes);
            writes.account(A, number, 5);
        });
        let [one, two] = [&disturbed, &calm].map(|node| advance(node, block(number, next.clone())));
        assert_eq!(one.unwrap(), two.unwrap());
    }
}

/// The order of BLS12-381's scalar field.
const ORDER: &str = "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001";

#[test]
fn a_listed_vector_holds_its_accounts_alone_and_balances_below_the_order() {
    let listed: &[Address] = &[C, A];
    let vectors = Vectors { accounts: Some(listed), ..Vectors::DEFAULT };
    let directory = tempfile::tempdir().unwrap();
    let config = |vectors| system::config(7, 16).with(vectors);
    let node = open(directory.path(), config(vectors));
    let mut order = Wei::default();
    for (byte, digits) in order.0.iter_mut().zip(ORDER.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap();
    }
    let mut largest = order;
    largest.0[31] = 0;
    let commitment = |header: &Header| header.commitment("balanceproofs").unwrap().to_vec();
    let set = |address, balance| writes(|writes| writes.account(address, 0, balance));
    // B has no position, so that its balance may be any.
    let nobody = advance(&node, block(1, set(B, MOST))).unwrap();
    assert_eq!(commitment(&nobody)[..2], [0xc0, 0], "the commitment of zeros");
    let error = advance(&node, block(2, set(A, order))).unwrap_err();
    assert!(error.contains("0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), "{error}");
    let some = advance(&node, block(2, set(A, largest))).unwrap();
    assert_ne!(commitment(&nobody), commitment(&some));
    // What was held is gone with the account.
    let gone = advance(&node, block(3, writes(|writes| writes.delete(A)))).unwrap();
    assert_eq!(commitment(&nobody), commitment(&gone));
    drop(node);
    // Another list is another chain: a position never changes its account.
    let swapped: &[Address] = &[A, C];
    for accounts in [None, Some(swapped)] {
        let other = config(Vectors { accounts, ..Vectors::DEFAULT });
        let error = Chain::open_with(directory.path(), other, &Listed::default()).unwrap_err();
        assert!(error.to_string().contains("holds balanceproofs"), "{error}");
    }
}

#[test]
fn a_directory_keeps_its_genesis() {
    let directory = tempfile::tempdir().unwrap();
    let genesis = Genesis { origin: [3; 32], config: [4; 32], ..Genesis::default() };
    let with = |genesis: &Genesis| {
        let source = Listed { genesis: genesis.clone(), ..Listed::default() };
        Chain::open_with(directory.path(), system::config(7, 16), &source)
    };
    let node = with(&genesis).unwrap();
    let header = node.snapshot().unwrap().header(0).unwrap().unwrap();
    assert_eq!((header.origin, header.parent_hash, node.chain_id()), ([3; 32], [4; 32], 4_242));
    drop(node);
    for (other, key) in [
        (Genesis { origin: [5; 32], ..genesis.clone() }, "origin"),
        (Genesis { config: [5; 32], ..genesis.clone() }, "configuration"),
        (Genesis { timestamp: 1, ..genesis.clone() }, "genesis time"),
    ] {
        let error = with(&other).unwrap_err().to_string();
        assert!(error.contains(&format!("holds {key} ")), "{error}");
    }
    assert!(
        Chain::of_workload(directory.path(), system::config(7, 16)).is_err(),
        "the workload's chain"
    );
    with(&genesis).unwrap();
}

#[test]
fn a_chain_of_few_writes_opens_again_after_every_block() {
    let directory = tempfile::tempdir().unwrap();
    let cole = cole::Config { kind: cole::Kind::ColeStar, capacity: 4, ..cole::Config::DEFAULT };
    let lmpt = lmpt::Config { interval: 3, ..lmpt::Config::DEFAULT };
    for number in 1..=40 {
        // Every fifth block writes nothing.
        let slot = |writes: &mut WriteSet| {
            let mut key = [0; 32];
            key[31] = u8::try_from(number).unwrap();
            writes.slot(A, key, [1; 32]);
        };
        let writes = writes(|writes| {
            if number % 5 != 0 {
                slot(writes);
            }
        });
        let node = open(directory.path(), system::config(7, 16).with(cole).with(lmpt));
        advance(&node, block(number, writes)).unwrap();
    }
}
