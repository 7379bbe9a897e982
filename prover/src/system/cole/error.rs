//! What can go wrong with an engine.

use std::path::{Path, PathBuf};

use super::config::NAME;
use crate::error::StoreError;

/// A failure of the files, or of what they hold.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The operating system refused.
    #[error("{path}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// Its answer.
        source: std::io::Error,
    },
    /// A file is not what was written: cut off, changed, or another run's.
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The records kept beside the files do not fit together.
    #[error("the engine's records are damaged: {0}")]
    Records(&'static str),
    /// A merge was told to stop; nothing of it remains.
    #[error("cancelled")]
    Cancelled,
    /// The caller's mistake.
    #[error("{0}")]
    Usage(&'static str),
}

impl From<EngineError> for StoreError {
    fn from(error: EngineError) -> Self {
        Self::System { name: NAME, source: Box::new(error) }
    }
}

/// Shorthand for results of the engine.
pub(super) type Result<T> = std::result::Result<T, EngineError>;

/// Names the file in errors of the operating system.
pub(super) trait At<T> {
    /// Attaches the path.
    fn at(self, path: &Path) -> Result<T>;
}

impl<T> At<T> for std::io::Result<T> {
    fn at(self, path: &Path) -> Result<T> {
        self.map_err(|source| EngineError::Io { path: path.to_owned(), source })
    }
}
