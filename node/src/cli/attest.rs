//! `lightproof-node keys`, and the flags of a chain that operators attest.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand};
use lightproof_node::attest::{AttestError, Attester, Peer, keys, open_journal};
use lightproof_node::metrics::Metrics;
use lightproof_prover::chain::committee::operators::{Roster, SecretKey};
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::header::Header;
use serde_json::json;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::announce::announce_block;

/// Between two questions to another node.
const POLL: Duration = Duration::from_millis(100);
/// After a question that it did not answer.
const PAUSE: Duration = Duration::from_secs(1);

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Make a secret key; prints its public key and proof of possession for the other operators
    New {
        /// Output file; an existing file is never overwritten
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Print public keys and proofs of possession
    Show {
        /// File with one secret key a line
        #[arg(long, value_name = "FILE")]
        keys: PathBuf,
    },
    /// Check a committee file: every key and every proof of possession
    Check {
        /// Committee file, as for --committee
        file: PathBuf,
    },
}

pub(super) fn main(command: &Command) -> Result<(), String> {
    match command {
        Command::New { out } => super::print(&format!("{}\n", keys::public(&keys::generate(out)?))),
        Command::Show { keys } => {
            let keys = keys::read(keys)?;
            keys.iter().try_for_each(|key| super::print(&format!("{}\n", keys::public(key))))
        }
        Command::Check { file } => {
            let roster = keys::roster(file)?;
            let size = roster.of(0).keys().len();
            let said = json!({ "periodLength": roster.period(), "members": size });
            super::print(&format!("{said}\n"))
        }
    }
}

/// Operators who vouch for the blocks, in place of the INSECURE committees.
#[derive(Debug, Args)]
#[command(next_help_heading = "attesters")]
pub(super) struct AttestArgs {
    /// Committees whose members attest the blocks: JSON with their keys and proofs of possession
    #[arg(long, value_name = "FILE", conflicts_with_all = ["committee_size", "period"])]
    committee: Option<PathBuf>,
    /// Sign with these secret keys, one a line; only the owner may read the file (mode 0600)
    #[arg(long, value_name = "FILE", requires = "committee")]
    keys: Option<PathBuf>,
    /// Journal of signed headers [default: the file of --keys with .journal]. Never restore an old
    /// journal
    #[arg(long, value_name = "FILE", requires = "keys")]
    journal: Option<PathBuf>,
    /// Start a new journal for a chain that has blocks; only for keys that never signed for it
    #[arg(long, requires = "keys")]
    new_journal: bool,
    /// Nodes of the other operators (JSON-RPC over HTTP), whose signatures are collected
    #[arg(long, value_name = "URL,…", value_delimiter = ',', requires = "committee")]
    attesters: Vec<String>,
}

/// The attesting side of a node that is about to run.
pub(super) struct Attesting {
    pub(super) attester: Arc<Attester>,
    headers: UnboundedReceiver<Header>,
    failures: (UnboundedSender<AttestError>, UnboundedReceiver<AttestError>),
    peers: Vec<Peer>,
}

impl AttestArgs {
    /// Whether operators vouch for the blocks.
    pub(super) fn is_set(&self) -> bool {
        self.committee.is_some()
    }

    /// Whether other operators must make the same blocks.
    pub(super) fn has_peers(&self) -> bool {
        !self.attesters.is_empty()
    }

    /// Whether this node signs.
    #[cfg(feature = "ethereum")]
    pub(super) fn signs(&self) -> bool {
        self.keys.is_some()
    }

    /// The committees; `None` for another chain.
    pub(super) fn roster(&self) -> Result<Option<Arc<Roster>>, String> {
        self.committee.as_deref().map(|file| keys::roster(file).map(Arc::new)).transpose()
    }

    fn keys(&self) -> Result<Vec<SecretKey>, String> {
        self.keys.as_deref().map_or_else(|| Ok(Vec::new()), keys::read)
    }

    /// Opens the journal and signs what the chain has.
    pub(super) fn start(&self, node: &Arc<Chain>) -> Result<Option<Attesting>, String> {
        if !self.is_set() {
            return Ok(None);
        }
        let peer = |url: &String| Peer::new(url).map_err(|reason| format!("--attesters: {reason}"));
        let peers = self.attesters.iter().map(peer).collect::<Result<_, _>>()?;
        let path = self.journal.clone().or_else(|| self.keys.as_deref().map(beside));
        let journal = path.map(|path| open_journal(node, &path, self.new_journal)).transpose();
        let journal = journal.map_err(|error| error.to_string())?;
        let (told, headers) = unbounded_channel();
        let attester = Attester::new(Arc::clone(node), self.keys()?, journal, told);
        let attester = Arc::new(attester.map_err(|error| error.to_string())?);
        Ok(Some(Attesting { attester, headers, failures: unbounded_channel(), peers }))
    }
}

fn beside(keys: &Path) -> PathBuf {
    let mut path = keys.as_os_str().to_owned();
    path.push(".journal");
    path.into()
}

impl Attesting {
    /// Collects the others' signatures and announces blocks, until something fails.
    pub(super) async fn run(self) -> Result<(), String> {
        let Self { attester, mut headers, failures: (failed, mut failures), peers } = self;
        for peer in peers {
            let (attester, failed) = (Arc::clone(&attester), failed.clone());
            // Ends with the process: whatever it collects is checked, and what it keeps is durable.
            std::thread::spawn(move || {
                loop {
                    match attester.collect(&peer) {
                        Ok(true) => std::thread::sleep(POLL),
                        Ok(false) => std::thread::sleep(PAUSE),
                        Err(error) => {
                            let _ = failed.send(error);
                            return;
                        }
                    }
                }
            });
        }
        loop {
            tokio::select! {
                Some(header) = headers.recv() => announce_block(&header)?,
                Some(error) = failures.recv() => return Err(error.to_string()),
                else => return Ok(()),
            }
        }
    }
}

/// What follows once blocks are durable: they are announced at once, or signed.
pub(super) struct Durable {
    pub(super) attester: Option<Arc<Attester>>,
    pub(super) metrics: Arc<Metrics>,
}

impl Durable {
    pub(super) async fn take(&self, headers: &[Header]) -> Result<(), String> {
        self.metrics.made(headers.len());
        match &self.attester {
            None => headers.iter().try_for_each(announce_block),
            Some(attester) => {
                let attester = Arc::clone(attester);
                let signed = tokio::task::spawn_blocking(move || attester.sign()).await;
                signed.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
            }
        }
    }
}
