//! A file with the system's lock on it, which one holder has at a time.

use std::fs::{File, TryLockError};
use std::ops::{Deref, DerefMut};

/// A locked file. It is free when this is dropped.
///
/// Closing the file alone would not free it: a process that was started meanwhile has the file
/// too, until its own program begins.
#[derive(Debug)]
pub struct Locked(File);

impl Locked {
    /// Takes the lock of a file.
    ///
    /// # Errors
    /// [`TryLockError::WouldBlock`] if another holder has it.
    pub fn take(file: File) -> Result<Self, TryLockError> {
        file.try_lock()?;
        Ok(Self(file))
    }

    /// Waits for the lock of a file.
    ///
    /// # Errors
    /// If the file cannot be locked.
    pub fn wait(file: File) -> std::io::Result<Self> {
        file.lock()?;
        Ok(Self(file))
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // Where it fails, the lock ends with the last process that has the file.
        let _ = self.0.unlock();
    }
}

impl Deref for Locked {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for Locked {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_lock_ends_with_its_holder_whoever_else_has_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let open = || File::create(directory.path().join("lock")).unwrap();
        let held = Locked::take(open()).unwrap();
        // What a child has from its start until its program begins.
        let inherited = held.try_clone().unwrap();
        assert!(matches!(Locked::take(open()), Err(TryLockError::WouldBlock)));
        drop(held);
        Locked::take(open()).unwrap();
        drop(inherited);
    }
}
