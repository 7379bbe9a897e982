//! Format `lmpt/1`: three Ethereum tries over keccak(key), the paper's layers with their gaps
//! filled.
//!
//! Bytes and checks: `spec/systems/lmpt.md`, section 5.

mod neighbours;

use alloc::vec::Vec;

use super::fact::{Answer, Layer, Value};
use super::query::Question;
use super::{Commitment, Form, Roots};
use crate::error::{DecodeError, Malformed, Span, VerifyError};
use crate::hash::{Hash, keccak256};
use crate::observer::{Observer, note};
use crate::system::Presence;
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
            return Err(Malformed::Shape.at("form", "form does not match the variant", span));
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
        observer: &mut impl Observer,
    ) -> Result<usize, VerifyError> {
        self.roots.matches(root.current, observer)?;
        Ok(self.keys.len())
    }

    /// The answer about key number `index`, `None` if it is not shown.
    pub(super) fn answer(
        &self,
        index: usize,
        question: &Question,
        observer: &mut impl Observer,
    ) -> Option<Result<Answer, VerifyError>> {
        let key = keccak256(&question.key);
        let proof = self.keys.get(index)?;
        Some(proof.check(&self.roots, (index, &key), observer).map(Answer::Value))
    }
}

impl<'a> KeyProof<'a> {
    fn read(mut list: Reader<'a>, form: Form) -> Result<Self, DecodeError> {
        let span = list.span();
        let mut layers = Vec::new();
        while !list.is_empty() {
            if layers.len() == LAYERS {
                return Err(Malformed::Shape.at("layer proofs", "more than three", list.span()));
            }
            let layer = list.list("layer proof")?;
            layers.push(match form {
                _ if layer.is_empty() => LayerProof::Empty(layer.span()),
                Form::Walk => LayerProof::Walk(TrieProof::read(layer)?, form),
                Form::Adjacent => read_adjacent(layer)?,
            });
        }
        layers.shrink_to_fit();
        Ok(Self { layers, span })
    }

    /// Consults the layers, newest first, until one holds the key.
    fn check(
        &self,
        roots: &Roots,
        (index, key): (usize, &Hash),
        observer: &mut impl Observer,
    ) -> Result<Value, VerifyError> {
        let layers = [
            (Layer::Delta, roots.delta),
            (Layer::Intermediate, roots.intermediate),
            (Layer::Snapshot, roots.snapshot),
        ];
        let mut proofs = self.layers.iter();
        let mut answer = Value { value: Presence::Absent, layer: Layer::Snapshot };
        for (layer, root) in layers {
            note!(observer, Entered "layer", None, key: index, layer: layer.name(), root: &root);
            let proof = proofs.next().ok_or(VerifyError::Incomplete { span: self.span })?;
            if let Some(leaf) = proof.lookup(root, key, observer)? {
                answer = Value { value: payload(leaf, layer)?, layer };
                let deleted = answer.value == Presence::Deleted;
                note!(observer, Compared "newest write", leaf.span, deleted: deleted);
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
        observer: &mut impl Observer,
    ) -> Result<Option<Bytes<'a>>, VerifyError> {
        match self {
            Self::Empty(span) if root == EMPTY_ROOT => {
                note!(observer, Compared "empty layer", *span);
                Ok(None)
            }
            Self::Empty(span) => Err(VerifyError::Incomplete { span: *span }),
            Self::Walk(nodes, form) => {
                let found = nodes.walk(root, key, observer)?;
                if found.is_none() && *form == Form::Adjacent {
                    let reason = "variant adjacent proves absence by neighbours, not by a walk";
                    return Err(VerifyError::Absence { reason, span: nodes.span() });
                }
                Ok(found)
            }
            Self::Neighbours(neighbours) => neighbours.check(root, key, observer).map(|()| None),
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
