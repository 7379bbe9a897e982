//! The checks of `cole/fast24`: each source newest first, then `H_state`.

use alloc::vec::Vec;

use super::proof::{Form, Memory, Proof, Run};
use super::{concatenated, memory, run};
use crate::error::{Span, VerifyError};
use crate::hash::Hash;
use crate::observer::{Observer, note};
use crate::system::Presence;
use crate::system::cole::StateRoot;
use crate::system::cole::fact::{Fact, History, Predecessor, Version};
use crate::system::cole::key::{Address, Entry, KEY_BYTES, Key, Record, key, written};
use crate::system::cole::params::Params;
use crate::system::cole::query::{Mode, Query};

pub(in crate::system::cole) fn check(
    params: Params,
    root: &StateRoot,
    query: &Query,
    proof: &Proof<'_>,
    observer: &mut impl Observer,
) -> Result<Fact, VerifyError> {
    if proof.memories.len() != usize::from(params.kind.memories()) {
        let reason = "COLE has one in-memory tree, COLE* has two";
        return Err(VerifyError::Source { reason, span: proof.span });
    }
    let mut walk = Walk::new(params, query, root.height);
    let mut words = Vec::new();
    for (index, memory) in proof.memories.iter().enumerate() {
        note!(observer, Entered "source", memory.span, source: index, place: "memory");
        let digest = walk.memory(memory, observer)?;
        note!(observer, Hashed "in-memory tree", memory.span, hashes: 0_u8, bytes: 0_u8, digest: &digest);
        words.push(digest);
    }
    let mut source = proof.memories.len();
    for (number, level) in proof.levels.iter().copied().enumerate() {
        let mut runs = Vec::with_capacity(level.len());
        for run in level {
            note!(
                observer,
                Entered "source",
                run.span,
                source: source,
                place: "run",
                level: number,
                form: form(&run),
            );
            source = source.saturating_add(1);
            let digest = walk.run(&run, observer)?;
            note!(observer, Hashed "run", run.span, digest: &digest);
            runs.push(digest);
        }
        words.push(concatenated(&runs));
    }
    let got = concatenated(&words);
    if got != root.digest {
        return Err(VerifyError::Root { expected: root.digest, got, span: proof.span });
    }
    note!(observer, Entered "proof", None, sources: source, levels: proof.levels.len());
    let hashes = proof.levels.len().saturating_add(1);
    let bytes = words.len().saturating_mul(32);
    note!(observer, Hashed "H_state", proof.span, hashes: hashes, bytes: bytes, digest: &got);
    walk.fact(query, root.height, proof.span)
}

