//! The beacon chain: small synthetic sync committees sign blocks of every fork, in SSZ.
//!
//! Trees, containers and generalized indices are written here from the specs, apart from core's.
//! The keys are INSECURE.

mod answers;
mod blocks;
mod committees;
mod containers;
mod few;
mod forks;
pub mod mainnet;
pub mod network;
mod order;
mod payloads;
pub mod recording;
pub mod rules;
mod scene;
mod sepolia;
mod settings;
mod signers;
mod ssz;
mod stores;
mod tree;
mod valid;

use super::case::Group;
use super::follow::Scene as _;
use rules::SIZE;
use scene::Scene;

/// Every case of the beacon chain.
pub(super) fn groups() -> Vec<Group> {
    let scene = Scene::new(SIZE);
    let mut cases = valid::cases(&scene);
    cases.extend(signers::cases(&scene));
    cases.extend(committees::cases(&scene));
    cases.extend(few::cases(&scene));
    cases.extend(payloads::cases(&scene));
    cases.extend(order::cases(&scene));
    cases.extend(containers::cases(&scene));
    cases.extend(stores::cases(&scene));
    cases.extend(checkpoints(&scene));
    let large = Scene::new(32);
    let mut groups = vec![
        Group { setting: scene.setting(), cases },
        Group { setting: large.setting(), cases: valid::large(&large) },
    ];
    groups.extend(settings::groups(&scene));
    groups.extend(forks::groups(&scene));
    groups.extend(sepolia::groups());
    groups
}

/// Pins that are none, or of another block.
fn checkpoints(scene: &Scene) -> Vec<super::case::Case> {
    let honest = scene.bootstrap(404).ssz();
    let root = scene.block(404).root();
    let pinned = |comment, checkpoint: &[u8], code| {
        let mut case = scene.before("BadCheckpoint", comment, 404);
        case.checkpoint = checkpoint.to_vec();
        case.refuse("bootstrap", honest.clone(), code)
    };
    let (input, verify) = ("input.checkpoint", "verify.checkpoint");
    vec![
        pinned("no checkpoint for Ethereum", &[], input),
        pinned("a checkpoint of zeros for Ethereum", &[0; 32], input),
        pinned("31 bytes of a root", &root[..31], input),
        pinned("33 bytes with a root in front", &[root.as_slice(), &[0]].concat(), input),
        pinned("the root of another block", &scene.block(405).root(), verify),
        pinned(
            "the execution block's hash in place of the root",
            &scene.block(404).payload.hash,
            verify,
        ),
        pinned("the state's root in place of the block's", &scene.block(404).state_root, verify),
    ]
}
