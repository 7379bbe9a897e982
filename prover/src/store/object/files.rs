//! Files beside the tables, as objects.
//!
//! The object of a file is `SYSTEM/NAME/WRITER`, where the number of the writer grows with each
//! one that opens the store. So a writer that was fenced, and does not know it yet, replaces no
//! file of the one after it: a file is the object of the newest writer that has one.

use std::collections::BTreeSet;
use std::io::{Error, ErrorKind, Result};
use std::path::PathBuf;
use std::sync::Arc;

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt as _, WriteMultipart};
use slatedb::bytes::Bytes;

use super::Threads;
use crate::store::blobs::{Blob, Blobs, Draft};

/// Bytes of a file that are read at once and kept in memory.
const PAGE: u64 = 1 << 18;
/// How many requests are under way at once.
const AT_ONCE: usize = 16;
/// How often a list is asked for.
const LISTS: usize = 4;
/// Bytes of a file that are sent in one request.
const PART: usize = 8 << 20;

/// Where files are, and who writes them.
#[derive(Clone)]
pub(super) struct Root {
    pub(super) objects: Arc<dyn ObjectStore>,
    /// Of the store.
    pub(super) path: Path,
    pub(super) writer: u64,
    pub(super) pages: Pages,
    pub(super) threads: Arc<Threads>,
}

/// Pages of files that stay in memory, by object and number.
#[derive(Clone)]
pub(super) struct Pages(Cache<(Path, Option<String>, u64), Bytes>);

impl Pages {
    /// * `capacity`: in bytes.
    pub(super) fn new(capacity: u64) -> Self {
        let weigh = |_: &_, page: &Bytes| u32::try_from(page.len()).unwrap_or(u32::MAX);
        let cache = Cache::builder().max_capacity(capacity).weigher(weigh);
        // Files that are merged were read more often than the one that replaces them.
        Self(cache.eviction_policy(EvictionPolicy::lru()).build())
    }
}

/// The files of a system.
pub(super) struct Files {
    root: Root,
    path: Path,
}

impl Files {
    pub(super) fn new(root: Root, system: &str) -> Self {
        let path = root.path.clone().join("blobs").join(system);
        Self { root, path }
    }

    /// The objects below a path. A list that is cut off is asked for again, which the client does
    /// for all other requests.
    fn list(&self, path: &Path) -> Result<Vec<ObjectMeta>> {
        let Root { objects, threads, .. } = &self.root;
        let mut listed = Ok(Vec::new());
        for _ in 0..LISTS {
            listed = threads.answer(objects.list(Some(path)).try_collect())?;
            if listed.is_ok() {
                break;
            }
        }
        Ok(listed?)
    }

    /// The objects of a file, by writer.
    fn objects(&self, name: &str) -> Result<Vec<ObjectMeta>> {
        let mut objects = self.list(&self.path.clone().join(name))?;
        // All numbers are as long.
        objects.sort_unstable_by(|one, next| one.location.cmp(&next.location));
        Ok(objects)
    }
}

impl Blobs for Files {
    fn create(&self, name: &str) -> Result<Box<dyn Draft>> {
        let writer = format!("{:016x}", self.root.writer);
        let path = self.path.clone().join(name).join(writer);
        Ok(Box::new(Part { root: self.root.clone(), path, bytes: Vec::new() }))
    }

    fn settle(&self) -> Result<()> {
        // An object is durable when it has its name.
        Ok(())
    }

    fn open(&self, name: &str) -> Result<Box<dyn Blob>> {
        let object = self.objects(name)?.pop().ok_or(ErrorKind::NotFound)?;
        Ok(Box::new(Whole { root: self.root.clone(), object }))
    }

    fn names(&self) -> Result<Vec<String>> {
        let objects = self.list(&self.path)?;
        let name = |object: &ObjectMeta| {
            let name = object.location.prefix_match(&self.path)?.next()?;
            Some(name.as_ref().to_owned())
        };
        Ok(objects.iter().filter_map(name).collect::<BTreeSet<_>>().into_iter().collect())
    }