/// How a run is given, in a word.
const fn form(run: &Run<'_>) -> &'static str {
    match run.form {
        Form::Range(_) => "open",
        Form::Excluded { .. } => "excluded",
        Form::Closed(_) => "closed",
    }
}

/// What the sources seen so far, newest first, have shown.
struct Walk {
    fanout: u16,
    as_of: bool,
    height: u32,
    address: Address,
    from: u32,
    low: Key,
    high: Key,
    /// An authenticated entry older than the range was seen: older sources hold nothing of the
    /// range.
    passed: bool,
    /// The newest version before the range.
    predecessor: Predecessor,
    /// A source that may hold the predecessor does not show it.
    hidden: bool,
    /// Newest first.
    versions: Vec<Record>,
}

impl Walk {
    fn new(params: Params, query: &Query, height: u32) -> Self {
        let Query { mode, address, from, to } = *query;
        Self {
            fanout: params.fanout,
            as_of: mode == Mode::AsOf,
            height,
            address,
            from,
            low: key(&address, from),
            high: key(&address, to),
            passed: false,
            predecessor: Predecessor::None,
            hidden: false,
            versions: Vec::new(),
        }
    }

    fn memory(
        &mut self,
        memory: &Memory<'_>,
        observer: &mut impl Observer,
    ) -> Result<Hash, VerifyError> {
        let shown = memory::check(memory, self.fanout, &self.low, &self.high, observer)?;
        let before = self.disclosed(&shown.entries, observer)?;
        // If the first opened leaf starts inside the range, what precedes it lies in a closed one.
        if before.is_none() && !shown.leftmost {
            self.hidden = true;
        }
        Ok(shown.root)
    }

    fn run(&mut self, run: &Run<'_>, observer: &mut impl Observer) -> Result<Hash, VerifyError> {
        match &run.form {
            Form::Range(range) => {
                let digest = run::check(range, self.fanout, &self.low, &self.high, run.span)?;
                self.disclosed(&range.entries, observer)?;
                note!(
                    observer,
                    Compared "opened range",
                    run.span,
                    first: range.first,
                    count: range.entries.len(),
                    layers: range.layers.len(),
                );
                Ok(digest)
            }
            Form::Excluded { root, filter } => {
                if filter.may_hold(&self.address) {
                    return Err(VerifyError::Filter { span: filter.span });
                }
                note!(observer, Compared "filter", filter.span);
                Ok(concatenated(&[*root, filter.digest()]))
            }
            Form::Closed(digest) => {
                let answered = self.as_of && !self.versions.is_empty();
                if !self.passed && !answered {
                    let reason = "run was closed, but no older entry has been shown";
                    return Err(VerifyError::Source { reason, span: run.span });
                }
                self.hidden = true;
                Ok(*digest)
            }
        }
    }

    /// Takes in the entries of one source, ascending; the last one below the range, if there is
    /// one.
    fn disclosed<'a, 'p>(
        &mut self,
        entries: &'a [Entry<'p>],
        observer: &mut impl Observer,
    ) -> Result<Option<&'a Entry<'p>>, VerifyError> {
        for entry in entries {
            let block = entry.block();
            note!(
                observer,
                Compared "entry",
                entry.span(),
                block: block,
                address: entry.address(),
                inRange: (self.low..=self.high).contains(entry.key()),
            );
            if block > self.height && *entry.key() != [0xff; KEY_BYTES] {
                let reason = "an entry of a block after the proof's";
                return Err(VerifyError::Order { reason, span: entry.span() });
            }
            self.passed |= block < self.from && *entry.key() != [0; KEY_BYTES];
        }
        self.collect(entries)?;
        let before = entries.iter().take_while(|entry| *entry.key() < self.low).last();
        let known = self.hidden || self.predecessor != Predecessor::None;
        if let Some(entry) = before.filter(|one| !known && *one.address() == self.address) {
            self.predecessor = Predecessor::Proven(Version::of(entry.record()));
        }
        Ok(before)
    }

    /// Takes in the versions of one source. It is older than the sources before it, save that a
    /// block may end in one source and begin in the next: then the newer one wins.
    fn collect(&mut self, entries: &[Entry<'_>]) -> Result<(), VerifyError> {
        let in_range = |entry: &&Entry<'_>| (self.low..=self.high).contains(entry.key());
        let oldest = self.versions.last().map(written);
        for entry in entries.iter().filter(in_range).rev() {
            let block = entry.block();
            match oldest {
                Some(oldest) if block > oldest => {
                    let reason = "an older source holds a newer version";
                    return Err(VerifyError::Order { reason, span: entry.span() });
                }
                Some(oldest) if block == oldest => {}
                _ => self.versions.push(*entry.record()),
            }
        }
        Ok(())
    }

    fn fact(self, query: &Query, height: u32, span: Span) -> Result<Fact, VerifyError> {
        let Query { mode, address, from, to } = *query;
        let predecessor = match self.predecessor {
            Predecessor::None if self.hidden => Predecessor::NotProven,
            known => known,
        };
        // What a later block wrote, this root cannot say.
        let to = to.min(height);
        if mode == Mode::AsOf {
            // The range is the block itself: a version in it, or else what stood before.
            let at = self.versions.first().map(Version::of);
            let value = match (at, predecessor) {
                (Some(version), _) | (None, Predecessor::Proven(version)) => {
                    Presence::Present(version)
                }
                (None, Predecessor::None) => Presence::Absent,
                (None, Predecessor::NotProven) => return Err(VerifyError::Incomplete { span }),
            };
            return Ok(Fact::AsOf { address, block: to, value });
        }
        let records = self.versions.into_iter().rev().collect();
        Ok(Fact::History(History { address, from, to, predecessor, records }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::cole::key::entries;
    use crate::system::cole::params::{Format, Kind};
    use crate::wire::Bytes;

    const ADDRESS: Address = [5; 52];

    /// What a source shows that holds a version of each block.
    fn discloses(walk: &mut Walk, blocks: &[u32], value: u8) -> Result<(), VerifyError> {
        let packed: Vec<u8> = blocks
            .iter()
            .flat_map(|block| key(&ADDRESS, *block).into_iter().chain([value; 32]))
            .collect();
        let bytes = Bytes { bytes: &packed, span: Span { start: 0, end: packed.len() } };
        walk.disclosed(&entries(bytes, "entries").unwrap(), &mut ()).map(drop)
    }

    fn walk() -> Walk {
        let params = Params { format: Format::Fast24, kind: Kind::Cole, fanout: 4, size_ratio: 2 };
        Walk::new(params, &Query { mode: Mode::Range, address: ADDRESS, from: 10, to: 20 }, 100)
    }

    #[test]
    fn a_block_that_two_sources_hold_is_one_version() {
        let mut walk = walk();
        discloses(&mut walk, &[12, 15], 1).unwrap();
        discloses(&mut walk, &[11, 12], 2).unwrap();
        let versions = walk.versions.iter().map(Version::of);
        let versions: Vec<_> = versions.map(|one| (one.block, one.value[0])).collect();
        assert_eq!(versions, [(15, 1), (12, 1), (11, 2)]);
        // But time does not go on in an older source.
        assert_eq!(discloses(&mut walk, &[12], 3).unwrap_err().code(), "verify.order");
    }

    /// An older source may hold more of the first block asked for: only older blocks show that none
    /// does.
    #[test]
    fn the_first_block_asked_for_passes_nothing() {
        let mut walk = walk();
        discloses(&mut walk, &[10], 1).unwrap();
        assert!(!walk.passed);
        discloses(&mut walk, &[9], 1).unwrap();
        assert!(walk.passed);
    }
}
