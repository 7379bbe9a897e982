//! Chains that most cases share: small engines with several levels, and a plain map beside them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::case::{Claim, Setting};
use crate::scene::{Result, Scene as Shared};
use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::hex;
use lightproof_prover::store::blobs::Directory;
use lightproof_prover::system::PLAIN;
use lightproof_prover::system::cole::config::{Config, Format, Kind};
use lightproof_prover::system::cole::engine::Engine;
use lightproof_prover::system::cole::key::{self, Address};
use lightproof_prover::system::cole::prove::Query;
use lightproof_prover::system::cole::tree::opening::Opened;
use lightproof_prover::system::cole::view::{Group, Source, View};

/// The newest block of every scene.
pub(super) const HEAD: u32 = 39;

/// Addresses that are written now and then.
const CROWD: u64 = 14;

/// A chain.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) config: Config,
    model: BTreeMap<Address, BTreeMap<u32, Word>>,
    views: Vec<Arc<View>>,
    /// Views read its files.
    _scratch: Scratch,
}

/// Written in every block.
pub(super) fn hot() -> Address {
    address("hot", 0)
}

/// Written in blocks 3, 9, 20 and 34.
pub(super) fn rare() -> Address {
    address("rare", 0)
}

/// Never written.
pub(super) fn never() -> Address {
    address("never", 0)
}

/// Never written; lies below all others.
pub(super) fn lowest() -> Address {
    let mut lowest = [0; 52];
    lowest[51] = 1;
    lowest
}

/// Never written; lies above all others.
pub(super) fn highest() -> Address {
    let mut highest = [0xff; 52];
    highest[51] = 0xfe;
    highest
}

fn address(kind: &str, index: u64) -> Address {
    let (account, slot) = (name(kind, index), name("slot", index));
    let mut address = [0; 52];
    address[..20].copy_from_slice(&account[..20]);
    address[20..].copy_from_slice(&slot);
    address
}

fn name(kind: &str, index: u64) -> Word {
    keccak256(format!("lightproof/vectors/cole/{kind}/{index}").as_bytes())
}

fn writes(block: u32) -> Vec<(Address, Word)> {
    let mut writes = BTreeMap::new();
    let mut write = |address: Address| {
        let value = keccak256(&[address.as_slice(), &block.to_be_bytes()].concat());
        writes.insert(address, value);
    };
    write(hot());
    if [3, 9, 20, 34].contains(&block) {
        write(rare());
    }
    for index in 0..CROWD {
        if (u64::from(block) + index * index) % 5 == 0 {
            write(address("crowd", index));
        }
    }
    writes.into_iter().collect()
}

impl Scene {
    /// `cole/1`, COLE.
    pub(super) fn one() -> Result<Self> {
        Self::new(Format::One, Kind::Cole)
    }

    /// `cole/1`, COLE\*.
    pub(super) fn one_star() -> Result<Self> {
        Self::new(Format::One, Kind::ColeStar)
    }

    /// `cole/fast24`, COLE, with filters.
    pub(super) fn fast24() -> Result<Self> {
        Self::new(Format::Fast24 { filters: true }, Kind::Cole)
    }

    /// `cole/fast24`, COLE\*, without filters.
    pub(super) fn fast24_star() -> Result<Self> {
        Self::new(Format::Fast24 { filters: false }, Kind::ColeStar)
    }

    fn new(format: Format, kind: Kind) -> Result<Self> {
        let config = Config {
            format,
            kind,
            fanout: 4,
            ratio: 3,
            capacity: 14,
            epsilon: 3,
            window: u64::from(HEAD) + 1,
        };
        let scratch = Scratch::new();
        let mut engine = Engine::create(Directory::files(&scratch.0), config)?;
        let mut model: BTreeMap<Address, BTreeMap<u32, Word>> = BTreeMap::new();
        for block in 1..=HEAD {
            let writes = writes(block);
            for (address, value) in &writes {
                model.entry(*address).or_default().insert(block, *value);
            }
            engine.apply(block, &writes)?;
        }
        let views = (1..=HEAD).filter_map(|block| engine.view(block)).collect();
        Ok(Self { config, model, views, _scratch: scratch })
    }

    /// The state after a block.
    pub(super) fn view(&self, block: u32) -> &View {
        &self.views[usize::try_from(block).unwrap_or_default() - 1]
    }

    /// The honest claim about a query at the newest block.
    pub(super) fn about(&self, query: &Query) -> Result<Claim> {
        self.honest(query, PLAIN)
    }

    /// Whether the query's address has a version from block `first` on, before the range.
    pub(super) fn holds(&self, query: &Query, first: u32) -> bool {
        let versions = self.model.get(&query.address);
        versions.is_some_and(|versions| versions.range(first..query.from).next().is_some())
    }

