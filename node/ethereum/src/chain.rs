//! Which rules hold at which time.

use std::collections::BTreeSet;

use alloy_eips::eip7594::MAX_BLOBS_PER_TX_FUSAKA;
use alloy_eips::eip7840::{BLOB_BASE_COST, BlobParams};
use alloy_evm::eth::spec::EthExecutorSpec;
use alloy_hardforks::{EthereumHardfork, EthereumHardforks, ForkCondition};
use alloy_primitives::{Address, B256, U256, keccak256};
use alloy_rlp::Encodable as _;

/// What a chain's configuration schedules. Every fork up to Cancun is active from block 0 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Chain id of EIP-155.
    pub chain_id: u64,
    /// When Prague begins, in seconds since 1970.
    pub prague: Option<u64>,
    /// When Osaka begins.
    pub osaka: Option<u64>,
    /// When the forks begin that change blob parameters alone.
    pub bpo: [Option<u64>; 5],
    /// Blob parameters: those of Cancun, of Prague, and of the five that change nothing else.
    pub blobs: [Option<Blobs>; 7],
    /// Whose deposit events are requests (EIP-6110).
    pub deposit_contract: Address,
}

/// Parameters of blobs (EIP-7840).
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Blobs {
    /// Blobs a block at which the price stays.
    pub target: u32,
    /// Blobs that a block may hold.
    pub max: u32,
    /// The larger, the slower the price moves.
    pub base_fee_update_fraction: u64,
}

impl Chain {
    fn begin(&self, fork: EthereumHardfork) -> ForkCondition {
        use EthereumHardfork as Fork;
        let [bpo1, bpo2, bpo3, bpo4, bpo5] = self.bpo;
        let at = match fork {
            Fork::Shanghai | Fork::Cancun => Some(0),
            Fork::Prague => self.prague,
            Fork::Osaka => self.osaka,
            Fork::Bpo1 => bpo1,
            Fork::Bpo2 => bpo2,
            Fork::Bpo3 => bpo3,
            Fork::Bpo4 => bpo4,
            Fork::Bpo5 => bpo5,
            Fork::Frontier
            | Fork::Homestead
            | Fork::Tangerine
            | Fork::SpuriousDragon
            | Fork::Byzantium
            | Fork::Constantinople
            | Fork::Petersburg
            | Fork::Istanbul
            | Fork::MuirGlacier
            | Fork::Berlin
            | Fork::London
            | Fork::ArrowGlacier
            | Fork::GrayGlacier => return ForkCondition::Block(0),
            Fork::Paris => {
                return ForkCondition::TTD {
                    activation_block_number: 0,
                    fork_block: Some(0),
                    total_difficulty: U256::ZERO,
                };
            }
            // The DAO's refund happened on mainnet alone. Later forks have no rules here: `Genesis`
            // refuses a configuration that schedules one.
            _ => None,
        };
        at.map_or(ForkCondition::Never, ForkCondition::Timestamp)
    }

    /// Whether Prague's rules hold at a time.
    pub fn is_prague(&self, timestamp: u64) -> bool {
        self.prague.is_some_and(|begin| begin <= timestamp)
    }

    /// Whether Osaka's rules hold at a time.
    pub fn is_osaka(&self, timestamp: u64) -> bool {
        self.osaka.is_some_and(|begin| begin <= timestamp)
    }

    /// Blob parameters of a block with this time.
    pub fn blob_params(&self, timestamp: u64) -> BlobParams {
        let begins = [Some(0), self.prague].into_iter().chain(self.bpo);
        let active = begins.zip(self.blobs).filter(|(at, _)| at.is_some_and(|at| at <= timestamp));
        let of_cancun = Blobs { target: 3, max: 6, base_fee_update_fraction: 3_338_477 };
        let blobs = active.filter_map(|(_, blobs)| blobs).last().unwrap_or(of_cancun);
        let max = u64::from(blobs.max);
        let osaka = self.is_osaka(timestamp);
        BlobParams {
            target_blob_count: blobs.target.into(),
            max_blob_count: max,
            update_fraction: blobs.base_fee_update_fraction.into(),
            min_blob_fee: 1,
            max_blobs_per_tx: if osaka { max.min(MAX_BLOBS_PER_TX_FUSAKA) } else { max },
            blob_base_cost: if osaka { BLOB_BASE_COST } else { 0 },
        }
    }

    /// The table of forks by which calls are run: RLP as `spec/calls.md`, section 3 has it.
    pub fn forks(&self) -> Vec<u8> {
        let begins = [self.prague, self.osaka].into_iter().chain(self.bpo);
        // Of two forks of one time the later one's rules hold.
        let times: BTreeSet<u64> = begins.flatten().collect();
        let entry = |start: &str, at: u64| {
            let rules = match at {
                at if self.is_osaka(at) => "osaka",
                at if self.is_prague(at) => "prague",
                _ => "cancun",
            };
            let fraction = self.blob_params(at).update_fraction;
            let mut payload = Vec::new();
            rules.encode(&mut payload);
            start.encode(&mut payload);
            at.encode(&mut payload);
            fraction.encode(&mut payload);
            list(&payload)
        };
        let first = (!times.contains(&0)).then(|| entry("block", 0));
        let later = times.iter().map(|at| entry("time", *at));
        list(&first.into_iter().chain(later).flatten().collect::<Vec<u8>>())
    }

    /// Keccak hash of all that the configuration decides; its spelling does not matter. The hash of
    /// block 0 does not cover the configuration, so a chain is named by both.
    pub fn digest(&self) -> B256 {
        // A fork that is not scheduled is 0, so times are written plus 1.
        let time = |at: Option<u64>| at.map_or(U256::ZERO, |at| U256::from(at) + U256::ONE);
        let mut out = b"lightproof/ethereum/configuration/1".to_vec();
        U256::from(self.chain_id).encode(&mut out);
        for at in [self.prague, self.osaka].into_iter().chain(self.bpo) {
            time(at).encode(&mut out);
        }
        for blobs in self.blobs {
            let numbers = blobs.map_or([0; 3], |blobs| {
                [blobs.target.into(), blobs.max.into(), blobs.base_fee_update_fraction]
            });
            for number in numbers {
                number.encode(&mut out);
            }
        }
        self.deposit_contract.encode(&mut out);
        keccak256(out)
    }
}

/// RLP of a list with this payload.
fn list(payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    alloy_rlp::Header { list: true, payload_length: payload.len() }.encode(&mut out);
    out.extend_from_slice(payload);
    out
}

impl EthereumHardforks for Chain {
    fn ethereum_fork_activation(&self, fork: EthereumHardfork) -> ForkCondition {
        self.begin(fork)
    }
}

impl EthExecutorSpec for Chain {
    fn deposit_contract_address(&self) -> Option<Address> {
        // Never `None`, which stands for mainnet's.
        Some(self.deposit_contract)
    }
}
