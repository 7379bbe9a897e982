//! Updates at the wrong time: from the future, out of order, of another period, again.

use super::committees::update;
use super::rules::RULES;
use super::scene::Scene;
use crate::light::case::Case;
use crate::light::follow::Scene as _;

pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = times(scene);
    cases.extend(periods(scene));
    cases.extend(again(scene));
    cases
}

fn times(scene: &Scene) -> Vec<Case> {
    let (flag, code) = ("SlotOrder", "verify.time");
    let slot = |comment, slot: u64| {
        update(scene, "optimistic", (flag, comment), &|it| it.signature_slot = slot, code)
    };
    let future = |comment, form: &'static str| {
        let bytes = scene.update(440).ssz(form);
        scene.at("Clock", comment, 404).with(form, bytes, Some(RULES.time(441) - 1), Err(code))
    };
    let finalizes = |comment, slot: u64| {
        let change = |it: &mut super::scene::Update| it.finalized.slot = slot;
        update(scene, "finality", (flag, comment), &change, code)
    };
    vec![
        future("an update signed a second from now", "update"),
        future("an optimistic update signed a second from now", "optimistic"),
        scene.at("Clock", "a clock before the chain began", 404).with(
            "optimistic",
            scene.update(440).ssz("optimistic"),
            Some(RULES.genesis_time - 1),
            Err(code),
        ),
        slot("signed in the slot of its own header", 440),
        slot("signed before its own header", 439),
        slot("signed in slot 0", 0),
        finalizes("finalizes a later header than the attested one", 441),
        finalizes("finalizes a header of the last slot there is", u64::MAX),
    ]
}

fn periods(scene: &Scene) -> Vec<Case> {
    let (flag, code) = ("PeriodSkipped", "verify.period");
    let at = |comment| scene.at(flag, comment, 404);
    let beyond = |comment| scene.beyond(flag, comment, 404, 440);
    let mut cases = scene.refused(
        code,
        [
            (at("the next period's update, the next committee unknown"), "update", 504),
            (at("the next period's header, the next committee unknown"), "optimistic", 450),
            (at("the last header of a period, signed in the next one"), "optimistic", 447),
            (at("the period before's header"), "optimistic", 370),
            (beyond("an update two periods ahead"), "update", 568),
            (beyond("a finality two periods ahead"), "finality", 520),
        ],
    );
    let last = |it: &mut super::scene::Update| it.signature_slot = u64::MAX;
    cases.push(update(
        scene,
        "optimistic",
        (flag, "signed in the last slot there is"),
        &last,
        code,
    ));
    cases
}

fn again(scene: &Scene) -> Vec<Case> {
    let flag = "Replayed";
    let known = |comment| scene.beyond(flag, comment, 404, 440);
    let rotated = known("an update, again after later ones");
    let rotated = scene.take(rotated, "finality", 474, (456, false));
    let own = scene.at(flag, "the checkpoint's own header", 404);
    let code = "verify.relevance";
    [
        scene.refused(
            code,
            [
                (known("a header as old as the finalized one"), "optimistic", 424),
                (known("a finality of a header before the finalized one"), "finality", 420),
            ],
        ),
        scene.refused("verify.period", [(rotated, "update", 440)]),
        scene.refused(
            code,
            [
                (known("an old update once the next committee is known"), "update", 423),
                (own, "optimistic", 404),
            ],
        ),
    ]
    .concat()
}
