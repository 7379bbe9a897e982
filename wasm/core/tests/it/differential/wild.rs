//! Tries that keep the rules or break one of them, built along one key's path.

use lightproof_testkit::trie::{hex_prefix, nibbles};
use lightproof_testkit::{Rlp, keccak};
use proptest::prelude::*;

/// A path through a trie, top to bottom.
#[derive(Clone, Debug)]
pub(super) struct Wild {
    key: [u8; 32],
    steps: Vec<(Step, Quirk)>,
    end: (End, Quirk),
}

#[derive(Clone, Debug)]
enum Step {
    Branch { siblings: u8, value: Vec<u8>, items: usize },
    Extension { length: usize },
}

#[derive(Clone, Debug)]
enum End {
    /// A leaf, its path `surplus` nibbles too long, of this key or another one.
    Leaf { value: Vec<u8>, surplus: i8, other: bool },
    /// Nothing in the parent's slot.
    Empty,
    /// An extension that leaves the key's path.
    Fork { length: usize },
}

/// How one node is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quirk {
    None,
    Flag,
    Padding,
    Trailing,
    LongForm,
    ByHash,
    Inline,
}

/// What came of it.
#[derive(Clone, Debug)]
pub(super) struct Built {
    pub(super) root: [u8; 32],
    pub(super) key: [u8; 32],
    pub(super) nodes: Vec<Vec<u8>>,
    pub(super) value: Option<Vec<u8>>,
    /// The rule that is broken.
    pub(super) broken: Option<&'static str>,
}

pub(super) fn wild() -> impl Strategy<Value = Wild> {
    let step = prop_oneof![
        5 => (1..4_u8).prop_map(|siblings| branch(siblings, &[], 17)),
        2 => (0..30_usize).prop_map(|length| Step::Extension { length }),
        1 => (0..3_u8, 0..2_usize, 16..19_usize)
            .prop_map(|(siblings, value, items)| branch(siblings, &vec![1; value], items)),
    ];
    let end = prop_oneof![
        8 => (prop::collection::vec(any::<u8>(), 1..40), any::<bool>())
            .prop_map(|(value, other)| End::Leaf { value, surplus: 0, other }),
        4 => (1..128_u8, any::<bool>())
            .prop_map(|(byte, other)| End::Leaf { value: vec![byte], surplus: 0, other }),
        1 => (0..2_usize, -1..2_i8, any::<bool>())
            .prop_map(|(length, surplus, other)| End::Leaf { value: vec![1; length], surplus, other }),
        2 => Just(End::Empty),
        2 => (1..5_usize).prop_map(|length| End::Fork { length }),
    ];
    (any::<[u8; 32]>(), prop::collection::vec((step, quirk()), 0..8), (end, quirk()))
        .prop_map(|(key, steps, end)| Wild { key, steps, end })
}

fn branch(siblings: u8, value: &[u8], items: usize) -> Step {
    Step::Branch { siblings, value: value.to_vec(), items }
}

fn quirk() -> impl Strategy<Value = Quirk> {
    prop_oneof![
        30 => Just(Quirk::None),
        1 => Just(Quirk::Flag),
        1 => Just(Quirk::Padding),
        1 => Just(Quirk::Trailing),
        1 => Just(Quirk::LongForm),
        1 => Just(Quirk::ByHash),
        1 => Just(Quirk::Inline),
    ]
}

/// What stands below the node that is built next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Below {
    Branch,
    Other,
    Nothing,
}

/// Builds upwards.
struct Builder {
    nodes: Vec<Vec<u8>>,
    broken: Option<&'static str>,
    below: Below,
    child: Rlp,
}

impl Wild {
    pub(super) fn build(&self) -> Built {
        let path = nibbles(&self.key);
        // Steps that would pass the key's end are left out; an extension never reaches it.
        let mut depth = 0;
        let mut placed = Vec::new();
        for (step, quirk) in &self.steps {
            let length = if let Step::Extension { length } = step { *length } else { 1 };
            let last = if matches!(step, Step::Extension { .. }) { 63 } else { 64 };
            if depth + length <= last {
                placed.push((step, *quirk, depth));
                depth += length;
            }
        }
        let empty = Rlp::str([]);
        let mut builder =
            Builder { nodes: Vec::new(), broken: None, below: Below::Nothing, child: empty };
        let value = builder.end(&self.end.0, self.end.1, &path[depth..], placed.is_empty());
        for (index, (step, quirk, depth)) in placed.into_iter().enumerate().rev() {
            builder.step(step, quirk, &path[depth..], index == 0);
        }
        builder.nodes.reverse();
        let root = keccak(builder.nodes.first().map_or(&[0x80], |node| node));
        Built { root, key: self.key, nodes: builder.nodes, value, broken: builder.broken }
    }
}

