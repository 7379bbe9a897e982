//! A chain of our own making: a state in memory, keys, and blocks whose headers are right.

#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic
)]

pub mod beacon;
pub mod code;
pub mod followed;
pub mod geth;
pub mod node;
pub mod transactions;

use std::collections::BTreeMap;

use alloy_consensus::{SignableTransaction, TxEnvelope};
use alloy_eips::eip4895::{Withdrawal, Withdrawals};
use alloy_primitives::{Address, B256, Bytes, KECCAK256_EMPTY, Signature, U256};
use alloy_trie::{EMPTY_ROOT_HASH, TrieAccount};
use k256::ecdsa::SigningKey;
use lightproof_ethereum::block::{Block, Body};
use lightproof_ethereum::chain::Chain;
use lightproof_ethereum::execute::{ExecuteError, Executed, execute};
use lightproof_ethereum::follow::{FollowError, Follower, Held, Next};
use lightproof_ethereum::genesis::Genesis;
use lightproof_ethereum::rules::{Mismatch, Parent, next_base_fee};
use lightproof_ethereum::{Account, Changes, State, StateError};

/// A state that is kept whole, and the hashes of its blocks.
#[derive(Clone, Debug, Default)]
pub struct World {
    pub accounts: BTreeMap<Address, Account>,
    pub slots: BTreeMap<(Address, B256), U256>,
    pub codes: BTreeMap<B256, Bytes>,
    pub hashes: BTreeMap<u64, B256>,
}

impl State for World {
    fn account(&self, address: &Address) -> Result<Option<Account>, StateError> {
        Ok(self.accounts.get(address).copied())
    }

    fn slot(&self, address: &Address, slot: &B256) -> Result<U256, StateError> {
        Ok(self.slots.get(&(*address, *slot)).copied().unwrap_or_default())
    }

    fn code(&self, hash: &B256) -> Result<Option<Bytes>, StateError> {
        Ok(self.codes.get(hash).cloned())
    }

    fn block_hash(&self, number: u64) -> Result<Option<B256>, StateError> {
        Ok(self.hashes.get(&number).copied())
    }
}

impl World {
    pub fn apply(&mut self, changes: &Changes) {
        for (address, account) in &changes.accounts {
            if let Some(account) = account {
                self.accounts.insert(*address, *account);
            } else {
                self.accounts.remove(address);
                self.slots.retain(|(of, _), _| of != address);
            }
        }
        for (key, value) in &changes.slots {
            if value.is_zero() {
                self.slots.remove(key);
            } else {
                self.slots.insert(*key, *value);
            }
        }
        self.codes.extend(changes.codes.clone());
    }

    pub fn after(&self, changes: &Changes) -> Self {
        let mut after = self.clone();
        after.apply(changes);
        after
    }

    /// The state root, from nothing: alloy's own trie.
    pub fn root(&self) -> B256 {
        alloy_consensus::proofs::state_root_unhashed(self.accounts.iter().map(
            |(address, account)| {
                let first = (*address, B256::ZERO);
                let last = (*address, B256::repeat_byte(0xff));
                let slots =
                    self.slots.range(first..=last).map(|((_, slot), value)| (*slot, *value));
                let storage_root = if self.slots.range(first..=last).next().is_none() {
                    EMPTY_ROOT_HASH
                } else {
                    alloy_consensus::proofs::storage_root_unhashed(slots)
                };
                let &Account { nonce, balance, code_hash } = account;
                (*address, TrieAccount { nonce, balance, storage_root, code_hash })
            },
        ))
    }
}

/// A chain that grows.
#[derive(Clone, Debug)]
pub struct Grown {
    pub chain: Chain,
    pub world: World,
    pub parent: Parent,
}

impl Grown {
    pub fn new(genesis: &Genesis) -> Self {
        let mut world = World::default();
        world.apply(&genesis.state);
        world.hashes.insert(0, genesis.hash);
        let parent = Parent { header: genesis.header.clone(), hash: genesis.hash };
        Self { chain: genesis.chain.clone(), world, parent }
    }

    pub fn execute(&self, block: &Block) -> Result<Executed, ExecuteError> {
        execute(&self.chain, &self.parent, block, &self.world, |changes| {
            Ok(self.world.after(changes).root())
        })
    }

    /// A child with the right constants, and the fields that execution gives still wrong.
    pub fn draft(&self, transactions: Vec<TxEnvelope>, withdrawals: Vec<Withdrawal>) -> Block {
        let mut header = self.parent.header.clone();
        header.parent_hash = self.parent.hash;
        header.number += 1;
        header.timestamp += 12;
        header.beneficiary = Address::repeat_byte(0xfe);
        header.base_fee_per_gas = Some(next_base_fee(&self.parent.header).try_into().unwrap());
        header.gas_used = 0;
        header.excess_blob_gas = {
            let old = &self.parent.header;
            let params = self.chain.blob_params(header.timestamp);
            let (excess, used) = (old.excess_blob_gas.unwrap(), old.blob_gas_used.unwrap());
            let price = old.base_fee_per_gas.unwrap();
            Some(params.next_block_excess_blob_gas_osaka(excess, used, price))
        };
        header.blob_gas_used = Some(0);
        header.parent_beacon_block_root = Some(B256::repeat_byte(0xbe));
        header.requests_hash = self.chain.is_prague(header.timestamp).then_some(B256::ZERO);
        let withdrawals = Some(Withdrawals::new(withdrawals));
        seal(header, Body { transactions, ommers: Vec::new(), withdrawals })
    }

