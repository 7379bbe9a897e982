//! The state on a chain: everything lies in the chain's database, so that block and state become
//! durable in one transaction.
//!
//! Rules that a verifier cannot check and this prover keeps: keys are deduplicated within a block,
//! the last write counts, and writing an equal value is a write; a sub-AMT's version rises once in
//! a block that changes it; one tuple for each version; versions start at 1; slots are given in the
//! order of key hashes and never freed; a cleared slot is an empty value.

use std::collections::BTreeMap;
use std::ops::Add;
use std::path::{self, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use ark_bn254::{G1Affine, G1Projective};
use ark_ec::CurveGroup;
use ark_ff::Zero;
use lightproof_core::system::lvmt::tuple::{KeyTuple, TreeTuple};
use lightproof_core::wire::bn254;

use super::amt::Versions;
use super::config::{Config, Format, NAME};
use super::prove::{Source, VARIANTS, encode_point};
use super::recent::{LIMIT, Recent, Stamp};
use super::record::RECORDS;
use super::rows::{
    BLOCKS, OWNERS, Path, ROOT_ROW, SETUP, View, encode_nodes, encode_owner, encode_value,
    encode_written, first_rows, leaf_row, nodes, owner_row, value_row,
};
use super::setup::{Place, Setup};
use super::shard::Shard;
use super::write::write;
use super::{keys, list, merkle, ptau, slices, tree};
use crate::chain::writes::WriteSet;
use crate::error::StoreError;
use crate::hash::{Word, keccak256};
use crate::rlp::Item;
use crate::store::{self, Read, Store, Write};
use crate::system::{Configuration, Proof, Refusal, Spec, System};

/// Slots for keys in a leaf.
const SLOTS: usize = 5;

/// Blocks that are kept beyond the promised window: a block that is being made pushes one out
/// before requests learn of the new head.
const SLACK: u64 = 8;

/// Key of the parameters' digest, and of what is kept of the proof tree.
const PARAMS: &[u8] = b"parameters";
const TREE: &[u8] = b"proof tree";

/// The system.
#[derive(Debug)]
pub struct Lvmt {
    config: Config,
    setup: OnceLock<Arc<Setup>>,
    /// Where tables that are made of a ceremony's file are kept.
    cache: Option<PathBuf>,
    /// What was written last, after the newest block that was written or read. Not there while one
    /// is written.
    recent: Mutex<Option<Recent>>,
}

/// An AMT that a block changes.
struct Changed {
    commitment: G1Projective,
    leaves: BTreeMap<u32, Versions>,
    /// Leaf and slot of every version that rose.
    risen: Vec<(u32, u8)>,
}

/// A key that a block writes, and where its version stands.
struct Located<'a> {
    hash: &'a [u8],
    key: &'a [u8],
    value: &'a [u8],
    path: Path,
    index: u32,
    slot: usize,
    is_new: bool,
}

impl Lvmt {
    /// The system on a chain.
    pub fn new(config: Config) -> Self {
        let (k, window) = (config.k.clamp(1, 16), config.window.max(1));
        let config = Config { k, window, ..config };
        Self { config, setup: OnceLock::new(), cache: None, recent: Mutex::default() }
    }

    /// The system, with a directory for what is made of a ceremony's file.
    #[must_use]
    pub fn caching_in(self, directory: PathBuf) -> Self {
        Self { cache: Some(directory), ..self }
    }

    /// The public parameters.
    ///
    /// # Errors
    /// [`StoreError::System`] if there is a file for them that cannot be used.
    pub fn setup(&self) -> Result<&Setup, StoreError> {
        if let Some(setup) = self.setup.get() {
            return Ok(setup);
        }
        let Config { setup_seed, k, ptau, .. } = self.config;
        let setup = match ptau {
            Some(file) => Setup::from_powers(ptau::load(file, k)?, self.cache.clone()),
            None => Setup::insecure(setup_seed, k),
        };
        Ok(self.setup.get_or_init(|| Arc::new(setup)))
    }

    /// What the chain is made from.
    pub const fn config(&self) -> Config {
        self.config
    }

    /// What is kept of the proof tree: a database has it or not.
    fn kept(&self) -> String {
        let Config { shard, keeps_tree, .. } = self.config;
        if keeps_tree { format!("shard {shard}") } else { "no proof tree".to_owned() }
    }

