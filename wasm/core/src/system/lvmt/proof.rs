//! Decoded proofs. Where an answer's leaves stand follows from its key alone; what an answer before
//! it gave is not given again.

use alloc::vec::Vec;

use ark_bn254::Fr;

use super::amt::{Form, Openings};
use super::params::{Format, Params};
use super::query::{Key, Query};
use crate::error::{DecodeError, Malformed, Span};
use crate::system::Encoded;
use crate::wire::{Bytes, Reader, scalar};

/// Versions in a leaf: that of its sub-AMT, then those of five keys.
pub(super) const SLOTS: usize = 6;

/// Bytes of a version in a leaf.
const VERSION_BYTES: usize = 5;

/// A decoded proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<'a> {
    /// Blocks that tuples are in, ascending.
    pub(super) blocks: Vec<Block<'a>>,
    /// AMTs that the answers' keys visit, the root first, each behind its parent.
    pub(super) trees: Vec<Tree<'a>>,
    /// One for each key.
    pub(super) answers: Vec<Answer<'a>>,
    /// In the order in which they stand.
    pub(super) points: Vec<Encoded<'a>>,
}

/// A block that tuples are in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block<'a> {
    /// Of `lvmt/1`.
    Listed(Listed<'a>),
    /// Of `lvmt/osdi23`, where the root holds every block's own.
    Bare { epoch: u64, span: Span },
}

/// A block and its place in the list of blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed<'a> {
    pub(super) epoch: u64,
    pub(super) count: u64,
    pub(super) path: &'a [[u8; 32]],
    pub(super) span: Span,
}

impl<'a> Block<'a> {
    /// * `after`: the block before it.
    fn read(
        format: Format,
        mut items: Reader<'a>,
        after: Option<&Self>,
    ) -> Result<Self, DecodeError> {
        let span = items.span();
        let epoch = items.u64("epoch")?;
        if after.is_some_and(|last| last.epoch() >= epoch) {
            return Err(Malformed::Shape.at("epoch", "blocks do not ascend", span));
        }
        let block = match format {
            Format::One => {
                let (count, path) = (items.u64("count")?, hashes(&mut items, "path of the block")?);
                Self::Listed(Listed { epoch, count, path, span })
            }
            Format::Osdi23 => Self::Bare { epoch, span },
        };
        items.finish("block")?;
        Ok(block)
    }

    pub(super) const fn epoch(&self) -> u64 {
        match self {
            Self::Listed(Listed { epoch, .. }) | Self::Bare { epoch, .. } => *epoch,
        }
    }

    pub(super) const fn span(&self) -> Span {
        match self {
            Self::Listed(Listed { span, .. }) | Self::Bare { span, .. } => *span,
        }
    }
}

/// Where a tuple stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member<'a> {
    /// Number among [`Proof::blocks`].
    pub(super) block: usize,
    pub(super) position: u64,
    pub(super) path: &'a [[u8; 32]],
    pub(super) span: Span,
}

/// An AMT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tree<'a> {
    /// Indices that lead to it.
    pub(super) path: Vec<u32>,
    /// `None` for the root.
    pub(super) origin: Option<Origin<'a>>,
    pub(super) openings: Openings,
    /// As the openings.
    pub(super) leaves: Vec<Leaf<'a>>,
}

/// What shows that a sub-AMT is its parent's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin<'a> {
    pub(super) parent: Step,
    /// By its place among [`Proof::points`].
    pub(super) commitment: usize,
    pub(super) encoded: Bytes<'a>,
    pub(super) member: Member<'a>,
}

/// A leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leaf<'a> {
    pub(super) index: u32,
    pub(super) versions: [u64; SLOTS],
    /// Its sub-AMT, if an answer visits it: number among [`Proof::trees`].
    child: Option<usize>,
    /// The keys in its slots; `None` as long as no answer needs them.
    pub(super) owners: Option<Vec<Owner<'a>>>,
    pub(super) span: Span,
}

/// A key that has a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Owner<'a> {
    pub(super) key: Bytes<'a>,
    pub(super) version: u64,
    /// The value, or its keccak.
    pub(super) value: &'a [u8],
    pub(super) member: Member<'a>,
}

/// A leaf on a key's path: numbers of its AMT and among that AMT's leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) tree: usize,
    pub(super) leaf: usize,
}

