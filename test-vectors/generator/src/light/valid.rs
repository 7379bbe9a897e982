//! What must be accepted.

use super::case::{Case, NO_CLOCK};
use super::follow::Scene as _;
use super::scene::Scene;

pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let at = |flag, comment, number| scene.at(flag, comment, number);
    let (older, newest) = (scene.update(1).encode(), scene.finality(3));
    let time = scene.header(3).timestamp;
    let everyone = scene.signed_by(3, &[0xff]).encode();
    let two_thirds = scene.signed_by(3, &[0b1101_1110]).encode();
    let finalized = |number, known| Ok(scene.state(number, known));
    vec![
        at("Bootstrap", "a checkpoint within a period", 2),
        at("Bootstrap", "the genesis block as the checkpoint", 0),
        at("Bootstrap", "the last block of a period as the checkpoint", 7),
        at("Bootstrap", "starting over at another checkpoint needs a new pin", 2)
            .refuse("bootstrap", scene.bootstrap(5).encode(), "verify.checkpoint")
            .finality(scene, 3, false),
        at("Finality", "the next block", 2).finality(scene, 3, false),
        at("Finality", "block after block over a period's end", 2)
            .update(scene, 3)
            .finality(scene, 4, false)
            .finality(scene, 5, false),
        at("Update", "one update a period, then a finality", 2)
            .update(scene, 3)
            .update(scene, 7)
            .update(scene, 11)
            .update(scene, 14)
            .finality(scene, 15, true),
        at("Update", "the period's first block brings the next committee too", 2)
            .update(scene, 3)
            .update(scene, 4),
        at("MissingCommittee", "an update older than the checkpoint brings the next committee", 2)
            .with("update", older.clone(), Some(NO_CLOCK), finalized(2, true)),
        at("MissingCommittee", "a finality rotates, an older update brings the committee after", 2)
            .update(scene, 3)
            .finality(scene, 6, false)
            .with("update", scene.update(5).encode(), Some(NO_CLOCK), finalized(6, true))
            .update(scene, 8),
        at("TwoThirds", "everyone signed", 2).with(
            "finality",
            everyone,
            Some(NO_CLOCK),
            finalized(3, false),
        ),
        at("TwoThirds", "6 of 8 signed", 2).with(
            "finality",
            two_thirds,
            Some(NO_CLOCK),
            finalized(3, false),
        ),
        at("Clock", "the header's time is now", 2).with(
            "finality",
            newest.encode(),
            Some(time),
            finalized(3, false),
        ),
        at("Unmoved", "what was refused leaves the client as it was", 2)
            .refuse("update", scene.update(7).encode(), "verify.period")
            .refuse("finality", scene.finality(2).encode(), "verify.relevance")
            .refuse("finality", vec![], "decode.rlp")
            .update(scene, 3)
            .update(scene, 7),
    ]
}

/// A committee of 32 keys.
pub(super) fn large(scene: &Scene) -> Vec<Case> {
    let at = |flag, comment| scene.at(flag, comment, 1);
    let by = |bits: [u8; 4]| scene.signed_by(2, &bits).encode();
    let (enough, few) = (by([0xff, 0xff, 0x0f, 0x03]), by([0xff, 0xff, 0x0f, 0x01]));
    vec![
        at("Update", "32 keys, three periods").update(scene, 2).update(scene, 5).update(scene, 8),
        at("TwoThirds", "22 of 32 signed").with(
            "finality",
            enough,
            Some(NO_CLOCK),
            Ok(scene.state(2, false)),
        ),
        at("FewSigners", "21 of 32 signed").refuse("finality", few, "verify.participation"),
    ]
}
