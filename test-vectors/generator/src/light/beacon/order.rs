//! Updates at the wrong time: from the future, out of order, of another period, again.

use super::committees::update;
use super::rules::RULES;
use super::scene::Scene;
use crate::light::case::Case;

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
    let ahead = |comment, form: &'static str, slot| {
        scene.at(flag, comment, 404).refuse(form, scene.update(slot).ssz(form), code)
    };
    vec![
        ahead("the next period's update, the next committee unknown", "update", 504),
        ahead("the next period's header, the next committee unknown", "optimistic", 450),
        ahead("the last header of a period, signed in the next one", "optimistic", 447),
        ahead("the period before's header", "optimistic", 370),
        scene.beyond(flag, "an update two periods ahead", 404, 440).refuse(
            "update",
            scene.update(568).ssz("update"),
            code,
        ),
        scene.beyond(flag, "a finality two periods ahead", 404, 440).refuse(
            "finality",
            scene.update(520).ssz("finality"),
            code,
        ),
        update(
            scene,
            "optimistic",
            (flag, "signed in the last slot there is"),
            &|it| it.signature_slot = u64::MAX,
            code,
        ),
    ]
}

fn again(scene: &Scene) -> Vec<Case> {
    let (flag, code) = ("Replayed", "verify.relevance");
    let known = |comment| scene.beyond(flag, comment, 404, 440);
    let bytes = |slot, form| scene.update(slot).ssz(form);
    vec![
        known("a header as old as the finalized one").refuse(
            "optimistic",
            bytes(424, "optimistic"),
            code,
        ),
        known("a finality of a header before the finalized one").refuse(
            "finality",
            bytes(420, "finality"),
            code,
        ),
        scene
            .take(known("an update, again after later ones"), "finality", 474, (456, false))
            .refuse("update", bytes(440, "update"), "verify.period"),
        known("an old update once the next committee is known").refuse(
            "update",
            bytes(423, "update"),
            code,
        ),
        scene.at(flag, "the checkpoint's own header", 404).refuse(
            "optimistic",
            bytes(404, "optimistic"),
            code,
        ),
    ]
}
