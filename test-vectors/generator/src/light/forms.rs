//! Headers, bytes, checkpoints and chains that are not of their form.

use super::case::{Case, Consensus, Group, Setting};
use super::follow::{Scene as _, refusals};
use super::scene::Scene;
use crate::edit::items;
use lightproof_prover::chain::committee::Terms;
use lightproof_prover::chain::committee::forms::Update;
use lightproof_prover::chain::header::Header;
use lightproof_prover::hash::keccak256;
use lightproof_prover::rlp::Item;

pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = headers(scene);
    cases.extend(bytes(scene));
    cases.extend(checkpoints(scene));
    cases
}

/// Headers that the committee truly signed.
fn headers(scene: &Scene) -> Vec<Case> {
    let honest = scene.header(3);
    let refused = |flag, comment, header: Vec<u8>, code| {
        let finality = scene.signed(0, header).encode();
        scene.at(flag, comment, 2).refuse("finality", finality, code)
    };
    let with = |flag, comment, change: &dyn Fn(&mut Header), code| {
        let mut header = honest.clone();
        change(&mut header);
        refused(flag, comment, header.encode(), code)
    };
    let listed = |comment, change: &dyn Fn(&mut Vec<Item>), code| {
        let mut fields = items(&honest.encode());
        change(&mut fields);
        refused("BadHeader", comment, Item::List(fields).encode(), code)
    };
    let last = |item: Item| move |fields: &mut Vec<Item>| fields[6] = item.clone();
    let huge = |header: &mut Header| header.commitments[0].1 = vec![0; 17 * 1024];
    vec![
        listed("a missing field", &|fields| drop(fields.pop()), "decode.header"),
        listed("a field too many", &|fields| fields.push(Item::bytes([])), "decode.header"),
        listed("a committee root of 31 bytes", &last(Item::bytes([7; 31])), "decode.header"),
        listed("a committee root that is a list", &last(Item::List(vec![])), "decode.header"),
        with(
            "BadHeader",
            "a committee root of zeros",
            &|header| header.committee_root = [0; 32],
            "decode.header",
        ),
        with("BadHeader", "a header over 16 KiB", &huge, "decode.limit"),
        with("OtherChain", "header version 3", &|header| header.version = 3, "verify.chain"),
        with("OtherChain", "another chain id", &|header| header.chain_id += 1, "verify.chain"),
        with(
            "OtherChain",
            "a block 0 that is not the chain's",
            &|header| (header.number, header.parent_hash) = (0, [0; 32]),
            "verify.chain",
        ),
    ]
}

fn bytes(scene: &Scene) -> Vec<Case> {
    let at = |flag, comment| scene.at(flag, comment, 2);
    let (update, finality) = (scene.update(3).encode(), scene.finality(3).encode());
    let cut = finality[..finality.len() - 1].to_vec();
    let trailing = [finality.as_slice(), &[0]].concat();
    let encoded = |items: Vec<Item>| Item::List(items).encode();
    let longer = |bytes: &[u8]| encoded([items(bytes), vec![Item::bytes([])]].concat());
    let mut five = items(&update);
    five.truncate(5);
    let mut inline = items(&finality);
    inline[0] = Item::Raw(scene.header(3).encode());
    let before = |flag, comment| scene.before(flag, comment, 2);
    let (rlp, shape, request) = ("decode.rlp", "decode.shape", "input.request");
    let inline_header = "the header as a list, not as a string of one";
    let string = Item::bytes(&finality).encode();
    refusals([
        (at("NotCanonicalRlp", "no bytes"), "update", vec![], rlp),
        (at("NotCanonicalRlp", "a byte is missing"), "finality", cut, rlp),
        (at("NotCanonicalRlp", "a byte too many"), "finality", trailing, rlp),
        (at("BadShape", "a string in place of the list"), "finality", string, shape),
        (at("BadShape", "an update without its sibling"), "update", encoded(five), shape),
        (at("BadShape", "a finality as an update"), "update", finality.clone(), shape),
        (at("BadShape", "an update as a finality"), "finality", update.clone(), shape),
        (at("BadShape", "an update with an item too many"), "update", longer(&update), shape),
        (at("BadShape", inline_header), "finality", encoded(inline), shape),
        (before("NotCanonicalRlp", "a bootstrap of no bytes"), "bootstrap", vec![], rlp),
        (
            before("BadShape", "a bootstrap with an item too many"),
            "bootstrap",
            longer(&scene.bootstrap(2).encode()),
            shape,
        ),
        (before("BadShape", "an update as a bootstrap"), "bootstrap", update.clone(), shape),
        (before("NoCheckpoint", "an update before the bootstrap"), "update", update, request),
        (before("NoCheckpoint", "a finality before the bootstrap"), "finality", finality, request),
    ])
}

