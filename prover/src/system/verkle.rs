//! `verkle`: a k-ary tree over SHA-256 of the keys, whose nodes commit to their slots (Kuszmaul,
//! 2019).
//!
//! [`tree`] changes commitments by the differences of their slots; only commitments are kept, and
//! [`prove`] makes openings when they are asked for, those of the top node from earlier ones
//! ([`openings`]). [`commitment`] is what both kinds of node do; [`cf`] and [`kzg`] are the two,
//! each with its setup; [`ceremony`] makes setups of cf that many people have a share in.
//! Everything lies in the chain's database ([`store`]).

pub mod ceremony;
pub mod cf;
pub mod commitment;
pub mod config;
pub mod kzg;
pub mod multiples;
pub mod openings;
pub mod prove;
pub mod slots;
pub mod store;
pub mod tree;

pub use commitment::Committer;
pub use config::{Commitment, Config, NAME};
pub use store::Verkle;
