//! The beacon chain, honest: every shape, every seam between two, and the work that it takes.

use lightproof_core::Chain;
use lightproof_core::header::committee::Committee;
use lightproof_core::header::light::{Changed, Form, LightClient, verify_attested};
use lightproof_core::observer::Counts;

use super::beacon_world::{
    FIRST_SLOTS, Header, SLOTS, VALIDATORS, World, branch, chain_of, node, now, shape,
};

const WORLD: World = World { size: 32 };

#[test]
fn starts_in_every_shape() {
    for slot in FIRST_SLOTS {
        let client = WORLD.client(slot);
        let state = client.state().unwrap();
        assert_eq!((state.finalized.slot, state.period), (slot, slot / SLOTS));
        assert_eq!(state.finalized.root.0, WORLD.bootstrap(slot).0);
        assert_eq!(state.finalized.timestamp, slot * 6);
        let block = state.finalized.execution;
        let (hash, number) = block.map_or((None, None), |block| (Some(block.hash), block.number));
        match shape(slot) {
            "altair" => assert_eq!((hash, number), (None, None)),
            "gloas" => assert!(hash.is_some() && number.is_none()),
            _ => assert!(hash.is_some() && number == Some(slot + 1000)),
        }
    }
}

#[test]
fn walks_through_every_fork() {
    let mut client = WORLD.client(FIRST_SLOTS[0]);
    for period in 0..10 {
        let slot = period * SLOTS + 50;
        let update = WORLD.update(slot, slot - 20);
        let applied =
            client.apply(Form::Update, &update.ssz(Form::Update), now(slot + 1), &mut ()).unwrap();
        assert_eq!(applied.signers, 32);
        let state = client.state().unwrap();
        assert_eq!((state.period, state.next_known), (period, true));
        assert_eq!((state.finalized.slot, state.head.slot), ((slot - 20).max(40), slot));
    }
}

#[test]
fn a_finalized_header_of_the_shape_before_is_read_in_the_newer_container() {
    for after in &FIRST_SLOTS[1..] {
        let fork = after - 40;
        let last = fork - 10;
        let mut client = WORLD.client(fork - 20);
        let update = WORLD.update(last, last - 10);
        client.apply(Form::Update, &update.ssz(Form::Update), now(last + 1), &mut ()).unwrap();
        let update = WORLD.update(fork + 3, last);
        client.apply(Form::Finality, &update.ssz(Form::Finality), now(fork + 4), &mut ()).unwrap();
        let state = client.state().unwrap();
        assert_eq!((state.finalized.slot, state.head.slot), (last, fork + 3));
        assert_eq!(state.finalized.execution.is_some(), shape(last) != "altair");
        let mut again = LightClient::new(&chain_of(32, VALIDATORS)).unwrap();
        again.import(&client.export(), &state.anchor.0, &mut ()).unwrap();
        assert_eq!(again.state().unwrap().finalized, state.finalized);
    }
}

#[test]
fn the_signature_at_a_fork_is_for_the_version_of_the_slot_before() {
    for after in &FIRST_SLOTS[1..] {
        let fork = after - 40;
        let mut client = WORLD.client(fork - 24);
        let update = WORLD.update(fork - 8, fork - 20);
        client.apply(Form::Update, &update.ssz(Form::Update), now(fork), &mut ()).unwrap();
        // Attested in the last slot before the fork, signed in its first.
        let update = WORLD.update(fork - 1, fork - 16);
        client.apply(Form::Finality, &update.ssz(Form::Finality), now(fork), &mut ()).unwrap();
        assert_eq!(client.state().unwrap().head.slot, fork - 1);
    }
}

#[test]
fn an_optimistic_update_moves_the_head_alone() {
    let mut client = WORLD.client(FIRST_SLOTS[3]);
    let update = WORLD.update(440, 430);
    let applied =
        client.apply(Form::Optimistic, &update.ssz(Form::Optimistic), now(441), &mut ()).unwrap();
    assert_eq!(applied.changed, Changed { head: true, safe: true, ..Changed::default() });
    assert_eq!(client.state().unwrap().finalized.slot, FIRST_SLOTS[3]);
}

