//! Proofs of `cole/1`.

use super::{Around, Query, around, before};
use crate::hash::Word;
use crate::rlp::Item;
use crate::system::cole::digest::Extent;
use crate::system::cole::error::Result;
use crate::system::cole::key::{Entry, address_of, key};
use crate::system::cole::tree::opening::Place;
use crate::system::cole::view::{Level, Source, View};

/// Forms of a source on the wire.
const SKIPPED: u8 = 0;
const EMPTY: u8 = 1;
const CLOSED: u8 = 2;
const OPEN: u8 = 3;

pub(super) fn prove(view: &View, query: &Query) -> Result<Vec<u8>> {
    let config = &view.config;
    let mut answered = false;
    let sources = view.sources().map(|one| source(view, query, one, &mut answered));
    let sources = sources.collect::<Result<Vec<_>>>()?;
    let byte = |count: usize| u8::try_from(count).unwrap_or(u8::MAX);
    let counts = |level: &Level| [byte(level.writing.len()), byte(level.merging.len())];
    let levels: Vec<[u8; 2]> = view.levels.iter().map(counts).collect();
    let items = vec![
        Item::uint(u8::from(query.as_of)),
        Item::uint(config.system()),
        Item::bytes(query.address),
        Item::uint(query.from),
        Item::uint(query.to),
        Item::uint(view.block),
        Item::uint(config.fanout),
        Item::uint(config.ratio),
        Item::uint(view.memories.len() as u64),
        Item::bytes(levels.as_flattened()),
        Item::List(sources),
    ];
    Ok(Item::List(items).encode())
}

fn source(view: &View, query: &Query, source: Source<'_>, answered: &mut bool) -> Result<Item> {
    let (extent, root) = match source {
        Source::Memory(memory) => (*memory.tree.extent(), memory.tree.root()),
        Source::Sealed(sealed) => (sealed.run().meta().extent, *sealed.root()),
        Source::Run(run) => (run.meta().extent, run.meta().root),
    };
    if query.as_of && *answered {
        let run = matches!(source, Source::Run(_));
        let digest = view.config.source(run, &extent, &root, None);
        return Ok(Item::List(vec![Item::uint(CLOSED), Item::bytes(digest)]));
    }
    if extent.entries == 0 {
        return Ok(Item::List(vec![Item::uint(EMPTY)]));
    }
    let misses = extent.first > query.to || (!query.as_of && extent.last < query.from);
    if misses {
        return Ok(Item::List([head(SKIPPED, &extent), vec![Item::bytes(root)]].concat()));
    }
    let high = key(&query.address, query.to);
    let below = if query.as_of { Some(high) } else { before(&key(&query.address, query.from)) };
    let around = around(source, below.as_ref(), &high)?;
    *answered |= around.left.is_some_and(|left| address_of(&left.key) == query.address);
    let (place, siblings) = place(source, &around)?;
    let versions: Vec<u8> =
        around.inside.iter().flat_map(|entry| entry.encode()[52..].to_vec()).collect();
    let neighbour =
        |entry: Option<Entry>| Item::bytes(entry.map_or_else(Vec::new, |e| e.encode().to_vec()));
    let opening = vec![
        place,
        neighbour(around.left),
        Item::bytes(versions),
        neighbour(around.right),
        Item::bytes(siblings.as_flattened()),
    ];
    Ok(Item::List([head(OPEN, &extent), opening].concat()))
}

fn head(form: u8, extent: &Extent) -> Vec<Item> {
    let Extent { entries, first, last } = *extent;
    vec![Item::uint(form), Item::uint(entries), Item::uint(first), Item::uint(last)]
}

/// Where the entries stand, and the digests beside them.
fn place(source: Source<'_>, around: &Around) -> Result<(Item, Vec<Word>)> {
    let Around { first, left, inside, right } = around;
    let all: Vec<&Entry> = left.iter().chain(inside).chain(right).collect();
    let (Some(lowest), Some(highest)) = (all.first(), all.last()) else {
        return Ok((Item::List(Vec::new()), Vec::new()));
    };
    match source {
        Source::Run(run) => {
            let last = first + all.len() as u64 - 1;
            Ok((Item::uint(*first), run.siblings(*first, last)?.concat()))
        }
        Source::Memory(memory) => Ok(shown(memory.tree.place(&lowest.key, &highest.key))),
        Source::Sealed(sealed) => Ok(shown(sealed.place(*first, first + all.len() as u64 - 1)?)),
    }
}

fn shown(place: Place) -> (Item, Vec<Word>) {
    let depth = |(first, counts): &(usize, Vec<usize>)| {
        let counts = counts.iter().map(|count| u8::try_from(count - 1).unwrap_or(u8::MAX));
        Item::List(vec![Item::uint(*first as u64), Item::bytes(counts.collect::<Vec<_>>())])
    };
    (Item::List(place.depths.iter().map(depth).collect()), place.siblings)
}
