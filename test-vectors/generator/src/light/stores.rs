//! Stores that a client kept, brought back under the root that it pinned: nothing in one is
//! believed.

use super::case::Case;
use super::follow::Scene as _;
use super::scene::Scene;
use lightproof_prover::chain::CHAIN_ID;
use lightproof_prover::chain::committee::SIGNATURE_BYTES;
use lightproof_prover::chain::committee::forms::{Listed, Update, listed};
use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::rlp::Item;

const TAG: &str = "lightproof-store/1";

/// Places of a store's items.
const TAG_AT: usize = 0;
const CHAIN_AT: usize = 1;
const GENESIS_AT: usize = 2;
const KIND_AT: usize = 3;
const HEADER_AT: usize = 4;
const SIBLING_AT: usize = 5;
const COMMITTEE_AT: usize = 6;
const UPDATE_AT: usize = 7;
const FINALITY_AT: usize = 8;

/// `[tag, chainId, genesisHash, ofNext, header, sibling, keys ‖ aggregate ‖ proofs, update,
/// finality]`.
fn store(scene: &Scene, number: u64, update: &[u8], finality: &[u8]) -> Vec<Item> {
    let committee = scene.bootstrap(number).committee;
    vec![
        Item::bytes(TAG),
        Item::uint(CHAIN_ID),
        Item::bytes(scene.genesis_hash()),
        Item::uint(0_u64),
        Item::bytes(scene.header(number).encode()),
        Item::bytes(&committee.sibling),
        Item::bytes(saved(&committee)),
        Item::bytes(update),
        Item::bytes(finality),
    ]
}

/// The same after the rotation that block `number` handed over for: it names the committee in its
/// right leaf.
fn rotated(scene: &Scene, number: u64, update: &[u8], finality: &[u8]) -> Vec<Item> {
    let period = scene.committees.terms().period_of(number);
    let committee = listed(&scene.committees, period + 1, period);
    let mut items = store(scene, number, update, finality);
    items[KIND_AT] = Item::uint(1_u64);
    items[SIBLING_AT] = Item::bytes(&committee.sibling);
    items[COMMITTEE_AT] = Item::bytes(saved(&committee));
    items
}

/// A committee as a store holds it.
fn saved(committee: &Listed) -> Vec<u8> {
    [committee.keys.as_slice(), &committee.aggregate, &committee.proofs].concat()
}

pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = taken(scene);
    cases.extend(committees(scene));
    cases.extend(forms(scene));
    cases.extend(updates(scene));
    cases
}

fn taken(scene: &Scene) -> Vec<Case> {
    let at = |comment, number| scene.before("Store", comment, number);
    let (update, finality) = (scene.update(3).encode(), scene.finality(3).encode());
    let later = scene.finality(6).encode();
    vec![
        at("a store of a bootstrap alone", 2).with(
            "import",
            Item::List(store(scene, 2, &[], &[])).encode(),
            None,
            Ok(scene.state(2, false)),
        ),
        at("a store with the next committee", 2).with(
            "import",
            Item::List(store(scene, 2, &update, &[])).encode(),
            None,
            Ok(scene.state(3, true)),
        ),
        at("a store with a finalized header alone", 2)
            .with(
                "import",
                Item::List(store(scene, 2, &[], &finality)).encode(),
                None,
                Ok(scene.state(3, false)),
            )
            .with("update", update.clone(), Some(u64::MAX), Ok(scene.state(3, true))),
        at("a store after a rotation, then the next header", 3)
            .with(
                "import",
                Item::List(rotated(scene, 3, &[], &later)).encode(),
                None,
                Ok(scene.state(6, false)),
            )
            .update(scene, 7),
    ]
}

/// What the store says of committees, against what its header names.
fn committees(scene: &Scene) -> Vec<Case> {
    let (flag, code) = ("ForgedStore", "verify.committee");
    let forged = |period| Item::bytes(saved(&listed(&scene.committees, period, 0)));
    let with = |change: &dyn Fn(&mut Listed)| {
        let mut committee = scene.bootstrap(2).committee;
        change(&mut committee);
        Item::bytes(saved(&committee))
    };
    let honest = store(scene, 2, &[], &[]);
    let refused = |comment, change: &dyn Fn(&mut Vec<Item>), code| {
        let mut items = honest.clone();
        change(&mut items);
        scene.before(flag, comment, 2).refuse("import", Item::List(items).encode(), code)
    };
    let later = scene.finality(6).encode();
    let mut left = rotated(scene, 3, &[], &later);
    left[KIND_AT] = Item::uint(0_u64);
    let mut right = honest.clone();
    right[KIND_AT] = Item::uint(1_u64);
    let one = |comment, number, items: Vec<Item>, code| {
        scene.before(flag, comment, number).refuse("import", Item::List(items).encode(), code)
    };
    vec![
        refused("a committee of nobody's", &|items| items[COMMITTEE_AT] = forged(9), code),
        refused(
            "the next committee as the current one",
            &|items| items[COMMITTEE_AT] = forged(1),
            code,
        ),
        refused(
            "a proof of possession that is another key's",
            &|items| {
                items[COMMITTEE_AT] =
                    with(&|it| it.proofs[..2 * SIGNATURE_BYTES].rotate_left(SIGNATURE_BYTES));
            },
            code,
        ),
        refused(
            "no proofs of possession",
            &|items| items[COMMITTEE_AT] = with(&|it| it.proofs.clear()),
            "decode.shape",
        ),
        refused("another sibling", &|items| items[SIBLING_AT] = Item::bytes([7; 32]), code),
        one("the right leaf's committee as the left leaf's", 3, left, code),
        one("the left leaf's committee as the right leaf's", 2, right, code),
        one("the header of another block", 2, store(scene, 3, &[], &[]), "verify.checkpoint"),
        one(
            "a store under a root that was not pinned",
            5,
            store(scene, 2, &[], &[]),
            "verify.checkpoint",
        ),
    ]
}

