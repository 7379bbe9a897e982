//! Who signs a chain's headers, as data: committee sizes, periods and forks.

use alloc::vec::Vec;

use super::ChainKind;
use crate::error::{DecodeError, Malformed};
use crate::hash::Hash;
use crate::wire::Reader;

/// Smallest and largest committee.
const COMMITTEE_SIZES: core::ops::RangeInclusive<u64> = 8..=512;

/// Most forks in a table.
const MAX_FORKS: usize = 64;

/// The part of a chain configuration that says whose signatures make a header trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consensus {
    /// RLP `[committeeSize, slotsPerEpoch, epochsPerPeriod, secondsPerSlot, genesisTime,
    /// genesisValidatorsRoot, [[epoch, version, shape], …]]`.
    Beacon(Beacon),
    /// RLP `[committeeSize, periodLength]`; `[periodLength]` on an attested chain.
    Devnet(DevnetCommittee),
}

/// Ethereum's sync committees: the preset, the genesis and the fork table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beacon {
    /// Keys in a committee, a power of two.
    pub committee_size: usize,
    /// Slots in an epoch.
    pub slots_per_epoch: u64,
    /// Epochs in a committee's period.
    pub epochs_per_period: u64,
    /// Seconds in a slot.
    pub seconds_per_slot: u64,
    /// Unix time of slot 0, in seconds.
    pub genesis_time: u64,
    /// Separates the signatures of networks.
    pub genesis_validators_root: Hash,
    /// The forks, in ascending order of epoch; of equal epochs the last one counts.
    forks: Vec<Fork>,
}

/// One fork of the beacon chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fork {
    /// Its first epoch.
    pub epoch: u64,
    /// Its version, part of what is signed.
    pub version: [u8; 4],
    /// The containers it uses.
    pub shape: Shape,
}

/// A generation of light-client containers, named by the fork that brought it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// Altair, Bellatrix: a beacon header alone.
    Altair,
    /// Capella: with an execution payload header of 15 fields.
    Capella,
    /// Deneb: of 17 fields.
    Deneb,
    /// Electra, Fulu: a deeper beacon state.
    Electra,
    /// Gloas: the execution block's hash in place of its header.
    Gloas,
}

impl Shape {
    /// Each once, in the order of their forks.
    pub const ALL: [Self; 5] =
        [Self::Altair, Self::Capella, Self::Deneb, Self::Electra, Self::Gloas];
}

/// The committees of the devnet, or of an attested chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DevnetCommittee {
    /// Keys in a committee, a power of two; `None` on an attested chain, where each committee has
    /// a size of its own, from 1 to 512, bound by its root.
    pub committee_size: Option<usize>,
    /// Blocks in a committee's period.
    pub period_length: u64,
}

impl Consensus {
    /// Keys in a committee; `None` where each committee has a size of its own.
    pub const fn committee_size(&self) -> Option<usize> {
        match self {
            Self::Beacon(beacon) => Some(beacon.committee_size),
            Self::Devnet(devnet) => devnet.committee_size,
        }
    }

    /// Whether a committee brings a proof of possession for each key. Ethereum checks them at
    /// deposit.
    pub const fn has_proofs(&self) -> bool {
        matches!(self, Self::Devnet(_))
    }

    /// The committee period that a slot (on the devnet: a block) lies in.
    pub fn period(&self, slot: u64) -> u64 {
        slot.checked_div(self.period_length()).unwrap_or(0)
    }

    /// First slot (on the devnet: block) of a period.
    pub const fn first_slot(&self, period: u64) -> u64 {
        period.saturating_mul(self.period_length())
    }

    const fn period_length(&self) -> u64 {
        match self {
            Self::Beacon(beacon) => beacon.slots_per_period(),
            Self::Devnet(devnet) => devnet.period_length,
        }
    }

    pub(super) fn read(kind: ChainKind, mut items: Reader<'_>) -> Result<Self, DecodeError> {
        let consensus = match kind {
            ChainKind::Ethereum => Self::Beacon(Beacon::read(&mut items)?),
            ChainKind::Devnet => Self::Devnet(DevnetCommittee {
                committee_size: Some(committee_size(&mut items)?),
                period_length: positive(&mut items, "period length")?,
            }),
            ChainKind::Attested => Self::Devnet(DevnetCommittee {
                committee_size: None,
                period_length: positive(&mut items, "period length")?,
            }),
        };
        items.finish("consensus")?;
        Ok(consensus)
    }
}

