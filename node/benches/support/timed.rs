//! Systems that note what their commits take.

use std::path::Path;
use std::sync::{Arc, Mutex};

use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::writes::WriteSet;
use lightproof_prover::error::StoreError;
use lightproof_prover::store::{Read, Reader, Store, Write};
use lightproof_prover::system::{Configuration, Proof, Refusal, Spec, System};

use super::usage::Spent;

/// What one system's commits took so far.
pub(crate) type Noted = Arc<Mutex<Spent>>;

#[derive(Debug)]
struct Timed {
    inner: Arc<dyn Configuration>,
    spent: Noted,
}

struct TimedSystem {
    inner: Box<dyn System>,
    spent: Noted,
}

/// The same chain, whose systems note what they take; the notes by name.
pub(crate) fn timed(config: Config) -> (Config, Vec<(&'static str, Noted)>) {
    let mut notes = Vec::new();
    let systems = config.systems.iter().map(|inner| {
        let spent = Noted::default();
        notes.push((inner.name(), Arc::clone(&spent)));
        Arc::new(Timed { inner: Arc::clone(inner), spent }) as Arc<dyn Configuration>
    });
    let systems = systems.collect();
    (Config { systems, ..config }, notes)
}

impl Configuration for Timed {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn identity(&self) -> Vec<(&'static str, u64)> {
        self.inner.identity()
    }

    fn make(&self, cache: Option<&Path>, store: &dyn Store) -> Box<dyn System> {
        let (inner, spent) = (self.inner.make(cache, store), Arc::clone(&self.spent));
        Box::new(TimedSystem { inner, spent })
    }
}

impl System for TimedSystem {
    fn spec(&self) -> Spec {
        self.inner.spec()
    }

    fn commit(
        &self,
        batch: &mut dyn Write,
        block: u64,
        writes: &WriteSet,
    ) -> Result<Vec<u8>, StoreError> {
        self.spent.lock().unwrap().by(|| self.inner.commit(batch, block, writes))
    }

    fn begin(&self, before: &Reader) {
        self.inner.begin(before);
    }

    fn open(&self, store: &dyn Read) -> Result<(), StoreError> {
        self.inner.open(store)
    }

    fn params(&self) -> Option<Vec<u8>> {
        self.inner.params()
    }

    fn durable(&self) -> Result<(), StoreError> {
        self.inner.durable()
    }

    fn prove(
        &self,
        store: &dyn Read,
        block: u64,
        query: &[u8],
        accepted: &[&'static str],
    ) -> Result<Proof, Refusal> {
        self.inner.prove(store, block, query, accepted)
    }
}
