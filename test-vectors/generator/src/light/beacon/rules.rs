//! The chain as a client pins it: a small preset, and a fork every period or two.

use serde_json::{Value, json};

use lightproof_prover::hash::Word;
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;

/// Slots of an epoch.
pub const EPOCH: u64 = 8;
/// Slots for which a committee signs.
pub const PERIOD: u64 = 64;
/// Keys of a committee.
pub const SIZE: u64 = 8;
/// Block 0 of the execution chain, which tells networks of one chain id apart.
pub const GENESIS: Word = [0x77; 32];
/// Separates the signatures of networks.
pub const VALIDATORS: Word = [0x42; 32];

/// The containers that a fork uses, named by the fork that brought them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Altair, Bellatrix: a beacon header alone.
    Altair,
    /// With an execution payload header of 15 fields.
    Capella,
    /// Of 17 fields.
    Deneb,
    /// Electra, Fulu: a deeper state.
    Electra,
    /// The execution block's hash in place of its header.
    Gloas,
    /// No shape at all, for clients that pin nonsense.
    Unknown,
}

impl Shape {
    /// As the chain configuration writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Altair => "altair",
            Self::Capella => "capella",
            Self::Deneb => "deneb",
            Self::Electra => "electra",
            Self::Gloas => "gloas",
            Self::Unknown => "phase0",
        }
    }
}

/// First epoch, version, shape.
pub type Fork = (u64, [u8; 4], Shape);

/// From Altair on; Bellatrix and Fulu bring a version and keep the shape.
pub const FORKS: &[Fork] = &[
    (0, [1, 0, 0, 1], Shape::Altair),
    (8, [2, 0, 0, 1], Shape::Altair),
    (16, [3, 0, 0, 1], Shape::Capella),
    (32, [4, 0, 0, 1], Shape::Deneb),
    (48, [5, 0, 0, 1], Shape::Electra),
    (56, [6, 0, 0, 1], Shape::Electra),
    (64, [7, 0, 0, 1], Shape::Gloas),
];

/// The fork that a slot of the small chain lies in.
pub fn fork(slot: u64) -> Fork {
    RULES.fork(slot)
}

/// The shape of a slot's containers on it.
pub fn shape(slot: u64) -> Shape {
    fork(slot).2
}

/// Who signs, as a client pins it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Keys of a committee.
    pub size: u64,
    /// Slots of an epoch.
    pub slots_per_epoch: u64,
    /// Epochs of a period.
    pub epochs_per_period: u64,
    /// Seconds of a slot.
    pub seconds_per_slot: u64,
    /// Unix time of slot 0.
    pub genesis_time: u64,
    /// Of the beacon chain's first state.
    pub validators: Word,
    /// In ascending order, in an honest one.
    pub forks: &'static [Fork],
}

/// What an honest client pins.
pub const RULES: Rules = Rules {
    size: SIZE,
    slots_per_epoch: EPOCH,
    epochs_per_period: PERIOD / EPOCH,
    seconds_per_slot: 6,
    genesis_time: 600,
    validators: VALIDATORS,
    forks: FORKS,
};

impl Rules {
    /// `[committeeSize, slotsPerEpoch, epochsPerPeriod, secondsPerSlot, genesisTime,
    /// genesisValidatorsRoot, [[epoch, version, shape], …]]`.
    pub fn rlp(&self) -> Item {
        let fork = |(epoch, version, shape): &Fork| {
            Item::List(vec![Item::uint(*epoch), Item::bytes(version), Item::bytes(shape.name())])
        };
        let numbers = [
            self.size,
            self.slots_per_epoch,
            self.epochs_per_period,
            self.seconds_per_slot,
            self.genesis_time,
        ];
        let forks = Item::List(self.forks.iter().map(fork).collect());
        let rest = [Item::bytes(self.validators), forks];
        Item::List(numbers.map(Item::uint).into_iter().chain(rest).collect())
    }

    /// The same for people and TypeScript.
    pub fn json(&self) -> Value {
        let fork = |(epoch, version, shape): &Fork| json!({ "epoch": epoch, "version": hex::encode(version), "shape": shape.name() });
        json!({
            "committeeSize": self.size,
            "slotsPerEpoch": self.slots_per_epoch,
            "epochsPerPeriod": self.epochs_per_period,
            "secondsPerSlot": self.seconds_per_slot,
            "genesisTime": self.genesis_time,
            "genesisValidatorsRoot": hex::encode(&self.validators),
            "forks": self.forks.iter().map(fork).collect::<Vec<_>>(),
        })
    }

    /// The fork that a slot lies in.
    pub fn fork(&self, slot: u64) -> Fork {
        let epoch = slot / self.slots_per_epoch;
        let known = self.forks.iter().rev().find(|(first, ..)| *first <= epoch);
        known.copied().unwrap_or(self.forks[0])
    }

    /// Slots for which a committee signs.
    pub fn period_slots(&self) -> u64 {
        self.slots_per_epoch * self.epochs_per_period
    }

    /// The block that the state after `slot` holds as finalized; 0 while there is none.
    pub fn finalized(&self, slot: u64) -> u64 {
        (slot / self.slots_per_epoch).saturating_sub(2) * self.slots_per_epoch
    }

    /// Unix time at which a slot starts.
    pub fn time(&self, slot: u64) -> u64 {
        self.genesis_time + self.seconds_per_slot * slot
    }
}
