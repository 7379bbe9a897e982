//! The key `config`: which forks a chain has, and when.

use alloy_primitives::{Address, U256};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{GenesisError, refuse};
use crate::chain::{Blobs, Chain};

/// Every key of geth's configuration, by hand: one that is not here is refused.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Config {
    chain_id: u64,
    homestead_block: Option<u64>,
    dao_fork_block: Option<u64>,
    #[serde(rename = "daoForkSupport")]
    _dao_fork_support: Option<bool>,
    eip150_block: Option<u64>,
    /// Files of older geths; it decides nothing.
    #[serde(rename = "eip150Hash")]
    _eip150_hash: Option<IgnoredAny>,
    eip155_block: Option<u64>,
    eip158_block: Option<u64>,
    byzantium_block: Option<u64>,
    constantinople_block: Option<u64>,
    petersburg_block: Option<u64>,
    istanbul_block: Option<u64>,
    muir_glacier_block: Option<u64>,
    berlin_block: Option<u64>,
    london_block: Option<u64>,
    arrow_glacier_block: Option<u64>,
    gray_glacier_block: Option<u64>,
    /// Parts networks; it changes no rule.
    #[serde(rename = "mergeNetsplitBlock")]
    _merge_netsplit_block: Option<u64>,
    shanghai_time: Option<u64>,
    cancun_time: Option<u64>,
    prague_time: Option<u64>,
    osaka_time: Option<u64>,
    bpo1_time: Option<u64>,
    bpo2_time: Option<u64>,
    bpo3_time: Option<u64>,
    bpo4_time: Option<u64>,
    bpo5_time: Option<u64>,
    amsterdam_time: Option<u64>,
    bogota_time: Option<u64>,
    ubt_time: Option<u64>,
    #[serde(rename = "enableUBTAtGenesis", default)]
    ubt_at_genesis: bool,
    terminal_total_difficulty: Option<U256>,
    #[serde(rename = "terminalTotalDifficultyPassed")]
    _terminal_total_difficulty_passed: Option<bool>,
    #[serde(default)]
    deposit_contract_address: Address,
    /// Engines that seal no block after difficulty 0.
    #[serde(rename = "ethash")]
    _ethash: Option<IgnoredAny>,
    #[serde(rename = "clique")]
    _clique: Option<IgnoredAny>,
    #[serde(default)]
    blob_schedule: Schedule,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Schedule {
    cancun: Option<Blobs>,
    prague: Option<Blobs>,
    osaka: Option<Blobs>,
    bpo1: Option<Blobs>,
    bpo2: Option<Blobs>,
    bpo3: Option<Blobs>,
    bpo4: Option<Blobs>,
    bpo5: Option<Blobs>,
}

impl Config {
    /// The rules by time of a chain whose block 0 has this time.
    pub(super) fn chain(&self, genesis: u64) -> Result<Chain, GenesisError> {
        self.check_past(genesis)?;
        self.check_future()?;
        let bpo = [self.bpo1_time, self.bpo2_time, self.bpo3_time, self.bpo4_time, self.bpo5_time];
        check_order(self.prague_time, self.osaka_time, bpo)?;
        let blobs = self.blob_schedule.check(self.prague_time, bpo)?;
        Ok(Chain {
            chain_id: self.chain_id,
            prague: self.prague_time,
            osaka: self.osaka_time,
            bpo,
            blobs,
            deposit_contract: self.deposit_contract_address,
        })
    }

