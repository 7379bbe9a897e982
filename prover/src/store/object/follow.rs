//! A store on object storage that is only read: it fences no writer, and writes nothing.

use std::fmt;
use std::io::{ErrorKind, Result as IoResult};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use futures::future::try_join;
use futures::stream::TryStreamExt as _;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt as _};
use slatedb::config::DbReaderOptions;
use slatedb::db_cache::DbCache;
use slatedb::{DbReader, DbReaderMode};

use super::files::{Files, Root};
use super::read::Reading;
use super::{PATIENCE, Reader, Threads, place};
use crate::error::StoreError;
use crate::store::blobs::{Blob, Blobs, Draft};
use crate::store::{Fate, Store, Write};

/// When the engine looks for new commits by itself: a state must not change while it is read. The
/// engine counts from the earliest date of its calendar, so an hour or a year would be over.
const NEVER: Duration = Duration::MAX;

/// A store on object storage as it was when it was last looked at.
pub struct Follower {
    objects: Arc<dyn ObjectStore>,
    path: Path,
    blocks: Arc<dyn DbCache>,
    seen: RwLock<Arc<Seen>>,
    /// Held by whoever looks at the store, so that no state replaces a newer one.
    looking: Mutex<()>,
    threads: Arc<Threads>,
    blobs: Root,
}

/// A state of the store. The engine keeps it until it is closed.
struct Seen {
    state: Arc<DbReader>,
    threads: Arc<Threads>,
    /// Number of a commit that it has; `None` if the log was empty.
    commit: Option<u64>,
}

impl Follower {
    /// Opens the store at a URL, as [`Object::open`](super::Object::open) has it, for reading.
    ///
    /// # Errors
    /// [`StoreError`] if the URL is none, or there is no store.
    pub fn open(url: &str, cache: usize) -> Result<Self, StoreError> {
        Self::open_within(url, cache, PATIENCE)
    }

    /// As [`Self::open`].
    ///
    /// * `patience`: how long the store may take to answer a read.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_within(url: &str, cache: usize, patience: Duration) -> Result<Self, StoreError> {
        let (objects, path) = place::parse(url, patience)?;
        let threads = Arc::new(Threads::start(patience)?);
        place::reach(url, &*objects, &path, &threads)?;
        Self::with(objects, &path, cache, threads)
    }

    /// As [`Self::open`], of the objects under `path`.
    ///
    /// # Errors
    /// [`StoreError`] if there is no store.
    pub fn on(
        objects: Arc<dyn ObjectStore>,
        path: &Path,
        cache: usize,
    ) -> Result<Self, StoreError> {
        Self::with(objects, path, cache, Arc::new(Threads::start(PATIENCE)?))
    }

    fn with(
        objects: Arc<dyn ObjectStore>,
        path: &Path,
        cache: usize,
        threads: Arc<Threads>,
    ) -> Result<Self, StoreError> {
        let (blocks, blobs) = super::caches(cache, &objects, path, &threads);
        let path = super::state(path);
        let seen = RwLock::new(look(&objects, &path, &blocks, &threads, None)?);
        let looking = Mutex::default();
        Ok(Self { objects, path, blocks, seen, looking, threads, blobs })
    }
}

/// * `since`: number of a commit that the store has.
fn look(
    objects: &Arc<dyn ObjectStore>,
    path: &Path,
    blocks: &Arc<dyn DbCache>,
    threads: &Arc<Threads>,
    since: Option<u64>,
) -> Result<Arc<Seen>, StoreError> {
    // Before the state is read: what comes in between is found by the next look.
    let commit = threads.answers(newest_commit(objects, path, since))??;
    let options = DbReaderOptions {
        manifest_poll_interval: NEVER,
        // Requests are tried again below the engine: then its error is the store's, and not that
        // the store is late.
        object_store_max_retries: Some(0),
        ..DbReaderOptions::default()
    };
    let reader = DbReader::builder(path.clone(), Arc::clone(objects))
        .with_reader_mode(DbReaderMode::FollowLatest)
        .with_options(options)
        .with_db_cache(Arc::clone(blocks), 0)
        .with_filter_policies(super::filter::policies());
    let state = Arc::new(threads.answers(reader.build())??);
    Ok(Arc::new(Seen { state, threads: Arc::clone(threads), commit }))
}

