//! Files that are written once, in a stream, and never changed: content, then a checksum of it.

use std::path::PathBuf;

use blake2::Digest as _;

use crate::store::blobs::{Blob, Blobs, Draft};
use crate::system::cole::digest::Blake2b256;
use crate::system::cole::error::{At as _, EngineError, Result};

const BUFFER: usize = 1 << 16;
/// Bytes that are read at once where a file is read as a whole.
const CHECKED: usize = 1 << 20;
const CHECKSUM: u64 = 32;

/// A file under construction. It gets its name when it is whole and durable.
pub(super) struct Writer {
    draft: Box<dyn Draft>,
    /// What is not written yet, and where it goes.
    buffer: Vec<u8>,
    offset: u64,
    checksum: Blake2b256,
    path: PathBuf,
}

impl Writer {
    /// Starts a file.
    pub(super) fn create(files: &dyn Blobs, name: &str) -> Result<Self> {
        let path = files.place(name);
        let draft = files.create(name).at(&path)?;
        let (buffer, checksum) = (Vec::with_capacity(BUFFER), Blake2b256::new());
        Ok(Self { draft, buffer, offset: 0, checksum, path })
    }

    /// Appends.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.checksum.update(bytes);
        if self.buffer.len() + bytes.len() > BUFFER {
            self.flush()?;
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.draft.write(self.offset, &self.buffer).at(&self.path)?;
        self.offset += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Appends the checksum and makes everything durable.
    pub(super) fn finish(mut self) -> Result<()> {
        let checksum = self.checksum.clone().finalize();
        self.buffer.extend_from_slice(&checksum);
        self.flush()?;
        self.draft.finish().at(&self.path)
    }
}

/// A whole file.
#[derive(Debug)]
pub(super) struct Stored {
    file: Box<dyn Blob>,
    length: u64,
    path: PathBuf,
}

impl Stored {
    /// Opens a file. With `check`, its content is read once and compared with its checksum.
    pub(super) fn open(files: &dyn Blobs, name: &str, check: bool) -> Result<Self> {
        let path = files.place(name);
        let file = files.open(name).at(&path)?;
        let total = file.length();
        let stored = Self { file, length: total.saturating_sub(CHECKSUM), path };
        if total < CHECKSUM {
            return Err(stored.damaged("shorter than its checksum"));
        }
        if check {
            stored.check()?;
        }
        Ok(stored)
    }

    fn check(&self) -> Result<()> {
        let mut checksum = Blake2b256::new();
        let most = usize::try_from(self.length).unwrap_or(usize::MAX);
        let mut buffer = vec![0; most.min(CHECKED)];
        let mut at = 0;
        while at < self.length {
            let rest = usize::try_from(self.length - at).unwrap_or(usize::MAX);
            let chunk = rest.min(buffer.len());
            self.read(at, &mut buffer[..chunk])?;
            checksum.update(&buffer[..chunk]);
            at += chunk as u64;
        }
        let mut stored = [0; 32];
        self.read(self.length, &mut stored)?;
        if <[u8; 32]>::from(checksum.finalize()) == stored {
            Ok(())
        } else {
            Err(self.damaged("its checksum does not match its content"))
        }
    }

    /// Fills `buffer` from `offset` on.
    pub(super) fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.file.read(offset, buffer).at(&self.path)
    }

    /// Length without the checksum.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// An error about this file.
    pub(super) fn damaged(&self, reason: &'static str) -> EngineError {
        EngineError::Damaged { path: self.path.clone(), reason }
    }
}
