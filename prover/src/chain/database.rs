//! A chain in its data directory: blocks and state in one store.
//!
//! Invariant: one batch makes a block's state, header, hash index, journal and the head durable
//! together. A process that is killed leaves the store as the last batch left it.

pub mod attestations;
mod contents;
mod identity;
mod reader;
pub mod snapshot;

use std::collections::VecDeque;
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

use crate::chain::committee::Committees;
use crate::chain::committee::operators::Roster;
use crate::chain::config::Config;
use crate::chain::header::Header;
use crate::chain::source::{Genesis, Parent, Source, SourceBlock, SourceError};
use crate::chain::state::StateReader;
use crate::error::StoreError;
use crate::hash::Word;
use crate::locked::Locked;
use crate::store::embedded::Embedded;
use crate::store::{self, Read, Store, Table, Write};
use crate::system::mpt;
use crate::system::{Proof, Refusal, Spec, System};
use attestations::Attestation;
use reader::Reader;
use snapshot::Snapshot;

/// Numbers: the head, and what the chain is made from.
const META: Table = Table("meta");
/// The head's number, in [`META`].
const HEAD: &[u8] = b"head";
const HEADERS: Table = Table("headers");
const NUMBERS: Table = Table("numbers");
/// What the chain is made from and no number says.
const NAMES: Table = Table("names");
/// The systems, in [`NAMES`].
const SYSTEMS: &[u8] = b"systems";
/// The database's name in the data directory.
const FILE: &str = "chain.redb";
/// Layout of the database. Raised whenever an older file could be misread.
const LAYOUT: u64 = 16;

/// A system of a chain, and what is told of it.
pub struct Served {
    /// The same as long as the chain is open.
    pub spec: Spec,
    /// What commits and proves.
    pub system: Box<dyn System>,
}

/// An open chain.
///
/// A program that makes its own blocks keeps them here, and asks for proofs of their state:
///
/// ```
/// use lightproof_prover::chain::config::Config;
/// use lightproof_prover::chain::database::Chain;
/// use lightproof_prover::chain::source::{Genesis, SourceBlock};
/// use lightproof_prover::chain::writes::WriteSet;
/// use lightproof_prover::rlp::Item;
/// use lightproof_prover::system::{cole, lmpt};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let directory = tempfile::tempdir()?;
/// # let directory = directory.path();
/// // Which systems the headers commit to, and how many blocks stay provable. There is no workload, so no seed.
/// let lmpt = lmpt::Config { window: 1_024, ..lmpt::Config::DEFAULT };
/// let config = Config::new(0, 1_024).with(lmpt).with(cole::Config::DEFAULT);
/// let genesis = Genesis { chain_id: 4_711, timestamp: 1_767_225_600, ..Genesis::default() };
/// let chain = Chain::open(directory, config, &genesis)?;
///
/// let (account, slot) = ([0xaa; 20], [1; 32]);
/// let mut writes = WriteSet::default();
/// writes.account(account, 0, 1_000);
/// writes.slot(account, slot, [7; 32]);
/// let timestamp = 1_767_225_602;
/// let block = SourceBlock { number: 1, timestamp, origin: [0; 32], writes, content: None };
/// let headers = chain.apply([block])?;
///
/// // Of lmpt, as spec/systems/lmpt.md has it: a list of keys, each an address and a slot.
/// let query = Item::List(vec![Item::bytes([account.as_slice(), &slot].concat())]).encode();
/// let proof = chain.prove("lmpt", 1, &query).map_err(|refusal| format!("{refusal:?}"))?;
///
/// // Whoever trusts the header's hash checks the proof.
/// use lightproof_core::{Verifier, system::lmpt::Lmpt};
/// let pinned = [Item::bytes("devnet"), Item::uint(4_711_u64), Item::bytes(chain.genesis_hash())];
/// let format = [Item::bytes("lmpt/1"), Item::bytes("")];
/// let [pinned, format] = [pinned.to_vec(), format.to_vec()].map(|list| Item::List(list).encode());
/// let rlps = Item::List(vec![Item::bytes(headers[0].encode())]);
/// let source = Item::List(vec![Item::bytes("header"), Item::bytes(headers[0].hash()), rlps]);
/// let [query, variant, proof] = [query, proof.variant.into(), proof.bytes].map(Item::bytes);
/// let claims = Item::List(vec![Item::List(vec![source, query, variant, proof])]).encode();
/// let verifier = Verifier::<Lmpt>::new(&pinned, &format, &[]).map_err(|error| error.to_string())?;
/// let verdict = verifier.verify(&claims, [9; 32], &mut ());
/// assert!(verdict.contains(r#""status":"proven""#), "{verdict}");
/// # Ok(())
/// # }
/// ```
pub struct Chain {
    database: Embedded,
    /// Held as long as the chain is open.
    lock: Locked,
    config: Config,
    systems: Vec<Served>,
    committees: Option<Committees>,
    genesis_hash: Word,
    id: u64,
    forks: Vec<u8>,
}

