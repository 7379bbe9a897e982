//! Clients whose fork table does not say that the chain has forked.

use super::rules::{FORKS, Fork, RULES, Rules, SIZE, VALIDATORS};
use super::scene::{DOMAIN, Scene, Update, message};
use crate::light::case::{Case, Consensus, Group, Setting};
use crate::light::follow::{Scene as _, refusals};

const FLAG: &str = "UnknownFork";
const FORK: &str = "chain.fork";

/// Forks of the small chain that a table knows, from the first one on.
const TO_CAPELLA: &[Fork] = FORKS.split_at(3).0;
const TO_DENEB: &[Fork] = FORKS.split_at(4).0;
const TO_ELECTRA: &[Fork] = FORKS.split_at(5).0;
const TO_FULU: &[Fork] = FORKS.split_at(6).0;
const ELECTRA_ALONE: &[Fork] = TO_ELECTRA.split_at(4).1;

pub(super) fn groups(scene: &Scene) -> Vec<Group> {
    let group = |forks, cases| {
        let consensus = Consensus::Beacon(Rules { forks, size: SIZE, ..RULES });
        Group { setting: Setting { consensus, ..scene.setting() }, cases }
    };
    vec![
        group(
            TO_CAPELLA,
            vec![start(scene, "a payload of more fields than the table's", 276, FORK)],
        ),
        group(TO_DENEB, deeper(scene)),
        group(TO_ELECTRA, versions(scene)),
        group(TO_FULU, shapes(scene)),
        group(ELECTRA_ALONE, alone(scene)),
    ]
}

fn start(scene: &Scene, comment: &'static str, slot: u64, code: &'static str) -> Case {
    scene.before(FLAG, comment, slot).refuse("bootstrap", scene.bootstrap(slot).ssz(), code)
}

fn deeper(scene: &Scene) -> Vec<Case> {
    let at = |comment| scene.at(FLAG, comment, 276);
    let moved = |slot: u64| {
        let mut update = scene.update(440);
        update.attested.slot = slot;
        update.ssz("update")
    };
    let first = start(scene, "a bootstrap over a deeper state than the table's", 404, FORK);
    let deep = at("an update over a deeper state than the table's");
    // Whoever sends it says so: it moves nothing and proves nothing.
    let later = at("a later container with a slot that the table's last fork has");
    let earlier = at("a later container with a slot of an earlier fork");
    let mut cases = vec![first];
    cases.extend(refusals([
        (deep, "update", scene.honest("update", 440), FORK),
        (later, "update", moved(300), FORK),
        (earlier, "update", moved(200), "decode.ssz"),
    ]));
    cases
}

/// A fork that brings a version and keeps the containers.
fn versions(scene: &Scene) -> Vec<Case> {
    let known = |comment| scene.beyond(FLAG, comment, 404, 440);
    let form = "optimistic";
    let honest = scene.update(459);
    let seam = |bits: u8| {
        let mut update = scene.update(445);
        update.signature_slot = 450;
        scene.sign(&mut update, &[bits]);
        update
    };
    let other = |change: &dyn Fn(&mut Update)| {
        let mut update = honest.clone();
        change(&mut update);
        update.ssz(form)
    };
    let goes_on = known("that moved nothing, and what the table knows goes on").refuse(
        form,
        honest.ssz(form),
        FORK,
    );
    let goes_on = scene.taken(goes_on, form, 444, scene.holds(424, true, 444));
    let signs = known("the committee signs for the version after the table's last");
    let crosses = known("a block of the last known fork, signed after the next one");
    let mut cases = refusals([
        (signs, form, honest.ssz(form), FORK),
        (known("the same, signed by one"), form, seam(0b0000_0100).ssz(form), FORK),
        (crosses, form, seam(0xff).ssz(form), FORK),
    ]);
    cases.push(goes_on);
    let stranger = other(&|it| {
        let root = it.attested.root();
        let message = message(&root, DOMAIN, RULES.fork(459).1, &VALIDATORS);
        it.signature = scene.committees.of(77).sign(&it.bits, &message).to_vec();
    });
    let added = other(&|it| {
        scene.sign(it, &[0b0111_1111]);
        it.bits = vec![0xff];
    });
    let two_after = other(&|it| scene.sign_for(it, &[0xff], [7, 0, 0, 1]));
    let signature = "verify.signature";
    cases.extend(refusals([
        (
            known("a stranger signs for the version after the table's last"),
            form,
            stranger,
            signature,
        ),
        (known("one who did not sign for it is said to have"), form, added, signature),
        (known("signed for a version two after the table's last"), form, two_after, signature),
    ]));
    cases
}

/// A fork that brings a container.
fn shapes(scene: &Scene) -> Vec<Case> {
    let at = |comment| scene.at(FLAG, comment, 468);
    let of = |form| scene.update(520).ssz(form);
    let mut false_one = scene.update(520);
    false_one.signature.fill(7);
    let mut early = scene.update(440);
    scene.sign_for(&mut early, &[0xff], [7, 0, 0, 1]);
    let optimistic = "optimistic";
    let mut cut = of(optimistic);
    cut.pop();
    let newer = at("an update in a container newer than the table's");
    let newer_finality = at("a finality in a container newer than the table's");
    let newer_head = at("an optimistic update in a container newer than the table's");
    let too = at("a false one too: the table is all that can be told");
    let before = "signed for the version after the table's last, before the last fork";
    let no_container = at("a newer container without its last byte is no container");
    let (false_one, early) = (false_one.ssz(optimistic), early.ssz(optimistic));
    let bootstrap = "a bootstrap in a container newer than the table's";
    let mut cases = vec![start(scene, bootstrap, 532, FORK)];
    cases.extend(refusals([
        (newer, "update", of("update"), FORK),
        (newer_finality, "finality", of("finality"), FORK),
        (newer_head, optimistic, of(optimistic), FORK),
        (too, optimistic, false_one, FORK),
        (scene.at(FLAG, before, 404), optimistic, early, "verify.signature"),
        (no_container, optimistic, cut, "decode.ssz"),
    ]));
    cases
}

/// One fork alone says nothing of the step in which versions go on.
fn alone(scene: &Scene) -> Vec<Case> {
    let comment = "a table of one fork does not know the version after it";
    let case = scene.beyond(FLAG, comment, 404, 440);
    vec![case.refuse("optimistic", scene.update(459).ssz("optimistic"), "verify.signature")]
}
