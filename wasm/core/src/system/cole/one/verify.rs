//! The checks of `cole/1`: the question, each source newest first, `H_state`.

use alloc::vec::Vec;

use super::digest::{self, Digest, Extent, Place, Row};
use super::opening;
use super::proof::{Form, Memory, Opening, Proof, Source, Where};
use crate::error::{Span, VerifyError};
use crate::hash::Hash;
use crate::observer::{Observer, note};
use crate::system::Presence;
use crate::system::cole::StateRoot;
use crate::system::cole::fact::{Fact, History, Predecessor, Version};
use crate::system::cole::key::{Entry, Record, key, written};
use crate::system::cole::params::{Kind, Params};
use crate::system::cole::query::{Mode, Query};

pub(in crate::system::cole) fn check(
    params: Params,
    root: &StateRoot,
    query: &Query,
    proof: &Proof<'_>,
    observer: &mut impl Observer,
) -> Result<Fact, VerifyError> {
    note!(observer, Entered "proof", proof.head, sources: proof.sources());
    answers(params, root, query, proof)?;
    note!(observer, Compared "question", proof.head, m: params.fanout, height: root.height);
    let mut walk = Walk {
        params,
        query,
        below: u64::from(root.height).saturating_add(1),
        answer: None,
        skipped_older: false,
        versions: Vec::new(),
    };
    let mut digests = Vec::with_capacity(proof.sources());
    let memories = proof.memories.map(|Memory(source)| (Place::Memory, source));
    let runs = proof.runs.map(|source| (Place::Run, source));
    for (index, (place, source)) in memories.chain(runs).enumerate() {
        note!(
            observer,
            Entered "source",
            source.span,
            source: index,
            place: if place == Place::Memory { "memory" } else { "run" },
            level: level(proof, index),
            form: form(&source),
        );
        let digest = walk.source(place, &source, observer)?;
        let hashes = u8::from(!matches!(source.form, Form::Closed(_)));
        let bytes = hashes.saturating_mul(84);
        note!(observer, Hashed "source", source.span, hashes: hashes, bytes: bytes, digest: &Hash(digest));
        digests.push(digest);
    }
    let got = state(params, root.height, proof, &digests);
    if got != root.digest {
        return Err(VerifyError::Root { expected: root.digest, got, span: proof.span });
    }
    note!(
        observer,
        Entered "proof",
        None,
        sources: proof.sources(),
        levels: proof.levels.len(),
    );
    let hashes = proof.levels.len().saturating_add(1);
    let parts = [digests.len().saturating_mul(32), proof.levels.len().saturating_mul(36)];
    let bytes = parts.into_iter().fold(12_usize, usize::saturating_add);
    note!(observer, Hashed "H_state", proof.head, hashes: hashes, bytes: bytes, digest: &got);
    Ok(walk.fact(root.height))
}

/// The proof answers this query, at this height, on this chain.
fn answers(
    params: Params,
    root: &StateRoot,
    query: &Query,
    proof: &Proof<'_>,
) -> Result<(), VerifyError> {
    let span = proof.head;
    let fields = [
        ("mode", proof.mode, u64::from(query.mode == Mode::AsOf)),
        ("system", proof.system, params.kind as u64),
        ("first block", proof.from, query.from.into()),
        ("last block", proof.to, query.to.into()),
        ("height", proof.height, root.height.into()),
        ("m", proof.fanout, params.fanout.into()),
        ("T", proof.size_ratio, params.size_ratio.into()),
        ("number of memories", proof.memories.len() as u64, params.kind.memories().into()),
    ];
    if let Some((field, ..)) = fields.iter().find(|(_, given, asked)| given != asked) {
        return Err(VerifyError::Query { field, span });
    }
    if proof.address != query.address {
        return Err(VerifyError::Query { field: "address", span });
    }
    let merging = proof.levels.iter().any(|[_, merging]| *merging > 0);
    if params.kind == Kind::Cole && merging {
        return Err(VerifyError::Source { reason: "COLE has no merging runs", span });
    }
    Ok(())
}