    /// Every fork up to Cancun must be active in block 0: older rules are not executed.
    fn check_past(&self, genesis: u64) -> Result<(), GenesisError> {
        let found = |at: Option<u64>| at.map_or_else(|| "nothing".to_owned(), |at| at.to_string());
        let needed = [
            ("homesteadBlock", self.homestead_block),
            ("eip150Block", self.eip150_block),
            ("eip155Block", self.eip155_block),
            ("eip158Block", self.eip158_block),
            ("byzantiumBlock", self.byzantium_block),
            ("constantinopleBlock", self.constantinople_block),
            ("istanbulBlock", self.istanbul_block),
            ("berlinBlock", self.berlin_block),
            ("londonBlock", self.london_block),
        ];
        if let Some((key, at)) = needed.into_iter().find(|(_, at)| *at != Some(0)) {
            return Err(refuse(key, "0: only chains that begin with Cancun", &found(at)));
        }
        let optional = [
            ("daoForkBlock", self.dao_fork_block),
            ("petersburgBlock", self.petersburg_block),
            ("muirGlacierBlock", self.muir_glacier_block),
            ("arrowGlacierBlock", self.arrow_glacier_block),
            ("grayGlacierBlock", self.gray_glacier_block),
        ];
        if let Some((key, at)) = optional.into_iter().find(|(_, at)| at.is_some_and(|at| at > 0)) {
            return Err(refuse(key, "0 or nothing", &found(at)));
        }
        if self.terminal_total_difficulty != Some(U256::ZERO) {
            let found = self.terminal_total_difficulty.map(|at| at.to_string());
            let expected = "0: only chains that begin with proof of stake";
            return Err(refuse("terminalTotalDifficulty", expected, &found.unwrap_or_default()));
        }
        let times = [("shanghaiTime", self.shanghai_time), ("cancunTime", self.cancun_time)];
        match times.into_iter().find(|(_, at)| at.is_none_or(|at| at > genesis)) {
            Some((key, at)) => Err(refuse(key, "at most the time of block 0", &found(at))),
            None => Ok(()),
        }
    }

    /// Forks that geth knows and whose rules are not here.
    fn check_future(&self) -> Result<(), GenesisError> {
        let forks = [
            ("amsterdamTime", self.amsterdam_time),
            ("bogotaTime", self.bogota_time),
            ("ubtTime", self.ubt_time),
            ("enableUBTAtGenesis", self.ubt_at_genesis.then_some(0)),
        ];
        match forks.into_iter().find_map(|(key, at)| at.map(|at| (key, at))) {
            Some((key, at)) => Err(refuse(key, "nothing: its rules are not supported", &at)),
            None => Ok(()),
        }
    }
}

fn check_order(
    prague: Option<u64>,
    osaka: Option<u64>,
    bpo: [Option<u64>; 5],
) -> Result<(), GenesisError> {
    let expected = "at or after the fork before it";
    if let Some(osaka) = osaka
        && prague.is_none_or(|prague| prague > osaka)
    {
        return Err(refuse("osakaTime", expected, &osaka));
    }
    let keys = ["bpo1Time", "bpo2Time", "bpo3Time", "bpo4Time", "bpo5Time"];
    let mut last = osaka;
    for (key, at) in keys.into_iter().zip(bpo) {
        let Some(at) = at else { continue };
        if last.is_none_or(|last| last > at) {
            return Err(refuse(key, expected, &at));
        }
        last = Some(at);
    }
    Ok(())
}

impl Schedule {
    /// The parameters in the order of [`Chain::blobs`]: one for each fork that is scheduled.
    fn check(
        &self,
        prague: Option<u64>,
        bpo: [Option<u64>; 5],
    ) -> Result<[Option<Blobs>; 7], GenesisError> {
        // geth has no entry of Osaka: its blobs are Prague's.
        if self.osaka.is_some() && self.osaka != self.prague {
            return Err(refuse("blobSchedule.osaka", "that of prague", &"another"));
        }
        let all = [self.cancun, self.prague, self.bpo1, self.bpo2, self.bpo3, self.bpo4, self.bpo5];
        let keys = [
            "blobSchedule.cancun",
            "blobSchedule.prague",
            "blobSchedule.bpo1",
            "blobSchedule.bpo2",
            "blobSchedule.bpo3",
            "blobSchedule.bpo4",
            "blobSchedule.bpo5",
        ];
        let begins = [Some(0), prague].into_iter().chain(bpo);
        for ((key, blobs), begin) in keys.into_iter().zip(all).zip(begins) {
            match blobs {
                None if begin.is_some() => return Err(refuse(key, "an entry", &"nothing")),
                Some(Blobs { target, max, base_fee_update_fraction: fraction })
                    if target > max || max == 0 || max > 1 << 16 || fraction == 0 =>
                {
                    let expected = "target <= max, 1 <= max <= 65536, baseFeeUpdateFraction >= 1";
                    return Err(refuse(key, expected, &format!("{target}, {max}, {fraction}")));
                }
                _ => {}
            }
        }
        Ok(all)
    }
}
