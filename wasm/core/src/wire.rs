//! Bounded, canonical decoding of untrusted bytes. Nobody else decodes.

#[cfg(feature = "bn254")]
pub mod bn254;
#[cfg(feature = "bls12-381")]
mod cursor;
mod items;
#[cfg(feature = "bls12-381")]
pub mod point;
#[cfg(any(feature = "bls12-381", feature = "bn254", feature = "p256"))]
mod reduced;
mod rlp;
#[cfg(any(feature = "bls12-381", feature = "bn254"))]
mod scalar;
#[cfg(feature = "bls12-381")]
pub mod ssz;
mod uint;
mod write;

#[cfg(feature = "bls12-381")]
pub use cursor::Cursor;
pub use items::{Items, Read};
#[cfg(any(feature = "bls12-381", feature = "bn254", feature = "p256"))]
pub use reduced::reduced;
#[cfg(any(feature = "bls12-381", feature = "bn254"))]
pub(crate) use reduced::short;
pub use rlp::{Bytes, Item, Reader};
#[cfg(any(feature = "bls12-381", feature = "bn254"))]
pub use scalar::{SCALAR_BYTES, scalar};
pub use uint::Uint256;
pub use write::ListWriter;
pub(crate) use write::{prefix, string};
