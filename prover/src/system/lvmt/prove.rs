//! Proofs, for every block that is kept: RLP `[D, blocks, answers]`, as the core's module says.

use std::collections::{BTreeMap, BTreeSet};

use ark_bn254::{G1Affine, G1Projective};
use ark_ff::Zero;

use lightproof_core::wire::bn254;

use super::amt::{Amt, Form};
use super::config::{Config, Format};
use super::rows::{Committed, Owner, Path, View, Written, first_rows, node_row, nodes, owner};
use super::setup::Setup;
use super::{keys, list, merkle, slices};
use crate::error::StoreError;
use crate::hash::keccak256;
use crate::rlp::Item;
use crate::store::Read;

/// Names of the forms, the default first.
pub const VARIANTS: &[&str] = &["hybrid", "kzg", "fold", "pairs"];

/// What proofs are made from.
pub(super) struct Source<'a> {
    pub(super) config: Config,
    pub(super) setup: &'a Setup,
    pub(super) block: u64,
    pub(super) view: View<'a>,
    pub(super) store: &'a dyn Read,
}

/// What is to be shown of a key.
struct Plan {
    /// AMT and index of every leaf on its path.
    steps: Vec<(Path, u32)>,
    /// Slot and newest tuple; `None` for an absent key.
    present: Option<(usize, Written)>,
}

/// What answers have given so far.
struct Given {
    epochs: Vec<u64>,
    forms: [Form; 2],
    trees: BTreeMap<Path, Tree>,
    owners: BTreeSet<(Path, u32)>,
}

struct Tree {
    amt: Amt,
    opened: BTreeSet<u32>,
}

