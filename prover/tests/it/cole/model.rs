//! A plain map of what was written, and the verifier's opinion of a proof.

use std::collections::BTreeMap;

use lightproof_core::hash::keccak256;
use lightproof_core::system::cole::{Cole, Fact, Params, Predecessor, Version};
use lightproof_core::system::{System, SystemConfig};
use lightproof_core::{Claim, Presence, Rejection, Root, verify};
use lightproof_prover::store::blobs::Directory;
use lightproof_prover::system::cole::config::{Config, Format};
use lightproof_prover::system::cole::engine::{Applied, Engine};
use lightproof_prover::system::cole::key::Address;
use lightproof_prover::system::cole::prove::Query;
use lightproof_prover::system::cole::view::View;

/// Every version of every address.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    versions: BTreeMap<Address, BTreeMap<u32, [u8; 32]>>,
}

impl Model {
    pub(crate) fn apply(&mut self, block: u32, writes: &[(Address, [u8; 32])]) {
        for (address, value) in writes {
            self.versions.entry(*address).or_default().insert(block, *value);
        }
    }

    pub(crate) fn range(&self, address: &Address, from: u32, to: u32) -> Vec<Version> {
        // A range after the newest block is empty.
        let versions = self.versions.get(address).filter(|_| from <= to).into_iter();
        let versions = versions.flat_map(|versions| versions.range(from..=to));
        versions.map(|(block, value)| Version { block: *block, value: *value }).collect()
    }

    pub(crate) fn as_of(&self, address: &Address, block: u32) -> Option<Version> {
        self.range(address, 0, block).pop()
    }
}

pub(crate) fn params(config: &Config) -> Params {
    let bytes = config.params();
    let format = config.format_name().as_bytes();
    let config = SystemConfig { format, params_digest: Some(keccak256(&bytes)) };
    Cole::params(&config, &bytes).unwrap()
}

pub(crate) fn judge(
    config: &Config,
    state: &[u8; 32],
    block: u32,
    query: &Query,
    proof: &[u8],
) -> Result<Fact, Rejection> {
    let params = params(config);
    let root = Root::<Cole>::pinned(&params, state, block.into())?;
    let query = query.encode();
    let claim = Claim { root: &root, query: &query, variant: "plain", proof };
    verify(&params, &[claim], [0; 32], &mut ()).remove(0).map(|proven| proven.fact().clone())
}

/// Proves a query, verifies the proof and compares the fact with the model; whether the predecessor
/// stayed hidden.
pub(crate) fn check(view: &View, model: &Model, query: &Query) -> bool {
    let proof = view.prove(query).unwrap();
    let fact = judge(&view.config, &view.state, view.block, query, &proof);
    if !query.as_of && query.from > view.block {
        assert_eq!(fact.unwrap_err().code(), "verify.query", "nothing is known after the root");
        return false;
    }
    let fact = fact.unwrap_or_else(|error| panic!("{}: {error} on {query:?}", error.code()));
    let Query { address, from, to, .. } = *query;
    let mut hidden = false;
    match fact {
        Fact::AsOf { block, value, .. } => {
            assert_eq!(block, to.min(view.block));
            let expected = model.as_of(&address, to.min(view.block));
            assert_eq!(value, expected.map_or(Presence::Absent, Presence::Present), "{query:?}");
            let local = view.get(&address, to).unwrap();
            assert_eq!(local, expected.map(|version| (version.block, version.value)));
        }
        Fact::History(history) => {
            assert_eq!(
                history.versions().collect::<Vec<_>>(),
                model.range(&address, from, to.min(view.block))
            );
            assert_eq!(history.to, to.min(view.block));
            let before =
                from.checked_sub(1).and_then(|last| model.as_of(&address, last.min(view.block)));
            match history.predecessor {
                Predecessor::Proven(version) => assert_eq!(Some(version), before, "{query:?}"),
                Predecessor::None => assert_eq!(None, before, "{query:?}"),
                Predecessor::NotProven => hidden = true,
            }
        }
    }
    hidden
}

/// An engine together with the records that its caller keeps.
pub(crate) struct Kept {
    pub(crate) engine: Engine,
    pub(crate) records: Vec<Vec<u8>>,
    pub(crate) log: Vec<Vec<u8>>,
}

impl Kept {
    pub(crate) fn create(directory: &std::path::Path, config: Config) -> Self {
        let engine = Engine::create(Directory::files(directory), config).unwrap();
        Self { engine, records: Vec::new(), log: Vec::new() }
    }

    pub(crate) fn apply(&mut self, block: u32, writes: &[(Address, [u8; 32])]) -> [u8; 32] {
        let Applied { state, record, log } = self.engine.apply(block, writes).unwrap();
        self.records.push(record);
        self.log.push(log);
        let window = usize::try_from(self.engine.config().window).unwrap();
        let surplus = self.records.len().saturating_sub(window);
        self.records.drain(..surplus);
        self.engine.durable().unwrap();
        state
    }

    /// The engine as it comes back from records and files.
    pub(crate) fn restart(self, directory: &std::path::Path) -> Self {
        let Self { engine, records, log } = self;
        let config = *engine.config();
        let log: Vec<Vec<u8>> = log.into_iter().filter(|one| engine.needs(one)).collect();
        drop(engine);
        let engine = Engine::restore(Directory::files(directory), config, &records, &log).unwrap();
        Self { engine, records, log }
    }
}

/// All formats and systems.
pub(crate) fn configurations() -> Vec<Config> {
    use lightproof_prover::system::cole::Kind;
    let formats =
        [Format::One, Format::Fast24 { filters: true }, Format::Fast24 { filters: false }];
    let mut all = Vec::new();
    for format in formats {
        for kind in [Kind::Cole, Kind::ColeStar] {
            all.push(Config { format, kind, ..Config::default() });
        }
    }
    all
}

/// A scratch directory, in memory where there is one: the engine waits for the disk at every flush.
pub(crate) fn scratch() -> tempfile::TempDir {
    let memory = std::path::Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap()
}
