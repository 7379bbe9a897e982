//! `balanceproofs`: values at a set of positions of one committed vector, by one aggregate proof
//! (BLS12-381).
//!
//! Bytes of commitments, parameters, queries, proofs and facts: `spec/systems/balanceproofs.md`,
//! sections 3 to 5. Three formats, which pin the scheme, and several variants of each, which prove
//! the same:
//!
//! * `balanceproofs/basic`, e(C − \[R\_I\]₁, \[1\]₂) = e(π\_I, \[A\_I\]₂): `plain`; `singles`, a
//!   proof for each position; `hinted`, two points by which the check no longer grows with the
//!   setup; `commit-hinted`, the same from someone without the vector;
//! * `balanceproofs/bucketed`: `plain`, a pair of points for each bucket; `halved`, one point for
//!   all outer buckets;
//! * `balanceproofs/two-layer`: `plain`, `halved`, and with hints that make either four pairings,
//!   `T1` and `T3`.
//!
//! `plain`, `singles` and `halved` rest on q-SBDH, as in the paper; the hinted variants are
//! extensions, sound in the algebraic group model with a random oracle.
//!
//! Source: `BalanceProofs` (USENIX Security 2023), §3 to §4.3, App. A and Lemma C.3.
//!
//! # Deviation
//! Positions come from the query alone, ascending and below n, and every claimed value is checked:
//! the sets and lists that the paper's proofs name would be the prover's word.

// Operators on field and group elements reduce modulo a prime; they cannot overflow.
#![allow(clippy::arithmetic_side_effects)]

mod basic;
mod buckets;
mod domain;
mod fact;
mod halved;
mod params;
mod point;
mod polynomial;
mod proof;
mod query;
mod transform;
mod tree;

pub use domain::Domain;
pub use fact::Fact;
pub use params::{Params, Scheme, Shape};
pub use proof::{Buckets, Committed, Halved, Opening, OuterProof, Place, Proof};
pub use query::{Inner, Outer, Query};

use alloc::vec::Vec;
use core::cell::Cell;

use ark_bls12_381::{Bls12_381, Fr, G1Affine};

use crate::algebra;
use crate::error::{DecodeError, InputError, Span, VerifyError};
use crate::hash::Hash;
use crate::observer::{Observer, note};
use crate::system::{Encoded, System, SystemConfig};
use crate::transcript::Transcript;
use crate::wire::Bytes;
use crate::wire::point::{compress, g1_or_identity};

use self::point::{UNCOMPRESSED, point};

/// The system `balanceproofs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BalanceProofs {}

/// What a block commits to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment(pub G1Affine);

/// Equations of this system.
type Equations = algebra::Equations<Bls12_381>;
type Equation = algebra::Equation<Bls12_381>;
type Summand = algebra::Summand<Bls12_381>;
/// A sum of multiples of points of G2.
type SumOfG2 = Vec<algebra::Multiple<Bls12_381>>;

impl System for BalanceProofs {
    const NAME: &'static str = "balanceproofs";
    type Params = Params;
    type Root = Commitment;
    type Query = Query;
    type Proof<'a> = Proof<'a>;
    type Fact = Fact;
    type Equations = Equations;

    fn params(config: &SystemConfig<'_>, bytes: &[u8]) -> Result<Params, InputError> {
        Params::read(config, bytes)
    }

    fn digest(params: &Params) -> Hash {
        params.digest
    }

    fn root(_params: &Params, bytes: &[u8], _number: u64) -> Result<Commitment, DecodeError> {
        let span = Span { start: 0, end: bytes.len() };
        g1_or_identity(Bytes { bytes, span }, "root").map(Commitment)
    }

    fn query(params: &Params, rlp: &[u8]) -> Result<Query, InputError> {
        Query::from_rlp(&params.shape, rlp)
    }

    fn decode<'a>(
        params: &Params,
        query: &Query,
        variant: &str,
        bytes: &'a [u8],
    ) -> Result<Proof<'a>, DecodeError> {
        Proof::read(params, query, variant, bytes)
    }

    fn points<'p>(proof: &'p Proof<'_>) -> &'p [Encoded<'p>] {
        &proof.points
    }

    fn check(
        params: &Params,
        root: &Commitment,
        query: &Query,
        proof: &Proof<'_>,
        todo: &mut Equations,
        observer: &mut impl Observer,
    ) -> Result<Fact, VerifyError> {
        let right_terms = Cell::new(0);
        let statement = Statement { params, commitment: root.0, query, proof, right_terms };
        statement.tell_question(observer);
        match &proof.opening {
            Opening::Plain(aggregate) => statement.plain(*aggregate, todo),
            Opening::Singles(proofs) => statement.singles(proofs, todo),
            Opening::Hinted(points) => statement.hinted(points, todo)?,
            Opening::Committed(committed) => statement.committed(committed, todo)?,
            Opening::Buckets(Buckets { outer, hint: None }) => statement.buckets(outer, todo),
            Opening::Buckets(Buckets { outer, hint: Some(hint) }) => {
                statement.first_hint(outer, hint, todo)?;
            }
            Opening::Halved(halved) => match &halved.hint {
                None => statement.halved(halved, todo),
                Some(hint) => statement.third_hint(halved, hint, todo)?,
            },
        }
        statement.tell_equations(observer);
        Ok(statement.fact())
    }
}

