//! A proof of `cole/1`, decoded.

use super::digest::Extent;
use crate::error::{DecodeError, Malformed, Span};
use crate::hash::Hash;
use crate::system::cole::key::{Address, ENTRY_BYTES, Entry, Record, entries, records};
use crate::system::cole::params::Params;
use crate::wire::{Bytes, Items, Read, Reader};

/// Most in-memory trees, levels of runs, and depths of a tree.
const MEMORIES: u64 = 2;
const LEVELS: usize = 255;
const DEPTHS: usize = 255;

/// A proof, decoded and not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::system::cole) struct Proof<'a> {
    pub(super) mode: u64,
    pub(super) system: u64,
    pub(super) address: Address,
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) height: u64,
    pub(super) fanout: u64,
    pub(super) size_ratio: u64,
    /// #writing and #merging of each level.
    pub(super) levels: &'a [[u8; 2]],
    /// Newest first.
    pub(super) memories: Items<'a, Memory<'a>>,
    /// Those of each level, newest first.
    pub(super) runs: Items<'a, Source<'a>>,
    /// The fields before the sources.
    pub(super) head: Span,
    /// Everything.
    pub(super) span: Span,
}

/// One source of entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source<'a> {
    pub(super) form: Form<'a>,
    pub(super) span: Span,
}

/// A source in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Memory<'a>(pub(super) Source<'a>);

/// How much of a source the proof shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form<'a> {
    Skipped { extent: Extent, root: Hash },
    Empty,
    Closed(Hash),
    Open { extent: Extent, opening: Opening<'a> },
}

/// Neighbouring entries of one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Opening<'a> {
    pub(super) place: Where<'a>,
    pub(super) left: Option<Entry<'a>>,
    pub(super) versions: &'a [Record],
    pub(super) right: Option<Entry<'a>>,
    pub(super) siblings: &'a [[u8; 32]],
}

/// Where the opened entries stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Where<'a> {
    /// Position of the first one.
    Run(u64),
    /// The opened nodes, bottom-up.
    Memory(Items<'a, Depth<'a>>),
}

/// The opened nodes on one depth of an in-memory tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Depth<'a> {
    /// Index of the first opened child in the first opened node.
    pub(super) first: usize,
    /// Child count of each opened node, less one.
    pub(super) counts: &'a [u8],
}

impl<'a> Proof<'a> {
    pub(in crate::system::cole) fn read(
        params: Params,
        mut items: Reader<'a>,
    ) -> Result<Self, DecodeError> {
        let span = items.span();
        let mode = items.u64("mode")?;
        let system = items.u64("system")?;
        let address = items.array("address")?;
        let from = items.u64("from")?;
        let to = items.u64("to")?;
        let height = items.u64("height")?;
        let fanout = items.u64("m")?;
        let size_ratio = items.u64("T")?;
        let memories = memories(&mut items)?;
        let levels = levels(params, items.string("levels")?)?;
        let head = Span { start: span.start, end: items.span().start };
        let runs = levels.iter().flatten().copied().map(usize::from).sum();
        let mut sources = items.list("sources")?;
        let memories = Items::take(&mut sources, memories)?;
        let runs = Items::take(&mut sources, runs)?;
        sources.finish("sources")?;
        items.finish("proof")?;
        Ok(Self {
            mode,
            system,
            address,
            from,
            to,
            height,
            fanout,
            size_ratio,
            levels,
            memories,
            runs,
            head,
            span,
        })
    }
}

/// #memories.
fn memories(items: &mut Reader<'_>) -> Result<usize, DecodeError> {
    let span = items.span();
    let count = items.u64("#memories")?;
    let memories = usize::try_from(count).ok().filter(|_| count <= MEMORIES);
    memories.ok_or(Malformed::Limit.at("#memories", "more than two in-memory trees", span))
}

/// Counts of runs, before any run is read.
fn levels(params: Params, packed: Bytes<'_>) -> Result<&[[u8; 2]], DecodeError> {
    let limit = |reason| Malformed::Limit.at("levels", reason, packed.span);
    let levels = records(packed, "levels")?;
    if levels.len() > LEVELS {
        return Err(limit("more than 255 levels"));
    }
    let runs = |counts: &[u8; 2]| counts.iter().copied().map(usize::from).sum::<usize>();
    if levels.iter().any(|counts| runs(counts) > params.level_limit()) {
        return Err(limit("more runs on a level than the chain's T"));
    }
    Ok(levels)
}

