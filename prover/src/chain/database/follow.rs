//! A chain whose store another process writes.

use std::sync::PoisonError;

use super::{Chain, Served, head_number};
use crate::chain::config::Config;
use crate::error::StoreError;
use crate::store::Store;
use crate::system::Spec;

impl Chain {
    /// Opens the chain in a store that another process writes. It makes no blocks, and shows the
    /// store as of the last [`Self::follow`]: a state that does not change while it is read,
    /// whatever is pruned meanwhile.
    ///
    /// * `place`: what the store is called in errors.
    ///
    /// # Errors
    /// [`StoreError`]: the store holds no chain or another one, or it fails.
    pub fn follow_in(
        store: Box<dyn Store>,
        place: &str,
        config: Config,
    ) -> Result<Self, StoreError> {
        let mut node = Self::on(store, None, config);
        if !node.is_made()? {
            return Err(StoreError::Corrupt("the store holds no chain"));
        }
        node.check_description(place)?;
        node.check_roster(place)?;
        let snapshot = node.snapshot()?;
        let header = snapshot.header(snapshot.first())?;
        let header = header.ok_or(StoreError::Corrupt("no genesis block"))?;
        (node.genesis_hash, node.id) = (header.hash(), header.chain_id);
        node.follow()?;
        Ok(node)
    }

    /// Looks at the store, shows its newest block, and returns the number of that.
    ///
    /// # Errors
    /// [`StoreError`] if the store fails; the chain stays at the block that it showed.
    pub fn follow(&self) -> Result<u64, StoreError> {
        let _following = self.following.lock().unwrap_or_else(PoisonError::into_inner);
        self.store.refresh()?;
        let reader = self.store.reader()?;
        for Served { system, .. } in &self.systems {
            system.follow(&*reader)?;
        }
        let head = head_number(&*reader)?;
        // Only now: whatever is shown, every system proves.
        *self.shown.write().unwrap_or_else(PoisonError::into_inner) = Some(reader);
        Ok(head)
    }

    /// Whether another process, which writes the store, keeps a block no longer that this one
    /// still shows. Files of the block may be gone then, though not its rows.
    pub fn is_pruned(&self, spec: &Spec, block: u64) -> bool {
        if self.shown.read().unwrap_or_else(PoisonError::into_inner).is_none() {
            return false;
        }
        let newest = self.store.refresh().and_then(|()| self.store.reader());
        let head = newest.and_then(|reader| head_number(&*reader));
        head.is_ok_and(|head| block + spec.window <= head)
    }
}
