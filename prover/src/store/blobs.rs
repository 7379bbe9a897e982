//! Files beside the tables: each is written once, as a whole, then only read, and removed when no
//! block that is kept names it.

use std::fmt::Debug;
use std::fs::File;
use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where files are kept, by name.
///
/// A file must be settled before a batch that names it becomes durable.
pub trait Blobs: Debug + Send + Sync {
    /// Starts a file, which has its name once it is finished.
    ///
    /// # Errors
    /// If it cannot be made.
    fn create(&self, name: &str) -> Result<Box<dyn Draft>>;

    /// Makes the names of all finished files durable.
    ///
    /// # Errors
    /// If they cannot be made so.
    fn settle(&self) -> Result<()>;

    /// Opens a file.
    ///
    /// # Errors
    /// If there is none of this name, or it cannot be read.
    fn open(&self, name: &str) -> Result<Box<dyn Blob>>;

    /// Names of all files, also of those that were never finished.
    ///
    /// # Errors
    /// If they cannot be read.
    fn names(&self) -> Result<Vec<String>>;

    /// Removes a file; what is gone already stays gone.
    ///
    /// # Errors
    /// If it cannot be removed.
    fn remove(&self, name: &str) -> Result<()>;

    /// Where a file is, for messages.
    fn place(&self, name: &str) -> PathBuf;
}

/// A file under construction.
pub trait Draft: Send {
    /// Writes some bytes from an offset on.
    ///
    /// # Errors
    /// If they cannot be written.
    fn write(&mut self, offset: u64, bytes: &[u8]) -> Result<()>;

    /// Makes everything durable and gives the file its name, which may get lost until
    /// [`Blobs::settle`] returns.
    ///
    /// # Errors
    /// If it cannot be made durable.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// A whole file.
pub trait Blob: Debug + Send + Sync {
    /// Its length in bytes.
    fn length(&self) -> u64;

    /// Fills `buffer` from `offset` on.
    ///
    /// # Errors
    /// If the file ends before, or cannot be read.
    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<()>;
}

/// Files of a directory, which is made with the first one.
#[derive(Clone, Debug)]
pub struct Directory(PathBuf);

impl Directory {
    /// The files in `path`.
    pub fn files(path: &Path) -> Arc<dyn Blobs> {
        Arc::new(Self(path.to_owned()))
    }
}

impl Blobs for Directory {
    fn create(&self, name: &str) -> Result<Box<dyn Draft>> {
        std::fs::create_dir_all(&self.0)?;
        let path = self.place(name);
        let temporary = self.0.join(format!("{name}.part"));
        Ok(Box::new(Part { file: File::create(&temporary)?, temporary, path }))
    }

    fn settle(&self) -> Result<()> {
        File::open(&self.0)?.sync_all()
    }

    fn open(&self, name: &str) -> Result<Box<dyn Blob>> {
        let file = File::open(self.place(name))?;
        let length = file.metadata()?.len();
        Ok(Box::new(Whole { file, length }))
    }

    fn names(&self) -> Result<Vec<String>> {
        let entries = match std::fs::read_dir(&self.0) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry?;
            if entry.path().is_file() {
                names.extend(entry.file_name().into_string());
            }
        }
        Ok(names)
    }

    fn remove(&self, name: &str) -> Result<()> {
        match std::fs::remove_file(self.place(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn place(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

struct Part {
    file: File,
    temporary: PathBuf,
    path: PathBuf,
}

impl Draft for Part {
    fn write(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        write_at(&self.file, offset, bytes)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.file.sync_data()?;
        std::fs::rename(&self.temporary, &self.path)
    }
}

#[derive(Debug)]
struct Whole {
    file: File,
    length: u64,
}

impl Blob for Whole {
    fn length(&self) -> u64 {
        self.length
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        read_at(&self.file, offset, buffer)
    }
}

#[cfg(unix)]
fn read_at(file: &File, offset: u64, buffer: &mut [u8]) -> Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(unix)]
fn write_at(file: &File, offset: u64, bytes: &[u8]) -> Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut offset: u64, mut buffer: &mut [u8]) -> Result<()> {
    while !buffer.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, buffer, offset)?;
        if read == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        buffer = &mut buffer[read..];
        offset += read as u64;
    }
    Ok(())
}

#[cfg(windows)]
fn write_at(file: &File, mut offset: u64, mut bytes: &[u8]) -> Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        if written == 0 {
            return Err(ErrorKind::WriteZero.into());
        }
        bytes = &bytes[written..];
        offset += written as u64;
    }
    Ok(())
}
