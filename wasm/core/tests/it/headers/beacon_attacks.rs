//! The beacon chain, attacked: each with the code that it must get. A refused update moves nothing.

use lightproof_core::header::light::{Form, LightClient};

use super::beacon_world::{
    FIRST_SLOTS, Header, Update, VALIDATORS, World, bootstrap_of, branch, chain_of, indices,
    message_of, node, now, shape,
};
use super::bls::{INFINITY_G1, INFINITY_G2, all, stray_g2};
use super::code;

const WORLD: World = World { size: 32 };

/// An honest update in Electra, and a change of it.
fn changed(change: impl FnOnce(&mut Update)) -> Update {
    let mut update = WORLD.update(440, 430);
    change(&mut update);
    update
}

/// Applies to a client in Electra, whose store must stay as it was.
fn refused(update: &Update) -> &'static str {
    refused_bytes(Form::Update, &update.ssz(Form::Update))
}

fn refused_bytes(form: Form, bytes: &[u8]) -> &'static str {
    let mut client = WORLD.client(FIRST_SLOTS[3]);
    let before = client.export();
    let code = code(client.apply(form, bytes, now(100_000), &mut ()));
    assert_eq!(client.export(), before);
    code
}

#[test]
fn rejects_bits_without_their_signers() {
    assert_eq!(refused(&changed(|update| update.signed.bits.fill(0))), "verify.participation");
    assert_eq!(refused(&changed(|update| update.signed.bits[1] ^= 4)), "verify.signature");
    let mut update = WORLD.update(440, 430);
    update.sign(WORLD, |index| index < 5);
    update.signed.bits[0] |= 0x20;
    assert_eq!(refused(&update), "verify.signature");
}

#[test]
fn rejects_a_signature_over_another_domain_version_or_genesis() {
    let root = WORLD.update(440, 430).attested.root();
    let messages = [
        message_of(root, [3, 0, 0, 1], VALIDATORS),
        message_of(root, [4, 0, 0, 1], [0x43; 32]),
        root,
    ];
    for message in messages {
        let signed = WORLD.committee(6).sign(message, all);
        assert_eq!(refused(&changed(|update| update.signed = signed)), "verify.signature");
    }
    let mut other = LightClient::new(&chain_of(32, [0x43; 32])).unwrap();
    let (checkpoint, bytes) = WORLD.bootstrap(FIRST_SLOTS[3]);
    other.bootstrap(&checkpoint, &bytes, &mut ()).unwrap();
    let update = WORLD.update(440, 430).ssz(Form::Update);
    assert_eq!(code(other.apply(Form::Update, &update, now(441), &mut ())), "verify.signature");
}

#[test]
fn rejects_signatures_off_the_subgroup_and_at_infinity() {
    for signature in [stray_g2(), INFINITY_G2, [0; 96], [0xff; 96]] {
        let update = changed(|update| update.signed.signature = signature);
        assert_eq!(refused(&update), "decode.point");
    }
}

#[test]
fn rejects_a_key_at_infinity_when_it_is_needed() {
    // A state that holds such a key: only the light client's own check stands in the way.
    let mut keys = WORLD.committee(6);
    keys.public[0] = INFINITY_G1;
    let mut state = WORLD.state(424, [1; 32]);
    state.insert(86, keys.root());
    let header = Header::new(424, node(&state, 1), "electra");
    let bytes = bootstrap_of(&header, &keys, &branch(&state, 86));
    let mut client = LightClient::new(&chain_of(32, VALIDATORS)).unwrap();
    client.bootstrap(&header.root(), &bytes, &mut ()).unwrap();
    let mut update = WORLD.update(440, 430);
    update.sign(WORLD, |index| index != 0);
    let verdict = client.apply(Form::Update, &update.ssz(Form::Update), now(441), &mut ());
    assert_eq!(code(verdict), "decode.point");
}

#[test]
fn rejects_a_committee_that_the_state_does_not_hold() {
    let swap = |update: &mut Update| update.next.swap(0, 48);
    assert_eq!(refused(&changed(swap)), "verify.committee");
    let sum = |update: &mut Update| {
        let length = update.next.len();
        update.next[length - 48..].copy_from_slice(&WORLD.committee(9).aggregate);
    };
    assert_eq!(refused(&changed(sum)), "verify.committee");
    let (checkpoint, _) = WORLD.bootstrap(424);
    let state = WORLD.state(424, [1; 32]);
    let header = Header::new(424, node(&state, 1), "electra");
    let mut client = LightClient::new(&chain_of(32, VALIDATORS)).unwrap();
    let forged = bootstrap_of(&header, &WORLD.committee(9), &branch(&state, 86));
    assert_eq!(code(client.bootstrap(&checkpoint, &forged, &mut ())), "verify.committee");
    // The next committee is not the current one.
    let next = bootstrap_of(&header, &WORLD.committee(7), &branch(&state, 87));
    assert_eq!(code(client.bootstrap(&checkpoint, &next, &mut ())), "verify.committee");
    assert_eq!(code(client.bootstrap(&[3; 32], &next, &mut ())), "verify.checkpoint");
    assert_eq!(code(client.bootstrap(&[0; 32], &next, &mut ())), "input.checkpoint");
}

