//! A fork of the beacon chain that the table does not know, by what its committee signs.

use lightproof_core::Chain;
use lightproof_core::header::committee::Committee;
use lightproof_core::header::light::{Form, verify_attested};

use super::beacon_world::{FIRST_SLOTS, SLOTS, VALIDATORS, World, chain_of, message_of, now};
use super::bls::all;
use super::code;

const WORLD: World = World { size: 32 };

/// The committee signs for the version that would follow: nobody lied, and the chain has forked.
#[test]
fn a_signature_for_the_next_version_tells_of_a_fork() {
    let cases = [
        // Of the version after the table's last, in its last fork.
        (562, [6, 0, 0, 1], "chain.fork"),
        (562, [7, 0, 0, 1], "verify.signature"),
        // The table says which fork comes after Electra, and when.
        (440, [5, 0, 0, 1], "verify.signature"),
        (440, [6, 0, 0, 1], "verify.signature"),
    ];
    let chain = Chain::from_rlp(&chain_of(32, VALIDATORS)).unwrap();
    for (slot, version, expected) in cases {
        let mut update = WORLD.update(slot, slot - 6);
        let message = message_of(update.attested.root(), version, VALIDATORS);
        let committee = WORLD.committee((slot + 1) / SLOTS);
        update.signed = committee.sign(message, all);
        let start = if slot == 440 { FIRST_SLOTS[3] } else { FIRST_SLOTS[4] };
        for form in [Form::Optimistic, Form::Update] {
            let verdict =
                WORLD.client(start).apply(form, &update.ssz(form), now(slot + 1), &mut ());
            assert_eq!(code(verdict), expected);
        }
        let mut trusted = Committee::trusted(&committee.bytes(), 32).unwrap();
        let aggregate = [update.signed.bits.clone(), update.signed.signature.to_vec()].concat();
        let header = update.attested.ssz();
        let verdict = verify_attested(&chain, &mut trusted, &header, &aggregate, slot + 1);
        assert_eq!(code(verdict), expected);
    }
}
