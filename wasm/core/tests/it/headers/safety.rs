//! What few signers of a beacon committee can move, and what they cannot.

use std::collections::BTreeMap;

use lightproof_core::header::light::{Changed, Form, LightClient};

use super::beacon_world::{
    FIRST_SLOTS, Header, Node, SLOTS, Update, VALIDATORS, World, branch, chain_of, message, node,
    now,
};
use super::code;

const WORLD: World = World { size: 32 };

/// A slot of Electra, and the one where a client at it has been without finality for a period.
const START: u64 = FIRST_SLOTS[3];
const LATE: u64 = START + SLOTS + 1;

/// Root of the newest header that is for use.
fn safe(client: &LightClient) -> [u8; 32] {
    client.state().unwrap().safe.root.0
}

fn apply(client: &mut LightClient, form: Form, update: &Update) -> Changed {
    client.apply(form, &update.ssz(form), now(LATE), &mut ()).unwrap().changed
}

#[test]
fn one_signer_of_512_moves_no_header_that_is_for_use() {
    let world = World { size: 512 };
    let mut client = world.client(START);
    let checkpoint = safe(&client);
    let mut update = world.update(440, 430);
    update.sign(world, |index| index == 77);
    for form in [Form::Optimistic, Form::Finality, Form::Update] {
        client.apply(form, &update.ssz(form), now(LATE), &mut ()).unwrap();
        let state = client.state().unwrap();
        assert_eq!((state.safe, state.finalized.root.0), (state.finalized, checkpoint));
        // The specification's own head moves: it is told apart, with who signed it.
        assert_eq!((state.head.slot, state.head.signers), (440, Some((1, 512))));
        assert!(!state.next_known && !state.forced);
    }
}

#[test]
fn a_header_is_for_use_from_two_thirds_on() {
    let mut client = WORLD.client(START);
    let mut update = WORLD.update(440, 430).without_finality();
    update.sign(WORLD, |index| index < 21);
    apply(&mut client, Form::Optimistic, &update);
    assert_eq!(client.state().unwrap().safe.slot, START);
    update.sign(WORLD, |index| index < 22);
    let changed = apply(&mut client, Form::Optimistic, &update);
    assert_eq!(changed, Changed { safe: true, ..Changed::default() });
    let state = client.state().unwrap();
    assert_eq!((state.safe.slot, state.safe.signers), (440, Some((22, 32))));
}

#[test]
fn a_head_of_few_does_not_hold_the_safe_one_back() {
    let mut client = WORLD.client(START);
    let mut early = WORLD.update(445, 430);
    early.sign(WORLD, |index| index == 0);
    apply(&mut client, Form::Optimistic, &early);
    let changed = apply(&mut client, Form::Optimistic, &WORLD.update(440, 430));
    assert_eq!(changed, Changed { safe: true, ..Changed::default() });
    let state = client.state().unwrap();
    assert_eq!((state.head.slot, state.safe.slot), (445, 440));
    assert_eq!(state.safe.root.0, WORLD.update(440, 430).attested.root());
}

#[test]
fn what_was_displaced_is_forgotten() {
    // Two thirds sign a block that is reorganized away: its slot's final block is another.
    let mut client = WORLD.client(START);
    let mut orphan = WORLD.update(436, 430);
    orphan.attested = Header::new(436, [3; 32], "electra");
    orphan.sign(WORLD, |index| index < 30);
    apply(&mut client, Form::Optimistic, &orphan);
    assert_eq!(safe(&client), orphan.attested.root());
    let mut update = WORLD.update(440, 436);
    update.sign(WORLD, |index| index < 22);
    apply(&mut client, Form::Finality, &update);
    let state = client.state().unwrap();
    assert_eq!((state.finalized.slot, state.safe.slot), (436, 440));
    assert!(
        [state.finalized, state.safe, state.head]
            .iter()
            .all(|it| it.root.0 != orphan.attested.root())
    );
}

#[test]
fn of_two_signed_headers_of_one_slot_the_final_one_stays() {
    let mut client = WORLD.client(START);
    let mut orphan = WORLD.update(440, 430);
    orphan.attested = Header::new(440, [3; 32], "electra");
    orphan.sign(WORLD, |index| index < 30);
    apply(&mut client, Form::Optimistic, &orphan);
    apply(&mut client, Form::Update, &WORLD.update(440, 430).without_finality());
    assert_eq!(safe(&client), orphan.attested.root());
    let changed = client.force(now(LATE)).unwrap();
    // The specification's head moves to a final header that is newer, and no other.
    assert_eq!(changed, Changed { finalized: true, next: true, safe: true, ..Changed::default() });
    assert_eq!(client.state().unwrap().head.root.0, orphan.attested.root());
    assert_eq!(safe(&client), WORLD.update(440, 430).attested.root());
}