/// What is claimed, and under what.
struct Statement<'s, 'p> {
    params: &'s Params,
    commitment: G1Affine,
    query: &'s Query,
    proof: &'s Proof<'p>,
    /// Terms of the sums in G2 that were made.
    right_terms: Cell<usize>,
}

impl Statement<'_, '_> {
    fn fact(&self) -> Fact {
        let words = self.proof.value_bytes.as_chunks().0;
        Fact { values: self.query.positions.iter().copied().zip(words.iter().copied()).collect() }
    }

    /// Tells the positions, where each stands, and the values that are claimed.
    fn tell_question(&self, observer: &mut impl Observer) {
        let (shape, proof) = (&self.params.shape, self.proof);
        note!(
            observer,
            Entered "proof",
            proof.span,
            scheme: shape.scheme.name(),
            size: shape.size(),
            positions: self.query.count(),
            compressed: proof.decoded.compressed,
            uncompressed: proof.decoded.uncompressed,
            g2: proof.decoded.g2,
        );
        let words = proof.value_bytes.as_chunks::<32>().0;
        for (place, (position, value)) in self.query.positions.iter().zip(words).enumerate() {
            let start = proof.values_start + place * 32;
            let [outer, middle, inner] = shape.split(*position);
            note!(
                observer,
                Compared "position",
                Span { start, end: start + 32 },
                position: *position,
                outer: outer,
                middle: middle,
                inner: inner,
                value: value,
            );
        }
    }

    /// Tells the equations that were written down, and the challenges that they hold.
    fn tell_equations(&self, observer: &mut impl Observer) {
        let span = self.proof.span;
        let (what, drawn) = match &self.proof.opening {
            Opening::Plain(_) => ("aggregate", 0_u8),
            Opening::Singles(_) => ("singles", 0),
            Opening::Hinted(_) => ("hinted aggregate", 1),
            Opening::Committed(_) => ("commit-hinted aggregate", 3),
            Opening::Buckets(Buckets { hint: None, .. }) => ("buckets", 0),
            Opening::Buckets(Buckets { hint: Some(_), .. }) => ("hinted buckets", 3),
            Opening::Halved(Halved { hint: None, .. }) => ("halved buckets", 0),
            Opening::Halved(Halved { hint: Some(_), .. }) => ("hinted halved buckets", 3),
        };
        if drawn > 0 {
            note!(observer, Drew "challenges", None, count: drawn);
        }
        let equations = match &self.proof.opening {
            Opening::Singles(proofs) => proofs.len(),
            Opening::Buckets(Buckets { outer, hint: None }) => {
                outer.iter().map(|bucket| bucket.inner.len()).sum()
            }
            _ => 1,
        };
        note!(observer, Opened what, span, count: equations, g2_terms: self.right_terms.get());
    }

    /// An equation that blames the proof's points.
    fn equation(&self) -> Equation {
        Equation::new(self.proof.span)
    }

    /// A sum of multiples of points of G2, which is told.
    fn right(&self, terms: SumOfG2) -> SumOfG2 {
        self.right_terms.set(self.right_terms.get().saturating_add(terms.len()));
        terms
    }

    /// Has a transcript take points of the proof in their compressed form. One that is no point has
    /// none: nothing is proven with it.
    fn absorb(&self, transcript: &mut Transcript, places: &[Place]) {
        for encoded in places.iter().filter_map(|at| self.proof.points.get(*at)) {
            let bytes = encoded.from.bytes;
            if bytes.len() == UNCOMPRESSED {
                transcript.absorb(&compress(&point(encoded).unwrap_or_default()));
            } else {
                transcript.absorb(bytes);
            }
        }
    }

    /// Why a proof is refused whose own scalars show that it is false.
    fn refused(&self) -> VerifyError {
        VerifyError::Opening { span: self.proof.span }
    }

    /// The root of unity of each position in the innermost layer, and its value, for some places of
    /// the query.
    fn members(&self, places: core::ops::Range<usize>) -> Vec<(Fr, Fr)> {
        let Shape { inner, .. } = &self.params.shape;
        let positions = self.query.positions.get(places.clone()).unwrap_or_default();
        let values = self.proof.values.get(places).unwrap_or_default();
        let root = |position: &u64| inner.root(position & inner.size().wrapping_sub(1));
        positions.iter().map(root).zip(values.iter().copied()).collect()
    }

    /// A transcript that has taken the tag, the verifier's key and what `sides` says of the shape.
    fn transcript(&self, tag: &str, sides: &[u64]) -> Transcript {
        let mut transcript = Transcript::new(tag);
        transcript.absorb(&self.params.digest.0);
        for side in sides {
            transcript.number(*side);
        }
        transcript.absorb(&compress(&self.commitment));
        transcript
    }
}
