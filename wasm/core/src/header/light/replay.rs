//! A saved store while its signed updates are proven again.

use alloc::boxed::Box;

use super::Signed;
use super::committees::Committees;
use super::store::{Kept, Store};
use super::update::Update;
use crate::error::Rejection;
use crate::header::committee::two_thirds;
use crate::observer::Observer;

/// Not a store as long as nothing is finalized: it has no head that anyone could ask for.
#[derive(Clone, Debug)]
pub(super) enum Replaying {
    /// The anchor is a header that hands over to the committee after it; that committee has
    /// finalized nothing yet. `most`: signers of an update so far.
    Before { committees: Box<Committees>, most: usize },
    /// A header is finalized.
    Store(Box<Store>),
}

impl Replaying {
    /// * `finalized`: the anchor's header, if it stands in the period of its committee.
    pub(super) fn new(committees: Committees, finalized: Option<Signed>) -> Self {
        match finalized {
            Some(finalized) => Self::Store(Store::new(committees, finalized).into()),
            None => Self::Before { committees: committees.into(), most: 0 },
        }
    }

    /// Checks a saved update and takes what it proves.
    ///
    /// # Errors
    /// As [`Store::process`].
    pub(super) fn process<O: Observer>(
        self,
        update: &dyn Update<O>,
        raw: &[u8],
        observer: &mut O,
    ) -> Result<Self, Rejection> {
        let (mut committees, most) = match self {
            Self::Before { committees, most } => (committees, most),
            Self::Store(mut store) => {
                store.process(update, raw, u64::MAX, observer)?;
                return Ok(Self::Store(store));
            }
        };
        // As if the last slot before the period were final.
        let known = committees.consensus.first_slot(committees.period).saturating_sub(1);
        let valid = committees.validate(update, known, u64::MAX, observer)?;
        let most = most.max(valid.signers);
        let is_safe = valid.signers >= two_thirds(valid.of);
        match valid.finalized.clone().filter(|header| is_safe && header.slot > known) {
            None => Ok(Self::Before { committees, most }),
            Some(finalized) => {
                committees.check_finalized_period(finalized.slot)?;
                let kept = Kept::of(update, raw, &valid);
                committees.next = valid.next;
                Ok(Self::Store(Store::replayed(*committees, finalized, most, kept).into()))
            }
        }
    }

    /// The store, with the finalized header as its head: a later one is worth keeping only while it
    /// is fresh.
    pub(super) fn finish(self) -> Option<Store> {
        match self {
            Self::Before { .. } => None,
            Self::Store(store) => Some(store.without_head()),
        }
    }
}
