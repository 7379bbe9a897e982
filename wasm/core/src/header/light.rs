//! A light client: from a checkpoint that the caller pins to signed headers.
//!
//! Ethereum and the devnet share the store, its rules and the signatures; only the containers
//! differ. What comes out is the hash of an execution (or devnet) block, and that is what
//! [`crate::TrustedHeader::pinned`] takes: no header is trusted but by its hash.
//!
//! Source: `design/systems/headers.md`; consensus-specs, `altair/light-client/sync-protocol.md`.

mod beacon;
mod devnet;
mod json;
mod saved;
mod store;
mod text;
mod types;
mod update;

pub use text::{LightText, verify_attested_text};
pub use types::{Applied, Changed, Execution, Signed, State};
pub use update::Form;

use alloc::vec::Vec;

use super::committee::Committee;
use crate::chain::{Chain, Consensus};
use crate::error::{DecodeError, InputError, Malformed, Rejection, Span};
use crate::hash::Hash;
use crate::hash::merkle::Work;
use crate::trace::{Shifted, Trace, note};
use crate::wire::{Bytes, ListWriter, Reader};
use beacon::BeaconUpdate;
use devnet::DevnetUpdate;
use saved::Saved;
use store::Store;
use update::Update;

/// A light client of one chain. A refused input leaves it as it was.
#[derive(Clone, Debug)]
pub struct LightClient {
    chain: Chain,
    consensus: Consensus,
    store: Option<Store>,
}

impl LightClient {
    /// A client without a checkpoint yet.
    ///
    /// # Errors
    /// `input.chain` if the chain is malformed or says nothing about its committees.
    pub fn new(chain: &[u8]) -> Result<Self, InputError> {
        let chain = Chain::from_rlp(chain)?;
        let consensus = consensus(&chain)?.clone();
        Ok(Self { chain, consensus, store: None })
    }

    /// Starts from a checkpoint.
    ///
    /// * `checkpoint`: root of a beacon block, or hash of a devnet header, 32 bytes.
    /// * `bytes`: SSZ `LightClientBootstrap`; on the devnet RLP `[header, keys, aggregate, sibling]`.
    ///
    /// # Errors
    /// `input.checkpoint`; `decode.*` for the form; `verify.checkpoint`, `.execution`, `.committee`.
    pub fn bootstrap(&mut self, checkpoint: &[u8], bytes: &[u8]) -> Result<Work, Rejection> {
        self.bootstrap_traced(checkpoint, bytes, &mut ())
    }

    /// As [`LightClient::bootstrap`]; with feature `trace` every step goes to the sink.
    ///
    /// # Errors
    /// The same.
    pub fn bootstrap_traced(
        &mut self,
        checkpoint: &[u8],
        bytes: &[u8],
        trace: &mut dyn Trace,
    ) -> Result<Work, Rejection> {
        note!(trace, Entered "bootstrap", None);
        let checkpoint = pin(checkpoint)?;
        let mut work = Work::default();
        let (anchor, committee, header) = match &self.consensus {
            Consensus::Beacon(beacon) => {
                beacon::bootstrap(beacon, checkpoint, bytes, &mut work, trace)?
            }
            Consensus::Devnet(devnet) => {
                let size = devnet.committee_size;
                devnet::bootstrap(&self.chain, size, checkpoint, bytes, &mut work, trace)?
            }
        };
        self.store = Some(Store::new(self.consensus.clone(), anchor, committee, Some(header)));
        Ok(work)
    }

    /// Checks an update and takes what it proves.
    ///
    /// * `bytes`: SSZ as the Beacon API serves it, without the stream's prefix; on the devnet RLP
    ///   `[header, bits, signature]`, with `keys, aggregate, sibling` after it in [`Form::Update`].
    /// * `now`: Unix time, seconds; `u64::MAX` for a caller without a clock.
    ///
    /// # Errors
    /// `input.request` before a bootstrap; `decode.*`; `verify.*` for the first check that fails, in
    /// the order participation, time, period, relevance, execution, finality, committee, signature.
    pub fn apply(&mut self, form: Form, bytes: &[u8], now: u64) -> Result<Applied, Rejection> {
        self.apply_traced(form, bytes, now, &mut ())
    }

