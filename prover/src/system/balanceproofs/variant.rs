//! The forms of proofs.

use lightproof_core::system::balanceproofs::Scheme;

/// Positions up to which a `plain` proof of `basic` takes no more than a third longer to check than
/// a hinted one. It is half as long, and follows from kept proofs.
const FEW: usize = 16;

/// The form of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// The paper's.
    Plain,
    /// `basic`: one by one.
    Singles,
    /// `basic`: evaluation hint.
    Hinted,
    /// `basic`: commitment hint.
    CommitHinted,
    /// One point for all buckets of a layer.
    Halved,
    /// `two-layer`: `plain` with two more points.
    T1,
    /// `two-layer`: `halved` with three more points.
    T3,
}

impl Variant {
    /// Its name in replies.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Singles => "singles",
            Self::Hinted => "hinted",
            Self::CommitHinted => "commit-hinted",
            Self::Halved => "halved",
            Self::T1 => "T1",
            Self::T3 => "T3",
        }
    }

    /// Those of a scheme, the fastest to check first.
    pub const fn of(scheme: Scheme) -> &'static [Self] {
        match scheme {
            Scheme::Basic => &[Self::Hinted, Self::CommitHinted, Self::Plain, Self::Singles],
            Scheme::Bucketed => &[Self::Plain, Self::Halved],
            Scheme::TwoLayer => &[Self::T3, Self::T1, Self::Plain, Self::Halved],
        }
    }

    /// Those of a scheme by what proofs of so many positions cost prover and verifier together, the
    /// best first.
    pub const fn preferred(scheme: Scheme, positions: usize) -> &'static [Self] {
        match scheme {
            Scheme::Basic if positions <= FEW => {
                &[Self::Plain, Self::Hinted, Self::CommitHinted, Self::Singles]
            }
            _ => Self::of(scheme),
        }
    }
}
