//! What stays in memory of the engine's files: the blocks that were read or written last.
//!
//! Not those that were read most often, as in the engine's own cache: these are of files that were
//! compacted meanwhile, and the blocks of the file that replaced them would find no room.

use async_trait::async_trait;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use slatedb::Error;
use slatedb::db_cache::{CachedEntry, CachedKey, DbCache};

/// Blocks, indices and filters of files, up to so many bytes.
pub(super) struct Recent(Cache<CachedKey, CachedEntry>);

impl Recent {
    pub(super) fn new(bytes: u64) -> Self {
        let size =
            |_: &CachedKey, entry: &CachedEntry| u32::try_from(entry.size()).unwrap_or(u32::MAX);
        let cache = Cache::builder().max_capacity(bytes).weigher(size);
        Self(cache.eviction_policy(EvictionPolicy::lru()).build())
    }
}

#[async_trait]
impl DbCache for Recent {
    async fn get_block(&self, key: &CachedKey) -> Result<Option<CachedEntry>, Error> {
        Ok(self.0.get(key))
    }

    async fn get_index(&self, key: &CachedKey) -> Result<Option<CachedEntry>, Error> {
        Ok(self.0.get(key))
    }

    async fn get_filter(&self, key: &CachedKey) -> Result<Option<CachedEntry>, Error> {
        Ok(self.0.get(key))
    }

    async fn get_stats(&self, key: &CachedKey) -> Result<Option<CachedEntry>, Error> {
        Ok(self.0.get(key))
    }

    async fn insert(&self, key: CachedKey, entry: CachedEntry) {
        self.0.insert(key, entry);
    }

    async fn remove(&self, key: &CachedKey) {
        self.0.invalidate(key);
    }

    fn entry_count(&self) -> u64 {
        self.0.entry_count()
    }
}
