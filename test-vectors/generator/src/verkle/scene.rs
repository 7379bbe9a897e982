//! A chain in memory, a plain map a block beside it, and claims about it that can be changed.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::case::{Case, Claim, Setting};
use crate::scene::{Scene as Shared, database};
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use lightproof_prover::store::embedded::Embedded;
use lightproof_prover::store::{self, Store as _};
use lightproof_prover::system::PLAIN;
use lightproof_prover::system::verkle::commitment::{Committer, compress};
use lightproof_prover::system::verkle::prove::{AGGREGATED, Path, encode};
use lightproof_prover::system::verkle::{Config, Verkle};

pub(super) use crate::scene::Result;

/// Both encodings.
pub(super) const VARIANTS: [&str; 2] = [PLAIN, AGGREGATED];

/// The newest block.
pub(super) const HEAD: u64 = 2;
const KEYS: usize = 300;

type State = BTreeMap<Vec<u8>, Vec<u8>>;
type Writes = Vec<(Vec<u8>, Option<Vec<u8>>)>;

/// A chain of one configuration.
pub(super) struct Scene {
    pub(super) config: Config,
    database: Embedded,
    verkle: Verkle,
    states: Vec<State>,
}

/// What is shown of one key, open to change.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) path: Path,
    /// The number of levels that the proof states.
    pub(super) levels: u8,
    /// Commitments of its levels but the first.
    pub(super) nodes: Vec<Vec<u8>>,
    /// One for each level.
    pub(super) openings: Vec<Vec<u8>>,
}

pub(super) fn key(index: usize) -> Vec<u8> {
    format!("key {index}").into_bytes()
}

/// What a block writes: everything; some again; some deleted.
fn writes(block: u64) -> Writes {
    let every = |step: usize| (0..KEYS).step_by(step).map(key);
    let value = |key: Vec<u8>| {
        // A value may be empty.
        let long = keccak256(&[key.as_slice(), &block.to_be_bytes()].concat()).to_vec();
        let value = if key == b"key 7" { vec![] } else { long };
        (key, Some(value))
    };
    match block {
        0 => every(1).map(value).collect(),
        1 => every(5).map(value).collect(),
        _ => every(9).map(|key| (key, None)).collect(),
    }
}

impl Scene {
    pub(super) fn new(config: Config) -> Result<Self> {
        Self::of(config, (0..=HEAD).map(writes).collect())
    }

    /// Nothing, and then key 1 alone.
    pub(super) fn empty(config: Config) -> Result<Self> {
        Self::of(config, vec![vec![], vec![(key(1), Some(vec![7]))]])
    }

    fn of(config: Config, blocks: Vec<Writes>) -> Result<Self> {
        let database = database()?;
        let verkle = Verkle::new(config);
        let mut states: Vec<State> = Vec::new();
        for (block, writes) in (0..).zip(blocks) {
            let _top = store::write(&database, |batch| verkle.write(batch, block, writes.clone()))?;
            let mut state = states.last().cloned().unwrap_or_default();
            for (key, value) in writes {
                match value {
                    Some(value) => drop(state.insert(key, value)),
                    None => drop(state.remove(&key)),
                }
            }
            states.push(state);
        }
        Ok(Self { config, database, verkle, states })
    }

    pub(super) fn committer(&self) -> &dyn Committer {
        self.verkle.committer()
    }

    /// What is shown of a key at the newest block.
    pub(super) fn shown(&self, key: &[u8]) -> Result<Shown> {
        let reader = self.database.reader()?;
        let mut tree = self.verkle.tree(&*reader, HEAD);
        let path = tree.path(key)?;
        let openings = path.levels.iter().map(|level| Ok(compress(&tree.opening(level)?).to_vec()));
        let openings = openings.collect::<Result<_>>()?;
        let nodes = path.levels.iter().skip(1).map(|level| level.commitment.to_vec()).collect();
        let levels = u8::try_from(path.levels.len()).unwrap_or(u8::MAX);
        Ok(Shown { path, levels, nodes, openings })
    }

