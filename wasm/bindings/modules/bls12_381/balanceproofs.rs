lightproof_wasm::export_system!(
    /// Values at positions of a committed vector.
    BalanceProofsVerifier,
    lightproof_core::system::balanceproofs::BalanceProofs
);
lightproof_wasm::export_parts!(BalanceProofsVerifier);
