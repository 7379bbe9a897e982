lightproof_wasm::export_system!(
    /// Keys in a k-ary Verkle tree.
    VerkleVerifier,
    lightproof_core::system::verkle::Verkle
);
lightproof_wasm::export_parts!(VerkleVerifier);
