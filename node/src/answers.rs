//! Proofs as they are served: each system has places of its own to prove in, and keeps the proofs
//! that it made a short time ago.
//!
//! Clients ask the same of one block, and a proof may cost sums of thousands of points. So equal
//! questions about one block are answered once, also those that are asked while the answer is being
//! made. And no system has more threads than the machine, so that one that is slow to prove delays
//! its own clients alone.

mod permits;
mod recent;

use std::collections::HashMap;
use std::num::NonZero;
use std::thread::available_parallelism;

use lightproof_prover::chain::database::Served;
use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::system::Proof;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;

use crate::metrics::Labels;
use permits::Permits;
use recent::Recent;

/// Answers of every system of a chain.
#[derive(Debug)]
pub struct Answers {
    desks: HashMap<&'static str, Desk>,
    /// Proofs by system and source.
    proofs: Family<Labels<2>, Counter>,
}

/// Where one system answers.
#[derive(Debug)]
struct Desk {
    recent: Recent,
    permits: Permits,
    made: Counter,
    kept: Counter,
}

/// What an answer follows from.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Hash of the block, which binds the state.
    pub block: &'a Word,
    /// As the system's page has it.
    pub query: &'a [u8],
    /// Names of the proof shapes that the client takes, in the system's order.
    pub accepted: &'a [&'static str],
}

impl Answers {
    /// No answers yet.
    pub fn of(systems: &[Served]) -> Self {
        let threads = available_parallelism().map_or(1, NonZero::get);
        Self::with(systems.iter().map(|served| served.spec.name), threads)
    }

    /// * `places`: proofs of one system that are made at once.
    fn with(systems: impl Iterator<Item = &'static str>, places: usize) -> Self {
        let proofs = Family::<Labels<2>, Counter>::default();
        let desk = |name| {
            let [made, kept] = ["made", "kept"]
                .map(|source| proofs.get_or_create_owned(&[("system", name), ("source", source)]));
            Desk { recent: Recent::default(), permits: Permits::new(places), made, kept }
        };
        Self { desks: systems.map(|name| (name, desk(name))).collect(), proofs }
    }

    /// How many proofs there were, by system and source.
    pub(crate) fn proofs(&self) -> Family<Labels<2>, Counter> {
        self.proofs.clone()
    }

    /// Counts a proof that was made without being kept.
    pub(crate) fn made(&self, system: &str) {
        if let Some(desk) = self.desks.get(system) {
            desk.made.inc();
        }
    }

    /// The proof that answers a question of a system; made if it is not kept.
    ///
    /// # Errors
    /// As `make`; nothing is kept of an error.
    pub fn answer<E>(
        &self,
        system: &str,
        question: Question<'_>,
        make: impl FnOnce() -> Result<Proof, E>,
    ) -> Result<Proof, E> {
        let Some(desk) = self.desks.get(system) else { return make() };
        let Desk { recent, permits, made, kept } = desk;
        let mut source = kept;
        let proof = recent.answer(question.name(), || {
            source = made;
            let _permit = permits.acquire();
            make()
        })?;
        source.inc();
        Ok(proof)
    }
}

impl Question<'_> {
    /// Names of shapes hold no zero byte, and a hash has one length.
    fn name(&self) -> Word {
        let variants = self.accepted.join(",");
        keccak256(&[self.block.as_slice(), variants.as_bytes(), &[0], self.query].concat())
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    fn question(query: &[u8]) -> Question<'_> {
        Question { block: &[1; 32], query, accepted: &["plain"] }
    }

    fn proof() -> Proof {
        Proof::plain(vec![5])
    }

    fn ask(answers: &Answers, system: &str, question: Question<'_>, make: impl FnOnce() -> Proof) {
        let answer = answers.answer(system, question, || Ok::<_, Infallible>(make()));
        assert_eq!(answer, Ok(proof()));
    }

    #[test]
    fn a_system_whose_places_are_all_taken_delays_no_other() {
        let answers = Answers::with(["quick", "slow"].into_iter(), 2);
        let (busy, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (started, starts) = mpsc::channel();
        thread::scope(|scope| {
            let releases: Vec<_> = (0..6_u8)
                .map(|number| {
                    let (release, released) = mpsc::sync_channel::<()>(1);
                    let (answers, busy, most, started) = (&answers, &busy, &most, started.clone());
                    scope.spawn(move || {
                        let make = || {
                            let now = busy.fetch_add(1, Ordering::SeqCst) + 1;
                            most.fetch_max(now, Ordering::SeqCst);
                            started.send(number).unwrap();
                            released.recv().unwrap();
                            busy.fetch_sub(1, Ordering::SeqCst);
                            proof()
                        };
                        ask(answers, "slow", question(&[number]), make);
                    });
                    release
                })
                .collect();
            let first = [starts.recv().unwrap(), starts.recv().unwrap()];
            // Both places are taken, and nobody gives one back before the other system answers.
            ask(&answers, "quick", question(&[]), proof);
            assert_eq!(most.load(Ordering::SeqCst), 2);
            let others = (first.len()..releases.len()).map(|_| starts.recv().unwrap());
            for number in first.into_iter().chain(others) {
                releases[usize::from(number)].send(()).unwrap();
            }
        });
        assert_eq!((busy.into_inner(), most.into_inner()), (0, 2));
    }

    #[test]
    fn a_kept_answer_needs_no_place() {
        let answers = Answers::with(["slow"].into_iter(), 1);
        ask(&answers, "slow", question(&[1]), proof);
        let make = || {
            // Within the only place.
            let kept = answers.answer("slow", question(&[1]), || Err(()));
            assert_eq!(kept, Ok(proof()));
            proof()
        };
        ask(&answers, "slow", question(&[2]), make);
    }

    #[test]
    fn each_part_of_a_question_tells_answers_apart() {
        let answers = Answers::with(["one", "other"].into_iter(), 1);
        let count = AtomicUsize::new(0);
        let make = || {
            count.fetch_add(1, Ordering::SeqCst);
            proof()
        };
        let asked = question(&[1]);
        let others = [
            ("one", asked),
            ("other", asked),
            ("one", Question { block: &[2; 32], ..asked }),
            ("one", Question { query: &[2], ..asked }),
            ("one", Question { accepted: &["plain", "other"], ..asked }),
        ];
        for _ in 0..2 {
            for (name, asked) in others {
                ask(&answers, name, asked, make);
            }
        }
        assert_eq!(count.into_inner(), others.len());
        let Desk { made, kept, .. } = &answers.desks["one"];
        assert_eq!((made.get(), kept.get()), (4, 4));
    }
}
