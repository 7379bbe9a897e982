//! The flags of a node that follows an Ethereum chain.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use clap::Args;
use lightproof_ethereum::follow::Options;
use lightproof_ethereum::follow::beacon::{Beacon, Consensus};
use lightproof_ethereum::genesis::Genesis;
use lightproof_ethereum::snapshot::Snapshot;
use lightproof_ethereum::types::B256;
use lightproof_node::ethereum::Ethereum;

#[derive(Debug, Args)]
pub(super) struct FollowArgs {
    /// Follow the Ethereum chain of these nodes (JSON-RPC over HTTP) in place of the workload.
    /// Every block is executed and its header checked; the nodes are trusted only for the choice of
    /// the chain
    #[arg(
        long,
        value_name = "URL,…",
        value_delimiter = ',',
        requires = "genesis",
        conflicts_with = "push"
    )]
    follow: Vec<String>,
    /// Configuration and first state of the chain that is followed: geth's genesis.json
    #[arg(long, value_name = "FILE", requires = "follow")]
    genesis: Option<PathBuf>,
    /// Begin with the state after a block later than block 0: that block's header as RLP, from a source
    /// that you trust. Only needed for the first start
    #[arg(long, value_name = "FILE", requires_all = ["follow", "start_state"])]
    start_header: Option<PathBuf>,
    /// That state, as `geth dump --iterative` prints it; every account is checked under the header
    #[arg(long, value_name = "FILE", requires = "start_header")]
    start_state: Option<PathBuf>,
    /// Follow blocks this deep below the head [default: the finalized ones]
    #[arg(long, value_name = "N", requires = "follow")]
    follow_depth: Option<u64>,
    /// How many of the nodes must name the same block before it is followed
    #[arg(long, value_name = "N", default_value_t = 1, requires = "follow")]
    quorum: usize,
    /// Follow the finalized blocks that the beacon chain proves to its light client, whatever the
    /// nodes of --follow name. These nodes (Beacon API over HTTP) are not trusted
    #[arg(
        long,
        value_name = "URL,…",
        value_delimiter = ',',
        requires_all = ["follow", "checkpoint", "consensus"],
        conflicts_with_all = ["follow_depth", "quorum", "trust_upstream"]
    )]
    beacon: Vec<String>,
    /// Root of a finalized beacon block from a source that you trust
    #[arg(long, value_name = "ROOT", requires = "beacon")]
    checkpoint: Option<B256>,
    /// Who signs the beacon chain: JSON as in the SDK's chain configuration, `consensus`
    #[arg(long, value_name = "FILE", requires = "beacon")]
    consensus: Option<PathBuf>,
    /// Sign headers of blocks that one node alone named. A node can forge a child that is valid:
    /// use your own
    #[arg(long, requires = "follow")]
    trust_upstream: bool,
}

impl FollowArgs {
    /// Whether a chain is followed.
    pub(super) fn is_set(&self) -> bool {
        !self.follow.is_empty()
    }

    /// The chain that is followed, `None` for the workload.
    pub(super) fn source(&self, signed: bool) -> Result<Option<Ethereum>, String> {
        let Some(file) = self.genesis.as_ref().filter(|_| self.is_set()) else { return Ok(None) };
        if signed && self.quorum < 2 && !self.trust_upstream && self.beacon.is_empty() {
            return Err(
                "headers of a followed chain are signed only with --beacon, with --quorum 2 or \
                 more, or with --trust-upstream; set --committee-size 0 to serve them unsigned"
                    .to_owned(),
            );
        }
        let genesis = Genesis::parse(&read(file)?).map_err(|error| error.to_string())?;
        let options =
            Options { depth: self.follow_depth, quorum: self.quorum, ..Options::default() };
        let beacon = self.beacon(&genesis, options)?;
        let source = Ethereum::new(genesis, &self.follow, options);
        let source = source.map_err(|error| error.to_string())?;
        let source = match self.start()? {
            None => source,
            Some(start) => source.from(start),
        };
        Ok(Some(match beacon {
            None => source,
            Some(beacon) => source.by(beacon),
        }))
    }

    /// The state to begin with.
    fn start(&self) -> Result<Option<Snapshot>, String> {
        let Some((header, state)) = self.start_header.as_ref().zip(self.start_state.as_ref())
        else {
            return Ok(None);
        };
        let header = read(header)?;
        let lines = File::open(state)
            .map_err(|error| format!("cannot read {}: {error}", state.display()))?;
        let start = Snapshot::read(&header, BufReader::new(lines));
        start.map(Some).map_err(|error| error.to_string())
    }

    /// The light client of `--beacon`.
    fn beacon(&self, genesis: &Genesis, options: Options) -> Result<Option<Beacon>, String> {
        let (Some(root), Some(file)) = (self.checkpoint, &self.consensus) else { return Ok(None) };
        let consensus = Consensus::parse(&read(file)?).map_err(|error| error.to_string())?;
        let chain = (genesis.chain.chain_id, genesis.hash);
        let beacon = Beacon::new(&self.beacon, consensus, chain, root, options.timeout);
        beacon.map(Some).map_err(|error| error.to_string())
    }
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}