    fn recent(&self) -> MutexGuard<'_, Option<Recent>> {
        // Whatever is found there says which state it is of.
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was written last, as a reader sees it.
    fn recent_of(&self, store: &dyn Read) -> Result<Recent, StoreError> {
        let stamp = Stamp::read(store)?;
        if let Some(recent) = self.recent().as_ref().filter(|recent| recent.stamp == stamp) {
            return Ok(recent.clone());
        }
        let own = Recent::of(LIMIT, stamp, store)?;
        let mut recent = self.recent();
        if recent.as_ref().is_none_or(|recent| recent.stamp < stamp) {
            *recent = Some(own.clone());
        }
        Ok(own)
    }

    fn oldest(&self, head: u64) -> u64 {
        (head + 1).saturating_sub(self.config.window + SLACK)
    }

    /// Commits writes of any keys of the format; the last one of a key counts. Returns the root
    /// that a header commits to.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails or a key is none of the format.
    pub fn write(
        &self,
        batch: &mut dyn Write,
        block: u64,
        writes: impl IntoIterator<Item = (Vec<u8>, Vec<u8>)>,
    ) -> Result<Vec<u8>, StoreError> {
        let format = self.config.format;
        let writes: BTreeMap<Vec<u8>, (Vec<u8>, Vec<u8>)> = writes
            .into_iter()
            .map(|(key, value)| (keys::hash(format, &key), (key, value)))
            .collect();
        if !writes.values().all(|(key, _)| keys::is_key(format, key)) {
            return Err(StoreError::Corrupt("a key that lvmt does not take"));
        }
        // What is found may be of a batch that was given up.
        let stamp = Stamp::read(&*batch)?;
        let known = self.recent().take().filter(|recent| recent.stamp == stamp);
        let mut recent = match known {
            Some(recent) => recent,
            None => Recent::of(LIMIT, stamp, &*batch)?,
        };
        recent.fold(batch)?;
        let view = View::remembering(&*batch, &recent);
        view.expect(writes.keys().flat_map(|hash| first_rows(self.config.k, hash)))?;
        let (mut trees, mut located) = (BTreeMap::new(), Vec::new());
        for (hash, (key, value)) in &writes {
            let write = self.locate(&view, &mut trees, hash, key, value)?;
            bump(&view, &mut trees, &write.path, write.index, write.slot)?;
            located.push(write);
        }
        bump_parents(&view, &mut trees)?;
        self.commit_to(&mut trees)?;
        let nodes = match trees.get(&Path::new()) {
            Some(root) if self.config.keeps_tree => {
                tree::updated(self.setup()?, &view, self.config.shard, &root.risen)?
            }
            _ => Vec::new(),
        };
        let commitments = commitments(&trees);
        let leaves = self.tuples(&trees, &commitments, &located);
        let mut owners = Vec::new();
        let mut stored: BTreeMap<Vec<u8>, Vec<u8>> = tree::rows(&nodes).collect();
        for (write, position) in located.iter().zip(0..) {
            let tuple = encode_written(block, position, write.value);
            let place = (write.path.len(), write.slot);
            let leaf = *write.path.first().unwrap_or(&write.index);
            stored.insert(value_row(leaf, write.hash), encode_value(place, &tuple));
            if write.is_new {
                let row = owner_row(&write.path, write.index, write.slot);
                owners.push((row, encode_owner(write.key, &tuple)));
            }
        }
        let positions: BTreeMap<Path, u64> =
            order(&trees).into_iter().zip(located.len() as u64..).collect();
        let committed = |path: &Path| {
            // The root has no tuple; its position says nothing.
            let position = positions.get(path).copied().unwrap_or(0);
            Some(encode_written(block, position, &bn254::affine(commitments.get(path)?)))
        };
        stored.extend(committed(&Path::new()).map(|root| (ROOT_ROW.to_vec(), root)));
        for (path, tree) in &trees {
            for (index, versions) in &tree.leaves {
                let below = [path.as_slice(), &[*index]].concat();
                let below = match committed(&below) {
                    None if versions[0] > 0 => view.encoded_tree(&below)?,
                    changed => changed,
                };
                let leaf = [slices::encode(versions), below.unwrap_or_default()].concat();
                stored.insert(leaf_row(path, *index), leaf);
            }
        }
        let seen = view.seen();
        for (row, owner) in owners {
            batch.put(OWNERS, &row, &owner)?;
        }
        let record = write(batch, &mut recent, stored, &seen)?;
        batch.put(RECORDS, &block.to_be_bytes(), &record)?;
        // No block of the window is before the oldest one.
        recent.forget(batch, self.oldest(block))?;
        let nodes = match self.config.format {
            Format::One => merkle::nodes(&leaves),
            Format::Osdi23 => leaves.clone(),
        };
        batch.put(BLOCKS, &block.to_be_bytes(), &encode_nodes(leaves.len(), &nodes))?;
        if batch.get(SETUP, PARAMS)?.is_none() {
            batch.put(SETUP, PARAMS, &self.setup()?.digest())?;
            batch.put(SETUP, TREE, self.kept().as_bytes())?;
        }
        let mroot = nodes.last().copied().unwrap_or_else(|| keccak256(&[]));
        recent.stamp(batch, block, mroot)?;
        let aroot = View::newest(&*batch, &recent).tree(&[])?;
        *self.recent() = Some(recent);
        let aroot = aroot.map_or(G1Affine::identity(), |tree| tree.point);
        self.root(batch, &aroot, block, (leaves.len() as u64, mroot))
    }