#[test]
fn rejects_branches_of_another_index_or_depth() {
    let state = WORLD.state(440, WORLD.update(440, 430).finalized.root());
    let [finalized, current, next] = indices("electra");
    let of = |index: u64| branch(&state, index);
    let update = changed(|update| update.next_branch = of(current));
    assert_eq!(refused(&update), "verify.committee");
    let update = changed(|update| update.finality_branch = of(finalized ^ 1));
    assert_eq!(refused(&update), "verify.finality");
    let update = changed(|update| update.next_branch = of(next)[1..].to_vec());
    assert_eq!(refused(&update), "decode.ssz");
    let update = changed(|update| update.finality_branch.insert(0, [0; 32]));
    assert_eq!(refused(&update), "decode.ssz");
}

#[test]
fn rejects_padding_that_is_not_zero() {
    // A Gloas container holds an Electra block's branch with two zero nodes in front.
    let mut client = WORLD.client(450);
    client
        .apply(Form::Update, &WORLD.update(500, 490).ssz(Form::Update), now(501), &mut ())
        .unwrap();
    let mut update = WORLD.update(514, 505);
    assert_eq!(update.finalized.execution_branch[..2], [[0; 32]; 2]);
    update.finalized.execution_branch[1][31] = 1;
    let verdict = client.apply(Form::Finality, &update.ssz(Form::Finality), now(515), &mut ());
    assert_eq!(code(verdict), "verify.execution");
}

#[test]
fn rejects_times_that_cannot_be() {
    let mut client = WORLD.client(424);
    let honest = WORLD.update(440, 430).ssz(Form::Update);
    assert_eq!(code(client.apply(Form::Update, &honest, now(441) - 1, &mut ())), "verify.time");
    client.apply(Form::Update, &honest, now(441), &mut ()).unwrap();
    assert_eq!(refused(&changed(|update| update.signature_slot = 440)), "verify.time");
    assert_eq!(refused(&changed(|update| update.signature_slot = 0)), "verify.time");
    let later = |update: &mut Update| update.finalized = Header::new(441, [0; 32], "electra");
    assert_eq!(refused(&changed(later)), "verify.time");
}

#[test]
fn rejects_skipped_periods() {
    assert_eq!(refused(&changed(|update| update.signature_slot = 448)), "verify.period");
    let far = |update: &mut Update| update.signature_slot = u64::MAX;
    let mut client = WORLD.client(424);
    let bytes = changed(far).ssz(Form::Update);
    assert_eq!(code(client.apply(Form::Update, &bytes, u64::MAX, &mut ())), "verify.period");
    // Gloas from Electra without the periods between.
    assert_eq!(refused(&WORLD.update(552, 540)), "verify.period");
}

#[test]
fn rejects_parts_without_their_branches() {
    let committee = changed(|update| update.next_branch.fill([0; 32]));
    assert_eq!(refused(&committee), "verify.committee");
    let finality = changed(|update| update.finality_branch.fill([0; 32]));
    assert_eq!(refused(&finality), "verify.finality");
    let mut client = WORLD.client(424);
    let nothing = WORLD.update(440, 430).without_next().without_finality();
    client.apply(Form::Update, &nothing.ssz(Form::Update), now(441), &mut ()).unwrap();
}

#[test]
fn rejects_another_next_committee_in_the_same_period() {
    let mut client = WORLD.client(424);
    client
        .apply(Form::Update, &WORLD.update(440, 430).ssz(Form::Update), now(441), &mut ())
        .unwrap();
    let finalized = WORLD.update(442, 432).finalized;
    let mut state = WORLD.state(442, finalized.root());
    state.insert(87, WORLD.committee(20).root());
    let mut update = WORLD.update(442, 432);
    update.attested = Header::new(442, node(&state, 1), "electra");
    update.next = WORLD.committee(20).bytes();
    update.next_branch = branch(&state, 87);
    update.finality_branch = branch(&state, 169);
    update.sign(WORLD, all);
    let verdict = client.apply(Form::Update, &update.ssz(Form::Update), now(443), &mut ());
    assert_eq!(code(verdict), "verify.committee");
    // Nor are other keys under the branch of the known ones, or another sum of theirs.
    let honest = WORLD.update(443, 433);
    for at in [1, honest.next.len() - 1] {
        let mut update = honest.clone();
        update.next[at] ^= 1;
        let verdict = client.apply(Form::Update, &update.ssz(Form::Update), now(444), &mut ());
        assert_eq!(code(verdict), "verify.committee", "{at}");
    }
    client.apply(Form::Update, &honest.ssz(Form::Update), now(444), &mut ()).unwrap();
}

