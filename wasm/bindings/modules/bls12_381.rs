//! Systems over BLS12-381.

mod balanceproofs;
mod verkle;