/// The engine's object of a commit. It numbers them one after the other.
fn commit(path: &Path, number: u64) -> Path {
    path.clone().join("wal").join(format!("{number:020}.sst"))
}

/// The engine's object that names all others, of which each change makes a new one.
fn manifest(path: &Path, number: u64) -> Path {
    path.clone().join("manifest").join(format!("{number:020}.manifest"))
}

/// The number of the newest commit in the log; `None` if the log is empty.
async fn newest_commit(
    objects: &Arc<dyn ObjectStore>,
    path: &Path,
    since: Option<u64>,
) -> Result<Option<u64>, object_store::Error> {
    let log = path.clone().join("wal");
    let commits = objects.list_with_offset(Some(&log), &commit(path, since.unwrap_or(0)));
    let commits: Vec<_> = commits.try_collect().await?;
    let number = |object: &ObjectMeta| object.location.filename()?.split('.').next()?.parse().ok();
    Ok(commits.iter().filter_map(number).max().or(since))
}

async fn exists(objects: &dyn ObjectStore, path: &Path) -> Result<bool, object_store::Error> {
    match objects.head(path).await {
        Err(object_store::Error::NotFound { .. }) => Ok(false),
        found => found.map(|_| true),
    }
}

impl Follower {
    /// Whether the store has changed since it was looked at. A look reads the whole log, which may
    /// have hundreds of objects; this asks for two.
    fn is_changed(&self, seen: &Seen) -> Result<bool, StoreError> {
        let Some(number) = seen.commit else { return Ok(true) };
        let commit = commit(&self.path, number + 1);
        let manifest = manifest(&self.path, seen.state.manifest().id() + 1);
        let found = async {
            try_join(exists(&*self.objects, &commit), exists(&*self.objects, &manifest)).await
        };
        let (commit, manifest) = self.threads.answer(found)??;
        Ok(commit || manifest)
    }
}

impl Store for Follower {
    fn reader(&self) -> Result<Reader, StoreError> {
        let seen = Arc::clone(&self.seen.read().unwrap_or_else(PoisonError::into_inner));
        let (state, threads) = (Arc::clone(&seen.state), Arc::clone(&self.threads));
        Ok(Arc::new(Reading { state, threads, _kept: Some(seen) }))
    }

    fn batch(&self, _: &mut dyn FnMut(&mut dyn Write) -> Fate) -> Result<(), StoreError> {
        Err(StoreError::ReadOnly)
    }

    fn refresh(&self) -> Result<(), StoreError> {
        let _looking = self.looking.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = Arc::clone(&self.seen.read().unwrap_or_else(PoisonError::into_inner));
        if !self.is_changed(&seen)? {
            return Ok(());
        }
        let seen = look(&self.objects, &self.path, &self.blocks, &self.threads, seen.commit)?;
        *self.seen.write().unwrap_or_else(PoisonError::into_inner) = seen;
        Ok(())
    }

    fn blobs(&self, system: &str) -> Arc<dyn Blobs> {
        Arc::new(Kept(Files::new(self.blobs.clone(), system)))
    }
}

impl Drop for Seen {
    fn drop(&mut self) {
        let state = Arc::clone(&self.state);
        self.threads.start_task(async move {
            // It wrote nothing that could be lost.
            let _ = state.close().await;
        });
    }
}

/// Files of a store that is only read.
#[derive(Debug)]
struct Kept(Files);

impl Blobs for Kept {
    fn create(&self, _: &str) -> IoResult<Box<dyn Draft>> {
        Err(ErrorKind::ReadOnlyFilesystem.into())
    }

    fn settle(&self) -> IoResult<()> {
        Ok(())
    }

    fn open(&self, name: &str) -> IoResult<Box<dyn Blob>> {
        self.0.open(name)
    }

    fn names(&self) -> IoResult<Vec<String>> {
        self.0.names()
    }

    fn remove(&self, _: &str) -> IoResult<()> {
        // It is the writer who removes what no block needs.
        Ok(())
    }

    fn place(&self, name: &str) -> PathBuf {
        self.0.place(name)
    }
}

impl fmt::Debug for Follower {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Follower").field("path", &self.path).finish_non_exhaustive()
    }
}