#[test]
fn few_signers_are_valid_and_finalize_nothing() {
    let mut client = WORLD.client(FIRST_SLOTS[3]);
    let mut update = WORLD.update(440, 430);
    update.sign(WORLD, |index| index < 21);
    let applied = client.apply(Form::Update, &update.ssz(Form::Update), now(441), &mut ()).unwrap();
    assert_eq!(applied.changed, Changed { head: true, ..Changed::default() });
    // Half of the recent maximum does not move the head either.
    let mut update = WORLD.update(441, 430);
    update.sign(WORLD, |index| index < 10);
    let applied = client.apply(Form::Update, &update.ssz(Form::Update), now(442), &mut ()).unwrap();
    assert_eq!(applied.changed, Changed::default());
}

#[test]
fn a_whole_period_without_finality_is_forced_and_leaves_nothing_to_keep() {
    let mut client = WORLD.client(FIRST_SLOTS[3]);
    let update = WORLD.update(440, 430).without_finality();
    client.apply(Form::Update, &update.ssz(Form::Update), now(441), &mut ()).unwrap();
    let slot = FIRST_SLOTS[3] + SLOTS;
    assert_eq!(client.force(now(slot)).unwrap(), Changed::default());
    let changed = client.force(now(slot + 1)).unwrap();
    assert!(changed.finalized && changed.next);
    assert_eq!(client.state().unwrap().finalized.slot, 440);
    assert!(client.export().is_empty());
}

#[test]
fn checks_one_header_against_a_committee_that_the_caller_trusts() {
    let chain = Chain::from_rlp(&chain_of(32, VALIDATORS)).unwrap();
    for slot in FIRST_SLOTS {
        let update = WORLD.update(slot, slot - 5);
        let header = update.attested.ssz();
        let aggregate = [update.signed.bits.clone(), update.signed.signature.to_vec()].concat();
        let mut committee = WORLD.committee(slot / SLOTS).bytes();
        let mut trusted = Committee::trusted(&committee, 32).unwrap();
        let verdict = verify_attested(&chain, &mut trusted, &header, &aggregate, slot + 1).unwrap();
        assert_eq!(verdict.root.0, update.attested.root());
        let verdict = verify_attested(&chain, &mut trusted, &header, &aggregate, slot);
        assert_eq!(super::code(verdict), "verify.time");
        let few = WORLD.committee(slot / SLOTS).sign([1; 32], |index| index < 21);
        let aggregate = [few.bits, few.signature.to_vec()].concat();
        let verdict = verify_attested(&chain, &mut trusted, &header, &aggregate, slot + 1);
        assert_eq!(super::code(verdict), "verify.participation");
        // A committee that the caller cut from another chain's.
        let mut half = Committee::trusted(&committee[..17 * 48], 16).unwrap();
        let aggregate = [vec![0xff; 2], update.signed.signature.to_vec()].concat();
        let verdict = verify_attested(&chain, &mut half, &header, &aggregate, slot + 1);
        assert_eq!(super::code(verdict), "input.request");
        committee.pop();
        assert!(Committee::trusted(&committee, 32).is_err());
    }
}

