//! What a proof system brings, and the list of those that exist.

#[cfg(feature = "bls12-381")]
pub mod balanceproofs;
pub mod cole;
pub mod lmpt;
#[cfg(feature = "bn254")]
pub mod lvmt;
pub mod mpt;
#[cfg(feature = "bls12-381")]
pub mod verkle;

use alloc::vec::Vec;
use core::fmt::Debug;

use crate::error::{DecodeError, InputError, Rejection, VerifyError};
use crate::hash::Hash;
use crate::header::TrustedHeader;
use crate::json::ToJson;
use crate::observer::Observer;
use crate::wire::{Bytes, Reader};

/// The one list of systems in Rust: hands `module Type, …`, ascending by name, to the macro that
/// it is called with.
///
/// Lists of other crates and of tests are made from it. A crate that lacks the module of a system
/// does not compile. The `mod` lines stay in the sources, because rustfmt and cargo-mutants find
/// files by them.
#[macro_export]
macro_rules! systems {
    ($with:ident) => {
        $with! {
            balanceproofs BalanceProofs,
            cole Cole,
            lmpt Lmpt,
            lvmt Lvmt,
            mpt Mpt,
            verkle Verkle,
        }
    };
}

macro_rules! names {
    ($($module:ident $system:ident,)*) => { &[$(stringify!($module)),*] };
}

/// Names of all systems, in ascending order. A build without a system's curve names it too.
pub const SYSTEMS: &[&str] = systems!(names);

/// A value that was asked for: there, deleted, or never there. Each is proven, and they never
/// collapse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence<V> {
    /// Proven present, with its value.
    Present(V),
    /// Proven deleted.
    Deleted,
    /// Proven absent.
    Absent,
}

/// The part of the chain configuration that concerns one system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemConfig<'a> {
    /// Bytes and hashes in use, e.g. `mpt/1`.
    pub format: &'a [u8],
    /// Digest of the public parameters; `None` for a system without any.
    pub params_digest: Option<Hash>,
}

impl<'a> SystemConfig<'a> {
    /// Decodes RLP `[format, paramsDigest]`: ASCII, and 32 bytes or none.
    ///
    /// # Errors
    /// [`InputError::Config`] if the bytes are not of that form.
    pub fn from_rlp(bytes: &'a [u8]) -> Result<Self, InputError> {
        let malformed = |error: DecodeError| InputError::Config(error.reason);
        let mut items = Reader::whole_list(bytes, 0, "system configuration").map_err(malformed)?;
        let format = items.string("format").map_err(malformed)?.bytes;
        let params_digest = match items.string("params digest").map_err(malformed)?.bytes {
            [] => None,
            digest => {
                let digest = digest.try_into();
                Some(Hash(digest.map_err(|_| InputError::Config("a params digest has 32 bytes"))?))
            }
        };
        items.finish("system configuration").map_err(malformed)?;
        Ok(Self { format, params_digest })
    }
}

/// One system of committed state: how its roots, queries and proofs are read and checked.
///
/// A check pushes what it wants proved by group equations into `todo`; [`crate::verify`] settles
/// them for all claims together and alone makes the [`crate::Proven`] fact.
pub trait System: Sized + Clone + Debug + PartialEq {
    /// Its name in headers and configurations, ASCII.
    const NAME: &'static str;
    /// Prepared public parameters.
    type Params: Clone + Debug;
    /// A decoded commitment.
    type Root: Clone + Debug;
    /// A decoded query.
    type Query: Clone + Debug + PartialEq;
    /// A decoded proof, borrowed from its bytes.
    type Proof<'a>;
    /// What a proof shows.
    type Fact: Clone + Debug + PartialEq + ToJson;
    /// Group equations left to settle; `()` for a hash-only system.
    type Equations: Equations<Self::Params>;

