//! The chain in its data directory: blocks and state in one redb file.
//!
//! Invariant: one write transaction makes a block's state, header, hash index, journal and the head durable together.
//! A process that is killed leaves the file as the last commit left it.

pub mod snapshot;

use std::path::Path;

use redb::{
    Builder, Database, DatabaseError, ReadableDatabase as _, ReadableTable as _, TableDefinition,
    WriteTransaction,
};

use crate::chain::header::Header;
use crate::chain::workload::{self, StateReader};
use crate::chain::{Address, CHAIN_ID};
use crate::error::StoreError;
use crate::hash::Word;
use crate::system::mpt::{self, State};
use crate::system::{System, registry};
use crate::trie::store::Bytes;
use snapshot::Snapshot;

const META: TableDefinition<'static, &'static str, u64> = TableDefinition::new("meta");
const HEADERS: TableDefinition<'static, u64, Bytes> = TableDefinition::new("headers");
const NUMBERS: TableDefinition<'static, Bytes, u64> = TableDefinition::new("numbers");
/// Layout of the database. Raised whenever an older file could be misread.
const LAYOUT: u64 = 1;
/// redb would take a gigabyte: the state must not live in memory.
const CACHE_BYTES: usize = 64 * 1024 * 1024;

/// Blocks of state that stay provable.
pub const WINDOW: u64 = 8_192;

/// What a chain is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Decides every account and every write.
    pub seed: u64,
    /// Newest blocks whose state stays provable, at least 1.
    pub window: u64,
}

/// An open chain.
pub struct Node {
    database: Database,
    config: Config,
    systems: Vec<Box<dyn System>>,
    genesis_hash: Word,
}

impl Node {
    /// Opens the chain in `directory`, making the directory and the genesis block if they do not exist.
    ///
    /// # Errors
    /// [`StoreError`]: the directory cannot be made, is in use, holds another chain, or the database fails.
    pub fn open(directory: &Path, config: Config) -> Result<Self, StoreError> {
        let path = directory.display().to_string();
        std::fs::create_dir_all(directory)
            .map_err(|source| StoreError::Directory { path: path.clone(), source })?;
        let database =
            Builder::new().set_cache_size(CACHE_BYTES).create(directory.join("chain.redb"));
        let database = database.map_err(|error| match error {
            DatabaseError::DatabaseAlreadyOpen => StoreError::Locked { path: path.clone() },
            other => other.into(),
        })?;
        let mut node =
            Self { database, config, systems: registry(config.window), genesis_hash: [0; 32] };
        node.check_or_create(&path)?;
        node.genesis_hash =
            node.snapshot()?.header(0)?.ok_or(StoreError::Corrupt("no genesis block"))?.hash();
        Ok(node)
    }

    fn check_or_create(&self, path: &str) -> Result<(), StoreError> {
        let transaction = self.database.begin_write()?;
        let wanted =
            [("layout", LAYOUT), ("seed", self.config.seed), ("window", self.config.window)];
        let mut meta = transaction.open_table(META)?;
        let new = meta.get("head")?.is_none();
        for (key, value) in wanted {
            let found = meta.get(key)?.map(|found| found.value());
            match found {
                None if new => drop(meta.insert(key, value)?),
                Some(found) if found == value => {}
                Some(found) => {
                    let (found, wanted) = (format!("{key} {found}"), format!("{key} {value}"));
                    return Err(StoreError::OtherChain { path: path.to_owned(), found, wanted });
                }
                None => {
                    return Err(StoreError::Corrupt("the description of the chain is incomplete"));
                }
            }
        }
        drop(meta);
        if new {
            self.append(&transaction, [0; 32], 0)?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Makes `count` blocks, durable together when this returns.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails; the chain is then as it was before.
    pub fn produce(&self, count: u64) -> Result<Vec<Header>, StoreError> {
        let transaction = self.database.begin_write()?;
        let head = transaction.open_table(META)?.get("head")?.map(|head| head.value());
        let head = head.ok_or(StoreError::Corrupt("no head"))?;
        let encoded =
            transaction.open_table(HEADERS)?.get(head)?.map(|header| header.value().to_vec());
        let mut parent = encoded
            .and_then(|bytes| Header::decode(&bytes))
            .ok_or(StoreError::Corrupt("the head has no header"))?
            .hash();
        let mut headers = Vec::new();
        for number in head + 1..=head + count {
            let header = self.append(&transaction, parent, number)?;
            parent = header.hash();
            headers.push(header);
        }
        transaction.commit()?;
        Ok(headers)
    }

    fn append(
        &self,
        transaction: &WriteTransaction,
        parent: Word,
        number: u64,
    ) -> Result<Header, StoreError> {
        let writes = {
            let state = mpt::state_before(transaction, number)?;
            workload::block_writes(self.config.seed, number, &state)?
        };
        let mut commitments = Vec::new();
        for system in &self.systems {
            commitments
                .push((system.name().to_owned(), system.commit(transaction, number, &writes)?));
        }
        let header = Header::new(parent, number, commitments);
        transaction.open_table(HEADERS)?.insert(number, header.encode().as_slice())?;
        transaction.open_table(NUMBERS)?.insert(header.hash().as_slice(), number)?;
        transaction.open_table(META)?.insert("head", number)?;
        Ok(header)
    }

    /// The chain as it is now; later blocks do not change what it shows.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn snapshot(&self) -> Result<Snapshot, StoreError> {
        Snapshot::new(self.database.begin_read()?, self.config.window)
    }

    /// What the chain is made from.
    pub fn config(&self) -> Config {
        self.config
    }

    /// Hash of block 0: the chain's identity.
    pub fn genesis_hash(&self) -> Word {
        self.genesis_hash
    }

    /// The chain id.
    pub fn chain_id(&self) -> u64 {
        CHAIN_ID
    }

    /// The systems that every header commits to, by name ascending.
    pub fn systems(&self) -> &[Box<dyn System>] {
        &self.systems
    }
}

impl std::fmt::Debug for Node {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Node").field("config", &self.config).finish_non_exhaustive()
    }
}

impl<N, C> StateReader for State<N, C>
where
    N: redb::ReadableTable<Bytes, Bytes>,
    C: redb::ReadableTable<Bytes, Bytes>,
{
    fn nonce_and_balance(&self, address: &Address) -> Result<(u64, u128), StoreError> {
        let account = self.account(address)?.account.unwrap_or_default();
        Ok((account.nonce, account.balance))
    }
}
