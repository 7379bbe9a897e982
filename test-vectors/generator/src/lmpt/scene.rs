//! A chain in memory whose keys have every history that the layers can tell apart, and three plain
//! maps a block beside it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::case::{Claim, Setting};
use crate::scene::{Scene as Shared, database, unanswered};
use lightproof_prover::chain::writes::WriteSet;
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use lightproof_prover::store::embedded::Embedded;
use lightproof_prover::store::{self, Store as _};
use lightproof_prover::system::System as _;
use lightproof_prover::system::lmpt::layers::View;
use lightproof_prover::system::lmpt::merge::{Key, Writes};
use lightproof_prover::system::lmpt::prove::{Question, encode};
use lightproof_prover::system::lmpt::{Config, Format, Lmpt, conflux, payload};
use lightproof_prover::trie::Trie;
use lightproof_prover::trie::nibbles::{Nibbles, unpack};

pub(super) use crate::scene::Result;

/// The newest block.
pub(super) const HEAD: u64 = 14;
/// Blocks between merges.
pub(super) const INTERVAL: u64 = 4;
const CROWD: u64 = 40;

/// A chain of one format.
pub(super) struct Scene {
    pub(super) config: Config,
    database: Embedded,
    lmpt: Lmpt,
    states: Vec<State>,
}

#[derive(Clone, Debug, Default)]
struct State {
    snapshot: BTreeMap<Key, Word>,
    intermediate: Writes,
    delta: Writes,
}

/// Roles of keys: what happened to them, as seen from [`HEAD`].
pub(super) const ROLES: [(&str, &str); 10] = [
    ("hot", "written in every block"),
    ("fresh", "first written in the newest block"),
    ("gone", "deleted in the delta, present below"),
    ("middle", "written in the intermediate layer"),
    ("sunk", "deleted in the intermediate layer, present in the snapshot"),
    ("back", "deleted in the intermediate layer, written again in the delta"),
    ("old", "in the snapshot only"),
    ("merged", "deleted long ago, and merged"),
    ("ghost", "deleted in the delta without ever having been there"),
    ("phantom", "deleted without ever having been there, and merged"),
];

/// A key by what it is for.
pub(super) fn key(role: &str) -> Key {
    let account =
        keccak256(format!("lightproof/vectors/lmpt/account/{}", role.len() % 2).as_bytes());
    let slot = keccak256(format!("lightproof/vectors/lmpt/{role}").as_bytes());
    let mut key = [0; 52];
    key[..20].copy_from_slice(&account[..20]);
    key[20..].copy_from_slice(&slot);
    key
}

/// A key of many that nothing special happens to.
pub(super) fn crowd(index: u64) -> Key {
    key(&format!("crowd/{index}"))
}

fn writes(block: u64) -> Writes {
    let value = |key: &Key| keccak256(&[key.as_slice(), &block.to_be_bytes()].concat());
    let mut writes = Writes::new();
    let mut set = |key: Key| writes.extend([(key, Some(value(&key)))]);
    if block == 0 {
        ["gone", "middle", "sunk", "back", "old", "merged"].map(key).into_iter().for_each(&mut set);
        (0..CROWD).map(crowd).for_each(&mut set);
        return writes;
    }
    set(key("hot"));
    // Half of the crowd is written now and then.
    for index in 0..CROWD / 2 {
        if (block + index * index).is_multiple_of(7) {
            set(crowd(index));
        }
    }
    let written: &[&str] = match block {
        10 => &["middle"],
        14 => &["fresh", "back"],
        _ => &[],
    };
    written.iter().copied().map(key).for_each(&mut set);
    let deleted: &[&str] = match block {
        2 => &["merged", "phantom"],
        11 => &["sunk", "back"],
        13 => &["gone", "ghost"],
        _ => &[],
    };
    writes.extend(deleted.iter().map(|role| (key(role), None)));
    writes
}

impl State {
    fn after(&self, block: u64, writes: &Writes) -> Self {
        let mut state = self.clone();
        if block == 0 {
            let present = writes.iter().filter_map(|(key, value)| Some((*key, (*value)?)));
            state.snapshot = present.collect();
            return state;
        }
        state.delta.extend(writes.iter().map(|(key, value)| (*key, *value)));
        if block.is_multiple_of(INTERVAL) {
            for (key, value) in std::mem::take(&mut state.intermediate) {
                match value {
                    Some(value) => drop(state.snapshot.insert(key, value)),
                    None => drop(state.snapshot.remove(&key)),
                }
            }
            state.intermediate = std::mem::take(&mut state.delta);
        }
        state
    }

    fn fact(&self, asked: &[u8], key: Option<&Key>) -> Value {
        let written = |map: &Writes| key.and_then(|key| map.get(key)).copied();
        let merged = || key.and_then(|key| self.snapshot.get(key));
        let (layer, value) = match (written(&self.delta), written(&self.intermediate)) {
            (Some(write), _) => ("delta", write.ok_or("deleted")),
            (None, Some(write)) => ("intermediate", write.ok_or("deleted")),
            (None, None) => ("snapshot", merged().copied().ok_or("absent")),
        };
        let key = hex::encode(asked);
        match value {
            Ok(value) => json!({
                "key": key, "status": "present", "value": hex::encode(&value), "layer": layer
            }),
            Err(status) => json!({ "key": key, "status": status, "layer": layer }),
        }
    }
}

