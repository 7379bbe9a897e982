//! Who signed, and what: signatures that must be refused.

use super::rules::{VALIDATORS, fork};
use super::scene::{DOMAIN, Scene, Update, indices, listed, message, period};
use super::tree::{branch, leaf, node, pair};
use crate::light::case::Case;
use crate::light::follow::Scene as _;
use crate::light::points::{self, infinity};
use lightproof_prover::chain::committee::Committee;
use lightproof_prover::hash::sha256;

const ALL: &[u8] = &[0xff];

pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = bits(scene);
    cases.extend(messages(scene));
    cases.extend(committees(scene));
    cases.extend(signatures(scene));
    cases.extend(keys(scene));
    cases
}

/// A client in Electra is sent a changed header of slot 440, which everyone signed.
fn changed(
    scene: &Scene,
    flag: &'static str,
    comment: &'static str,
    change: &dyn Fn(&mut Update),
    code: &'static str,
) -> Case {
    let mut update = scene.update(440);
    change(&mut update);
    scene.at(flag, comment, 404).refuse("optimistic", update.ssz("optimistic"), code)
}

fn bits(scene: &Scene) -> Vec<Case> {
    let one = |flag, comment, change: &dyn Fn(&mut Update), code| {
        changed(scene, flag, comment, change, code)
    };
    let nobody =
        |update: &mut Update| (update.bits, update.signature) = (vec![0], infinity::<96>());
    let mut update = scene.update(440);
    nobody(&mut update);
    vec![
        one(
            "FewSigners",
            "nobody signed, and the signature is infinity",
            &nobody,
            "verify.participation",
        ),
        scene.at("FewSigners", "nobody signed an update", 404).refuse(
            "update",
            update.ssz("update"),
            "verify.participation",
        ),
        one(
            "BitFlipped",
            "one who signed is said not to have",
            &|update| update.bits[0] ^= 0x10,
            "verify.signature",
        ),
        one(
            "BitFlipped",
            "one who did not sign is said to have",
            &|update| {
                scene.sign(update, &[0b0111_1111]);
                update.bits[0] = 0xff;
            },
            "verify.signature",
        ),
        one(
            "BitFlipped",
            "the bits in the other order",
            &|update| {
                scene.sign(update, &[0b1111_1100]);
                update.bits[0] = 0b0011_1111;
            },
            "verify.signature",
        ),
        one("BadSsz", "bits of two bytes", &|update| update.bits.push(0), "decode.ssz"),
        one("BadSsz", "no bits", &|update| update.bits.clear(), "decode.ssz"),
    ]
}

fn messages(scene: &Scene) -> Vec<Case> {
    let root = scene.block(440).root();
    let version = |slot| fork(slot).1;
    let (own, current) = (version(440), scene.committees.of(6));
    let over = |comment, signed| {
        let signature = current.sign(ALL, &signed).to_vec();
        let change = |update: &mut Update| update.signature.clone_from(&signature);
        changed(scene, "OtherMessage", comment, &change, "verify.signature")
    };
    let before = scene.block(439).root();
    let mut cases = vec![
        over("the version of the fork before", message(&root, DOMAIN, version(300), &VALIDATORS)),
        over("the version of the fork after", message(&root, DOMAIN, version(450), &VALIDATORS)),
        over("the version of no fork", message(&root, DOMAIN, [9; 4], &VALIDATORS)),
        over(
            "the genesis validators root of another network",
            message(&root, DOMAIN, own, &[0x43; 32]),
        ),
        over("the domain of attesters", message(&root, [1, 0, 0, 0], own, &VALIDATORS)),
        over(
            "the domain of a committee's contributions",
            message(&root, [9, 0, 0, 0], own, &VALIDATORS),
        ),
        over("the header's root, without a domain", root),
        over(
            "a domain of the fork's digest alone",
            pair(&root, &leaf(&[DOMAIN.as_slice(), &own].concat())),
        ),
        over("the block before", message(&before, DOMAIN, own, &VALIDATORS)),
    ];
    cases.extend(seam(scene));
    cases
}

/// Signed in the first slots of Fulu: which version counts.
fn seam(scene: &Scene) -> Vec<Case> {
    let signed = |comment, attested, signature_slot, version_of| {
        let mut update = scene.update(attested);
        update.signature_slot = signature_slot;
        let root = update.attested.root();
        let message = message(&root, DOMAIN, fork(version_of).1, &VALIDATORS);
        update.signature = scene.committees.of(period(signature_slot)).sign(ALL, &message).to_vec();
        scene.beyond("OtherMessage", comment, 404, 440).refuse(
            "optimistic",
            update.ssz("optimistic"),
            "verify.signature",
        )
    };
    vec![
        signed("in a fork's first slot, for its version: the slot before counts", 447, 448, 448),
        signed("later in a fork, for the version of the header's slot", 445, 450, 445),
    ]
}

