//! Execution payloads that are not in the body: of another block, of another shape, behind another
//! branch.

use super::blocks::Header;
use super::committees::update;
use super::scene::{Scene, Update};
use super::tree::{Tree, branch, node};
use crate::light::case::Case;
use crate::light::follow::Scene as _;

const FLAG: &str = "OtherPayload";
const EXECUTION: &str = "verify.execution";

pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = attested(scene);
    cases.extend(finalized(scene));
    cases.extend(seams(scene));
    cases.extend(gloas(scene));
    cases.extend(unsigned(scene));
    cases
}

fn attested(scene: &Scene) -> Vec<Case> {
    let one = |comment, change: &dyn Fn(&mut Header)| {
        let change = |it: &mut Update| change(&mut it.attested);
        update(scene, "optimistic", (FLAG, comment), &change, EXECUTION)
    };
    let other = scene.block(439);
    vec![
        one("another block hash", &|it| it.payload.hash[0] ^= 1),
        one("another block number", &|it| {
            it.payload.number += 1;
            it.payload.time += 1;
        }),
        one("another state root of the execution chain", &|it| it.payload.state_root[0] ^= 1),
        one("another byte of extra data", &|it| it.payload.extra[0] ^= 1),
        one("a zero byte more of extra data", &|it| it.payload.extra.push(0)),
        one("other blob gas", &|it| it.payload.blobs[1] += 1),
        one("the payload of the block before", &|it| it.payload = other.payload.clone()),
        one("payload and branch of the block before", &|it| {
            it.payload = other.payload.clone();
            it.execution_branch.clone_from(&other.execution_branch);
        }),
        one("a node of the execution branch changed", &|it| it.execution_branch[2][7] ^= 1),
        one("another body", &|it| it.body_root[0] ^= 1),
        one("no payload", &|it| {
            it.has_payload = false;
            it.execution_branch.fill([0; 32]);
        }),
    ]
}

fn finalized(scene: &Scene) -> Vec<Case> {
    let one = |comment, change: &dyn Fn(&mut Header)| {
        let change = |it: &mut Update| change(&mut it.finalized);
        update(scene, "finality", (FLAG, comment), &change, EXECUTION)
    };
    vec![
        one("a finalized header with another block hash", &|it| it.payload.hash[0] ^= 1),
        one("a finalized header with another branch", &|it| it.execution_branch[0][0] ^= 1),
    ]
}

/// A header of one shape in the container of the next.
fn seams(scene: &Scene) -> Vec<Case> {
    let after = |comment, fork: u64, change: &dyn Fn(&mut Header)| {
        let mut update = scene.update(fork + 3);
        change(&mut update.finalized);
        scene.beyond(FLAG, comment, fork - 44, fork - 8).refuse(
            "finality",
            update.ssz("finality"),
            EXECUTION,
        )
    };
    let padding = |comment, node: usize, byte: usize| {
        after(comment, 512, &|it| it.execution_branch[node][byte] = 1)
    };
    vec![
        after("a payload before blocks had one", 128, &|it| it.has_payload = true),
        after("an execution branch before blocks had a payload", 128, &|it| {
            it.execution_branch[3][31] = 1;
        }),
        after("blob gas used before blocks had blobs", 256, &|it| it.payload.blobs[0] = 1),
        after("excess blob gas before blocks had blobs", 256, &|it| it.payload.blobs[1] = 1),
        padding("the first padding node of a shorter branch is not zero", 0, 0),
        padding("the last padding node of a shorter branch is not zero", 1, 31),
        after("padding behind the branch, not before it", 512, &|it| {
            it.execution_branch.rotate_left(2);
        }),
        after("another block hash in the shape of Gloas", 512, &|it| it.payload.hash[0] ^= 1),
    ]
}

/// Gloas signs the block's hash alone.
fn gloas(scene: &Scene) -> Vec<Case> {
    let one = |comment, change: &dyn Fn(&mut Header)| {
        let mut update = scene.update(568);
        change(&mut update.attested);
        scene.at(FLAG, comment, 532).refuse("optimistic", update.ssz("optimistic"), EXECUTION)
    };
    // A body that holds the hash at the index that it has in Electra's.
    let mut body = Tree::new();
    body.insert(812, scene.block(568).payload.hash);
    let (root, nodes) = (node(&body, 1), branch(&body, 812));
    let mut moved = scene.update(568);
    moved.attested.body_root = root;
    moved.attested.execution_branch = [vec![[0; 32]; 2], nodes].concat();
    scene.sign(&mut moved, &scene.everyone());
    vec![
        one("another block hash in Gloas", &|it| it.payload.hash[0] ^= 1),
        one("a block hash of zeros in Gloas", &|it| it.payload.hash = [0; 32]),
        one("a node of Gloas' execution branch changed", &|it| it.execution_branch[10][0] ^= 1),
        scene.at("OtherIndex", "Gloas' body, the block hash at Electra's index", 532).refuse(
            "optimistic",
            moved.ssz("optimistic"),
            EXECUTION,
        ),
    ]
}

/// Changes of a header that its payload does not see.
fn unsigned(scene: &Scene) -> Vec<Case> {
    let one = |comment, change: &dyn Fn(&mut Header)| {
        let change = |it: &mut Update| change(&mut it.attested);
        update(scene, "optimistic", ("HeaderChanged", comment), &change, "verify.signature")
    };
    let in_altair = |comment, change: &dyn Fn(&mut Header)| {
        let mut update = scene.update(56);
        change(&mut update.attested);
        scene.at("HeaderChanged", comment, 20).refuse(
            "optimistic",
            update.ssz("optimistic"),
            "verify.signature",
        )
    };
    vec![
        one("an earlier slot", &|it| it.slot -= 1),
        one("another proposer", &|it| it.proposer += 1),
        one("another parent", &|it| it.parent_root[0] ^= 1),
        one("another state", &|it| it.state_root[0] ^= 1),
        in_altair("another body in Altair", &|it| it.body_root[0] ^= 1),
        in_altair("another state in Altair", &|it| it.state_root[31] ^= 1),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::light::beacon::rules::Shape;

    /// Gloas' container around an Electra block: two zero nodes in front, as the spec normalizes
    /// it.
    #[test]
    fn the_seam_to_gloas_is_padded() {
        let finalized = Scene::new(8).update(515).finalized;
        assert_eq!((finalized.slot, finalized.container), (496, Shape::Gloas));
        assert_eq!(finalized.execution_branch[..2], [[0; 32]; 2]);
        assert_ne!(finalized.execution_branch[2], [0; 32]);
    }
}
