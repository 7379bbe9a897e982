//! Systems over BLS12-381.

mod balanceproofs;
mod verkle;

lightproof_wasm::export_join!(lightproof_core::system::verkle::Verkle);
