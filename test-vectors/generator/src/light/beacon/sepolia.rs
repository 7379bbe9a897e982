//! Gloas on Sepolia, by the network's own configuration: 512 keys, over the fork's first slot and
//! beyond it.
//!
//! The chain is synthetic and its keys are INSECURE; epochs, versions, genesis and sizes are the
//! network's (eth-clients, `sepolia/metadata/config.yaml`).

use super::rules::{Fork, Rules, Shape};
use super::scene::{Scene, Update, indices};
use super::tree::{Tree, branch, node};
use crate::light::case::{Case, Group, Setting};
use crate::light::follow::Scene as _;

const FLAG: &str = "Sepolia";

/// Epochs, versions and shapes, from Altair on.
const FORKS: &[Fork] = &[
    (50, [0x90, 0, 0, 0x70], Shape::Altair),
    (100, [0x90, 0, 0, 0x71], Shape::Altair),
    (56_832, [0x90, 0, 0, 0x72], Shape::Capella),
    (132_608, [0x90, 0, 0, 0x73], Shape::Deneb),
    (222_464, [0x90, 0, 0, 0x74], Shape::Electra),
    (272_640, [0x90, 0, 0, 0x75], Shape::Electra),
    (353_024, [0x90, 0, 0, 0x76], Shape::Gloas),
];

const RULES: Rules = Rules {
    size: 512,
    slots_per_epoch: 32,
    epochs_per_period: 256,
    seconds_per_slot: 12,
    genesis_time: 1_655_733_600,
    validators: [
        0xd8, 0xea, 0x17, 0x1f, 0x3c, 0x94, 0xae, 0xa2, 0x1e, 0xbc, 0x42, 0xa1, 0xed, 0x61, 0x05,
        0x2a, 0xcf, 0x3f, 0x92, 0x09, 0xc0, 0x0e, 0x4e, 0xfb, 0xaa, 0xdd, 0xac, 0x09, 0xed, 0x9b,
        0x80, 0x78,
    ],
    forks: FORKS,
};

const GENESIS: [u8; 32] = [
    0x25, 0xa5, 0xcc, 0x10, 0x6e, 0xea, 0x71, 0x38, 0xac, 0xab, 0x33, 0x23, 0x1d, 0x71, 0x60, 0xd6,
    0x9c, 0xb7, 0x77, 0xee, 0x0c, 0x2c, 0x55, 0x3f, 0xcd, 0xdf, 0x51, 0x38, 0x99, 0x3e, 0x6d, 0xd9,
];

/// Gloas' first slot, which is a period's first too.
const GLOAS: u64 = 353_024 * 32;
/// A checkpoint in Fulu, and a block after it that brings the committee of Gloas' first period.
const START: u64 = GLOAS - 2_000;
const BEFORE: u64 = GLOAS - 200;
/// A block of Gloas that finalizes one of Fulu, and one that finalizes one of Gloas.
const SEAM: u64 = GLOAS + 10;
const AFTER: u64 = GLOAS + 200;

const OPTIMISTIC: &str = "optimistic";
const FINALITY: &str = "finality";

pub(super) fn groups() -> Vec<Group> {
    let scene = Scene::of(RULES, START);
    let known = Scene::of(Rules { forks: FORKS.split_at(6).0, ..RULES }, START);
    let setting =
        |scene: &Scene| Setting { chain_id: 11_155_111, genesis_hash: GENESIS, ..scene.setting() };
    let cases = vec![seam(&scene), begun(&scene)];
    vec![
        Group { setting: setting(&scene), cases },
        Group { setting: setting(&known), cases: vec![unknown(&scene)] },
    ]
}

fn changed(update: &Update, form: &str, change: impl Fn(&mut Update)) -> Vec<u8> {
    let mut update = update.clone();
    change(&mut update);
    update.ssz(form)
}

/// A client in Fulu that knows the committee of Gloas' first period.
fn before(scene: &Scene, comment: &'static str) -> Case {
    scene.take(scene.at(FLAG, comment, START), "update", BEFORE, (RULES.finalized(BEFORE), true))
}

fn seam(scene: &Scene) -> Case {
    let all = scene.everyone();
    let signed_for = |slot, version: u8| {
        let change = |it: &mut Update| scene.sign_for(it, &all, [0x90, 0, 0, version]);
        changed(&scene.update(slot), OPTIMISTIC, change)
    };
    let signature = "verify.signature";
    let mut case =
        before(scene, "from Fulu over the first slots of Gloas, what is wrong refused on the way")
            .refuse(OPTIMISTIC, signed_for(GLOAS - 1, 0x76), signature)
            .refuse(OPTIMISTIC, signed_for(GLOAS - 1, 0x74), signature);
    let held = RULES.finalized(BEFORE);
    case = scene.taken(case, OPTIMISTIC, GLOAS - 1, scene.holds(held, true, GLOAS - 1));
    case = at_the_seam(scene, case)
        .refuse(OPTIMISTIC, signed_for(SEAM, 0x75), signature)
        // For the fork after Gloas, as far as anyone can count.
        .refuse(OPTIMISTIC, signed_for(SEAM, 0x77), "chain.fork");
    case = scene.taken(case, FINALITY, SEAM, scene.holds(RULES.finalized(SEAM), true, SEAM));
    case = in_gloas(scene, case);
    case = scene.taken(case, "update", AFTER, scene.holds(RULES.finalized(AFTER), true, AFTER));
    scene.taken(case, OPTIMISTIC, AFTER + 1, scene.holds(RULES.finalized(AFTER), true, AFTER + 1))
}

