//! Who signs a beacon chain, as the operator says it.

use alloy_primitives::{B256, FixedBytes};
use alloy_rlp::{Encodable, Header};
use serde::Deserialize;

use super::BeaconError;

/// Days for which a committee is believed (weak subjectivity), up to Fulu and from Gloas on.
const DAYS: u64 = 14;
const DAYS_OF_GLOAS: u64 = 7;

/// The file's content: what the SDK calls the `consensus` of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Consensus {
    committee_size: u64,
    slots_per_epoch: u64,
    epochs_per_period: u64,
    seconds_per_slot: u64,
    genesis_time: u64,
    genesis_validators_root: B256,
    forks: Vec<Fork>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fork {
    epoch: u64,
    version: FixedBytes<4>,
    shape: String,
}

impl Consensus {
    /// Reads the file. Its numbers are checked where a light client is made of it.
    ///
    /// # Errors
    /// [`BeaconError::Consensus`] names what is missing, unknown or of another form.
    pub fn parse(json: &[u8]) -> Result<Self, BeaconError> {
        serde_json::from_slice(json).map_err(|error| BeaconError::Consensus(error.to_string()))
    }

    /// The chain as the core reads it (`spec/architecture.md`, section 4).
    pub(super) fn chain(&self, chain_id: u64, genesis: B256) -> Vec<u8> {
        let mut forks = Vec::new();
        for Fork { epoch, version, shape } in &self.forks {
            let mut fork = Vec::new();
            epoch.encode(&mut fork);
            version.encode(&mut fork);
            shape.as_bytes().encode(&mut fork);
            forks.extend(list(&fork));
        }
        let mut consensus = Vec::new();
        for number in [
            self.committee_size,
            self.slots_per_epoch,
            self.epochs_per_period,
            self.seconds_per_slot,
            self.genesis_time,
        ] {
            number.encode(&mut consensus);
        }
        self.genesis_validators_root.encode(&mut consensus);
        consensus.extend(list(&forks));
        let mut chain = Vec::new();
        b"ethereum".as_slice().encode(&mut chain);
        chain_id.encode(&mut chain);
        genesis.encode(&mut chain);
        chain.extend(list(&consensus));
        list(&chain)
    }

    /// The committee period of a Unix time.
    pub(super) fn period_at(&self, time: u64) -> u64 {
        let slot = time.saturating_sub(self.genesis_time) / self.seconds_per_slot.max(1);
        slot / self.slots_per_epoch.saturating_mul(self.epochs_per_period).max(1)
    }

    /// Days for which what is signed in a slot is believed.
    pub(super) fn max_age_days(&self, slot: u64) -> u64 {
        let epoch = slot / self.slots_per_epoch.max(1);
        let fork = self.forks.iter().rev().find(|fork| fork.epoch <= epoch);
        if fork.is_some_and(|fork| fork.shape == "gloas") { DAYS_OF_GLOAS } else { DAYS }
    }
}

fn list(payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(payload.len() + 9);
    Header { list: true, payload_length: payload.len() }.encode(&mut out);
    out.extend_from_slice(payload);
    out
}
