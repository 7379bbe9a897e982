//! Bytes of a node in the database.

use super::{Reference, Stub};
use crate::system::lmpt::config::Format;
use crate::system::lmpt::tree::{Child, Children, Node};
use crate::trie::nibbles::{Nibbles, pack, unpack};

/// Nibbles of the path (1) ‖ packed path ‖ length of the value + 1, or 0 without one (2) ‖ value ‖
/// mask of the children (2) ‖ per child place (8) ‖ length of the reference (1) ‖ reference.
pub(super) fn encode(node: &Node, format: Format, depth: usize, places: &[u64; 16]) -> Vec<u8> {
    let mut out = Vec::with_capacity(128);
    out.push(u8::try_from(node.path.len()).unwrap_or(u8::MAX));
    out.extend(pack(&node.path));
    let length = node.value.as_ref().map_or(0, |value| value.len() + 1);
    out.extend(u16::try_from(length).unwrap_or(u16::MAX).to_be_bytes());
    out.extend(node.value.iter().flatten());
    let mask = (0..).zip(places).fold(0, |mask, (bit, at)| mask | u16::from(*at != 0) << bit);
    out.extend(mask.to_be_bytes());
    let children = node.children.iter().flat_map(|children| children.iter());
    for (at, child) in places.iter().zip(children) {
        if let Some(reference) = child.reference(format, depth) {
            out.extend(at.to_be_bytes());
            out.push(u8::try_from(reference.len()).unwrap_or(u8::MAX));
            out.extend(reference);
        }
    }
    out
}

/// Reads what [`encode`] wrote, whatever follows it.
pub(super) fn decode(bytes: &[u8]) -> Option<Node> {
    let (count, rest) = bytes.split_first()?;
    let count = usize::from(*count);
    let (path, rest) = rest.split_at_checked(count.div_ceil(2))?;
    let mut path: Nibbles = unpack(path);
    path.truncate(count);
    let (length, mut rest) = rest.split_first_chunk()?;
    let mut value = None;
    if let Some(length) = usize::from(u16::from_be_bytes(*length)).checked_sub(1) {
        let (bytes, behind) = rest.split_at_checked(length)?;
        (value, rest) = (Some(bytes.to_vec()), behind);
    }
    let (mask, mut rest) = rest.split_first_chunk()?;
    let mask = u16::from_be_bytes(*mask);
    let mut node = Node::new(path, value);
    if mask == 0 {
        return Some(node);
    }
    let mut children: Box<Children> = Box::new([const { Child::None }; 16]);
    let named = children.iter_mut().enumerate().filter(|(nibble, _)| mask >> nibble & 1 == 1);
    for (_, child) in named {
        let (at, behind) = rest.split_first_chunk()?;
        let (length, behind) = behind.split_first()?;
        let (reference, behind) = behind.split_at_checked(usize::from(*length))?;
        let stub = Stub { at: u64::from_be_bytes(*at), reference: Reference::new(reference) };
        (*child, rest) = (Child::Stored(Box::new(stub)), behind);
    }
    node.children = Some(children);
    Some(node)
}
