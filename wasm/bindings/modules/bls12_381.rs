//! balanceproofs and verkle.

#[path = "parts/balanceproofs.rs"]
mod balanceproofs;
#[path = "parts/verkle.rs"]
mod verkle;
#[path = "parts/version.rs"]
mod version;
