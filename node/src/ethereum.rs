//! The source of a node that follows an Ethereum chain: every block is executed on our own state.

use lightproof_ethereum::block::Block;
use lightproof_ethereum::execute::execute;
use lightproof_ethereum::follow::beacon::Beacon;
use lightproof_ethereum::follow::{FollowError, Follower, Held, Next, Options};
use lightproof_ethereum::genesis::Genesis;
use lightproof_ethereum::record::Record;
use lightproof_ethereum::rules::Parent;
use lightproof_ethereum::snapshot::Snapshot;
use lightproof_ethereum::types::{Address, B256, Bytes, U256};
use lightproof_ethereum::{Account, Changes, State, StateError};
use lightproof_prover::chain::source::{self, Content, Source, SourceBlock, SourceError};
use lightproof_prover::chain::state::{StateReader, Wei};
use lightproof_prover::chain::writes::{AccountWrite, WriteSet};
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::Word;
use lightproof_prover::hex;

/// An Ethereum chain, as some nodes tell it.
pub struct Ethereum {
    genesis: Genesis,
    /// What the chain begins with, if not with block 0.
    start: Option<Snapshot>,
    follower: Follower,
    /// The block that was given last.
    parent: Option<Parent>,
    /// Why there was no block, as it was last said.
    waiting: String,
}

impl std::fmt::Debug for Ethereum {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Ethereum")
            .field("genesis", &self.genesis.hash)
            .finish_non_exhaustive()
    }
}

impl Ethereum {
    /// Follows the chain of a genesis file by these nodes.
    ///
    /// # Errors
    /// [`FollowError`] if there are too few nodes for the quorum, or a URL is none.
    pub fn new(genesis: Genesis, urls: &[String], options: Options) -> Result<Self, FollowError> {
        let follower = Follower::new(urls, options, genesis.hash)?;
        Ok(Self { genesis, start: None, follower, parent: None, waiting: String::new() })
    }

    /// The same, beginning with the state after a later block. A directory that began with it goes
    /// on without it.
    #[must_use]
    pub fn from(self, start: Snapshot) -> Self {
        Self { start: Some(start), ..self }
    }

    /// The same, by the head that a beacon chain proves.
    #[must_use]
    pub fn by(self, beacon: Beacon) -> Self {
        Self { follower: self.follower.by(beacon), ..self }
    }

    /// The header that a block's rules are checked against; `None` while no node has it.
    fn parent(&mut self, held: &source::Parent) -> Result<Parent, String> {
        let hash = B256::from(held.origin);
        if held.number == 0 {
            return Ok(Parent { header: self.genesis.header.clone(), hash: self.genesis.hash });
        }
        if let Some(start) = self.start.as_ref().filter(|start| start.hash == hash) {
            return Ok(Parent { header: start.header.clone(), hash });
        }
        if let Some(parent) = self.parent.as_ref().filter(|parent| parent.hash == hash) {
            return Ok(parent.clone());
        }
        // After a start. The hash binds it, so nobody need be trusted.
        let header = self.follower.header(hash)?;
        Ok(Parent { header, hash })
    }

    fn execute(
        &mut self,
        parent: &Parent,
        block: Block,
        state: &dyn StateReader,
    ) -> Result<SourceBlock, SourceError> {
        let Block { hash, header, .. } = &block;
        // The node computes the root when it applies the changes: `check_root` compares it.
        let state_root = header.state_root;
        let done = execute(&self.genesis.chain, parent, &block, &Reader(state), |_| Ok(state_root));
        let done = done.map_err(|error| {
            let name = format!("block {} {hash} of the chain that is followed", header.number);
            SourceError::Source(format!("{name}: {error}").into())
        })?;
        let (number, timestamp, origin) = (header.number, header.timestamp, hash.0);
        let writes = write_set(&done.changes);
        self.parent = Some(Parent { header: header.clone(), hash: *hash });
        self.waiting.clear();
        let content = content(&Record::new(&self.genesis.chain, block, done));
        Ok(SourceBlock { number, timestamp, origin, writes, content: Some(content) })
    }

    /// Tells the operator why there is no block, once until there is one again.
    fn wait(&mut self, why: String) {
        if self.waiting != why {
            tracing::warn!("waiting: {why}");
            self.waiting = why;
        }
    }
}