impl Beacon {
    fn read(items: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            committee_size: committee_size(items)?,
            slots_per_epoch: positive(items, "slots per epoch")?,
            epochs_per_period: positive(items, "epochs per period")?,
            seconds_per_slot: positive(items, "seconds per slot")?,
            genesis_time: items.u64("genesis time")?,
            genesis_validators_root: items.hash("genesis validators root")?,
            forks: forks(items.list("forks")?)?,
        })
    }

    /// Slots in a committee's period.
    pub const fn slots_per_period(&self) -> u64 {
        self.slots_per_epoch.saturating_mul(self.epochs_per_period)
    }

    /// The fork that a slot lies in; `None` before the first one of the table.
    pub fn fork(&self, slot: u64) -> Option<Fork> {
        let epoch = slot.checked_div(self.slots_per_epoch)?;
        self.forks.iter().rev().find(|fork| fork.epoch <= epoch).copied()
    }

    /// The version of a fork after the table's last, if versions go on as its last two do; for a
    /// slot that lies in the last fork, as far as the table knows. Every network of Ethereum's
    /// has counted its versions up in equal steps.
    pub fn next_version(&self, slot: u64) -> Option<[u8; 4]> {
        let [.., before, last] = self.forks.as_slice() else { return None };
        let [before, version] = [before, last].map(|fork| u32::from_be_bytes(fork.version));
        let next = version.wrapping_add(version.wrapping_sub(before));
        (self.fork(slot) == Some(*last)).then_some(next.to_be_bytes())
    }

    /// Whether containers of a shape at a slot are of a fork that the table does not know: newer
    /// than its last, which is the one that the slot would lie in.
    pub fn is_beyond(&self, shape: Shape, slot: u64) -> bool {
        self.forks.last().is_some_and(|last| shape > last.shape && self.fork(slot) == Some(*last))
    }

    /// The shapes that the table names, each once, newest first.
    pub fn shapes(&self) -> impl Iterator<Item = Shape> {
        let mut last = None;
        self.forks.iter().rev().filter_map(move |fork| {
            let new = last != Some(fork.shape);
            last = Some(fork.shape);
            new.then_some(fork.shape)
        })
    }

    /// Unix time at which a slot starts, in seconds.
    pub const fn time(&self, slot: u64) -> u64 {
        self.genesis_time.saturating_add(slot.saturating_mul(self.seconds_per_slot))
    }

    /// The slot that a Unix time in seconds lies in.
    pub fn slot(&self, time: u64) -> u64 {
        if time == u64::MAX {
            return u64::MAX; // A caller without a clock: nothing is from the future.
        }
        time.saturating_sub(self.genesis_time).checked_div(self.seconds_per_slot).unwrap_or(0)
    }
}

fn forks(mut list: Reader<'_>) -> Result<Vec<Fork>, DecodeError> {
    let mut forks: Vec<Fork> = Vec::new();
    while !list.is_empty() {
        let wrong = |reason| Malformed::Shape.at("consensus", reason, list.span());
        let order = wrong("expected ascending epochs and shapes");
        if forks.len() == MAX_FORKS {
            return Err(wrong("more than 64 forks"));
        }
        let mut items = list.list("fork")?;
        let fork = Fork {
            epoch: items.u64("epoch")?,
            version: items.array("version")?,
            shape: shape(&mut items)?,
        };
        items.finish("fork")?;
        if forks.last().is_some_and(|last| last.epoch > fork.epoch || last.shape > fork.shape) {
            return Err(order);
        }
        forks.push(fork);
    }
    if forks.is_empty() {
        return Err(Malformed::Shape.at("consensus", "expected at least one fork", list.span()));
    }
    Ok(forks)
}

fn shape(items: &mut Reader<'_>) -> Result<Shape, DecodeError> {
    let wrong = Malformed::Shape.at("consensus", "unknown shape", items.span());
    match items.string("shape")?.bytes {
        b"altair" => Ok(Shape::Altair),
        b"capella" => Ok(Shape::Capella),
        b"deneb" => Ok(Shape::Deneb),
        b"electra" => Ok(Shape::Electra),
        b"gloas" => Ok(Shape::Gloas),
        _ => Err(wrong),
    }
}

fn committee_size(items: &mut Reader<'_>) -> Result<usize, DecodeError> {
    let wrong =
        Malformed::Shape.at("consensus", "expected a power of two from 8 to 512", items.span());
    let size = items.u64("committee size")?;
    if !COMMITTEE_SIZES.contains(&size) || !size.is_power_of_two() {
        return Err(wrong);
    }
    usize::try_from(size).map_err(|_| wrong)
}

fn positive(items: &mut Reader<'_>, field: &'static str) -> Result<u64, DecodeError> {
    let wrong = Malformed::Shape.at("consensus", "expected at least 1", items.span());
    match items.u64(field)? {
        0 => Err(wrong),
        count => Ok(count),
    }
}