    fn remove(&self, name: &str) -> Result<()> {
        let objects = self.objects(name)?.into_iter().map(|object| Ok(object.location));
        let removed = self.root.objects.delete_stream(stream::iter(objects).boxed());
        self.root.threads.answer(removed.for_each(|_| async {}))?;
        if self.objects(name)?.is_empty() {
            return Ok(());
        }
        Err(Error::other("an object was not removed"))
    }

    fn place(&self, name: &str) -> PathBuf {
        PathBuf::from(self.path.clone().join(name).to_string())
    }
}

/// A file whose bytes are in memory until it is whole.
struct Part {
    root: Root,
    path: Path,
    bytes: Vec<u8>,
}

impl Draft for Part {
    fn write(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        let start = usize::try_from(offset).map_err(|_| ErrorKind::FileTooLarge)?;
        let end = start.checked_add(bytes.len()).ok_or(ErrorKind::FileTooLarge)?;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.bytes[start..end].copy_from_slice(bytes);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let Self { root: Root { objects, threads, .. }, path, bytes } = *self;
        let bytes = Bytes::from(bytes);
        // Each request of it is bounded; a large file needs many.
        threads.wait(async {
            if bytes.len() <= PART {
                objects.put(&path, bytes.into()).await?;
                return Ok(());
            }
            let upload = objects.put_multipart(&path).await?;
            let mut upload = WriteMultipart::new_with_chunk_size(upload, PART);
            for start in (0..bytes.len()).step_by(PART) {
                upload.wait_for_capacity(AT_ONCE).await?;
                upload.put(bytes.slice(start..bytes.len().min(start + PART)));
            }
            upload.finish().await?;
            Ok(())
        })
    }
}

/// A file that is there.
struct Whole {
    root: Root,
    object: ObjectMeta,
}

impl Whole {
    async fn page(&self, number: u64) -> Result<Bytes> {
        let ObjectMeta { location, e_tag, .. } = &self.object;
        // A writer that starts a file again gives it another tag.
        let key = (location.clone(), e_tag.clone(), number);
        if let Some(page) = self.root.pages.0.get(&key) {
            return Ok(page);
        }
        let start = number * PAGE;
        let end = self.object.size.min(start + PAGE);
        let page = self.root.objects.get_range(location, start..end).await?;
        if page.len() as u64 != end - start {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.root.pages.0.insert(key, page.clone());
        Ok(page)
    }
}

impl Blob for Whole {
    fn length(&self) -> u64 {
        self.object.size
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let end = offset.checked_add(buffer.len() as u64).filter(|end| *end <= self.object.size);
        let end = end.ok_or(ErrorKind::UnexpectedEof)?;
        if buffer.is_empty() {
            return Ok(());
        }
        let numbers = offset / PAGE..=(end - 1) / PAGE;
        let pages = stream::iter(numbers).map(|number| self.page(number)).buffered(AT_ONCE);
        let pages: Vec<_> = self.root.threads.answer(pages.try_collect())??;
        // Where the read begins in the first page.
        let mut skipped = usize::try_from(offset % PAGE).unwrap_or(usize::MAX);
        let mut rest = buffer;
        for page in pages {
            let part = page.get(skipped..).ok_or(ErrorKind::UnexpectedEof)?;
            let length = part.len().min(rest.len());
            let (filled, left) = std::mem::take(&mut rest).split_at_mut(length);
            filled.copy_from_slice(&part[..length]);
            (rest, skipped) = (left, 0);
        }
        if rest.is_empty() { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }
}

impl std::fmt::Debug for Files {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Files").field(&self.path).finish()
    }
}

impl std::fmt::Debug for Whole {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Whole").field(&self.object.location).finish()
    }
}
