//! The finalized head, proven from a checkpoint by the beacon chain's light client.
//!
//! Beacon nodes are not trusted: the sync committees that the checkpoint leads to sign every header
//! that is taken. Who pins a checkpoint of another chain, or an old one, pins other committees.

mod consensus;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use alloy_primitives::B256;
use lightproof_core::Rejection;
use lightproof_core::header::light::{Form, LightClient};
use ureq::Agent;

use crate::rpc::{self, RpcError};
pub use consensus::Consensus;

const PATH: &str = "/eth/v1/beacon/light_client";
const SSZ: &str = "application/octet-stream";
/// Bytes of an answer. An update has 26 kB.
const MAX_ANSWER: u64 = 8 << 20;
/// Updates a request, one a period of about 27 hours.
const MAX_UPDATES: u64 = 64;
/// How far a beacon node's clock may be ahead, in seconds.
const CLOCK_DRIFT: u64 = 10;
/// A length and a fork's digest stand before each update in a list.
const LENGTH: usize = 8;
const DIGEST: usize = 4;

/// Why no head can be proven any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BeaconError {
    /// The file that says who signs.
    #[error("the consensus file cannot be used: {0}")]
    Consensus(String),
    /// The checkpoint is none.
    #[error("the checkpoint cannot be used: {0}")]
    Checkpoint(String),
    /// A URL is none of HTTP.
    #[error(transparent)]
    Url(#[from] RpcError),
    /// Keys of old committees may be stolen: nothing that they sign is believed any more.
    #[error(
        "the newest proven block is {age} days old, and committees are believed for {max}: start \
         with a newer --checkpoint"
    )]
    Old {
        /// Days since the block.
        age: u64,
        /// Days that are allowed.
        max: u64,
    },
}

/// A light client, and the nodes that it asks.
pub struct Beacon {
    agent: Agent,
    /// Each with its name.
    urls: Vec<(String, String)>,
    consensus: Consensus,
    checkpoint: B256,
    client: LightClient,
}

/// Number, where it is signed, and hash of an execution block.
type Found = (Option<u64>, B256);

impl Beacon {
    /// Asks these nodes.
    ///
    /// * `chain_id`, `genesis`: of the execution chain. * `timeout`: of one request.
    ///
    /// # Errors
    /// [`BeaconError`] if the consensus, the checkpoint or a URL cannot be used.
    pub fn new(
        urls: &[String],
        consensus: Consensus,
        (chain_id, genesis): (u64, B256),
        checkpoint: B256,
        timeout: Duration,
    ) -> Result<Self, BeaconError> {
        let urls = urls.iter().map(|url| {
            let name = rpc::name(url).ok_or_else(|| RpcError::Url(url.clone()))?;
            Ok((url.trim_end_matches('/').to_owned(), name))
        });
        let urls = urls.collect::<Result<_, BeaconError>>()?;
        if checkpoint.is_zero() {
            return Err(BeaconError::Checkpoint("expected a root that is not zero".to_owned()));
        }
        let client = LightClient::new(&consensus.chain(chain_id, genesis));
        let client = client.map_err(|error| BeaconError::Consensus(error.to_string()))?;
        Ok(Self { agent: rpc::agent(timeout), urls, consensus, checkpoint, client })
    }

    /// The newest finalized execution block that any node proves, or why there is none yet.
    ///
    /// # Errors
    /// [`BeaconError::Old`] if what is proven is too old to go on from.
    pub fn finalized(&mut self) -> Result<Result<Found, String>, BeaconError> {
        let mut why = String::new();
        // All of them: one may withhold what another has.
        for (url, name) in self.urls.clone() {
            if let Err(reason) = self.advance(&url)? {
                why = format!("{name}: {reason}");
            }
        }
        let held = self.client.state().and_then(|state| state.finalized.execution);
        Ok(match held {
            // What was proven stays proven, whatever the nodes say now.
            Some(block) => Ok((block.number, block.hash.0.into())),
            None if why.is_empty() => Err("the checkpoint has no execution block".to_owned()),
            None => Err(why),
        })
    }

