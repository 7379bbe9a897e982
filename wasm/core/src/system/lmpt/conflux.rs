//! Format `lmpt/conflux`: the three layers as Conflux's full nodes commit to them.
//!
//! Bytes and checks: `spec/systems/lmpt.md`, section 6.
//!
//! The intermediate layer was written under the padding of the period before, so its keys follow
//! from the previous triple, which needs its own trusted hash.

pub(super) mod key;
mod node;
mod walk;

use super::fact::{Answer, Layer, StorageRoots, Value};
use super::query::{Question, Wanted};
use super::{Commitment, Roots};
use crate::error::{DecodeError, Malformed, Span, VerifyError};
use crate::hash::Hash;
use crate::observer::{Observer, note};
use crate::system::Presence;
use crate::wire::Reader;
use alloc::vec::Vec;
pub(super) use key::Key;
use walk::{Found, NodeList};

/// Root of a layer that was never written, and reference to a child that does not exist.
const NULL: Hash = Hash::OF_NOTHING;

/// A decoded proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<'a> {
    current: Roots,
    previous: Option<Roots>,
    /// By key; delta, intermediate, snapshot.
    keys: Vec<Vec<LayerProof<'a>>>,
    /// Where the keys' proofs stand.
    pub(super) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct LayerProof<'a> {
    nodes: Option<NodeList<'a>>,
    span: Span,
}

impl<'a> Proof<'a> {
    pub(super) fn read(mut items: Reader<'a>) -> Result<Self, DecodeError> {
        let current = Roots::read(&mut items)?;
        let mut triple = items.list("previous state root")?;
        let previous = if triple.is_empty() { None } else { Some(Roots::read(&mut triple)?) };
        triple.finish("previous state root")?;
        let mut list = items.list("state proofs")?;
        let span = list.span();
        let mut keys = Vec::new();
        while !list.is_empty() {
            super::within_limit(keys.len(), &list)?;
            let mut proofs = list.list("state proof")?;
            let mut layers = Vec::with_capacity(3);
            for field in ["delta proof", "intermediate proof", "snapshot proof"] {
                layers.push(LayerProof::read(&mut proofs, field)?);
            }
            proofs.finish("state proof")?;
            keys.push(layers);
        }
        items.finish("proof")?;
        Ok(Self { current, previous, keys, span })
    }

    /// Holds the roots against the trusted ones; how many keys are shown.
    pub(super) fn matches(
        &self,
        root: &Commitment,
        observer: &mut impl Observer,
    ) -> Result<usize, VerifyError> {
        self.current.matches(root.current, observer)?;
        match (&self.previous, root.previous) {
            (Some(previous), Some(expected)) => {
                previous.matches(expected, observer)?;
                // Written keys carry a padding that hashes the roots of the period before, so a
                // trie that stands in those roots cannot hold them: under them
                // every key reads as absent.
                if expected == root.current && self.current.intermediate != NULL {
                    let reason =
                        "both periods have one root, yet the intermediate layer is written";
                    return Err(VerifyError::Order { reason, span: previous.span });
                }
            }
            (None, None) => {}
            (Some(previous), None) => return Err(VerifyError::Surplus { span: previous.span }),
            (None, Some(_)) => return Err(VerifyError::Incomplete { span: self.current.span }),
        }
        Ok(self.keys.len())
    }

    /// The answer about key number `index`, `None` if it is not shown.
    pub(super) fn answer(
        &self,
        index: usize,
        question: &Question,
        observer: &mut impl Observer,
    ) -> Option<Result<Answer, VerifyError>> {
        let layers = self.layers(&Key::parse(&question.key)?, self.keys.get(index)?);
        Some(match question.wanted {
            Wanted::StorageRoots => {
                storage_roots(&layers, index, observer).map(Answer::StorageRoots)
            }
            Wanted::Value => value(&layers, index, observer).map(Answer::Value),
        })
    }

