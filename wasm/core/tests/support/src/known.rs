//! The known questions of `wasm/bindings/known`, which every module answers before it is used.

use std::path::Path;

use crate::{Rlp, keccak};

/// The file that holds a question is as it is made here.
#[track_caller]
pub fn holds(name: &str, question: &[Vec<u8>], answers: &[u8]) {
    let digest = &keccak(answers)[..4];
    let strings = [digest].into_iter().chain(question.iter().map(Vec::as_slice));
    let made = Rlp::strings(strings).encode();
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../bindings/known")
        .join(format!("{name}.rlp"));
    if std::env::var_os("LIGHTPROOF_WRITE_KNOWN").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let run = "run this test with LIGHTPROOF_WRITE_KNOWN=1, and build the modules";
    assert!(std::fs::read(&path).unwrap() == made, "{name}.rlp is of another core: {run}");
}

/// The first change of one bit in `bytes` that an answer refuses for this reason.
///
/// * `reason`: the value of a field of the answer, such as a code.
#[track_caller]
pub fn lie(bytes: &[u8], reason: &str, answer: impl Fn(&[u8]) -> String) -> Vec<u8> {
    let refused = |changed: &Vec<u8>| answer(changed).contains(&format!(":\"{reason}\""));
    let mut changes = (0..bytes.len()).map(|at| {
        let mut changed = bytes.to_vec();
        changed[at] ^= 1;
        changed
    });
    changes.find(refused).unwrap()
}
