//! The tree on a chain: slots and values lie in the chain's database, with the history of the
//! window, so that block and state become durable in one transaction.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use ark_bls12_381::G1Affine;

use super::commitment::{Committer, compress, digit, identity};
use super::config::{Commitment, Config, NAME};
use super::openings::Openings;
use super::prove::{self, AGGREGATED, Prover};
use super::slots::{Held, Place, SLOTS, VALUES, View, encode};
use super::tree::{Batch, Writes};
use crate::chain::writes::WriteSet;
use crate::error::StoreError;
use crate::hash::{Word, sha256};
use crate::store::versions::{Writer, prune};
use crate::store::{Read, Store, Table, Write};
use crate::system::{Configuration, PLAIN, Proof, Refusal, Spec, System};

const JOURNAL: Table = Table("verkle/journal");
const VALUES_JOURNAL: Table = Table("verkle/values-journal");

/// Blocks that are kept beyond the promised window: a block that is being made pushes one out
/// before requests learn of the new head.
const SLACK: u64 = 8;

/// The system.
#[derive(Debug)]
pub struct Verkle {
    config: Config,
    committer: Arc<dyn Committer>,
    top: Openings,
}

impl Verkle {
    /// The system on a chain.
    pub fn new(config: Config) -> Self {
        let config = Config { window: config.window.max(1), ..config };
        Self { config, committer: config.committer(), top: Openings::default() }
    }

    /// What commits and opens.
    pub fn committer(&self) -> &dyn Committer {
        self.committer.as_ref()
    }

    /// Commits writes of any keys: their values, or `None` to delete.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn write<K: AsRef<[u8]>, V: AsRef<[u8]>>(
        &self,
        batch: &mut dyn Write,
        block: u64,
        writes: impl IntoIterator<Item = (K, Option<V>)>,
    ) -> Result<G1Affine, StoreError> {
        let writes: Vec<_> =
            writes.into_iter().map(|(key, value)| (sha256(&[key.as_ref()]), value)).collect();
        let mut stored = Writer::new(batch, VALUES, block);
        // What is replaced is known then, and pruned unread.
        stored.expect(writes.iter().map(|(hash, _)| hash.to_vec()))?;
        let mut hashed = Writes::new();
        for (hash, value) in writes {
            hashed.insert(hash, value.as_ref().map(|value| sha256(&[value.as_ref()])));
            let tagged = value.map_or_else(Vec::new, |value| [&[1], value.as_ref()].concat());
            stored.put_at(&hash, &tagged)?;
        }
        stored.finish(VALUES_JOURNAL, block)?;
        // Genesis starts from nothing: its own version is not written yet.
        let before = block.saturating_sub(1);
        self.read_ahead(batch, &hashed, before)?;
        let before = View::new(&*batch, before);
        let (top, changes) = Batch::new(self.committer.as_ref(), before).apply(&hashed)?;
        let mut written = Writer::new(batch, SLOTS, block);
        for ((place, digit), slot) in &changes {
            written.put_at(&place.slot(*digit), &encode(slot.as_ref()))?;
        }
        written.finish(JOURNAL, block)?;
        if let Some(oldest) = (block + 1).checked_sub(self.config.window + SLACK) {
            prune(batch, SLOTS, JOURNAL, oldest)?;
            prune(batch, VALUES, VALUES_JOURNAL, oldest)?;
        }
        Ok(top)
    }

    /// Reads the slots on the ways to some keys as they were after `block`, a level at a time, if
    /// the store is far away.
    fn read_ahead(
        &self,
        batch: &mut dyn Write,
        writes: &Writes,
        block: u64,
    ) -> Result<(), StoreError> {
        if !batch.is_far() {
            return Ok(());
        }
        let bits = self.committer.bits();
        let mut hashes: Vec<&Word> = writes.keys().collect();
        let mut slots = BTreeSet::from([Place::top().slot(0)]);
        for level in 0..256 / bits {
            let slot = |hash: &Word| (Place::on_way(hash, level, bits), digit(hash, level, bits));
            slots.extend(hashes.iter().map(|hash| slot(hash)).map(|(place, at)| place.slot(at)));
            batch.expect(SLOTS, &std::mem::take(&mut slots), block)?;
            let view = View::new(&*batch, block);
            let mut below = Vec::new();
            for hash in hashes {
                let (place, at) = slot(hash);
                let held = view.slot(&place, at)?.map(|slot| slot.held);
                if matches!(held, Some(Held::Node(..))) {
                    below.push(hash);
                }
            }
            if below.is_empty() {
                break;
            }
            hashes = below;
        }
        Ok(())
    }

    /// The root of a block, compressed.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn root(&self, store: &dyn Read, block: u64) -> Result<Vec<u8>, StoreError> {
        let top = View::new(store, block).top()?;
        Ok(top.map_or_else(identity, |(top, _)| compress(&top)).to_vec())
    }

    /// The tree of a block, to prove from.
    pub fn tree<'a>(&'a self, store: &'a dyn Read, block: u64) -> Prover<'a> {
        Prover::new(self.committer.as_ref(), &self.top, store, block)
    }
}

impl Configuration for Config {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Vec<(&'static str, u64)> {
        vec![(NAME, self.code())]
    }

    fn make(&self, _: Option<&Path>, _: &dyn Store) -> Box<dyn System> {
        Box::new(Verkle::new(*self))
    }
}

impl System for Verkle {
    fn spec(&self) -> Spec {
        Spec {
            variants: &[AGGREGATED, PLAIN],
            params: Some(self.committer.digest()),
            insecure: matches!(self.config.commitment, Commitment::CfInsecure(_)),
            ..Spec::new(NAME, self.config.format_name(), self.config.window)
        }
    }

    fn params(&self) -> Option<Vec<u8>> {
        Some(self.committer.params())
    }

    fn commit(
        &self,
        batch: &mut dyn Write,
        block: u64,
        writes: &WriteSet,
    ) -> Result<Vec<u8>, StoreError> {
        Ok(compress(&self.write(batch, block, writes.key_values())?).to_vec())
    }

    fn prove(
        &self,
        store: &dyn Read,
        block: u64,
        query: &[u8],
        accepted: &[&'static str],
    ) -> Result<Proof, Refusal> {
        let keys = prove::decode(query).ok_or(Refusal::Query("not a query of verkle"))?;
        let variant = accepted.first().copied().unwrap_or(AGGREGATED);
        let aggregated = variant == AGGREGATED;
        let bytes = self.tree(store, block).prove(&keys, aggregated)?;
        Ok(Proof { variant, bytes })
    }
}
