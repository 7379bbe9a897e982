//! Updates at the wrong time: from the future, out of order, again.

use super::case::Case;
use super::follow::Scene as _;
use super::scene::Scene;

pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let skipped = |comment, number| scene.at("PeriodSkipped", comment, number);
    let replayed = |comment, number| scene.at("Replayed", comment, number);
    let late = scene.header(3).timestamp - 1;
    let early = |comment, form| {
        let bytes = scene.honest(form, 3);
        scene.at("Clock", comment, 2).with(form, bytes, Some(late), Err("verify.time"))
    };
    let mut cases = vec![
        early("a finality one second from the future", "finality"),
        early("an update one second from the future", "update"),
    ];
    let unknown = "the next period's update, the next committee unknown";
    let unknown_finality = "the next period's finality, the next committee unknown";
    let before = "a finality of the period before, after a rotation";
    cases.extend(scene.refused(
        "verify.period",
        [
            (skipped(unknown, 2), "update", 7),
            (skipped(unknown_finality, 2), "finality", 4),
            (skipped("an update two periods ahead", 2).update(scene, 3), "update", 11),
            (skipped("a finality two periods ahead", 2).update(scene, 3), "finality", 8),
            (skipped("an update of the period before", 5), "update", 3),
            (skipped(before, 2).update(scene, 3).finality(scene, 4, false), "finality", 3),
        ],
    ));
    let older = "an older update, the next committee known";
    cases.extend(scene.refused(
        "verify.relevance",
        [
            (replayed("a finality of the checkpoint itself", 2), "finality", 2),
            (replayed("a finality older than the checkpoint", 2), "finality", 1),
            (replayed("the same finality again", 2).finality(scene, 3, false), "finality", 3),
            (replayed("the same update again", 2).update(scene, 3), "update", 3),
            (replayed(older, 1).update(scene, 3), "update", 2),
        ],
    ));
    cases
}
