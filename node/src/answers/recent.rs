//! Proofs that were made a short time ago, of one system.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lightproof_prover::hash::Word;
use lightproof_prover::system::Proof;

/// Questions that are remembered, the oldest forgotten first.
const MAX_QUESTIONS: usize = 4_096;
/// Bytes of the proofs that are kept.
const MAX_BYTES: usize = 4 << 20;

/// A proof's place: whoever asks while it is made waits for it.
type Place = Arc<Mutex<Option<Proof>>>;

/// Proofs by the name of their question, which must say all that the proof follows from.
#[derive(Debug, Default)]
pub(super) struct Recent(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// Each with the bytes of its proof, none as long as it is not made.
    places: HashMap<Word, (Place, usize)>,
    /// Names, the oldest first.
    order: VecDeque<Word>,
    bytes: usize,
}

impl Recent {
    /// The proof of this name; made if it is not kept. Nothing is kept of an error.
    pub(super) fn answer<E>(
        &self,
        name: Word,
        make: impl FnOnce() -> Result<Proof, E>,
    ) -> Result<Proof, E> {
        let place = lock(&self.0).place(name);
        let mut kept = lock(&place);
        if let Some(proof) = &*kept {
            return Ok(proof.clone());
        }
        let proof = make()?;
        *kept = Some(proof.clone());
        drop(kept);
        lock(&self.0).fill(&name, proof.bytes.len());
        Ok(proof)
    }
}

impl Kept {
    fn place(&mut self, name: Word) -> Place {
        if let Some((place, _)) = self.places.get(&name) {
            return Arc::clone(place);
        }
        if self.order.len() >= MAX_QUESTIONS {
            self.forget();
        }
        let place = Place::default();
        self.places.insert(name, (Arc::clone(&place), 0));
        self.order.push_back(name);
        place
    }

    fn fill(&mut self, name: &Word, bytes: usize) {
        // It may be forgotten by now.
        let Some((_, length)) = self.places.get_mut(name) else { return };
        self.bytes = self.bytes - *length + bytes;
        *length = bytes;
        while self.bytes > MAX_BYTES {
            self.forget();
        }
    }

    fn forget(&mut self) {
        let oldest = self.order.pop_front();
        if let Some((_, bytes)) = oldest.and_then(|name| self.places.remove(&name)) {
            self.bytes -= bytes;
        }
    }
}

/// A maker that panicked leaves an empty place, which is as good as a new one.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn name(number: usize) -> Word {
        lightproof_prover::hash::keccak256(&number.to_be_bytes())
    }

    fn proof(bytes: usize) -> Proof {
        Proof::plain(vec![7; bytes])
    }

    #[test]
    fn equal_questions_are_answered_once_also_at_the_same_time() {
        let (recent, made) = (Recent::default(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for asked in 0..8 {
                let (recent, made) = (&recent, &made);
                scope.spawn(move || {
                    let prove = || {
                        made.fetch_add(1, Ordering::Relaxed);
                        Ok::<_, Infallible>(proof(asked % 2 + 1))
                    };
                    let found = recent.answer(name(asked % 2), prove).unwrap();
                    assert_eq!(found.bytes.len(), asked % 2 + 1);
                });
            }
        });
        assert_eq!(made.into_inner(), 2);
    }

    #[test]
    fn an_error_is_not_kept() {
        let recent = Recent::default();
        assert_eq!(recent.answer(name(1), || Err(5)), Err(5));
        assert_eq!(recent.answer(name(1), || Ok::<_, u8>(proof(1))), Ok(proof(1)));
        assert_eq!(recent.answer(name(1), || Err(5)), Ok(proof(1)));
    }

    #[test]
    fn the_oldest_are_forgotten_by_bytes_and_by_number() {
        for (bytes, fit) in [(MAX_BYTES / 4, 4), (1, MAX_QUESTIONS)] {
            let recent = Recent::default();
            for number in 0..=fit {
                recent.answer(name(number), || Ok::<_, Infallible>(proof(bytes))).unwrap();
            }
            let kept = |number| recent.answer(name(number), || Err(())).is_ok();
            assert_eq!([kept(fit), kept(1)], [true, true]);
            assert!(!kept(0));
            let inner = lock(&recent.0);
            assert!(inner.bytes <= MAX_BYTES && inner.order.len() <= MAX_QUESTIONS);
            assert_eq!(inner.order.len(), inner.places.len());
        }
    }
}