    /// As [`LightClient::apply`]; with feature `trace` every step goes to the sink.
    ///
    /// # Errors
    /// The same.
    pub fn apply_traced(
        &mut self,
        form: Form,
        bytes: &[u8],
        now: u64,
        trace: &mut dyn Trace,
    ) -> Result<Applied, Rejection> {
        note!(trace, Entered form.name(), None);
        let store = self.store.as_mut().ok_or(NO_CHECKPOINT)?;
        let mut work = Work::default();
        let (signers, changed) =
            with_update(&self.chain, &self.consensus, form, bytes, |update| {
                store.process(update, bytes, now, &mut work, trace)
            })?;
        Ok(Applied { changed, signers, work })
    }

    /// After a whole period without finality: takes the best update as if its header were final.
    /// The devnet never moves so. `now`: Unix time, seconds.
    ///
    /// # Errors
    /// `input.request` before a bootstrap.
    pub fn force(&mut self, now: u64) -> Result<Changed, InputError> {
        Ok(self.store.as_mut().ok_or(NO_CHECKPOINT)?.force(now))
    }

    /// What the client holds; `None` before a bootstrap.
    pub fn state(&self) -> Option<State<'_>> {
        let store = self.store.as_ref()?;
        Some(State {
            period: store.period,
            next_known: store.next.is_some(),
            anchor: store.anchor.root,
            anchor_slot: store.anchor.slot,
            finalized: store.finalized.as_ref()?,
            head: store.head.as_ref()?,
            size: store.current.size(),
            chain: &self.chain,
        })
    }

    /// The committee of a period, if the client holds it.
    pub fn committee(&self, period: u64) -> Option<&Committee> {
        let store = self.store.as_ref()?;
        if period == store.period {
            return Some(&store.current);
        }
        store.next.as_ref().filter(|_| Some(period) == store.period.checked_add(1))
    }

    /// The store as bytes, at most 56,000; empty before a bootstrap and after a forced update.
    pub fn export(&self) -> Vec<u8> {
        self.store.as_ref().map_or_else(Vec::new, |store| saved::write(&self.chain, store))
    }

    /// Takes a store that [`LightClient::export`] wrote, after proving all of it again.
    ///
    /// * `checkpoint`: the exporting client's [`State::anchor`], pinned by the caller, 32 bytes.
    ///
    /// # Errors
    /// `input.checkpoint`; `decode.*`; `verify.*` of the bootstrap and of the updates inside.
    pub fn import(&mut self, bytes: &[u8], checkpoint: &[u8]) -> Result<Work, Rejection> {
        self.import_traced(bytes, checkpoint, &mut ())
    }

    /// As [`LightClient::import`]; with feature `trace` every step goes to the sink.
    ///
    /// # Errors
    /// The same.
    pub fn import_traced(
        &mut self,
        bytes: &[u8],
        checkpoint: &[u8],
        trace: &mut dyn Trace,
    ) -> Result<Work, Rejection> {
        note!(trace, Entered "import", None);
        let checkpoint = pin(checkpoint)?;
        let size = self.consensus.committee_size();
        let Saved { of_next, header, branch, committee, next, finality } =
            Saved::read(&self.chain, size, bytes)?;
        let (proof, mut work) = ([header, branch], Work::default());
        let (anchor, current, signed) = match &self.consensus {
            Consensus::Beacon(beacon) => {
                beacon::reopen(beacon, checkpoint, of_next, proof, &committee, &mut work, trace)?
            }
            Consensus::Devnet(_) => devnet::reopen(
                &self.chain,
                checkpoint,
                of_next,
                proof,
                &committee,
                &mut work,
                trace,
            )?,
        };
        let finalized = (!of_next).then_some(signed);
        let mut store = Store::new(self.consensus.clone(), anchor, current, finalized);
        for (form, Bytes { bytes, span }) in [(Form::Update, next), (Form::Finality, finality)] {
            if !bytes.is_empty() {
                let trace = &mut Shifted { trace: &mut *trace, by: span.start };
                with_update(&self.chain, &self.consensus, form, bytes, |update| {
                    store.process(update, bytes, u64::MAX, &mut work, trace)
                })?;
            }
        }
        if store.finalized.is_none() {
            return Err(shape("store", "no finalized header", bytes).into());
        }
        // Signed, but perhaps by few: a head is worth keeping only while it is fresh.
        store.head.clone_from(&store.finalized);
        self.store = Some(store);
        Ok(work)
    }

    /// A header that two thirds of a committee the client holds signed in `slot`. The store stays.
    ///
    /// # Errors
    /// As [`verify_attested`]; `input.request` if the client holds no committee of that period.
    pub fn attested(
        &mut self,
        header: &[u8],
        aggregate: &[u8],
        slot: u64,
    ) -> Result<Signed, Rejection> {
        let store = self.store.as_mut().ok_or(NO_CHECKPOINT)?;
        let period = self.consensus.period(slot);
        let committee = match &mut store.next {
            _ if period == store.period => &mut store.current,
            Some(next) if Some(period) == store.period.checked_add(1) => next,
            _ => return Err(InputError::Request("no committee of this period").into()),
        };
        verify_attested(&self.chain, committee, header, aggregate, slot)
    }

    /// Decompressed keys of the committees, to be kept apart from the store: RLP list of strings, the
    /// root of a committee and its points in turn.
    pub fn points(&self) -> Vec<u8> {
        let mut list = ListWriter::default();
        let held = self.store.iter().flat_map(|store| [Some(&store.current), store.next.as_ref()]);
        for committee in held.flatten() {
            list.string(&committee.root().0).string(&committee.cached());
        }
        list.finish()
    }

    /// Takes points that [`LightClient::points`] gave. Those of other committees are left aside; each
    /// of the rest must lie on the curve and compress to the proven key.
    ///
    /// # Errors
    /// `decode.rlp`, `decode.shape`, `decode.point`.
    pub fn load_points(&mut self, bytes: &[u8]) -> Result<(), Rejection> {
        let mut list = Reader::whole_list(bytes, 0, "points")?;
        while !list.is_empty() {
            let root = list.hash("committee root")?;
            let points = list.string("points")?;
            let Some(store) = &mut self.store else { continue };
            for committee in [Some(&mut store.current), store.next.as_mut()].into_iter().flatten() {
                if committee.root() == root {
                    committee.load(points)?;
                }
            }
        }
        Ok(())
    }
}

