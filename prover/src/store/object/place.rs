//! Where a store is.

use std::sync::Arc;
use std::time::Duration;

use futures::stream::StreamExt as _;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{BackoffConfig, ObjectStore, RetryConfig};
use tokio::time::timeout;

use super::Threads;
use crate::error::StoreError;

/// How long a store may take to answer at all.
const REACHED: Duration = Duration::from_secs(10);
/// Longest pause before a request is tried again.
const BACKOFF: Duration = Duration::from_secs(1);

/// The objects that a URL names, and the path under which they lie.
///
/// * `patience`: how long the store may take. Requests that fail are tried again for two thirds of
///   it, so that the last one's error is known by then.
pub(super) fn parse(
    url: &str,
    patience: Duration,
) -> Result<(Arc<dyn ObjectStore>, Path), StoreError> {
    let failed = |source| StoreError::Url { url: url.to_owned(), source };
    if let Some(directory) = url.strip_prefix("file://").filter(|path| path.starts_with('/')) {
        std::fs::create_dir_all(directory).map_err(|error| failed(error.into()))?;
        let objects = LocalFileSystem::new_with_prefix(directory);
        // A commit is in the files, and not only in the memory of the operating system.
        let objects = objects.map_err(|error| failed(error.into()))?.with_fsync(true);
        return Ok((Arc::new(objects), Path::default()));
    }
    let bucket = url.strip_prefix("s3://").filter(|bucket| !bucket.is_empty());
    let bucket =
        bucket.ok_or_else(|| failed("expected file:///PATH or s3://BUCKET/PREFIX".into()))?;
    let (bucket, path) = bucket.split_once('/').unwrap_or((bucket, ""));
    let path = Path::parse(path).map_err(|error| failed(error.into()))?;
    // It fails where another part of the program has installed a provider, which does as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let objects = AmazonS3Builder::from_env().with_bucket_name(bucket).with_retry(RetryConfig {
        backoff: BackoffConfig { max_backoff: BACKOFF, ..BackoffConfig::default() },
        max_retries: usize::MAX,
        retry_timeout: patience * 2 / 3,
    });
    let objects = objects.build();
    Ok((Arc::new(objects.map_err(|error| failed(error.into()))?), path))
}

/// Asks for what lies in a store. The engine would ask for ever, and say nothing.
pub(super) fn reach(
    url: &str,
    objects: &dyn ObjectStore,
    path: &Path,
    threads: &Threads,
) -> Result<(), StoreError> {
    let failed = |source| StoreError::Url { url: url.to_owned(), source };
    let mut listed = objects.list(Some(path));
    match threads.wait(async { timeout(REACHED, listed.next()).await }) {
        Ok(None | Some(Ok(_))) => Ok(()),
        Ok(Some(Err(error))) => Err(failed(error.into())),
        Err(_) => {
            let seconds = REACHED.as_secs();
            let why = format!("it does not answer within {seconds} s; is its endpoint right?");
            Err(failed(why.into()))
        }
    }
}
