lightproof_wasm::export_system!(
    /// Keys over three layered tries.
    LmptVerifier,
    lightproof_core::system::lmpt::Lmpt
);