#[test]
fn rejects_another_finalized_block_or_payload() {
    let older = |update: &mut Update| update.finalized = Header::new(429, [1; 32], "electra");
    assert_eq!(refused(&changed(older)), "verify.finality");
    let attested = |update: &mut Update| update.attested.payload.hash = [1; 32];
    assert_eq!(refused(&changed(attested)), "verify.execution");
    let finalized = |update: &mut Update| update.finalized.payload.number += 1;
    assert_eq!(refused(&changed(finalized)), "verify.execution");
    let node = |update: &mut Update| update.attested.execution_branch[2] = [1; 32];
    assert_eq!(refused(&changed(node)), "verify.execution");
    let header = |update: &mut Update| update.attested.body_root = [1; 32];
    assert_eq!(refused(&changed(header)), "verify.execution");
    let state = |update: &mut Update| update.attested.state_root = [1; 32];
    assert_eq!(refused(&changed(state)), "verify.finality");
}

#[test]
fn rejects_blob_gas_before_deneb_and_payloads_before_capella() {
    let mut client = WORLD.client(200);
    client
        .apply(Form::Update, &WORLD.update(240, 230).ssz(Form::Update), now(241), &mut ())
        .unwrap();
    // Deneb's container around Capella's block.
    let mut update = WORLD.update(260, 250);
    update.finalized.payload.blobs = [1, 0];
    let verdict = client.apply(Form::Finality, &update.ssz(Form::Finality), now(261), &mut ());
    assert_eq!(code(verdict), "verify.execution");
    // Capella's container around Altair's block, which must hold no payload.
    let mut client = WORLD.client(80);
    client
        .apply(Form::Update, &WORLD.update(110, 100).ssz(Form::Update), now(111), &mut ())
        .unwrap();
    let update = WORLD.update(132, 120);
    let bytes = update.ssz(Form::Finality);
    let mut forged = bytes.clone();
    let last = forged.len() - 1;
    forged[last] = 1;
    let verdict = client.apply(Form::Finality, &forged, now(133), &mut ());
    assert_eq!(code(verdict), "verify.execution");
    client.apply(Form::Finality, &bytes, now(133), &mut ()).unwrap();
}

#[test]
fn rejects_a_replayed_update() {
    let mut client = WORLD.client(424);
    let bytes = WORLD.update(440, 430).ssz(Form::Update);
    client.apply(Form::Update, &bytes, now(441), &mut ()).unwrap();
    let newer = WORLD.update(446, 441).ssz(Form::Finality);
    client.apply(Form::Finality, &newer, now(447), &mut ()).unwrap();
    assert_eq!(code(client.apply(Form::Update, &bytes, now(447), &mut ())), "verify.relevance");
    // The header that is final is no news either.
    let same = WORLD.update(441, 431).ssz(Form::Finality);
    assert_eq!(code(client.apply(Form::Finality, &same, now(447), &mut ())), "verify.relevance");
}

#[test]
fn rejects_ssz_cut_off_anywhere() {
    let mut client = WORLD.client(424);
    for form in [Form::Update, Form::Finality, Form::Optimistic] {
        let whole = WORLD.update(440, 430).ssz(form);
        // Of that length the bytes are a container of Gloas, of a far slot.
        let gloas = WORLD.update(552, 540).ssz(form).len();
        for length in (0..whole.len()).filter(|length| *length != gloas) {
            // A header may end anywhere in its extra data: then its payload is another one.
            let expected: &[&str] = if length > whole.len() - 6 {
                &["decode.ssz", "verify.execution"]
            } else {
                &["decode.ssz"]
            };
            let code = code(client.apply(form, &whole[..length], now(441), &mut ()));
            assert!(expected.contains(&code), "{form:?} at {length}: {code}");
        }
        let long = [whole, vec![0; 40]].concat();
        assert_eq!(code(client.apply(form, &long, now(441), &mut ())), "decode.ssz");
    }
    let (checkpoint, whole) = WORLD.bootstrap(424);
    let mut client = LightClient::new(&chain_of(32, VALIDATORS)).unwrap();
    let gloas = WORLD.bootstrap(552).1.len();
    for length in (0..whole.len() - 5).filter(|length| *length != gloas) {
        assert_eq!(code(client.bootstrap(&checkpoint, &whole[..length], &mut ())), "decode.ssz");
    }
}

