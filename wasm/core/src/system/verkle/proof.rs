//! Proofs, decoded. Their bytes: `spec/systems/verkle.md`, section 4.

use alloc::vec::Vec;

use super::node::{Aggregate, Commitment, Known};
use super::path::prefix;
use super::{Encoding, Params, Query};
use crate::error::{DecodeError, Malformed, Span};
use crate::hash::Hash;
use crate::system::Encoded;
use crate::wire::point::G1_BYTES;
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
    /// Its place among [`Proof::points`].
    pub(super) point: usize,
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
    /// `plain`: one for each level, by its place among [`Proof::points`], and where it stands.
    pub(super) openings: Vec<(usize, Span)>,
    pub(super) span: Span,
}

/// A decoded proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<'a> {
    pub(super) paths: Vec<Path<'a>>,
    pub(super) nodes: Vec<Node>,
    /// `aggregated`: the opening, its points by their places, and where it stands.
    pub(super) aggregate: Option<(Aggregate<usize>, Span)>,
    /// Openings, then nodes.
    pub(super) points: Vec<Encoded<'a>>,
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
        let (mut nodes, mut points) = (Nodes::default(), Openings::default());
        let mut paths = Vec::new();
        for key in &query.keys {
            let value = items.string("value")?;
            let path = items.string("path")?;
            let mut cursor = Cursor::new(path.bytes, path.span.start);
            let at = (&mut cursor, path.span);
            paths.push(nodes.path(params, encoding, &key.hash, value, at, &mut points)?);
            cursor.finish("path")?;
        }
        let aggregate = match encoding {
            Encoding::Plain => None,
            Encoding::Aggregated => {
                let empty = paths.iter().all(|path| path.levels == 0);
                let opening = items.string("opening")?;
                let mut cursor = Cursor::new(opening.bytes, opening.span.start);
                let aggregate = points.aggregate(params.commitment, empty, &mut cursor)?;
                cursor.finish("opening")?;
                Some((aggregate, opening.span))
            }
        };
        items.finish("proof")?;
        let Openings(mut points) = points;
        let numbered = (points.len()..).zip(&nodes.all);
        let found = numbered.map(|(point, (bytes, encoded))| Node {
            bytes: *bytes,
            point,
            span: encoded.from.span,
        });
        let found = found.collect();
        points.extend(nodes.all.into_iter().map(|(_, encoded)| encoded));
        Ok(Self { paths, nodes: found, aggregate, points })
    }
}

/// Openings that were met.
#[derive(Debug, Default)]
struct Openings<'a>(Vec<Encoded<'a>>);

impl<'a> Openings<'a> {
    /// The next one: its place and where it stands.
    fn next(&mut self, cursor: &mut Cursor<'a>) -> Result<(usize, Span), DecodeError> {
        let from = cursor.take(G1_BYTES, "opening")?;
        self.0.push(Encoded { from, field: "opening", is_finite: false });
        Ok((self.0.len().saturating_sub(1), from.span))
    }

    fn aggregate(
        &mut self,
        commitment: Commitment,
        empty: bool,
        cursor: &mut Cursor<'a>,
    ) -> Result<Aggregate<usize>, DecodeError> {
        Ok(match commitment {
            _ if empty => Aggregate::Nothing,
            Commitment::Cf => Aggregate::Sum(self.next(cursor)?.0),
            Commitment::Kzg => {
                let mut ahead = *cursor;
                let sum_bytes = ahead.array("opening")?;
                let (sum, _) = self.next(cursor)?;
                let (quotient, _) = self.next(cursor)?;
                Aggregate::Quotient { sum_bytes, sum, quotient }
            }
        })
    }
}

/// Nodes that were met, each once.
#[derive(Debug, Default)]
struct Nodes<'a> {
    all: Vec<([u8; G1_BYTES], Encoded<'a>)>,
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
        (cursor, span): (&mut Cursor<'a>, Span),
        points: &mut Openings<'a>,
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
                openings.push(points.next(cursor)?);
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
        self.all.push((bytes, Encoded { from, field: "node", is_finite: true }));
        self.by_bytes.insert(bytes, index);
        Ok(index)
    }
}
