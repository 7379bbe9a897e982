//! The engine on a chain: its records lie in the chain's database, so that block and state become
//! durable in one transaction; its runs are files beside it.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::config::{Config, NAME};
use super::engine::{Applied, Engine, Known};
use super::prove::Query;
use super::view::View;
use crate::chain::writes::WriteSet;
use crate::error::StoreError;
use crate::store::blobs::Blobs;
use crate::store::{ALL, Order, Read, Store, Table, Write, below};
use crate::system::{Configuration, Proof, Refusal, Spec, System};

/// Which sources each block of the window consists of.
const RECORDS: Table = Table("cole/records");
/// Writes of trees that some block of the window has in memory, by block.
const LOG: Table = Table("cole/log");

/// Blocks that are kept beyond the promised window: a block that is being made pushes one out
/// before requests learn of the new head.
const SLACK: u64 = 8;

/// The system.
#[derive(Debug)]
pub struct Cole {
    files: Arc<dyn Blobs>,
    config: Config,
    window: u64,
    /// Nothing until it is first needed, and after a failure: then it is restored from its
    /// records.
    engine: Mutex<Option<Engine>>,
}

impl Cole {
    /// The system on a chain whose runs are kept in `files`.
    pub fn new(files: Arc<dyn Blobs>, config: Config) -> Self {
        let window = config.window.max(1);
        let config = Config { window: window + SLACK, ..config };
        Self { files, config, window, engine: Mutex::new(None) }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Engine>> {
        // A panic amid a block leaves an engine that does not follow its records: the check in
        // `current` finds out.
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The engine as it was after the newest block on record.
    fn restore(&self, store: &dyn Read) -> Result<Engine, StoreError> {
        let (records, log) = (values(store, RECORDS)?, values(store, LOG)?);
        Ok(Engine::restore(Arc::clone(&self.files), self.config, &records, &log)?)
    }

    fn view(&self, store: &dyn Read, block: u64) -> Result<Option<Arc<View>>, StoreError> {
        let mut engine = self.lock();
        if engine.is_none() {
            *engine = Some(self.restore(store)?);
        }
        let block = u32::try_from(block).ok();
        Ok(engine.as_ref().zip(block).and_then(|(engine, block)| engine.view(block)))
    }
}

/// All values of a table, by key ascending.
fn values(store: &dyn Read, table: Table) -> Result<Vec<Vec<u8>>, StoreError> {
    store.range(table, ALL, Order::Ascending)?.map(|row| Ok(row?.1.to_vec())).collect()
}

impl Configuration for Config {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Vec<(&'static str, u64)> {
        vec![(NAME, self.code()), ("cole memory", self.capacity)]
    }

    fn make(&self, _: Option<&Path>, store: &dyn Store) -> Box<dyn System> {
        Box::new(Cole::new(store.blobs(NAME), *self))
    }
}

impl System for Cole {
    fn spec(&self) -> Spec {
        Spec {
            params: Some(self.config.params_digest()),
            ..Spec::new(NAME, self.config.format_name(), self.window)
        }
    }

    fn params(&self) -> Option<Vec<u8>> {
        Some(self.config.params())
    }

    fn open(&self, store: &dyn Read) -> Result<(), StoreError> {
        self.view(store, 0).map(drop)
    }

    fn follow(&self, store: &dyn Read) -> Result<(), StoreError> {
        let newest = store.last(RECORDS)?.map(|(_, record)| record.to_vec());
        let known = match &*self.lock() {
            Some(engine) if engine.record() == newest => return Ok(()),
            Some(engine) => engine.open_files(),
            None => Known::default(),
        };
        let (records, log) = (values(store, RECORDS)?, values(store, LOG)?);
        let files = Arc::clone(&self.files);
        let engine = Engine::follow(files, self.config, &records, &log, &known)?;
        *self.lock() = Some(engine);
        Ok(())
    }

    fn commit(
        &self,
        batch: &mut dyn Write,
        block: u64,
        writes: &WriteSet,
    ) -> Result<Vec<u8>, StoreError> {
        let number = u32::try_from(block)
            .map_err(|_| StoreError::Corrupt("cole counts blocks in 4 bytes"))?;
        let mut slot = self.lock();
        // An engine ahead of its records belongs to a transaction that was given up.
        let newest = batch.last(RECORDS)?.map(|(_, record)| record.to_vec());
        let fits = slot.as_ref().is_some_and(|engine| engine.record() == newest);
        let mut engine = match slot.take().filter(|_| fits) {
            Some(engine) => engine,
            None => self.restore(&*batch)?,
        };
        // A cleared slot is a version of 32 zero bytes.
        let writes: Vec<_> =
            writes.key_values().map(|(key, value)| (key, value.unwrap_or_default())).collect();
        let Applied { state, record, log: written } = engine.apply(number, &writes)?;
        batch.put(RECORDS, &block.to_be_bytes(), &record)?;
        batch.put(LOG, &block.to_be_bytes(), &written)?;
        let oldest = engine.oldest().map_or(block, u64::from).to_be_bytes();
        batch.remove_range(RECORDS, below(&oldest))?;
        let mut needless = Vec::new();
        for row in batch.range(LOG, ALL, Order::Ascending)? {
            let (block, log) = row?;
            if !engine.needs(&log) {
                needless.push(block.to_vec());
            }
        }
        for block in needless {
            batch.remove(LOG, &block)?;
        }
        *slot = Some(engine);
        Ok(state.to_vec())
    }

    fn durable(&self) -> Result<(), StoreError> {
        self.lock().as_mut().map_or(Ok(()), Engine::durable)?;
        Ok(())
    }

    fn prove(
        &self,
        store: &dyn Read,
        block: u64,
        query: &[u8],
        _: &[&'static str],
    ) -> Result<Proof, Refusal> {
        let query = Query::decode(query).ok_or(Refusal::Query("not a query of cole"))?;
        let view = self.view(store, block)?.ok_or(Refusal::Window)?;
        view.prove(&query).map(Proof::plain).map_err(|error| match error {
            super::EngineError::Usage(reason) => Refusal::Query(reason),
            other => Refusal::Store(other.into()),
        })
    }
}
