//! `cole`: COLE and COLE\*, column-based learned storage with provenance (FAST 2024).
//!
//! A write becomes an entry `address ‖ block → value`. Entries gather in an in-memory B+-tree
//! ([`tree`]), are flushed to a sorted run on disk ([`run`]) with a learned index and a Merkle
//! file, and full levels of runs merge into the next ([`engine`]). A block commits to all sources
//! in `H_state` ([`view`]); [`prove`] answers queries from there.

pub mod config;
pub mod digest;
pub mod engine;
mod error;
pub mod key;
pub mod prove;
pub mod run;
pub mod store;
pub mod tree;
pub mod view;

pub use config::{Config, Format, Kind, NAME};
pub use engine::{Applied, Engine};
pub use error::EngineError;
pub use store::Cole;
