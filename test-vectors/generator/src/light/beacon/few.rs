//! What few signers can move, and what they cannot: no header for use, and no forced step.

use super::rules::{PERIOD, RULES};
use super::scene::{Scene, Update, indices, listed};
use super::tree::branch;
use crate::light::case::{Case, NO_CLOCK, State};
use crate::light::follow::Scene as _;

/// A client at slot 404 has been without finality for a period from here on.
const LATE: u64 = 404 + PERIOD + 1;

pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = heads(scene);
    cases.extend(refused(scene));
    cases.extend(forced(scene));
    cases
}

fn by(scene: &Scene, mut update: Update, bits: u8) -> Update {
    scene.sign(&mut update, &[bits]);
    update
}

fn take(case: Case, form: &'static str, update: &Update, state: State) -> Case {
    case.with(form, update.ssz(form), Some(NO_CLOCK), Ok(state))
}

fn force(case: Case, slot: u64, expected: Result<State, &'static str>) -> Case {
    case.with("force", vec![], Some(RULES.time(slot)), expected)
}

fn heads(scene: &Scene) -> Vec<Case> {
    let at = |comment| scene.at("FewSigners", comment, 404);
    let one = by(scene, scene.update(440), 1);
    let moved = scene.holds_unsafe(404, false, 440);
    let early = take(
        at("a later head of one signer does not hold back what two thirds sign"),
        "optimistic",
        &one,
        moved,
    );
    let safe = |state: State, slot: u64| {
        let head = scene.holds(slot, false, slot).finalized;
        State { safe: Some(head), ..state }
    };
    let all = scene.update(438).without_finality();
    vec![
        take(
            at("one signer of 8 moves the head, and no header that is for use"),
            "optimistic",
            &one,
            moved,
        ),
        take(at("one signer finalizes nothing"), "finality", &one, moved),
        take(at("one signer brings no next committee"), "update", &one, moved),
        take(early, "optimistic", &all, safe(moved, 438)),
    ]
}

/// A block whose state names a next committee of a stranger's.
fn rogue(scene: &Scene) -> Update {
    let [_, _, of_next] = indices(super::rules::Shape::Electra);
    let mut state = scene.state(440);
    let stranger = scene.committees.of(77);
    state.insert(of_next, stranger.root());
    let mut update = scene.update_over(440, &state);
    (update.next, update.next_branch) = (listed(&stranger), branch(&state, of_next));
    update
}

/// The head is the rogue block, and nothing else moved.
fn held(scene: &Scene, update: &Update) -> State {
    let mut state = scene.holds_unsafe(404, false, 440);
    if let Some(head) = &mut state.head {
        head.hash = update.attested.root();
    }
    state
}

fn refused(scene: &Scene) -> Vec<Case> {
    let at = |comment| scene.at("Forced", comment, 404);
    let code = Err("verify.participation");
    let rogue = rogue(scene);
    let one = |comment, update: &Update, bits| {
        let update = by(scene, update.clone(), bits);
        let state = held(scene, &update);
        force(take(at(comment), "update", &update, state), LATE, code)
    };
    let alone = rogue.clone().without_finality();
    let mut own = scene.update(450);
    let stranger = scene.committees.of(77);
    scene.sign(&mut own, &scene.everyone());
    let message = super::scene::message(
        &own.attested.root(),
        super::scene::DOMAIN,
        super::rules::fork(450).1,
        &super::rules::VALIDATORS,
    );
    own.signature = stranger.sign(&own.bits, &message).to_vec();
    vec![
        one("one signer brings a next committee: it is not forced in", &rogue, 1),
        one("the same without finality", &alone, 1),
        one("5 of 8 are fewer than two thirds", &alone, 0b0001_1111),
        one("a committee that was not forced in signs nothing", &rogue, 1).refuse(
            "optimistic",
            own.ssz("optimistic"),
            "verify.period",
        ),
        force(
            scene.before("NoCheckpoint", "a forced step before the bootstrap", 404),
            LATE,
            Err("input.request"),
        ),
    ]
}

fn forced(scene: &Scene) -> Vec<Case> {
    let at = |comment| scene.at("Forced", comment, 404);
    let update = scene.update(440).without_finality();
    let known = scene.holds(404, false, 440);
    let seen = |comment| take(at(comment), "update", &update, known);
    let moved = State { forced: true, ..scene.holds(440, true, 440) };
    let done = |comment| force(seen(comment), LATE, Ok(moved));
    let later = State { forced: true, ..scene.holds(456, true, 474) };
    let again = scene.holds(404, false, 404);
    let few = by(scene, rogue(scene), 1);
    vec![
        force(at("nothing was seen: nothing is forced"), LATE, Ok(scene.holds(404, false, 404))),
        force(seen("a whole period has not passed yet"), LATE - 1, Ok(known)),
        done("two thirds signed: the best header is taken as final, and told"),
        take(
            done("later committees and finality do not mend a forced step"),
            "update",
            &scene.update(474),
            later,
        ),
        done("a new bootstrap does").with("bootstrap", scene.bootstrap(404).ssz(), None, Ok(again)),
        force(
            take(
                seen("the best update is that of most signers, not the latest"),
                "update",
                &few,
                known,
            ),
            LATE,
            Ok(moved),
        ),
        // Its head is one that a single signer moved before.
        force(
            take(
                take(at("one signer first, two thirds later"), "update", &few, held(scene, &few)),
                "update",
                &update,
                State { safe: Some(scene.holds(440, false, 440).finalized), ..held(scene, &few) },
            ),
            LATE,
            Ok(State { safe: Some(moved.finalized), head: held(scene, &few).head, ..moved }),
        ),
    ]
}
