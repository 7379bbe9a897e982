//! Format `lmpt/conflux`: keys, hashes and proofs of Conflux's storage.

use super::{Child, Children, Node, Tree};
use crate::hash::{EMPTY_CODE_HASH, Word, keccak256};
use crate::rlp::Item;
use crate::system::lmpt::config::Format;
use crate::trie::nibbles::{pack, unpack};

/// Root of a layer without keys, and reference to a child that is not there: keccak of nothing.
pub const NULL: Word = EMPTY_CODE_HASH;

/// Marks a key of eSpace behind the address.
const ESPACE: u8 = 0x81;
const SLOT: &[u8] = b"data";

/// The snapshot key of a slot: address ‖ `data` ‖ slot.
pub fn snapshot_key(key: &[u8; 52]) -> Vec<u8> {
    let (address, slot) = key.split_at(20);
    [address, SLOT, slot].concat()
}

/// The slot that a snapshot key names.
pub fn slot_of(key: &[u8]) -> Option<[u8; 52]> {
    let (address, rest) = key.split_at_checked(20)?;
    [address, rest.strip_prefix(SLOT)?].concat().try_into().ok()
}

/// Whether these bytes are a snapshot key.
pub fn is_key(key: &[u8]) -> bool {
    let rest = key.get(20..).map(|rest| rest.strip_prefix(&[ESPACE]).unwrap_or(rest));
    rest.is_some_and(|rest| {
        let prefixes = [SLOT, b"code"];
        let whole: [&[u8]; 3] = [b"", b"deposit", b"vote"];
        whole.contains(&rest) || prefixes.iter().any(|prefix| rest.starts_with(prefix))
    })
}

/// What scatters the keys of a delta above these roots.
pub fn padding([snapshot, intermediate, _]: &[Word; 3]) -> Word {
    keccak256(&[*snapshot, *intermediate].concat())
}

/// A snapshot key as a delta stores it.
pub fn padded(padding: &Word, key: &[u8]) -> Vec<u8> {
    let (address, rest) = key.split_at(20);
    let scattered = keccak256(&[&padding[..12], address].concat());
    let (space, rest) = rest.split_at(usize::from(rest.first() == Some(&ESPACE)));
    let mut padded = [&scattered[..12], address, space].concat();
    match rest.strip_prefix(SLOT).filter(|slot| !slot.is_empty()) {
        Some(slot) => {
            let scattered = keccak256(&[padding.as_slice(), slot].concat());
            padded.extend([SLOT, &scattered[SLOT.len()..], slot].concat());
        }
        None => padded.extend_from_slice(rest),
    }
    padded
}

/// The root of a layer.
pub(in crate::system::lmpt) fn root(node: Option<&Node>) -> Word {
    node.map_or(NULL, |node| hash(node, 0))
}

/// The hash without the path.
fn hash(node: &Node, depth: usize) -> Word {
    let below = depth + node.path.len() + 1;
    let mut input = vec![b'n'];
    match &node.children {
        Some(children) => input.extend(references(children, below).concat()),
        None => input.extend([NULL; 16].concat()),
    }
    if let Some(value) = &node.value {
        input.push(b'v');
        input.extend_from_slice(value);
    }
    keccak256(&input)
}

fn references(children: &Children, depth: usize) -> [Word; 16] {
    std::array::from_fn(|nibble| {
        let reference = children[nibble].reference(Format::Conflux, depth);
        reference.and_then(|hash| hash.try_into().ok()).unwrap_or(NULL)
    })
}

/// The hash that a parent refers to. `depth`: nibbles above the path, the child index included.
pub(in crate::system::lmpt) fn merkle(node: &Node, depth: usize) -> Word {
    let hash = hash(node, depth);
    if node.path.is_empty() {
        return hash;
    }
    let skips_first = depth % 2;
    // All three terms fit a byte.
    let info = u8::try_from(128 + 64 * skips_first + node.path.len() % 63).unwrap_or(u8::MAX);
    let aligned = [&[0][..skips_first], &node.path].concat();
    keccak256(&[&[info], pack(&aligned).as_slice(), &hash].concat())
}

/// The nodes along a key as Conflux's proofs carry them, and the value. They must be in memory.
pub(in crate::system::lmpt) fn prove<'t>(
    tree: &'t Tree,
    key: &[u8],
) -> (Vec<Item>, Option<&'t [u8]>) {
    let key = unpack(key);
    let mut nodes = Vec::new();
    let (mut next, mut depth) = (tree.top(), 0_usize);
    if next.is_none() {
        // Stands for a layer that was never written.
        nodes.push(Item::List(vec![
            Item::bytes(keccak256(&[b"n".as_slice(), &[NULL; 16].concat()].concat())),
            Item::List(vec![]),
            Item::List(vec![]),
        ]));
    }
    while let Some(node) = next {
        let index = depth.checked_sub(1).map(|last| key[last]);
        nodes.push(proof_node(node, depth, index));
        let Some(rest) = key[depth..].strip_prefix(node.path.as_slice()) else { break };
        let Some(nibble) = rest.first() else { return (nodes, node.value.as_deref()) };
        depth += node.path.len() + 1;
        next = node.child(*nibble).and_then(Child::here);
    }
    (nodes, None)
}

fn proof_node(node: &Node, depth: usize, index: Option<u8>) -> Item {
    let children = node.children.as_ref().map_or_else(Vec::new, |children| {
        let depth = depth + node.path.len() + 1;
        references(children, depth).iter().map(Item::bytes).collect()
    });
    let value = node.value.iter().map(Item::bytes).collect();
    let mut items = vec![Item::bytes(merkle(node, depth)), Item::List(children), Item::List(value)];
    let skipped = index.filter(|_| depth % 2 == 1);
    if skipped.is_some() || !node.path.is_empty() {
        let ends_odd = (depth + node.path.len()) % 2 == 1;
        let mask = if skipped.is_some() { 0x0f_u8 } else { 0 } | if ends_odd { 0xf0 } else { 0 };
        let aligned: Vec<u8> = skipped.into_iter().chain(node.path.iter().copied()).collect();
        items.push(Item::List(vec![Item::uint(mask), Item::bytes(pack(&aligned))]));
    }
    Item::List(items)
}
