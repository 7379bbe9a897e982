//! What a proof must show: every node on the way opens at the key's digit, to the node below and at
//! last to what answers the question.

use alloc::vec::Vec;

use ark_bls12_381::{Bls12_381, Fr};
use ark_ff::Zero;

use super::node::{Aggregate, Slot, big_endian, coefficient};
use super::path::digit;
use super::proof::{Path, Proof, Terminal};
use super::query::Key;
use super::{Fact, Params, Query, Root};
use crate::algebra::{Equations, Point};
use crate::error::{Span, VerifyError};
use crate::hash::{Hash, sha256};
use crate::observer::{Observer, note};
use crate::system::Presence;
use crate::wire::point::G1_BYTES;

/// A slot, and the bytes of the commitment that it belongs to.
type Said = ([u8; G1_BYTES], Slot);

/// Checks what can be checked by hashing, and pushes the equations.
pub(super) fn check(
    params: &Params,
    root: &Root,
    query: &Query,
    proof: &Proof<'_>,
    todo: &mut Equations<Bls12_381>,
    observer: &mut impl Observer,
) -> Result<Fact, VerifyError> {
    let top = root.point.as_ref().map(|point| todo.given(point.clone()));
    let nodes: Vec<_> =
        proof.nodes.iter().map(|node| (node.bytes, todo.of_proof(node.point))).collect();
    let (mut answers, mut said) = (Vec::new(), Vec::new());
    for (index, (key, path)) in query.keys.iter().zip(&proof.paths).enumerate() {
        note!(
            observer,
            Entered "key",
            path.span,
            key: index,
            hash: &key.hash,
            levels: path.levels,
            branching: params.k(),
        );
        answers.push((key.bytes.clone(), answer(path)));
        let Some(top) = start(path, top)? else {
            tell(path, observer);
            continue;
        };
        let way = slots(params, key, path, (root.bytes, top), &nodes)?;
        for (level, (commitment, slot)) in way.iter().enumerate() {
            let span = path.openings.get(level).map(|(_, span)| *span);
            let node = level.checked_sub(1).and_then(|below| path.nodes.get(below));
            let digit = slot.digit;
            note!(
                observer,
                Compared "path node",
                node.and_then(|node| proof.nodes.get(*node)).map(|node| node.span),
                level: level,
                digit: digit,
                commitment: commitment,
                scalar: &scalar_bytes(slot.scalar),
            );
            if span.is_some() {
                note!(observer, Opened "slot", span, level: level, digit: digit);
            }
        }
        for ((_, slot), (opening, span)) in way.iter().zip(&path.openings) {
            let opening = todo.of_proof(*opening);
            todo.push(params.node().opens(slot, opening, *span));
        }
        tell(path, observer);
        said.extend(way);
    }
    if let Some((aggregate, span)) = proof.aggregate {
        note!(observer, Entered "aggregate", span, slots: said.len());
        push_aggregate(params, &said, (aggregate, span), todo, observer)?;
        note!(observer, Opened "aggregate", span);
    }
    Ok(Fact { answers })
}

/// Tells what the path ends in.
fn tell(path: &Path<'_>, observer: &mut impl Observer) {
    let (found, span) = match path.terminal {
        Terminal::Present => ("present", path.span),
        Terminal::Empty => ("empty", path.span),
        Terminal::Other(_, _, span) => ("other leaf", span),
    };
    note!(observer, Compared "terminal", span, found: found, level: path.levels);
}

fn answer(path: &Path<'_>) -> Presence<Vec<u8>> {
    match path.terminal {
        Terminal::Present => Presence::Present(path.value.to_vec()),
        Terminal::Empty | Terminal::Other(..) => Presence::Absent,
    }
}

/// The node that a path starts at; `None` for the path without levels, which only an empty tree
/// has.
fn start(path: &Path<'_>, top: Option<Point>) -> Result<Option<Point>, VerifyError> {
    let span = path.span;
    match (top, path.levels) {
        (None, 0) => Ok(None),
        (None, _) => Err(VerifyError::Path { reason: "a level in an empty tree", span }),
        (Some(_), 0) => Err(VerifyError::Absence { reason: "the tree is not empty", span }),
        (Some(top), _) => Ok(Some(top)),
    }
}

