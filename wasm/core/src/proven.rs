//! Proven facts, and the one function that makes them.

use alloc::vec::Vec;

use crate::error::Rejection;
use crate::hash::{Hash, Keccak256};
use crate::root::{BlockRef, Root};
use crate::system::{Checked, Equations, System};
use crate::trace::{self, Trace, note};

/// A question, the root it is asked under, and a node's answer.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a, S: System> {
    /// The trusted root.
    pub root: &'a Root<S>,
    /// The query, RLP in the system's form.
    pub query: &'a [u8],
    /// The shape of the proof, as the reply names it.
    pub variant: &'a str,
    /// The proof, from anyone.
    pub proof: &'a [u8],
}

/// A fact that was proven under a trusted root. [`verify`] alone makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven<S: System> {
    query: S::Query,
    block: BlockRef,
    fact: S::Fact,
}

impl<S: System> Proven<S> {
    /// What was asked.
    pub const fn query(&self) -> &S::Query {
        &self.query
    }

    /// The block that the fact is about.
    pub const fn block(&self) -> BlockRef {
        self.block
    }

    /// What was proven.
    pub const fn fact(&self) -> &S::Fact {
        &self.fact
    }
}

/// Checks claims together: one verdict each, in order.
///
/// * `fresh`: 32 bytes that the prover could not foresee; they enter the random coefficients under
///   which group equations are combined. Hash-only systems do not use them.
pub fn verify<S: System>(
    params: &S::Params,
    claims: &[Claim<'_, S>],
    fresh: [u8; 32],
    trace: &mut dyn Trace,
) -> Vec<Result<Proven<S>, Rejection>> {
    let mut todo = S::Equations::default();
    let mut verdicts: Vec<_> = claims
        .iter()
        .enumerate()
        .map(|(index, claim)| {
            todo.begin(index);
            trace::claim(trace, index);
            let verdict = check(params, claim, &mut todo, trace);
            if let Err(rejection) = &verdict {
                note!(trace, Rejected rejection.code(), rejection.span());
            }
            verdict
        })
        .collect();
    if !todo.is_empty() {
        trace::claim(trace, None);
        for (index, error) in todo.settle(params, seed(claims, fresh), trace) {
            // A claim that failed before keeps its reason.
            if let Some(verdict @ Ok(_)) = verdicts.get_mut(index) {
                trace::claim(trace, index);
                note!(trace, Rejected error.code(), error.span());
                *verdict = Err(error.into());
            }
        }
    }
    verdicts
}

fn check<S: System>(
    params: &S::Params,
    claim: &Claim<'_, S>,
    todo: &mut S::Equations,
    trace: &mut dyn Trace,
) -> Checked<Proven<S>> {
    let query = S::query(params, claim.query)?;
    let proof = S::decode(params, &query, claim.variant, claim.proof)?;
    let fact = S::check(params, claim.root.inner(), &query, &proof, todo, trace)?;
    Ok(Proven { query, block: claim.root.block(), fact })
}

/// Seed of the batching coefficients: it binds every input, so that no proof can be chosen after it.
fn seed<S: System>(claims: &[Claim<'_, S>], fresh: [u8; 32]) -> Hash {
    let mut hasher = Keccak256::default();
    let mut absorb = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_be_bytes());
        hasher.update(bytes);
    };
    absorb(b"lightproof/batch/1");
    absorb(S::NAME.as_bytes());
    for claim in claims {
        absorb(claim.root.bytes());
        absorb(claim.query);
        absorb(claim.variant.as_bytes());
        absorb(claim.proof);
    }
    absorb(&fresh);
    hasher.finish()
}
