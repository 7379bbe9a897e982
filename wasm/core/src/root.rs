//! Typed roots: minted by a trusted header, or pinned by the caller.

use alloc::vec::Vec;

use crate::error::{InputError, Rejection, VerifyError};
use crate::hash::BlockHash;
use crate::header::TrustedHeader;
use crate::system::System;

/// The block that a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockRef {
    /// Block number.
    pub number: u64,
    /// Hash of the trusted header; `None` if the caller pinned a bare root.
    pub hash: Option<BlockHash>,
}

/// What one block commits to for system `S`. Node data never makes one.
#[derive(Clone, Debug)]
pub struct Root<S: System> {
    inner: S::Root,
    bytes: Vec<u8>,
    block: BlockRef,
}

impl<S: System> Root<S> {
    /// The root that a trusted header commits to.
    ///
    /// # Errors
    /// `verify.commitment` if the header has none for this system or it is not of the system's
    /// form.
    pub fn committed(params: &S::Params, header: &TrustedHeader) -> Result<Self, Rejection> {
        let missing = VerifyError::Commitment { system: S::NAME };
        let Some(bytes) = S::committed(header) else {
            return Err(missing.into());
        };
        let Ok(inner) = S::root(params, bytes, header.number()) else {
            return Err(missing.into());
        };
        let block = BlockRef { number: header.number(), hash: Some(header.hash()) };
        Ok(Self { inner, bytes: bytes.to_vec(), block })
    }

    /// A root that the caller knows from elsewhere. The trust report shows it as pinned.
    ///
    /// # Errors
    /// `input.request` if the bytes are not a root of the system.
    pub fn pinned(params: &S::Params, bytes: &[u8], number: u64) -> Result<Self, Rejection> {
        let inner =
            S::root(params, bytes, number).map_err(|error| InputError::Request(error.reason))?;
        Ok(Self { inner, bytes: bytes.to_vec(), block: BlockRef { number, hash: None } })
    }

    /// The block that it belongs to.
    pub const fn block(&self) -> BlockRef {
        self.block
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) const fn inner(&self) -> &S::Root {
        &self.inner
    }
}
