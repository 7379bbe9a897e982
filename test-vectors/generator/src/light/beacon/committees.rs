//! Committees, finality and payloads that the headers around them do not hold.

use super::blocks::Header;
use super::rules::{Shape, shape};
use super::scene::{Bootstrap, Scene, Update, indices, listed};
use super::tree::{branch, node};
use crate::light::case::Case;
use crate::light::follow::Scene as _;
use lightproof_prover::hash::{Word, sha256};

const COMMITTEE: &str = "verify.committee";
const FINALITY: &str = "verify.finality";

pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = current(scene);
    cases.extend(next(scene));
    cases.extend(known(scene));
    cases.extend(finality(scene));
    cases.extend(indexed(scene));
    cases.extend(lengths(scene));
    cases
}

/// A client that pins block `slot` is sent a changed bootstrap.
fn bootstrap(
    scene: &Scene,
    slot: u64,
    (flag, comment): (&'static str, &'static str),
    change: &dyn Fn(&mut Bootstrap),
    code: &'static str,
) -> Case {
    let mut bootstrap = scene.bootstrap(slot);
    change(&mut bootstrap);
    scene.before(flag, comment, slot).refuse("bootstrap", bootstrap.ssz(), code)
}

/// A client in Electra is sent a changed update of slot 440.
pub(super) fn update(
    scene: &Scene,
    form: &'static str,
    (flag, comment): (&'static str, &'static str),
    change: &dyn Fn(&mut Update),
    code: &'static str,
) -> Case {
    let mut update = scene.update(440);
    change(&mut update);
    scene.at(flag, comment, 404).refuse(form, update.ssz(form), code)
}

fn swap(committee: &mut [u8]) {
    committee[..96].rotate_left(48);
}

fn first_as_sum(committee: &mut [u8]) {
    committee.copy_within(..48, 8 * 48);
}

/// The committee beside a bootstrap's header.
fn current(scene: &Scene) -> Vec<Case> {
    let one = |comment, change: &dyn Fn(&mut Bootstrap)| {
        bootstrap(scene, 404, ("OtherCommittee", comment), change, COMMITTEE)
    };
    let foreign = listed(&scene.committees.of(19));
    let state = scene.state(404);
    let of = |period| listed(&scene.committees.of(period));
    let mut cases = vec![
        one("a bootstrap with two keys exchanged", &|it| swap(&mut it.committee)),
        one("a bootstrap with a key of another committee", &|it| {
            it.committee[..48].copy_from_slice(&foreign[..48]);
        }),
        one("a bootstrap whose aggregate is the first key", &|it| first_as_sum(&mut it.committee)),
        one("a bootstrap with a committee of another period", &|it| it.committee = of(9)),
        one("a bootstrap with the next committee and its branch", &|it| {
            (it.committee, it.branch) = (of(7), branch(&state, 87));
        }),
        one("a bootstrap without a committee", &|it| {
            it.committee.fill(0);
            it.branch.fill([0; 32]);
        }),
        one("a bootstrap with a node of its branch changed", &|it| it.branch[3][0] ^= 1),
    ];
    let changed = |comment, change: &dyn Fn(&mut Header), code| {
        let change = |it: &mut Bootstrap| change(&mut it.header);
        bootstrap(scene, 404, ("HeaderChanged", comment), &change, code)
    };
    let pinned = "verify.checkpoint";
    cases.extend([
        changed("a bootstrap of another slot", &|header| header.slot += 1, pinned),
        changed("a bootstrap of another proposer", &|header| header.proposer += 1, pinned),
        changed("a bootstrap after another block", &|header| header.parent_root[0] ^= 1, pinned),
        changed("a bootstrap of another state", &|header| header.state_root[0] ^= 1, pinned),
        changed("a bootstrap of another body", &|header| header.body_root[0] ^= 1, pinned),
        changed(
            "a bootstrap with another payload",
            &|header| header.payload.state_root[0] ^= 1,
            "verify.execution",
        ),
    ]);
    cases
}

/// The committee beside an update's header.
fn next(scene: &Scene) -> Vec<Case> {
    let one = |comment, change: &dyn Fn(&mut Update)| {
        update(scene, "update", ("OtherCommittee", comment), change, COMMITTEE)
    };
    let without = |comment, change: &dyn Fn(&mut Update), code| {
        update(scene, "update", ("PartWithoutItsBranch", comment), change, code)
    };
    let state = scene.state(440);
    let of = |period| listed(&scene.committees.of(period));
    vec![
        one("an update with two keys exchanged", &|it| swap(&mut it.next)),
        one("an update whose aggregate is the first key", &|it| first_as_sum(&mut it.next)),
        one("an update with the committee of a later period", &|it| it.next = of(8)),
        one("an update with the signing committee and its branch as the next", &|it| {
            (it.next, it.next_branch) = (of(6), branch(&state, 86));
        }),
        one("an update with a node of the committee's branch changed", &|it| {
            it.next_branch[5][31] ^= 1;
        }),
        without(
            "a next committee without its branch",
            &|it| it.next_branch.fill([0; 32]),
            COMMITTEE,
        ),
        without("the branch of a next committee without it", &|it| it.next.fill(0), COMMITTEE),
        without(
            "a finalized header without its branch",
            &|it| it.finality_branch.fill([0; 32]),
            FINALITY,
        ),
        without(
            "the branch of a finalized header without it",
            &|it| it.finalized = Header::absent(Shape::Electra),
            FINALITY,
        ),
    ]
}

/// A second, truly signed word about the next committee.
fn known(scene: &Scene) -> Vec<Case> {
    let mut state = scene.state(442);
    state.insert(87, scene.committees.of(19).root());
    let mut second = scene.update_over(442, &state);
    second.next = listed(&scene.committees.of(19));
    vec![
        scene
            .beyond("SecondCommittee", "another next committee than the known one", 404, 440)
            .refuse("update", second.ssz("update"), COMMITTEE),
    ]
}

