lightproof_wasm::export_system!(
    /// Latest values, or absence, over vector commitments.
    LvmtVerifier,
    lightproof_core::system::lvmt::Lvmt
);
lightproof_wasm::export_parts!(LvmtVerifier);
