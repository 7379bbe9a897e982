//! Proofs, decoded. Their bytes: `spec/systems/balanceproofs.md`, section 4. How many points there
//! are follows from query and variant, so a proof says nothing about its own form.

use alloc::vec::Vec;

use ark_bls12_381::{Fr, G2Affine};

use super::params::{Params, Scheme};
use super::point::{UNCOMPRESSED, point};
use super::query::Query;
use crate::error::{DecodeError, Malformed, Span};
use crate::system::Encoded;
use crate::wire::point::{G1_BYTES, G2_BYTES, g2};
use crate::wire::{Bytes, Reader, SCALAR_BYTES, scalar};

/// A decoded proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<'a> {
    /// Claimed, in ascending order of positions.
    pub values: Vec<Fr>,
    /// Their bytes.
    pub(super) value_bytes: &'a [u8],
    /// Where the first of them stands.
    pub(super) values_start: usize,
    /// What shows that they are right.
    pub opening: Opening,
    /// Its points of G1, which the opening names by their places.
    pub(super) points: Vec<Encoded<'a>>,
    /// Where its points stand.
    pub(super) span: Span,
    /// How many were read.
    pub(super) decoded: Decoded,
}

/// The place of a point of G1 among those of the proof.
pub type Place = usize;

/// Points that were read, by what each takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Decoded {
    /// Of G1, compressed: a square root and a check of the subgroup.
    pub(super) compressed: usize,
    /// Of G1, by both coordinates.
    pub(super) uncompressed: usize,
    /// Of G2.
    pub(super) g2: usize,
}

/// What shows that values are right, by variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opening {
    /// `basic`, `plain`: the aggregate π\_I.
    Plain(Place),
    /// `basic`, `singles`: πᵢ for each position.
    Singles(Vec<Place>),
    /// `basic`, `hinted`: Q and U.
    Hinted([Place; 2]),
    /// `basic`, `commit-hinted`.
    Committed(Committed),
    /// `bucketed` and `two-layer`, `plain` and `T1`.
    Buckets(Buckets),
    /// `bucketed` and `two-layer`, `halved` and `T3`.
    Halved(Halved),
}

/// An aggregate, and commitments to the polynomials that its check would need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// π\_I.
    pub aggregate: Place,
    /// W = \[A\_I\]₂.
    pub set: G2Affine,
    /// V = \[R\_I\]₁.
    pub values: Place,
    /// 1/A\_I'(ωⁱ).
    pub weights: Vec<Fr>,
    /// U.
    pub hint: Place,
}

/// A proof for every bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buckets {
    /// By bucket of the outer layer.
    pub outer: Vec<OuterProof>,
    /// `T1`: E and U.
    pub hint: Option<[Place; 2]>,
}

/// Proofs of an outer bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OuterProof {
    /// Πᵢ.
    pub proof: Place,
    /// By inner bucket: Ψᵢⱼ, if the scheme has a middle layer, and π.
    pub inner: Vec<(Option<Place>, Place)>,
}

/// One proof for all buckets of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halved {
    /// Π\_S.
    pub outer: Place,
    /// By outer bucket: Ψᵢ of all its inner buckets, if the scheme has a middle layer; π by inner
    /// bucket.
    pub inner: Vec<(Option<Place>, Vec<Place>)>,
    /// `T3`: Q₁, Q₂, Q₃.
    pub hint: Option<[Place; 3]>,
}

impl<'a> Proof<'a> {
    pub(super) fn read(
        params: &Params,
        query: &Query,
        variant: &str,
        bytes: &'a [u8],
    ) -> Result<Self, DecodeError> {
        let mut items = Reader::whole_list(bytes, 0, "proof")?;
        let values = items.string("values")?;
        let points = items.string("points")?;
        items.finish("proof")?;
        let span = points.span;
        let values_start = values.span.start;
        let expected = query.count().saturating_mul(SCALAR_BYTES);
        let value_bytes = values.bytes;
        if value_bytes.len() != expected {
            return Err(Malformed::Shape.at(
                "values",
                "expected 32 bytes per position",
                values.span,
            ));
        }
        let mut read =
            Points { rest: points, compressed: true, decoded: Decoded::default(), met: Vec::new() };
        let values = read_scalars(values, "value")?;
        let opening = match (params.shape.scheme, variant) {
            (Scheme::Basic, "plain") => {
                limit(query.count(), params, span)?;
                Opening::Plain(read.g1()?)
            }
            (Scheme::Basic, "singles") => Opening::Singles(read.many(query.count())?),
            (Scheme::Basic, "hinted") => Opening::Hinted([read.g1()?, read.g1()?]),
            (Scheme::Basic, "commit-hinted") => Opening::Committed(read.committed(query.count())?),
            (Scheme::Bucketed | Scheme::TwoLayer, "plain") | (Scheme::TwoLayer, "T1") => {
                Opening::Buckets(read.buckets(params, query, variant == "T1")?)
            }
            (Scheme::Bucketed | Scheme::TwoLayer, "halved") | (Scheme::TwoLayer, "T3") => {
                Opening::Halved(read.halved(params, query, variant == "T3")?)
            }
            _ => {
                return Err(Malformed::Variant.at(
                    "variant",
                    "unknown variant for this format",
                    Span::default(),
                ));
            }
        };
        if !read.rest.bytes.is_empty() {
            // Bytes of another length are refused as no points, if they are none.
            read.met.iter().try_for_each(|met| point(met).map(drop))?;
            return Err(Malformed::Shape.at("points", "more than the query needs", read.rest.span));
        }
        let Points { met: points, decoded, .. } = read;
        Ok(Self { values, value_bytes, values_start, opening, points, span, decoded })
    }
}