impl Chain {
    /// Opens the chain in `directory`, whose blocks the caller makes; makes the directory and block
    /// 0 if they do not exist.
    ///
    /// # Errors
    /// [`StoreError`]: the directory cannot be made, is in use or holds another chain, or the database
    /// fails.
    pub fn open(directory: &Path, config: Config, genesis: &Genesis) -> Result<Self, StoreError> {
        Self::on_genesis(directory, config, &Given::default(), genesis)
    }

    /// Opens the chain of the workload in `directory`.
    ///
    /// # Errors
    /// As [`Self::open_with`].
    pub fn of_workload(directory: &Path, config: Config) -> Result<Self, SourceError> {
        let workload = config.workload();
        Self::open_with(directory, config, &workload)
    }

    /// Opens the chain in `directory`, making the directory and the genesis block that `source`
    /// gives if they do not exist.
    ///
    /// # Errors
    /// [`SourceError`]: the directory cannot be made, is in use, holds another chain, or the source
    /// or the database fails.
    pub fn open_with(
        directory: &Path,
        config: Config,
        source: &dyn Source,
    ) -> Result<Self, SourceError> {
        let genesis = source.genesis()?;
        Ok(Self::on_genesis(directory, config, source, &genesis)?)
    }

    fn on_genesis(
        directory: &Path,
        config: Config,
        source: &dyn Source,
        genesis: &Genesis,
    ) -> Result<Self, StoreError> {
        let cannot = directory_error(directory);
        std::fs::create_dir_all(directory).map_err(&cannot)?;
        let mut lock = lock(directory)?;
        let file = directory.join(FILE);
        if !file.try_exists().map_err(&cannot)? {
            lock = Self::create(directory, lock, config.clone(), source, genesis)?;
        }
        let mut node = Self::on(&file, lock, config)?;
        node.check(directory, genesis)?;
        let reader = node.database.reader()?;
        for Served { system, .. } in &node.systems {
            system.open(&*reader)?;
        }
        drop(reader);
        let snapshot = node.snapshot()?;
        let header = snapshot.header(snapshot.first())?;
        let header = header.ok_or(StoreError::Corrupt("no genesis block"))?;
        (node.genesis_hash, node.id) = (header.hash(), header.chain_id);
        node.forks.clone_from(&genesis.forks);
        Ok(node)
    }

