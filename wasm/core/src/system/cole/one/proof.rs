//! A proof of `cole/1`, decoded.

use alloc::vec::Vec;

use super::digest::Extent;
use crate::error::{DecodeError, Malformed, Span};
use crate::hash::Hash;
use crate::system::cole::fact::Record;
use crate::system::cole::key::{Address, ENTRY_BYTES, Entry, entries, records};
use crate::wire::{Bytes, Reader};

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
    pub(super) memories: u64,
    /// #writing and #merging of each level.
    pub(super) levels: &'a [[u8; 2]],
    /// Newest first.
    pub(super) sources: Vec<Source<'a>>,
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
    Memory(Vec<Depth<'a>>),
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
    pub(in crate::system::cole) fn read(mut items: Reader<'a>) -> Result<Self, DecodeError> {
        let span = items.span();
        let mode = items.u64("mode")?;
        let system = items.u64("system")?;
        let address = items.array("address")?;
        let from = items.u64("from")?;
        let to = items.u64("to")?;
        let height = items.u64("height")?;
        let fanout = items.u64("m")?;
        let size_ratio = items.u64("T")?;
        let memories = items.u64("#memories")?;
        let packed = items.string("levels")?;
        let levels = records(packed, "levels")?;
        if levels.len() > usize::from(u8::MAX) {
            return Err(error(Malformed::Limit, "levels", "more than 255 levels", packed.span));
        }
        let head = Span { start: span.start, end: items.span().start };
        let sources = sources(items.list("sources")?, memories, levels)?;
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
            memories,
            levels,
            sources,
            head,
            span,
        })
    }
}

fn sources<'a>(
    mut list: Reader<'a>,
    memories: u64,
    levels: &[[u8; 2]],
) -> Result<Vec<Source<'a>>, DecodeError> {
    let span = list.span();
    let runs: u64 = levels.iter().flatten().copied().map(u64::from).sum();
    let mut sources = Vec::new();
    while !list.is_empty() {
        let memory = (sources.len() as u64) < memories;
        sources.push(source(&mut list, memory)?);
    }
    if Some(sources.len() as u64) != memories.checked_add(runs) {
        let reason = "not as many sources as memories and levels count";
        return Err(error(Malformed::Shape, "sources", reason, span));
    }
    Ok(sources)
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
        _ => return Err(error(Malformed::Shape, "source", "no such form of source", span)),
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
        return Err(error(Malformed::Shape, "n", reason, start));
    }
    Ok(Extent { entries, first, last })
}

fn block(items: &mut Reader<'_>, field: &'static str) -> Result<u32, DecodeError> {
    let span = items.span();
    let wide = |_| error(Malformed::Shape, field, "block numbers have 4 bytes", span);
    items.u64(field)?.try_into().map_err(wide)
}

fn opening<'a>(items: &mut Reader<'a>, memory: bool) -> Result<Opening<'a>, DecodeError> {
    let place = if memory {
        Where::Memory(depths(items.list("place")?)?)
    } else {
        Where::Run(items.u64("place")?)
    };
    Ok(Opening {
        place,
        left: neighbour(items.string("left neighbour")?)?,
        versions: records(items.string("versions")?, "versions")?,
        right: neighbour(items.string("right neighbour")?)?,
        siblings: records(items.string("siblings")?, "siblings")?,
    })
}

fn depths(mut list: Reader<'_>) -> Result<Vec<Depth<'_>>, DecodeError> {
    let span = list.span();
    let mut depths = Vec::new();
    while !list.is_empty() {
        let mut items = list.list("depth")?;
        let first = items.u64("first opened child")?;
        let Bytes { bytes: counts, span } = items.string("child counts")?;
        items.finish("depth")?;
        match usize::try_from(first) {
            Ok(first) if first < 256 => depths.push(Depth { first, counts }),
            _ => {
                let reason = "a node has at most 256 children";
                return Err(error(Malformed::Limit, "first opened child", reason, span));
            }
        }
    }
    if depths.is_empty() || depths.len() > usize::from(u8::MAX) {
        return Err(error(Malformed::Limit, "place", "a tree has 1 to 255 depths", span));
    }
    Ok(depths)
}

fn neighbour(bytes: Bytes<'_>) -> Result<Option<Entry<'_>>, DecodeError> {
    match bytes.bytes.len() {
        0 => Ok(None),
        ENTRY_BYTES => Ok(entries(bytes, "neighbour")?.first().copied()),
        _ => {
            let reason = "a neighbour is key and value, 88 bytes, or nothing";
            Err(error(Malformed::Shape, "neighbour", reason, bytes.span))
        }
    }
}

const fn error(
    malformed: Malformed,
    field: &'static str,
    reason: &'static str,
    span: Span,
) -> DecodeError {
    DecodeError { malformed, field, reason, span }
}
