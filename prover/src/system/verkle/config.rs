//! What a chain's tree is made from.

use std::sync::Arc;

use super::cf::{Cf, Points};
use super::commitment::Committer;
use super::kzg::Kzg;

/// Name of this system in headers.
pub const NAME: &str = "verkle";

/// What nodes commit with, and the setup behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commitment {
    /// KZG, with Ethereum's ceremony.
    Kzg,
    /// Catalano and Fiore's, with secrets that follow from a number: INSECURE.
    CfInsecure(u64),
    /// Catalano and Fiore's, with the points of a ceremony that were checked.
    Cf(&'static Points),
}

/// Parameters of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// What nodes commit with.
    pub commitment: Commitment,
    /// log₂ k: 5, 8 or 10.
    pub bits: usize,
    /// Newest blocks that stay provable, at least 1.
    pub window: u64,
}

impl Config {
    /// KZG, k = 256, 64 blocks of history.
    pub const DEFAULT: Self = Self { commitment: Commitment::Kzg, bits: 8, window: 64 };

    /// The format's name in chain configurations.
    pub fn format_name(&self) -> &'static str {
        match (self.commitment, self.bits) {
            (Commitment::Kzg, 5) => "verkle/kzg-32",
            (Commitment::Kzg, 8) => "verkle/kzg-256",
            (Commitment::Kzg, _) => "verkle/kzg-1024",
            (_, 5) => "verkle/cf-32",
            (_, 8) => "verkle/cf-256",
            (..) => "verkle/cf-1024",
        }
    }

    /// What commits and opens.
    pub fn committer(&self) -> Arc<dyn Committer> {
        match self.commitment {
            Commitment::Kzg => Kzg::new(self.bits),
            Commitment::CfInsecure(seed) => Cf::insecure(self.bits, seed),
            Commitment::Cf(points) => Arc::new(Cf::new(points.clone())),
        }
    }

    /// Tells setups of a chain apart: the first bytes of their digest.
    pub fn code(&self) -> u64 {
        let digest = self.committer().digest();
        u64::from_be_bytes(std::array::from_fn(|at| digest[at]))
    }
}
