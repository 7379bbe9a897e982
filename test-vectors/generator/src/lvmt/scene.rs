//! A chain in memory whose keys stand on three levels, and a plain map of every block beside it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::case::Setting;
use crate::scene::{Scene as Shared, database, list, unanswered};
use lightproof_prover::hash::keccak256;
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use lightproof_prover::store::embedded::Embedded;
use lightproof_prover::store::{self, Store as _};
use lightproof_prover::system::System as _;
use lightproof_prover::system::lvmt::{Config, Format, Lvmt, keys};

pub(super) use crate::scene::Result;

/// A key.
pub(super) type Key = Vec<u8>;

/// The newest block.
pub(super) const HEAD: u64 = 12;
pub(super) const VARIANTS: [&str; 4] = ["hybrid", "kzg", "fold", "pairs"];
/// log2 of the leaves.
pub(super) const K: u8 = 8;

/// What a plain map knows of a key.
#[derive(Clone, Debug)]
struct Known {
    value: Vec<u8>,
    version: u64,
    block: u64,
    level: usize,
    slot: usize,
}

/// A chain of one format.
pub(super) struct Scene {
    pub(super) lvmt: Lvmt,
    database: Embedded,
    roots: Vec<Vec<u8>>,
    states: Vec<BTreeMap<Key, Known>>,
    keys: BTreeMap<&'static str, Vec<Key>>,
}

/// Keys whose hashes start with some bytes.
fn ground(format: Format, prefix: &[u8], label: &str, count: usize) -> Vec<Key> {
    let all = (0_u64..).map(|number| {
        let hash = keccak256(&[label.as_bytes(), &number.to_be_bytes()].concat());
        match format {
            Format::One => [hash.as_slice(), &hash[..20]].concat(),
            // The key is its own hash.
            Format::Osdi23 => [prefix, &hash[prefix.len()..]].concat(),
        }
    });
    all.filter(|key| keys::hash(format, key).starts_with(prefix)).take(count).collect()
}

impl Scene {
    pub(super) fn new(format: Format) -> Result<Self> {
        let config = Config { format, k: K, window: HEAD + 1, setup_seed: 1, ..Config::DEFAULT };
        let keys = BTreeMap::from([
            // Five at the leaf on level 0, five on level 1, two on level 2.
            ("deep", ground(format, &[7, 7], "deep", 13)),
            // A full leaf above no sub-AMT.
            ("full", ground(format, &[9], "full", 6)),
            // Never written, under a sub-AMT, at a leaf of it that nobody has.
            ("beside", ground(format, &[7, 200], "beside", 1)),
            ("crowd", ground(format, &[], "crowd", 40)),
            // Two at one leaf.
            ("pair", ground(format, &[11], "pair", 3)),
        ]);
        let (lvmt, database) = (Lvmt::new(config), database()?);
        let mut scene = Self { lvmt, database, roots: Vec::new(), states: Vec::new(), keys };
        for block in 0..=HEAD {
            let writes = scene.writes(block);
            let root = store::write(&scene.database, |batch| {
                scene.lvmt.write(batch, block, writes.clone())
            });
            scene.roots.push(root?);
            let state = scene.after(block, writes);
            scene.states.push(state);
        }
        Ok(scene)
    }

    /// Key number `index` of some role.
    pub(super) fn key(&self, role: &str, index: usize) -> Key {
        self.keys.get(role).and_then(|keys| keys.get(index)).cloned().unwrap_or_default()
    }