/// One signer brings a next committee of the attacker's.
fn rogue() -> Update {
    let mut state: BTreeMap<u64, Node> = WORLD.state(440, WORLD.update(440, 430).finalized.root());
    state.insert(87, WORLD.committee(90).root());
    let mut update = WORLD.update(440, 430);
    update.attested = Header::new(440, node(&state, 1), "electra");
    update.next = WORLD.committee(90).bytes();
    update.next_branch = branch(&state, 87);
    update.finality_branch = branch(&state, 169);
    update.sign(WORLD, |index| index == 5);
    update
}

#[test]
fn rejects_a_forced_step_below_two_thirds() {
    for update in [rogue(), rogue().without_finality()] {
        let mut client = WORLD.client(START);
        let mut update = update;
        update.sign(WORLD, |index| index == 5);
        apply(&mut client, Form::Update, &update);
        let before = (client.export(), safe(&client));
        assert_eq!(code(client.force(now(LATE))), "verify.participation");
        assert_eq!((client.export(), safe(&client)), before);
        let state = client.state().unwrap();
        assert!(!state.forced && !state.next_known && state.finalized.slot == START);
        // The rogue committee signs in the next period, as one that is not known.
        let mut own = WORLD.update(450, 445);
        own.signed =
            WORLD.committee(90).sign(message(own.attested.root(), 451, VALIDATORS), |_| true);
        let verdict =
            client.apply(Form::Optimistic, &own.ssz(Form::Optimistic), now(LATE), &mut ());
        assert_eq!(code(verdict), "verify.period");
        // Nor is it in the way of the honest one: more signed that.
        update.sign(WORLD, |index| index < 21);
        apply(&mut client, Form::Update, &update);
        assert_eq!(code(client.force(now(LATE))), "verify.participation");
        let honest = WORLD.update(441, 430).without_finality();
        apply(&mut client, Form::Update, &honest);
        assert!(client.force(now(LATE)).unwrap().next);
        assert_eq!(client.committee(7).unwrap().root().0, WORLD.committee(7).root());
    }
}

#[test]
fn two_thirds_are_enough_to_force() {
    for (signers, expected) in [(21, None), (22, Some(440))] {
        let mut client = WORLD.client(START);
        let mut update = WORLD.update(440, 430).without_finality();
        update.sign(WORLD, |index| index < signers);
        apply(&mut client, Form::Update, &update);
        let forced = client.force(now(LATE));
        assert_eq!(forced.ok().map(|_| client.state().unwrap().finalized.slot), expected);
    }
}

#[test]
fn a_forced_step_is_told_until_the_client_starts_again() {
    let mut client = WORLD.client(START);
    apply(&mut client, Form::Update, &WORLD.update(440, 430).without_finality());
    assert!(!client.state().unwrap().forced);
    assert!(client.force(now(LATE)).unwrap().finalized);
    let state = client.state().unwrap();
    assert!(state.forced && state.next_known);
    assert_eq!((state.finalized.slot, state.safe), (440, state.finalized));
    assert!(client.export().is_empty());
    // Whatever later committees sign, with finality and over rotations.
    for slot in [474, 538] {
        let update = WORLD.update(slot, slot - 10).ssz(Form::Update);
        client.apply(Form::Update, &update, now(slot + 1), &mut ()).unwrap();
        let state = client.state().unwrap();
        assert!(state.forced && state.finalized.slot == slot - 10);
        assert!(client.export().is_empty());
    }
    let (checkpoint, bytes) = WORLD.bootstrap(START);
    client.bootstrap(&checkpoint, &bytes, &mut ()).unwrap();
    assert!(!client.state().unwrap().forced);
    let (kept, anchor) = (client.export(), client.state().unwrap().anchor);
    apply(&mut client, Form::Update, &WORLD.update(440, 430).without_finality());
    client.force(now(LATE)).unwrap();
    client.import(&kept, &anchor.0, &mut ()).unwrap();
    assert!(!client.state().unwrap().forced);
}

#[test]
fn a_clock_that_is_early_forces_nothing() {
    let mut client = LightClient::new(&chain_of(32, VALIDATORS)).unwrap();
    assert_eq!(code(client.force(now(LATE))), "input.request");
    let mut client = WORLD.client(START);
    assert_eq!(client.force(now(LATE)), Ok(Changed::default()));
    apply(&mut client, Form::Update, &rogue());
    assert_eq!(client.force(now(LATE) - 1), Ok(Changed::default()));
    assert_eq!(code(client.force(now(LATE))), "verify.participation");
}

/// Nothing new is final in it: it is kept as the best one of the period, and forgets none.
#[test]
fn a_header_that_is_final_already_does_not_end_the_wait_for_finality() {
    let mut client = WORLD.client(START);
    apply(&mut client, Form::Update, &WORLD.update(440, 430));
    let changed = apply(&mut client, Form::Finality, &WORLD.update(441, 430));
    assert!(changed.head && !changed.finalized);
    assert_eq!(client.force(now(430 + SLOTS)), Ok(Changed::default()));
    assert!(client.force(now(430 + SLOTS + 1)).unwrap().finalized);
    assert_eq!(client.state().unwrap().finalized.slot, 441);
}