    /// A child whose header is right: every field is set to what the check asks for.
    pub fn build(&self, transactions: Vec<TxEnvelope>, withdrawals: Vec<Withdrawal>) -> Block {
        let mut block = self.draft(transactions, withdrawals);
        for _ in 0..16 {
            match self.execute(&block) {
                Ok(_) => return block,
                Err(ExecuteError::Mismatch(mismatch)) => block = corrected(block, &mismatch),
                Err(error) => panic!("{error}"),
            }
        }
        panic!("the header never comes right");
    }

    /// Executes a block and goes on from it.
    pub fn extend(&mut self, block: &Block) -> Executed {
        let done = self.execute(block).expect("a valid block");
        self.world.apply(&done.changes);
        assert_eq!(self.world.root(), block.header.state_root, "the changes alone give the root");
        self.world.hashes.insert(block.header.number, block.hash);
        self.parent = Parent { header: block.header.clone(), hash: block.hash };
        done
    }

    pub fn grow(&mut self, transactions: Vec<TxEnvelope>) -> Executed {
        let block = self.build(transactions, Vec::new());
        self.extend(&block)
    }

    pub fn balance(&self, address: &Address) -> U256 {
        self.world.accounts.get(address).map_or(U256::ZERO, |account| account.balance)
    }

    pub fn nonce(&self, key: &Key) -> u64 {
        self.world.accounts.get(&key.address).map_or(0, |account| account.nonce)
    }
}

impl Held for Grown {
    fn head(&self) -> (u64, B256) {
        (self.parent.header.number, self.parent.hash)
    }

    fn hash(&self, number: u64) -> Option<B256> {
        self.world.hashes.get(&number).copied()
    }
}

/// Takes blocks until there is none; the reason for that.
pub fn take(follower: &mut Follower, chain: &mut Grown) -> Result<String, FollowError> {
    loop {
        match follower.next(chain)? {
            Next::Block(block) => drop(chain.extend(&block)),
            Next::Newest => return Ok("newest".to_owned()),
            Next::Wait(why) => return Ok(why),
        }
    }
}

/// The same block with the roots of its body.
pub fn body_roots(block: Block) -> Block {
    use alloy_consensus::proofs::{calculate_transaction_root, calculate_withdrawals_root};
    let (mut header, body) = (block.header, block.body);
    header.transactions_root = calculate_transaction_root(&body.transactions);
    header.withdrawals_root = body.withdrawals.as_ref().map(|all| calculate_withdrawals_root(all));
    seal(header, body)
}

/// A block of a header and a body, with its hash and size.
pub fn seal(header: alloy_consensus::Header, body: Body) -> Block {
    let size = alloy_consensus::Block::rlp_length_for(&header, &body);
    Block { hash: header.hash_slow(), header, body, size }
}

fn corrected(block: Block, mismatch: &Mismatch) -> Block {
    let mut header = block.header;
    let expected = &mismatch.expected;
    let hash = || expected.parse::<B256>().unwrap();
    match mismatch.field {
        "gasUsed" => header.gas_used = expected.parse().unwrap(),
        "blobGasUsed" => header.blob_gas_used = Some(expected.parse().unwrap()),
        "excessBlobGas" => header.excess_blob_gas = Some(expected.parse().unwrap()),
        "transactionsRoot" => header.transactions_root = hash(),
        "withdrawalsRoot" => header.withdrawals_root = Some(hash()),
        "receiptsRoot" => header.receipts_root = hash(),
        "stateRoot" => header.state_root = hash(),
        "requestsHash" => header.requests_hash = Some(hash()),
        "logsBloom" => header.logs_bloom = expected.parse().unwrap(),
        field => panic!("{field}: {mismatch}"),
    }
    seal(header, block.body)
}

/// A key that signs transactions.
#[derive(Clone, Debug)]
pub struct Key {
    secret: SigningKey,
    pub address: Address,
}

impl Key {
    pub fn new(seed: u8) -> Self {
        let secret = SigningKey::from_slice(&[seed; 32]).unwrap();
        let address = Address::from_public_key(secret.verifying_key());
        Self { secret, address }
    }

    pub fn sign_hash(&self, hash: B256) -> Signature {
        self.secret.sign_prehash_recoverable(hash.as_slice()).unwrap().into()
    }

    pub fn sign<T>(&self, transaction: T) -> TxEnvelope
    where
        T: SignableTransaction<Signature>,
        TxEnvelope: From<alloy_consensus::Signed<T>>,
    {
        let signature = self.sign_hash(transaction.signature_hash());
        transaction.into_signed(signature).into()
    }
}

pub const CHAIN_ID: u64 = 1337;

pub fn empty_code() -> B256 {
    KECCAK256_EMPTY
}
