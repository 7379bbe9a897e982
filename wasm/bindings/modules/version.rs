use alloc::string::String;

// Brings the allocator and the panic handler.
use lightproof_wasm as _;
use wasm_bindgen::prelude::wasm_bindgen;

/// The module's version, equal to the package's.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}
