//! Updates at the wrong time: from the future, out of order, again.

use super::case::Case;
use super::scene::Scene;

pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let at = |flag, comment, number| Case::at(flag, comment, scene, number);
    let update = |number| scene.update(number).encode();
    let finality = |number| scene.finality(number).encode();
    let late = scene.header(3).timestamp - 1;
    vec![
        at("Clock", "a finality one second from the future", 2).with(
            "finality",
            finality(3),
            Some(late),
            Err("verify.time"),
        ),
        at("Clock", "an update one second from the future", 2).with(
            "update",
            update(3),
            Some(late),
            Err("verify.time"),
        ),
        at("PeriodSkipped", "the next period's update, the next committee unknown", 2).refuse(
            "update",
            update(7),
            "verify.period",
        ),
        at("PeriodSkipped", "the next period's finality, the next committee unknown", 2).refuse(
            "finality",
            finality(4),
            "verify.period",
        ),
        at("PeriodSkipped", "an update two periods ahead", 2).update(scene, 3).refuse(
            "update",
            update(11),
            "verify.period",
        ),
        at("PeriodSkipped", "a finality two periods ahead", 2).update(scene, 3).refuse(
            "finality",
            finality(8),
            "verify.period",
        ),
        at("PeriodSkipped", "an update of the period before", 5).refuse(
            "update",
            update(3),
            "verify.period",
        ),
        at("PeriodSkipped", "a finality of the period before, after a rotation", 2)
            .update(scene, 3)
            .finality(scene, 4, false)
            .refuse("finality", finality(3), "verify.period"),
        at("Replayed", "a finality of the checkpoint itself", 2).refuse(
            "finality",
            finality(2),
            "verify.relevance",
        ),
        at("Replayed", "a finality older than the checkpoint", 2).refuse(
            "finality",
            finality(1),
            "verify.relevance",
        ),
        at("Replayed", "the same finality again", 2).finality(scene, 3, false).refuse(
            "finality",
            finality(3),
            "verify.relevance",
        ),
        at("Replayed", "the same update again", 2).update(scene, 3).refuse(
            "update",
            update(3),
            "verify.relevance",
        ),
        at("Replayed", "an older update, the next committee known", 1).update(scene, 3).refuse(
            "update",
            update(2),
            "verify.relevance",
        ),
    ]
}