impl Source for Ethereum {
    fn genesis(&self) -> Result<source::Genesis, SourceError> {
        let chain = &self.genesis.chain;
        let of_all = source::Genesis {
            chain_id: chain.chain_id,
            config: chain.digest().0,
            forks: chain.forks(),
            ..source::Genesis::default()
        };
        if let Some(Snapshot { header, hash, state }) = &self.start {
            return Ok(source::Genesis {
                number: header.number,
                timestamp: header.timestamp,
                origin: hash.0,
                writes: write_set(state),
                ..of_all
            });
        }
        let accounts = &self.genesis.state.accounts;
        if let Some((address, _)) =
            accounts.iter().find(|(_, account)| **account == Some(Account::default()))
        {
            // The trie of our own has no place for it, and geth deletes it at the first touch.
            let error = format!(
                "genesis file, alloc: expected accounts with a nonce, a balance or code, found {address} with none"
            );
            return Err(SourceError::Source(error.into()));
        }
        Ok(source::Genesis {
            timestamp: self.genesis.header.timestamp,
            origin: self.genesis.hash.0,
            writes: write_set(&self.genesis.state),
            content: Some(content(&Record::genesis(self.genesis.header.clone()))),
            ..of_all
        })
    }

    fn next(
        &mut self,
        parent: &source::Parent,
        state: &dyn StateReader,
    ) -> Result<Option<SourceBlock>, SourceError> {
        let next = self.follower.next(&View { parent, state });
        let block = match next.map_err(|error| SourceError::Source(Box::new(error)))? {
            Next::Block(block) => *block,
            Next::Newest => {
                self.waiting.clear();
                return Ok(None);
            }
            Next::Wait(why) => {
                self.wait(why);
                return Ok(None);
            }
        };
        match self.parent(parent) {
            Ok(parent) => self.execute(&parent, block, state).map(Some),
            Err(why) => {
                self.wait(why);
                Ok(None)
            }
        }
    }

    fn check_root(&self, number: u64, root: &Word) -> Result<(), StoreError> {
        let given = self.parent.as_ref().filter(|parent| parent.header.number == number);
        let first = self.start.as_ref().map_or(&self.genesis.header, |start| &start.header);
        let header = given.map_or(first, |parent| &parent.header);
        if header.number == number && header.state_root.0 == *root {
            return Ok(());
        }
        let (expected, found) = (hex::encode(root), header.state_root);
        Err(StoreError::Block(format!(
            "block {number} of the chain that is followed: stateRoot: expected {expected}, found {found}"
        )))
    }
}

/// What the node holds of the chain.
struct View<'a> {
    parent: &'a source::Parent,
    state: &'a dyn StateReader,
}

impl Held for View<'_> {
    fn head(&self) -> (u64, B256) {
        (self.parent.number, self.parent.origin.into())
    }

    fn hash(&self, number: u64) -> Option<B256> {
        let held = number <= self.parent.number;
        held.then(|| self.state.origin(number).ok().flatten()).flatten().map(B256::from)
    }
}

/// The node's state as the executor reads it.
struct Reader<'a>(&'a dyn StateReader);

fn failed(error: StoreError) -> StateError {
    StateError(Box::new(error))
}

impl State for Reader<'_> {
    fn account(&self, address: &Address) -> Result<Option<Account>, StateError> {
        let account = self.0.account(&address.0.0).map_err(failed)?;
        Ok(account.map(|account| Account {
            nonce: account.nonce,
            balance: U256::from_be_bytes(account.balance.0),
            code_hash: account.code_hash.into(),
        }))
    }

    fn slot(&self, address: &Address, slot: &B256) -> Result<U256, StateError> {
        let value = self.0.slot(&address.0.0, &slot.0).map_err(failed)?;
        Ok(U256::from_be_bytes(value))
    }

    fn code(&self, hash: &B256) -> Result<Option<Bytes>, StateError> {
        // Unknown code is an error of the reader already.
        self.0.code(&hash.0).map(|code| Some(code.into())).map_err(failed)
    }

    fn block_hash(&self, number: u64) -> Result<Option<B256>, StateError> {
        Ok(self.0.origin(number).map_err(failed)?.map(B256::from))
    }
}

/// A block as the node keeps it and [`crate::rpc::followed`] reads it.
fn content(record: &Record) -> Content {
    let transactions = record.transactions().into_iter().map(|hash| hash.0).collect();
    Content { bytes: record.encode(), transactions }
}

fn write_set(changes: &Changes) -> WriteSet {
    let mut writes = WriteSet::default();
    for code in changes.codes.values() {
        writes.code(code.to_vec());
    }
    for (address, account) in &changes.accounts {
        let write = account.map_or(AccountWrite::Deleted, |account| AccountWrite::Set {
            nonce: account.nonce,
            balance: Wei(account.balance.to_be_bytes()),
            code_hash: Some(account.code_hash.0),
        });
        writes.accounts.insert(address.0.0, write);
    }
    for ((address, slot), value) in &changes.slots {
        writes.slot(address.0.0, slot.0, value.to_be_bytes());
    }
    writes
}
