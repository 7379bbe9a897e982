//! `lmpt`: a key's newest write over three layered tries, or its proven absence.
//!
//! A state is a delta over an intermediate layer over a snapshot. The newest layer that knows a key
//! answers for it, so an older layer's answer is worth nothing without a proof of absence for every
//! layer above it. Two formats:
//!
//! * `lmpt/1`: the paper's construction, its gaps filled; every layer is an Ethereum trie over
//!   keccak(key).
//! * `lmpt/conflux`: Conflux's production format. The caller takes both hashes of its commitment
//!   from headers that it trusts: the core cannot tell which block `previous` belongs to. It refuses
//!   equal ones where the intermediate layer is written.
//!
//! Bytes of commitments, queries and facts: `spec/systems/lmpt.md`, sections 2 to 4; of proofs:
//! sections 5 and 6. Proofs come in two variants, by how they prove absence in a layer ([`Form`]).
//!
//! Source: LMPT, §III and Figs. 8-9; the order of the roots, tombstones, the empty layer and the
//! framing are left open there and fixed here.

mod conflux;
mod fact;
mod layered;
mod query;

pub use fact::{Answer, Fact, Layer, StorageRoots, Value};
pub use query::{Query, Question, Wanted};

use alloc::vec::Vec;

use crate::error::{DecodeError, InputError, Malformed, Span, VerifyError};
use crate::hash::{Hash, Keccak256};
use crate::observer::{Observer, note};
use crate::system::{System, SystemConfig};
use crate::wire::Reader;

/// The system `lmpt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lmpt {}

/// Bytes and hashes of a chain's layers, pinned by its configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `lmpt/1`.
    Layered,
    /// `lmpt/conflux`.
    Conflux,
}

/// What the block commits to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment {
    /// Hash of the three layers' roots.
    current: Hash,
    /// `lmpt/conflux`: the same, one snapshot period before; its roots pad the intermediate
    /// layer's keys.
    previous: Option<Hash>,
}

/// A decoded proof of either format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof<'a> {
    /// `lmpt/1`.
    Layered(layered::Proof<'a>),
    /// `lmpt/conflux`.
    Conflux(conflux::Proof<'a>),
}

/// How a proof of `lmpt/1` shows that a layer does not hold a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// 0, variant `plain`: by the walk along the key.
    Walk,
    /// 1, variant `adjacent`: by the paths to the leaves left and right of the key.
    Adjacent,
}

impl System for Lmpt {
    const NAME: &'static str = "lmpt";
    type Params = Format;
    type Root = Commitment;
    type Query = Query;
    type Proof<'a> = Proof<'a>;
    type Fact = Fact;
    type Equations = ();

    fn params(config: &SystemConfig<'_>, bytes: &[u8]) -> Result<Format, InputError> {
        if config.params_digest.is_some() || !bytes.is_empty() {
            return Err(InputError::Params("lmpt has no public parameters"));
        }
        match config.format {
            b"lmpt/1" => Ok(Format::Layered),
            b"lmpt/conflux" => Ok(Format::Conflux),
            _ => Err(InputError::Config("unknown format; lmpt has lmpt/1 and lmpt/conflux")),
        }
    }

    fn root(format: &Format, bytes: &[u8], _number: u64) -> Result<Commitment, DecodeError> {
        let span = Span { start: 0, end: bytes.len() };
        let wrong = Malformed::Shape.at("root", "wrong length", span);
        let (words, []) = bytes.as_chunks() else { return Err(wrong) };
        match (format, words) {
            (_, [current]) => Ok(Commitment { current: Hash(*current), previous: None }),
            (Format::Conflux, [current, previous]) => {
                Ok(Commitment { current: Hash(*current), previous: Some(Hash(*previous)) })
            }
            _ => Err(wrong),
        }
    }

    fn query(format: &Format, rlp: &[u8]) -> Result<Query, InputError> {
        Query::from_rlp(*format, rlp)
    }

    fn decode<'a>(
        format: &Format,
        _query: &Query,
        variant: &str,
        bytes: &'a [u8],
    ) -> Result<Proof<'a>, DecodeError> {
        let form = match (variant, format) {
            ("plain", _) => Form::Walk,
            ("adjacent", Format::Layered) => Form::Adjacent,
            _ => {
                return Err(Malformed::Variant.at(
                    "variant",
                    "unknown variant: lmpt/1 has plain and adjacent, lmpt/conflux has plain",
                    Span::default(),
                ));
            }
        };
        let items = Reader::whole_list(bytes, 0, "proof")?;
        Ok(match format {
            Format::Layered => Proof::Layered(layered::Proof::read(items, form)?),
            Format::Conflux => Proof::Conflux(conflux::Proof::read(items)?),
        })
    }

    fn check(
        _format: &Format,
        root: &Commitment,
        query: &Query,
        proof: &Proof<'_>,
        (): &mut (),
        observer: &mut impl Observer,
    ) -> Result<Fact, VerifyError> {
        note!(observer, Entered "proof", None, keys: query.questions.len());
        let (shown, span) = match proof {
            Proof::Layered(proof) => (proof.matches(root, observer)?, proof.span),
            Proof::Conflux(proof) => (proof.matches(root, observer)?, proof.span),
        };
        if shown > query.questions.len() {
            return Err(VerifyError::Surplus { span });
        }
        let mut answers = Vec::new();
        for (index, question) in query.questions.iter().enumerate() {
            let answer = match proof {
                Proof::Layered(proof) => proof.answer(index, question, observer),
                Proof::Conflux(proof) => proof.answer(index, question, observer),
            };
            // Fewer than were asked for.
            let answer = answer.ok_or(VerifyError::Incomplete { span })??;
            answers.push((question.key.clone(), answer));
        }
        Ok(Fact { answers })
    }
}

/// The roots of a state's three layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Roots {
    snapshot: Hash,
    intermediate: Hash,
    delta: Hash,
    /// Where they stand in the proof.
    span: Span,
}

impl Roots {
    /// Reads the next three hashes: snapshot, intermediate, delta.
    fn read(items: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let start = items.span().start;
        let snapshot = items.hash("snapshot root")?;
        let intermediate = items.hash("intermediate root")?;
        let delta = items.hash("delta root")?;
        let end = items.span().start;
        Ok(Self { snapshot, intermediate, delta, span: Span { start, end } })
    }

    /// Holds the three roots against the trusted hash of them.
    fn matches(&self, expected: Hash, observer: &mut impl Observer) -> Result<(), VerifyError> {
        let got = hash_of(&[self.snapshot, self.intermediate, self.delta]);
        if got != expected {
            return Err(VerifyError::Root { expected, got, span: self.span });
        }
        note!(
            observer,
            Hashed "layer roots",
            self.span,
            bytes: 96_u8,
            snapshot: &self.snapshot,
            intermediate: &self.intermediate,
            delta: &self.delta,
            digest: &got,
        );
        Ok(())
    }
}

/// Refuses to read more keys than a query has.
fn within_limit(keys: usize, rest: &Reader<'_>) -> Result<(), DecodeError> {
    if keys < query::MAX_KEYS {
        return Ok(());
    }
    Err(Malformed::Limit.at("key proof", "more keys than a query has", rest.span()))
}

/// keccak of hashes, one after the other.
fn hash_of(hashes: &[Hash]) -> Hash {
    let mut sponge = Keccak256::default();
    for Hash(bytes) in hashes {
        sponge.update(bytes);
    }
    sponge.finish()
}