    /// What the plain map says.
    ///
    /// * `predecessor_shown`: whether a range's proof shows the version before the range.
    pub(super) fn told(&self, block: u32, query: &Query, predecessor_shown: bool) -> Value {
        let Query { as_of, address, from, to } = *query;
        let newest = |to: u32| {
            self.model.get(&address).and_then(|versions| versions.range(..=to).next_back())
        };
        let to = to.min(block);
        if as_of {
            let value = match newest(to) {
                Some((block, value)) => json!({
                    "status": "present",
                    "block": hex::quantity(u64::from(*block)),
                    "value": hex::encode(value),
                }),
                None => json!({ "status": "absent" }),
            };
            return json!({
                "mode": "asOf",
                "address": hex::encode(&address),
                "asOf": hex::quantity(u64::from(to)),
                "value": value,
            });
        }
        let versions = self.model.get(&address).filter(|_| from <= to).into_iter();
        let versions: Vec<u8> = versions
            .flat_map(|versions| versions.range(from..=to))
            .flat_map(|(block, value)| block.to_be_bytes().into_iter().chain(*value))
            .collect();
        let before = from.checked_sub(1).and_then(|last| newest(last.min(block)));
        let predecessor = match before {
            _ if !predecessor_shown => json!({ "status": "notProven" }),
            Some((block, value)) => json!({
                "status": "proven",
                "block": hex::quantity(u64::from(*block)),
                "value": hex::encode(value),
            }),
            None => json!({ "status": "none" }),
        };
        json!({
            "mode": "range",
            "address": hex::encode(&address),
            "fromBlock": hex::quantity(u64::from(from)),
            "toBlock": hex::quantity(u64::from(to)),
            "complete": true,
            "versions": hex::encode(&versions),
            "predecessor": predecessor,
        })
    }
}

impl Shared for Scene {
    const SYSTEM: &'static str = "cole";
    const HEAD: u64 = HEAD as u64;
    type Asked = Query;

    fn setting(&self) -> Setting {
        let digest = Some(self.config.params_digest());
        Setting::devnet("cole", self.config.format_name(), digest, self.config.params())
    }

    fn root(&self, block: u64) -> Result<Vec<u8>> {
        Ok(self.view(number(block)).state.to_vec())
    }

    fn query(&self, query: &Query) -> Vec<u8> {
        query.encode()
    }

    fn prove(&self, block: u64, query: &Query, _variant: &'static str) -> Result<Vec<u8>> {
        Ok(self.view(number(block)).prove(query)?)
    }

    fn fact(&self, block: u64, query: &Query) -> Value {
        let block = number(block);
        self.told(block, query, shown(self, block, query))
    }
}

/// A block's number as the engine counts.
fn number(block: u64) -> u32 {
    u32::try_from(block).unwrap_or_default()
}

/// Whether the predecessor follows from the sources that a range opens.
fn shown(scene: &Scene, block: u32, query: &Query) -> bool {
    let view = scene.view(block);
    match scene.config.format {
        // Only sources that overlap the range are opened. What lies before it shows if one of them
        // holds an older version, or if no source is older.
        Format::One => {
            let extents = view.sources().map(|source| match source {
                Source::Memory(memory) => *memory.tree.extent(),
                Source::Sealed(sealed) => sealed.run().meta().extent,
                Source::Run(run) => run.meta().extent,
            });
            let extents: Vec<_> = extents.filter(|extent| extent.entries > 0).collect();
            let older = extents.iter().any(|extent| extent.last < query.from);
            let straddling =
                extents.iter().find(|one| one.first < query.from && query.from <= one.last);
            let holds = straddling.is_some_and(|extent| {
                query.from > 0 && extent.first <= query.to && scene.holds(query, extent.first)
            });
            !older || holds
        }
        // A version exactly at the start of the range that also begins a leaf hides what precedes
        // it.
        Format::Fast24 { .. } => view.memories.iter().filter_map(Group::memory).all(|memory| {
            let low = key::key(&query.address, query.from);
            let depths = memory.tree.open(&low, &low);
            let leaf = depths.last().and_then(|depth| depth.first());
            let first = leaf.and_then(|leaf: &Opened| leaf.entries().first());
            let leftmost = depths.iter().all(|depth| match depth.first() {
                Some(Opened::Inner { start, .. }) => *start == 0,
                _ => true,
            });
            leftmost || first.is_none_or(|first| first.key < low)
        }),
    }
}

/// All versions of an address between two blocks.
pub(super) fn range(address: Address, from: u32, to: u32) -> Query {
    Query { as_of: false, address, from, to }
}

/// The value of an address as of a block.
pub(super) fn as_of(address: Address, block: u32) -> Query {
    Query { as_of: true, address, from: block, to: block }
}

/// A directory for the engine's files, gone with the scene.
#[derive(Debug)]
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("lightproof-vectors-{}-{number}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing depends on it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
