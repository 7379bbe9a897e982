//! Proofs of `cole/fast24`. Absence is shown by two neighbours, never by a filter: a filter weighs
//! hundreds of kilobytes at the paper's size.

use super::{Query, around, before};
use crate::rlp::Item;
use crate::system::cole::config::Format;
use crate::system::cole::error::{EngineError, Result};
use crate::system::cole::key::{Entry, Key, address_of, block_of, key};
use crate::system::cole::run::Run;
use crate::system::cole::tree::Tree;
use crate::system::cole::tree::opening::Opened;
use crate::system::cole::view::{Source, View};

/// Forms of a run on the wire; 1 is a filter's.
const RANGE: u8 = 0;
const CLOSED: u8 = 2;

pub(super) fn prove(view: &View, query: &Query) -> Result<Vec<u8>> {
    // The value as of a block is the version in it, or else the one before.
    let (low, high) = (key(&query.address, query.from), key(&query.address, query.to));
    let mut shown = Shown { low, high, as_of: query.as_of, passed: false, settled: false };
    let mut memories = Vec::new();
    for group in &view.memories {
        let memory = group.memory().ok_or(EngineError::Records("cole/fast24 seals no tree"))?;
        memories.push(tree(&memory.tree, &mut shown));
    }
    let mut levels = Vec::new();
    for level in &view.levels {
        let runs = level.runs().map(|run| one_run(view, run, &mut shown));
        levels.push(Item::List(runs.collect::<Result<Vec<_>>>()?));
    }
    Ok(Item::List(vec![Item::List(memories), Item::List(levels)]).encode())
}

/// What the sources given so far, newest first, have shown to whoever verifies them.
struct Shown {
    low: Key,
    high: Key,
    as_of: bool,
    /// An entry older than the range: no older source holds anything of the range.
    passed: bool,
    /// The version before the range, or that it stays hidden: older sources add nothing.
    settled: bool,
}

impl Shown {
    /// Takes in the entries of one source, ascending. Closing on another address's entry would
    /// leave the predecessor open.
    fn add(&mut self, entries: &[Entry]) {
        let (low, high) = (self.low, self.high);
        let old = |entry: &Entry| block_of(&entry.key) < block_of(&low) && !entry.is_sentinel();
        self.passed |= entries.iter().any(old);
        let before = entries.iter().rfind(|entry| entry.key < low);
        self.settled |= before.is_some_and(|entry| address_of(&entry.key) == address_of(&low));
        if self.as_of && entries.iter().any(|entry| (low..=high).contains(&entry.key)) {
            (self.passed, self.settled) = (true, true);
        }
    }
}

/// An in-memory tree. If a version stands exactly at the start of the range and begins a leaf, the
/// one before it lies in a leaf that the format does not open, and is not proven.
fn tree(tree: &Tree, shown: &mut Shown) -> Item {
    let depths = tree.open(&shown.low, &shown.high);
    if depths.is_empty() {
        return Item::List(Vec::new());
    }
    let (mut results, mut disclosed, mut leftmost) = (Vec::new(), Vec::new(), true);
    for depth in &depths {
        match depth.first() {
            Some(Opened::Inner { start, .. }) => leftmost &= *start == 0,
            _ => disclosed.extend(depth.iter().flat_map(Opened::entries)),
        }
    }
    shown.add(&disclosed);
    shown.settled |= !leftmost && !disclosed.iter().any(|entry| entry.key < shown.low);
    let mut node = |opened: &Opened| match opened {
        Opened::Leaf { start, end, entries } => {
            results.extend(entries[*start..=*end].iter().flat_map(Entry::encode));
            let entries: Vec<u8> = entries.iter().flat_map(Entry::encode).collect();
            vec![Item::uint(*start as u64), Item::uint(*end as u64), Item::bytes(entries)]
        }
        Opened::Inner { start, end, separators, children } => vec![
            Item::uint(*start as u64),
            Item::uint(*end as u64),
            Item::bytes(separators.as_flattened()),
            Item::bytes(children.as_flattened()),
        ],
    };
    let mut list = Vec::new();
    for depth in &depths {
        list.push(Item::List(depth.iter().map(|one| Item::List(node(one))).collect()));
    }
    Item::List(vec![Item::bytes(results), Item::List(list)])
}

fn one_run(view: &View, run: &Run, shown: &mut Shown) -> Result<Item> {
    if shown.passed && shown.settled {
        let digest = Item::bytes(run.digest(&view.config));
        return Ok(Item::List(vec![Item::uint(CLOSED), digest]));
    }
    let around = around(Source::Run(run), before(&shown.low).as_ref(), &shown.high)?;
    let entries: Vec<Entry> =
        around.left.iter().chain(&around.inside).chain(&around.right).copied().collect();
    shown.add(&entries);
    let last = around.first + entries.len() as u64 - 1;
    let layers = run.siblings(around.first, last)?;
    let filter = match view.config.format {
        Format::Fast24 { filters: true } => run.meta().filter.to_vec(),
        _ => Vec::new(),
    };
    Ok(Item::List(vec![
        Item::uint(RANGE),
        Item::uint(around.first),
        Item::uint(last),
        Item::bytes(entries.iter().flat_map(Entry::encode).collect::<Vec<u8>>()),
        Item::List(layers.iter().map(|layer| Item::bytes(layer.as_flattened())).collect()),
        Item::bytes(filter),
    ]))
}
