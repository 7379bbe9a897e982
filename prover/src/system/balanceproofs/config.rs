//! What a chain's vector is made from.

use lightproof_core::system::balanceproofs::{Scheme, Shape};

use super::ceremony::Ceremony;
use crate::chain::Address;
use crate::hash::Word;

/// Name of this system in headers.
pub const NAME: &str = "balanceproofs";

/// Where the secrets' powers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Ethereum's KZG ceremony: `basic` with up to 4,096 values.
    Ethereum,
    /// INSECURE: whoever knows the seed knows the secrets, and can prove anything.
    Seed(u64),
    /// A ceremony for three secrets, whose contributions were verified: `two-layer` with its sides.
    Ceremony(&'static Ceremony),
}

/// INSECURE: the seed of devnets that are not on the ceremony. Everybody has their parameters, so
/// they are the same for all.
pub const DEVNET_SEED: u64 = 1;

/// A vector of balances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The scheme.
    pub scheme: Scheme,
    /// p, t, m, whose product is the vector's length; one for a side that the scheme does not
    /// have.
    pub sides: [u64; 3],
    /// The setup.
    pub source: Source,
    /// Newest blocks that stay provable, at least 1.
    pub window: u64,
    /// Whose balances are held, by position; `None` for the accounts in the order in which blocks
    /// first wrote them. At most as many as the vector is long, each once.
    pub accounts: Option<&'static [Address]>,
}

impl Config {
    /// A vector on a ceremony's powers.
    pub fn on(ceremony: &'static Ceremony) -> Self {
        let sides = ceremony.sides().map(|side| side as u64);
        Self {
            scheme: Scheme::TwoLayer,
            sides,
            source: Source::Ceremony(ceremony),
            ..Self::DEFAULT
        }
    }

    /// 4,096 balances on Ethereum's ceremony, 64 blocks of history.
    pub const DEFAULT: Self = Self {
        scheme: Scheme::Basic,
        sides: [1, 1, 4_096],
        source: Source::Ethereum,
        window: 64,
        accounts: None,
    };

    /// The same scheme's vector as core knows it; `None` if the sides are none of the scheme's.
    pub fn shape(&self) -> Option<Shape> {
        let [p, t, m] = self.sides;
        match self.scheme {
            Scheme::Basic => Shape::new(self.scheme, &[m]).filter(|_| p == 1 && t == 1),
            Scheme::Bucketed => Shape::new(self.scheme, &[p, m]).filter(|_| t == 1),
            Scheme::TwoLayer => Shape::new(self.scheme, &[p, t, m]),
        }
    }

    /// The format's name in chain configurations.
    pub fn format_name(&self) -> &'static str {
        match self.scheme {
            Scheme::Basic => "balanceproofs/basic",
            Scheme::Bucketed => "balanceproofs/bucketed",
            Scheme::TwoLayer => "balanceproofs/two-layer",
        }
    }

    /// Tells configurations of a chain apart.
    pub fn code(&self) -> u64 {
        let scheme = match self.scheme {
            Scheme::Basic => 1,
            Scheme::Bucketed => 2,
            Scheme::TwoLayer => 3,
        };
        let source = match self.source {
            Source::Ethereum => 0,
            Source::Seed(seed) => 1 | seed << 1,
            Source::Ceremony(ceremony) => first_word(ceremony.digest()),
        };
        let sides = self.sides.iter().map(|side| side.trailing_zeros());
        let sides = sides.fold(scheme, |code, log| code << 6 | u64::from(log));
        let mut input = sides.to_be_bytes().to_vec();
        input.extend(source.to_be_bytes());
        if let Some(accounts) = self.accounts {
            input.extend(crate::hash::keccak256(accounts.as_flattened()));
        }
        first_word(crate::hash::keccak256(&input))
    }
}

fn first_word(digest: Word) -> u64 {
    u64::from_be_bytes(std::array::from_fn(|at| digest[at]))
}
