//! Bounded, canonical decoding of untrusted bytes. Nobody else decodes.

mod rlp;
mod uint;

pub use rlp::{Bytes, Item, Reader};
pub use uint::Uint256;
