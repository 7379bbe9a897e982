//! Clients that pin another chain than the one that is served, or none that there can be.

use super::rules::{Fork, RULES, Rules, Shape};
use super::scene::Scene;
use crate::light::case::{Case, Consensus, Group, NO_CLOCK, Setting};
use crate::light::follow::Scene as _;

/// The versions of another network.
const OTHER_VERSIONS: &[Fork] = &[
    (0, [0x90, 0, 0, 0x70], Shape::Altair),
    (16, [0x90, 0, 0, 0x72], Shape::Capella),
    (32, [0x90, 0, 0, 0x73], Shape::Deneb),
    (48, [0x90, 0, 0, 0x74], Shape::Electra),
];

/// A chain on which Electra comes later.
const LATER: &[Fork] = &[
    (0, [1, 0, 0, 1], Shape::Altair),
    (32, [4, 0, 0, 1], Shape::Deneb),
    (52, [5, 0, 0, 1], Shape::Electra),
];

/// A table that begins after the pinned block.
const ENDS: &[Fork] = &[(56, [6, 0, 0, 1], Shape::Electra)];

const DESCENDING: &[Fork] = &[(8, [1, 0, 0, 1], Shape::Altair), (0, [2, 0, 0, 1], Shape::Capella)];
const BACKWARDS: &[Fork] = &[(0, [1, 0, 0, 1], Shape::Deneb), (8, [2, 0, 0, 1], Shape::Capella)];
const UNKNOWN: &[Fork] = &[(0, [0, 0, 0, 1], Shape::Unknown)];
const MANY: &[Fork] = &[(0, [1, 0, 0, 1], Shape::Altair); 65];

pub(super) fn groups(scene: &Scene) -> Vec<Group> {
    let chain = |rules| Setting { consensus: Consensus::Beacon(rules), ..scene.setting() };
    let start = |comment, code| {
        let bytes = scene.bootstrap(404).ssz();
        scene.before("OtherSetting", comment, 404).refuse("bootstrap", bytes, code)
    };
    let follow = |comment| {
        let bytes = scene.update(440).ssz("update");
        scene.at("OtherSetting", comment, 404).refuse("update", bytes, "verify.signature")
    };
    let group = |rules, case: Case| Group { setting: chain(rules), cases: vec![case] };
    let other = Rules { validators: [0x43; 32], ..RULES };
    let versions = Rules { forks: OTHER_VERSIONS, ..RULES };
    let longer = Rules { epochs_per_period: 16, ..RULES };
    let mut groups = vec![
        group(other, follow("a client of another genesis validators root")),
        group(versions, follow("a client of another network's fork versions")),
        group(
            Rules { forks: LATER, ..RULES },
            start("a client that knows another epoch of the fork", "decode.ssz"),
        ),
        group(
            Rules { forks: ENDS, ..RULES },
            start("a client whose fork table begins later", "decode.ssz"),
        ),
        group(Rules { size: 16, ..RULES }, start("a client of larger committees", "decode.ssz")),
        group(longer, longer_periods(scene)),
    ];
    let nonsense = [
        ("committees of fewer than 8 keys", Rules { size: 4, ..RULES }),
        ("committees of no power of two", Rules { size: 12, ..RULES }),
        ("committees of more than 512 keys", Rules { size: 1024, ..RULES }),
        ("epochs of no slots", Rules { slots_per_epoch: 0, ..RULES }),
        ("periods of no epochs", Rules { epochs_per_period: 0, ..RULES }),
        ("slots of no time", Rules { seconds_per_slot: 0, ..RULES }),
        ("no forks", Rules { forks: &[], ..RULES }),
        ("forks in another order than their epochs'", Rules { forks: DESCENDING, ..RULES }),
        ("a fork that goes back to an older shape", Rules { forks: BACKWARDS, ..RULES }),
        ("a shape that there is not", Rules { forks: UNKNOWN, ..RULES }),
        ("more than 64 forks", Rules { forks: MANY, ..RULES }),
    ];
    groups.extend(nonsense.map(|(comment, rules)| group(rules, start(comment, "input.chain"))));
    groups
}

/// It takes the next period's committee for one that does not sign yet.
fn longer_periods(scene: &Scene) -> Case {
    let comment = "a client with periods of twice the length";
    let mut held = scene.holds(404, false, 404);
    held.period = 404 / 128;
    let bytes = scene.update(450).ssz("optimistic");
    scene
        .before("OtherSetting", comment, 404)
        .with("bootstrap", scene.bootstrap(404).ssz(), None, Ok(held))
        .with("optimistic", bytes, Some(NO_CLOCK), Err("verify.signature"))
}
