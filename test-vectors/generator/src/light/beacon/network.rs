//! What a beacon node serves of a chain whose execution blocks are given: for tests that need whole
//! networks.

use std::collections::BTreeMap;

use serde_json::Value;

use super::blocks::Payload;
use super::rules::{RULES, Rules};
use super::scene::Scene;
use lightproof_prover::hash::Word;

/// Number and hash of an execution block.
pub type Executed = (u64, Word);

/// A beacon chain with a block in every slot. INSECURE: every key follows from a seed.
#[derive(Debug)]
pub struct Network {
    scene: Scene,
    rules: Rules,
}

impl Network {
    /// * `seed`: decides every key. * `genesis_time`: Unix time of slot 0, seconds.
    /// * `executed`: execution blocks by slot; other slots hold blocks of no chain.
    pub fn new(seed: u64, genesis_time: u64, executed: BTreeMap<u64, Executed>) -> Self {
        let rules = Rules { genesis_time, ..RULES };
        let scene = Scene::of(rules, 0);
        let payload = |(slot, (number, hash))| {
            (slot, Payload { number, hash, ..Payload::of(slot, scene.shape(slot)) })
        };
        let executed = executed.into_iter().map(payload).collect();
        Self { scene: scene.around(executed, seed), rules }
    }

    /// Who signs, as clients pin it.
    pub fn consensus(&self) -> Value {
        self.rules.json()
    }

    /// Root of the block of a slot: a checkpoint.
    pub fn root(&self, slot: u64) -> Word {
        self.scene.block(slot).root()
    }

    /// SSZ of the `LightClientBootstrap` at the block of a slot.
    pub fn bootstrap(&self, slot: u64) -> Vec<u8> {
        self.scene.bootstrap(slot).ssz()
    }

    /// SSZ of the update of the block of a slot, signed by everyone in the next: `form` is
    /// `update`, `finality` or `optimistic`.
    pub fn update(&self, slot: u64, form: &str) -> Vec<u8> {
        self.scene.update(slot).ssz(form)
    }

    /// The same, signed by those of `bits` alone.
    pub fn update_by(&self, slot: u64, form: &str, bits: &[u8]) -> Vec<u8> {
        let mut update = self.scene.update(slot);
        self.scene.sign(&mut update, bits);
        update.ssz(form)
    }

    /// The same, whose finalized header holds another execution block than the one that was signed.
    pub fn update_with(&self, slot: u64, form: &str, (number, hash): Executed) -> Vec<u8> {
        let mut update = self.scene.update(slot);
        (update.finalized.payload.number, update.finalized.payload.hash) = (number, hash);
        update.ssz(form)
    }
}
