//! What must be accepted, in every fork and over every seam between two.

use super::rules::{FORKS, RULES, shape};
use super::scene::{Scene, Update};
use crate::light::case::{Case, NO_CLOCK, State};
use crate::light::follow::Scene as _;

/// A slot of each fork, in its first period.
pub(super) const STARTS: [(u64, &str); 7] = [
    (20, "Altair"),
    (84, "Bellatrix"),
    (148, "Capella"),
    (276, "Deneb"),
    (404, "Electra"),
    (468, "Fulu"),
    (532, "Gloas"),
];

/// Slots from such a start to a block whose finalized one is newer, in the same period.
const AHEAD: u64 = 36;

pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = forks(scene);
    cases.extend(seams(scene));
    cases.extend(walks(scene));
    cases.extend(parts(scene));
    cases.extend(signers(scene));
    cases
}

fn forks(scene: &Scene) -> Vec<Case> {
    let each = STARTS.iter().flat_map(|(start, fork)| {
        let (next, comment) = (start + AHEAD, *fork);
        let finalized = Scene::finalized(next);
        let take =
            |flag, form, state| scene.take(scene.at(flag, comment, *start), form, next, state);
        let mut cases = vec![take("Update", "update", (finalized, true))];
        // A shape's containers, once.
        if !["Bellatrix", "Fulu"].contains(&comment) {
            cases.push(take("Finality", "finality", (finalized, false)));
            cases.push(take("Optimistic", "optimistic", (*start, false)));
        }
        cases
    });
    each.collect()
}

/// Around the first slot of each fork after the first one.
fn seams(scene: &Scene) -> Vec<Case> {
    let each = FORKS[1..].iter().flat_map(|(epoch, ..)| {
        let fork = epoch * RULES.slots_per_epoch;
        let (before, after) = (fork - 44, fork + 3);
        let start = |comment| scene.beyond("ForkSeam", comment, before, before + AHEAD);
        let held = Scene::finalized(before + AHEAD);
        let mut cases = vec![scene.take(
            start("the last block before a fork, signed in its first slot for the version before"),
            "optimistic",
            fork - 1,
            (held, true),
        )];
        if shape(before) != shape(fork) {
            let comment =
                "a finalized header of the shape before, in a container of the shape after";
            cases.push(scene.take(
                start(comment),
                "finality",
                after,
                (Scene::finalized(after), true),
            ));
        }
        cases
    });
    let mut cases: Vec<Case> = each.collect();
    let late = |comment| scene.beyond("ForkSeam", comment, 404, 440);
    // The block of 445 lies in Electra; who signs in 450 signs for Fulu, whose committee it is too.
    let mut update = scene.update(445);
    update.signature_slot = 450;
    scene.sign(&mut update, &scene.everyone());
    cases.push(late("signed five slots later, past a fork, for the fork's version").with(
        "optimistic",
        update.ssz("optimistic"),
        Some(NO_CLOCK),
        Ok(scene.holds(424, true, 445)),
    ));
    cases
}

fn walks(scene: &Scene) -> Vec<Case> {
    let mut all = scene.at("Update", "an update each period, through every fork", 20);
    for number in 0..10 {
        let slot = number * 64 + 56;
        all = scene.take(all, "update", slot, (Scene::finalized(slot), true));
    }
    let early = scene.beyond(
        "Update",
        "an update early in a period finalizes the period before and hands nothing over",
        404,
        440,
    );
    let early = scene.take(early, "update", 459, (440, true));
    let rotating = scene.beyond(
        "Update",
        "a finality of the next period hands over, and no committee is known after it",
        404,
        440,
    );
    let rotating = scene.take(rotating, "finality", 474, (456, false));
    let older = scene.at(
        "MissingCommittee",
        "a block before the checkpoint brings the next committee",
        440,
    );
    let older = older.with(
        "update",
        scene.update(430).ssz("update"),
        Some(NO_CLOCK),
        Ok(scene.holds(440, true, 440)),
    );
    let genesis = scene.at("Update", "nothing is finalized yet: the state's leaf is zero", 4);
    let genesis = scene.take(genesis, "update", 12, (4, true));
    vec![all, early, rotating, older, genesis, unmoved(scene)]
}

