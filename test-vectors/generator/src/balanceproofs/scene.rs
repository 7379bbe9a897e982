//! A committed vector of every scheme, and claims about it.

use std::sync::Arc;

use ark_bls12_381::{Fr, G1Affine};
use lightproof_core::system::balanceproofs::Scheme;
use serde_json::{Value, json};

use crate::case::{Case, Claim, Setting, Source};
use crate::edit::{self, Edit as _};
use crate::scene::Scene as Shared;
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::keccak256;
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::balanceproofs::encoding::bytes;
use lightproof_prover::system::balanceproofs::opening::envelope;
use lightproof_prover::system::balanceproofs::{Config, Setup, Source as Secrets, Variant, Vector};

pub(super) use crate::scene::Result;

/// The block of the vector, and the one before it.
const HEAD: u64 = 7;
pub(super) const BEFORE: u64 = 6;

/// A vector, and what it was a while before.
pub(super) struct Scene {
    pub(super) config: Config,
    pub(super) setup: Arc<Setup>,
    pub(super) vector: Vector,
    pub(super) older: Vector,
    balances: Vec<u128>,
}

/// Balances with zeros, equal ones, and one of 127 bits.
fn balances(count: usize) -> Vec<u128> {
    let balance = |place: usize| match place % 7 {
        2 => 0,
        3 => 1_000_000_000_000_000_000,
        5 => u128::MAX >> 1,
        _ => u128::try_from(place * place + 11).unwrap_or(0) * 1_000_000_007,
    };
    (0..count).map(balance).collect()
}

impl Scene {
    fn new(config: Config) -> Self {
        let setup = Setup::of(&config);
        Self::on(config, setup)
    }

    /// The same vector under another setup.
    pub(super) fn on(config: Config, setup: Arc<Setup>) -> Self {
        let balances = balances(setup.sides().iter().product());
        let values: Vec<Fr> = balances.iter().map(|balance| Fr::from(*balance)).collect();
        let mut before = values.clone();
        before[1] += Fr::from(5_u64);
        let vector = Vector::new(Arc::clone(&setup), values);
        let older = Vector::new(Arc::clone(&setup), before);
        Self { config, setup, vector, older, balances }
    }

    /// Sixteen values.
    pub(super) fn basic() -> Self {
        Self::small(Scheme::Basic, [1, 1, 16], 1)
    }

    /// Four buckets of four.
    pub(super) fn bucketed() -> Self {
        Self::small(Scheme::Bucketed, [4, 1, 4], 2)
    }

    /// Two buckets of two buckets of four.
    pub(super) fn two_layer() -> Self {
        Self::small(Scheme::TwoLayer, [2, 2, 4], 3)
    }

    pub(super) fn small(scheme: Scheme, sides: [u64; 3], seed: u64) -> Self {
        Self::new(Config {
            scheme,
            sides,
            source: Secrets::Seed(seed),
            window: 1,
            ..Config::DEFAULT
        })
    }

    /// 4,096 values.
    pub(super) fn ethereum() -> Self {
        Self::new(Config::DEFAULT)
    }

    pub(super) fn is_ethereum(&self) -> bool {
        self.config.source == Secrets::Ethereum
    }

    pub(super) fn variants(&self) -> &'static [Variant] {
        Variant::of(self.config.scheme)
    }

    /// An honest claim.
    pub(super) fn opened(&self, positions: &[u64], variant: Variant) -> Result<Claim> {
        self.honest(positions, variant.name())
    }

    /// A case that is accepted.
    pub(super) fn accepted(
        &self,
        flag: &'static str,
        comment: &str,
        claim: Claim,
        positions: &[u64],
    ) -> Case {
        claim.proves(flag, comment, self.fact(HEAD, positions))
    }

    fn vector_at(&self, block: u64) -> &Vector {
        if block == HEAD { &self.vector } else { &self.older }
    }
}

/// The proof of a vector; without points where its setup does not reach so far.
pub(super) fn proof_of(vector: &Vector, positions: &[u64], variant: Variant) -> Vec<u8> {
    let points = vector.points(positions, variant).unwrap_or_default();
    envelope(&vector.values(positions), &points)
}

impl Shared for Scene {
    const SYSTEM: &'static str = "balanceproofs";
    const HEAD: u64 = HEAD;
    type Asked = [u64];

    fn setting(&self) -> Setting {
        let (digest, params) = (Some(self.setup.digest()), self.setup.params.clone());
        Setting {
            genesis_hash: keccak256(b"lightproof/vectors/balanceproofs"),
            ..Setting::devnet(Self::SYSTEM, self.config.format_name(), digest, params)
        }
    }

    fn root(&self, block: u64) -> Result<Vec<u8>> {
        Ok(compressed(self.vector_at(block).commitment()))
    }

    fn query(&self, positions: &[u64]) -> Vec<u8> {
        query(positions)
    }

    fn prove(&self, block: u64, positions: &[u64], variant: &'static str) -> Result<Vec<u8>> {
        let known = self.variants().iter().find(|known| known.name() == variant);
        let known = known.ok_or(StoreError::Corrupt("a variant of another scheme"))?;
        Ok(proof_of(self.vector_at(block), positions, *known))
    }

    fn fact(&self, _block: u64, positions: &[u64]) -> Value {
        let value = |position: &u64| {
            let balance =
                usize::try_from(*position).ok().and_then(|place| self.balances.get(place));
            let mut word = [0; 32];
            word[16..].copy_from_slice(&balance.copied().unwrap_or(0).to_be_bytes());
            json!({ "position": hex::quantity(*position), "value": hex::encode(&word) })
        };
        json!({ "values": positions.iter().map(value).collect::<Vec<_>>() })
    }

    fn source(&self, block: u64) -> Result<Source> {
        Ok(pinned(self.root(block)?))
    }
}

/// Pins a commitment.
pub(super) fn pinned(bytes: Vec<u8>) -> Source {
    Source::Root { number: HEAD, bytes }
}

/// An edit of a proof's values.
pub(super) fn in_values(change: impl Fn(&mut Vec<u8>)) -> impl Fn(&mut Item) {
    move |proof| proof.at(&[0]).bytes(&change)
}

/// An edit of a proof's points.
pub(super) fn in_points(change: impl Fn(&mut Vec<u8>)) -> impl Fn(&mut Item) {
    move |proof| proof.at(&[1]).bytes(&change)
}

/// The points of a claim's proof.
pub(super) fn points_of(claim: &Claim) -> Vec<u8> {
    let points = edit::items(&claim.proof).get(1).and_then(|item| Some(item.as_bytes()?.to_vec()));
    points.unwrap_or_default()
}

/// RLP `[position, …]`.
pub(super) fn query(positions: &[u64]) -> Vec<u8> {
    Item::List(positions.iter().map(|position| Item::uint(*position)).collect()).encode()
}

pub(super) fn compressed(point: &G1Affine) -> Vec<u8> {
    bytes(std::slice::from_ref(point))
}