/// Checks one signed header against a committee that the caller trusts; nothing is kept.
///
/// * `header`: SSZ `LightClientHeader`, or a devnet header's RLP.
/// * `aggregate`: bits ‖ signature, SSZ `SyncAggregate`.
/// * `slot`: the slot of the signature; on the devnet the block's number. It must lie in the
///   committee's period: the caller knows which that is.
///
/// # Errors
/// `input.chain` if the chain has no committees; `decode.*`; `verify.participation` below two thirds,
/// `.time`, `.execution`, `.signature`.
pub fn verify_attested(
    chain: &Chain,
    committee: &mut Committee,
    header: &[u8],
    aggregate: &[u8],
    slot: u64,
) -> Result<Signed, Rejection> {
    let mut work = Work::default();
    match consensus(chain)? {
        Consensus::Beacon(beacon) => {
            beacon::attested(beacon, committee, header, aggregate, slot, &mut work)
        }
        Consensus::Devnet(_) => {
            devnet::attested(chain, committee, header, aggregate, slot, &mut work)
        }
    }
}

const NO_CHECKPOINT: InputError = InputError::Request("no checkpoint yet");

fn consensus(chain: &Chain) -> Result<&Consensus, InputError> {
    chain.consensus.as_ref().ok_or(InputError::Chain("it says nothing about its committees"))
}

/// Decodes an update in the form of the chain and hands it on.
fn with_update<T>(
    chain: &Chain,
    consensus: &Consensus,
    form: Form,
    bytes: &[u8],
    take: impl FnOnce(&dyn Update) -> Result<T, Rejection>,
) -> Result<T, Rejection> {
    match consensus {
        Consensus::Beacon(beacon) => take(&BeaconUpdate::decode(beacon, form, bytes)?),
        Consensus::Devnet(devnet) => {
            take(&DevnetUpdate::decode(chain, devnet.committee_size, form, bytes)?)
        }
    }
}

/// A checkpoint is never a default: 32 bytes, not all zero.
fn pin(checkpoint: &[u8]) -> Result<Hash, InputError> {
    match checkpoint.try_into().map(Hash) {
        Ok(Hash::ZERO) => Err(InputError::Checkpoint("all zero")),
        Ok(root) => Ok(root),
        Err(_) => Err(InputError::Checkpoint("a checkpoint has 32 bytes")),
    }
}

fn shape(field: &'static str, reason: &'static str, bytes: &[u8]) -> DecodeError {
    let span = Span { start: 0, end: bytes.len() };
    DecodeError { malformed: Malformed::Shape, field, reason, span }
}