#[test]
fn rejects_a_flip_of_any_byte() {
    let mut client = WORLD.client(424);
    let mut bytes = WORLD.update(440, 430).ssz(Form::Finality);
    let mut at = 0;
    while at < bytes.len() {
        bytes[at] ^= 0x10;
        assert!(client.apply(Form::Finality, &bytes, now(441), &mut ()).is_err(), "byte {at}");
        bytes[at] ^= 0x10;
        at += 5;
    }
    client.apply(Form::Finality, &bytes, now(441), &mut ()).unwrap();
}

#[test]
fn rejects_offsets_out_of_place() {
    let whole = WORLD.update(440, 430).ssz(Form::Update);
    let word = |at: usize| u32::from_le_bytes(whole[at..at + 4].try_into().unwrap());
    let first = word(0);
    let second_at = 4 + 33 * 48 + 6 * 32;
    let second = word(second_at);
    let payload_at = usize::try_from(first).unwrap() + 112;
    let extra_at = payload_at + 4 + 4 * 32 + 436;
    assert_eq!((word(payload_at), word(extra_at)), (244, 584));
    let with = |at: usize, value: u32| {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    let end = u32::try_from(whole.len()).unwrap();
    let wrong = [
        (0, [0, first - 1, first + 1, second, end, u32::MAX]),
        // Before the first field, inside it, out of order, past the end.
        (second_at, [0, first - 1, first, first + 100, end + 1, u32::MAX]),
        (payload_at, [0, 240, 243, 245, 1_000, u32::MAX]),
        (extra_at, [0, 568, 583, 585, 1_000, u32::MAX]),
    ];
    for (at, values) in wrong {
        for value in values {
            let code = refused_bytes(Form::Update, &with(at, value));
            assert_eq!(code, "decode.ssz", "{value} at {at}");
        }
    }
}

#[test]
fn rejects_containers_of_another_fork_and_long_extra_data() {
    let long = changed(|update| update.attested.payload.extra = vec![1; 33]);
    assert_eq!(refused(&long), "decode.ssz");
    for slot in FIRST_SLOTS {
        let update = WORLD.update(slot + 1, slot - 1);
        for other in FIRST_SLOTS {
            if shape(other) != shape(slot) {
                let mut moved = update.clone();
                moved.attested.slot = other;
                let mut bytes = update.ssz(Form::Update);
                let at = update_header_at(&bytes, slot);
                bytes[at..at + 8].copy_from_slice(&other.to_le_bytes());
                let code = refused_bytes(Form::Update, &bytes);
                // Capella and Deneb differ in the payload alone, Deneb and Electra in branches.
                assert_eq!(code, "decode.ssz", "{slot} as {other}");
            }
        }
    }
}

/// Where the attested header's slot stands.
fn update_header_at(bytes: &[u8], slot: u64) -> usize {
    if super::beacon_world::is_variable(shape(slot)) {
        usize::try_from(u32::from_le_bytes(bytes[..4].try_into().unwrap())).unwrap()
    } else {
        0
    }
}

/// Without a finality branch, the finalized header is the container's default value, in all its
/// bytes.
#[test]
fn rejects_a_finalized_header_that_is_almost_none() {
    // Where it stands, and bytes of it: slot, proposer, execution branch and payload, or block hash
    // and branch.
    let electra = (FIRST_SLOTS[3], WORLD.update(440, 430), 828, [0, 8, 120, 300]);
    let gloas = (FIRST_SLOTS[4], WORLD.update(562, 556), 496, [0, 8, 112, 200]);
    for (start, update, length, bytes) in [electra, gloas] {
        let honest = update.without_finality().ssz(Form::Finality);
        let header = if length == 828 { honest.len() - length } else { length };
        let apply =
            |bytes: &[u8]| WORLD.client(start).apply(Form::Finality, bytes, now(100_000), &mut ());
        apply(&honest).unwrap();
        for at in bytes {
            let mut changed = honest.clone();
            changed[header + at] = 1;
            assert_eq!(code(apply(&changed)), "verify.finality", "{at}");
        }
    }
}

/// A block of Altair had no payload, and has none in a container of Gloas.
#[test]
fn rejects_a_block_hash_before_blocks_had_payloads() {
    let honest = WORLD.update(562, 100).ssz(Form::Update);
    let apply =
        |bytes: &[u8]| WORLD.client(FIRST_SLOTS[4]).apply(Form::Update, bytes, now(563), &mut ());
    apply(&honest).unwrap();
    // Behind the attested header, the next committee and its branch.
    let header = 496 + 33 * 48 + 11 * 32;
    for at in [112, 144] {
        let mut changed = honest.clone();
        changed[header + at] = 1;
        assert_eq!(code(apply(&changed)), "verify.execution", "{at}");
    }
}