/// What is shown of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer<'a> {
    /// From the root down.
    pub(super) steps: Vec<Step>,
    pub(super) shown: Shown<'a>,
    pub(super) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shown<'a> {
    /// Its slot in the last leaf, its value, and where the tuple stands.
    Present { slot: usize, value: &'a [u8], member: Member<'a> },
    /// Nobody's slot is the key's.
    Absent,
}

/// Forms of the root's openings and of the others'.
#[derive(Clone, Copy)]
pub(super) struct Forms {
    root: Form,
    others: Form,
    /// The number that the proof starts with.
    depth: Option<u8>,
}

impl Forms {
    /// The forms that a variant names; `None` for an unknown one.
    pub(super) fn of(params: &Params, variant: &str) -> Option<Self> {
        let both = |form, depth| Self { root: form, others: form, depth: Some(depth) };
        let kzg = Form::Fold(0);
        match variant {
            "pairs" => Some(both(Form::Pairs, 0)),
            "kzg" => Some(both(kzg, 0)),
            "fold" => Some(both(Form::Fold(params.k()), params.k())),
            "hybrid" => Some(Self { root: kzg, others: kzg, depth: None }),
            _ => None,
        }
    }

    fn read(self, params: &Params, items: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let span = items.span();
        let depth = items.u64("depth")?;
        let depth = u8::try_from(depth).unwrap_or(u8::MAX);
        match self.depth {
            Some(expected) if expected == depth => Ok(self),
            None if (1..params.k()).contains(&depth) => {
                Ok(Self { root: Form::Fold(depth), ..self })
            }
            _ => Err(Malformed::Shape.at("depth", "not one of the variant", span)),
        }
    }
}

impl<'a> Proof<'a> {
    pub(super) fn read(
        params: &Params,
        query: &Query,
        forms: Forms,
        bytes: &'a [u8],
    ) -> Result<Self, DecodeError> {
        let mut items = Reader::whole_list(bytes, 0, "proof")?;
        let forms = forms.read(params, &mut items)?;
        // Each level shows at most a sub-AMT, or the key, and five owners.
        let tuples = query.keys.len().saturating_mul(params.levels()).saturating_mul(SLOTS);
        let blocks = blocks(params.format, tuples, items.list("blocks")?)?;
        let root = Tree {
            path: Vec::new(),
            origin: None,
            openings: Openings::new(forms.root),
            leaves: Vec::new(),
        };
        let used = alloc::vec![false; blocks.len()];
        let trees = alloc::vec![root];
        let mut walk = Walk { params, forms, trees, used, points: Vec::new() };
        let mut list = items.list("answers")?;
        let mut answers = Vec::new();
        for key in &query.keys {
            answers.push(walk.answer(key, list.list("answer")?)?);
        }
        list.finish("answers")?;
        items.finish("proof")?;
        let Walk { trees, used, points, .. } = walk;
        for (block, used) in blocks.iter().zip(used) {
            if !used {
                return Err(Malformed::Shape.at(
                    "blocks",
                    "block is not referenced by any tuple",
                    block.span(),
                ));
            }
        }
        Ok(Self { blocks, trees, answers, points })
    }

    /// A leaf on a path.
    pub(super) fn leaf(&self, step: Step) -> Option<&Leaf<'a>> {
        self.trees.get(step.tree)?.leaves.get(step.leaf)
    }
}

/// Blocks in their order.
///
/// * `most`: tuples that the answers can show; every block holds one of them.
fn blocks(
    format: Format,
    most: usize,
    mut list: Reader<'_>,
) -> Result<Vec<Block<'_>>, DecodeError> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    while !list.is_empty() {
        if blocks.len() == most {
            return Err(Malformed::Limit.at(
                "blocks",
                "more than the keys can have tuples",
                list.span(),
            ));
        }
        let block = Block::read(format, list.list("block")?, blocks.last())?;
        blocks.push(block);
    }
    Ok(blocks)
}

/// What answers have given so far.
struct Walk<'a, 'p> {
    params: &'p Params,
    forms: Forms,
    trees: Vec<Tree<'a>>,
    /// Whether a tuple stands in a block.
    used: Vec<bool>,
    points: Vec<Encoded<'a>>,
}

