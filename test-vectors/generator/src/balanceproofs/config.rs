//! Configurations and parameters that must be refused.

use ark_bls12_381::G1Projective;
use ark_ec::{CurveGroup, PrimeGroup};
use lightproof_core::system::balanceproofs::Scheme;

use super::points::PAIR;
use super::scene::Scene;
use crate::case::{Group, Setting};
use crate::edit::{Edit as _, changed, items};
use lightproof_prover::hash::keccak256;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::balanceproofs::Variant;

/// Two positions of the last bucket: under no other sides are its roots of unity the same.
const LAST: [u64; 2] = [13, 15];

/// One group for each.
pub(super) fn groups(scenes: &[Scene]) -> Vec<Group> {
    let mut groups = Vec::new();
    for scene in scenes.iter().filter(|scene| !scene.is_ethereum()) {
        let honest = scene.setting();
        for (comment, setting, code) in settings(scene, &honest) {
            let claim = scene.claim(&PAIR, scene.variants()[0]);
            let case = claim.refused("BadConfig", comment, code);
            groups.push(Group { setting, cases: vec![case] });
        }
        groups.extend(lengths(scene, &honest));
    }
    groups
}

/// Honest proofs read as those of a vector with other sides, under which they have as many points.
fn lengths(scene: &Scene, honest: &Setting) -> Vec<Group> {
    let others: &[&[u64]] = match scene.config.scheme {
        Scheme::Basic => &[&[32]],
        Scheme::Bucketed => &[&[8, 4], &[2, 8]],
        Scheme::TwoLayer => &[&[4, 2, 4], &[4, 1, 4], &[1, 4, 4]],
    };
    let group = |sides: &&[u64]| {
        let params = changed(&honest.params, |params| {
            *params.at(&[0]) = Item::List(sides.iter().map(|side| Item::uint(*side)).collect());
            // A grid would be one of the honest sides.
            *params.at(&[4]) = Item::bytes([]);
        });
        let setting = Setting { params_digest: Some(keccak256(&params)), params, ..honest.clone() };
        let variants = scene.variants().iter().filter(|variant| **variant != Variant::Halved);
        let case = |variant: &Variant| {
            let comment = format!("a vector of {sides:?}");
            scene.claim(&LAST, *variant).refused("BadConfig", &comment, "verify.opening")
        };
        Group { setting, cases: variants.map(case).collect() }
    };
    others.iter().map(group).collect()
}

type Bad = (&'static str, Setting, &'static str);

fn settings(scene: &Scene, honest: &Setting) -> Vec<Bad> {
    let items = items(&honest.params);
    // Pinned as they are: what is wrong is wrong in itself.
    let pinned = |items: Vec<Item>| {
        let params = Item::List(items).encode();
        Setting { params_digest: Some(keccak256(&params)), params, ..honest.clone() }
    };
    let field = |at: usize| items[at].as_bytes().unwrap_or_default().to_vec();
    let with = |at: usize, bytes: Vec<u8>| {
        let mut items = items.clone();
        items[at] = Item::bytes(bytes);
        pinned(items)
    };
    let sides = |sides: &[u64]| {
        let mut items = items.clone();
        items[0] = Item::List(sides.iter().map(|side| Item::uint(*side)).collect());
        pinned(items)
    };
    let mut altered = honest.clone();
    let mut g1 = field(1);
    g1[48..96].copy_from_slice(&super::scene::compressed(
        &(G1Projective::generator() * ark_bls12_381::Fr::from(9_u64)).into_affine(),
    ));
    altered.params = {
        let mut items = items.clone();
        items[1] = Item::bytes(&g1);
        Item::List(items).encode()
    };
    let mut infinity = field(2);
    infinity[96..192].fill(0);
    infinity[96] = 0xc0;
    let mut same = field(2);
    same.copy_within(0..96, 96);
    let mut all = vec![
        (
            "an unknown format",
            Setting { format: "balanceproofs/2", ..honest.clone() },
            "input.config",
        ),
        ("no digest", Setting { params_digest: None, ..honest.clone() }, "input.params"),
        ("a point altered under the same digest", altered, "input.params"),
        ("no parameters", Setting { params: Vec::new(), ..honest.clone() }, "input.params"),
        ("a secret that is zero", with(2, infinity), "input.params"),
        ("a secret that is one", with(2, same), "input.params"),
        ("half a point", with(1, field(1)[..47].to_vec()), "input.params"),
        ("no power of a secret", with(2, field(2)[..96].to_vec()), "input.params"),
        (
            "a side that is no power of two",
            sides(&[2, 2, 5][3 - items[0].as_list().map_or(1, <[Item]>::len)..]),
            "input.params",
        ),
        ("more sides than the scheme has", sides(&[2, 2, 2, 2]), "input.params"),
        ("a field more", pinned([items.as_slice(), &[Item::bytes([])]].concat()), "input.params"),
    ];
    if scene.config.scheme != Scheme::Basic {
        let mut dependent = field(3);
        dependent[..96].copy_from_slice(&field(2)[192..288]);
        all.push(("a secret that is another one squared", with(3, dependent), "input.params"));
        let mut equal = field(3);
        equal[..96].copy_from_slice(&field(2)[96..192]);
        all.push(("two secrets that are one", with(3, equal), "input.params"));
        all.push(("a grid that is cut off", with(4, field(4)[..96].to_vec()), "input.params"));
        all.push(("no outer secret", with(3, Vec::new()), "input.params"));
    }
    all
}
