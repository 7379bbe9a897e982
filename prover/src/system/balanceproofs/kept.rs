//! Every proof of a `basic` vector as it was at some block, from which those of a later vector
//! follow: a question sums up its positions and what has changed, not the whole vector.
//!
//! To make all proofs takes as long as to answer some hundred questions without them. So they are
//! made, on one thread beside the questions, once the questions have cost about as much as that;
//! and made anew when questions about a vector that has changed since have cost as much again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use ark_bls12_381::{Fr, G1Affine};
use ark_ec::CurveGroup as _;
use rayon::ThreadPoolBuilder;

use super::encoding::bytes;
use super::maintain::{Innermost, weighted};
use super::opening::{Vector, envelope};
use super::variant::Variant;

/// Points that questions sum up beyond their own, for each position of the vector, before all
/// proofs are made: that takes about as long.
const BUDGET: usize = 64;

/// Kept proofs of one chain's vector.
#[derive(Debug, Default)]
pub(super) struct Kept {
    innermost: OnceLock<Innermost>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    base: Option<Arc<Base>>,
    /// Points that questions have summed up beyond their own.
    spent: usize,
    is_making: bool,
}

/// A vector with all its proofs.
#[derive(Debug)]
struct Base {
    values: Vec<Fr>,
    proofs: Vec<G1Affine>,
}

impl Kept {
    /// A proof of a `basic` vector's positions as it travels, `plain` or `singles`; `None` for
    /// other variants.
    pub(super) fn prove(
        self: &Arc<Self>,
        vector: &Arc<Vector>,
        positions: &[u64],
        variant: Variant,
    ) -> Option<Vec<u8>> {
        let points = match variant {
            Variant::Plain => vec![self.aggregate(vector, positions)],
            Variant::Singles => {
                let singles = positions.chunks(1);
                singles.map(|position| self.aggregate(vector, position)).collect()
            }
            _ => return None,
        };
        Some(envelope(&vector.values(positions), &bytes(&points)))
    }

    fn aggregate(self: &Arc<Self>, vector: &Arc<Vector>, positions: &[u64]) -> G1Affine {
        let values = vector.all_values();
        let base = self.state().base.clone();
        let base = base.map(|base| (base.changes(values), base));
        // With more changes than that a sum from kept proofs is no shorter.
        let base = base.filter(|(changes, _)| changes.len() <= values.len() / 2);
        let extra = base.as_ref().map_or(values.len(), |(changes, _)| changes.len());
        let proof = match (base, self.innermost.get()) {
            (Some((changes, base)), Some(innermost)) => {
                let wanted = weighted(&vector.setup().shape, positions);
                innermost.sum(&base.proofs, &changes, &wanted).into_affine()
            }
            _ => vector.aggregate(positions),
        };
        self.spend(extra, vector);
        proof
    }

    /// Notes what a question cost, and has all proofs made once that is worth it.
    fn spend(self: &Arc<Self>, points: usize, vector: &Arc<Vector>) {
        let mut state = self.state();
        state.spent += points;
        if state.is_making || state.spent < BUDGET * vector.all_values().len() {
            return;
        }
        state.is_making = true;
        drop(state);
        let (kept, vector) = (Arc::clone(self), Arc::clone(vector));
        let name = "balanceproofs".to_owned();
        // Where no thread can be had, questions are answered as before.
        let _ = thread::Builder::new().name(name).spawn(move || kept.make(&vector));
    }

    /// Makes all proofs of a vector.
    fn make(&self, vector: &Vector) {
        let values = vector.all_values().to_vec();
        let work = || {
            let innermost = self.innermost.get_or_init(|| Innermost::of(vector.setup()));
            innermost.prepared.open_all(&values)
        };
        // One thread: blocks and other questions need theirs.
        let Ok(pool) = ThreadPoolBuilder::new().num_threads(1).build() else { return };
        let proofs = pool.install(work);
        let base = Some(Arc::new(Base { values, proofs }));
        *self.state() = State { base, spent: 0, is_making: false };
    }

    /// Nothing panics while it holds the lock.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Base {
    /// Positions whose values differ, each with the difference.
    fn changes(&self, values: &[Fr]) -> BTreeMap<usize, Fr> {
        let pairs = values.iter().zip(&self.values).enumerate();
        pairs
            .filter(|(_, (new, old))| new != old)
            .map(|(at, (new, old))| (at, *new - old))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::balanceproofs::{Config, Setup, Source};

    const SIZE: usize = 16;

    fn vector(change: impl Fn(usize) -> u64) -> Arc<Vector> {
        let sides = [1, 1, SIZE as u64];
        let config = Config { sides, source: Source::Seed(5), ..Config::DEFAULT };
        let values = (0..SIZE).map(|at| Fr::from(at as u64 * 1_000_003 + change(at))).collect();
        Arc::new(Vector::new(Setup::of(&config), values))
    }

    /// Proofs from what is kept are those that the vector makes itself; the points that they cost
    /// beyond their own.
    fn cost(kept: &Arc<Kept>, vector: &Arc<Vector>) -> usize {
        let all: Vec<u64> = (0..SIZE as u64).collect();
        let before = kept.state().spent;
        for positions in [&all[3..4], &all[2..9], &all[..]] {
            let proof = kept.prove(vector, positions, Variant::Plain);
            assert_eq!(proof, vector.prove(positions, Variant::Plain), "{positions:?}");
        }
        kept.state().spent - before
    }

    #[test]
    fn proofs_follow_from_those_of_an_earlier_vector() {
        let (kept, first) = (Arc::new(Kept::default()), vector(|_| 0));
        assert_eq!(cost(&kept, &first), 3 * SIZE);
        kept.make(&first);
        assert_eq!(cost(&kept, &first), 0);
        // One change, at an asked position and elsewhere; half of the vector; more than that.
        assert_eq!(cost(&kept, &vector(|at| u64::from(at == 3))), 3);
        assert_eq!(cost(&kept, &vector(|at| u64::from(at == 15))), 3);
        assert_eq!(cost(&kept, &vector(|at| u64::from(at % 2 == 0))), 3 * SIZE / 2);
        assert_eq!(cost(&kept, &vector(|at| u64::from(at > 2))), 3 * SIZE);
        let singles = kept.prove(&first, &[0, 9], Variant::Singles);
        assert_eq!(singles, first.prove(&[0, 9], Variant::Singles));
        assert_eq!(kept.prove(&first, &[0, 9], Variant::Hinted), None);
    }

    #[test]
    fn all_proofs_are_made_once_questions_have_cost_as_much() {
        let (kept, vector) = (Arc::new(Kept::default()), vector(|_| 0));
        for question in 1..BUDGET {
            kept.prove(&vector, &[1], Variant::Plain);
            let state = kept.state();
            assert_eq!((state.spent, state.is_making), (question * SIZE, false));
        }
        kept.prove(&vector, &[1], Variant::Plain);
        let is_making = |state: &State| state.is_making || state.base.is_some();
        assert!(is_making(&kept.state()));
        while kept.state().base.is_none() {
            thread::yield_now();
        }
        let state = kept.state();
        assert_eq!((state.spent, state.is_making), (0, false));
    }
}