impl<'a> Walk<'a, '_> {
    fn answer(&mut self, key: &Key, mut items: Reader<'a>) -> Result<Answer<'a>, DecodeError> {
        let span = items.span();
        let is_present = match items.u64("kind")? {
            0 => false,
            1 => true,
            _ => return Err(Malformed::Shape.at("kind", "0 (absent) or 1 (present)", span)),
        };
        let level = usize::try_from(items.u64("level")?).unwrap_or(usize::MAX);
        if level >= self.params.levels() {
            return Err(Malformed::Shape.at(
                "level",
                "level exceeds the bits of the key hash",
                span,
            ));
        }
        let mut leaves = items.list("leaves")?;
        let mut steps = Vec::new();
        for level in 0..=level {
            let tree = match steps.last() {
                None => 0,
                Some(parent) => self.tree(*parent, &mut leaves)?,
            };
            let index = key.index(self.params.k(), level);
            steps.push(Step { tree, leaf: self.leaf(tree, index, &mut leaves)? });
        }
        leaves.finish("leaves")?;
        let shown = if is_present {
            let start = items.span();
            let slot = items.u64("slot")?;
            let slot = usize::try_from(slot).ok().filter(|slot| (1..SLOTS).contains(slot));
            let slot = slot.ok_or(Malformed::Shape.at("slot", "1 to 5", start))?;
            let value = items.string("value")?.bytes;
            Shown::Present { slot, value, member: self.member(&mut items)? }
        } else {
            let mut list = items.list("owners")?;
            for step in &steps {
                self.owners(*step, &mut list)?;
            }
            list.finish("owners")?;
            Shown::Absent
        };
        items.finish("answer")?;
        Ok(Answer { steps, shown, span })
    }

    /// The sub-AMT of a leaf: known, or the next one that is given.
    fn tree(&mut self, parent: Step, leaves: &mut Reader<'a>) -> Result<usize, DecodeError> {
        let impossible = Malformed::Shape.at("sub-AMT", "without a parent", leaves.span());
        let number = self.trees.len();
        let tree = self.trees.get_mut(parent.tree).ok_or(impossible)?;
        let path = tree.path.clone();
        let leaf = tree.leaves.get_mut(parent.leaf).ok_or(impossible)?;
        if let Some(child) = leaf.child {
            return Ok(child);
        }
        leaf.child = Some(number);
        let path = path.into_iter().chain([leaf.index]).collect();
        let mut items = leaves.list("sub-AMT")?;
        let encoded = items.string("commitment")?;
        if encoded.bytes.len() != self.params.format.point_bytes() {
            return Err(Malformed::Point.at("commitment", "wrong length", encoded.span));
        }
        let commitment = self.points.len();
        self.points.push(Encoded { from: encoded, field: "commitment", is_finite: true });
        let member = self.member(&mut items)?;
        items.finish("sub-AMT")?;
        let origin = Some(Origin { parent, commitment, encoded, member });
        let openings = Openings::new(self.forms.others);
        self.trees.push(Tree { path, origin, openings, leaves: Vec::new() });
        Ok(number)
    }

    /// A leaf of an AMT: known, or the next one that is given.
    fn leaf(
        &mut self,
        tree: usize,
        index: u32,
        leaves: &mut Reader<'a>,
    ) -> Result<usize, DecodeError> {
        let tree =
            self.trees.get_mut(tree).ok_or(Malformed::Shape.at("leaf", "no AMT", leaves.span()))?;
        if let Some(leaf) = tree.openings.find(index) {
            return Ok(leaf);
        }
        let mut items = leaves.list("leaf")?;
        let span = items.span();
        let (value, versions) = versions(&mut items)?;
        let points = items.string("opening")?;
        items.finish("leaf")?;
        tree.leaves.push(Leaf { index, versions, child: None, owners: None, span });
        tree.openings.read(self.params, (index, value), points, &mut self.points)
    }

    /// The owners of a leaf's slots, unless they are known.
    fn owners(&mut self, step: Step, list: &mut Reader<'a>) -> Result<(), DecodeError> {
        let tree = self.trees.get(step.tree);
        if tree.and_then(|tree| tree.leaves.get(step.leaf)).is_none_or(|leaf| leaf.owners.is_some())
        {
            return Ok(());
        }
        let mut owners = Vec::new();
        let mut items = list.list("owners of a leaf")?;
        while !items.is_empty() {
            if owners.len() == SLOTS.saturating_sub(1) {
                return Err(Malformed::Shape.at(
                    "owners of a leaf",
                    "more than five",
                    items.span(),
                ));
            }
            let mut owner = items.list("owner")?;
            let key = owner.string("key")?;
            let version = owner.u64("version")?;
            let value = owner.string("value")?;
            if self.params.format == Format::One && value.bytes.len() != 32 {
                return Err(Malformed::Shape.at("value", "a hash of 32 bytes", value.span));
            }
            let member = self.member(&mut owner)?;
            owner.finish("owner")?;
            owners.push(Owner { key, version, value: value.bytes, member });
        }
        let tree = self.trees.get_mut(step.tree);
        if let Some(leaf) = tree.and_then(|tree| tree.leaves.get_mut(step.leaf)) {
            leaf.owners = Some(owners);
        }
        Ok(())
    }

    fn member(&mut self, items: &mut Reader<'a>) -> Result<Member<'a>, DecodeError> {
        let mut items = items.list("place of a tuple")?;
        let span = items.span();
        let block = usize::try_from(items.u64("block")?).unwrap_or(usize::MAX);
        let used = self.used.get_mut(block).ok_or(Malformed::Shape.at(
            "block",
            "not among the blocks",
            span,
        ))?;
        *used = true;
        let position = items.u64("position")?;
        let path = hashes(&mut items, "path of a tuple")?;
        items.finish("place of a tuple")?;
        Ok(Member { block, position, path, span })
    }
}

/// a, below 2^240, and the six versions that it is made of, the lowest first.
fn versions(items: &mut Reader<'_>) -> Result<(Fr, [u64; SLOTS]), DecodeError> {
    let start = items.span();
    let integer = items.uint256("value of a leaf")?;
    let span = Span { start: start.start, end: items.span().start };
    let (high, digits) = integer.0.split_at(2);
    if high.iter().any(|byte| *byte != 0) {
        return Err(Malformed::Scalar.at("value of a leaf", "not below 2^240", span));
    }
    let mut versions = [0; SLOTS];
    for (version, digits) in versions.iter_mut().rev().zip(digits.as_chunks::<VERSION_BYTES>().0) {
        *version = digits.iter().fold(0, |sum, digit| (sum << 8) | u64::from(*digit));
    }
    let value = scalar(Bytes { bytes: &integer.0, span }, "value of a leaf")?;
    Ok((value, versions))
}

/// Hashes in one string.
fn hashes<'a>(items: &mut Reader<'a>, field: &'static str) -> Result<&'a [[u8; 32]], DecodeError> {
    let Bytes { bytes, span } = items.string(field)?;
    match bytes.as_chunks() {
        (hashes, []) => Ok(hashes),
        _ => Err(Malformed::Shape.at(field, "not a multiple of 32 bytes", span)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::ListWriter;

    /// Ascending, each `[epoch]`: what costs a liar least.
    fn list(count: u64) -> Vec<u8> {
        let blocks = (1..=count).flat_map(|epoch| ListWriter::default().u64(epoch).finish());
        let mut list = blocks.collect::<Vec<_>>();
        list.insert(0, 0xc0_u8.wrapping_add(u8::try_from(list.len()).unwrap()));
        list
    }

    /// The lowest digits are the version of the sub-AMT.
    #[test]
    fn a_leaf_holds_six_versions_of_five_bytes() {
        let bytes: Vec<u8> = (1..=30).collect();
        let list = ListWriter::default().string(&bytes).finish();
        let mut items = Reader::whole_list(&list, 0, "leaf").unwrap();
        let (_, versions) = versions(&mut items).unwrap();
        let digits = |first: u64| (first..first + 5).fold(0, |sum, digit| sum * 256 + digit);
        assert_eq!(versions, [26, 21, 16, 11, 6, 1].map(digits));
    }

    #[test]
    fn more_blocks_than_tuples_are_refused_before_they_are_read() {
        let read = |count| {
            let bytes = list(count);
            let items = Reader::whole_list(&bytes, 0, "blocks").unwrap();
            blocks(Format::Osdi23, 12, items).map(|blocks| blocks.len())
        };
        assert_eq!(read(12), Ok(12));
        let error = read(13).unwrap_err();
        assert_eq!((error.malformed, error.field), (Malformed::Limit, "blocks"));
        assert_eq!((error.span.start, error.span.end), (25, 27));
    }
}
