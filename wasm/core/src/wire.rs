//! Bounded, canonical decoding of untrusted bytes. Nobody else decodes.

#[cfg(feature = "bls12-381")]
pub mod point;
mod rlp;
#[cfg(feature = "bls12-381")]
pub mod ssz;
mod uint;
#[cfg(feature = "bls12-381")]
mod write;

pub use rlp::{Bytes, Item, Reader};
pub use uint::Uint256;
#[cfg(feature = "bls12-381")]
pub use write::ListWriter;