    /// Where a key's version stands, or where it will: the first free slot on its path.
    fn locate<'a>(
        &self,
        view: &View<'_>,
        trees: &mut BTreeMap<Path, Changed>,
        hash: &'a [u8],
        key: &'a [u8],
        value: &'a [u8],
    ) -> Result<Located<'a>, StoreError> {
        let first = keys::index(self.config.k, hash, 0);
        let found = view.value(first, hash)?.map(|(place, _)| place);
        let mut path = Path::new();
        for level in 0..256 / usize::from(self.config.k) {
            let index = keys::index(self.config.k, hash, level);
            let slot = if let Some((at, slot)) = found {
                (at == level).then_some(slot)
            } else {
                let [_, slots @ ..] = *leaf(view, trees, &path, index)?;
                let used = slots.iter().filter(|version| **version > 0).count();
                (used < SLOTS).then_some(used + 1)
            };
            if let Some(slot) = slot {
                let is_new = found.is_none();
                return Ok(Located { hash, key, value, path, index, slot, is_new });
            }
            path.push(index);
        }
        Err(StoreError::Corrupt("a key of lvmt with no free slot on its path"))
    }

    /// Adds to each commitment the points of what rose in its AMT, all made together.
    fn commit_to(&self, trees: &mut BTreeMap<Path, Changed>) -> Result<(), StoreError> {
        let place = |(index, slot): &(u32, u8)| Place::Shifted(0, *slot, *index);
        let places: Vec<Place> =
            trees.values().flat_map(|tree| tree.risen.iter().map(place)).collect();
        let mut points = self.setup()?.points(&places).into_iter();
        for tree in trees.values_mut() {
            tree.commitment =
                points.by_ref().take(tree.risen.len()).fold(tree.commitment, Add::add);
        }
        Ok(())
    }

    /// Leaves of the block's tree: keys by hash, then sub-AMTs, the deepest level first, by path.
    fn tuples(
        &self,
        trees: &BTreeMap<Path, Changed>,
        commitments: &BTreeMap<Path, G1Affine>,
        written: &[Located<'_>],
    ) -> Vec<Word> {
        let format = self.config.format;
        let mut leaves = Vec::new();
        for write in written {
            let digest = keccak256(write.value);
            let value = match format {
                Format::One => digest.as_slice(),
                Format::Osdi23 => write.value,
            };
            let version = trees[&write.path].leaves[&write.index][write.slot];
            let (key, level, slot) = (write.key, write.path.len(), write.slot);
            leaves.push(KeyTuple { key, version, level, slot, value }.hash(format).0);
        }
        for path in order(trees) {
            let Some((index, parent)) = path.split_last() else { continue };
            let [version, ..] = trees[parent].leaves[index];
            let commitment = encode_point(format, &commitments[&path]);
            leaves.push(TreeTuple { path: &path, version, commitment: &commitment }.hash(format).0);
        }
        leaves
    }

    fn root(
        &self,
        batch: &mut dyn Write,
        aroot: &G1Affine,
        block: u64,
        (count, mroot): (u64, Word),
    ) -> Result<Vec<u8>, StoreError> {
        let format = self.config.format;
        let mut root = encode_point(format, aroot);
        match format {
            Format::One => {
                if batch.first(list::LIST)?.is_none() {
                    list::start(batch, block)?;
                }
                list::append(batch, block, list::leaf(block, count, &mroot))?;
                root.extend(list::root(&*batch, block + 1)?);
            }
            Format::Osdi23 => {
                let first = batch.first(BLOCKS)?.map(|(first, _)| store::number(&first));
                if first.transpose()?.is_some_and(|first| first > 0) {
                    let words = "a chain with lvmt/osdi23 begins at block 0: choose lvmt/1";
                    return Err(StoreError::Block(words.to_owned()));
                }
                for block in 0..=block {
                    let (mroot, path) = merkle::padded(nodes(&*batch, block)?.words()?, 0);
                    root.extend(mroot);
                    root.push(u8::try_from(path.len()).unwrap_or(u8::MAX));
                }
            }
        }
        Ok(root)
    }

    /// The newest values of keys, unproven; `None` of one that was never written.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn values(
        &self,
        store: &dyn Read,
        keys: impl IntoIterator<Item = Vec<u8>>,
    ) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let recent = self.recent_of(store)?;
        let view = View::newest(store, &recent);
        let value = |key: Vec<u8>| {
            let hash = keys::hash(self.config.format, &key);
            let found = view.value(keys::index(self.config.k, &hash, 0), &hash)?;
            Ok(found.map(|(_, written)| written.value))
        };
        keys.into_iter().map(value).collect()
    }

    /// The proof for some keys after a block.
    ///
    /// # Errors
    /// [`Refusal::Window`] if the block is not provable any more, [`Refusal::Elsewhere`] if a key
    /// is of another shard.
    pub fn prove_keys(
        &self,
        store: &dyn Read,
        block: u64,
        keys: &[Vec<u8>],
        variant: &str,
    ) -> Result<Vec<u8>, Refusal> {
        let Config { format, k, shard, .. } = self.config;
        if !keys.iter().all(|key| shard.has_key(format, k, key)) {
            return Err(Refusal::Elsewhere(shard.id()));
        }
        let head = store.last(BLOCKS)?.map(|(head, _)| store::number(&head));
        let head = head.transpose()?.unwrap_or(0);
        if block > head || block < self.oldest(head) {
            return Err(Refusal::Window);
        }
        let recent = self.recent_of(store)?;
        Ok(self.source(store, &recent, block)?.prove(keys, variant)?.encode())
    }

    /// What a proof after a block says of another block.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn block_entry(
        &self,
        store: &dyn Read,
        epoch: u64,
        block: u64,
    ) -> Result<Item, StoreError> {
        let recent = self.recent_of(store)?;
        self.source(store, &recent, block)?.block(epoch)
    }
    fn source<'a>(
        &'a self,
        store: &'a dyn Read,
        recent: &'a Recent,
        block: u64,
    ) -> Result<Source<'a>, StoreError> {
        let view = View::after(block, store, recent)?;
        Ok(Source { config: self.config, setup: self.setup()?, block, view, store })
    }
}