    /// Makes a chain beside its place and moves it there when it is whole: a process that is killed
    /// on the way leaves nothing that looks like a chain.
    fn create(
        directory: &Path,
        lock: Locked,
        config: Config,
        source: &dyn Source,
        genesis: &Genesis,
    ) -> Result<Locked, StoreError> {
        let cannot = directory_error(directory);
        let unfinished = directory.join("unfinished.redb");
        // Whoever left one behind is gone: the lock is ours.
        match std::fs::remove_file(&unfinished) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(cannot(error)),
            _ => {}
        }
        let mut node = Self::on(&unfinished, lock, config)?;
        node.id = genesis.chain_id;
        node.found(source, genesis)?;
        let Self { lock, database, .. } = node;
        drop(database);
        std::fs::rename(&unfinished, directory.join(FILE)).map_err(&cannot)?;
        // The name must be as durable as the contents before a block is announced.
        #[cfg(unix)]
        File::open(directory).and_then(|directory| directory.sync_all()).map_err(&cannot)?;
        Ok(lock)
    }

    fn on(file: &Path, lock: Locked, config: Config) -> Result<Self, StoreError> {
        let database = Embedded::create(file, config.cache)?;
        let directory = file.parent().unwrap_or(Path::new("."));
        let systems = config.systems.iter().map(|config| {
            let system = config.make(directory, &database);
            Served { spec: system.spec(), system }
        });
        let systems = systems.collect();
        let terms = config.terms.filter(|_| config.roster.is_none());
        let committees = terms.map(|terms| Committees::new(config.seed, terms));
        Ok(Self {
            database,
            lock,
            config,
            systems,
            committees,
            genesis_hash: [0; 32],
            id: 0,
            forks: Vec::new(),
        })
    }

    /// Writes what the chain is made from, and its genesis block.
    fn found(&self, source: &dyn Source, genesis: &Genesis) -> Result<(), StoreError> {
        let Genesis { number, timestamp, origin, config, writes, content, .. } = genesis.clone();
        let block = SourceBlock { number, timestamp, origin, writes, content };
        store::write(&self.database, |batch| {
            for (key, value) in self.description() {
                batch.put(META, key.as_bytes(), &value.to_be_bytes())?;
            }
            batch.put(NAMES, SYSTEMS, self.config.names().as_bytes())?;
            self.append(batch, config, &block, source).map(drop)
        })
    }

    /// Applies blocks, the first on top of the head. They are durable together when this returns,
    /// each with the commitments of all systems.
    ///
    /// # Errors
    /// [`StoreError::Block`] for a block that does not follow or writes what cannot be; else the
    /// database fails. The chain is then as it was before.
    pub fn apply(
        &self,
        blocks: impl IntoIterator<Item = SourceBlock>,
    ) -> Result<Vec<Header>, StoreError> {
        let mut given = Given(blocks.into_iter().collect());
        let count = given.0.len() as u64;
        self.advance(&mut given, count).map_err(|error| match error {
            SourceError::Store(error) => error,
            // Invariant: what is given has no other errors.
            SourceError::Source(error) => StoreError::Block(error.to_string()),
        })
    }

    /// The proof that answers a query about the state after a block, in any of the system's shapes.
    ///
    /// * `query`: RLP as the system's page in `spec/systems` has it.
    ///
    /// # Errors
    /// [`Refusal`] says whether system, question, block or store is at fault.
    pub fn prove(&self, system: &str, block: u64, query: &[u8]) -> Result<Proof, Refusal> {
        let served = self.systems.iter().find(|served| served.spec.name == system);
        let Served { spec, system } = served.ok_or(Refusal::Query("no such system"))?;
        let snapshot = self.snapshot()?;
        if block < snapshot.oldest_of(spec) || block > snapshot.head() {
            return Err(Refusal::Window);
        }
        system.prove(snapshot.reader(), block, query, spec.variants)
    }

    /// Makes `count` blocks of the workload, durable together when this returns.
    ///
    /// # Errors
    /// As [`Self::advance`].
    pub fn produce(&self, count: u64) -> Result<Vec<Header>, SourceError> {
        self.advance(&mut self.config.workload(), count)
    }

    /// Takes blocks from `source`, at most `count` and as many as it has. They are durable together
    /// when this returns.
    ///
    /// # Errors
    /// [`SourceError`] if the source or the database fails, or a block cannot be applied; the chain
    /// is then as it was before.
    pub fn advance(&self, source: &mut dyn Source, count: u64) -> Result<Vec<Header>, SourceError> {
        let before = self.database.reader()?;
        for Served { system, .. } in &self.systems {
            system.begin(&before);
        }
        drop(before);
        let headers = store::write(&self.database, |batch| {
            let mut head = head(&*batch)?;
            let mut headers = Vec::new();
            for _ in 0..count {
                let parent = parent(&head);
                let next = source.next(&parent, &Reader::new(&*batch, parent.number))?;
                let Some(block) = next else { break };
                follows(&parent, &block)?;
                head = self.append(batch, parent.hash, &block, source)?;
                headers.push(head.clone());
            }
            Ok::<_, SourceError>(headers)
        })?;
        for Served { system, .. } in &self.systems {
            system.durable()?;
        }
        Ok(headers)
    }

    fn append(
        &self,
        batch: &mut dyn Write,
        parent: Word,
        block: &SourceBlock,
        source: &dyn Source,
    ) -> Result<Header, StoreError> {
        let SourceBlock { number, writes, .. } = block;
        let mut commitments = Vec::new();
        for Served { spec, system } in &self.systems {
            let commitment = system.commit(batch, *number, writes)?;
            commitments.push((spec.name.to_owned(), commitment));
        }
        let of_mpt = commitments.iter().find(|(name, _)| name == mpt::NAME);
        let root = match of_mpt {
            Some((_, root)) => root.clone(),
            // Sources read accounts, whether or not a header commits to them.
            None => mpt::Mpt::new(self.config.window).commit(batch, *number, writes)?,
        };
        let root = root.try_into().map_err(|_| StoreError::Corrupt("a root is not 32 bytes"))?;
        source.check_root(*number, &root)?;
        let header = self.header_on(parent, block, commitments);
        let key = number.to_be_bytes();
        batch.put(HEADERS, &key, &header.encode())?;
        batch.put(NUMBERS, &header.hash(), &key)?;
        if let Some(content) = &block.content {
            contents::keep(batch, *number, &block.origin, content, self.config.window)?;
        }
        batch.put(META, HEAD, &key)?;
        Ok(header)
    }

    /// The header that this chain would give a block.
    pub fn header_on(
        &self,
        parent_hash: Word,
        block: &SourceBlock,
        commitments: Vec<(String, Vec<u8>)>,
    ) -> Header {
        let SourceBlock { number, timestamp, origin, .. } = *block;
        Header {
            chain_id: self.id,
            timestamp,
            committee_root: self.committee_root(number),
            ..Header::new(parent_hash, number, commitments)
        }
        .with_origin(origin)
    }

    /// What the header of a block says of those who sign; zero on a chain without signatures.
    fn committee_root(&self, number: u64) -> Word {
        match (&self.config.roster, &self.committees) {
            (Some(roster), _) => roster.root_at(number),
            (None, Some(committees)) => committees.root_at(number),
            (None, None) => [0; 32],
        }
    }

    /// Keeps the signatures of two thirds of a committee. From then on the block is announced, and
    /// with it every block before.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn attest(&self, number: u64, attestation: &Attestation) -> Result<(), StoreError> {
        let Some(roster) = &self.config.roster else { return Ok(()) };
        let first = roster.period_of(number).saturating_mul(roster.period());
        store::write(&self.database, |batch| attestations::keep(batch, first, number, attestation))
    }

    /// The operators who attest the blocks; `None` for a chain of another kind.
    pub fn roster(&self) -> Option<&Roster> {
        self.config.roster.as_deref()
    }

    /// The chain as it is now; later blocks do not change what it shows.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn snapshot(&self) -> Result<Snapshot, StoreError> {
        Snapshot::new(self.database.reader()?, self.config.window, self.config.roster.is_some())
    }

    /// What the chain is made from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The committees whose keys follow from the seed; `None` for a chain without signatures, or
    /// that operators attest.
    pub fn committees(&self) -> Option<&Committees> {
        self.committees.as_ref()
    }

    /// Hash of the first block: the chain's identity.
    pub fn genesis_hash(&self) -> Word {
        self.genesis_hash
    }

    /// The table of forks of the chain that is followed, as [`Genesis`] has it.
    pub fn forks(&self) -> &[u8] {
        &self.forks
    }

    /// The chain id.
    pub fn chain_id(&self) -> u64 {
        self.id
    }

    /// The systems that every header commits to, by name ascending.
    pub fn systems(&self) -> &[Served] {
        &self.systems
    }
}

