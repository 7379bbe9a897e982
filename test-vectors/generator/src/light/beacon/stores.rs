//! Stores that a client kept, brought back under the root that it pinned: nothing in one is
//! believed.

use super::rules::{GENESIS, shape};
use super::scene::{Scene, indices, listed, period};
use super::tree::branch;
use crate::light::case::{Case, State};
use crate::light::follow::Scene as _;
use lightproof_prover::rlp::Item;

/// Places of a store's items: `[tag, chainId, genesisHash, ofNext, header, branch, keys ‖
/// aggregate, update, finality]`.
const TAG: usize = 0;
const CHAIN: usize = 1;
const NETWORK: usize = 2;
const KIND: usize = 3;
const HEADER: usize = 4;
const BRANCH: usize = 5;
const COMMITTEE: usize = 6;
const UPDATE: usize = 7;
const FINALITY: usize = 8;

/// The store of a client whose committee the block of `slot` names, as its own or, after a
/// rotation, as the next.
fn store(scene: &Scene, slot: u64, of_next: bool, update: &[u8], finality: &[u8]) -> Vec<Item> {
    let [_, current, next] = indices(shape(slot));
    let (index, ahead) = if of_next { (next, 1) } else { (current, 0) };
    vec![
        Item::bytes("lightproof-store/1"),
        Item::uint(1_u64),
        Item::bytes(GENESIS),
        Item::uint(u64::from(of_next)),
        Item::bytes(scene.block(slot).ssz()),
        Item::bytes(branch(&scene.state(slot), index).concat()),
        Item::bytes(listed(&scene.committees.of(period(slot) + ahead))),
        Item::bytes(update),
        Item::bytes(finality),
    ]
}

pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = taken(scene);
    cases.extend(forged(scene));
    cases.extend(updates(scene));
    cases
}

fn import(case: Case, items: Vec<Item>, state: State) -> Case {
    case.with("import", Item::List(items).encode(), None, Ok(state))
}

fn taken(scene: &Scene) -> Vec<Case> {
    let at = |comment, slot| scene.before("Store", comment, slot);
    let (update, finality) = (scene.update(440).ssz("update"), scene.update(440).ssz("finality"));
    let later = scene.update(474).ssz("finality");
    let mut few = scene.update(440);
    scene.sign(&mut few, &[0b0011_1110]);
    let alone = |comment, slot| {
        let state = scene.holds(slot, false, slot);
        import(at(comment, slot), store(scene, slot, false, &[], &[]), state)
    };
    let with = |comment, update: &[u8], finality: &[u8], state| {
        import(at(comment, 404), store(scene, 404, false, update, finality), state)
    };
    let rotated = import(
        at("a store after a rotation, then the next update", 440),
        store(scene, 440, true, &[], &later),
        scene.holds(456, false, 456),
    );
    vec![
        alone("a store of a bootstrap in Altair", 20),
        alone("a store of a bootstrap in Electra", 404),
        alone("a store of a bootstrap in Gloas", 532),
        // The head is not kept: it is worth something only while it is fresh.
        with("a store with the next committee", &update, &[], scene.holds(424, true, 424)),
        with("a store with a finalized header alone", &[], &finality, scene.holds(424, false, 424)),
        with(
            "a store with an update that five of eight signed: it proves nothing",
            &few.ssz("update"),
            &[],
            scene.holds(404, false, 404),
        ),
        scene.take(rotated, "update", 504, (488, true)),
    ]
}