/// A body in which node `index` is the parent block's hash.
fn other_place(update: &mut Update, index: u64) {
    let body = Tree::from([(index, update.attested.payload.hash)]);
    update.attested.body_root = node(&body, 1);
    update.attested.execution_branch = branch(&body, index);
}

fn at_the_seam(scene: &Scene, case: Case) -> Case {
    let honest = scene.update(SEAM);
    let all = scene.everyone();
    let finality = |change: &dyn Fn(&mut Update)| changed(&honest, FINALITY, change);
    let header = |index: u64| {
        changed(&honest, OPTIMISTIC, |it| {
            other_place(it, index);
            scene.sign(it, &all);
        })
    };
    let state = scene.state(SEAM);
    case
        // The depth that Fulu's state had, and that of the committees' branches.
        .refuse(FINALITY, finality(&|it| it.finality_branch.truncate(7)), "decode.ssz")
        .refuse(FINALITY, finality(&|it| it.finality_branch.resize(11, [0; 32])), "decode.ssz")
        .refuse(
            FINALITY,
            finality(&|it| it.finality_branch = branch(&state, 734)),
            "verify.finality",
        )
        .refuse(FINALITY, finality(&|it| it.finality_branch[8][0] ^= 1), "verify.finality")
        // Its block is Fulu's: two nodes of padding stand before the branch.
        .refuse(
            FINALITY,
            finality(&|it| it.finalized.execution_branch[0][31] = 1),
            "verify.execution",
        )
        .refuse(FINALITY, finality(&|it| it.finalized.payload.hash[0] ^= 1), "verify.execution")
        .refuse(OPTIMISTIC, header(2857), "verify.execution")
        .refuse(OPTIMISTIC, header(2855), "verify.execution")
        .refuse(
            OPTIMISTIC,
            changed(&honest, OPTIMISTIC, |it| it.attested.execution_branch.truncate(4)),
            "decode.ssz",
        )
}

fn in_gloas(scene: &Scene, case: Case) -> Case {
    let honest = scene.update(AFTER);
    let [_, current, _] = indices(Shape::Gloas);
    let state = scene.state(AFTER);
    let update = |change: &dyn Fn(&mut Update)| changed(&honest, "update", change);
    case.refuse(
        "update",
        update(&|it| it.next_branch = branch(&state, current)),
        "verify.committee",
    )
    .refuse("update", update(&|it| it.next_branch.truncate(6)), "decode.ssz")
}

fn begun(scene: &Scene) -> Case {
    let slot = AFTER + 300;
    let [_, _, next] = indices(Shape::Gloas);
    let honest = scene.bootstrap(slot);
    let mut other = honest.clone();
    other.branch = branch(&scene.state(slot), next);
    let mut short = honest.clone();
    short.branch.truncate(6);
    let later = slot + 100;
    let case = scene
        .before(FLAG, "a checkpoint in Gloas", slot)
        .refuse("bootstrap", other.ssz(), "verify.committee")
        .refuse("bootstrap", short.ssz(), "decode.ssz")
        .with("bootstrap", honest.ssz(), None, Ok(scene.holds(slot, false, slot)));
    scene.taken(case, FINALITY, later, scene.holds(RULES.finalized(later), false, later))
}

/// A client that was made before Gloas was scheduled.
fn unknown(scene: &Scene) -> Case {
    let case = before(scene, "a table that ends with Fulu");
    let fork = "chain.fork";
    let mut skipped = scene.update(GLOAS - 3);
    skipped.signature_slot = GLOAS + 2;
    scene.sign(&mut skipped, &scene.everyone());
    let mut stranger = skipped.clone();
    stranger.signature = scene.update(GLOAS - 4).signature;
    let held = RULES.finalized(BEFORE);
    let case = case
        .refuse(FINALITY, scene.update(SEAM).ssz(FINALITY), fork)
        .refuse(OPTIMISTIC, scene.update(SEAM).ssz(OPTIMISTIC), fork)
        // The committee itself shows it.
        .refuse(OPTIMISTIC, skipped.ssz(OPTIMISTIC), fork)
        .refuse(OPTIMISTIC, stranger.ssz(OPTIMISTIC), "verify.signature")
        .refuse("bootstrap", scene.bootstrap(AFTER).ssz(), fork);
    scene.taken(case, OPTIMISTIC, GLOAS - 1, scene.holds(held, true, GLOAS - 1))
}
