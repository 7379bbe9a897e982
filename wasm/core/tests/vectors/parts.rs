//! Settled in two parts, a claim is proven if and only if it is proven whole.

use lightproof_core::Verifier;
use lightproof_core::system::{Part, System};
use lightproof_core::verifier::join;
use lightproof_testkit::rlp::Rlp;
use lightproof_testkit::{Claim, ask};
use serde_json::Value;

/// * `whole`: the verdict, as a list of one.
pub(crate) fn check<S: System>(verifier: &Verifier<S>, claim: &Claim, whole: &Value) {
    let claims = ask::claims(std::slice::from_ref(claim));
    let part = |number| verifier.part(&claims, [0; 32], Part { number, of: 2 });
    let [Some(first), Some(second)] = [part(0), part(1)] else {
        assert!(whole[0]["status"] == "rejected" || !has_equations::<S>());
        return;
    };
    let joined = |parts: &[&Vec<u8>]| {
        let joined = join::<S::Equations>(&Rlp::strings(parts).encode())?;
        Some(serde_json::from_str::<Value>(&joined).unwrap())
    };
    let is_proven = whole[0]["status"] == "proven";
    assert_eq!(joined(&[&first, &second]).as_ref(), is_proven.then_some(whole));
    for forged in [&[&second, &first][..], &[&first, &first], &[&first], &[]] {
        assert_eq!(joined(forged), None);
    }
}

fn has_equations<S: System>() -> bool {
    ["balanceproofs", "lvmt", "verkle"].contains(&S::NAME)
}
