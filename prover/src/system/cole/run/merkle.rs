//! Algorithm 4: the m-ary tree over a run's entries, all layers written in one stream.
//!
//! Layer 0 holds the entries' digests, each layer above the digests of m nodes below, up to one. A
//! buffer per layer waits for the layer's place in the file, which follows from the number of
//! entries.

use std::path::PathBuf;

use blake2::Digest as _;

use super::file::Stored;
use crate::hash::Word;
use crate::store::blobs::{Blobs, Draft};
use crate::system::cole::config::Format;
use crate::system::cole::digest::Blake2b256;
use crate::system::cole::error::{At as _, EngineError, Result};

const BUFFER: usize = 1 << 14;

/// Sizes of the layers, bottom-up. Entries always have a node above them, even a single one.
pub(super) fn layers(entries: u64, fanout: u16) -> Vec<u64> {
    let mut layers = vec![entries];
    let mut count = entries;
    while count > 1 || layers.len() == 1 {
        count = count.div_ceil(u64::from(fanout));
        layers.push(count);
    }
    layers
}

struct Layer {
    /// Where the next bytes go.
    offset: u64,
    buffer: Vec<u8>,
    /// Children of the node above that is under construction.
    group: Vec<Word>,
    checksum: Blake2b256,
}

/// Writes a tree from entry digests in order.
pub(super) struct Builder {
    format: Format,
    fanout: usize,
    draft: Box<dyn Draft>,
    path: PathBuf,
    layers: Vec<Layer>,
}

impl Builder {
    pub(super) fn create(
        files: &dyn Blobs,
        name: &str,
        format: Format,
        (fanout, entries): (u16, u64),
    ) -> Result<Self> {
        let path = files.place(name);
        let draft = files.create(name).at(&path)?;
        let mut offset = 0;
        let layers = layers(entries, fanout).into_iter().map(|count| {
            let layer = Layer {
                offset,
                buffer: Vec::new(),
                group: Vec::new(),
                checksum: Blake2b256::new(),
            };
            offset += count * 32;
            layer
        });
        let layers = layers.collect();
        Ok(Self { format, fanout: fanout.into(), draft, path, layers })
    }

    /// Takes in the next entry's digest.
    pub(super) fn add(&mut self, digest: Word) -> Result<()> {
        self.push(0, digest)
    }

    fn push(&mut self, at: usize, digest: Word) -> Result<()> {
        let Some(layer) = self.layers.get_mut(at) else {
            return Err(EngineError::Records("a run holds more entries than announced"));
        };
        layer.checksum.update(digest);
        layer.buffer.extend_from_slice(&digest);
        layer.group.push(digest);
        if layer.buffer.len() >= BUFFER {
            self.flush(at)?;
        }
        if self.layers[at].group.len() == self.fanout {
            self.close(at)?;
        }
        Ok(())
    }

    /// Hashes the waiting group of a layer into the layer above.
    fn close(&mut self, at: usize) -> Result<()> {
        if at + 1 == self.layers.len() {
            return Ok(());
        }
        let group = std::mem::take(&mut self.layers[at].group);
        self.push(at + 1, self.format.run_node(at == 0, &group))
    }

    fn flush(&mut self, at: usize) -> Result<()> {
        let layer = &mut self.layers[at];
        self.draft.write(layer.offset, &layer.buffer).at(&self.path)?;
        layer.offset += layer.buffer.len() as u64;
        layer.buffer.clear();
        Ok(())
    }

    /// Closes all groups, appends the checksum and makes the file durable; the root.
    pub(super) fn finish(mut self) -> Result<Word> {
        for at in 0..self.layers.len() {
            if !self.layers[at].group.is_empty() {
                self.close(at)?;
            }
        }
        let top = self.layers.last().and_then(|layer| layer.group.first().copied());
        let (mut checksum, mut end) = (Blake2b256::new(), 0);
        for at in 0..self.layers.len() {
            self.flush(at)?;
            checksum.update(self.layers[at].checksum.clone().finalize());
            end = self.layers[at].offset;
        }
        self.draft.write(end, &checksum.finalize()).at(&self.path)?;
        self.draft.finish().at(&self.path)?;
        top.ok_or(EngineError::Records("a run holds fewer entries than announced"))
    }
}

/// A tree on disk.
#[derive(Debug)]
pub(super) struct Merkle {
    file: Stored,
    fanout: u64,
    /// Offset and size of each layer, bottom-up.
    layers: Vec<(u64, u64)>,
}

impl Merkle {
    pub(super) fn open(
        files: &dyn Blobs,
        name: &str,
        (fanout, entries): (u16, u64),
        check: bool,
    ) -> Result<Self> {
        let file = Stored::open(files, name, false)?;
        let mut offset = 0;
        let layers = layers(entries, fanout).into_iter().map(|count| {
            let layer = (offset, count);
            offset += count * 32;
            layer
        });
        let layers = layers.collect();
        let merkle = Self { file, fanout: fanout.into(), layers };
        if merkle.file.length() != offset {
            return Err(merkle.file.damaged("its length does not fit the number of entries"));
        }
        if check {
            merkle.check()?;
        }
        Ok(merkle)
    }

    fn check(&self) -> Result<()> {
        let mut all = Blake2b256::new();
        for (offset, count) in &self.layers {
            let mut checksum = Blake2b256::new();
            let mut at = 0;
            while at < *count {
                let chunk = (count - at).min(2_048);
                checksum.update(self.read(offset / 32 + at, chunk)?.as_flattened());
                at += chunk;
            }
            all.update(checksum.finalize());
        }
        let mut stored = [0; 32];
        self.file.read(self.file.length(), &mut stored)?;
        if <[u8; 32]>::from(all.finalize()) == stored {
            Ok(())
        } else {
            Err(self.file.damaged("its checksum does not match its content"))
        }
    }

    /// Root.
    pub(super) fn root(&self) -> Result<Word> {
        let (offset, _) = self.layers.last().copied().unwrap_or_default();
        let top = self.read(offset / 32, 1)?;
        top.first().copied().ok_or_else(|| self.file.damaged("no root"))
    }

    /// Digests beside positions `first..=last`, per layer bottom-up: left ones and right ones.
    pub(super) fn siblings(&self, mut first: u64, mut last: u64) -> Result<Vec<Vec<Word>>> {
        let mut out = Vec::new();
        for (offset, count) in self.layers.iter().take(self.layers.len().saturating_sub(1)) {
            let start = first - first % self.fanout;
            let end = ((last / self.fanout + 1) * self.fanout).min(*count);
            let mut beside = self.read(offset / 32 + start, first - start)?;
            beside.append(&mut self.read(offset / 32 + last + 1, end - last - 1)?);
            out.push(beside);
            (first, last) = (first / self.fanout, last / self.fanout);
        }
        Ok(out)
    }

    /// Digests of the entries at positions `from..to`.
    pub(super) fn leaves(&self, from: u64, to: u64) -> Result<Vec<Word>> {
        self.read(from, to.saturating_sub(from))
    }

    fn read(&self, from: u64, count: u64) -> Result<Vec<Word>> {
        let mut words = vec![[0; 32]; usize::try_from(count).unwrap_or_default()];
        if count > 0 {
            self.file.read(from * 32, words.as_flattened_mut())?;
        }
        Ok(words)
    }
}
