//! `verkle`: keys in a k-ary Verkle tree, present or absent, on BLS12-381.
//!
//! A key's place is spelled by the digits of SHA-256 of it, log₂ k bits each. A node commits to the
//! vector of its k slots; a slot holds nothing (0), a leaf or another node, each as a scalar. A
//! proof opens one slot of every node on the way: to the node below, and at the end to what the key
//! has or to what shows that it has nothing. A subtree with one leaf is that leaf.
//!
//! One tree, two node commitments (`verkle/node.rs`): `cf`, the paper's, and `kzg`, with k = 32,
//! 256 or 1,024. Proofs come in two variants (`verkle/proof.rs`): `plain` and `aggregated`. Bytes
//! of commitments, queries, proofs and facts: `spec/systems/verkle.md`, sections 3 to 5.
//!
//! Source: Verkle Trees (Kuszmaul, 2019), with the vector commitment of Catalano and Fiore. The
//! paper leaves hashing, absence and encoding open; they are fixed here.
//!
//! # Deviation
//! The commitment lives on a type-3 pairing, so the hᵢ exist in both groups.

// Operators on field and group elements reduce modulo a prime; they cannot overflow.
#![allow(clippy::arithmetic_side_effects)]

mod cf;
mod fact;
mod kzg;
mod node;
mod params;
mod path;
mod proof;
mod query;
mod verify;

pub use fact::Fact;
pub use node::{Commitment, hash_to_scalar};
pub use params::Params;
pub use path::digit;
pub use proof::Proof;
pub use query::{Key, Query};

use ark_bls12_381::{Bls12_381, G1Affine};

use crate::algebra::{self, Base};
use crate::error::{DecodeError, InputError, Malformed, Span, VerifyError};
use crate::hash::Hash;
use crate::observer::Observer;
use crate::system::{Encoded, System, SystemConfig};
use crate::wire::{Bytes, point};

/// The system `verkle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verkle {}

/// The top node's commitment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    bytes: [u8; point::G1_BYTES],
    /// `None` for the empty tree, whose commitment is the identity.
    point: Option<Base<G1Affine>>,
}

/// How openings travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// One opening a level.
    Plain,
    /// One for all keys and levels.
    Aggregated,
}

impl System for Verkle {
    const NAME: &'static str = "verkle";
    type Params = Params;
    type Root = Root;
    type Query = Query;
    type Proof<'a> = Proof<'a>;
    type Fact = Fact;
    type Equations = algebra::Equations<Bls12_381>;

    fn params(config: &SystemConfig<'_>, bytes: &[u8]) -> Result<Params, InputError> {
        Params::read(config, bytes)
    }

    fn digest(params: &Params) -> Hash {
        params.digest
    }

    fn root(params: &Params, bytes: &[u8], _number: u64) -> Result<Root, DecodeError> {
        let from = Bytes { bytes, span: Span { start: 0, end: bytes.len() } };
        let identity = point::compress(&G1Affine::identity());
        if bytes == identity {
            return Ok(Root { bytes: identity, point: None });
        }
        let point = params.commitment.points(&[from], "root")?.into_iter().next();
        let bytes = point.as_ref().map_or(identity, |base| point::compress(&base.point));
        Ok(Root { bytes, point })
    }

    fn query(_params: &Params, rlp: &[u8]) -> Result<Query, InputError> {
        Query::from_rlp(rlp)
    }

    fn decode<'a>(
        params: &Params,
        query: &Query,
        variant: &str,
        bytes: &'a [u8],
    ) -> Result<Proof<'a>, DecodeError> {
        let encoding = match variant {
            "plain" => Encoding::Plain,
            "aggregated" => Encoding::Aggregated,
            _ => {
                return Err(Malformed::Variant.at(
                    "variant",
                    "unknown variant: verkle has plain and aggregated",
                    Span::default(),
                ));
            }
        };
        Proof::read(params, query, encoding, bytes)
    }

    fn points<'p>(proof: &'p Proof<'_>) -> &'p [Encoded<'p>] {
        &proof.points
    }

    fn check(
        params: &Params,
        root: &Root,
        query: &Query,
        proof: &Proof<'_>,
        todo: &mut Self::Equations,
        observer: &mut impl Observer,
    ) -> Result<Fact, VerifyError> {
        verify::check(params, root, query, proof, todo, observer)
    }
}
