//! Committees that must be refused: not those that the header names, or named and broken.

use super::case::{Block, Case, State};
use super::follow::Scene as _;
use super::points;
use super::scene::Scene;
use lightproof_prover::chain::committee::forms::{Bootstrap, Listed, Update, listed};
use lightproof_prover::chain::committee::{Committee, KEY_BYTES, SIGNATURE_BYTES, root};
use lightproof_prover::chain::header::Header;
use lightproof_prover::hash::{Word, sha256};

pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = unnamed(scene);
    cases.extend(shapes(scene));
    cases.extend(broken(scene));
    cases.extend(known(scene));
    cases.extend(cancelling(scene));
    cases
}

/// A committee as it is sent, beside no other.
pub(super) fn whole(committee: &Committee) -> Listed {
    Listed {
        keys: committee.keys(),
        aggregate: committee.aggregate().to_vec(),
        proofs: committee.proofs(),
        sibling: vec![],
    }
}

/// A client at block 2 is sent a changed update of block 3.
fn update(
    scene: &Scene,
    flag: &'static str,
    comment: &'static str,
    change: &dyn Fn(&mut Listed),
    code: &'static str,
) -> Case {
    let mut update = scene.update(3);
    update.next.iter_mut().for_each(change);
    scene.at(flag, comment, 2).refuse("update", update.encode(), code)
}

/// A client that pins block 2 is sent a changed bootstrap.
fn bootstrap(
    scene: &Scene,
    flag: &'static str,
    comment: &'static str,
    change: &dyn Fn(&mut Listed),
    code: &'static str,
) -> Case {
    let mut bootstrap = scene.bootstrap(2);
    change(&mut bootstrap.committee);
    scene.before(flag, comment, 2).refuse("bootstrap", bootstrap.encode(), code)
}

fn swap(committee: &mut Listed) {
    committee.keys[..2 * KEY_BYTES].rotate_left(KEY_BYTES);
}

fn first_as_sum(committee: &mut Listed) {
    committee.aggregate = committee.keys[..KEY_BYTES].to_vec();
}

fn unnamed(scene: &Scene) -> Vec<Case> {
    let all = &scene.committees;
    let foreign_key = all.of(9).keys()[..KEY_BYTES].to_vec();
    let other_key = |listed: &mut Listed| listed.keys[..KEY_BYTES].copy_from_slice(&foreign_key);
    let replaced = |period, sibling| move |to: &mut Listed| *to = listed(all, period, sibling);
    let (flag, code) = ("OtherCommittee", "verify.committee");
    let next = |comment, change: &dyn Fn(&mut Listed)| update(scene, flag, comment, change, code);
    let own = |comment, change: &dyn Fn(&mut Listed)| bootstrap(scene, flag, comment, change, code);
    vec![
        next("an update with two keys exchanged", &swap),
        next("an update with a key of another committee", &other_key),
        next("an update whose aggregate is the first key", &first_as_sum),
        next("an update with the committee of a later period", &replaced(2, 0)),
        next("an update with the signing committee as the next", &replaced(0, 0)),
        next("an update with the two committees exchanged", &replaced(0, 1)),
        next("an update with another sibling", &|listed| listed.sibling = vec![7; 32]),
        own("a bootstrap with two keys exchanged", &swap),
        own("a bootstrap with a key of another committee", &other_key),
        own("a bootstrap whose aggregate is the first key", &first_as_sum),
        own("a bootstrap with the next committee", &replaced(1, 0)),
        own("a bootstrap with a committee of another period", &replaced(5, 1)),
        own("a bootstrap with another sibling", &|listed| listed.sibling = vec![7; 32]),
    ]
}

fn shapes(scene: &Scene) -> Vec<Case> {
    let (flag, code) = ("BadShape", "decode.shape");
    let next = |comment, change: &dyn Fn(&mut Listed)| update(scene, flag, comment, change, code);
    let own = |comment, change: &dyn Fn(&mut Listed)| bootstrap(scene, flag, comment, change, code);
    let seven = |listed: &mut Listed| listed.keys.truncate(7 * KEY_BYTES);
    let nine = |listed: &mut Listed| listed.keys.extend([0; KEY_BYTES]);
    vec![
        next("an update of 7 keys", &seven),
        next("an update of 9 keys", &nine),
        next("an update with an aggregate of 47 bytes", &|listed| listed.aggregate.truncate(47)),
        next("an update with a sibling of 31 bytes", &|listed| listed.sibling.truncate(31)),
        own("a bootstrap of 7 keys", &seven),
        own("a bootstrap of 9 keys", &nine),
        own("a bootstrap with a sibling of 33 bytes", &|listed| listed.sibling.push(0)),
    ]
}

/// A committee changed, and the root that it has then.
fn made(committee: &Committee, change: &dyn Fn(&mut Listed)) -> (Listed, Word) {
    let mut listed = whole(committee);
    change(&mut listed);
    let aggregate = listed.aggregate.first_chunk().copied().unwrap_or([0; KEY_BYTES]);
    let root = root(listed.keys.as_chunks().0, &aggregate);
    (listed, root)
}

fn of_small(secrets: &[i64]) -> (Listed, Word) {
    made(&Committee::of_small(secrets), &|_| {})
}

