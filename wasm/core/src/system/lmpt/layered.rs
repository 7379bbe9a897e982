//! Format `lmpt/1`: three Ethereum tries over keccak(key), the paper's layers with their gaps filled.
//!
//! Proof: RLP `[R_snapshot, R_intermediate, R_delta, form, [[proof, …], …]]`: for every key one proof per
//! consulted layer, delta first, `[]` if and only if the layer is empty. Form 0: a proof is the list of
//! nodes along the key. Form 1: `[nodes]` where the layer holds the key, else `[left, right]`, each
//! `[key, nodes]` of the neighbouring leaf, or `[]` at the trie's edge.
//!
//! A leaf holds `01 ‖ value`, or `00` for a tombstone; the snapshot holds no tombstones.

mod neighbours;

use alloc::vec::Vec;

use super::fact::{Answer, Layer, Value};
use super::query::Question;
use super::{Commitment, Form, Roots};
use crate::error::{DecodeError, Malformed, Span, VerifyError};
use crate::hash::{Hash, keccak256};
use crate::system::Presence;
use crate::trace::{Trace, note};
use crate::trie::{EMPTY_ROOT, TrieProof};
use crate::wire::{Bytes, Reader};
use neighbours::Neighbours;

/// Layers, newest first.
const LAYERS: usize = 3;

/// A decoded proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<'a> {
    roots: Roots,
    /// By key, then by layer.
    keys: Vec<KeyProof<'a>>,
    /// Where the keys' proofs stand.
    pub(super) span: Span,
}

/// What is shown for one key.
#[derive(Clone, Debug, PartialEq, Eq)]
struct KeyProof<'a> {
    /// Newest first.
    layers: Vec<LayerProof<'a>>,
    span: Span,
}

/// What is shown of one consulted layer.
#[derive(Clone, Debug, PartialEq, Eq)]
enum LayerProof<'a> {
    /// The layer is empty.
    Empty(Span),
    /// The nodes along the key; in the form that proves absence otherwise, to its leaf.
    Walk(TrieProof<'a>, Form),
    /// The leaves left and right of the key.
    Neighbours(Neighbours<'a>),
}

impl<'a> Proof<'a> {
    pub(super) fn read(mut items: Reader<'a>, form: Form) -> Result<Self, DecodeError> {
        let roots = Roots::read(&mut items)?;
        let span = items.span();
        if items.u64("form")? != u64::from(form == Form::Adjacent) {
            return Err(shape("form", "another form than the variant's", span));
        }
        let mut list = items.list("key proofs")?;
        let span = list.span();
        let mut keys = Vec::new();
        while !list.is_empty() {
            super::within_limit(keys.len(), &list)?;
            keys.push(KeyProof::read(list.list("key proof")?, form)?);
        }
        items.finish("proof")?;
        Ok(Self { roots, keys, span })
    }

    /// Holds the roots against the trusted one; how many keys are shown.
    pub(super) fn matches(
        &self,
        root: &Commitment,
        trace: &mut dyn Trace,
    ) -> Result<usize, VerifyError> {
        self.roots.matches(root.current, trace)?;
        Ok(self.keys.len())
    }

    /// The answer about key number `index`, `None` if it is not shown.
    pub(super) fn answer(
        &self,
        index: usize,
        question: &Question,
        trace: &mut dyn Trace,
    ) -> Option<Result<Answer, VerifyError>> {
        let key = keccak256(&question.key);
        let proof = self.keys.get(index)?;
        Some(proof.check(&self.roots, (index, &key), trace).map(Answer::Value))
    }
}

impl<'a> KeyProof<'a> {
    fn read(mut list: Reader<'a>, form: Form) -> Result<Self, DecodeError> {
        let span = list.span();
        let mut layers = Vec::new();
        while !list.is_empty() {
            if layers.len() == LAYERS {
                return Err(shape("layer proofs", "more than three", list.span()));
            }
            let layer = list.list("layer proof")?;
            layers.push(match form {
                _ if layer.is_empty() => LayerProof::Empty(layer.span()),
                Form::Walk => LayerProof::Walk(TrieProof::read(layer)?, form),
                Form::Adjacent => read_adjacent(layer)?,
            });
        }
        Ok(Self { layers, span })
    }

    /// Consults the layers, newest first, until one holds the key.
    fn check(
        &self,
        roots: &Roots,
        (index, key): (usize, &Hash),
        trace: &mut dyn Trace,
    ) -> Result<Value, VerifyError> {
        let layers = [
            (Layer::Delta, roots.delta),
            (Layer::Intermediate, roots.intermediate),
            (Layer::Snapshot, roots.snapshot),
        ];
        let mut proofs = self.layers.iter();
        let mut answer = Value { value: Presence::Absent, layer: Layer::Snapshot };
        for (layer, root) in layers {
            note!(trace, Entered "layer", None, key: index, layer: layer.name(), root: &root);
            let proof = proofs.next().ok_or(VerifyError::Incomplete { span: self.span })?;
            if let Some(leaf) = proof.lookup(root, key, trace)? {
                answer = Value { value: payload(leaf, layer)?, layer };
                let deleted = answer.value == Presence::Deleted;
                note!(trace, Compared "newest write", leaf.span, deleted: deleted);
                break;
            }
        }
        match proofs.next() {
            Some(unused) => Err(VerifyError::Surplus { span: unused.span(self.span) }),
            None => Ok(answer),
        }
    }
}

impl<'a> LayerProof<'a> {
    fn lookup(
        &self,
        root: Hash,
        key: &Hash,
        trace: &mut dyn Trace,
    ) -> Result<Option<Bytes<'a>>, VerifyError> {
        match self {
            Self::Empty(span) if root == EMPTY_ROOT => {
                note!(trace, Compared "empty layer", *span);
                Ok(None)
            }
            Self::Empty(span) => Err(VerifyError::Incomplete { span: *span }),
            Self::Walk(nodes, form) => {
                let found = nodes.walk(root, key, trace)?;
                if found.is_none() && *form == Form::Adjacent {
                    let reason = "this form proves absence by neighbours";
                    return Err(VerifyError::Absence { reason, span: nodes.span() });
                }
                Ok(found)
            }
            Self::Neighbours(neighbours) => neighbours.check(root, key, trace).map(|()| None),
        }
    }

    const fn span(&self, all: Span) -> Span {
        match self {
            Self::Empty(span) => *span,
            Self::Walk(..) | Self::Neighbours(_) => all,
        }
    }
}

fn read_adjacent(mut layer: Reader<'_>) -> Result<LayerProof<'_>, DecodeError> {
    let first = layer.list("neighbour or nodes")?;
    if layer.is_empty() {
        return Ok(LayerProof::Walk(TrieProof::read(first)?, Form::Adjacent));
    }
    let second = layer.list("right neighbour")?;
    layer.finish("layer proof")?;
    Neighbours::read(first, second).map(LayerProof::Neighbours)
}

/// The payload of a leaf: a value, or a tombstone above the snapshot.
fn payload(leaf: Bytes<'_>, layer: Layer) -> Result<Presence<Vec<u8>>, VerifyError> {
    match leaf.bytes {
        [1, value @ ..] => Ok(Presence::Present(value.to_vec())),
        [0] if layer != Layer::Snapshot => Ok(Presence::Deleted),
        _ => Err(VerifyError::Value { field: "layer payload", span: leaf.span }),
    }
}

const fn shape(field: &'static str, reason: &'static str, span: Span) -> DecodeError {
    DecodeError { malformed: Malformed::Shape, field, reason, span }
}