/// True signatures of others.
fn committees(scene: &Scene) -> Vec<Case> {
    let by = |comment, committee| {
        let change = |update: &mut Update| {
            let message = message(&update.attested.root(), DOMAIN, fork(440).1, &VALIDATORS);
            update.signature = scene.committees.of(committee).sign(ALL, &message).to_vec();
        };
        changed(scene, "OtherCommittee", comment, &change, "verify.signature")
    };
    let mut early = scene.update(447);
    let message = message(&early.attested.root(), DOMAIN, fork(447).1, &VALIDATORS);
    early.signature = scene.committees.of(6).sign(ALL, &message).to_vec();
    vec![
        by("signed by the next committee", 7),
        by("signed by the committee before", 5),
        by("signed by a committee of no period near", 19),
        scene
            .beyond(
                "OtherCommittee",
                "the next period's first slot, signed by this period's",
                404,
                440,
            )
            .refuse("optimistic", early.ssz("optimistic"), "verify.signature"),
    ]
}

fn signatures(scene: &Scene) -> Vec<Case> {
    let honest = scene.update(440).signature;
    let case = |(comment, bytes, code): (_, Vec<u8>, _)| {
        let change = |update: &mut Update| update.signature.clone_from(&bytes);
        changed(scene, "BadSignature", comment, &change, code)
    };
    points::bad_signatures(&honest, "decode.ssz").map(case).into()
}

/// The state names a committee that no honest one does; then only the keys themselves tell.
fn keys(scene: &Scene) -> Vec<Case> {
    let honest = scene.committees.of(6);
    let start = |flag, comment, keys: &[u8], root| {
        let index = indices(super::rules::Shape::Electra)[1];
        let mut state = scene.state(404);
        state.insert(index, root);
        let mut bootstrap = scene.bootstrap(404);
        bootstrap.header.state_root = node(&state, 1);
        (bootstrap.committee, bootstrap.branch) = (keys.to_vec(), branch(&state, index));
        let mut held = scene.holds(404, false, 404);
        held.finalized.hash = bootstrap.header.root();
        Case { comment, flag, checkpoint: held.finalized.hash.to_vec(), steps: vec![] }.with(
            "bootstrap",
            bootstrap.ssz(),
            None,
            Ok(held),
        )
    };
    let with_first = |comment, first: &[u8]| {
        let mut bytes = listed(&honest);
        bytes[..48].copy_from_slice(first);
        let root = root_of(&bytes);
        let mut update = scene.update(440);
        // The others: whether they are added up or the first is subtracted, it is read.
        scene.sign(&mut update, &[0b1111_1110]);
        start("BrokenCommittee", comment, &bytes, root).refuse(
            "optimistic",
            update.ssz("optimistic"),
            "decode.point",
        )
    };
    let mut uncompressed = honest.keys()[..48].to_vec();
    uncompressed[0] &= 0x7f;
    let mut other_sum = listed(&honest);
    other_sum[8 * 48..].copy_from_slice(&honest.keys()[..48]);
    let sum_root = root_of(&other_sum);
    let cancels = Committee::of_small(&[1, -1, 2, -2, 3, -3, 4, 5]);
    let cancelling = |comment, signature: Vec<u8>, code| {
        let update = Update { bits: vec![0b0011_1111], signature, ..scene.update(440) };
        start("KeysCancel", comment, &listed(&cancels), cancels.root()).refuse(
            "optimistic",
            update.ssz("optimistic"),
            code,
        )
    };
    vec![
        with_first("a needed key is infinity", &infinity::<48>()),
        with_first("a needed key is not on the curve", &points::off_curve_g1()),
        with_first("a needed key is not marked as compressed", &uncompressed),
        start("BrokenCommittee", "the aggregate is not the sum", &other_sum, sum_root).refuse(
            "optimistic",
            scene.update(440).ssz("optimistic"),
            "verify.signature",
        ),
        cancelling(
            "the participants' keys cancel",
            scene.update(440).signature,
            "verify.signature",
        ),
        cancelling(
            "the participants' keys cancel, and the signature is infinity",
            infinity::<96>(),
            "decode.point",
        ),
    ]
}

/// Root of `keys ‖ aggregate`, whatever they are.
fn root_of(listed: &[u8]) -> [u8; 32] {
    let (keys, _) = listed.as_chunks::<48>();
    match keys {
        [keys @ .., aggregate] => lightproof_prover::chain::committee::root(keys, aggregate),
        [] => sha256(&[]),
    }
}