/// Points that remain to be read.
struct Points<'a> {
    rest: Bytes<'a>,
    compressed: bool,
    decoded: Decoded,
    /// Points of G1 that were met.
    met: Vec<Encoded<'a>>,
}

impl<'a> Points<'a> {
    fn take(&mut self, count: usize) -> Result<Bytes<'a>, DecodeError> {
        let Bytes { bytes, span } = self.rest;
        let Some((head, rest)) = bytes.split_at_checked(count) else {
            return Err(Malformed::Shape.at("points", "fewer than the query needs", span));
        };
        let middle = span.start.saturating_add(count);
        self.rest = Bytes { bytes: rest, span: Span { start: middle, end: span.end } };
        Ok(Bytes { bytes: head, span: Span { start: span.start, end: middle } })
    }

    fn g1(&mut self) -> Result<Place, DecodeError> {
        let Decoded { compressed, uncompressed, .. } = &mut self.decoded;
        let size = if self.compressed {
            *compressed = compressed.saturating_add(1);
            G1_BYTES
        } else {
            *uncompressed = uncompressed.saturating_add(1);
            UNCOMPRESSED
        };
        let from = self.take(size)?;
        self.met.push(Encoded { from, field: "point", is_finite: false });
        Ok(self.met.len().saturating_sub(1))
    }

    fn g2(&mut self) -> Result<G2Affine, DecodeError> {
        self.decoded.g2 = self.decoded.g2.saturating_add(1);
        g2(self.take(G2_BYTES)?, "point")
    }

    fn many(&mut self, count: usize) -> Result<Vec<Place>, DecodeError> {
        // Bounded by the query, which is the caller's own.
        (0..count).map(|_| self.g1()).collect()
    }

    fn committed(&mut self, count: usize) -> Result<Committed, DecodeError> {
        Ok(Committed {
            aggregate: self.g1()?,
            set: self.g2()?,
            values: self.g1()?,
            weights: read_scalars(self.take(count.saturating_mul(SCALAR_BYTES))?, "weight")?,
            hint: self.g1()?,
        })
    }

    fn buckets(
        &mut self,
        params: &Params,
        query: &Query,
        hinted: bool,
    ) -> Result<Buckets, DecodeError> {
        let layers = params.shape.scheme == Scheme::TwoLayer;
        let buckets = query.buckets(&params.shape);
        let small: usize = buckets.iter().map(|bucket| bucket.inner.len()).sum();
        let each = if layers { 2 } else { 1 };
        let hints = if hinted { 2 } else { 0 };
        let count = buckets.len().saturating_add(small.saturating_mul(each)).saturating_add(hints);
        self.compressed = !(hinted && self.is_uncompressed(count));
        let mut outer = Vec::new();
        for bucket in &buckets {
            let proof = self.g1()?;
            let mut inner = Vec::new();
            for one in &bucket.inner {
                if !hinted {
                    limit(one.members.len(), params, self.rest.span)?;
                }
                let psi = if layers { Some(self.g1()?) } else { None };
                inner.push((psi, self.g1()?));
            }
            outer.push(OuterProof { proof, inner });
        }
        let hint = if hinted { Some([self.g1()?, self.g1()?]) } else { None };
        Ok(Buckets { outer, hint })
    }

    fn halved(
        &mut self,
        params: &Params,
        query: &Query,
        hinted: bool,
    ) -> Result<Halved, DecodeError> {
        let layers = params.shape.scheme == Scheme::TwoLayer;
        if !hinted && params.grid.is_empty() {
            return Err(Malformed::Limit.at(
                "positions",
                "the setup has no grid for this variant",
                self.rest.span,
            ));
        }
        let buckets = query.buckets(&params.shape);
        let small: usize = buckets.iter().map(|bucket| bucket.inner.len()).sum();
        let middle = if layers { buckets.len() } else { 0 };
        let hints = if hinted { 3 } else { 0 };
        let count = small.saturating_add(middle).saturating_add(hints).saturating_add(1);
        self.compressed = !(hinted && self.is_uncompressed(count));
        let outer = self.g1()?;
        let mut inner = Vec::new();
        for bucket in &buckets {
            let psi = if layers { Some(self.g1()?) } else { None };
            for one in bucket.inner.iter().filter(|_| !hinted) {
                limit(one.members.len(), params, self.rest.span)?;
            }
            inner.push((psi, self.many(bucket.inner.len())?));
        }
        let hint = if hinted { Some([self.g1()?, self.g1()?, self.g1()?]) } else { None };
        Ok(Halved { outer, inner, hint })
    }

    /// Whether the bytes are those of `count` uncompressed points. No other count fits a query, so
    /// the length tells.
    fn is_uncompressed(&self, count: usize) -> bool {
        self.rest.bytes.len() == count.saturating_mul(UNCOMPRESSED)
    }
}

/// Scalars one after the other.
fn read_scalars(from: Bytes<'_>, field: &'static str) -> Result<Vec<Fr>, DecodeError> {
    let mut start = from.span.start;
    let chunks = from.bytes.chunks(SCALAR_BYTES);
    chunks
        .map(|bytes| {
            let end = start.saturating_add(bytes.len());
            let span = Span { start, end };
            start = end;
            scalar(Bytes { bytes, span }, field)
        })
        .collect()
}

/// Refuses more positions of a bucket than there are powers for.
fn limit(count: usize, params: &Params, span: Span) -> Result<(), DecodeError> {
    if count > params.plain_limit() {
        return Err(Malformed::Limit.at(
            "positions",
            "the setup has too few powers for this variant",
            span,
        ));
    }
    Ok(())
}