/// What the store says against what its header holds, and against its form.
fn forged(scene: &Scene) -> Vec<Case> {
    let honest = store(scene, 404, false, &[], &[]);
    let one = |comment, change: &dyn Fn(&mut Vec<Item>), code| {
        let mut items = honest.clone();
        change(&mut items);
        scene.before("ForgedStore", comment, 404).refuse("import", Item::List(items).encode(), code)
    };
    let of = |period| Item::bytes(listed(&scene.committees.of(period)));
    let state = scene.state(404);
    let nodes = |index| Item::bytes(branch(&state, index).concat());
    let mut payload = scene.block(404);
    payload.payload.hash[0] ^= 1;
    let mut header = scene.block(404);
    header.state_root[0] ^= 1;
    let (payload, header) = (payload.ssz(), header.ssz());
    let cut = {
        let mut bytes = scene.block(404).ssz();
        bytes.truncate(400);
        bytes
    };
    let committee = "verify.committee";
    let shape = "decode.shape";
    vec![
        one("a committee of nobody's", &|it| it[COMMITTEE] = of(19), committee),
        one("the next committee as the current one", &|it| it[COMMITTEE] = of(7), committee),
        one(
            "the next committee and its branch as the current one's",
            &|it| (it[COMMITTEE], it[BRANCH]) = (of(7), nodes(87)),
            committee,
        ),
        one("the current committee as the next", &|it| it[KIND] = Item::uint(1_u64), committee),
        one(
            "a branch without its last node",
            &|it| it[BRANCH] = Item::bytes(branch(&state, 86)[..5].concat()),
            committee,
        ),
        one("no branch", &|it| it[BRANCH] = Item::bytes([]), committee),
        one(
            "a header of another state",
            &|it| it[HEADER] = Item::bytes(&header),
            "verify.checkpoint",
        ),
        one(
            "the header of another block",
            &|it| it[HEADER] = Item::bytes(scene.block(405).ssz()),
            "verify.checkpoint",
        ),
        one("another payload", &|it| it[HEADER] = Item::bytes(&payload), "verify.execution"),
        one("a header that is cut off", &|it| it[HEADER] = Item::bytes(&cut), "decode.ssz"),
        one("no header", &|it| it[HEADER] = Item::bytes([]), "decode.ssz"),
        one("a store of another chain id", &|it| it[CHAIN] = Item::uint(2_u64), "verify.chain"),
        one(
            "a store of another network",
            &|it| it[NETWORK] = Item::bytes([0x78; 32]),
            "verify.chain",
        ),
        one("a store of another version", &|it| it[TAG] = Item::bytes("lightproof-store/2"), shape),
        one("a third kind of anchor", &|it| it[KIND] = Item::uint(2_u64), shape),
        one("a store of seven keys", &|it| it[COMMITTEE] = Item::bytes([0; 8 * 48]), shape),
        one("a store without its last item", &|it| drop(it.pop()), shape),
        one("a store with an item too many", &|it| it.push(Item::bytes([])), shape),
    ]
}

/// Updates inside a store are checked as those of a node.
fn updates(scene: &Scene) -> Vec<Case> {
    let inside = |comment, place: usize, bytes: Vec<u8>, code| {
        let mut items = store(scene, 404, false, &[], &[]);
        items[place] = Item::bytes(bytes);
        scene.before("ForgedStore", comment, 404).refuse("import", Item::List(items).encode(), code)
    };
    let flipped = |form| {
        let mut update = scene.update(440);
        update.bits[0] ^= 4;
        update.ssz(form)
    };
    let update = scene.update(440);
    let rotated = |comment, finality: &[u8], code| {
        let items = store(scene, 440, true, &[], finality);
        scene.before("ForgedStore", comment, 440).refuse("import", Item::List(items).encode(), code)
    };
    vec![
        inside("an update under others' signature", UPDATE, flipped("update"), "verify.signature"),
        inside(
            "a finalized header under others' signature",
            FINALITY,
            flipped("finality"),
            "verify.signature",
        ),
        inside("a finality in place of the update", UPDATE, update.ssz("finality"), "decode.ssz"),
        inside(
            "an update of the next period",
            UPDATE,
            scene.update(504).ssz("update"),
            "verify.period",
        ),
        inside(
            "a finalized header that is older than the anchor",
            FINALITY,
            scene.update(400).ssz("finality"),
            "verify.relevance",
        ),
        inside("bytes that are no update", UPDATE, vec![1], "decode.ssz"),
        rotated("a store after a rotation without a finalized header", &[], "decode.shape"),
        rotated(
            "a store after a rotation with a finality of the period before",
            &update.ssz("finality"),
            "verify.period",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use lightproof_core::header::light::{Form, LightClient};

    use super::*;

    /// The form is the core's own: what a client exports is what this file writes.
    #[test]
    fn a_client_exports_these_bytes() {
        let scene = Scene::new(8);
        let mut client = LightClient::new(&scene.setting().chain_rlp()).unwrap();
        client.bootstrap(&scene.block(404).root(), &scene.bootstrap(404).ssz(), &mut ()).unwrap();
        let encoded = |items| Item::List(items).encode();
        assert_eq!(client.export(), encoded(store(&scene, 404, false, &[], &[])));
        let update = scene.update(440).ssz("update");
        client.apply(Form::Update, &update, u64::MAX, &mut ()).unwrap();
        assert_eq!(client.export(), encoded(store(&scene, 404, false, &update, &[])));
        let finality = scene.update(474).ssz("finality");
        client.apply(Form::Finality, &finality, u64::MAX, &mut ()).unwrap();
        assert_eq!(client.export(), encoded(store(&scene, 440, true, &[], &finality)));
    }
}