    fn writes(&self, block: u64) -> Vec<(Key, Vec<u8>)> {
        let of = |role, range: std::ops::Range<usize>| {
            range.map(move |index| self.key(role, index)).collect::<Vec<_>>()
        };
        let written = match block {
            0 => [of("deep", 0..6), of("crowd", 0..12)].concat(),
            2 => of("full", 0..5),
            // A block of one tuple.
            3 => of("crowd", 0..1),
            4 => [of("deep", 6..10), of("pair", 0..2)].concat(),
            5 => of("crowd", 1..5),
            6 => [of("crowd", 1..2), of("deep", 0..1)].concat(),
            7 => of("deep", 10..12),
            8 => [of("crowd", 1..2), of("deep", 11..12), of("crowd", 12..13)].concat(),
            10 => [of("crowd", 1..2), of("deep", 11..12)].concat(),
            11 => of("crowd", 13..18),
            12 => [of("crowd", 1..2), of("crowd", 3..4)].concat(),
            // Empty blocks.
            _ => Vec::new(),
        };
        let value = |key: &Key| match (block, key) {
            // An empty value is a value.
            (8, key) if *key == self.key("crowd", 12) => Vec::new(),
            _ => keccak256(&[key.as_slice(), &block.to_be_bytes()].concat())[..9].to_vec(),
        };
        written.into_iter().map(|key| (key.clone(), value(&key))).collect()
    }

    /// The map after a block: new keys take the first free slot on their path, by hash.
    fn after(&self, block: u64, mut writes: Vec<(Key, Vec<u8>)>) -> BTreeMap<Key, Known> {
        let mut state = self.states.last().cloned().unwrap_or_default();
        let format = self.lvmt.config().format;
        writes.sort_by_key(|(key, _)| keys::hash(format, key));
        for (key, value) in writes {
            let (level, slot) = match state.get(&key) {
                Some(known) => (known.level, known.slot),
                None => self.free(&state, &key),
            };
            let version = state.get(&key).map_or(0, |known| known.version) + 1;
            state.insert(key, Known { value, version, block, level, slot });
        }
        state
    }

    fn free(&self, state: &BTreeMap<Key, Known>, key: &Key) -> (usize, usize) {
        let format = self.lvmt.config().format;
        let hash = keys::hash(format, key);
        let taken = |level: usize| {
            let same = |other: &&Key| keys::hash(format, other)[..=level] == hash[..=level];
            let at_level = state.iter().filter(|(_, known)| known.level == level);
            at_level.map(|(key, _)| key).filter(same).count()
        };
        let level = (0..32).find(|level| taken(*level) < 5).unwrap_or(32);
        (level, taken(level) + 1)
    }

    /// What an honest proof at the head says of a block.
    pub(super) fn entry(&self, epoch: u64) -> Result<Item> {
        self.lvmt.block_entry(&*self.database.reader()?, epoch, HEAD)
    }
}

impl Shared for Scene {
    const SYSTEM: &'static str = "lvmt";
    const HEAD: u64 = HEAD;
    type Asked = [Key];

    fn setting(&self) -> Setting {
        let params = self.lvmt.params().unwrap_or_default();
        Setting::devnet("lvmt", self.lvmt.config().format_name(), self.lvmt.spec().params, params)
    }

    fn root(&self, block: u64) -> Result<Vec<u8>> {
        let root = usize::try_from(block).ok().and_then(|block| self.roots.get(block));
        Ok(root.cloned().unwrap_or_default())
    }

    fn query(&self, keys: &[Key]) -> Vec<u8> {
        list(keys)
    }

    fn prove(&self, block: u64, keys: &[Key], variant: &'static str) -> Result<Vec<u8>> {
        let reader = self.database.reader()?;
        self.lvmt.prove_keys(&*reader, block, keys, variant).map_err(unanswered)
    }

    fn fact(&self, block: u64, keys: &[Key]) -> Value {
        let state = usize::try_from(block).ok().and_then(|block| self.states.get(block));
        let values = keys.iter().map(|key| {
            let name = hex::encode(key);
            match state.and_then(|state| state.get(key)) {
                Some(known) => json!({
                    "key": name,
                    "status": "present",
                    "value": hex::encode(&known.value),
                    "version": hex::quantity(known.version),
                    "block": hex::quantity(known.block),
                    "level": known.level,
                    "slot": known.slot,
                }),
                None => json!({ "key": name, "status": "absent" }),
            }
        });
        json!({ "values": values.collect::<Vec<_>>() })
    }
}
