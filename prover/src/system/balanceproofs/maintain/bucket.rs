//! Proofs of an innermost bucket: as they were made, and a log of what changed since.

use std::collections::BTreeMap;

use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ff::Zero;

use super::folded;
use super::side::Side;
use crate::sums::sum;
use crate::system::balanceproofs::fk20::{Job, Lines};
use crate::system::balanceproofs::setup::Setup;

/// What all innermost buckets share.
#[derive(Debug)]
pub(in super::super) struct Innermost {
    pub(super) side: Side,
    /// \[Lₖ(γ)\]₁.
    pub(super) lines: Vec<G1Affine>,
    pub(in super::super) prepared: Lines,
}

/// Proofs of the positions of a bucket.
#[derive(Clone, Debug)]
pub(super) struct Bucket {
    pub(super) proofs: Vec<G1Affine>,
    /// Changes since `proofs`, position and difference: those that `job` knows, and those after.
    pub(super) older: Vec<(usize, Fr)>,
    pub(super) recent: Vec<(usize, Fr)>,
    job: Option<Job>,
}

impl Bucket {
    /// A bucket of zeros.
    pub(super) fn zeros(count: usize) -> Self {
        let proofs = vec![G1Affine::identity(); count];
        Self { proofs, older: vec![], recent: vec![], job: None }
    }

    /// Makes all proofs of a bucket.
    pub(super) fn new(values: &[Fr], lines: &Lines) -> Self {
        Self { proofs: lines.open_all(values), older: vec![], recent: vec![], job: None }
    }

    /// Logs a change; `values` have it.
    pub(super) fn update(
        &mut self,
        change: (usize, Fr),
        values: &[Fr],
        capacity: usize,
        lines: &Lines,
    ) {
        self.recent.push(change);
        if let Some(job) = &mut self.job {
            job.advance(Job::work(values.len()).div_ceil(capacity));
            if let Some(proofs) = job.proofs() {
                self.proofs = proofs.to_vec();
                self.older.clear();
                self.job = None;
            }
        }
        if self.recent.len() >= capacity && self.job.is_none() {
            self.older = std::mem::take(&mut self.recent);
            self.job = Some(lines.start(values));
        }
    }

    /// The sum of the proofs of some positions, each by a factor, none twice.
    pub(super) fn sum(&self, wanted: &[(usize, Fr)], inner: &Innermost) -> G1Projective {
        let mut changes: BTreeMap<usize, Fr> = BTreeMap::new();
        for (changed, change) in self.older.iter().chain(&self.recent) {
            *changes.entry(*changed).or_default() += change;
        }
        inner.sum(&self.proofs, &changes, wanted)
    }
}

impl Innermost {
    /// What buckets of the last side share.
    pub(in super::super) fn of(setup: &Setup) -> Self {
        let [_, _, m] = setup.sides();
        Self::new(setup, folded(setup.lagranges(), m))
    }

    /// * `lines`: as above.
    pub(super) fn new(setup: &Setup, lines: Vec<G1Affine>) -> Self {
        let prepared = Lines::new(&setup.g1()[..lines.len()], &lines);
        Self { side: Side::new(&setup.shape.inner), lines, prepared }
    }

    /// The sum of the proofs of some positions, each by a factor, none twice: those that were made,
    /// and what every change since then does to all of them together. One sum of two points for
    /// each position and one for each change.
    pub(in super::super) fn sum(
        &self,
        proofs: &[G1Affine],
        changes: &BTreeMap<usize, Fr>,
        wanted: &[(usize, Fr)],
    ) -> G1Projective {
        let side = &self.side;
        let (mut points, mut factors) = (Vec::new(), Vec::new());
        let mut add = |point: G1Affine, factor: Fr| {
            points.push(point);
            factors.push(factor);
        };
        // A change of δ at c moves the proof of k by δ·(s·l_c − (1 + s)·l_k)/ωᵏ, for s = ωᵏ/(ωᶜ −
        // ωᵏ); its own, as `Side::own` says.
        let scaled: Vec<(usize, Fr)> =
            wanted.iter().map(|(k, factor)| (*k, *factor * side.back(*k))).collect();
        for (changed, change) in changes {
            let slopes = scaled.iter().map(|(k, factor)| side.slope(*changed, *k) * factor);
            add(self.lines[*changed], slopes.sum::<Fr>() * change);
        }
        let total: Fr = changes.values().sum();
        for ((k, factor), (_, scaled)) in wanted.iter().zip(&scaled) {
            add(proofs[*k], *factor);
            let slopes = changes.iter().map(|(changed, change)| side.slope(*changed, *k) * change);
            let own = changes.get(k);
            let others = total - own.copied().unwrap_or_default();
            let mut line = -(others + slopes.sum::<Fr>()) * scaled;
            if let Some(change) = own {
                line += side.own(*k) * change * factor;
                add(self.prepared.sum(*k), -*change * factor);
            }
            if !line.is_zero() {
                add(self.lines[*k], line);
            }
        }
        sum(&points, &factors)
    }
}
