lightproof_wasm::export_system!(
    /// Transactions, receipts, withdrawals and logs of a block.
    BodyVerifier,
    lightproof_core::body::Body
);