fn unmoved(scene: &Scene) -> Case {
    let case = scene
        .at("Unmoved", "what was refused leaves the client as it was", 404)
        .refuse("update", scene.update(504).ssz("update"), "verify.period")
        .refuse("finality", vec![], "decode.ssz")
        .refuse("optimistic", scene.update(403).ssz("optimistic"), "verify.relevance");
    scene.take(case, "update", 440, (424, true))
}

/// Parts that an update may lack.
fn parts(scene: &Scene) -> Vec<Case> {
    let honest = scene.update(440);
    let one = |flag, comment, update: Update, state: State| {
        let bytes = update.ssz("update");
        scene.at(flag, comment, 404).with("update", bytes, Some(NO_CLOCK), Ok(state))
    };
    let neither = honest.clone().without_next().without_finality();
    let in_gloas = scene.update(568).without_next().without_finality();
    let clock = scene.at("Clock", "signed in the slot that it is", 404).with(
        "optimistic",
        honest.ssz("optimistic"),
        Some(RULES.time(441)),
        Ok(scene.holds(404, false, 440)),
    );
    vec![
        one(
            "PartsLeftOut",
            "no next committee",
            honest.clone().without_next(),
            scene.holds(424, false, 440),
        ),
        one("PartsLeftOut", "no finality", honest.without_finality(), scene.holds(404, false, 440)),
        one("PartsLeftOut", "neither", neither, scene.holds(404, false, 440)),
        scene.at("PartsLeftOut", "neither, in Gloas", 532).with(
            "update",
            in_gloas.ssz("update"),
            Some(NO_CLOCK),
            Ok(scene.holds(532, false, 568)),
        ),
        clock,
    ]
}

fn signers(scene: &Scene) -> Vec<Case> {
    let by = |slot, bits: u8| {
        let mut update = scene.update(slot);
        scene.sign(&mut update, &[bits]);
        update.ssz("update")
    };
    let at = |comment| scene.at("TwoThirds", comment, 404);
    let step = |case: Case, bytes, state| case.with("update", bytes, Some(NO_CLOCK), Ok(state));
    let head = scene.holds_unsafe(404, false, 440);
    vec![
        step(at("6 of 8 signed"), by(440, 0b1101_1110), scene.holds(424, true, 440)),
        step(at("5 of 8 signed: the head moves alone"), by(440, 0b0011_1110), head),
        step(
            step(at("2 of 8 after 5 of 8: not even the head moves"), by(440, 0b0011_1110), head),
            by(442, 0b1000_0001),
            head,
        ),
        step(
            step(at("3 of 8 after 5 of 8: the head moves"), by(440, 0b0011_1110), head),
            by(442, 0b1000_0011),
            scene.holds_unsafe(404, false, 442),
        ),
    ]
}

/// A committee of 32 keys.
pub(super) fn large(scene: &Scene) -> Vec<Case> {
    let by = |bits: [u8; 4]| {
        let mut update = scene.update(440);
        scene.sign(&mut update, &bits);
        update.ssz("finality")
    };
    let one = |comment, bits, state| {
        let case = scene.at("TwoThirds", comment, 404);
        case.with("finality", by(bits), Some(NO_CLOCK), Ok(state))
    };
    vec![
        one("22 of 32 signed", [0xff, 0xff, 0x0f, 0x03], scene.holds(424, false, 440)),
        one("21 of 32 signed", [0xff, 0xff, 0x0f, 0x01], scene.holds_unsafe(404, false, 440)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::light::beacon::rules::Shape;
    use crate::light::beacon::scene::{indices, period};
    use crate::light::beacon::tree::branch;

    /// The branches are the lengths that the specs give their indices.
    #[test]
    fn branches_have_the_depths_of_the_specs() {
        let scene = Scene::new(8);
        let depths = |slot: u64| {
            let state = scene.state(slot);
            assert_eq!(period(slot), slot / 64);
            indices(shape(slot)).map(|index| branch(&state, index).len())
        };
        assert_eq!(depths(276), [6, 5, 5]);
        assert_eq!(depths(404), [7, 6, 6]);
        assert_eq!(depths(532), [9, 11, 11]);
        assert_eq!(shape(532), Shape::Gloas);
    }
}
