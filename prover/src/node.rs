//! The chain in its data directory: blocks and state in one redb file.
//!
//! Invariant: one write transaction makes a block's state, header, hash index, journal and the head
//! durable together. A process that is killed leaves the file as the last commit left it.

pub mod snapshot;

use std::fmt::Display;
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

use redb::{
    Builder, Database, ReadableDatabase as _, ReadableTable as _, TableDefinition, WriteTransaction,
};

use crate::chain::committee::{Committees, Terms};
use crate::chain::header::Header;
use crate::chain::workload::{self, StateReader};
use crate::chain::{Address, CHAIN_ID, Clock};
use crate::error::StoreError;
use crate::hash::Word;
use crate::system::mpt::{self, State};
use crate::system::{Selection, System, registry};
use crate::system::{balanceproofs, cole, lmpt, lvmt, verkle};
use crate::trie::store::Bytes;
use snapshot::Snapshot;

const META: TableDefinition<'static, &'static str, u64> = TableDefinition::new("meta");
const HEADERS: TableDefinition<'static, u64, Bytes> = TableDefinition::new("headers");
const NUMBERS: TableDefinition<'static, Bytes, u64> = TableDefinition::new("numbers");
/// What the chain is made from and no number says.
const NAMES: TableDefinition<'static, &'static str, &'static str> = TableDefinition::new("names");
/// The database's name in the data directory.
const FILE: &str = "chain.redb";
/// Layout of the database. Raised whenever an older file could be misread.
const LAYOUT: u64 = 10;
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
    /// Which time each block states.
    pub clock: Clock,
    /// The vector of balanceproofs.
    pub balanceproofs: balanceproofs::Config,
    /// The storage engine of cole.
    pub cole: cole::Config,
    /// The layers of lmpt.
    pub lmpt: lmpt::Config,
    /// The vector commitments of lvmt.
    pub lvmt: lvmt::Config,
    /// The tree of verkle.
    pub verkle: verkle::Config,
    /// Who signs the headers; `None` for a chain without signatures.
    pub terms: Option<Terms>,
    /// What every header commits to.
    pub systems: Selection,
}

impl Config {
    /// A chain of every system without signatures, with the times of [`Clock::DEFAULT`].
    pub const fn new(seed: u64, window: u64) -> Self {
        Self {
            seed,
            window,
            clock: Clock::DEFAULT,
            balanceproofs: balanceproofs::Config::DEFAULT,
            cole: cole::Config::DEFAULT,
            lmpt: lmpt::Config::DEFAULT,
            lvmt: lvmt::Config::DEFAULT,
            verkle: verkle::Config::DEFAULT,
            terms: None,
            systems: Selection::ALL,
        }
    }
}

/// An open chain.
pub struct Node {
    database: Database,
    /// Held as long as the node lives.
    lock: File,
    config: Config,
    systems: Vec<Box<dyn System>>,
    committees: Option<Committees>,
    genesis_hash: Word,
}