/// Blocks that the caller has.
#[derive(Default)]
struct Given(VecDeque<SourceBlock>);

impl Source for Given {
    fn genesis(&self) -> Result<Genesis, SourceError> {
        Ok(Genesis::default())
    }

    fn next(
        &mut self,
        _: &Parent,
        _: &dyn StateReader,
    ) -> Result<Option<SourceBlock>, SourceError> {
        Ok(self.0.pop_front())
    }
}

/// The number of the newest block.
fn head_number(store: &dyn Read) -> Result<u64, StoreError> {
    store::number(&store.get(META, HEAD)?.ok_or(StoreError::Corrupt("no head"))?)
}

/// The newest header.
fn head(store: &dyn Read) -> Result<Header, StoreError> {
    let number = head_number(store)?;
    header(store, number)?.ok_or(StoreError::Corrupt("the head has no header"))
}

/// The header of a block; `None` if it is not on the chain.
fn header(store: &dyn Read, number: u64) -> Result<Option<Header>, StoreError> {
    let Some(encoded) = store.get(HEADERS, &number.to_be_bytes())? else { return Ok(None) };
    let header = Header::decode(&encoded);
    header.map(Some).ok_or(StoreError::Corrupt("a stored header is no header"))
}

fn parent(header: &Header) -> Parent {
    let Header { number, timestamp, origin, .. } = *header;
    Parent { number, hash: header.hash(), timestamp, origin }
}

/// Refuses a block that does not go on top of `parent`.
fn follows(parent: &Parent, block: &SourceBlock) -> Result<(), StoreError> {
    if block.number != parent.number + 1 {
        let (expected, found) = (parent.number + 1, block.number);
        return Err(StoreError::Block(format!("expected block {expected}, found block {found}")));
    }
    if block.timestamp < parent.timestamp {
        return Err(StoreError::Block(format!(
            "block {} has timestamp {}, below {} of its parent",
            block.number, block.timestamp, parent.timestamp
        )));
    }
    Ok(())
}

/// Takes the directory for this process, as long as the file is open.
fn lock(directory: &Path) -> Result<Locked, StoreError> {
    let cannot = directory_error(directory);
    let file = File::create(directory.join("lock")).map_err(&cannot)?;
    Locked::take(file).map_err(|error| match error {
        TryLockError::WouldBlock => StoreError::Locked { path: directory.display().to_string() },
        TryLockError::Error(source) => cannot(source),
    })
}

fn directory_error(directory: &Path) -> impl Fn(std::io::Error) -> StoreError {
    let path = directory.display().to_string();
    move |source| StoreError::Directory { path: path.clone(), source }
}

impl std::fmt::Debug for Chain {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Chain").field("config", &self.config).finish_non_exhaustive()
    }
}
