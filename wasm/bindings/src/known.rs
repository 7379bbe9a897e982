//! Known questions: each module answers a true and a false one before it judges anything.
//!
//! An engine may compile a module wrongly. The loader then refuses it: it calls each function that
//! [`export_self_test`](crate::export_self_test) exports, and wants [`PASSED`] from it.
//!
//! A question is a file of `known/`: an RLP list of strings, first the four bytes that start the
//! keccak-256 of the right answers. Core's tests write the files, with answers of native code.

use alloc::vec::Vec;

use lightproof_core::hash::keccak256;
use lightproof_core::precompile::Outcome;
use lightproof_core::wire::Reader;
use lightproof_core::{DecodeError, System, Verifier};

/// What a self-test returns if every answer is the known one. No zero and no one, which broken code
/// is likely to return.
pub const PASSED: u32 = 0x3c6e_f372;

/// A known question about a system: the configuration of a verifier, a true claim and a false one.
/// Zero if the verifier gives the known verdicts.
pub fn of_system<S: System>(rlp: &[u8]) -> u32 {
    difference(rlp, |[chain, config, params, truth, lie], answers| {
        if let Ok(verifier) = Verifier::<S>::new(chain, config, params) {
            for claims in [truth, lie] {
                answers.extend(verifier.verify(claims, [0; 32], &mut ()).bytes());
            }
        }
    })
}

/// A known question about a curve: what precompiled contracts make of points and of what is none.
/// Zero if they make what is known. A whole opening would take more time than a page should wait.
///
/// * `contracts`: one for each string of the question.
pub fn of_curve<const N: usize>(rlp: &[u8], contracts: [fn(&[u8]) -> Outcome; N]) -> u32 {
    difference(rlp, |inputs: [&[u8]; N], answers| {
        for (contract, input) in contracts.into_iter().zip(inputs) {
            answers.extend(contract(input).encode());
        }
    })
}

/// Zero if `answer` gives the known answers to a question of `N` strings.
///
/// No branch depends on the comparison: code that compares wrongly shows another number, too.
pub fn difference<const N: usize>(
    rlp: &[u8],
    answer: impl FnOnce([&[u8]; N], &mut Vec<u8>),
) -> u32 {
    let mut answers = Vec::new();
    // What is not there is 0, which no digest of answers is likely to be.
    let expected = read(rlp).map_or(0, |(expected, question)| {
        answer(question, &mut answers);
        expected
    });
    first(&keccak256(&answers).0) ^ expected
}

fn read<const N: usize>(rlp: &[u8]) -> Result<(u32, [&[u8]; N]), DecodeError> {
    let mut list = Reader::whole_list(rlp, 0, "known question")?;
    let expected = first(list.string("digest")?.bytes);
    let mut question = [[].as_slice(); N];
    for part in &mut question {
        *part = list.string("part")?.bytes;
    }
    Ok((expected, question))
}

fn first(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

/// Exports a test that a module passes before it is used, by a name that begins with `selfTest`:
/// the difference from the known answers must be zero.
#[macro_export]
macro_rules! export_self_test {
    ($name:ident, $difference:expr) => {
        /// Answers known questions: `PASSED` if all answers are right.
        #[wasm_bindgen::prelude::wasm_bindgen(js_name = $name)]
        pub fn self_test() -> u32 {
            $crate::known::PASSED ^ $difference
        }
    };
}

/// A known question, by its file's name in `known/`.
#[macro_export]
macro_rules! known {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/known/", $name, ".rlp"))
    };
}
