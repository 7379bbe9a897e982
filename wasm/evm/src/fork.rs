//! Which rules a block follows: the chain's table, by block number and, since Shanghai, by time.

use alloc::vec::Vec;

use lightproof_core::InputError;
use lightproof_core::wire::Reader;
use revm::primitives::hardfork::SpecId;

/// Most entries of a table.
const MAX_FORKS: usize = 64;

/// Divisor of the blob base fee's exponent; real ones are below 2^24.
const MAX_FRACTION: u64 = 1 << 32;

/// Rules that this version knows. Byzantium is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rules {
    /// EIP-609.
    Byzantium,
    /// EIP-1013 without EIP-1283 (EIP-1716).
    Petersburg,
    /// EIP-1679.
    Istanbul,
    /// EIP-2930 and others.
    Berlin,
    /// EIP-1559 and others.
    London,
    /// The merge: EIP-3675, EIP-4399.
    Paris,
    /// EIP-3855 and others.
    Shanghai,
    /// EIP-4844 and others.
    Cancun,
    /// EIP-7702 and others.
    Prague,
    /// EIP-7939 and others.
    Osaka,
    /// EIP-7928 and others.
    Amsterdam,
}

impl Rules {
    const ALL: [(&'static str, Self); 11] = [
        ("byzantium", Self::Byzantium),
        ("petersburg", Self::Petersburg),
        ("istanbul", Self::Istanbul),
        ("berlin", Self::Berlin),
        ("london", Self::London),
        ("paris", Self::Paris),
        ("shanghai", Self::Shanghai),
        ("cancun", Self::Cancun),
        ("prague", Self::Prague),
        ("osaka", Self::Osaka),
        ("amsterdam", Self::Amsterdam),
    ];

    /// The rules of this name, in lower case.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, rules)| *rules)
    }

    /// The name of these rules.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, rules)| *rules == self).map_or("", |(name, _)| name)
    }

    /// The engine's name.
    pub(crate) const fn spec(self) -> SpecId {
        match self {
            Self::Byzantium => SpecId::BYZANTIUM,
            Self::Petersburg => SpecId::PETERSBURG,
            Self::Istanbul => SpecId::ISTANBUL,
            Self::Berlin => SpecId::BERLIN,
            Self::London => SpecId::LONDON,
            Self::Paris => SpecId::MERGE,
            Self::Shanghai => SpecId::SHANGHAI,
            Self::Cancun => SpecId::CANCUN,
            Self::Prague => SpecId::PRAGUE,
            Self::Osaka => SpecId::OSAKA,
            Self::Amsterdam => SpecId::AMSTERDAM,
        }
    }

    /// Fields of a header under these rules: forks only append.
    pub(crate) const fn header_fields(self) -> usize {
        match self {
            Self::Byzantium | Self::Petersburg | Self::Istanbul | Self::Berlin => 15,
            Self::London | Self::Paris => 16,
            Self::Shanghai => 17,
            Self::Cancun => 20,
            Self::Prague | Self::Osaka => 21,
            Self::Amsterdam => 23,
        }
    }
}

/// Where an entry of the table begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Start {
    /// At this block number.
    Block(u64),
    /// At this time, in seconds since 1970-01-01 UTC.
    Time(u64),
}

/// The rules of one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fork {
    /// The rules.
    pub rules: Rules,
    /// Divisor of the blob base fee's exponent (EIP-4844, EIP-7691, EIP-7892); 0 before Cancun.
    pub blob_fraction: u64,
}

/// A chain's table of forks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forks(Vec<(Start, Option<Rules>, u64)>);

impl Forks {
    /// Reads `[[rules, start, at, blobFraction], …]`: `rules` and `start` are ASCII, `start` is
    /// `block` or `time`, entries ascend, those by time come last. An entry may name rules that
    /// this version does not know; its blocks are refused.
    ///
    /// # Errors
    /// `input.chain` if the table is not of this form.
    pub fn from_rlp(rlp: &[u8]) -> Result<Self, InputError> {
        let forks = read(rlp).map_err(|_| InputError::Chain("malformed table of forks"))?;
        let wrong = |reason| Err(InputError::Chain(reason));
        if forks.is_empty() || forks.len() > MAX_FORKS {
            return wrong("a table of forks has 1 to 64 entries");
        }
        if forks.iter().zip(forks.iter().skip(1)).any(|(before, after)| before.0 >= after.0) {
            return wrong("forks must ascend, those by time last");
        }
        let fits = |(_, rules, fraction): &(Start, Option<Rules>, u64)| match rules {
            Some(rules) if *rules < Rules::Cancun => *fraction == 0,
            Some(_) => (1..=MAX_FRACTION).contains(fraction),
            None => true,
        };
        if !forks.iter().all(fits) {
            return wrong("a blob fraction is from 1 to 2^32 since Cancun, and 0 before");
        }
        Ok(Self(forks))
    }

    /// The fork of a block; `None` if the table or this version does not know it.
    pub fn at(&self, number: u64, timestamp: u64) -> Option<Fork> {
        let begun = |start: &Start| match start {
            Start::Block(at) => number >= *at,
            Start::Time(at) => timestamp >= *at,
        };
        let (_, rules, blob_fraction) = *self.0.iter().rfind(|(start, ..)| begun(start))?;
        Some(Fork { rules: rules?, blob_fraction })
    }
}

fn read(rlp: &[u8]) -> Result<Vec<(Start, Option<Rules>, u64)>, lightproof_core::DecodeError> {
    let mut list = Reader::whole_list(rlp, 0, "forks")?;
    let mut forks = Vec::new();
    while !list.is_empty() {
        let mut items = list.list("fork")?;
        let name = items.string("rules")?.bytes;
        let rules = Rules::ALL.iter().find(|(known, _)| known.as_bytes() == name);
        let span = items.span();
        let kind = items.string("start")?.bytes;
        let at = items.u64("at")?;
        let start = match kind {
            b"block" => Start::Block(at),
            b"time" => Start::Time(at),
            _ => {
                let malformed = lightproof_core::error::Malformed::Shape;
                return Err(malformed.at("start", "block or time", span));
            }
        };
        let fraction = items.u64("blobFraction")?;
        items.finish("fork")?;
        forks.push((start, rules.map(|(_, rules)| *rules), fraction));
    }
    Ok(forks)
}
