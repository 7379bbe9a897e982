//! Proven facts, and the one function that makes them.

mod parts;

use alloc::vec::Vec;

pub use self::parts::{join, part};
use crate::error::Rejection;
use crate::hash::{Hash, Keccak256};
use crate::observer::{Observer, refused};
use crate::root::{BlockRef, Root};
use crate::system::{Checked, Equations, System};

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
    observer: &mut impl Observer,
) -> Vec<Result<Proven<S>, Rejection>> {
    verify_numbered(params, claims, fresh, Some, observer)
}

/// As [`verify`], for some claims of a request.
///
/// * `number`: a claim's number in the request, by its number here.
pub(crate) fn verify_numbered<S: System>(
    params: &S::Params,
    claims: &[Claim<'_, S>],
    fresh: [u8; 32],
    number: impl Fn(usize) -> Option<usize>,
    observer: &mut impl Observer,
) -> Vec<Result<Proven<S>, Rejection>> {
    let mut todo = S::Equations::default();
    let mut verdicts = Vec::with_capacity(claims.len());
    let mut drawn = None;
    for (index, claim) in claims.iter().enumerate() {
        todo.begin(index);
        if observer.watches() {
            observer.claim(number(index));
        }
        let verdict = check(params, claim, &mut todo, observer);
        if let Err(rejection) = &verdict {
            todo.abandon();
            refused(observer, rejection.code(), rejection.span());
        }
        verdicts.push(verdict);
        let is_last = verdicts.len() == claims.len();
        if todo.is_empty() || !(is_last || todo.is_full()) {
            continue;
        }
        let seed = *drawn.get_or_insert_with(|| seed(S::digest(params), claims, fresh));
        observer.claim(None);
        for (index, error) in core::mem::take(&mut todo).settle(params, seed, observer) {
            // A claim that failed before keeps its reason.
            if let Some(verdict @ Ok(_)) = verdicts.get_mut(index) {
                if observer.watches() {
                    observer.claim(number(index));
                }
                refused(observer, error.code(), error.span());
                *verdict = Err(error.into());
            }
        }
    }
    verdicts
}

// Called for verdicts and for parts, and large: one copy of it.
#[inline(never)]
fn check<S: System>(
    params: &S::Params,
    claim: &Claim<'_, S>,
    todo: &mut S::Equations,
    observer: &mut impl Observer,
) -> Checked<Proven<S>> {
    let query = S::query(params, claim.query)?;
    let proof = S::decode(params, &query, claim.variant, claim.proof)?;
    todo.read(params, S::points(&proof))?;
    let fact = S::check(params, claim.root.inner(), &query, &proof, todo, observer)?;
    Ok(Proven { query, block: claim.root.block(), fact })
}

/// Seed of the batching coefficients: it binds every input, so that no proof can be chosen after
/// it.
///
/// * `params`: digest of the public parameters.
fn seed<S: System>(params: Hash, claims: &[Claim<'_, S>], fresh: [u8; 32]) -> Hash {
    let mut hasher = Keccak256::default();
    let mut absorb = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_be_bytes());
        hasher.update(bytes);
    };
    absorb(b"lightproof/batch/2");
    absorb(S::NAME.as_bytes());
    absorb(&params.0);
    for claim in claims {
        absorb(&claim.root.block().number.to_be_bytes());
        absorb(claim.root.bytes());
        absorb(claim.query);
        absorb(claim.variant.as_bytes());
        absorb(claim.proof);
    }
    absorb(&fresh);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::mpt::Mpt;

    #[test]
    fn the_seed_binds_the_parameters_and_the_block() {
        let of = |params: u8, number| {
            let root = Root::<Mpt>::pinned(&(), &[1; 32], number).unwrap();
            let claim = Claim { root: &root, query: &[2], variant: "plain", proof: &[3] };
            seed(Hash([params; 32]), &[claim], [4; 32])
        };
        assert_eq!(of(5, 6), of(5, 6));
        assert_ne!(of(5, 6), of(7, 6));
        assert_ne!(of(5, 6), of(5, 7));
    }
}
