//! Systems over BLS12-381.

mod balanceproofs;
mod verkle;

lightproof_wasm::export_join!(lightproof_core::algebra::Bls12_381);
