//! A committed vector of every scheme, and claims about it.

use std::sync::Arc;

use ark_bls12_381::{Fr, G1Affine};
use lightproof_core::system::balanceproofs::Scheme;
use serde_json::{Value, json};

use crate::case::{Case, Expected, Setting, Source};
use lightproof_prover::hash::keccak256;
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::balanceproofs::encoding::bytes;
use lightproof_prover::system::balanceproofs::opening::envelope;
use lightproof_prover::system::balanceproofs::{Config, Setup, Source as Secrets, Variant, Vector};

/// A vector, and what it was a while before.
pub(super) struct Scene {
    pub(super) config: Config,
    pub(super) setup: Arc<Setup>,
    pub(super) vector: Vector,
    pub(super) older: Vector,
    balances: Vec<u128>,
}

/// A claim under construction.
#[derive(Clone)]
pub(super) struct Claim {
    pub(super) root: Vec<u8>,
    pub(super) query: Vec<u8>,
    pub(super) variant: &'static str,
    pub(super) values: Vec<u8>,
    pub(super) points: Vec<u8>,
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

    pub(super) fn setting(&self) -> Setting {
        Setting {
            kind: "devnet",
            chain_id: lightproof_prover::chain::CHAIN_ID,
            genesis_hash: keccak256(b"lightproof/vectors/balanceproofs"),
            format: self.config.format_name(),
            params_digest: Some(self.setup.digest()),
            params: self.setup.params.clone(),
        }
    }

    /// An honest claim.
    pub(super) fn claim(&self, positions: &[u64], variant: Variant) -> Claim {
        Self::claim_of(&self.vector, positions, variant)
    }

    pub(super) fn claim_of(vector: &Vector, positions: &[u64], variant: Variant) -> Claim {
        Claim {
            root: compressed(vector.commitment()),
            query: query(positions),
            variant: variant.name(),
            values: vector.values(positions),
            points: vector.points(positions, variant).unwrap_or_default(),
        }
    }

    /// An honest case.
    pub(super) fn valid(&self, comment: &str, positions: &[u64], variant: Variant) -> Case {
        let claim = self.claim(positions, variant);
        self.accepted("Honest", comment, claim, positions)
    }

    /// A case that is accepted.
    pub(super) fn accepted(
        &self,
        flag: &'static str,
        comment: &str,
        claim: Claim,
        positions: &[u64],
    ) -> Case {
        claim.case(flag, comment, Expected::Valid(self.fact(positions)))
    }

    fn fact(&self, positions: &[u64]) -> Value {
        let value = |position: &u64| {
            let balance =
                usize::try_from(*position).ok().and_then(|place| self.balances.get(place));
            let mut word = [0; 32];
            word[16..].copy_from_slice(&balance.copied().unwrap_or(0).to_be_bytes());
            json!({ "position": hex::quantity(*position), "value": hex::encode(&word) })
        };
        json!({ "values": positions.iter().map(value).collect::<Vec<_>>() })
    }
}

impl Claim {
    pub(super) fn proof(&self) -> Vec<u8> {
        envelope(&self.values, &self.points)
    }

    fn case(self, flag: &'static str, comment: &str, expected: Expected) -> Case {
        let proof = self.proof();
        Case {
            comment: format!("{}: {comment}", self.variant),
            flags: vec![flag],
            source: Source::Root { number: 7, bytes: self.root },
            query: self.query,
            variant: self.variant,
            proof,
            expected,
        }
    }

    /// A case that must be rejected.
    pub(super) fn refused(self, flag: &'static str, comment: &str, code: &'static str) -> Case {
        self.case(flag, comment, Expected::Invalid(code))
    }

    /// The same with these bytes for a proof.
    pub(super) fn refused_as(
        self,
        proof: Vec<u8>,
        flag: &'static str,
        comment: &str,
        code: &'static str,
    ) -> Case {
        Case { proof, ..self.refused(flag, comment, code) }
    }
}

/// RLP `[position, …]`.
pub(super) fn query(positions: &[u64]) -> Vec<u8> {
    Item::List(positions.iter().map(|position| Item::uint(*position)).collect()).encode()
}

pub(super) fn compressed(point: &G1Affine) -> Vec<u8> {
    bytes(std::slice::from_ref(point))
}
