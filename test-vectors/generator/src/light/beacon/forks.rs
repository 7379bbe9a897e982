//! Clients whose fork table does not say that the chain has forked.

use super::rules::{FORKS, Fork, RULES, Rules, SIZE};
use super::scene::{Scene, Update};
use crate::light::case::{Case, Consensus, Group, NO_CLOCK, Setting};
use crate::light::follow::Scene as _;

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
    vec![
        start(scene, "a bootstrap over a deeper state than the table's", 404, FORK),
        at("an update over a deeper state than the table's").refuse(
            "update",
            scene.update(440).ssz("update"),
            FORK,
        ),
        // Whoever sends it says so: it moves nothing and proves nothing.
        at("a later container with a slot that the table's last fork has").refuse(
            "update",
            moved(300),
            FORK,
        ),
        at("a later container with a slot of an earlier fork").refuse(
            "update",
            moved(200),
            "decode.ssz",
        ),
    ]
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
    let signature = "verify.signature";
    vec![
        known("the committee signs for the version after the table's last").refuse(
            form,
            honest.ssz(form),
            FORK,
        ),
        known("the same, signed by one").refuse(form, seam(0b0000_0100).ssz(form), FORK),
        known("a block of the last known fork, signed after the next one").refuse(
            form,
            seam(0xff).ssz(form),
            FORK,
        ),
        known("that moved nothing, and what the table knows goes on")
            .refuse(form, honest.ssz(form), FORK)
            .with(
                form,
                scene.update(444).ssz(form),
                Some(NO_CLOCK),
                Ok(scene.holds(424, true, 444)),
            ),
        known("a stranger signs for the version after the table's last").refuse(
            form,
            other(&|it| {
                let version = RULES.fork(459).1;
                let message = super::scene::message(
                    &it.attested.root(),
                    super::scene::DOMAIN,
                    version,
                    &super::rules::VALIDATORS,
                );
                it.signature = scene.committees.of(77).sign(&it.bits, &message).to_vec();
            }),
            signature,
        ),
        known("one who did not sign for it is said to have").refuse(
            form,
            other(&|it| {
                scene.sign(it, &[0b0111_1111]);
                it.bits = vec![0xff];
            }),
            signature,
        ),
        known("signed for a version two after the table's last").refuse(
            form,
            other(&|it| scene.sign_for(it, &[0xff], [7, 0, 0, 1])),
            signature,
        ),
    ]
}

/// A fork that brings a container.
fn shapes(scene: &Scene) -> Vec<Case> {
    let at = |comment| scene.at(FLAG, comment, 468);
    let of = |form| scene.update(520).ssz(form);
    let mut false_one = scene.update(520);
    false_one.signature.fill(7);
    let mut early = scene.update(440);
    scene.sign_for(&mut early, &[0xff], [7, 0, 0, 1]);
    vec![
        start(scene, "a bootstrap in a container newer than the table's", 532, FORK),
        at("an update in a container newer than the table's").refuse("update", of("update"), FORK),
        at("a finality in a container newer than the table's").refuse(
            "finality",
            of("finality"),
            FORK,
        ),
        at("an optimistic update in a container newer than the table's").refuse(
            "optimistic",
            of("optimistic"),
            FORK,
        ),
        at("a false one too: the table is all that can be told").refuse(
            "optimistic",
            false_one.ssz("optimistic"),
            FORK,
        ),
        scene
            .at(FLAG, "signed for the version after the table's last, before the last fork", 404)
            .refuse("optimistic", early.ssz("optimistic"), "verify.signature"),
        at("a newer container without its last byte is no container").refuse(
            "optimistic",
            {
                let mut bytes = of("optimistic");
                bytes.pop();
                bytes
            },
            "decode.ssz",
        ),
    ]
}

/// One fork alone says nothing of the step in which versions go on.
fn alone(scene: &Scene) -> Vec<Case> {
    let comment = "a table of one fork does not know the version after it";
    let case = scene.beyond(FLAG, comment, 404, 440);
    vec![case.refuse("optimistic", scene.update(459).ssz("optimistic"), "verify.signature")]
}