    /// One opening for what is said, with the vectors of the tree and the coefficients of the
    /// claims, true or not.
    pub(super) fn opening(&self, shown: &[Shown]) -> Result<Vec<u8>> {
        let reader = self.database.reader()?;
        let paths: Vec<_> = shown.iter().map(|one| one.path.clone()).collect();
        self.verkle.tree(&*reader, HEAD).aggregate(&paths)
    }

    /// The bytes of a proof that shows this.
    pub(super) fn encode(&self, shown: &[Shown], variant: &str) -> Result<Vec<u8>> {
        let mut items = Vec::new();
        let mut known = Vec::new();
        for one in shown {
            let Shown { path, levels, nodes, openings } = one;
            let mut bytes = vec![*levels, path.terminal];
            for node in nodes {
                if variant == PLAIN || !known.contains(&node) {
                    bytes.extend(node);
                    known.push(node);
                }
            }
            if variant == PLAIN {
                bytes.extend(openings.concat());
            }
            bytes.extend(path.other.iter().flat_map(|(key, value)| [*key, *value].concat()));
            items.extend([Item::bytes(&path.value), Item::Bytes(bytes)]);
        }
        if variant == AGGREGATED {
            items.push(Item::Bytes(self.opening(shown)?));
        }
        Ok(Item::List(items).encode())
    }

    /// The claim that a proof shows keys at the newest block.
    pub(super) fn says(
        &self,
        keys: &[Vec<u8>],
        variant: &'static str,
        proof: Vec<u8>,
    ) -> Result<Claim> {
        Ok(Claim { source: self.source(HEAD)?, query: encode(keys), variant, proof })
    }

    /// The first key whose way at the newest block ends like this, below the top node.
    pub(super) fn find(&self, terminal: u8) -> Result<Vec<u8>> {
        self.all(terminal)?.into_iter().next().ok_or(StoreError::Corrupt("no key of this kind"))
    }

    /// Every key of the kind, of those with two levels.
    pub(super) fn all(&self, terminal: u8) -> Result<Vec<Vec<u8>>> {
        let reader = self.database.reader()?;
        let (tree, mut found) = (self.verkle.tree(&*reader, HEAD), Vec::new());
        for index in 0..KEYS * 2 {
            let path = tree.path(&key(index))?;
            // Not the key whose value is empty.
            let fits = path.terminal == terminal && path.levels.len() == 2 && index != 7;
            if fits {
                found.push(key(index));
            }
        }
        Ok(found)
    }
}

impl Shared for Scene {
    const SYSTEM: &'static str = "verkle";
    const HEAD: u64 = HEAD;
    type Asked = [Vec<u8>];

    fn setting(&self) -> Setting {
        let (digest, params) = (self.committer().digest(), self.committer().params());
        Setting::devnet("verkle", self.config.format_name(), Some(digest), params)
    }

    fn root(&self, block: u64) -> Result<Vec<u8>> {
        self.verkle.root(&*self.database.reader()?, block)
    }

    fn query(&self, keys: &[Vec<u8>]) -> Vec<u8> {
        encode(keys)
    }

    fn prove(&self, block: u64, keys: &[Vec<u8>], variant: &'static str) -> Result<Vec<u8>> {
        let reader = self.database.reader()?;
        self.verkle.tree(&*reader, block).prove(keys, variant == AGGREGATED)
    }

    fn fact(&self, block: u64, keys: &[Vec<u8>]) -> Value {
        let state = usize::try_from(block).ok().and_then(|block| self.states.get(block));
        let fact = |key: &Vec<u8>| {
            let name = hex::encode(key);
            match state.and_then(|state| state.get(key)) {
                Some(value) => {
                    json!({ "key": name, "status": "present", "value": hex::encode(value) })
                }
                None => json!({ "key": name, "status": "absent" }),
            }
        };
        json!({ "values": keys.iter().map(fact).collect::<Vec<_>>() })
    }
}

/// Cases whose comments name their variant.
pub(super) fn named(cases: Vec<Case>) -> Vec<Case> {
    let named =
        |case: Case| Case { comment: format!("{}, {}", case.comment, case.variant), ..case };
    cases.into_iter().map(named).collect()
}

/// SHA-256, of keys and values.
pub(super) fn hash(bytes: &[u8]) -> Word {
    lightproof_prover::hash::sha256(&[bytes])
}
