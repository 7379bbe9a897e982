//! A chain of one system in a database.

use std::path::Path;

use lightproof_core::system::lmpt::{Answer, Fact, Lmpt as Verifier, Value};
use lightproof_core::system::{System as _, SystemConfig};
use lightproof_core::{Claim, Root, verify};
use lightproof_prover::chain::config::CACHE_BYTES;
use lightproof_prover::chain::writes::WriteSet;
use lightproof_prover::store::embedded::Embedded;
use lightproof_prover::store::{Fate, Read, Reader, Store as _};
use lightproof_prover::system::lmpt::merge::{Key, Writes};
use lightproof_prover::system::lmpt::prove::{Question, encode};
use lightproof_prover::system::lmpt::{Config, Format, Lmpt, conflux};
use lightproof_prover::system::{Proof, System};

pub(crate) struct Chain {
    pub(crate) database: Embedded,
    pub(crate) lmpt: Lmpt,
    pub(crate) config: Config,
}

impl Chain {
    pub(crate) fn open(directory: &Path, config: Config) -> Self {
        let database = Embedded::create(&directory.join("lmpt.redb"), CACHE_BYTES).unwrap();
        Self { database, lmpt: Lmpt::new(config), config }
    }

    /// Makes blocks in one batch, which is given up unless it `commits`; their commitments.
    pub(crate) fn produce<'w>(
        &self,
        blocks: impl Iterator<Item = (u64, &'w Writes)>,
        commits: bool,
    ) -> Vec<Vec<u8>> {
        self.lmpt.begin(&self.read());
        let (mut blocks, mut commitments) = (blocks, Vec::new());
        let work = self.database.batch(&mut |batch| {
            let commit = |(block, writes): (u64, &Writes)| {
                self.lmpt.commit(batch, block, &write_set(writes)).unwrap()
            };
            commitments = blocks.by_ref().map(commit).collect();
            if commits { Fate::Commit } else { Fate::Abandon }
        });
        work.unwrap();
        if commits {
            self.lmpt.durable().unwrap();
        }
        commitments
    }

    pub(crate) fn read(&self) -> Reader {
        self.database.reader().unwrap()
    }

    /// Key as it stands in queries.
    pub(crate) fn asked(&self, key: &Key) -> Vec<u8> {
        match self.config.format {
            Format::Layered => key.to_vec(),
            Format::Conflux => conflux::snapshot_key(key),
        }
    }

    /// Proves keys at a block and verifies the proof under what the header says.
    pub(crate) fn proven(
        &self,
        store: &dyn Read,
        block: u64,
        root: &[u8],
        keys: &[Key],
        variant: &'static str,
    ) -> Vec<Value> {
        let question = |key| Question { key: self.asked(key), storage_roots: false };
        let query = encode(&keys.iter().map(question).collect::<Vec<_>>());
        let Proof { variant: named, bytes } =
            self.lmpt.prove(store, block, &query, &[variant]).unwrap();
        assert_eq!(named, variant);
        let config =
            SystemConfig { format: self.lmpt.spec().format.as_bytes(), params_digest: None };
        let params = Verifier::params(&config, &[]).unwrap();
        let root = Root::<Verifier>::pinned(&params, root, block).unwrap();
        let claim = Claim { root: &root, query: &query, variant, proof: &bytes };
        let proven = verify(&params, &[claim], [0; 32], &mut ()).remove(0).expect("honest");
        let Fact { answers } = proven.fact().clone();
        assert_eq!(answers.len(), keys.len());
        let value = |((key, answer), asked): ((Vec<u8>, Answer), &Key)| {
            assert_eq!(key, self.asked(asked));
            match answer {
                Answer::Value(value) => value,
                other @ Answer::StorageRoots(_) => panic!("{other:?}"),
            }
        };
        answers.into_iter().zip(keys).map(value).collect()
    }
}

fn write_set(writes: &Writes) -> WriteSet {
    let mut set = WriteSet::default();
    for (key, value) in writes {
        let (address, slot) = key.split_first_chunk().unwrap();
        set.slot(*address, slot.try_into().unwrap(), value.unwrap_or_default());
    }
    set
}
