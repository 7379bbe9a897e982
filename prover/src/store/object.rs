//! The engine on object storage: [`slatedb`], a log-structured store whose files are objects of
//! S3 or of a directory. No modules but this one and those below it name it.
//!
//! One process writes. Opening the store for writing fences the writer before it: whatever that one
//! commits afterwards is refused with [`StoreError::Fenced`], and nothing of it is in the store. A
//! batch is made in memory ([`Overlay`]) and becomes one write of the engine, so it is in the store
//! as a whole or not at all.
//!
//! A table's name comes before its keys. Objects lie under the store's URL: those of the engine
//! under `state`, files beside the tables under `blobs`.

mod cache;
mod files;
mod filter;
pub mod follow;
mod place;
mod read;
mod threads;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use object_store::ObjectStore;
use object_store::path::Path;
use slatedb::admin::Admin;
use slatedb::config::{FlushOptions, FlushType};
use slatedb::db_cache::DbCache;
use slatedb::{BlockCachePolicy, CacheTarget, CloseReason, Db, DbSnapshot, ErrorKind, WriteBatch};
use tokio::time::timeout;

use super::blobs::Blobs;
use super::overlay::Overlay;
use super::{Fate, Reader, Store, Write};
use crate::error::StoreError;
use cache::Recent;
use files::{Files, Pages, Root};
use read::{Reading, key};
use threads::Threads;

/// Most commits whose log a writer or a reader has to read when it opens the store.
const LOGGED: u64 = 256;
/// How long a store that is closed may take to write what its log has already.
const CLOSING: Duration = Duration::from_secs(3);
/// How long the store may take to answer a read, or to make a batch durable, unless it is said.
pub const PATIENCE: Duration = Duration::from_secs(30);

impl From<slatedb::Error> for StoreError {
    fn from(error: slatedb::Error) -> Self {
        match error.kind() {
            ErrorKind::Closed(CloseReason::Fenced) => Self::Fenced,
            _ => Self::Database(Box::new(error)),
        }
    }
}

impl From<object_store::Error> for StoreError {
    fn from(error: object_store::Error) -> Self {
        Self::Database(Box::new(error))
    }
}

/// A store on object storage, open for writing.
pub struct Object {
    database: Db,
    threads: Arc<Threads>,
    /// The store as of the newest batch that is durable.
    durable: RwLock<Arc<DbSnapshot>>,
    /// Held by the batch that is being made.
    writer: Mutex<Writer>,
    blobs: Root,
}

/// Where the engine's objects are.
fn state(path: &Path) -> Path {
    path.clone().join("state")
}

/// What stays in memory of a store, in `bytes` in all: the engine's blocks, and the files beside
/// the tables, which get a quarter.
fn caches(
    bytes: usize,
    objects: &Arc<dyn ObjectStore>,
    path: &Path,
    threads: &Arc<Threads>,
) -> (Arc<dyn DbCache>, Root) {
    let files = bytes as u64 / 4;
    let blocks = Recent::new(bytes as u64 - files);
    let root = Root {
        objects: Arc::clone(objects),
        path: path.clone(),
        writer: 0,
        pages: Pages::new(files),
        threads: Arc::clone(threads),
    };
    (Arc::new(blocks), root)
}

/// What became of the batches so far.
#[derive(Default)]
struct Writer {
    /// How many were committed since the log was cut.
    logged: u64,
    /// Why nobody knows whether the last one was: none may follow it.
    unknown: Option<String>,
}

impl Object {
    /// Opens the store at a URL for writing, makes it if there is none, and fences the writer that
    /// has it open.
    ///
    /// * `url`: `file:///PATH` or `s3://BUCKET/PREFIX`. Credentials of S3, its region and its
    ///   endpoint come from the environment: `AWS_ACCESS_KEY_ID` and so on.
    /// * `cache`: most bytes of the store that stay in memory.
    ///
    /// # Errors
    /// [`StoreError`] if the URL is none of those, or the store cannot be opened.
    pub fn open(url: &str, cache: usize) -> Result<Self, StoreError> {
        Self::open_within(url, cache, PATIENCE)
    }