impl<'a> Read<'a> for Source<'a> {
    fn read(list: &mut Reader<'a>) -> Result<Self, DecodeError> {
        source(list, false)
    }
}

impl<'a> Read<'a> for Memory<'a> {
    fn read(list: &mut Reader<'a>) -> Result<Self, DecodeError> {
        source(list, true).map(Self)
    }
}

impl Proof<'_> {
    /// How many sources there are.
    pub(super) fn sources(&self) -> usize {
        self.memories.len().saturating_add(self.runs.len())
    }
}

fn source<'a>(list: &mut Reader<'a>, memory: bool) -> Result<Source<'a>, DecodeError> {
    let start = list.span().start;
    let mut items = list.list("source")?;
    let span = Span { start, end: list.span().start };
    let form = match items.u64("form of source")? {
        0 => {
            let (extent, root) = (extent(&mut items)?, items.hash("root")?);
            Form::Skipped { extent, root }
        }
        1 if memory => Form::Empty,
        2 => Form::Closed(items.hash("source digest")?),
        3 => {
            let (extent, opening) = (extent(&mut items)?, opening(&mut items, memory)?);
            Form::Open { extent, opening }
        }
        _ => {
            return Err(Malformed::Shape.at(
                "source",
                "unknown form of source: expected 0 to 3",
                span,
            ));
        }
    };
    items.finish("source")?;
    Ok(Source { form, span })
}

fn extent(items: &mut Reader<'_>) -> Result<Extent, DecodeError> {
    let start = items.span();
    let entries = items.u64("n")?;
    let first = block(items, "first block")?;
    let last = block(items, "last block")?;
    if entries == 0 {
        let reason = "an empty memory is written as such";
        return Err(Malformed::Shape.at("n", reason, start));
    }
    Ok(Extent { entries, first, last })
}

fn block(items: &mut Reader<'_>, field: &'static str) -> Result<u32, DecodeError> {
    let span = items.span();
    let wide = |_| Malformed::Shape.at(field, "block numbers have 4 bytes", span);
    items.u64(field)?.try_into().map_err(wide)
}

fn opening<'a>(items: &mut Reader<'a>, memory: bool) -> Result<Opening<'a>, DecodeError> {
    let place =
        if memory { Where::Memory(depths(items)?) } else { Where::Run(items.u64("place")?) };
    Ok(Opening {
        place,
        left: neighbour(items.string("left neighbour")?)?,
        versions: records(items.string("versions")?, "versions")?,
        right: neighbour(items.string("right neighbour")?)?,
        siblings: records(items.string("siblings")?, "siblings")?,
    })
}

fn depths<'a>(items: &mut Reader<'a>) -> Result<Items<'a, Depth<'a>>, DecodeError> {
    let span = items.span();
    let depths = Items::list(items, "place", DEPTHS)?;
    if depths.len() == 0 {
        return Err(Malformed::Limit.at("place", "a tree has at least one depth", span));
    }
    Ok(depths)
}

impl<'a> Read<'a> for Depth<'a> {
    fn read(list: &mut Reader<'a>) -> Result<Self, DecodeError> {
        let mut items = list.list("depth")?;
        let first = items.u64("first opened child")?;
        let Bytes { bytes: counts, span } = items.string("child counts")?;
        items.finish("depth")?;
        let reason = "a node has at most 256 children";
        let limit = Malformed::Limit.at("first opened child", reason, span);
        let first = usize::try_from(first).ok().filter(|first| *first < 256).ok_or(limit)?;
        Ok(Self { first, counts })
    }
}

fn neighbour(bytes: Bytes<'_>) -> Result<Option<Entry<'_>>, DecodeError> {
    match bytes.bytes.len() {
        0 => Ok(None),
        ENTRY_BYTES => Ok(entries(bytes, "neighbour")?.first().copied()),
        _ => {
            let reason = "a neighbour is key and value, 88 bytes, or nothing";
            Err(Malformed::Shape.at("neighbour", reason, bytes.span))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::cole::params::{Format, Kind};

    #[test]
    fn there_are_255_levels_at_most() {
        let params = Params { format: Format::One, kind: Kind::Cole, fanout: 4, size_ratio: 2 };
        let read = |count: usize| {
            let bytes = alloc::vec![0_u8; 2 * count];
            let packed = Bytes { bytes: &bytes, span: Span { start: 0, end: bytes.len() } };
            levels(params, packed).map(<[_]>::len).map_err(|error| error.malformed)
        };
        assert_eq!((read(255), read(256)), (Ok(255), Err(Malformed::Limit)));
    }
}