/// `spec/headers.md`, section 11, and what the signature costs.
#[test]
fn a_full_electra_update_takes_no_more_work_than_counted() {
    let world = World { size: 512 };
    let mut client = LightClient::new(&chain_of(512, VALIDATORS)).unwrap();
    let (checkpoint, bytes) = world.bootstrap(FIRST_SLOTS[3]);
    let mut work = Counts::default();
    client.bootstrap(&checkpoint, &bytes, &mut work).unwrap();
    assert_eq!(work, Counts { hashes: 1_069, ..Counts::default() });
    let mut update = world.update(440, 430);
    update.sign(world, |index| index % 64 != 0);
    let bytes = update.ssz(Form::Update);
    let mut work = Counts::default();
    client.clone().apply(Form::Update, &bytes, now(441), &mut work).unwrap();
    let signature = Counts {
        // 8 absent keys, the aggregate and the signature.
        decompressed: 10,
        terms: 9,
        mapped: 1,
        loops: 2,
        exponentiations: 1,
        ..Counts::default()
    };
    assert_eq!(work, Counts { hashes: 1_116, ..signature });
    let mut work = Counts::default();
    client.apply(Form::Finality, &update.ssz(Form::Finality), now(441), &mut work).unwrap();
    assert_eq!(work, Counts { hashes: 85, ..signature });
    // The points are kept: only the new signature is decompressed.
    let mut update = world.update(441, 430);
    update.sign(world, |index| index % 64 != 0);
    let optimistic = update.ssz(Form::Optimistic);
    let mut work = Counts::default();
    client.apply(Form::Optimistic, &optimistic, now(442), &mut work).unwrap();
    assert_eq!(work, Counts { hashes: 40, decompressed: 1, ..signature });
    assert!(client.export().len() <= 56_000);
}

#[test]
fn the_default_header_of_the_tests_is_the_containers() {
    for slot in FIRST_SLOTS {
        let header = Header::default_of(shape(slot)).ssz();
        assert!(header.iter().filter(|byte| **byte != 0).count() <= 3);
    }
}

#[test]
fn a_header_may_finalize_another_of_its_own_slot_and_none_after() {
    let update = WORLD.update(440, 440).ssz(Form::Update);
    WORLD.client(FIRST_SLOTS[3]).apply(Form::Update, &update, now(441), &mut ()).unwrap();
    let update = WORLD.update(440, 441).ssz(Form::Update);
    let verdict = WORLD.client(FIRST_SLOTS[3]).apply(Form::Update, &update, now(441), &mut ());
    assert_eq!(super::code(verdict), "verify.time");
}

#[test]
fn comes_back_without_its_head_and_knows_how_many_signed() {
    let mut client = WORLD.client(FIRST_SLOTS[3]);
    for slot in [440, 474] {
        let update = WORLD.update(slot, slot - 10).ssz(Form::Update);
        client.apply(Form::Update, &update, now(slot + 1), &mut ()).unwrap();
        let (bytes, anchor) = (client.export(), client.state().unwrap().anchor);
        let mut again = LightClient::new(&chain_of(32, VALIDATORS)).unwrap();
        again.import(&bytes, &anchor.0, &mut ()).unwrap();
        let state = again.state().unwrap();
        assert_eq!((state.finalized.slot, state.period), (slot - 10, slot / SLOTS));
        assert_eq!((state.head, state.safe), (state.finalized, state.finalized));
        let mut few = WORLD.update(slot + 2, slot - 10);
        few.sign(WORLD, |index| index < 5);
        let few = few.ssz(Form::Optimistic);
        let applied = again.apply(Form::Optimistic, &few, now(slot + 3), &mut ()).unwrap();
        assert!(!applied.changed.head);
    }
}

/// The state before the first finality holds a root of zeros; it stands for no header, and for none
/// at slot 0.
#[test]
fn until_anything_is_final_the_genesis_is() {
    let mut state = WORLD.state(60, [0; 32]);
    state.insert(105, [0; 32]);
    let mut update = WORLD.update(60, 45);
    update.attested = Header::new(60, node(&state, 1), "altair");
    update.next_branch = branch(&state, 55);
    update.finality_branch = branch(&state, 105);
    update.finalized = Header::default_of("altair");
    update.sign(WORLD, |_| true);
    let bytes = update.ssz(Form::Finality);
    let mut client = WORLD.client(FIRST_SLOTS[0]);
    let applied = client.apply(Form::Finality, &bytes, now(61), &mut ()).unwrap();
    assert_eq!(applied.changed, Changed { head: true, safe: true, ..Changed::default() });
    // Behind the attested header: the proposer of the finalized one.
    let mut other = bytes.clone();
    other[112 + 8] = 1;
    let verdict = client.apply(Form::Finality, &other, now(61), &mut ());
    assert_eq!(super::code(verdict), "verify.finality");
}