    /// Takes all that one node proves.
    fn advance(&mut self, url: &str) -> Result<Result<(), String>, BeaconError> {
        if self.client.state().is_none() {
            let bytes = match self.get(url, &format!("bootstrap/{}", self.checkpoint)) {
                Ok(bytes) => bytes,
                Err(why) => return Ok(Err(why)),
            };
            let mut client = self.client.clone();
            if let Err(error) = client.bootstrap(self.checkpoint.as_slice(), &bytes, &mut ()) {
                return Ok(Err(refused("bootstrap", &error)));
            }
            self.client = client;
        }
        // Before anything newer is taken: an old committee must not lead to new ones.
        self.check_age()?;
        Ok(self.updates(url).and_then(|()| {
            let bytes = self.get(url, "finality_update")?;
            self.apply(Form::Finality, &bytes)
        }))
    }

    fn check_age(&self) -> Result<(), BeaconError> {
        const DAY: u64 = 86_400;
        let Some(state) = self.client.state() else { return Ok(()) };
        let age = now().saturating_sub(state.finalized.timestamp) / DAY;
        let max = self.consensus.max_age_days(state.finalized.slot);
        if age >= max { Err(BeaconError::Old { age, max }) } else { Ok(()) }
    }

    /// One update a period, until the committee of now's period is known or the node has no more.
    fn updates(&mut self, url: &str) -> Result<(), String> {
        loop {
            let Some(state) = self.client.state() else { return Ok(()) };
            let start = state.period + u64::from(state.next_known);
            if start > self.consensus.period_at(now()) {
                return Ok(());
            }
            let path = format!("updates?start_period={start}&count={MAX_UPDATES}");
            for update in split(&self.get(url, &path)?)? {
                self.apply(Form::Update, update)?;
            }
            let moved = self.client.state().map(|state| state.period + u64::from(state.next_known));
            if moved == Some(start) {
                return Ok(());
            }
        }
    }

    fn apply(&mut self, form: Form, bytes: &[u8]) -> Result<(), String> {
        match self.client.apply(form, bytes, now().saturating_add(CLOCK_DRIFT), &mut ()) {
            // What is old is no lie.
            Ok(_) => Ok(()),
            Err(error) if error.code() == "verify.relevance" => Ok(()),
            Err(error) => Err(refused(form.name(), &error)),
        }
    }

    fn get(&self, url: &str, path: &str) -> Result<Vec<u8>, String> {
        let failed = |error: ureq::Error| error.to_string();
        let request = self.agent.get(format!("{url}{PATH}/{path}")).header("accept", SSZ);
        let mut answer = request.call().map_err(failed)?;
        let kind = answer.headers().get("content-type").and_then(|kind| kind.to_str().ok());
        if kind.is_none_or(|kind| !kind.starts_with(SSZ)) {
            return Err("the node does not serve light clients in SSZ".to_owned());
        }
        answer.body_mut().with_config().limit(MAX_ANSWER).read_to_vec().map_err(failed)
    }
}

fn refused(what: &str, error: &Rejection) -> String {
    format!("a {what} that does not hold: {}: {error}", error.code())
}

/// Repeats of: length (8 bytes, little-endian, of what follows), fork digest, update.
fn split(mut list: &[u8]) -> Result<Vec<&[u8]>, String> {
    let cut = || "the list of updates ends within an update".to_owned();
    let mut updates = Vec::new();
    while let Some((length, rest)) = list.split_first_chunk::<LENGTH>() {
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| cut())?;
        let (update, rest) = rest.split_at_checked(length).ok_or_else(cut)?;
        updates.push(update.get(DIGEST..).ok_or_else(cut)?);
        list = rest;
    }
    if list.is_empty() { Ok(updates) } else { Err(cut()) }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