    /// As [`Self::open`].
    ///
    /// * `patience`: how long the store may take to answer a read, or to make a batch durable. Past
    ///   it nobody knows whether the batch is, and no other follows.
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
    /// [`StoreError`] if the store cannot be opened.
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
        let (blocks, blobs) = caches(cache, &objects, path, &threads);
        // What is compacted is read as much as before: it stays in memory as far as it fits.
        let data = CacheTarget::data::<&[u8], _>(..);
        let kept = BlockCachePolicy::default().with_compaction_output_targets(&[
            data,
            CacheTarget::Index,
            CacheTarget::Filters,
        ]);
        let builder = Db::builder(state(path), objects)
            .with_db_cache(blocks, 0)
            .with_block_cache_policy(kept)
            .with_filter_policies(filter::policies());
        let database = threads.answers(builder.build())??;
        let durable = RwLock::new(database.snapshot()?);
        let blobs = Root { writer: database.manifest().writer_epoch(), ..blobs };
        Ok(Self { database, threads, durable, writer: Mutex::default(), blobs })
    }

    fn newest(&self) -> Reading<DbSnapshot> {
        let newest = self.durable.read().unwrap_or_else(PoisonError::into_inner);
        let (state, threads) = (Arc::clone(&newest), Arc::clone(&self.threads));
        Reading { state, threads, _kept: None }
    }

    /// Puts what a batch changed into the store; it is durable when this returns.
    fn commit(&self, changes: WriteBatch) -> Result<(), StoreError> {
        let committed = self.threads.answer(async {
            let written = self.database.write(changes).await?;
            // Now, and not with the next one of the flushes that follow a clock.
            self.database.flush().await?;
            written.await_durable().await
        });
        Ok(committed??)
    }
}

impl Object {
    /// Writes what the log has to a table of the engine, beside the batches that follow.
    fn cut_log(&self) {
        let database = self.database.clone();
        self.threads.start_task(async move {
            let flush_type = FlushType::MemTable;
            // If it fails, the log is longer, and it is tried again.
            let _ = database.flush_with_options(FlushOptions { flush_type }).await;
        });
    }
}

impl Store for Object {
    fn reader(&self) -> Result<Reader, StoreError> {
        Ok(Arc::new(self.newest()))
    }

    fn batch(&self, work: &mut dyn FnMut(&mut dyn Write) -> Fate) -> Result<(), StoreError> {
        // A panic of `work` wrote nothing.
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reason) = &writer.unknown {
            return Err(StoreError::Unknown(reason.clone()));
        }
        let before = self.newest();
        let mut batch = Overlay::new(&before);
        if work(&mut batch) == Fate::Abandon {
            return Ok(());
        }
        let mut changes = WriteBatch::new();
        for (table, row, value) in batch.into_changes() {
            match value {
                Some(value) => changes.put(key(table, &row), value),
                None => changes.delete(key(table, &row)),
            }
        }
        if changes.is_empty() {
            return Ok(());
        }
        let committed = self.commit(changes).and_then(|()| Ok(self.database.snapshot()?));
        match committed {
            Ok(after) => {
                *self.durable.write().unwrap_or_else(PoisonError::into_inner) = after;
                writer.logged += 1;
                if writer.logged == LOGGED {
                    self.cut_log();
                    writer.logged = 0;
                }
                Ok(())
            }
            // Of this one nothing is in the store, and every later one is refused as well.
            Err(StoreError::Fenced) => Err(StoreError::Fenced),
            Err(error) => {
                let reason = error.to_string();
                writer.unknown = Some(reason.clone());
                Err(StoreError::Unknown(reason))
            }
        }
    }

    fn is_taken(&self) -> bool {
        let Root { objects, path, writer, .. } = &self.blobs;
        let admin = Admin::builder(state(path), Arc::clone(objects)).build();
        let newest = self.threads.answer(admin.read_manifest(None));
        matches!(newest, Ok(Ok(Some(newest))) if newest.writer_epoch() > *writer)
    }

    fn blobs(&self, system: &str) -> Arc<dyn Blobs> {
        Arc::new(Files::new(self.blobs.clone(), system))
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // Everything is durable: whoever opens the store next reads the log instead.
        let _ = self.threads.wait(async { timeout(CLOSING, self.database.close()).await });
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Object").finish_non_exhaustive()
    }
}
