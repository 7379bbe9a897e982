//! A chain of one system in a database.

use std::collections::BTreeMap;
use std::path::Path;

use lightproof_core::system::verkle::{Params, Verkle as Verifier};
use lightproof_core::system::{Presence, System as _, SystemConfig};
use lightproof_core::{Claim, Root, verify};
use lightproof_prover::chain::config::CACHE_BYTES;
use lightproof_prover::rlp::Item;
use lightproof_prover::store::embedded::Embedded;
use lightproof_prover::store::{Fate, Read, Reader, Store as _};
use lightproof_prover::system::System;
use lightproof_prover::system::verkle::commitment::compress;
use lightproof_prover::system::verkle::prove::encode;
use lightproof_prover::system::verkle::{Config, Verkle};

/// Values, or `None` to delete.
pub(crate) type Writes = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

pub(crate) struct Chain {
    pub(crate) database: Embedded,
    pub(crate) verkle: Verkle,
    pub(crate) params: Params,
}

impl Chain {
    pub(crate) fn open(directory: &Path, config: Config) -> Self {
        let database = Embedded::create(&directory.join("verkle.redb"), CACHE_BYTES).unwrap();
        let verkle = Verkle::new(config);
        let digest = verkle.spec().params.unwrap();
        let own = Item::List(vec![Item::bytes(verkle.spec().format), Item::bytes(digest)]).encode();
        let own = SystemConfig::from_rlp(&own).unwrap();
        let params = Verifier::params(&own, &System::params(&verkle).unwrap()).unwrap();
        Self { database, verkle, params }
    }

    /// Makes blocks in one batch, which is given up unless it `commits`; their roots.
    pub(crate) fn produce<'w>(
        &self,
        blocks: impl Iterator<Item = (u64, &'w Writes)>,
        commits: bool,
    ) -> Vec<Vec<u8>> {
        let (mut blocks, mut roots) = (blocks, Vec::new());
        let work = self.database.batch(&mut |batch| {
            let commit = |(block, writes): (u64, &Writes)| {
                let writes = writes.iter().map(|(key, value)| (key, value.as_ref()));
                compress(&self.verkle.write(batch, block, writes).unwrap()).to_vec()
            };
            roots = blocks.by_ref().map(commit).collect();
            if commits { Fate::Commit } else { Fate::Abandon }
        });
        work.unwrap();
        roots
    }

    pub(crate) fn read(&self) -> Reader {
        self.database.reader().unwrap()
    }

    /// Proves keys at a block and verifies the proof under the root.
    pub(crate) fn proven(
        &self,
        store: &dyn Read,
        block: u64,
        root: &[u8],
        keys: &[Vec<u8>],
        variant: &'static str,
    ) -> Vec<Presence<Vec<u8>>> {
        let query = encode(keys);
        let proof = self.verkle.prove(store, block, &query, &[variant]).unwrap();
        assert_eq!(proof.variant, variant);
        let root = Root::<Verifier>::pinned(&self.params, root, block).unwrap();
        let claim = Claim { root: &root, query: &query, variant, proof: &proof.bytes };
        let proven = verify(&self.params, &[claim], [5; 32], &mut ()).remove(0).unwrap();
        proven.fact().answers.iter().map(|(_, answer)| answer.clone()).collect()
    }
}