fn checkpoints(scene: &Scene) -> Vec<Case> {
    let honest = scene.bootstrap(2);
    let pinned = |comment, checkpoint: &[u8], code| {
        let checkpoint = checkpoint.to_vec();
        Case { comment, flag: "BadCheckpoint", checkpoint, steps: vec![] }.refuse(
            "bootstrap",
            honest.encode(),
            code,
        )
    };
    let mut changed = honest.clone();
    changed.header = Header { timestamp: 1, ..scene.header(2).clone() }.encode();
    let hash = scene.header(2).hash();
    vec![
        pinned("no checkpoint", &[], "input.checkpoint"),
        pinned("a checkpoint of zeros", &[0; 32], "input.checkpoint"),
        pinned("a checkpoint of 31 bytes", &hash[..31], "input.checkpoint"),
        pinned("a checkpoint of 33 bytes", &[hash.as_slice(), &[0]].concat(), "input.checkpoint"),
        pinned("the hash of another block", &scene.header(3).hash(), "verify.checkpoint"),
        pinned("the hash of no block", &keccak256(b"no block"), "verify.checkpoint"),
        scene.before("HeaderChanged", "a bootstrap with another timestamp", 2).refuse(
            "bootstrap",
            changed.encode(),
            "verify.checkpoint",
        ),
    ]
}

/// Clients that know another chain.
pub(super) fn settings(scene: &Scene) -> Vec<Group> {
    let honest = scene.setting();
    let terms = |size, period| {
        let consensus = Consensus::Devnet(Terms { size, period });
        Setting { consensus, ..honest }
    };
    let start = |comment, code| {
        let bytes = scene.bootstrap(2).encode();
        scene.before("OtherSetting", comment, 2).refuse("bootstrap", bytes, code)
    };
    let follow = |comment, number| {
        let Update { header, bits, signature, .. } = scene.update(number);
        let bytes = Update { header, bits, signature, next: None }.encode();
        scene.at("OtherSetting", comment, 2).refuse("finality", bytes, "verify.signature")
    };
    let elsewhere = Setting { genesis_hash: keccak256(b"another"), ..honest };
    let group = |setting, case| Group { setting, cases: vec![case] };
    vec![
        group(elsewhere, follow("a client of another network with the same chain id", 3)),
        group(
            Setting { chain_id: honest.chain_id + 1, ..honest },
            start("a client of another chain id", "verify.chain"),
        ),
        group(terms(8, 8), follow("a client with longer periods", 4)),
        group(terms(16, 4), start("a client of larger committees", "decode.shape")),
        group(
            Setting { consensus: Consensus::Nobody, ..honest },
            start("a client that knows no committees", "input.chain"),
        ),
        group(terms(4, 4), start("committees of fewer than 8 keys", "input.chain")),
        group(terms(12, 4), start("committees of no power of two", "input.chain")),
        group(terms(1024, 4), start("committees of more than 512 keys", "input.chain")),
        group(terms(8, 0), start("periods of no blocks", "input.chain")),
    ]
}
