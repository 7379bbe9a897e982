//! Who signed, and what: signatures that must be refused.

use super::case::Case;
use super::follow::Scene as _;
use super::points::{bad_signatures, infinity};
use super::scene::Scene;
use lightproof_prover::chain::CHAIN_ID;
use lightproof_prover::chain::committee::forms::Update;
use lightproof_prover::chain::committee::{SIGNATURE_BYTES, devnet_message, message};
use lightproof_prover::hash::{keccak256, sha256};

const ALL: &[u8] = &[0xff];

pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = bits(scene);
    cases.extend(messages(scene));
    cases.extend(points(scene));
    cases
}

/// A client at block 2 is sent a changed finality of block 3, which everyone signed.
fn finality(
    scene: &Scene,
    flag: &'static str,
    comment: &'static str,
    change: impl Fn(&mut Update),
    code: &'static str,
) -> Case {
    let mut update = scene.signed_by(3, ALL);
    change(&mut update);
    scene.at(flag, comment, 2).refuse("finality", update.encode(), code)
}

fn bits(scene: &Scene) -> Vec<Case> {
    let few = scene.signed_by(3, &[0b0011_1110]);
    let update = Update { next: scene.update(3).next, ..few.clone() };
    let one = |flag, comment, change: &dyn Fn(&mut Update), code| {
        finality(scene, flag, comment, change, code)
    };
    vec![
        one("FewSigners", "5 of 8 signed", &|update| *update = few.clone(), "verify.participation"),
        scene.at("FewSigners", "5 of 8 signed an update", 2).refuse(
            "update",
            update.encode(),
            "verify.participation",
        ),
        one(
            "FewSigners",
            "nobody signed, and the signature is infinity",
            &|update| (update.bits, update.signature) = (vec![0], infinity::<SIGNATURE_BYTES>()),
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
                *update = scene.signed_by(3, &[0b0111_1111]);
                update.bits[0] = 0xff;
            },
            "verify.signature",
        ),
        one("BadShape", "bits of two bytes", &|update| update.bits.push(0), "decode.shape"),
        one("BadShape", "no bits", &|update| update.bits.clear(), "decode.shape"),
    ]
}

fn messages(scene: &Scene) -> Vec<Case> {
    let header = scene.header(3).hash();
    let genesis = scene.genesis_hash();
    let over = |comment, flag, period, signed: [u8; 32]| {
        let signature = scene.signature(period, ALL, &signed);
        let change = |update: &mut Update| update.signature.clone_from(&signature);
        finality(scene, flag, comment, change, "verify.signature")
    };
    let parent = devnet_message(&genesis, &scene.header(2).hash());
    let honest = devnet_message(&genesis, &header);
    let network = sha256(&[&genesis, &CHAIN_ID.to_be_bytes()]);
    let beacon = sha256(&[&header, &[0x07, 0, 0, 0], &network[..28]]);
    let id = CHAIN_ID + 1;
    vec![
        over("the signature of the block before", "OtherMessage", 0, parent),
        over("the header's hash, without the domain", "OtherMessage", 0, header),
        over("the domain of Ethereum's sync committees", "OtherMessage", 0, beacon),
        over("the domain of another chain id", "OtherMessage", 0, message(&genesis, id, &header)),
        over(
            "the domain of another genesis block",
            "OtherMessage",
            0,
            devnet_message(&keccak256(b"another"), &header),
        ),
        over("signed by the next committee", "OtherCommittee", 1, honest),
        over("signed by a committee of no period near", "OtherCommittee", 9, honest),
        scene
            .at("OtherCommittee", "the next period's block, signed by this period's", 2)
            .update(scene, 3)
            .refuse(
                "finality",
                scene.signed(0, scene.header(4).encode()).encode(),
                "verify.signature",
            ),
        finality(
            scene,
            "HeaderChanged",
            "a state root that nobody signed",
            |update| {
                let mut header = scene.header(3).clone();
                header.commitments[0].1 = vec![0x66; 32];
                update.header = header.encode();
            },
            "verify.signature",
        ),
    ]
}

fn points(scene: &Scene) -> Vec<Case> {
    let honest = scene.signed_by(3, ALL).signature;
    let case = |(comment, bytes, code): (_, Vec<u8>, _)| {
        let change = |update: &mut Update| update.signature.clone_from(&bytes);
        finality(scene, "BadSignature", comment, change, code)
    };
    bad_signatures(&honest, "decode.shape").map(case).into()
}