fn state(params: Params, height: u32, proof: &Proof<'_>, digests: &[Digest]) -> Hash {
    let memories = usize::from(params.kind.memories());
    let (memories, mut runs) = digests.split_at_checked(memories).unwrap_or_default();
    let mut levels = Vec::with_capacity(proof.levels.len());
    for (index, counts) in (0..=u8::MAX).zip(proof.levels) {
        let count = counts.iter().copied().map(usize::from).sum();
        let (level, older) = runs.split_at_checked(count).unwrap_or_default();
        levels.push(digest::level(index, *counts, level));
        runs = older;
    }
    digest::state(params, height, memories, &levels)
}

/// Level of the source at `index`: how many levels end before it. The in-memory trees are above
/// them all, on level 0 too.
fn level(proof: &Proof<'_>, index: usize) -> usize {
    let mut end = proof.memories.len();
    let ends = proof.levels.iter().map(|counts| {
        end = counts.iter().fold(end, |end, count| end.saturating_add(usize::from(*count)));
        end
    });
    ends.take_while(|end| *end <= index).count()
}

/// How a source is given, in a word.
const fn form(source: &Source<'_>) -> &'static str {
    match source.form {
        Form::Skipped { .. } => "skipped",
        Form::Empty => "empty",
        Form::Closed(_) => "closed",
        Form::Open { .. } => "open",
    }
}

/// What the sources seen so far, newest first, have shown.
struct Walk<'a> {
    params: Params,
    query: &'a Query,
    /// The next source's blocks must end before this one.
    below: u64,
    /// As of a block: the value. Range: the predecessor.
    answer: Option<Version>,
    /// A source whose blocks end before the range was skipped.
    skipped_older: bool,
    /// Those of each opened source, newest source first.
    versions: Vec<&'a [Record]>,
}

impl<'a> Walk<'a> {
    /// Checks one source and returns its digest.
    fn source(
        &mut self,
        place: Place,
        source: &Source<'a>,
        observer: &mut impl Observer,
    ) -> Result<Digest, VerifyError> {
        let span = source.span;
        let wrong = |reason| Err(VerifyError::Source { reason, span });
        let answered = self.query.mode == Mode::AsOf && self.answer.is_some();
        match &source.form {
            Form::Closed(digest) if answered => Ok(digest.0),
            Form::Closed(_) => wrong("source was closed, but no newer source holds the answer"),
            _ if answered => wrong("source must be closed: a newer source holds the answer"),
            Form::Empty => {
                Ok(digest::source(place, self.params.fanout, &Extent::default(), &[0; 32]))
            }
            Form::Skipped { extent, root } => {
                self.follows(extent, span, observer)?;
                if self.concerns(extent) {
                    return wrong("source was skipped, but its blocks overlap the query");
                }
                self.skipped_older |= extent.last < self.query.from;
                Ok(digest::source(place, self.params.fanout, extent, &root.0))
            }
            Form::Open { extent, opening } => {
                self.follows(extent, span, observer)?;
                if !self.concerns(extent) {
                    return wrong("source was opened, but its blocks do not overlap the query");
                }
                let opened = self.entries(extent, opening, span, observer)?;
                let fanout = self.params.fanout;
                let (count, siblings) = (opened.len(), opening.siblings.len());
                let root = opening::root(opening, opened, extent.entries, fanout, span)?;
                let work = || opening::work(opening, count as u64, extent.entries, fanout);
                note!(
                    observer,
                    Hashed "opened range",
                    span,
                    first: if let Where::Run(first) = opening.place { first } else { 0 },
                    count: count,
                    entries: extent.entries,
                    siblings: siblings,
                    hashes: work().0,
                    bytes: work().1,
                    digest: &Hash(root),
                );
                Ok(digest::source(place, fanout, extent, &root))
            }
        }
    }

    /// Sources cover disjoint blocks, newest first, none after the root's.
    fn follows(
        &mut self,
        extent: &Extent,
        span: Span,
        observer: &mut impl Observer,
    ) -> Result<(), VerifyError> {
        if extent.first > extent.last || u64::from(extent.last) >= self.below {
            let reason = "the blocks of sources are not disjoint and descending";
            return Err(VerifyError::Order { reason, span });
        }
        self.below = extent.first.into();
        note!(
            observer,
            Compared "extent",
            span,
            first: extent.first,
            last: extent.last,
            entries: extent.entries,
        );
        Ok(())
    }