    /// Reads and prepares public parameters.
    ///
    /// # Errors
    /// `input.config` for an unknown format, `input.params` if `bytes` are not what the
    /// configuration pins.
    fn params(config: &SystemConfig<'_>, bytes: &[u8]) -> Result<Self::Params, InputError>;

    /// What names the public parameters; zero for a system without any.
    fn digest(_params: &Self::Params) -> Hash {
        Hash::ZERO
    }

    /// What a trusted header commits to, in the form that [`System::root`] reads; `None` if it has
    /// nothing for this system.
    fn committed(header: &TrustedHeader) -> Option<&[u8]> {
        header.commitment(Self::NAME)
    }

    /// Decodes a commitment of block `number`.
    ///
    /// # Errors
    /// A [`DecodeError`] if `bytes` are not of the system's form.
    fn root(params: &Self::Params, bytes: &[u8], number: u64) -> Result<Self::Root, DecodeError>;

    /// Decodes a query.
    ///
    /// # Errors
    /// `input.query` if `rlp` is not of the system's form.
    fn query(params: &Self::Params, rlp: &[u8]) -> Result<Self::Query, InputError>;

    /// Decodes a proof that answers `query`.
    ///
    /// # Errors
    /// A [`DecodeError`]; one byte string per proof and variant is accepted.
    fn decode<'a>(
        params: &Self::Params,
        query: &Self::Query,
        variant: &str,
        bytes: &'a [u8],
    ) -> Result<Self::Proof<'a>, DecodeError>;

    /// The points that a proof gives, by whose places its check names them; none for a proof whose
    /// points were read as it was decoded.
    fn points<'p>(_proof: &'p Self::Proof<'_>) -> &'p [Encoded<'p>] {
        &[]
    }

    /// Checks a proof against a root. The fact holds once `todo` is settled too.
    ///
    /// # Errors
    /// A [`VerifyError`] that names the check that failed.
    fn check(
        params: &Self::Params,
        root: &Self::Root,
        query: &Self::Query,
        proof: &Self::Proof<'_>,
        todo: &mut Self::Equations,
        observer: &mut impl Observer,
    ) -> Result<Self::Fact, VerifyError>;
}

/// A point as it stands in a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoded<'a> {
    /// Its bytes, and where they stand.
    pub from: Bytes<'a>,
    /// What it is, for errors.
    pub field: &'static str,
    /// Whether infinity is refused.
    pub is_finite: bool,
}

/// One of the parts that a settlement is cut into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which, from 0.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

/// What the parts of a settlement show together.
pub trait Join {
    /// Whether all parts of a settlement show that all equations hold.
    fn join(parts: &[&[u8]]) -> bool;
}

/// Group equations of many claims, settled together with random coefficients.
pub trait Equations<P>: Join + Default {
    /// None yet, and points are read where a part needs them.
    fn lazily() -> Self;

    /// Reads the points of the current claim's proof.
    ///
    /// # Errors
    /// `decode.point` for the first that is none.
    fn read(&mut self, params: &P, points: &[Encoded<'_>]) -> Result<(), DecodeError>;

    /// A part of the settlement, as bytes for [`Join::join`]; `None` if a point is none, or there
    /// is nothing to cut.
    fn part(&self, params: &P, seed: Hash, part: Part) -> Option<Vec<u8>>;

    /// The equations pushed from now on belong to claim number `claim`.
    fn begin(&mut self, claim: usize);

    /// The current claim is rejected: its equations need not be settled.
    fn abandon(&mut self);

    /// Whether there is nothing to settle.
    fn is_empty(&self) -> bool;

    /// Whether there is so much to settle that it is done before another claim is read.
    fn is_full(&self) -> bool;

    /// Checks all equations; if they fail together, each alone, so that every claim gets its own
    /// verdict. If none fails alone, the machine erred: all are checked together once more, and
    /// rejected if they fail again.
    fn settle(
        &self,
        params: &P,
        seed: Hash,
        observer: &mut impl Observer,
    ) -> Vec<(usize, VerifyError)>;
}

impl Join for () {
    fn join(_parts: &[&[u8]]) -> bool {
        false
    }
}

impl<P> Equations<P> for () {
    fn lazily() -> Self {}

    fn read(&mut self, _params: &P, _points: &[Encoded<'_>]) -> Result<(), DecodeError> {
        Ok(())
    }

    fn part(&self, _params: &P, _seed: Hash, _part: Part) -> Option<Vec<u8>> {
        None
    }

    fn begin(&mut self, _claim: usize) {}

    fn abandon(&mut self) {}

    fn is_empty(&self) -> bool {
        true
    }

    fn is_full(&self) -> bool {
        false
    }

    fn settle(
        &self,
        _params: &P,
        _seed: Hash,
        _observer: &mut impl Observer,
    ) -> Vec<(usize, VerifyError)> {
        Vec::new()
    }
}

/// Result of a step that may fail in any of the three ways.
pub(crate) type Checked<T> = Result<T, Rejection>;
