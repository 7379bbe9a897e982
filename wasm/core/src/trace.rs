//! What a verification did, step by step, for whoever wants to show it.

use crate::error::Span;
use crate::hash::Hash;

/// One step of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step<'a> {
    /// The bytes at `span` were hashed and matched `digest`.
    Hashed {
        /// What the bytes are.
        what: &'static str,
        /// Where they stand in the proof.
        span: Span,
        /// Their hash.
        digest: &'a Hash,
    },
    /// The group equations of all claims were settled, in one product or claim by claim.
    Settled {
        /// Equations.
        equations: usize,
        /// Scalar multiplications.
        terms: usize,
        /// Miller loops.
        loops: usize,
        /// Final exponentiations: one if all equations hold.
        exponentiations: usize,
    },
}

/// Takes the steps. Clocks stay on this side: core has none.
pub trait Trace {
    /// Called once per step, in order.
    fn step(&mut self, step: Step<'_>);
}

impl Trace for () {
    fn step(&mut self, _step: Step<'_>) {}
}
