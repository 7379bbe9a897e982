//! What a chain is made from: the same each time that it is opened.

use std::fmt::Display;

use crate::chain::source::Genesis;
use crate::error::StoreError;
use crate::hex;
use crate::store::{self, Read, Store};

use super::{Chain, FORKS, LAYOUT, META, NAMES, SYSTEMS};
use crate::chain::Clock;
use crate::chain::config::Config;

const GENESIS_TIME: &str = "genesis time";
const INTERVAL: &str = "milliseconds between blocks";

/// A number that describes the chain.
fn number(store: &dyn Read, key: &str) -> Result<Option<u64>, StoreError> {
    store.get(META, key.as_bytes())?.map(|number| store::number(&number)).transpose()
}

impl Chain {
    /// The times that the chain in a store was made with; `None` if there is no chain yet.
    ///
    /// # Errors
    /// [`StoreError`] if the store fails.
    pub fn clock_in(store: &dyn Store) -> Result<Option<Clock>, StoreError> {
        let reader = store.reader()?;
        let (genesis, interval) = (number(&*reader, GENESIS_TIME)?, number(&*reader, INTERVAL)?);
        let kept = genesis.zip(interval);
        Ok(kept.map(|(genesis, interval_ms)| Clock { genesis, interval_ms }))
    }

    /// Whether the store holds a chain.
    pub(super) fn is_made(&self) -> Result<bool, StoreError> {
        Ok(self.store.reader()?.get(NAMES, SYSTEMS)?.is_some())
    }

    /// Refuses a chain that is made from something else.
    pub(super) fn check(&self, place: &str, genesis: &Genesis) -> Result<(), StoreError> {
        let other = |key: &str, found: &dyn Display, wanted: &dyn Display| {
            let (found, wanted) = (format!("{key} {found}"), format!("{key} {wanted}"));
            Err(StoreError::OtherChain { place: place.to_owned(), found, wanted })
        };
        self.check_description(place)?;
        let nothing = || StoreError::Corrupt("no description of the chain");
        let snapshot = self.snapshot()?;
        let header = snapshot.header(snapshot.first())?.ok_or_else(nothing)?;
        let is_same_start = snapshot.first() == genesis.number;
        // What was imported is a later state of the chain that the genesis names.
        let is_imported = snapshot.first() > 0 && genesis.number == 0;
        if !is_same_start && !is_imported {
            return other("first block", &snapshot.first(), &genesis.number);
        }
        let words = [
            ("configuration", header.parent_hash, genesis.config),
            ("origin", header.origin, if is_imported { header.origin } else { genesis.origin }),
        ];
        for (key, found, wanted) in
            words.map(|(key, found, wanted)| (key, hex::encode(&found), hex::encode(&wanted)))
        {
            if found != wanted {
                return other(key, &found, &wanted);
            }
        }
        if header.chain_id != genesis.chain_id {
            return other("chain id", &header.chain_id, &genesis.chain_id);
        }
        if header.timestamp != genesis.timestamp && !is_imported {
            return other(GENESIS_TIME, &header.timestamp, &genesis.timestamp);
        }
        self.check_roster(place)
    }

    /// Refuses a chain whose systems, keys or times are not those of the configuration.
    pub(super) fn check_description(&self, place: &str) -> Result<(), StoreError> {
        let other = |key: &str, found: &dyn Display, wanted: &dyn Display| {
            let (found, wanted) = (format!("{key} {found}"), format!("{key} {wanted}"));
            Err(StoreError::OtherChain { place: place.to_owned(), found, wanted })
        };
        let nothing = || StoreError::Corrupt("no description of the chain");
        let reader = self.store.reader()?;
        let (found, wanted) = (reader.get(NAMES, SYSTEMS)?, self.config.names());
        let found = found.ok_or_else(nothing)?;
        if *found != *wanted.as_bytes() {
            return other("systems", &String::from_utf8_lossy(&found), &wanted);
        }
        for (key, wanted) in self.description() {
            let found = number(&*reader, key)?.ok_or_else(nothing)?;
            if found != wanted {
                return other(key, &found, &wanted);
            }
        }
        Ok(())
    }

    /// Writes the table of forks for whoever reads the store, unless it is there.
    pub(super) fn keep_forks(&self, forks: &[u8]) -> Result<(), StoreError> {
        let reader = self.store.reader()?;
        let kept = reader.get(NAMES, FORKS)?;
        if kept.as_deref().unwrap_or_default() == forks {
            return Ok(());
        }
        store::write(&*self.store, |batch| batch.put(NAMES, FORKS, forks))
    }

    /// Refuses committees that are not those which the chain's headers name.
    pub(super) fn check_roster(&self, place: &str) -> Result<(), StoreError> {
        let Some(roster) = &self.config.roster else { return Ok(()) };
        let snapshot = self.snapshot()?;
        let periods = roster.period_of(snapshot.first())..=roster.period_of(snapshot.head());
        for number in periods.map(|period| period.saturating_mul(roster.period())) {
            let number = number.max(snapshot.first());
            let header = snapshot.header(number)?.ok_or(StoreError::Corrupt("no such header"))?;
            let (found, wanted) = (header.committee_root, roster.root_at(number));
            if found != wanted {
                let name = |root| format!("committees {} in block {number}", hex::encode(root));
                let (found, wanted) = (name(&found), name(&wanted));
                return Err(StoreError::OtherChain { place: place.to_owned(), found, wanted });
            }
        }
        Ok(())
    }

    pub(super) fn description(&self) -> Vec<(&'static str, u64)> {
        let Config { seed, window, clock, terms, roster, systems, cache: _ } = &self.config;
        let period = match roster {
            Some(roster) => roster.period(),
            None => terms.map_or(0, |terms| terms.period),
        };
        let chain = [
            ("layout", LAYOUT),
            ("seed", *seed),
            ("window", *window),
            (GENESIS_TIME, clock.genesis),
            (INTERVAL, clock.interval_ms),
            ("committee size", terms.map_or(0, |terms| terms.size)),
            ("attested", roster.is_some().into()),
            ("period length", period),
        ];
        chain.into_iter().chain(systems.iter().flat_map(|system| system.identity())).collect()
    }
}
