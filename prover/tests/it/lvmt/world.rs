//! A chain in memory of one format, and plain maps of what its blocks hold.

use std::collections::BTreeMap;

use lightproof_core::hash::Hash;
use lightproof_core::system::lvmt::{Lvmt as Verifier, Params};
use lightproof_core::system::{System as _, SystemConfig};
use lightproof_core::{Claim, Presence, Root, verify};
use lightproof_prover::rlp::Item;
use lightproof_prover::store::embedded::Embedded;
use lightproof_prover::store::{self, ALL, Fate, Order, Reader, Store as _, Table};
use lightproof_prover::system::lvmt::{Config, Format, Lvmt};
use lightproof_prover::system::{Refusal, System as _};

/// Value, version and block of the last write.
type State = BTreeMap<Vec<u8>, (Vec<u8>, u64, u64)>;

pub(crate) struct World {
    database: Embedded,
    pub(crate) lvmt: Lvmt,
    params: Params,
    pub(crate) roots: Vec<Vec<u8>>,
    states: Vec<State>,
}

impl World {
    pub(crate) fn new(format: Format, k: u8) -> Self {
        Self::of(Config { format, k, ..Config::DEFAULT })
    }

    pub(crate) fn of(config: Config) -> Self {
        let lvmt = Lvmt::new(config);
        let config = SystemConfig {
            format: lvmt.spec().format.as_bytes(),
            params_digest: lvmt.spec().params.map(Hash),
        };
        let params = Verifier::params(&config, &lvmt.params().unwrap()).unwrap();
        let database = Embedded::in_memory().unwrap();
        Self { database, lvmt, params, roots: Vec::new(), states: Vec::new() }
    }

    pub(crate) fn head(&self) -> u64 {
        self.roots.len() as u64 - 1
    }

    pub(crate) fn block(&mut self, writes: &[(Vec<u8>, Vec<u8>)]) {
        let block = self.roots.len() as u64;
        let root =
            store::write(&self.database, |batch| self.lvmt.write(batch, block, writes.to_vec()));
        self.roots.push(root.unwrap());
        let mut state = self.states.last().cloned().unwrap_or_default();
        // The last write of a key counts, once.
        let last: BTreeMap<_, _> = writes.iter().cloned().collect();
        for (key, value) in last {
            let version = state.get(&key).map_or(0, |(_, version, _)| *version) + 1;
            state.insert(key, (value, version, block));
        }
        self.states.push(state);
    }

    /// Another process on the same database.
    pub(crate) fn restart(&mut self) {
        self.lvmt = Lvmt::new(self.lvmt.config());
    }

    /// Blocks that never become durable.
    pub(crate) fn give_up(&self, blocks: &[Vec<(Vec<u8>, Vec<u8>)>]) {
        let work = self.database.batch(&mut |batch| {
            for (block, writes) in (self.roots.len() as u64..).zip(blocks) {
                self.lvmt.write(batch, block, writes.clone()).unwrap();
            }
            Fate::Abandon
        });
        work.unwrap();
    }

    /// What a request sees that comes now.
    pub(crate) fn reading(&self) -> Reader {
        self.database.reader().unwrap()
    }

    /// Versions of leaves, commitments and values that are kept.
    pub(crate) fn rows(&self) -> usize {
        let reading = self.reading();
        reading.range(Table("lvmt/rows"), ALL, Order::Ascending).unwrap().count()
    }

    pub(crate) fn prove(
        &self,
        block: u64,
        keys: &[Vec<u8>],
        variant: &str,
    ) -> Result<Vec<u8>, Refusal> {
        self.lvmt.prove_keys(&*self.reading(), block, keys, variant)
    }

    /// Proves keys after a block, and holds what the verifier says against the map. How deep the
    /// keys were.
    pub(crate) fn check(&self, block: u64, keys: &[Vec<u8>], variant: &str) -> Vec<usize> {
        let at = usize::try_from(block).unwrap();
        let root = Root::<Verifier>::pinned(&self.params, &self.roots[at], block).unwrap();
        let query = Item::List(keys.iter().map(Item::bytes).collect()).encode();
        let proof = self.prove(block, keys, variant).unwrap();
        let claim = Claim { root: &root, query: &query, variant, proof: &proof };
        let verdict = verify(&self.params, &[claim], [9; 32], &mut ()).remove(0);
        let proven = verdict.unwrap_or_else(|error| panic!("{variant} {block}: {error}"));
        let mut levels = Vec::new();
        for (key, (proven_key, answer)) in keys.iter().zip(&proven.fact().answers) {
            assert_eq!(key, proven_key);
            match (answer, self.states[at].get(key)) {
                (Presence::Present(proven), Some((value, version, block))) => {
                    assert_eq!(
                        (&proven.value, proven.version, proven.block),
                        (value, *version, *block)
                    );
                    levels.push(proven.level);
                }
                (Presence::Absent, None) => {}
                (proven, expected) => panic!("{variant} {block}: {proven:?}, not {expected:?}"),
            }
        }
        assert_eq!(proven.fact().answers.len(), keys.len());
        levels
    }
}
