//! A light client: from a checkpoint that the caller pins to signed headers.
//!
//! Ethereum and the devnet share the store, its rules and the signatures; only the containers
//! differ. What comes out is the hash of an execution (or devnet) block, and that is what
//! [`crate::TrustedHeader::pinned`] takes: no header is trusted but by its hash.
//!
//! Source: `spec/headers.md`, sections 4 to 7; consensus-specs,
//! `altair/light-client/sync-protocol.md`.

mod beacon;
mod committees;
mod devnet;
mod json;
mod replay;
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
use crate::error::{InputError, Malformed, Rejection, Span};
use crate::hash::Hash;
use crate::observer::{Observer, note};
use crate::wire::{Bytes, ListWriter, Reader};
use beacon::BeaconUpdate;
use committees::Committees;
use devnet::DevnetUpdate;
use replay::Replaying;
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
    /// * `bytes`: SSZ `LightClientBootstrap`; on the devnet RLP `[header, keys, aggregate, proofs,
    ///   sibling]`.
    ///
    /// # Errors
    /// `input.checkpoint`; `decode.*` for the form; `verify.checkpoint`, `.execution`,
    /// `.committee`.
    pub fn bootstrap(
        &mut self,
        checkpoint: &[u8],
        bytes: &[u8],
        observer: &mut impl Observer,
    ) -> Result<(), Rejection> {
        note!(observer, Entered "bootstrap", None);
        let checkpoint = pin(checkpoint)?;
        let (anchor, committee, header) = match &self.consensus {
            Consensus::Beacon(beacon) => beacon::bootstrap(beacon, checkpoint, bytes, observer)?,
            Consensus::Devnet(devnet) => {
                let size = devnet.committee_size;
                devnet::bootstrap(&self.chain, size, checkpoint, bytes, observer)?
            }
        };
        let committees = Committees::new(self.consensus.clone(), anchor, committee);
        self.store = Some(Store::new(committees, header));
        Ok(())
    }

    /// Checks an update and takes what it proves.
    ///
    /// * `bytes`: SSZ as the Beacon API serves it, without the stream's prefix; on the devnet RLP
    ///   `[header, bits, signature]`, with `keys, aggregate, proofs, sibling` after it in
    ///   [`Form::Update`].
    /// * `now`: Unix time, seconds; `u64::MAX` for a caller without a clock.
    ///
    /// # Errors
    /// `input.request` before a bootstrap; `decode.*`; `verify.*` for the first check that fails,
    /// in the order participation, time, period, relevance, execution, finality, committee,
    /// signature; [`Rejection::Fork`] for an update of a fork that the chain configuration does
    /// not know.
    pub fn apply(
        &mut self,
        form: Form,
        bytes: &[u8],
        now: u64,
        observer: &mut impl Observer,
    ) -> Result<Applied, Rejection> {
        note!(observer, Entered form.name(), None);
        let store = self.store.as_mut().ok_or(NO_CHECKPOINT)?;
        with_update(&self.chain, &self.consensus, form, bytes, |update| {
            store.process(update, bytes, now, observer)
        })
    }

    /// After a whole period without finality: takes the best update as if its header were final, if
    /// two thirds signed it. From then on the state is [`State::forced`], until the client
    /// starts again from a checkpoint. The devnet never moves so. `now`: Unix time, seconds.
    ///
    /// # Errors
    /// `input.request` before a bootstrap; `verify.participation`, its span empty, if fewer than
    /// two thirds signed the best update that there is. A refused step leaves the client as it
    /// was.
    pub fn force(&mut self, now: u64) -> Result<Changed, Rejection> {
        Ok(self.store.as_mut().ok_or(NO_CHECKPOINT)?.force(now)?)
    }

    /// What the client holds; `None` before a bootstrap.
    pub fn state(&self) -> Option<State<'_>> {
        let store = self.store.as_ref()?;
        let Committees { anchor, period, next, .. } = &store.committees;
        Some(State {
            period: *period,
            next_known: next.is_some(),
            anchor: anchor.root,
            anchor_slot: anchor.slot,
            anchor_of_next: anchor.of_next,
            finalized: &store.finalized,
            head: &store.head,
            safe: &store.safe,
            forced: store.evidence.forced,
            chain: &self.chain,
        })
    }

    /// The committee of a period, if the client holds it.
    pub fn committee(&self, period: u64) -> Option<&Committee> {
        let held = &self.store.as_ref()?.committees;
        if period == held.period {
            return Some(&held.current);
        }
        held.next.as_ref().filter(|_| Some(period) == held.period.checked_add(1))
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
    pub fn import(
        &mut self,
        bytes: &[u8],
        checkpoint: &[u8],
        observer: &mut impl Observer,
    ) -> Result<(), Rejection> {
        note!(observer, Entered "import", None);
        let checkpoint = pin(checkpoint)?;
        let Saved { of_next, header, branch, committee, next, finality } =
            Saved::read(&self.chain, &self.consensus, bytes)?;
        let proof = [header, branch];
        let (anchor, current, signed) = match &self.consensus {
            Consensus::Beacon(beacon) => {
                beacon::reopen(beacon, checkpoint, of_next, proof, &committee, observer)?
            }
            Consensus::Devnet(_) => {
                devnet::reopen(&self.chain, checkpoint, of_next, proof, &committee, observer)?
            }
        };
        let finalized = (!of_next).then_some(signed);
        let committees = Committees::new(self.consensus.clone(), anchor, current);
        let mut store = Replaying::new(committees, finalized);
        for (form, Bytes { bytes, span }) in [(Form::Update, next), (Form::Finality, finality)] {
            if !bytes.is_empty() {
                observer.part(span.start);
                store = with_update(&self.chain, &self.consensus, form, bytes, |update| {
                    store.process(update, bytes, observer)
                })?;
            }
        }
        let span = Span { start: 0, end: bytes.len() };
        let store = store.finish();
        let store = store.ok_or(Malformed::Shape.at("store", "no finalized header", span))?;
        self.store = Some(store);
        Ok(())
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
        let held = &mut self.store.as_mut().ok_or(NO_CHECKPOINT)?.committees;
        let period = self.consensus.period(slot);
        let committee = match &mut held.next {
            _ if period == held.period => &mut held.current,
            Some(next) if Some(period) == held.period.checked_add(1) => next,
            _ => {
                return Err(InputError::Request(
                    "the light client has no committee for this period",
                )
                .into());
            }
        };
        verify_attested(&self.chain, committee, header, aggregate, slot)
    }

    /// Decompressed keys of the committees, to be kept apart from the store: RLP list of strings,
    /// the root of a committee and its points in turn.
    pub fn points(&self) -> Vec<u8> {
        let mut list = ListWriter::default();
        let held = self.store.iter().map(|store| &store.committees);
        let held = held.flat_map(|held| [Some(&held.current), held.next.as_ref()]);
        for committee in held.flatten() {
            list.string(&committee.root().0).string(&committee.cached());
        }
        list.finish()
    }

    /// Takes points that [`LightClient::points`] gave. Those of other committees are left aside;
    /// each of the rest must lie on the curve and compress to the proven key.
    ///
    /// # Errors
    /// `decode.rlp`, `decode.shape`, `decode.point`.
    pub fn load_points(&mut self, bytes: &[u8]) -> Result<(), Rejection> {
        let mut list = Reader::whole_list(bytes, 0, "points")?;
        while !list.is_empty() {
            let root = list.hash("committee root")?;
            let points = list.string("points")?;
            let Some(Store { committees: held, .. }) = &mut self.store else { continue };
            for committee in [Some(&mut held.current), held.next.as_mut()].into_iter().flatten() {
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
/// `input.chain` if the chain has no committees; `input.request` for a committee of another size;
/// `decode.*`; `verify.participation` below two thirds, `.time`, `.execution`, `.signature`.
pub fn verify_attested(
    chain: &Chain,
    committee: &mut Committee,
    header: &[u8],
    aggregate: &[u8],
    slot: u64,
) -> Result<Signed, Rejection> {
    let observer = &mut ();
    let consensus = consensus(chain)?;
    if consensus.committee_size().is_some_and(|size| size != committee.size()) {
        return Err(InputError::Request("a committee of another size than the chain's").into());
    }
    match consensus {
        Consensus::Beacon(beacon) => {
            beacon::attested(beacon, committee, header, aggregate, slot, observer)
        }
        Consensus::Devnet(_) => {
            devnet::attested(chain, committee, header, aggregate, slot, observer)
        }
    }
}

const NO_CHECKPOINT: InputError =
    InputError::Request("the light client has no checkpoint: call bootstrap or import first");

fn consensus(chain: &Chain) -> Result<&Consensus, InputError> {
    chain
        .consensus
        .as_ref()
        .ok_or(InputError::Chain("consensus is missing: needed for signed headers"))
}

/// Decodes an update in the form of the chain and hands it on.
fn with_update<T, O: Observer>(
    chain: &Chain,
    consensus: &Consensus,
    form: Form,
    bytes: &[u8],
    take: impl FnOnce(&dyn Update<O>) -> Result<T, Rejection>,
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
        Ok(Hash::ZERO) => Err(InputError::Checkpoint("expected 32 bytes that are not all zero")),
        Ok(root) => Ok(root),
        Err(_) => Err(InputError::Checkpoint("expected 32 bytes")),
    }
}