fn forms(scene: &Scene) -> Vec<Case> {
    let refused = |flag, comment, change: &dyn Fn(&mut Vec<Item>), code| {
        let mut items = store(scene, 2, &[], &[]);
        change(&mut items);
        scene.before(flag, comment, 2).refuse("import", Item::List(items).encode(), code)
    };
    let other: Word = keccak256(b"another");
    let mut cut = Item::List(store(scene, 2, &[], &[])).encode();
    cut.pop();
    let shape = "decode.shape";
    vec![
        scene.before("BadShape", "an empty store", 2).refuse("import", vec![], "decode.rlp"),
        scene.before("NotCanonicalRlp", "a store without its last byte", 2).refuse(
            "import",
            cut,
            "decode.rlp",
        ),
        refused(
            "BadShape",
            "a store of another version",
            &|items| items[TAG_AT] = Item::bytes("lightproof-store/2"),
            shape,
        ),
        refused(
            "OtherChain",
            "a store of another chain id",
            &|items| items[CHAIN_AT] = Item::uint(CHAIN_ID + 1),
            "verify.chain",
        ),
        refused(
            "OtherChain",
            "a store of another genesis block",
            &|items| items[GENESIS_AT] = Item::bytes(other),
            "verify.chain",
        ),
        refused(
            "BadShape",
            "a third kind of anchor",
            &|items| items[KIND_AT] = Item::uint(2_u64),
            shape,
        ),
        refused(
            "BadShape",
            "a store of seven keys",
            &|items| items[COMMITTEE_AT] = Item::bytes([0; 7 * 48]),
            shape,
        ),
        refused("BadShape", "a store without its last item", &|items| drop(items.pop()), shape),
        refused(
            "BadShape",
            "a store with an item too many",
            &|items| items.push(Item::bytes([])),
            shape,
        ),
        refused(
            "ForgedStore",
            "a header with another time",
            &|items| {
                let mut header = scene.header(2).clone();
                header.timestamp += 1;
                items[HEADER_AT] = Item::bytes(header.encode());
            },
            "verify.checkpoint",
        ),
    ]
}

/// Updates inside a store are checked as those of a node.
fn updates(scene: &Scene) -> Vec<Case> {
    let (update, finality) = (scene.update(3), scene.finality(3));
    let few = Update { next: update.next.clone(), ..scene.signed_by(3, &[0b0011_1110]) };
    let flipped = |mut changed: Update| {
        changed.bits = vec![0b0111_1111];
        changed.signature = scene.signed_by(3, &[0xff]).signature;
        changed.encode()
    };
    let mut unproven = update.clone();
    unproven
        .next
        .iter_mut()
        .for_each(|it| it.proofs[..2 * SIGNATURE_BYTES].rotate_left(SIGNATURE_BYTES));
    let refused = |comment, number, items: Vec<Item>, code| {
        scene.before("ForgedStore", comment, number).refuse(
            "import",
            Item::List(items).encode(),
            code,
        )
    };
    let inside = |comment, place: usize, bytes: Vec<u8>, code| {
        let mut items = store(scene, 2, &[], &[]);
        items[place] = Item::bytes(bytes);
        refused(comment, 2, items, code)
    };
    vec![
        inside(
            "a next committee that five of eight signed for",
            UPDATE_AT,
            few.encode(),
            "verify.participation",
        ),
        inside(
            "an update under another's signature",
            UPDATE_AT,
            flipped(update.clone()),
            "verify.signature",
        ),
        inside(
            "a finalized header under another's signature",
            FINALITY_AT,
            flipped(finality.clone()),
            "verify.signature",
        ),
        inside(
            "a next committee whose keys are not proven",
            UPDATE_AT,
            unproven.encode(),
            "verify.committee",
        ),
        inside("a finality in place of the update", UPDATE_AT, finality.encode(), "decode.shape"),
        inside("an update two periods ahead", UPDATE_AT, scene.update(9).encode(), "verify.period"),
        inside(
            "a finalized header that is older than the anchor",
            FINALITY_AT,
            scene.finality(1).encode(),
            "verify.relevance",
        ),
        inside("bytes that are no update", UPDATE_AT, vec![0xc0], "decode.shape"),
        refused(
            "a store after a rotation without a finalized header",
            3,
            rotated(scene, 3, &[], &[]),
            "decode.shape",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use lightproof_core::header::light::{Form, LightClient};

    use super::*;
    use lightproof_prover::chain::committee::Terms;
    use lightproof_prover::rlp;

    fn items(bytes: &[u8]) -> Vec<Item> {
        rlp::decode(bytes).unwrap().as_list().unwrap().to_vec()
    }

    /// The form is the core's own: what a client exports is what this file writes.
    #[test]
    fn a_client_exports_these_bytes() {
        let scene = Scene::new(Terms { size: 8, period: 4 });
        let mut client = LightClient::new(&scene.setting().chain_rlp()).unwrap();
        client.bootstrap(&scene.header(2).hash(), &scene.bootstrap(2).encode(), &mut ()).unwrap();
        assert_eq!(items(&client.export()), store(&scene, 2, &[], &[]));
        let update = scene.update(3).encode();
        client.apply(Form::Update, &update, u64::MAX, &mut ()).unwrap();
        assert_eq!(items(&client.export()), store(&scene, 2, &update, &[]));
        let finality = scene.finality(6).encode();
        client.apply(Form::Finality, &finality, u64::MAX, &mut ()).unwrap();
        assert_eq!(items(&client.export()), rotated(&scene, 3, &[], &finality));
    }
}
