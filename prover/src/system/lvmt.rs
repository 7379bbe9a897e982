//! `lvmt`: multi-level AMT over BN254 (LVMT, OSDI 2023): versions in vector commitments, values in
//! per-block Merkle trees.
//!
//! [`setup`] has the points that commitments and openings are sums of, [`amt`] opens leaves,
//! [`store`] keeps the state in the chain's database, [`prove`] answers queries from there. What is
//! committed, and to which bytes, `spec/systems/lvmt.md` says, sections 2, 3 and 5.

pub mod amt;
pub mod config;
pub mod keys;
pub mod list;
pub mod merkle;
pub mod prove;
pub mod ptau;
mod recent;
mod record;
mod rows;
pub mod setup;
pub mod shard;
mod slices;
pub mod store;
mod sum;
mod tree;
mod write;

pub use config::{Config, Format, NAME};
pub use setup::Setup;
pub use shard::Shard;
pub use store::Lvmt;