impl Scene {
    pub(super) fn new(format: Format) -> Result<Self> {
        let config = Config { format, interval: INTERVAL, window: HEAD + 1 };
        let database = database()?;
        let lmpt = Lmpt::new(config);
        let mut states: Vec<State> = Vec::new();
        for block in 0..=HEAD {
            let writes = writes(block);
            let mut set = WriteSet::default();
            for (key, value) in &writes {
                let (address, slot) = key.split_at(20);
                let fixed = |_| StoreError::Corrupt("a key has 52 bytes");
                let address = address.try_into().map_err(fixed)?;
                set.slot(address, slot.try_into().map_err(fixed)?, value.unwrap_or_default());
            }
            lmpt.begin(&database.reader()?);
            store::write(&database, |batch| lmpt.commit(batch, block, &set))?;
            states.push(states.last().cloned().unwrap_or_default().after(block, &writes));
        }
        Ok(Self { config, database, lmpt, states })
    }

    /// The layers after a block.
    pub(super) fn view(&self, block: u64) -> Result<View> {
        let view = self.lmpt.layers(&*self.database.reader()?, block)?;
        view.ok_or(StoreError::Corrupt("a block without layers"))
    }

    /// `lmpt/1`: the nodes of a block's snapshot, by path.
    pub(super) fn snapshot(&self, block: u64) -> Result<BTreeMap<Nibbles, Vec<u8>>> {
        let nothing = BTreeMap::new();
        let mut trie = Trie::open(&nothing)?;
        let state = usize::try_from(block).ok().and_then(|block| self.states.get(block));
        for (key, value) in state.iter().flat_map(|state| &state.snapshot) {
            trie.set(&keccak256(key), payload(Some(value)))?;
        }
        Ok(trie.finish().written)
    }

    /// A key as queries name it.
    pub(super) fn asked(&self, key: &Key) -> Vec<u8> {
        match self.config.format {
            Format::Layered => key.to_vec(),
            Format::Conflux => conflux::snapshot_key(key),
        }
    }

    /// The honest claim that answers any query at a block.
    pub(super) fn answer(
        &self,
        block: u64,
        query: Vec<u8>,
        variant: &'static str,
    ) -> Result<Claim> {
        let reader = self.database.reader()?;
        let proof = self.lmpt.prove(&*reader, block, &query, &[variant]);
        let proof = proof.map_err(unanswered)?.bytes;
        Ok(Claim { source: self.source(block)?, query, variant, proof })
    }

    /// A key that all three layers are asked for and the snapshot holds, with at least two nodes on
    /// its way in every one of them.
    pub(super) fn deep(&self) -> Result<Key> {
        for index in CROWD / 2..CROWD {
            let key = crowd(index);
            let proof = self.proof(HEAD, &[key], "plain")?;
            let layers =
                proof.as_list().and_then(|items| items.last()?.as_list()?.first()?.as_list());
            let long = |layer: &Item| layer.as_list().is_some_and(|nodes| nodes.len() >= 2);
            if layers.is_some_and(|layers| layers.len() == 3 && layers.iter().all(long)) {
                return Ok(key);
            }
        }
        Err(StoreError::Corrupt("no key with long walks"))
    }

    /// A key of the snapshot whose hash starts with another nibble than `key`'s.
    pub(super) fn far_from(key: &Key) -> Key {
        let first = |key: &Key| unpack(&keccak256(key)).first().copied();
        let others = (CROWD / 2..CROWD).map(crowd);
        others.into_iter().find(|other| first(other) != first(key)).unwrap_or(*key)
    }
}

impl Shared for Scene {
    const SYSTEM: &'static str = "lmpt";
    const HEAD: u64 = HEAD;
    type Asked = [Key];

    fn setting(&self) -> Setting {
        Setting::devnet("lmpt", self.config.format_name(), None, Vec::new())
    }

    fn root(&self, block: u64) -> Result<Vec<u8>> {
        Ok(self.view(block)?.commitment())
    }

    fn query(&self, keys: &[Key]) -> Vec<u8> {
        let question = |key| Question { key: self.asked(key), storage_roots: false };
        encode(&keys.iter().map(question).collect::<Vec<_>>())
    }

    fn prove(&self, block: u64, keys: &[Key], variant: &'static str) -> Result<Vec<u8>> {
        Ok(self.answer(block, self.query(keys), variant)?.proof)
    }

    fn fact(&self, block: u64, keys: &[Key]) -> Value {
        let state = usize::try_from(block).ok().and_then(|block| self.states.get(block));
        let fact = |key| state.map(|state| state.fact(&self.asked(key), Some(key)));
        json!({ "values": keys.iter().map(fact).collect::<Vec<_>>() })
    }
}
