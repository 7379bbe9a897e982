use lightproof_core::system::lmpt::Lmpt;
use lightproof_wasm::{export_self_test, known, known::of_system};

lightproof_wasm::export_system!(
    /// Keys over three layered tries.
    LmptVerifier,
    Lmpt
);

export_self_test!(selfTestLmpt, of_system::<Lmpt>(known!("lmpt")));
