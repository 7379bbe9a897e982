//! A chain in a data directory, which one process has at a time.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

use super::{Chain, Given, LAYOUT, META};
use crate::chain::Clock;
use crate::chain::config::Config;
use crate::chain::source::{Genesis, Source, SourceError};
use crate::error::StoreError;
use crate::locked::Locked;
use crate::store::embedded::Embedded;

/// The database's name in the data directory.
const FILE: &str = "chain.redb";

impl Chain {
    /// Opens the chain in `directory`, whose blocks the caller makes; makes the directory and block
    /// 0 if they do not exist.
    ///
    /// # Errors
    /// [`StoreError`]: the directory cannot be made, is in use or holds another chain, or the database
    /// fails.
    pub fn open(directory: &Path, config: Config, genesis: &Genesis) -> Result<Self, StoreError> {
        Self::on_genesis(directory, config, &Given::default(), genesis)
    }

    /// Opens the chain of the workload in `directory`.
    ///
    /// # Errors
    /// As [`Self::open_with`].
    pub fn of_workload(directory: &Path, config: Config) -> Result<Self, SourceError> {
        let workload = config.workload();
        Self::open_with(directory, config, &workload)
    }

    /// Opens the chain in `directory`, making the directory and the genesis block that `source`
    /// gives if they do not exist.
    ///
    /// # Errors
    /// [`SourceError`]: the directory cannot be made, is in use, holds another chain, or the source
    /// or the database fails.
    pub fn open_with(
        directory: &Path,
        config: Config,
        source: &dyn Source,
    ) -> Result<Self, SourceError> {
        let genesis = source.genesis()?;
        Ok(Self::on_genesis(directory, config, source, &genesis)?)
    }

    /// The times that the chain in `directory` was made with; `None` if there is no chain yet.
    ///
    /// # Errors
    /// [`StoreError`]: the directory cannot be read or is in use, or the database fails.
    pub fn clock(directory: &Path) -> Result<Option<Clock>, StoreError> {
        let file = directory.join(FILE);
        if !file.try_exists().map_err(directory_error(directory))? {
            return Ok(None);
        }
        let _lock = lock(directory)?;
        let database = Embedded::open(&file)?;
        refuse_older(&database, directory)?;
        Self::clock_in(&database)
    }

    fn on_genesis(
        directory: &Path,
        config: Config,
        source: &dyn Source,
        genesis: &Genesis,
    ) -> Result<Self, StoreError> {
        let cannot = directory_error(directory);
        std::fs::create_dir_all(directory).map_err(&cannot)?;
        let lock = lock(directory)?;
        let file = directory.join(FILE);
        if !file.try_exists().map_err(&cannot)? {
            Self::create(directory, config.clone(), source, genesis)?;
        }
        let database = Embedded::create(&file, config.cache)?;
        refuse_older(&database, directory)?;
        let mut node = Self::on(Box::new(database), Some(directory), config);
        node.lock = Some(lock);
        node.checked(&name(directory), genesis)
    }

    /// Makes a chain beside its place and moves it there when it is whole: a process that is killed
    /// on the way leaves nothing that looks like a chain.
    fn create(
        directory: &Path,
        config: Config,
        source: &dyn Source,
        genesis: &Genesis,
    ) -> Result<(), StoreError> {
        let cannot = directory_error(directory);
        let unfinished = directory.join("unfinished.redb");
        // Whoever left one behind is gone: the lock is ours.
        match std::fs::remove_file(&unfinished) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(cannot(error)),
            _ => {}
        }
        let database = Box::new(Embedded::create(&unfinished, config.cache)?);
        let mut node = Self::on(database, Some(directory), config);
        node.id = genesis.chain_id;
        node.found(source, genesis)?;
        drop(node);
        std::fs::rename(&unfinished, directory.join(FILE)).map_err(&cannot)?;
        // The name must be as durable as the contents before a block is announced.
        #[cfg(unix)]
        File::open(directory).and_then(|directory| directory.sync_all()).map_err(&cannot)?;
        Ok(())
    }
}

/// What a data directory is called in errors.
fn name(directory: &Path) -> String {
    format!("data directory {}", directory.display())
}

/// Refuses a chain of a layout from before [`LAYOUT`] 16, when numbers had types of the engine's.
fn refuse_older(database: &Embedded, directory: &Path) -> Result<(), StoreError> {
    let Some(layout) = database.typed_number(META, "layout")? else { return Ok(()) };
    let [found, wanted] = [layout, LAYOUT].map(|layout| format!("layout {layout}"));
    Err(StoreError::OtherChain { place: name(directory), found, wanted })
}

/// Takes the directory for this process.
fn lock(directory: &Path) -> Result<Locked, StoreError> {
    let cannot = directory_error(directory);
    let file = File::create(directory.join("lock")).map_err(&cannot)?;
    Locked::take(file).map_err(|error| match error {
        TryLockError::WouldBlock => StoreError::Locked { path: directory.display().to_string() },
        TryLockError::Error(source) => cannot(source),
    })
}

fn directory_error(directory: &Path) -> impl Fn(std::io::Error) -> StoreError {
    let path = directory.display().to_string();
    move |source| StoreError::Directory { path: path.clone(), source }
}
