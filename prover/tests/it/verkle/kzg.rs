//! KZG nodes against c-kzg, which brings the same ceremony from elsewhere.

use ark_bls12_381::Fr;
use c_kzg::{Bytes32, Bytes48, ethereum_kzg_settings};
use lightproof_prover::rng::Rng;
use lightproof_prover::system::verkle::commitment::{compressed, scalar_bytes};
use lightproof_prover::system::verkle::kzg::{Kzg, place};
use lightproof_prover::system::verkle::{Committer as _, Config};

#[test]
fn openings_are_those_of_ethereums_ceremony() {
    let settings = ethereum_kzg_settings(0);
    let mut rng = Rng::new(1, "c-kzg", 0);
    // Opened by all slots, and by the occupied ones alone.
    for (bits, one_in) in [(5, 1), (5, 3), (8, 3), (10, 1), (10, 3)] {
        let setup = Kzg::new(bits);
        let mut vector = vec![Fr::default(); setup.k()];
        for (digit, slot) in vector.iter_mut().enumerate() {
            if rng.one_in(one_in) || digit < 2 {
                *slot = Fr::from(rng.next_u64());
            }
        }
        let changes: Vec<_> = vector.iter().copied().enumerate().collect();
        let commitment = Bytes48::from(compressed(setup.combine(&changes)));
        for digit in [0, 1, 2, 5, setup.k() - 1] {
            let proof = Bytes48::from(compressed(setup.open(&vector, digit)));
            let z = Bytes32::from(scalar_bytes(place(bits, digit)));
            let holds = |value: Fr| {
                let y = Bytes32::from(scalar_bytes(value));
                settings.verify_kzg_proof(&commitment, &z, &y, &proof).unwrap()
            };
            assert!(holds(vector[digit]), "k {} digit {digit}", setup.k());
            assert!(!holds(vector[digit] + Fr::from(1_u64)));
        }
    }
}

#[test]
fn the_default_setup_is_pinned() {
    let digest = Config::DEFAULT.committer().digest();
    assert_eq!(
        lightproof_prover::hex::encode(&digest),
        "0x28ad28030be5e67ce0019f5d71aa945158717bcbdb8b3c29abf15ef8be535e22"
    );
}
