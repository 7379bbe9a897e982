//! Proofs, decoded. Their bytes: `spec/systems/verkle.md`, section 4.

use alloc::vec::Vec;

use ark_bls12_381::G1Affine;

use super::node::{Aggregate, Commitment, Known};
use super::path::prefix;
use super::{Encoding, Params, Query};
use crate::algebra::Base;
use crate::error::{DecodeError, Malformed, Span};
use crate::hash::Hash;
use crate::wire::point::{G1_BYTES, g1_or_identity};
use crate::wire::{Bytes, Cursor, Reader};

/// What stands in the last slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Terminal {
    /// The key's leaf.
    Present,
    /// Nothing.
    Empty,
    /// The leaf of another key: hashes of key and value, and where they stand.
    Other(Hash, Hash, Span),
}

/// A node below the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) bytes: [u8; G1_BYTES],
    pub(super) point: Base<G1Affine>,
    /// Where it stands first.
    pub(super) span: Span,
}

/// What is shown of one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path<'a> {
    pub(super) value: &'a [u8],
    pub(super) terminal: Terminal,
    pub(super) levels: usize,
    /// Nodes below the root, by their place in [`Proof::nodes`].
    pub(super) nodes: Vec<usize>,
    /// `plain`: one for each level.
    pub(super) openings: Vec<(G1Affine, Span)>,
    pub(super) span: Span,
}

/// A decoded proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<'a> {
    pub(super) paths: Vec<Path<'a>>,
    pub(super) nodes: Vec<Node>,
    /// `aggregated`: the opening, and where it stands.
    pub(super) aggregate: Option<(Aggregate<G1Affine>, Span)>,
}

impl<'a> Proof<'a> {
    /// Reads the answer to `query`.
    pub(super) fn read(
        params: &Params,
        query: &Query,
        encoding: Encoding,
        bytes: &'a [u8],
    ) -> Result<Self, DecodeError> {
        let mut items = Reader::whole_list(bytes, 0, "proof")?;
        let mut nodes = Nodes::default();
        let mut paths = Vec::new();
        for key in &query.keys {
            let value = items.string("value")?;
            let path = items.string("path")?;
            let mut cursor = Cursor::new(path.bytes, path.span.start);
            paths.push(nodes.path(params, encoding, &key.hash, value, &mut cursor, path.span)?);
            cursor.finish("path")?;
        }
        let aggregate = match encoding {
            Encoding::Plain => None,
            Encoding::Aggregated => {
                let empty = paths.iter().all(|path| path.levels == 0);
                let opening = items.string("opening")?;
                Some((read_aggregate(params.commitment, empty, opening)?, opening.span))
            }
        };
        items.finish("proof")?;
        let from: Vec<_> = nodes.all.iter().map(|(_, from)| *from).collect();
        let points = params.commitment.points(&from, "node")?;
        let nodes = nodes.all.into_iter().zip(points);
        let nodes = nodes.map(|((bytes, from), point)| Node { bytes, point, span: from.span });
        Ok(Self { paths, nodes: nodes.collect(), aggregate })
    }
}

fn read_aggregate(
    commitment: Commitment,
    empty: bool,
    opening: Bytes<'_>,
) -> Result<Aggregate<G1Affine>, DecodeError> {
    let mut cursor = Cursor::new(opening.bytes, opening.span.start);
    let aggregate = match commitment {
        _ if empty => Aggregate::Nothing,
        Commitment::Cf => Aggregate::Sum(opening_point(&mut cursor)?.0),
        Commitment::Kzg => {
            let mut ahead = cursor;
            let sum_bytes = ahead.array("opening")?;
            let (sum, _) = opening_point(&mut cursor)?;
            let (quotient, _) = opening_point(&mut cursor)?;
            Aggregate::Quotient { sum_bytes, sum, quotient }
        }
    };
    cursor.finish("opening")?;
    Ok(aggregate)
}

fn opening_point(cursor: &mut Cursor<'_>) -> Result<(G1Affine, Span), DecodeError> {
    let from = cursor.take(G1_BYTES, "opening")?;
    Ok((g1_or_identity(from, "opening")?, from.span))
}

/// Nodes that were read, each once; their points are decompressed together.
#[derive(Debug, Default)]
struct Nodes<'a> {
    all: Vec<([u8; G1_BYTES], Bytes<'a>)>,
    by_bytes: Known,
    /// `aggregated`: by [`prefix`].
    by_place: Known,
}

impl<'a> Nodes<'a> {
    fn path(
        &mut self,
        params: &Params,
        encoding: Encoding,
        key: &Hash,
        value: Bytes<'a>,
        cursor: &mut Cursor<'a>,
        span: Span,
    ) -> Result<Path<'a>, DecodeError> {
        let start = cursor.position();
        let [levels, terminal] = cursor.array("levels and terminal")?;
        let head = Span { start, end: cursor.position() };
        let levels = usize::from(levels);
        if levels > params.levels() {
            return Err(Malformed::Limit.at("levels", "deeper than two keys can be alike", head));
        }
        if levels == 0 && terminal != 1 {
            return Err(Malformed::Shape.at(
                "terminal",
                "only terminal 1 (empty) is valid without levels",
                head,
            ));
        }
        let mut nodes = Vec::new();
        for level in 1..levels {
            nodes.push(match encoding {
                Encoding::Plain => self.node(cursor)?,
                Encoding::Aggregated => {
                    let place = prefix(key, level, params.bits);
                    if let Some(shown) = self.by_place.get(&place) {
                        *shown
                    } else {
                        let node = self.node(cursor)?;
                        self.by_place.insert(place, node);
                        node
                    }
                }
            });
        }
        let mut openings = Vec::new();
        if encoding == Encoding::Plain {
            for _ in 0..levels {
                openings.push(opening_point(cursor)?);
            }
        }
        let start = cursor.position();
        let terminal = match terminal {
            0 => Terminal::Present,
            1 => Terminal::Empty,
            2 => {
                let (key, value) = (cursor.array("key hash")?, cursor.array("value hash")?);
                Terminal::Other(Hash(key), Hash(value), Span { start, end: cursor.position() })
            }
            _ => return Err(Malformed::Shape.at("terminal", "unknown", head)),
        };
        if terminal != Terminal::Present && !value.bytes.is_empty() {
            return Err(Malformed::Shape.at("value", "value given for an absent key", value.span));
        }
        Ok(Path { value: value.bytes, terminal, levels, nodes, openings, span })
    }

    fn node(&mut self, cursor: &mut Cursor<'a>) -> Result<usize, DecodeError> {
        let mut ahead = *cursor;
        let from = ahead.take(G1_BYTES, "node")?;
        let bytes = cursor.array("node")?;
        if let Some(known) = self.by_bytes.get(&bytes) {
            return Ok(*known);
        }
        let index = self.all.len();
        self.all.push((bytes, from));
        self.by_bytes.insert(bytes, index);
        Ok(index)
    }
}
