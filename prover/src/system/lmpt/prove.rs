//! Proofs, in both formats.

use super::config::Format;
use super::conflux;
use super::layers::{Roots, View};
use super::merge::{NODES, SNAPSHOT};
use super::tree::stored::Records;
use crate::error::StoreError;
use crate::hash::keccak256;
use crate::rlp::{self, Item};
use crate::store::{Read, versions};
use crate::trie::nibbles::unpack;
use crate::trie::{self, NodeSource};

/// Name of the variant of `lmpt/1` that proves absence by the two leaves next to the key.
pub const ADJACENT: &str = "adjacent";

/// Most keys in a query.
const MAX_KEYS: usize = 1_024;
/// Longest key, in bytes.
const MAX_KEY_BYTES: usize = 1_024;

/// One question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Unhashed; for `lmpt/conflux` a snapshot key.
    pub key: Vec<u8>,
    /// `lmpt/conflux`: the storage roots of the key, not its value.
    pub storage_roots: bool,
}

/// Reads RLP `[key, …]`; `None` if it is no query of the format.
pub fn decode(format: Format, query: &[u8]) -> Option<Vec<Question>> {
    let item = rlp::decode(query).ok()?;
    let items = item.as_list().filter(|items| (1..=MAX_KEYS).contains(&items.len()))?;
    let mut questions: Vec<Question> = Vec::new();
    for item in items {
        let (key, storage_roots) = match item.as_list() {
            None => (item.as_bytes()?, false),
            Some([key]) if format == Format::Conflux => (key.as_bytes()?, true),
            Some(_) => return None,
        };
        let is_key = (1..=MAX_KEY_BYTES).contains(&key.len())
            && (format == Format::Layered || conflux::is_key(key));
        let question = Question { key: key.to_vec(), storage_roots };
        if !is_key || questions.contains(&question) {
            return None;
        }
        questions.push(question);
    }
    Some(questions)
}

/// The query's bytes.
pub fn encode(questions: &[Question]) -> Vec<u8> {
    let item = |question: &Question| {
        let key = Item::bytes(&question.key);
        if question.storage_roots { Item::List(vec![key]) } else { key }
    };
    Item::List(questions.iter().map(item).collect()).encode()
}

fn roots_items(roots: &Roots) -> Vec<Item> {
    roots.iter().map(Item::bytes).collect()
}

/// The proof of `lmpt/1`: `[R_snapshot, R_intermediate, R_delta, form, [[proof, …], …]]`.
///
/// * `above`: delta and intermediate layer.
///
/// # Errors
/// [`StoreError`] if a layer cannot be read.
pub fn layered(
    view: &View,
    above: &[impl NodeSource; 2],
    store: &dyn Read,
    questions: &[Question],
    adjacent: bool,
) -> Result<Item, StoreError> {
    let snapshot = versions::View::new(store, NODES, SNAPSHOT, view.block);
    let mut keys = Vec::new();
    for question in questions {
        let key = keccak256(&question.key);
        let mut proofs = Vec::new();
        let mut found = false;
        for source in above {
            found = found || layer(source, &key, adjacent, &mut proofs)?;
        }
        if !found {
            layer(&snapshot, &key, adjacent, &mut proofs)?;
        }
        keys.push(Item::List(proofs));
    }
    let mut items = roots_items(&view.roots);
    items.extend([Item::uint(u8::from(adjacent)), Item::List(keys)]);
    Ok(Item::List(items))
}

/// What shows that a layer holds a key, or that it does not. Returns which.
fn layer(
    source: &impl NodeSource,
    key: &[u8],
    adjacent: bool,
    proofs: &mut Vec<Item>,
) -> Result<bool, StoreError> {
    let walk = trie::prove(source, key)?;
    let found = walk.value.is_some();
    proofs.push(match (adjacent && !walk.nodes.is_empty(), found) {
        (false, _) => nodes_item(&walk.nodes),
        (true, true) => Item::List(vec![nodes_item(&walk.nodes)]),
        (true, false) => {
            let (left, right) = trie::neighbours(source, key)?;
            Item::List(vec![leaf(source, left)?, leaf(source, right)?])
        }
    });
    Ok(found)
}

fn leaf(source: &impl NodeSource, key: Option<Vec<u8>>) -> Result<Item, StoreError> {
    let Some(key) = key else { return Ok(Item::List(vec![])) };
    let nodes = nodes_item(&trie::prove(source, &key)?.nodes);
    Ok(Item::List(vec![Item::bytes(key), nodes]))
}

fn nodes_item(nodes: &[Vec<u8>]) -> Item {
    Item::List(nodes.iter().map(Item::bytes).collect())
}

impl View {
    /// `lmpt/conflux`: reads the nodes on the way to the keys.
    ///
    /// # Errors
    /// [`StoreError`] if a node cannot be read.
    pub fn load(
        &mut self,
        questions: &[Question],
        records: &impl Records,
    ) -> Result<(), StoreError> {
        for question in questions {
            let keys = self.padded(&question.key);
            for (tree, key) in [&mut self.delta, &mut self.intermediate].into_iter().zip(keys) {
                tree.load(&unpack(&key.unwrap_or_default()), records)?;
            }
        }
        Ok(())
    }
}

/// The proof of `lmpt/conflux`: `[snapshotRoot, intermediateRoot, deltaRoot, previous, [stateProof,
/// …]]`. The nodes on the way to the keys must be in memory ([`View::load`]).
pub fn conflux(view: &View, questions: &[Question]) -> Item {
    let mut items = roots_items(&view.roots);
    items.push(Item::List(view.previous.as_ref().map_or_else(Vec::new, roots_items)));
    items.push(Item::List(questions.iter().map(|question| state_proof(view, question)).collect()));
    Item::List(items)
}

/// Conflux's `StateProof`: an option of a node list per layer, delta first.
fn state_proof(view: &View, question: &Question) -> Item {
    let none = || Item::List(vec![]);
    let [delta, intermediate] = view.padded(&question.key);
    let (delta, intermediate) = ((&view.delta, delta), (&view.intermediate, intermediate));
    let mut proofs = Vec::new();
    let mut answered = false;
    for (tree, key) in [delta, intermediate] {
        let key = key.filter(|_| tree.top().is_some() && !answered);
        proofs.push(key.map_or_else(none, |key| {
            let (nodes, value) = conflux::prove(tree, &key);
            answered = value.is_some() && !question.storage_roots;
            Item::List(vec![Item::List(nodes)])
        }));
    }
    let snapshot = view.snapshot.as_ref().filter(|_| !answered);
    proofs.push(snapshot.map_or_else(none, |tree| {
        Item::List(vec![Item::List(conflux::prove(tree, &question.key).0)])
    }));
    Item::List(proofs)
}