fn finality(scene: &Scene) -> Vec<Case> {
    let one = |comment, change: &dyn Fn(&mut Update)| {
        update(scene, "finality", ("OtherFinality", comment), change, FINALITY)
    };
    let genesis = |comment, change: &dyn Fn(&mut Header)| {
        let mut update = scene.update(12);
        change(&mut update.finalized);
        scene.at("OtherFinality", comment, 4).refuse("finality", update.ssz("finality"), FINALITY)
    };
    let mut zero = scene.state(440);
    zero.insert(169, [0; 32]);
    let zero = scene.update_over(440, &zero);
    vec![
        one("the block before the finalized one", &|it| it.finalized = scene.block(423)),
        one("the attested block as the finalized one", &|it| it.finalized = it.attested.clone()),
        one("the finalized block with another state", &|it| it.finalized.state_root[0] ^= 1),
        one("the finalized block of another proposer", &|it| it.finalized.proposer += 1),
        one("a node of the finality branch changed", &|it| it.finality_branch[0][0] ^= 1),
        one("an attested header of another state", &|it| it.attested.state_root[0] ^= 1),
        genesis("a header at slot 0 that is not the default one", &|header| header.proposer = 1),
        genesis("a later header where nothing is finalized", &|header| *header = scene.block(8)),
        scene.at("OtherFinality", "a finalized header over a state that holds none", 404).refuse(
            "finality",
            zero.ssz("finality"),
            FINALITY,
        ),
    ]
}

/// The state truly holds the node, signed, but at an index of another fork or of another field.
fn indexed(scene: &Scene) -> Vec<Case> {
    let flag = "OtherIndex";
    let padded = |nodes: Vec<Word>, length: usize| {
        let zeros = vec![[0; 32]; length.saturating_sub(nodes.len())];
        [zeros, nodes].concat()
    };
    let forged = scene.committees.of(19);
    // A state whose committee stands at `index` in place of the index of its fork.
    let pinned = |comment, slot, index: u64| {
        let own = indices(shape(slot))[1];
        let mut state = scene.state(slot);
        state.insert(index, forged.root());
        let header = Header::new(slot, shape(slot), node(&state, 1), shape(slot));
        let branch = padded(branch(&state, index), usize::try_from(own.ilog2()).unwrap_or(0));
        let bootstrap = Bootstrap { committee: listed(&forged), branch, header };
        let checkpoint = bootstrap.header.root().to_vec();
        Case { comment, flag, checkpoint, steps: vec![] }.refuse(
            "bootstrap",
            bootstrap.ssz(),
            COMMITTEE,
        )
    };
    let stray = sha256(&[b"stray"]);
    let signed = |comment, slot: u64, index: u64| {
        let own = indices(shape(slot))[0];
        let finalized = scene.block(Scene::finalized(slot) - 1);
        let mut state = scene.state(slot);
        state.insert(index, finalized.root());
        state.insert(own, stray);
        let mut update = scene.update_over(slot, &state);
        update.finality_branch =
            padded(branch(&state, index), usize::try_from(own.ilog2()).unwrap_or(0));
        update.finalized = finalized;
        let start = slot - 36;
        scene.at(flag, comment, start).refuse("finality", update.ssz("finality"), FINALITY)
    };
    let handed = |comment, slot: u64, index: u64| {
        let own = indices(shape(slot))[2];
        let mut state = scene.state(slot);
        state.insert(index, forged.root());
        state.insert(own, stray);
        let mut update = scene.update_over(slot, &state);
        update.next = listed(&forged);
        update.next_branch =
            padded(branch(&state, index), usize::try_from(own.ilog2()).unwrap_or(0));
        scene.at(flag, comment, slot - 36).refuse("update", update.ssz("update"), COMMITTEE)
    };
    vec![
        pinned("Electra's state, the committee at Altair's index", 404, 54),
        pinned("Deneb's state, the committee in the next one's place", 276, 55),
        pinned("Gloas' state, the committee at Electra's index", 532, 86),
        signed("Electra's state, the finalized root at Altair's index", 440, 105),
        signed("Deneb's state, the finalized root beside its place", 312, 104),
        signed("Gloas' state, the finalized root at Electra's index", 568, 169),
        handed("Electra's state, the next committee at Altair's index", 440, 55),
        handed("Gloas' state, the next committee at Electra's index", 568, 87),
    ]
}

/// SSZ has one length for a branch.
fn lengths(scene: &Scene) -> Vec<Case> {
    let flag = "OtherDepth";
    let zero = [0; 32];
    let one = |comment, form, change: &dyn Fn(&mut Update)| {
        update(scene, form, (flag, comment), change, "decode.ssz")
    };
    vec![
        one("a finality branch without its last node", "finality", &|it| {
            it.finality_branch.pop();
        }),
        one("a finality branch with a zero node in front", "finality", &|it| {
            it.finality_branch.insert(0, zero);
        }),
        one("a committee's branch without its first node", "update", &|it| {
            it.next_branch.remove(0);
        }),
        one("a committee's branch with a zero node behind", "update", &|it| {
            it.next_branch.push(zero);
        }),
        bootstrap(
            scene,
            404,
            (flag, "a bootstrap's branch of Altair's depth in Electra"),
            &|it| it.branch.truncate(5),
            "decode.ssz",
        ),
        bootstrap(
            scene,
            276,
            (flag, "a bootstrap's branch of Electra's depth in Deneb"),
            &|it| it.branch.insert(0, zero),
            "decode.ssz",
        ),
    ]
}
