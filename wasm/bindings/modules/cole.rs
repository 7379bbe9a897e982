lightproof_wasm::export_system!(
    /// Every version of an address, complete.
    ColeVerifier,
    lightproof_core::system::cole::Cole
);