/// Block `number` as a chain makes it whose committees have these roots.
pub(super) fn naming(scene: &Scene, number: u64, roots: [&Word; 2]) -> Header {
    let committee_root = sha256(&[roots[0], roots[1]]);
    Header { committee_root, ..scene.header(number).clone() }
}

/// An update in which committee 0 truly signs for the committee after it.
pub(super) fn signed_for(scene: &Scene, number: u64, (next, root): (Listed, Word)) -> Update {
    let own = scene.committees.of(0).root();
    let header = naming(scene, number, [&own, &root]);
    let next = Some(Listed { sibling: own.to_vec(), ..next });
    Update { next, ..scene.signed(0, header.encode()) }
}

/// The header names the committee, so only its keys themselves tell.
fn broken(scene: &Scene) -> Vec<Case> {
    let honest = scene.committees.of(1);
    let with_first =
        |first: &[u8]| made(&honest, &|it| it.keys[..KEY_BYTES].copy_from_slice(first));
    let first_key = honest.keys().first_chunk().copied().unwrap_or([0; KEY_BYTES]);
    let uncompressed = {
        let mut key = first_key;
        key[0] &= 0x7f;
        key
    };
    let named = [
        ("the aggregate is not the sum", made(&honest, &first_as_sum), "verify.committee"),
        ("a key at infinity", of_small(&[0, 1, 2, 3, 4, 5, 6, 7]), "decode.point"),
        ("keys that add up to infinity", of_small(&[1, -1, 2, -2, 3, -3, 4, -4]), "decode.point"),
        ("a key not on the curve", with_first(&points::off_curve_g1()), "decode.point"),
        ("a key not in the subgroup", with_first(&points::off_subgroup_g1()), "decode.point"),
        ("a key not marked as compressed", with_first(&uncompressed), "decode.point"),
    ];
    let flag = "BrokenCommittee";
    let both =
        named.into_iter().flat_map(|(comment, bad, code)| both(scene, flag, comment, bad, code));
    both.collect()
}

/// A committee that a trusted header names is refused as the next one, and as the one of a
/// checkpoint.
pub(super) fn both(
    scene: &Scene,
    flag: &'static str,
    comment: &'static str,
    (bad, root): (Listed, Word),
    code: &'static str,
) -> [Case; 2] {
    let update = signed_for(scene, 3, (bad.clone(), root)).encode();
    let after = scene.committees.of(1).root();
    let header = naming(scene, 2, [&root, &after]);
    let committee = Listed { sibling: after.to_vec(), ..bad };
    let bootstrap = Bootstrap { header: header.encode(), committee }.encode();
    let pinned = Case { comment, flag, checkpoint: header.hash().to_vec(), steps: vec![] };
    [
        scene.at(flag, comment, 2).refuse("update", update, code),
        pinned.refuse("bootstrap", bootstrap, code),
    ]
}

/// A second, truly signed word about the next committee.
fn known(scene: &Scene) -> Vec<Case> {
    let other = || of_small(&[1, 2, 3, 4, 5, 6, 7, 8]);
    let brings = scene.update(1).encode();
    let knows = |comment| {
        scene.at("SecondCommittee", comment, 2).with(
            "update",
            brings.clone(),
            Some(super::case::NO_CLOCK),
            Ok(scene.state(2, true)),
        )
    };
    let update = signed_for(scene, 3, other());
    let finality = Update { next: None, ..update.clone() };
    vec![
        knows("an update with another next committee than the known one").refuse(
            "update",
            update.encode(),
            "verify.committee",
        ),
        knows("a finality whose header names another next committee than the known one").refuse(
            "finality",
            finality.encode(),
            "verify.committee",
        ),
    ]
}

/// A naive check takes infinity for everyone's signature when the participants' keys cancel.
fn cancelling(scene: &Scene) -> Vec<Case> {
    let (own, root) = of_small(&[1, -1, 2, -2, 3, -3, 4, 5]);
    let after = scene.committees.of(1).root();
    let pinned = naming(scene, 2, [&root, &after]);
    let committee = Listed { sibling: after.to_vec(), ..own };
    let bootstrap = Bootstrap { header: pinned.encode(), committee }.encode();
    let honest = scene.state(2, false);
    let finalized = Block { hash: pinned.hash(), ..honest.finalized };
    let state = State { finalized, ..honest };
    let header = naming(scene, 3, [&root, &after]).encode();
    let signed = Update { bits: vec![0b0011_1111], ..scene.signed(1, header) };
    let refused = |comment, signature: Vec<u8>, code| {
        let checkpoint = pinned.hash().to_vec();
        let finality = Update { signature, ..signed.clone() }.encode();
        Case { comment, flag: "KeysCancel", checkpoint, steps: vec![] }
            .with("bootstrap", bootstrap.clone(), None, Ok(state))
            .refuse("finality", finality, code)
    };
    vec![
        refused("the participants' keys cancel", signed.signature.clone(), "verify.signature"),
        refused(
            "the participants' keys cancel, and the signature is infinity",
            points::infinity::<SIGNATURE_BYTES>(),
            "decode.point",
        ),
    ]
}