/// Changes a path's first nibble, if it has one.
fn leave(path: &mut [u8]) -> bool {
    path.first_mut().map(|nibble| *nibble ^= 1).is_some()
}

impl Builder {
    fn end(&mut self, end: &End, quirk: Quirk, rest: &[u8], root: bool) -> Option<Vec<u8>> {
        match end {
            End::Leaf { value, surplus, other } => {
                let mut path = rest.to_vec();
                let left = *other && leave(&mut path);
                match surplus {
                    1.. => path.push(0),
                    ..=-1 if !path.is_empty() => drop(path.pop()),
                    _ => {}
                }
                self.rule(path.len() == rest.len(), "a leaf ends at the key's length");
                self.rule(!value.is_empty(), "a leaf's value is not empty");
                self.path_node(&path, true, Rlp::str(value), quirk, root);
                (!left).then(|| value.clone())
            }
            End::Fork { length } if *length < rest.len() => {
                let mut path = rest[..*length].to_vec();
                leave(&mut path);
                self.path_node(&path, false, Rlp::str([0xab; 32]), quirk, root);
                None
            }
            End::Fork { .. } | End::Empty => None,
        }
    }

    fn step(&mut self, step: &Step, quirk: Quirk, rest: &[u8], root: bool) {
        let child = std::mem::replace(&mut self.child, Rlp::str([]));
        match step {
            Step::Extension { length } => {
                self.rule(*length > 0, "an extension's path is not empty");
                self.rule(self.below == Below::Branch, "an extension leads to a branch");
                self.path_node(&rest[..*length], false, child, quirk, root);
            }
            Step::Branch { siblings, value, items } => {
                let occupied = usize::from(*siblings) + usize::from(self.below != Below::Nothing);
                self.rule(occupied >= 2, "a branch has two children");
                self.rule(value.is_empty(), "a branch has no value");
                self.rule(*items == 17, "a branch has 17 items");
                let mut slots = vec![Rlp::str([]); 16];
                for sibling in 1..=*siblings {
                    slots[usize::from((rest[0] + sibling) % 16)] = Rlp::str([sibling; 32]);
                }
                slots[usize::from(rest[0])] = child;
                slots.extend([Rlp::str(value), Rlp::str([])]);
                slots.truncate(*items);
                self.place(&slots, quirk, root);
                self.below = Below::Branch;
            }
        }
    }

    fn path_node(&mut self, path: &[u8], leaf: bool, second: Rlp, quirk: Quirk, root: bool) {
        let Rlp::Str(mut encoded) = hex_prefix(path, leaf) else { panic!("a path is a string") };
        self.rule(quirk != Quirk::Flag, "a flag is 0 to 3");
        if quirk == Quirk::Flag {
            encoded[0] |= 0x40;
        }
        if quirk == Quirk::Padding && path.len().is_multiple_of(2) {
            self.rule(false, "padding is zero");
            encoded[0] |= 1;
        }
        self.place(&[Rlp::Str(encoded), second], quirk, root);
        self.below = Below::Other;
    }

    /// Writes a node and makes the reference that its parent will hold.
    fn place(&mut self, items: &[Rlp], quirk: Quirk, root: bool) {
        let payload: Vec<u8> = items.iter().flat_map(Rlp::encode).collect();
        let mut bytes = Rlp::list(items.iter().cloned()).encode();
        if quirk == Quirk::LongForm {
            self.rule(false, "a length is minimal");
            let digits = u16::try_from(payload.len()).unwrap().to_be_bytes();
            let header = if payload.len() < 56 { vec![0xf8, digits[1]] } else { vec![0xfa, 0] };
            let digits = if payload.len() < 56 { &[][..] } else { &digits };
            bytes = [&header, digits, &payload].concat();
        }
        if quirk == Quirk::Trailing {
            self.rule(false, "nothing trails");
            bytes.push(0);
        }
        let small = bytes.len() < 32 && !root;
        let inline = match quirk {
            Quirk::ByHash => {
                self.rule(!small, "a small node stands inside its parent");
                false
            }
            Quirk::Inline if !root => {
                self.rule(small, "a large node stands apart");
                true
            }
            _ => small,
        };
        if inline {
            self.child = Rlp::Raw(bytes);
        } else {
            self.child = Rlp::str(keccak(&bytes));
            self.nodes.push(bytes);
        }
    }

    fn rule(&mut self, kept: bool, rule: &'static str) {
        if !kept {
            self.broken.get_or_insert(rule);
        }
    }
}
