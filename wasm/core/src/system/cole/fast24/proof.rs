//! A proof of `cole/fast24`, decoded.

use alloc::vec::Vec;

use super::filter::Filter;
use crate::error::{DecodeError, Malformed, Span};
use crate::hash::Hash;
use crate::system::cole::key::{Entry, KEY_BYTES, entries, records};
use crate::system::cole::params::Params;
use crate::wire::{Bytes, Items, Read, Reader};

/// Most in-memory trees, levels of runs, and depths of a tree.
const MEMORIES: usize = 2;
const LEVELS: usize = 255;
const DEPTHS: usize = 255;
/// Most layers of a run: m is at least 2, and positions have 64 bits.
const LAYERS: usize = 64;

/// A proof, decoded and not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::system::cole) struct Proof<'a> {
    pub(super) memories: Vec<Memory<'a>>,
    /// Runs of each level, newest first.
    pub(super) levels: Vec<Items<'a, Run<'a>>>,
    pub(super) span: Span,
}

/// An in-memory tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Memory<'a> {
    /// Nothing if the tree is empty.
    pub(super) tree: Option<Tree<'a>>,
    pub(super) span: Span,
}

/// Opened nodes of an in-memory tree, and what they are claimed to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tree<'a> {
    pub(super) results: Vec<Entry<'a>>,
    /// From the root down.
    pub(super) depths: Vec<Items<'a, Node<'a>>>,
}

/// One opened node. `start..=end` are its opened children, or its entries in range, as claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node<'a> {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) body: Body<'a>,
    pub(super) span: Span,
}

/// What a node holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Body<'a> {
    Leaf(Vec<Entry<'a>>),
    Inner { separators: &'a [[u8; KEY_BYTES]], children: &'a [[u8; 32]] },
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run<'a> {
    pub(super) form: Form<'a>,
    pub(super) span: Span,
}

/// How much of a run the proof shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form<'a> {
    Range(Range<'a>),
    Excluded { root: Hash, filter: Filter<'a> },
    Closed(Hash),
}

/// Neighbouring entries of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Range<'a> {
    /// Position of the first entry; the least sentinel is at 0.
    pub(super) first: u64,
    /// Position of the last entry.
    pub(super) last: u64,
    pub(super) entries: Vec<Entry<'a>>,
    /// Siblings on each layer, bottom-up, left ones first.
    pub(super) layers: Vec<&'a [[u8; 32]]>,
    pub(super) filter: Option<Hash>,
}

impl<'a> Proof<'a> {
    pub(in crate::system::cole) fn read(
        params: Params,
        mut items: Reader<'a>,
    ) -> Result<Self, DecodeError> {
        let span = items.span();
        let memories = list(&mut items, "memories", MEMORIES, memory)?;
        let levels = list(&mut items, "levels", LEVELS, |levels| {
            Items::list(levels, "level", params.level_limit())
        })?;
        items.finish("proof")?;
        Ok(Self { memories, levels, span })
    }
}

/// Reads a short list, which is held.
fn list<'a, T>(
    items: &mut Reader<'a>,
    field: &'static str,
    most: usize,
    read: impl Fn(&mut Reader<'a>) -> Result<T, DecodeError>,
) -> Result<Vec<T>, DecodeError> {
    let mut list = items.list(field)?;
    let mut all = Vec::new();
    while !list.is_empty() {
        if all.len() == most {
            let (malformed, span) = (Malformed::Limit, list.span());
            return Err(malformed.at(field, "too many items", span));
        }
        all.push(read(&mut list)?);
    }
    Ok(all)
}

fn memory<'a>(memories: &mut Reader<'a>) -> Result<Memory<'a>, DecodeError> {
    let start = memories.span().start;
    let mut items = memories.list("memory")?;
    let span = Span { start, end: memories.span().start };
    if items.is_empty() {
        return Ok(Memory { tree: None, span });
    }
    let results = entries(items.string("results")?, "results")?;
    let depths =
        list(&mut items, "depths", DEPTHS, |depths| Items::list(depths, "depth", usize::MAX))?;
    items.finish("memory")?;
    Ok(Memory { tree: Some(Tree { results, depths }), span })
}

impl<'a> Read<'a> for Node<'a> {
    fn read(depth: &mut Reader<'a>) -> Result<Self, DecodeError> {
        let at = depth.span().start;
        let mut items = depth.list("node")?;
        let span = Span { start: at, end: depth.span().start };
        let (start, end) = (items.u64("start")?, items.u64("end")?);
        let content = items.string("entries or separators")?;
        let body = if items.is_empty() {
            Body::Leaf(entries(content, "entries")?)
        } else {
            let separators = records(content, "separators")?;
            Body::Inner { separators, children: digests(&mut items, "children")? }
        };
        items.finish("node")?;
        Ok(Self { start, end, body, span })
    }
}

impl<'a> Read<'a> for Run<'a> {
    fn read(level: &mut Reader<'a>) -> Result<Self, DecodeError> {
        let start = level.span().start;
        let mut items = level.list("run")?;
        let span = Span { start, end: level.span().start };
        let form = match items.u64("form of run")? {
            0 => Form::Range(range(&mut items)?),
            1 => {
                let root = items.hash("root")?;
                Form::Excluded { root, filter: Filter::read(items.string("filter")?)? }
            }
            2 => Form::Closed(items.hash("run digest")?),
            _ => {
                return Err(Malformed::Shape.at(
                    "run",
                    "unknown form of run: expected 0, 1 or 2",
                    span,
                ));
            }
        };
        items.finish("run")?;
        Ok(Self { form, span })
    }
}

fn range<'a>(items: &mut Reader<'a>) -> Result<Range<'a>, DecodeError> {
    let (first, last) = (items.u64("l")?, items.u64("r")?);
    let entries = entries(items.string("entries")?, "entries")?;
    let layers = list(items, "layers", LAYERS, |layers| digests(layers, "layer"))?;
    let Bytes { bytes, span } = items.string("filter digest")?;
    let wrong = |_| Malformed::Shape.at("filter digest", "32 bytes or none", span);
    let filter = if bytes.is_empty() { None } else { Some(bytes.try_into().map_err(wrong)?) };
    let filter = filter.map(Hash);
    Ok(Range { first, last, entries, layers, filter })
}

fn digests<'a>(items: &mut Reader<'a>, field: &'static str) -> Result<&'a [[u8; 32]], DecodeError> {
    records(items.string(field)?, field)
}
