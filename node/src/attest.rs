//! Attesters: operators who sign the headers that their own nodes made, and collect each other's
//! signatures until two thirds of the committee vouch for a block.
//!
//! There is no consensus protocol: the order of blocks is the source's. Each node signs only what
//! it has itself, durably; whoever has another header at a height signs that, and the two never add
//! up.

mod collect;
pub mod journal;
pub mod keys;
mod peer;
mod pool;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lightproof_prover::chain::committee::message;
use lightproof_prover::chain::committee::operators::{Key, Roster, SecretKey, Signature};
use lightproof_prover::chain::header::Header;
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::Word;
use lightproof_prover::hex;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc::UnboundedSender;

use crate::rpc::error::RpcError;
use journal::{Journal, JournalError};
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::database::snapshot::Snapshot;
pub use peer::Peer;
use pool::Pool;

/// Heights in one question to another node.
pub const MAX_HEIGHTS: usize = 16;

/// A header's hash, and signatures of it by keys.
type Own = (Word, Vec<(Key, Signature)>);

/// Why a node no longer attests.
#[derive(Debug, thiserror::Error)]
pub enum AttestError {
    /// The journal refuses.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The database fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What the operator gave does not fit the chain.
    #[error("{0}")]
    Setup(String),
}

/// The attesting side of a node.
pub struct Attester {
    node: Arc<Chain>,
    keys: Vec<(Key, SecretKey)>,
    /// `None` without keys: such a node only collects.
    journal: Option<Mutex<Journal>>,
    /// The newest height that was compared with the journal.
    checked: AtomicU64,
    pool: Mutex<Pool>,
    /// Headers once they are announced, in their order.
    told: UnboundedSender<Header>,
}

impl std::fmt::Debug for Attester {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Attester").field("keys", &self.keys.len()).finish_non_exhaustive()
    }
}

impl Attester {
    /// * `keys`: the operator's, and the journal of what they signed. A node without keys collects
    ///   the others' signatures.
    /// * `told`: gets each header once it is announced.
    ///
    /// # Errors
    /// [`AttestError`] if the chain has no attesters, no committee has one of the keys, or the
    /// journal names another header than the chain has.
    pub fn new(
        node: Arc<Chain>,
        keys: Vec<SecretKey>,
        journal: Option<Journal>,
        told: UnboundedSender<Header>,
    ) -> Result<Self, AttestError> {
        let setup = |reason: &str| Err(AttestError::Setup(reason.to_owned()));
        let Some(roster) = node.roster() else { return setup("this chain has no attesters") };
        if keys.is_empty() != journal.is_none() {
            return setup("keys sign with a journal, and a journal is of keys");
        }
        let keys: Vec<_> = keys.into_iter().map(|key| (key.public(), key)).collect();
        if let Some((key, _)) = keys.iter().find(|(key, _)| !roster.names(key)) {
            return Err(AttestError::Setup(format!(
                "no committee of this chain has the key {}",
                hex::encode(key)
            )));
        }
        let attester = Self {
            keys,
            journal: journal.map(Mutex::new),
            checked: AtomicU64::new(0),
            pool: Mutex::default(),
            told,
            node,
        };
        attester.check_journal()?;
        attester.sign()?;
        Ok(attester)
    }

    /// A chain that was restored from a backup may differ from what was signed since.
    fn check_journal(&self) -> Result<(), AttestError> {
        let Some(journal) = &self.journal else { return Ok(()) };
        let (snapshot, journal) = (self.node.snapshot()?, lock(journal));
        for (number, signed) in journal.entries().take_while(|(at, _)| *at <= snapshot.head()) {
            let asked = hash_at(&snapshot, number)?;
            if asked != *signed {
                return Err(JournalError::other(number, &asked, signed).into());
            }
        }
        Ok(())
    }

    fn roster(&self) -> Result<&Roster, AttestError> {
        self.node.roster().ok_or_else(|| AttestError::Setup("no attesters".to_owned()))
    }

    fn message(&self, hash: &Word) -> Word {
        message(&self.node.genesis_hash(), self.node.chain_id(), hash)
    }

