use lightproof_core::system::cole::Cole;
use lightproof_wasm::{export_self_test, known, known::of_system};

lightproof_wasm::export_system!(
    /// Every version of an address, complete.
    ColeVerifier,
    Cole
);

export_self_test!(selfTestCole, of_system::<Cole>(known!("cole")));
