//! What a block committed to: trees and runs. A view stays as it is while the engine goes on, but
//! for where a tree lies.

use std::sync::Arc;

use super::config::Config;
use super::digest::Extent;
use super::error::Result;
use super::key::{Address, Entry, Key, block_of, key};
use super::run::{Meta, Run, RunId, Sealed};
use super::tree::Tree;
use crate::hash::Word;
use crate::rlp::{self, Item};

/// An in-memory tree, and which writes of the chain it holds.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The tree.
    pub tree: Tree,
    /// Number of its first write, counted from genesis.
    pub from: u64,
    /// One past the number of its last write.
    pub to: u64,
}

impl Memory {
    pub(super) fn span(&self) -> (u64, u64) {
        (self.from, self.to)
    }
}

/// An in-memory tree as a block has it.
#[derive(Clone, Debug)]
pub enum Group {
    /// In memory.
    Memory(Memory),
    /// In files: a later block holds the run that it became.
    Sealed(Arc<Sealed>),
}

impl Group {
    /// The tree, if it is in memory.
    pub fn memory(&self) -> Option<&Memory> {
        match self {
            Self::Memory(memory) => Some(memory),
            Self::Sealed(_) => None,
        }
    }

    /// Number of its first write, and one past the number of its last one.
    fn span(&self) -> (u64, u64) {
        match self {
            Self::Memory(memory) => memory.span(),
            Self::Sealed(sealed) => sealed.run().meta().id.span(),
        }
    }

    fn digest(&self, config: &Config) -> Word {
        let (extent, root) = match self {
            Self::Memory(memory) => (memory.tree.extent(), memory.tree.root()),
            Self::Sealed(sealed) => (&sealed.run().meta().extent, *sealed.root()),
        };
        config.source(false, extent, &root, None)
    }
}

/// The runs of one level, newest first.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// Runs that fill the level.
    pub writing: Vec<Arc<Run>>,
    /// COLE\*: runs that are being merged into the next level.
    pub merging: Vec<Arc<Run>>,
}

