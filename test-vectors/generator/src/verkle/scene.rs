//! A chain in memory, a plain map a block beside it, and claims about it that can be changed.

use std::collections::BTreeMap;

use redb::backends::InMemoryBackend;
use redb::{Builder, Database, ReadableDatabase as _};
use serde_json::{Value, json};

use crate::case::{self, Case, Expected, Setting, Source};
use lightproof_prover::chain::CHAIN_ID;
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::PLAIN;
use lightproof_prover::system::verkle::commitment::{Committer, compress};
use lightproof_prover::system::verkle::prove::{AGGREGATED, Path, encode};
use lightproof_prover::system::verkle::{Config, Verkle};

pub(super) type Result<T> = std::result::Result<T, StoreError>;

/// A claim under construction: source, query, variant, proof.
pub(super) type Forged = (Source, Vec<u8>, &'static str, Vec<u8>);

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
    database: Database,
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
        let database = Builder::new().create_with_backend(InMemoryBackend::new())?;
        let verkle = Verkle::new(config);
        let mut states: Vec<State> = Vec::new();
        for (block, writes) in (0..).zip(blocks) {
            let transaction = database.begin_write()?;
            let _top = verkle.write(&transaction, block, writes.clone())?;
            transaction.commit()?;
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

    /// A devnet of this configuration.
    pub(super) fn setting(&self) -> Setting {
        Setting {
            kind: "devnet",
            chain_id: CHAIN_ID,
            genesis_hash: keccak256(b"lightproof/vectors/verkle/genesis"),
            format: self.config.format_name(),
            params_digest: Some(self.committer().digest()),
            params: self.committer().params(),
        }
    }

    pub(super) fn root(&self, block: u64) -> Result<Vec<u8>> {
        self.verkle.root(&self.database.begin_read()?, block)
    }

    /// Pins what the header of a block says.
    pub(super) fn source(&self, block: u64) -> Result<Source> {
        Ok(Source::Root { number: block, bytes: self.root(block)? })
    }

    /// The honest proof.
    pub(super) fn proof(&self, block: u64, keys: &[Vec<u8>], variant: &str) -> Result<Vec<u8>> {
        let transaction = self.database.begin_read()?;
        self.verkle.read(&transaction, block, |mut tree| tree.prove(keys, variant == AGGREGATED))
    }

    /// What is shown of a key at the newest block.
    pub(super) fn shown(&self, key: &[u8]) -> Result<Shown> {
        let transaction = self.database.begin_read()?;
        self.verkle.read(&transaction, HEAD, |mut tree| {
            let path = tree.path(key)?;
            let openings =
                path.levels.iter().map(|level| Ok(compress(&tree.opening(level)?).to_vec()));
            let openings = openings.collect::<Result<_>>()?;
            let nodes = path.levels.iter().skip(1).map(|level| level.commitment.to_vec()).collect();
            let levels = u8::try_from(path.levels.len()).unwrap_or(u8::MAX);
            Ok(Shown { path, levels, nodes, openings })
        })
    }

    /// One opening for what is said, with the vectors of the tree and the coefficients of the
    /// claims, true or not.
    pub(super) fn opening(&self, shown: &[Shown]) -> Result<Vec<u8>> {
        let transaction = self.database.begin_read()?;
        let paths: Vec<_> = shown.iter().map(|one| one.path.clone()).collect();
        self.verkle.read(&transaction, HEAD, |mut tree| tree.aggregate(&paths))
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

    /// A claim about keys at the newest block.
    pub(super) fn claim(
        &self,
        keys: &[Vec<u8>],
        variant: &'static str,
        proof: Vec<u8>,
    ) -> Result<Forged> {
        Ok((self.source(HEAD)?, encode(keys), variant, proof))
    }

    /// What the plain maps say of keys at a block.
    pub(super) fn fact(&self, block: u64, keys: &[Vec<u8>]) -> Value {
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

    /// An honest case.
    pub(super) fn valid(
        &self,
        flag: &'static str,
        comment: &str,
        block: u64,
        keys: &[Vec<u8>],
        variant: &'static str,
    ) -> Result<Case> {
        Ok(Case {
            comment: format!("{comment}, {variant}"),
            flags: vec![flag],
            source: self.source(block)?,
            proof: self.proof(block, keys, variant)?,
            query: encode(keys),
            variant,
            expected: Expected::Valid(self.fact(block, keys)),
        })
    }

    /// The first key whose way at the newest block ends like this, below the top node.
    pub(super) fn find(&self, terminal: u8) -> Result<Vec<u8>> {
        self.all(terminal)?.into_iter().next().ok_or(StoreError::Corrupt("no key of this kind"))
    }

    /// Every key of the kind, of those with two levels.
    pub(super) fn all(&self, terminal: u8) -> Result<Vec<Vec<u8>>> {
        let transaction = self.database.begin_read()?;
        self.verkle.read(&transaction, HEAD, |tree| {
            let mut found = Vec::new();
            for index in 0..KEYS * 2 {
                let path = tree.path(&key(index))?;
                // Not the key whose value is empty.
                let fits = path.terminal == terminal && path.levels.len() == 2 && index != 7;
                if fits {
                    found.push(key(index));
                }
            }
            Ok(found)
        })
    }
}

/// A case that must be rejected.
pub(super) fn invalid(
    flag: &'static str,
    comment: &str,
    claim: Forged,
    code: &'static str,
) -> Case {
    let variant = claim.2;
    case::invalid(flag, &format!("{comment}, {variant}"), claim, code)
}

/// SHA-256, of keys and values.
pub(super) fn hash(bytes: &[u8]) -> Word {
    lightproof_prover::hash::sha256(&[bytes])
}
