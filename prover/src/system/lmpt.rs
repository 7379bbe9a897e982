//! `lmpt`: three layered tries, so that a block writes to a small one (LMPT, 2022).
//!
//! A write goes to the delta, the smallest layer. At every interval the delta becomes the
//! intermediate layer, and the intermediate one is merged into the snapshot while blocks go on
//! ([`merge`]). All of them lie in the chain's database. A header commits to the roots of all three
//! ([`layers`]); [`prove`] answers from the newest layer that knows a key. Reads that need no proof
//! come from a flat table beside the snapshot ([`store`]).

pub mod config;
mod engine;
pub mod layers;
pub mod merge;
mod pages;
pub mod prove;
mod record;
pub mod store;
pub mod tree;

pub use config::{Config, Format, NAME};
pub use store::{Lmpt, Read};
pub use tree::conflux;

use crate::hash::Word;

/// A leaf of `lmpt/1`: `01 ‖ value`, or `00` for a tombstone.
pub fn payload(value: Option<&Word>) -> Vec<u8> {
    value.map_or(vec![0], |value| [&[1], value.as_slice()].concat())
}