/// A leaf, as the block has changed it so far.
fn leaf<'t>(
    view: &View<'_>,
    trees: &'t mut BTreeMap<Path, Changed>,
    path: &[u32],
    index: u32,
) -> Result<&'t mut Versions, StoreError> {
    if !trees.contains_key(path) {
        let commitment = view.tree(path)?;
        let commitment = commitment.map_or(G1Projective::zero(), |tree| tree.point.into());
        trees.insert(
            path.to_vec(),
            Changed { commitment, leaves: BTreeMap::new(), risen: Vec::new() },
        );
    }
    let tree = trees.get_mut(path).ok_or(StoreError::Corrupt("no such AMT"))?;
    match tree.leaves.entry(index) {
        std::collections::btree_map::Entry::Occupied(entry) => Ok(entry.into_mut()),
        std::collections::btree_map::Entry::Vacant(entry) => {
            Ok(entry.insert(view.leaf(path, index)?))
        }
    }
}

/// Raises a version by one.
fn bump(
    view: &View<'_>,
    trees: &mut BTreeMap<Path, Changed>,
    path: &[u32],
    index: u32,
    slot: usize,
) -> Result<(), StoreError> {
    leaf(view, trees, path, index)?[slot] += 1;
    let slot = u8::try_from(slot).unwrap_or(u8::MAX);
    trees.entry(path.to_vec()).and_modify(|tree| tree.risen.push((index, slot)));
    Ok(())
}

