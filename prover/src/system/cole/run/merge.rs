//! Merging runs into one, in a stream.

use std::sync::Arc;

use super::{Cancel, Leaf, Run, RunId, write};
use crate::store::blobs::Blobs;
use crate::system::cole::config::Config;
use crate::system::cole::error::Result;

/// Merges `runs`, newest first, into the run `id`. Of equal keys the newest stays.
///
/// # Errors
/// As [`write`].
pub(in crate::system::cole) fn merge(
    files: &dyn Blobs,
    config: &Config,
    id: RunId,
    runs: &[Arc<Run>],
    cancel: &Cancel,
) -> Result<Run> {
    let sum: u64 = runs.iter().map(|run| run.meta().extent.entries).sum();
    // Only runs that share a block can share a key: `cole/fast24` may flush within a block.
    let apart =
        runs.is_sorted_by(|newer, older| newer.meta().extent.first > older.meta().extent.last);
    let count = if apart {
        sum
    } else {
        let mut count = 0;
        for entry in Merged::new(config, runs) {
            entry?;
            count += 1;
        }
        count
    };
    write(files, config, id, count, Merged::new(config, runs), None, cancel)
}

/// Entries of several runs in one ascending order, without sentinels. Their digests come from the
/// files: an entry is hashed once, when it first comes to disk.
struct Merged<'a> {
    cursors: Vec<Cursor<'a>>,
}

impl<'a> Merged<'a> {
    fn new(config: &Config, runs: &'a [Arc<Run>]) -> Self {
        let edge = u64::from(config.sentinels());
        let cursors = runs.iter().map(|run| Cursor {
            run,
            next: edge,
            end: run.len() - edge,
            buffer: Vec::new().into_iter().peekable(),
        });
        Self { cursors: cursors.collect() }
    }

    fn step(&mut self) -> Result<Option<Leaf>> {
        let mut least: Option<Leaf> = None;
        for cursor in &mut self.cursors {
            if let Some(entry) = cursor.peek()? {
                // Strictly: on equal keys the newer run, which comes first, wins.
                if least.is_none_or(|(least, _)| entry.0.key < least.key) {
                    least = Some(entry);
                }
            }
        }
        if let Some((least, _)) = least {
            for cursor in &mut self.cursors {
                if cursor.peek()?.is_some_and(|(entry, _)| entry.key == least.key) {
                    cursor.buffer.next();
                }
            }
        }
        Ok(least)
    }
}

impl Iterator for Merged<'_> {
    type Item = Result<Leaf>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}

/// Entries read at once.
const CHUNK: u64 = 512;

struct Cursor<'a> {
    run: &'a Run,
    next: u64,
    end: u64,
    buffer: std::iter::Peekable<std::vec::IntoIter<Leaf>>,
}

impl Cursor<'_> {
    fn peek(&mut self) -> Result<Option<Leaf>> {
        if self.buffer.peek().is_none() && self.next < self.end {
            let to = (self.next + CHUNK).min(self.end);
            self.buffer = self.run.leaves(self.next, to)?.into_iter().peekable();
            self.next = to;
        }
        Ok(self.buffer.peek().copied())
    }
}