impl Source<'_> {
    /// The proof for some keys.
    pub(super) fn prove(&self, keys: &[Vec<u8>], variant: &str) -> Result<Item, StoreError> {
        let hashes = keys.iter().map(|key| keys::hash(self.config.format, key));
        self.view.expect(hashes.flat_map(|hash| first_rows(self.config.k, &hash)))?;
        let plans: Vec<Plan> = keys.iter().map(|key| self.plan(key)).collect::<Result<_, _>>()?;
        let mut epochs = BTreeSet::new();
        for plan in &plans {
            self.epochs(plan, &mut epochs)?;
        }
        let epochs: Vec<u64> = epochs.into_iter().collect();
        let blocks = epochs.iter().map(|epoch| self.block(*epoch)).collect::<Result<_, _>>()?;
        let depth = match variant {
            "hybrid" => self.config.depth(),
            "fold" => self.config.k,
            _ => 0,
        };
        let forms = match variant {
            "pairs" => [Form::Pairs; 2],
            "hybrid" => [Form::Fold(depth), Form::Fold(0)],
            _ => [Form::Fold(depth); 2],
        };
        let mut given = Given { epochs, forms, trees: BTreeMap::new(), owners: BTreeSet::new() };
        let answers =
            plans.iter().map(|plan| self.answer(plan, &mut given)).collect::<Result<_, _>>()?;
        Ok(Item::List(vec![Item::uint(depth), Item::List(blocks), Item::List(answers)]))
    }

    fn plan(&self, key: &[u8]) -> Result<Plan, StoreError> {
        let hash = keys::hash(self.config.format, key);
        let known = self.view.value(keys::index(self.config.k, &hash, 0), &hash)?;
        let last = known.as_ref().map(|((level, _), _)| *level);
        let mut steps = Vec::new();
        let mut path = Path::new();
        for level in 0.. {
            let index = keys::index(self.config.k, &hash, level);
            steps.push((path.clone(), index));
            let is_last = match last {
                Some(last) => level >= last,
                None => self.view.leaf(&path, index)?[0] == 0,
            };
            if is_last {
                break;
            }
            path.push(index);
        }
        let present = known.map(|((_, slot), written)| (slot, written));
        Ok(Plan { steps, present })
    }

    /// Blocks that a key's tuples stand in.
    fn epochs(&self, plan: &Plan, epochs: &mut BTreeSet<u64>) -> Result<(), StoreError> {
        for (path, index) in &plan.steps {
            if !path.is_empty() {
                epochs.insert(self.tree(path)?.block);
            }
            if plan.present.is_none() {
                let owners = self.owners(path, *index)?;
                epochs.extend(owners.iter().map(|owner| owner.written.block));
            }
        }
        epochs.extend(plan.present.iter().map(|(_, written)| written.block));
        Ok(())
    }

    fn tree(&self, path: &[u32]) -> Result<Committed, StoreError> {
        self.view.tree(path)?.ok_or(StoreError::Corrupt("a commitment of lvmt is missing"))
    }

    fn owners(&self, path: &[u32], index: u32) -> Result<Vec<Owner>, StoreError> {
        let [_, slots @ ..] = self.view.leaf(path, index)?;
        let used = slots.iter().filter(|version| **version > 0).count();
        (1..=used).map(|slot| owner(self.store, path, index, slot)).collect()
    }

    pub(super) fn block(&self, epoch: u64) -> Result<Item, StoreError> {
        let mut items = vec![Item::uint(epoch)];
        if self.config.format == Format::One {
            let count = nodes(self.store, epoch)?.count()? as u64;
            let path = list::path(self.store, epoch, self.block + 1)?;
            items.extend([Item::uint(count), Item::bytes(path.concat())]);
        }
        Ok(Item::List(items))
    }

    fn place(&self, given: &Given, epoch: u64, position: u64) -> Result<Item, StoreError> {
        let number = given.epochs.binary_search(&epoch).unwrap_or(usize::MAX);
        let nodes = nodes(self.store, epoch)?;
        let at = usize::try_from(position).unwrap_or(usize::MAX);
        let path = match self.config.format {
            Format::One => merkle::path(nodes.words()?, nodes.count()?, at),
            Format::Osdi23 => merkle::padded(nodes.words()?, at).1,
        };
        let items = [Item::uint(number as u64), Item::uint(position), Item::bytes(path.concat())];
        Ok(Item::List(items.into()))
    }

    fn answer(&self, plan: &Plan, given: &mut Given) -> Result<Item, StoreError> {
        let mut leaves = Vec::new();
        for (path, index) in &plan.steps {
            if !given.trees.contains_key(path) {
                let known = if self.is_kept(path) {
                    BTreeMap::new()
                } else if path.is_empty() {
                    self.view.root_leaves((0, 0))?
                } else {
                    self.view.leaves(path)?
                };
                let amt = Amt::new(given.forms[usize::from(!path.is_empty())], &known);
                let tree = Tree { amt, opened: BTreeSet::new() };
                given.trees.insert(path.clone(), tree);
                if !path.is_empty() {
                    let Committed { block, position, point } = self.tree(path)?;
                    let place = self.place(given, block, position)?;
                    leaves.push(Item::List(vec![Item::bytes(self.point(&point)), place]));
                }
            }
            let Some(tree) = given.trees.get_mut(path) else { continue };
            if tree.opened.insert(*index) {
                let versions = self.view.leaf(path, *index)?;
                let value = Item::uint_bytes(&slices::encode(&versions));
                let points = self.open(&mut tree.amt, path, *index)?;
                let points: Vec<u8> = points.iter().flat_map(|point| self.point(point)).collect();
                leaves.push(Item::List(vec![value, Item::bytes(points)]));
            }
        }
        let level = Item::uint(plan.steps.len() as u64 - 1);
        if let Some((slot, Written { block, position, value })) = &plan.present {
            let place = self.place(given, *block, *position)?;
            let slot = Item::uint(*slot as u64);
            let items =
                [Item::uint(1_u8), level, Item::List(leaves), slot, Item::bytes(value), place];
            return Ok(Item::List(items.into()));
        }
        let mut owners = Vec::new();
        for (path, index) in &plan.steps {
            if given.owners.insert((path.clone(), *index)) {
                let all = self.owners(path, *index)?;
                let items = all.iter().map(|owner| self.owner(owner, given));
                owners.push(Item::List(items.collect::<Result<_, _>>()?));
            }
        }
        Ok(Item::List(vec![Item::uint(0_u8), level, Item::List(leaves), Item::List(owners)]))
    }

    /// Whether the nodes of an AMT are kept, so that its leaves need not be summed.
    fn is_kept(&self, path: &[u32]) -> bool {
        self.config.keeps_tree && path.is_empty()
    }

    fn open(&self, amt: &mut Amt, path: &[u32], index: u32) -> Result<Vec<G1Affine>, StoreError> {
        if !self.is_kept(path) {
            return Ok(amt.open(self.setup, index));
        }
        let k = self.config.k;
        if let Some(depth) = amt.quotient_depth(k) {
            amt.learn(&self.view.root_leaves((depth, index & ((1 << depth) - 1)))?);
        }
        self.view.expect(amt.nodes(k, index).into_iter().map(node_row))?;
        // No row: nothing was written below.
        amt.open_with(self.setup, index, |node| {
            let node = self.view.node(node)?;
            Ok(Some(node.map_or_else(G1Projective::zero, G1Projective::from)))
        })
    }

    fn owner(&self, owner: &Owner, given: &Given) -> Result<Item, StoreError> {
        let Written { block, position, value } = &owner.written;
        let place = self.place(given, *block, *position)?;
        let value = match self.config.format {
            Format::One => Item::bytes(keccak256(value)),
            Format::Osdi23 => Item::bytes(value),
        };
        // Versions start at 1, and the first tuple is kept.
        Ok(Item::List(vec![Item::bytes(&owner.key), Item::uint(1_u8), value, place]))
    }

    fn point(&self, point: &G1Affine) -> Vec<u8> {
        encode_point(self.config.format, point)
    }
}

/// A point as the format writes it.
pub(super) fn encode_point(format: Format, point: &G1Affine) -> Vec<u8> {
    match format {
        Format::One => bn254::compress(point).to_vec(),
        Format::Osdi23 => bn254::affine(point).to_vec(),
    }
}
