//! Configurations and parameters that must be refused.

use ark_bls12_381::G1Projective;
use ark_ec::{CurveGroup, PrimeGroup};
use lightproof_core::system::balanceproofs::Scheme;

use super::points::PAIR;
use super::scene::{Result, Scene};
use crate::case::{Group, Setting};
use crate::edit::{Edit as _, changed, items};
use crate::scene::Scene as _;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::balanceproofs::Variant;

/// Two positions of the last bucket: under no other sides are its roots of unity the same.
const LAST: [u64; 2] = [13, 15];

/// One group for each.
pub(super) fn groups(scenes: &[Scene]) -> Result<Vec<Group>> {
    let mut groups = Vec::new();
    for scene in scenes.iter().filter(|scene| !scene.is_ethereum()) {
        let honest = scene.setting();
        let claim = scene.opened(&PAIR, scene.variants()[0])?;
        let group = |(comment, setting, code)| {
            Group::of(setting, claim.clone().refused("BadConfig", comment, code))
        };
        groups.extend(settings(scene, &honest).into_iter().map(group));
        groups.extend(lengths(scene, &honest)?);
    }
    Ok(groups)
}

/// Honest proofs read as those of a vector with other sides, under which they have as many points.
fn lengths(scene: &Scene, honest: &Setting) -> Result<Vec<Group>> {
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
        let setting = honest.clone().pinning(params);
        let variants = scene.variants().iter().filter(|variant| **variant != Variant::Halved);
        let case = |variant: &Variant| {
            let comment = format!("a vector of {sides:?}");
            let claim = scene.opened(&LAST, *variant)?;
            Ok(claim.refused("BadConfig", &comment, "verify.opening"))
        };
        Ok(Group { setting, cases: variants.map(case).collect::<Result<_>>()? })
    };
    others.iter().map(group).collect()
}

type Bad = (&'static str, Setting, &'static str);

fn settings(scene: &Scene, honest: &Setting) -> Vec<Bad> {
    let items = items(&honest.params);
    // Pinned as they are: what is wrong is wrong in itself.
    let pinned = |items: Vec<Item>| honest.clone().pinning(Item::List(items).encode());
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
