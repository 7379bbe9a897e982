//! `balanceproofs`: a vector of balances under one KZG commitment, and proofs of any of its
//! positions together.
//!
//! Source: `BalanceProofs` (USENIX Security 2023). [`setup`]: powers of secrets; [`opening`]:
//! proofs in every variant, by dividing polynomials of up to three variables; [`store`]: the vector
//! on a chain.

pub mod bases;
pub mod ceremony;
pub mod config;
pub mod encoding;
pub mod fft;
mod field;
pub mod fk20;
mod kept;
pub mod lanes;
pub mod maintain;
pub mod opening;
pub mod polynomial;
pub mod setup;
pub mod store;
pub mod tensor;
mod variant;
mod vectors;

pub use config::{Config, NAME, Source};
pub use maintain::Maintained;
pub use opening::Vector;
pub use setup::Setup;
pub use store::BalanceProofs;
pub use variant::Variant;