impl Node {
    /// Opens the chain in `directory`, making the directory and the genesis block if they do not
    /// exist.
    ///
    /// # Errors
    /// [`StoreError`]: the directory cannot be made, is in use, holds another chain, or the
    /// database fails.
    pub fn open(directory: &Path, config: Config) -> Result<Self, StoreError> {
        let cannot = directory_error(directory);
        std::fs::create_dir_all(directory).map_err(&cannot)?;
        let mut lock = File::create(directory.join("lock")).map_err(&cannot)?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => {
                StoreError::Locked { path: directory.display().to_string() }
            }
            TryLockError::Error(source) => cannot(source),
        })?;
        let file = directory.join(FILE);
        if !file.try_exists().map_err(&cannot)? {
            lock = Self::create(directory, lock, config)?;
        }
        let mut node = Self::on(&file, lock, config)?;
        node.check(directory)?;
        for system in &node.systems {
            system.open(&node.database.begin_read()?)?;
        }
        node.genesis_hash =
            node.snapshot()?.header(0)?.ok_or(StoreError::Corrupt("no genesis block"))?.hash();
        Ok(node)
    }

    /// Makes a chain beside its place and moves it there when it is whole: a process that is killed
    /// on the way leaves nothing that looks like a chain.
    fn create(directory: &Path, lock: File, config: Config) -> Result<File, StoreError> {
        let cannot = directory_error(directory);
        let unfinished = directory.join("unfinished.redb");
        // Whoever left one behind is gone: the lock is ours.
        match std::fs::remove_file(&unfinished) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(cannot(error)),
            _ => {}
        }
        let node = Self::on(&unfinished, lock, config)?;
        node.found()?;
        let Self { lock, database, .. } = node;
        drop(database);
        std::fs::rename(&unfinished, directory.join(FILE)).map_err(&cannot)?;
        // The name must be as durable as the contents before a block is announced.
        #[cfg(unix)]
        File::open(directory).and_then(|directory| directory.sync_all()).map_err(&cannot)?;
        Ok(lock)
    }

    fn on(file: &Path, lock: File, config: Config) -> Result<Self, StoreError> {
        let database = Builder::new().set_cache_size(CACHE_BYTES).create(file)?;
        let directory = file.parent().unwrap_or(Path::new("."));
        let systems = registry(directory, &config);
        let committees = config.terms.map(|terms| Committees::new(config.seed, terms));
        Ok(Self { database, lock, config, systems, committees, genesis_hash: [0; 32] })
    }

    /// Writes what the chain is made from, and its genesis block.
    fn found(&self) -> Result<(), StoreError> {
        let transaction = self.database.begin_write()?;
        for (key, value) in self.description() {
            transaction.open_table(META)?.insert(key, value)?;
        }
        let systems = self.config.systems.to_string();
        transaction.open_table(NAMES)?.insert("systems", systems.as_str())?;
        self.append(&transaction, [0; 32], 0)?;
        transaction.commit()?;
        Ok(())
    }

    /// Refuses a chain that is made from something else.
    fn check(&self, directory: &Path) -> Result<(), StoreError> {
        let other = |key: &str, found: &dyn Display, wanted: &dyn Display| {
            let path = directory.display().to_string();
            let (found, wanted) = (format!("{key} {found}"), format!("{key} {wanted}"));
            Err(StoreError::OtherChain { path, found, wanted })
        };
        let nothing = || StoreError::Corrupt("no description of the chain");
        let transaction = self.database.begin_read()?;
        let meta = transaction.open_table(META)?;
        for (key, wanted) in self.description() {
            let found = meta.get(key)?.ok_or_else(nothing)?.value();
            if found != wanted {
                return other(key, &found, &wanted);
            }
        }
        let names = transaction.open_table(NAMES)?;
        let (found, wanted) = (names.get("systems")?.ok_or_else(nothing)?, self.config.systems);
        if found.value() != wanted.to_string() {
            return other("systems", &found.value(), &wanted);
        }
        Ok(())
    }

    fn description(&self) -> [(&'static str, u64); 15] {
        let Config { seed, window, clock, balanceproofs, cole, lmpt, lvmt, verkle, terms, systems } =
            self.config;
        let verkle_code = if systems.contains(verkle::store::NAME) { verkle.code() } else { 0 };
        [
            ("layout", LAYOUT),
            ("seed", seed),
            ("window", window),
            ("balanceproofs", balanceproofs.code()),
            ("cole", cole.code()),
            ("cole memory", cole.capacity),
            ("lmpt", lmpt.code()),
            ("lmpt interval", lmpt.interval),
            ("lvmt", lvmt.code()),
            ("lvmt setup", lvmt.setup_seed),
            ("verkle", verkle_code),
            ("genesis time", clock.genesis),
            ("milliseconds between blocks", clock.interval_ms),
            ("committee size", terms.map_or(0, |terms| terms.size)),
            ("period length", terms.map_or(0, |terms| terms.period)),
        ]
    }

    /// Makes `count` blocks, durable together when this returns.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails; the chain is then as it was before.
    pub fn produce(&self, count: u64) -> Result<Vec<Header>, StoreError> {
        for system in &self.systems {
            system.begin(&self.database)?;
        }
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
        for system in &self.systems {
            system.durable()?;
        }
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
        if !self.config.systems.contains(mpt::NAME) {
            // Nonces and balances decide the next block, whether or not a header commits to them.
            mpt::Mpt::new(self.config.window).commit(transaction, number, &writes)?;
        }
        let header = self.header_on(parent, number, commitments);
        transaction.open_table(HEADERS)?.insert(number, header.encode().as_slice())?;
        transaction.open_table(NUMBERS)?.insert(header.hash().as_slice(), number)?;
        transaction.open_table(META)?.insert("head", number)?;
        Ok(header)
    }

    /// The header that this chain would give a block.
    pub fn header_on(
        &self,
        parent_hash: Word,
        number: u64,
        commitments: Vec<(String, Vec<u8>)>,
    ) -> Header {
        Header {
            timestamp: self.config.clock.at(number),
            committee_root: self.committees.as_ref().map_or([0; 32], |all| all.root_at(number)),
            ..Header::new(parent_hash, number, commitments)
        }
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

    /// Who signs the headers; `None` for a chain without signatures.
    pub fn committees(&self) -> Option<&Committees> {
        self.committees.as_ref()
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

fn directory_error(directory: &Path) -> impl Fn(std::io::Error) -> StoreError {
    let path = directory.display().to_string();
    move |source| StoreError::Directory { path: path.clone(), source }
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
