//! Where the chain of `lightproof-node run` is kept: in a data directory, or on object storage.

use std::path::PathBuf;

use lightproof_prover::chain::Clock;
use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::source::Source;
use lightproof_prover::store::Store;

use super::RunArgs;

/// What `--data` or `--store` names.
pub(super) enum Home {
    Directory(PathBuf),
    Store { url: String, store: Box<dyn Store> },
}

impl Home {
    /// Takes the place for this process. On object storage, the writer before it is fenced.
    pub(super) fn take(args: &RunArgs) -> Result<Self, String> {
        if let Some(url) = &args.store {
            return Ok(Self::Store {
                url: url.clone(),
                store: open(url, args.cache(), args.store_timeout)?,
            });
        }
        let directory = args.data.clone().ok_or("either --data or --store is needed")?;
        Ok(Self::Directory(directory))
    }

    /// The times that the chain was made with; `None` if there is no chain yet.
    pub(super) fn clock(&self) -> Result<Option<Clock>, String> {
        let clock = match self {
            Self::Directory(directory) => Chain::clock(directory),
            Self::Store { store, .. } => Chain::clock_in(&**store),
        };
        clock.map_err(|error| error.to_string())
    }

    /// The chain; its first block comes from `source` if there is none yet.
    pub(super) fn chain(self, config: Config, source: &dyn Source) -> Result<Chain, String> {
        let chain = match self {
            Self::Directory(directory) => Chain::open_with(&directory, config, source),
            Self::Store { url, store } => {
                Chain::open_in(store, &format!("store {url}"), config, source)
            }
        };
        chain.map_err(|error| error.to_string())
    }
}

/// What is said of the place.
pub(super) fn describe(args: &RunArgs) -> String {
    let directory = args.data.as_ref().map(|directory| directory.display().to_string());
    args.store.clone().or(directory).unwrap_or_default()
}

#[cfg(feature = "object-store")]
fn open(url: &str, cache: usize, seconds: u64) -> Result<Box<dyn Store>, String> {
    let patience = std::time::Duration::from_secs(seconds);
    let store = lightproof_prover::store::object::Object::open_within(url, cache, patience);
    Ok(Box::new(store.map_err(|error| error.to_string())?))
}

#[cfg(not(feature = "object-store"))]
fn open(_: &str, _: usize, _: u64) -> Result<Box<dyn Store>, String> {
    Err("this program was built without object storage; build it with: cargo build --release -p \
         lightproof-node --features object-store"
        .to_owned())
}