    /// The layers, newest first, with their roots and the key as each of them stores it.
    fn layers<'p>(&self, key: &Key<'_>, proofs: &'p [LayerProof<'a>]) -> Vec<Consulted<'p, 'a>> {
        let (now, before) = (&self.current, self.previous.as_ref());
        let layers = [
            (Layer::Delta, now.delta, Some(now)),
            (Layer::Intermediate, now.intermediate, before),
            (Layer::Snapshot, now.snapshot, None),
        ];
        let mut consulted = Vec::new();
        for ((layer, root, above), proof) in layers.into_iter().zip(proofs) {
            let key = match (layer, above) {
                (Layer::Snapshot, _) => Some(key.bytes().to_vec()),
                (_, above) => above.map(|roots| key.padded(&padding(roots))),
            };
            consulted.push(Consulted { layer, root, key, proof });
        }
        consulted
    }
}

/// The newest layer that knows the key answers; nothing below it is shown.
fn value(
    layers: &[Consulted<'_, '_>],
    index: usize,
    observer: &mut impl Observer,
) -> Result<Value, VerifyError> {
    let mut answer = None;
    for consulted in layers {
        if answer.is_some() {
            consulted.proof.must_be_none()?;
            continue;
        }
        let Some(value) = consulted.lookup(index, observer)?.and_then(|found| found.value) else {
            continue;
        };
        let deleted = value.bytes.is_empty();
        note!(observer, Compared "newest write", value.span, deleted: deleted);
        let layer = consulted.layer;
        let value = match value.bytes {
            [] if layer == Layer::Snapshot => {
                return Err(VerifyError::Value { field: "snapshot value", span: value.span });
            }
            [] => Presence::Deleted,
            bytes => Presence::Present(bytes.to_vec()),
        };
        answer = Some(Value { value, layer });
    }
    Ok(answer.unwrap_or(Value { value: Presence::Absent, layer: Layer::Snapshot }))
}

/// Every layer is shown, whatever the newer ones hold.
fn storage_roots(
    layers: &[Consulted<'_, '_>],
    index: usize,
    observer: &mut impl Observer,
) -> Result<StorageRoots, VerifyError> {
    let mut found = [None; 3];
    for (slot, consulted) in found.iter_mut().zip(layers) {
        *slot = consulted.lookup(index, observer)?.map(|found| found.node_hash);
    }
    let [delta, intermediate, snapshot] = found;
    Ok(StorageRoots { delta, intermediate, snapshot })
}

/// A layer that is asked for a key.
struct Consulted<'p, 'a> {
    layer: Layer,
    root: Hash,
    /// As the layer stores it; `None` where nothing says how.
    key: Option<Vec<u8>>,
    proof: &'p LayerProof<'a>,
}

impl<'a> Consulted<'_, 'a> {
    /// The node that ends at the key, `None` if the layer is proven to have none.
    ///
    /// * `index`: the question's number.
    fn lookup(
        &self,
        index: usize,
        observer: &mut impl Observer,
    ) -> Result<Option<Found<'a>>, VerifyError> {
        let Self { layer, root, key, proof } = self;
        note!(observer, Entered "layer", None, key: index, layer: layer.name(), root: root);
        if *root == NULL && *layer != Layer::Snapshot {
            proof.must_be_none()?;
            note!(observer, Compared "empty layer", proof.span);
            return Ok(None);
        }
        let missing = VerifyError::Incomplete { span: proof.span };
        let Some(nodes) = &proof.nodes else { return Err(missing) };
        if *root == NULL {
            return nodes.must_be_null().map(|()| None);
        }
        // A written intermediate layer has a period before it, whose triple pads its keys.
        nodes.walk(*root, key.as_ref().ok_or(missing)?, observer)
    }
}

impl<'a> LayerProof<'a> {
    fn read(proofs: &mut Reader<'a>, field: &'static str) -> Result<Self, DecodeError> {
        let span = proofs.span();
        let mut option = proofs.list(field)?;
        let nodes =
            if option.is_empty() { None } else { Some(NodeList::read(option.list(field)?)?) };
        if !option.is_empty() {
            let reason = "an option holds one proof or none";
            return Err(Malformed::Shape.at(field, reason, option.span()));
        }
        Ok(Self { nodes, span })
    }

    fn must_be_none(&self) -> Result<(), VerifyError> {
        match self.nodes {
            Some(_) => Err(VerifyError::Surplus { span: self.span }),
            None => Ok(()),
        }
    }
}

/// The padding under which the layer above these roots stores its keys.
fn padding(roots: &Roots) -> Hash {
    super::hash_of(&[roots.snapshot, roots.intermediate])
}
