//! A chain in its data directory, or on another store: blocks and state in one of them.
//!
//! Invariant: one batch makes a block's state, header, hash index, journal and the head durable
//! together. A process that is killed leaves the store as the last batch left it.

pub mod attestations;
mod contents;
mod directory;
mod follow;
mod identity;
mod reader;
pub mod snapshot;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Mutex, PoisonError, RwLock};

use crate::chain::committee::Committees;
use crate::chain::committee::operators::Roster;
use crate::chain::config::Config;
use crate::chain::header::Header;
use crate::chain::source::{Genesis, Parent, Source, SourceBlock, SourceError};
use crate::chain::state::StateReader;
use crate::error::StoreError;
use crate::hash::Word;
use crate::locked::Locked;
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
/// The table of forks of the chain that is followed, in [`NAMES`], as [`Genesis`] has it.
const FORKS: &[u8] = b"forks";
/// Layout of the database. Raised whenever an older file could be misread.
const LAYOUT: u64 = 17;

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
    store: Box<dyn Store>,
    /// Of a data directory: held as long as the chain is open.
    lock: Option<Locked>,
    config: Config,
    systems: Vec<Served>,
    committees: Option<Committees>,
    genesis_hash: Word,
    id: u64,
    /// Held while blocks are made: between its beginning and its end a system has one batch.
    advancing: Mutex<()>,
    /// The state that systems have followed to, where another process writes the store.
    shown: RwLock<Option<store::Reader>>,
    /// Held while they follow it, so that none shows an older state after a newer one.
    following: Mutex<()>,
}

impl Chain {
    /// Opens the chain in a store, and makes the genesis block that `source` gives if the store is
    /// empty: in one batch, so that no part of it is ever there alone.
    ///
    /// * `place`: what the store is called in errors.
    ///
    /// # Errors
    /// [`SourceError`]: the store holds another chain, or the source or the store fails.
    pub fn open_in(
        store: Box<dyn Store>,
        place: &str,
        config: Config,
        source: &dyn Source,
    ) -> Result<Self, SourceError> {
        let genesis = source.genesis()?;
        let mut node = Self::on(store, None, config);
        if !node.is_made()? {
            node.id = genesis.chain_id;
            node.found(source, &genesis)?;
            // What systems have in memory comes from the store, as if it had been opened again.
            let Self { store, config, .. } = node;
            node = Self::on(store, None, config);
        }
        Ok(node.checked(place, &genesis)?)
    }

    /// The chain, if it is the one that the configuration and the genesis describe.
    fn checked(mut self, place: &str, genesis: &Genesis) -> Result<Self, StoreError> {
        self.check(place, genesis)?;
        let reader = self.store.reader()?;
        for Served { system, .. } in &self.systems {
            system.open(&*reader)?;
        }
        drop(reader);
        let snapshot = self.snapshot()?;
        let header = snapshot.header(snapshot.first())?;
        let header = header.ok_or(StoreError::Corrupt("no genesis block"))?;
        (self.genesis_hash, self.id) = (header.hash(), header.chain_id);
        self.keep_forks(&genesis.forks)?;
        Ok(self)
    }

    /// * `cache`: a directory for what systems can make again.
    fn on(store: Box<dyn Store>, cache: Option<&Path>, config: Config) -> Self {
        let systems = config.systems.iter().map(|config| {
            let system = config.make(cache, &*store);
            Served { spec: system.spec(), system }
        });
        let systems = systems.collect();
        let terms = config.terms.filter(|_| config.roster.is_none());
        let committees = terms.map(|terms| Committees::new(config.seed, terms));
        Self {
            store,
            lock: None,
            config,
            systems,
            committees,
            genesis_hash: [0; 32],
            id: 0,
            advancing: Mutex::default(),
            shown: RwLock::default(),
            following: Mutex::default(),
        }
    }

    /// Writes what the chain is made from, and its genesis block.
    fn found(&self, source: &dyn Source, genesis: &Genesis) -> Result<(), StoreError> {
        let Genesis { number, timestamp, origin, config, writes, content, .. } = genesis.clone();
        let block = SourceBlock { number, timestamp, origin, writes, content };
        store::write(&*self.store, |batch| {
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
        self.extend(source, count).map_err(|error| match error {
            // A file may be missing because another writer has removed it.
            SourceError::Store(StoreError::System { .. } | StoreError::Database(_))
                if self.store.is_taken() =>
            {
                StoreError::Fenced.into()
            }
            _ => error,
        })
    }

    fn extend(&self, source: &mut dyn Source, count: u64) -> Result<Vec<Header>, SourceError> {
        let _advancing = self.advancing.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.store.reader()?;
        for Served { system, .. } in &self.systems {
            system.begin(&before);
        }
        drop(before);
        let headers = store::write(&*self.store, |batch| {
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
        store::write(&*self.store, |batch| attestations::keep(batch, first, number, attestation))
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
        let shown = self.shown.read().unwrap_or_else(PoisonError::into_inner).clone();
        let reader = shown.map_or_else(|| self.store.reader(), Ok)?;
        Snapshot::new(reader, self.config.window, self.config.roster.is_some())
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

impl std::fmt::Debug for Chain {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Chain").field("config", &self.config).finish_non_exhaustive()
    }
}