/// Every changed sub-AMT gets a new version, once, from the deepest level up.
fn bump_parents(view: &View<'_>, trees: &mut BTreeMap<Path, Changed>) -> Result<(), StoreError> {
    let deepest = trees.keys().map(Vec::len).max().unwrap_or(0);
    for level in (1..=deepest).rev() {
        let paths: Vec<Path> = trees.keys().filter(|path| path.len() == level).cloned().collect();
        for path in paths {
            if let Some((index, parent)) = path.split_last() {
                bump(view, trees, parent, *index, 0)?;
            }
        }
    }
    Ok(())
}

/// Commitments of changed AMTs: one inversion for all of them.
fn commitments(trees: &BTreeMap<Path, Changed>) -> BTreeMap<Path, G1Affine> {
    let points: Vec<G1Projective> = trees.values().map(|tree| tree.commitment).collect();
    trees.keys().cloned().zip(G1Projective::normalize_batch(&points)).collect()
}

/// Sub-AMTs in the order of their tuples.
fn order(trees: &BTreeMap<Path, Changed>) -> Vec<Path> {
    let mut paths: Vec<Path> = trees.keys().filter(|path| !path.is_empty()).cloned().collect();
    // By path within a level: the map's order.
    paths.sort_by_key(|path| std::cmp::Reverse(path.len()));
    paths
}

impl Configuration for Config {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Vec<(&'static str, u64)> {
        vec![(NAME, self.code()), ("lvmt setup", self.setup_seed)]
    }

    fn make(&self, cache: Option<&path::Path>, _: &dyn Store) -> Box<dyn System> {
        let system = Lvmt::new(*self);
        Box::new(match cache {
            Some(cache) => system.caching_in(cache.join(NAME)),
            None => system,
        })
    }
}

impl System for Lvmt {
    fn spec(&self) -> Spec {
        Spec {
            variants: VARIANTS,
            params: self.setup().ok().map(Setup::digest),
            insecure: self.config.ptau.is_none(),
            shard: Some(self.config.shard).filter(|shard| *shard != Shard::WHOLE).map(Shard::id),
            ..Spec::new(NAME, self.config.format_name(), self.config.window)
        }
    }

    fn params(&self) -> Option<Vec<u8>> {
        self.setup().ok().map(|setup| setup.bytes().to_vec())
    }

    fn open(&self, store: &dyn Read) -> Result<(), StoreError> {
        let named = |key| Ok::<_, StoreError>(store.get(SETUP, key)?.map(|name| name.to_vec()));
        let found = named(PARAMS)?.unwrap_or_default();
        let wanted = self.setup()?.digest();
        let place = "the store of this chain".to_owned();
        if found != wanted {
            let name = |digest: &[u8]| format!("lvmt parameters {}", crate::hex::encode(digest));
            return Err(StoreError::OtherChain {
                place,
                found: name(&found),
                wanted: name(&wanted),
            });
        }
        let kept = named(TREE)?.unwrap_or_default();
        if kept == self.kept().as_bytes() {
            return Ok(());
        }
        let found = format!("lvmt with {}", String::from_utf8_lossy(&kept));
        Err(StoreError::OtherChain { place, found, wanted: self.kept() })
    }

    fn commit(
        &self,
        batch: &mut dyn Write,
        block: u64,
        writes: &WriteSet,
    ) -> Result<Vec<u8>, StoreError> {
        let writes = writes
            .key_values()
            .map(|(key, value)| (key.to_vec(), value.map_or(Vec::new(), |value| value.to_vec())));
        self.write(batch, block, writes)
    }

    fn prove(
        &self,
        store: &dyn Read,
        block: u64,
        query: &[u8],
        accepted: &[&'static str],
    ) -> Result<Proof, Refusal> {
        let keys = keys::decode(self.config.format, query);
        let keys = keys.ok_or(Refusal::Query("not a query of lvmt"))?;
        let variant = accepted.first().copied().unwrap_or(VARIANTS[0]);
        let bytes = self.prove_keys(store, block, &keys, variant)?;
        Ok(Proof { variant, bytes })
    }
}
