//! Files that are written once, in a stream, and never changed: content, then a checksum of it.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use blake2::Digest as _;

use crate::system::cole::digest::Blake2b256;
use crate::system::cole::error::{At as _, EngineError, Result};

const BUFFER: usize = 1 << 16;
const CHECKSUM: u64 = 32;

/// A file under construction. It gets its name when it is whole and on disk.
pub(super) struct Writer {
    file: std::io::BufWriter<File>,
    checksum: Blake2b256,
    path: PathBuf,
}

impl Writer {
    /// Starts the file that will be called `path`.
    pub(super) fn create(path: &Path) -> Result<Self> {
        let file = File::create(temporary(path)).at(path)?;
        let file = std::io::BufWriter::with_capacity(BUFFER, file);
        Ok(Self { file, checksum: Blake2b256::new(), path: path.to_owned() })
    }

    /// Appends.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.checksum.update(bytes);
        self.file.write_all(bytes).at(&self.path)
    }

    /// Appends the checksum and makes everything durable.
    pub(super) fn finish(self) -> Result<()> {
        let Self { mut file, checksum, path } = self;
        file.write_all(&checksum.finalize()).at(&path)?;
        let file = file.into_inner().map_err(std::io::IntoInnerError::into_error).at(&path)?;
        file.sync_data().at(&path)?;
        std::fs::rename(temporary(&path), &path).at(&path)
    }
}

fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// A whole file.
#[derive(Debug)]
pub(super) struct Stored {
    file: File,
    length: u64,
    path: PathBuf,
}

impl Stored {
    /// Opens a file. With `check`, its content is read once and compared with its checksum.
    pub(super) fn open(path: &Path, check: bool) -> Result<Self> {
        let file = File::open(path).at(path)?;
        let total = file.metadata().at(path)?.len();
        let stored = Self { file, length: total.saturating_sub(CHECKSUM), path: path.to_owned() };
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
        let mut buffer = vec![0; BUFFER];
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
        read_at(&self.file, offset, buffer).at(&self.path)
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

#[cfg(unix)]
fn read_at(file: &File, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut offset: u64, mut buffer: &mut [u8]) -> std::io::Result<()> {
    while !buffer.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, buffer, offset)?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        buffer = &mut buffer[read..];
        offset += read as u64;
    }
    Ok(())
}
