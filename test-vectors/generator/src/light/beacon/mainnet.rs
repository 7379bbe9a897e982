//! A committee's period by mainnet's rules, 512 keys, for measurements: what a beacon node serves
//! of it, in Electra's shape and in Gloas'.
//!
//! The chain is synthetic and its keys are INSECURE; sizes, epochs, versions and genesis are the
//! network's (eth-clients, `mainnet/metadata/config.yaml`). Gloas has no epoch there yet: this one
//! is made up.

use super::rules::{Fork, Rules, Shape};
use super::scene::{Scene, Update};
use crate::light::case::{Consensus, Setting};
use lightproof_prover::chain::committee::clear;
use lightproof_prover::hash::Word;
use lightproof_prover::rng::Rng;

/// Epochs, versions and shapes, from Altair on.
const FORKS: &[Fork] = &[
    (74_240, [1, 0, 0, 0], Shape::Altair),
    (144_896, [2, 0, 0, 0], Shape::Altair),
    (194_048, [3, 0, 0, 0], Shape::Capella),
    (269_568, [4, 0, 0, 0], Shape::Deneb),
    (364_032, [5, 0, 0, 0], Shape::Electra),
    (411_392, [6, 0, 0, 0], Shape::Electra),
    (512_000, [7, 0, 0, 0], Shape::Gloas),
];

pub(super) const RULES: Rules = Rules {
    size: 512,
    slots_per_epoch: 32,
    epochs_per_period: 256,
    seconds_per_slot: 12,
    genesis_time: 1_606_824_023,
    validators: [
        0x4b, 0x36, 0x3d, 0xb9, 0x4e, 0x28, 0x61, 0x20, 0xd7, 0x6e, 0xb9, 0x05, 0x34, 0x0f, 0xdd,
        0x4e, 0x54, 0xbf, 0xe9, 0xf0, 0x6b, 0xf3, 0x3f, 0xf6, 0xcf, 0x5a, 0xd2, 0x7f, 0x51, 0x1b,
        0xfe, 0x95,
    ],
    forks: FORKS,
};

pub(super) const GENESIS: Word = [
    0xd4, 0xe5, 0x67, 0x40, 0xf8, 0x76, 0xae, 0xf8, 0xc0, 0x10, 0xb8, 0x6a, 0x40, 0xd5, 0xf5, 0x67,
    0x45, 0xa1, 0x18, 0xd0, 0x90, 0x6a, 0x34, 0xe6, 0x9a, 0xec, 0x8c, 0x0d, 0xb1, 0xcb, 0x8f, 0xa3,
];

/// The forks that have an epoch.
pub(super) const KNOWN: &[Fork] = FORKS.split_at(6).0;

/// Slots from a fork's first slot to the pinned block, and from there to the block that is signed.
const START: u64 = 96;
const AHEAD: u64 = 200;
/// Keys that do not sign: about as many as on mainnet.
const ABSENT: u64 = 12;

/// A period of one fork, as beacon nodes serve it. All bytes are SSZ unless they say otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    /// Name of the shape, `electra` or `gloas`.
    pub shape: &'static str,
    /// Version of the fork.
    pub version: [u8; 4],
    /// What tells the network's signatures from those of others.
    pub validators: Word,
    /// RLP of the chain, as clients pin it.
    pub chain: Vec<u8>,
    /// Root of the bootstrap's header.
    pub checkpoint: Word,
    /// A header and the committee that signs in its period.
    pub bootstrap: Vec<u8>,
    /// A signed header, a finalized one, and the committee of the period after it.
    pub update: Vec<u8>,
    /// The same without the committee.
    pub finality: Vec<u8>,
    /// Slot that both finalize.
    pub finalized: u64,
    /// Slot after the signature's.
    pub slot: u64,
}

/// The two periods: of Electra's first epochs and of Gloas'. The same every time.
pub fn periods() -> [Period; 2] {
    [4, 6].map(|fork| made(FORKS[fork]))
}

fn made((epoch, version, shape): Fork) -> Period {
    let pinned = epoch * RULES.slots_per_epoch + START;
    let signed = pinned + AHEAD;
    let scene = Scene::of(RULES, pinned);
    let update = signed_by_most(&scene, signed, epoch);
    let consensus = Consensus::Beacon(RULES);
    let setting = Setting { chain_id: 1, genesis_hash: GENESIS, consensus };
    Period {
        shape: shape.name(),
        version,
        validators: RULES.validators,
        chain: setting.chain_rlp(),
        checkpoint: scene.block(pinned).root(),
        bootstrap: scene.bootstrap(pinned).ssz(),
        update: update.ssz("update"),
        finality: update.ssz("finality"),
        finalized: RULES.finalized(signed),
        slot: update.signature_slot + 1,
    }
}

/// The honest update of a block, without the signatures of a few; `seed` says whose.
pub(super) fn signed_by_most(scene: &Scene, slot: u64, seed: u64) -> Update {
    let mut update = scene.update(slot);
    let (mut bits, mut rng) = (scene.everyone(), Rng::new(1, "absent", seed));
    (0..ABSENT).for_each(|_| clear(&mut bits, rng.below(RULES.size)));
    scene.sign(&mut update, &bits);
    update
}