/// Everything that is searched, newest first.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// An in-memory tree.
    Memory(&'a Memory),
    /// A tree that was in memory and lies in files.
    Sealed(&'a Sealed),
    /// A run.
    Run(&'a Run),
}

/// A block's state.
#[derive(Clone, Debug)]
pub struct View {
    /// Parameters.
    pub config: Config,
    /// The block.
    pub block: u32,
    /// `H_state`.
    pub state: Word,
    /// COLE: one tree. COLE\*: the writing group's, then the merging group's.
    pub memories: Vec<Group>,
    /// Levels on disk.
    pub levels: Vec<Level>,
}

impl View {
    /// Seals a state.
    pub(super) fn new(
        config: Config,
        block: u32,
        memories: Vec<Group>,
        levels: Vec<Level>,
    ) -> Self {
        let roots: Vec<Word> = memories.iter().map(|group| group.digest(&config)).collect();
        let level = |(index, level): (usize, &Level)| {
            let runs: Vec<Word> = level.runs().map(|run| run.digest(&config)).collect();
            config.level(index, level.writing.len(), level.merging.len(), &runs)
        };
        let digests: Vec<Word> = levels.iter().enumerate().map(level).collect();
        let state = config.state(block, &roots, &digests);
        Self { config, block, state, memories, levels }
    }

    /// All sources, newest first.
    pub fn sources(&self) -> impl Iterator<Item = Source<'_>> {
        let runs = self.levels.iter().flat_map(Level::runs);
        let memories = self.memories.iter().map(|group| match group {
            Group::Memory(memory) => Source::Memory(memory),
            Group::Sealed(sealed) => Source::Sealed(sealed),
        });
        memories.chain(runs.map(|run| Source::Run(run)))
    }

    /// The newest version of an address in `block` or before, and the block that wrote it. Filters
    /// spare the runs that do not hold the address (Algorithm 6).
    ///
    /// # Errors
    /// [`super::EngineError::Io`] if a file cannot be read.
    pub fn get(&self, address: &Address, block: u32) -> Result<Option<(u32, Word)>> {
        let key = key(address, block);
        for source in self.sources() {
            let found = match source {
                Source::Memory(memory) => memory.tree.at_most(&key),
                Source::Sealed(sealed) => at_most(sealed.run(), address, &key)?,
                Source::Run(run) => at_most(run, address, &key)?,
            };
            let held = |entry: &Entry| entry.key[..52] == address[..] && !entry.is_sentinel();
            if let Some(entry) = found.filter(held) {
                return Ok(Some((block_of(&entry.key), entry.value)));
            }
        }
        Ok(None)
    }

    /// The record from which [`Record::decode`] restores the view.
    pub(super) fn record(&self) -> Vec<u8> {
        let memory = |group: &Group| {
            let (from, to) = group.span();
            Item::List(vec![Item::uint(from), Item::uint(to)])
        };
        let runs =
            |runs: &[Arc<Run>]| Item::List(runs.iter().map(|run| meta(run.meta())).collect());
        let level = |level: &Level| Item::List(vec![runs(&level.writing), runs(&level.merging)]);
        Item::List(vec![
            Item::uint(self.block),
            Item::bytes(self.state),
            Item::List(self.memories.iter().map(memory).collect()),
            Item::List(self.levels.iter().map(level).collect()),
        ])
        .encode()
    }
}

/// The greatest entry of a run up to `key`; `None` also if the filter says that the run does not
/// hold the address.
fn at_most(run: &Run, address: &Address, key: &Key) -> Result<Option<Entry>> {
    if !run.may_hold(address) {
        return Ok(None);
    }
    match run.rank(key)?.checked_sub(1) {
        Some(at) => Ok(run.entries(at, at + 1)?.first().copied()),
        None => Ok(None),
    }
}

impl Level {
    /// All runs, newest first.
    pub fn runs(&self) -> impl Iterator<Item = &Arc<Run>> {
        self.writing.iter().chain(&self.merging)
    }
}

fn meta(meta: &Meta) -> Item {
    let Meta { id, extent, root, filter } = meta;
    let numbers = [u64::from(id.level), id.from, id.to, extent.entries];
    let blocks = [u64::from(extent.first), u64::from(extent.last)];
    let numbers = numbers.into_iter().chain(blocks).map(Item::uint);
    Item::List(numbers.chain([Item::bytes(root), Item::bytes(filter)]).collect())
}

/// Runs of a level as recorded: writing, merging.
pub(super) type Metas = (Vec<Meta>, Vec<Meta>);

/// A view on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) block: u32,
    pub(super) state: Word,
    /// Writes of each in-memory tree.
    pub(super) memories: Vec<(u64, u64)>,
    pub(super) levels: Vec<Metas>,
}

impl Record {
    /// Reads what [`View::record`] wrote.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let item = rlp::decode(bytes).ok()?;
        let [block, state, memories, levels] = item.as_list()? else { return None };
        let memory = |item: &Item| {
            let [from, to] = item.as_list()? else { return None };
            Some((number(from)?, number(to)?))
        };
        let runs = |item: &Item| item.as_list()?.iter().map(read_meta).collect::<Option<Vec<_>>>();
        let level = |item: &Item| {
            let [writing, merging] = item.as_list()? else { return None };
            Some((runs(writing)?, runs(merging)?))
        };
        Some(Self {
            block: number(block)?,
            state: state.as_bytes()?.try_into().ok()?,
            memories: memories.as_list()?.iter().map(memory).collect::<Option<_>>()?,
            levels: levels.as_list()?.iter().map(level).collect::<Option<_>>()?,
        })
    }

    /// Every run of the view.
    pub(super) fn runs(&self) -> impl Iterator<Item = &Meta> {
        self.levels.iter().flat_map(|(writing, merging)| writing.iter().chain(merging))
    }
}

fn read_meta(item: &Item) -> Option<Meta> {
    let [level, from, to, entries, first, last, root, filter] = item.as_list()? else {
        return None;
    };
    let id = RunId { level: number(level)?, from: number(from)?, to: number(to)? };
    let extent = Extent { entries: number(entries)?, first: number(first)?, last: number(last)? };
    let (root, filter) = (root.as_bytes()?.try_into().ok()?, filter.as_bytes()?.try_into().ok()?);
    Some(Meta { id, extent, root, filter })
}

fn number<T: TryFrom<u128>>(item: &Item) -> Option<T> {
    item.as_uint()?.try_into().ok()
}