    /// Whether a source of these blocks can hold what is asked for.
    fn concerns(&self, extent: &Extent) -> bool {
        let Query { mode, from, to, .. } = *self.query;
        extent.first <= to && (mode == Mode::AsOf || extent.last >= from)
    }

    /// Checks the opened entries against the question; their digests.
    fn entries(
        &mut self,
        extent: &Extent,
        opening: &Opening<'a>,
        span: Span,
        observer: &mut impl Observer,
    ) -> Result<Vec<Digest>, VerifyError> {
        let Query { mode, address, from, to } = *self.query;
        let (low, high) = (key(&address, from), key(&address, to));
        let inside = |block| extent.first <= block && block <= extent.last;
        let neighbours = [opening.left.as_ref(), opening.right.as_ref()];
        if let Some(entry) = neighbours.into_iter().flatten().find(|entry| !inside(entry.block())) {
            let reason = "a neighbour outside its source's blocks";
            return Err(VerifyError::Order { reason, span: entry.span() });
        }
        let boundary =
            |reason, entry: &Entry<'_>| Err(VerifyError::Boundary { reason, span: entry.span() });
        let mut row = Row::default();
        row.reserve(opening.versions.len().saturating_add(2));
        if let Some(left) = &opening.left {
            // As of a block, it is the answer itself if its address is the one asked for.
            if *left.key() > high || (mode == Mode::Range && *left.key() >= low) {
                return boundary("the left neighbour lies in the range or after it", left);
            }
            row.entry(left.encoded);
        }
        tell("left neighbour", opening.left.as_ref(), span, observer);
        self.versions(opening, inside, span)?;
        for one in opening.versions.iter().map(Version::of) {
            note!(observer, Compared "version", span, block: one.block, value: &one.value);
        }
        let begun = digest::address(&address);
        for record in opening.versions {
            row.version(&begun, record);
        }
        if let Some(right) = &opening.right {
            if *right.key() <= high {
                return boundary("the right neighbour lies in the range or before it", right);
            }
            row.entry(right.encoded);
        }
        tell("right neighbour", opening.right.as_ref(), span, observer);
        self.versions.push(opening.versions);
        if let Some(left) = opening.left.filter(|left| *left.address() == address) {
            // Newer sources come first: the first answer is the newest one.
            self.answer.get_or_insert(Version::of(left.record()));
        }
        Ok(row.finish())
    }

    /// The versions of one source ascend, inside the question and the source.
    fn versions(
        &self,
        opening: &Opening<'_>,
        inside: impl Fn(u32) -> bool,
        span: Span,
    ) -> Result<(), VerifyError> {
        if self.query.mode == Mode::AsOf && !opening.versions.is_empty() {
            return Err(VerifyError::Surplus { span });
        }
        let asked = self.query.from..=self.query.to;
        let mut last = None;
        for record in opening.versions {
            let block = written(record);
            let ascends = last.is_none_or(|last| last < block);
            if !ascends || !asked.contains(&block) || !inside(block) {
                let reason = "versions are not ascending, or outside the range or the source";
                return Err(VerifyError::Order { reason, span });
            }
            last = Some(block);
        }
        Ok(())
    }

    fn fact(mut self, height: u32) -> Fact {
        let Query { mode, address, from, to } = *self.query;
        // What a later block wrote, this root cannot say.
        let to = to.min(height);
        if mode == Mode::AsOf {
            let value = self.answer.map_or(Presence::Absent, Presence::Present);
            return Fact::AsOf { address, block: to, value };
        }
        let predecessor = match self.answer {
            Some(version) => Predecessor::Proven(version),
            None if self.skipped_older => Predecessor::NotProven,
            None => Predecessor::None,
        };
        self.versions.reverse();
        let records = self.versions.concat();
        Fact::History(History { address, from, to, predecessor, records })
    }
}

/// Tells a neighbour, or that the source ends there.
fn tell(what: &'static str, entry: Option<&Entry<'_>>, span: Span, observer: &mut impl Observer) {
    if let Some(entry) = entry {
        let (block, address) = (entry.block(), entry.address());
        note!(observer, Compared what, entry.span(), block: block, address: address);
    } else {
        note!(observer, Compared what, span, edge: true);
    }
}