    /// Notes every header that is durable and not noted yet in the journal, so that it may be
    /// signed, and announces what two thirds have signed by then.
    ///
    /// # Errors
    /// [`AttestError`]: the node must not go on. Above all [`JournalError::Other`]: the keys have
    /// signed another header at a height of this chain.
    pub fn sign(&self) -> Result<(), AttestError> {
        if let Some(journal) = &self.journal {
            let (snapshot, mut journal) = (self.node.snapshot()?, lock(journal));
            // Block 0 is the chain's identity: nobody signs it. What is announced needs no more
            // signers.
            let first = snapshot.announced().max(self.checked.load(Ordering::Relaxed)) + 1;
            // What the journal passed over once is never signed, also if the chain grows over it
            // again.
            let newest = journal.newest();
            let headers = (first..=snapshot.head())
                .filter(|number| Some(*number) > newest || journal.signed(*number).is_some())
                .map(|number| Ok((number, hash_at(&snapshot, number)?)))
                .collect::<Result<Vec<_>, StoreError>>()?;
            // After a restore it grows over heights that were signed: `note` compares.
            journal.note(&headers)?;
            self.checked.store(snapshot.head(), Ordering::Relaxed);
        }
        self.announce()
    }

    /// What is signed at some heights, `[{ hash, signatures: { key: signature }, attestation } |
    /// null, …]`: by this operator, and by two thirds, `[bits, signature]`, if that is kept;
    /// null where nothing is.
    ///
    /// # Errors
    /// [`RpcError`]: the parameters are malformed, or the database fails.
    pub fn attestations(&self, params: &Value) -> Result<Value, RpcError> {
        let list = params.get(0).and_then(Value::as_array);
        let list =
            list.ok_or_else(|| RpcError::invalid_params("numbers", "an array is required"))?;
        if list.len() > MAX_HEIGHTS {
            return Err(RpcError::limit("numbers", MAX_HEIGHTS));
        }
        let numbers = list.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>();
        let numbers =
            numbers.ok_or_else(|| RpcError::invalid_params("numbers", "expected JSON numbers"))?;
        let snapshot = self.node.snapshot()?;
        let roster = self.node.roster().ok_or_else(|| RpcError::internal("no committee"))?;
        let answer = numbers.into_iter().map(|number| {
            let own = self.own(&snapshot, roster, number)?;
            let kept = snapshot
                .attestation(number, number)?
                .map(|(_, kept)| json!([hex::encode(&kept.bits), hex::encode(&kept.signature)]));
            let (hash, own) = match own {
                Some(own) => own,
                None if kept.is_some() => (hash_at(&snapshot, number)?, Vec::new()),
                None => return Ok(Value::Null),
            };
            let signatures: Map<_, _> = own
                .iter()
                .map(|(key, signature)| (hex::encode(key), json!(hex::encode(signature))))
                .collect();
            Ok(json!({ "hash": hex::encode(&hash), "signatures": signatures, "attestation": kept }))
        });
        Ok(answer.collect::<Result<Vec<_>, StoreError>>()?.into())
    }

    /// The header at a height and this operator's signatures of it; `None` if the height is not
    /// noted.
    fn own(
        &self,
        snapshot: &Snapshot,
        roster: &Roster,
        number: u64,
    ) -> Result<Option<Own>, StoreError> {
        let Some(journal) = &self.journal else { return Ok(None) };
        let Some(hash) = lock(journal).signed(number).copied() else { return Ok(None) };
        // Only what this node has itself, and only what it has noted.
        if number > snapshot.head() || hash_at(snapshot, number)? != hash {
            return Ok(None);
        }
        let members = roster.at(number);
        let mut pool = lock(&self.pool);
        let message = self.message(&hash);
        let keys = self.keys.iter().filter(|(key, _)| members.position(key).is_some());
        let signed = keys.map(|(key, secret)| {
            let own = (number, *key);
            (*key, *pool.own.entry(own).or_insert_with(|| secret.sign(&message)))
        });
        let signed = signed.collect();
        pool.trim();
        Ok(Some((hash, signed)))
    }
}

/// Nothing is left half done by a panic elsewhere.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn hash_at(snapshot: &Snapshot, number: u64) -> Result<Word, StoreError> {
    let header = snapshot.header(number)?.ok_or(StoreError::Corrupt("no such header"))?;
    Ok(header.hash())
}

/// Opens the journal of a node's keys.
///
/// * `make`: whether keys that have never signed for this chain get a new one although the chain
///   has blocks already.
///
/// # Errors
/// [`AttestError`]: the journal is missing, or cannot be used.
pub fn open_journal(node: &Chain, path: &Path, make: bool) -> Result<Journal, AttestError> {
    let has_blocks = node.snapshot()?.head() > 0;
    if has_blocks && !make && !path.exists() {
        return Err(AttestError::Setup(format!(
            "signing journal {} is missing, and this chain has blocks: restore it; if these keys have \
             never signed for this chain, start once with --new-journal",
            path.display()
        )));
    }
    Ok(Journal::open(path, &node.genesis_hash(), node.chain_id())?)
}