/// The slots on the way to a key, and what each is said to hold.
fn slots(
    params: &Params,
    key: &Key,
    path: &Path<'_>,
    top: ([u8; G1_BYTES], Point),
    nodes: &[([u8; G1_BYTES], Point)],
) -> Result<Vec<Said>, VerifyError> {
    let last = held(params, key, path)?;
    let mut way = Vec::with_capacity(path.levels);
    let mut current = top;
    for level in 0..path.levels {
        let below = path.nodes.get(level).and_then(|index| nodes.get(*index));
        let scalar = below.map_or(last, |(bytes, _)| params.commitment.inner(bytes));
        let digit = digit(&key.hash, level, params.bits);
        way.push((current.0, Slot { commitment: current.1, digit, scalar }));
        current = below.copied().unwrap_or(current);
    }
    Ok(way)
}

/// What the last slot is said to hold.
fn held(params: &Params, key: &Key, path: &Path<'_>) -> Result<Fr, VerifyError> {
    match path.terminal {
        Terminal::Present => Ok(params.commitment.leaf(&key.hash, &sha256(&[path.value]))),
        Terminal::Empty => Ok(Fr::zero()),
        Terminal::Other(other, value, span) => {
            let stray = |reason| Err(VerifyError::Absence { reason, span });
            if other == key.hash {
                // Its own leaf would prove it absent.
                return stray("the other leaf has the key's own hash");
            }
            let on_the_way = |level: usize| {
                digit(&other, level, params.bits) == digit(&key.hash, level, params.bits)
            };
            if !(0..path.levels).all(on_the_way) {
                return stray("the other leaf does not share the key's digits");
            }
            Ok(params.commitment.leaf(&other, &value))
        }
    }
}

/// One equation for all that is said, under coefficients that follow from all of it.
fn push_aggregate(
    params: &Params,
    said: &[Said],
    (aggregate, span): (Aggregate<usize>, Span),
    todo: &mut Equations<Bls12_381>,
    observer: &mut impl Observer,
) -> Result<(), VerifyError> {
    let aggregate = match aggregate {
        // Then nothing is said either: every path was empty.
        Aggregate::Nothing => return Ok(()),
        Aggregate::Sum(point) => Aggregate::Sum(todo.of_proof(point)),
        Aggregate::Quotient { sum_bytes, sum, quotient } => {
            let (sum, quotient) = (todo.of_proof(sum), todo.of_proof(quotient));
            Aggregate::Quotient { sum_bytes, sum, quotient }
        }
    };
    let seed = seed(params, said);
    note!(observer, Drew "aggregate seed", None, digest: &seed);
    let weighed: Vec<_> = said
        .iter()
        .enumerate()
        .map(|(index, (_, slot))| (*slot, coefficient(seed, index)))
        .collect();
    let equation = params.node().opens_all(&weighed, &aggregate, seed, span);
    todo.push(equation.ok_or(VerifyError::Opening { span })?);
    Ok(())
}

/// SHA-256('KVT-aggregated-v1' ‖ parameters' digest ‖ u32be k ‖ u32be slots ‖ (C ‖ u16be digit ‖
/// scalar) …). One seed for the whole proof: with one per key, coefficients could be chosen by
/// trying keys' proofs against each other (a k-list attack).
fn seed(params: &Params, said: &[Said]) -> Hash {
    let mut bytes = Vec::new();
    for (commitment, slot) in said {
        bytes.extend_from_slice(commitment);
        bytes.extend_from_slice(&u16::try_from(slot.digit).unwrap_or(u16::MAX).to_be_bytes());
        bytes.extend_from_slice(&scalar_bytes(slot.scalar));
    }
    let (k, count) = (big_endian(params.k()), big_endian(said.len()));
    sha256(&[b"KVT-aggregated-v1", &params.digest.0, &k, &count, &bytes])
}

/// 32 bytes, big-endian.
fn scalar_bytes(scalar: Fr) -> [u8; 32] {
    let mut out = [0; 32];
    let limbs = ark_ff::PrimeField::into_bigint(scalar).0;
    for (limb, word) in limbs.iter().rev().zip(out.as_chunks_mut::<8>().0) {
        *word = limb.to_be_bytes();
    }
    out
}
