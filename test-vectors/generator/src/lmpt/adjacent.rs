//! `lmpt/1`: lies with two adjacent paths.

use super::layers::{LAYERS, nodes};
use super::scene::{HEAD, Result, Scene, crowd, key};
use crate::case::{Case, Lie};
use crate::edit::{Edit as _, flip};
use crate::scene::Scene as _;
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::rlp::Item;
use lightproof_prover::system::lmpt::tree::Tree;
use lightproof_prover::trie::{neighbours, prove};

const ADJACENT: &str = "adjacent";

/// A key next to another one, if there is one.
type Side = Option<Word>;

/// A neighbour as proofs carry it.
fn leaf(layer: &Tree, key: Side) -> Result<Item> {
    let Some(key) = key else { return Ok(Item::List(vec![])) };
    Ok(Item::List(vec![Item::bytes(key), nodes(&prove(layer, &key)?.nodes)]))
}

/// The neighbours of a key that may itself be there.
fn sides(layer: &Tree, key: &Word) -> Result<(Side, Side)> {
    // What stands next to a key that is there: the neighbours of the places right before and after
    // it.
    let word = |key: Option<Vec<u8>>| key.and_then(|key| key.try_into().ok());
    let (left, _) = neighbours(layer, &step(key, false))?;
    let (_, right) = neighbours(layer, &step(key, true))?;
    Ok((word(left), word(right)))
}

/// The next place down or up.
fn step(key: &Word, up: bool) -> Word {
    let mut place = *key;
    for byte in place.iter_mut().rev() {
        let (next, carries) = if up { byte.overflowing_add(1) } else { byte.overflowing_sub(1) };
        *byte = next;
        if !carries {
            break;
        }
    }
    place
}

/// Every case of this file.
// A table: one case after the other.
#[allow(clippy::too_many_lines)]
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let view = scene.view(HEAD)?;
    let delta = &view.delta;
    let mut cases = Vec::new();
    // The delta's answer for a key is replaced by a pair; lower layers then tell what they always
    // told.
    let mut case = |comment: &str, role: &str, pair: (Item, Item), code| {
        let layers = [vec![Item::List(vec![pair.0, pair.1])], lower(scene, role)?].concat();
        let honest = scene.honest(&[key(role)], ADJACENT)?;
        let claim = honest.edited(|proof| proof.set(LAYERS, Item::List(layers)));
        cases.push(claim.refused("Neighbours", comment, code));
        Ok::<_, StoreError>(())
    };
    for role in ["hot", "gone"] {
        let own = keccak256(&key(role));
        let (left, right) = sides(delta, &own)?;
        let pair = |left, right| Ok::<_, StoreError>((leaf(delta, left)?, leaf(delta, right)?));
        let code = "verify.absence";
        case(&format!("{role} hidden between its neighbours"), role, pair(left, right)?, code)?;
        case(&format!("{role} as its own left neighbour"), role, pair(Some(own), right)?, code)?;
        case(&format!("{role} as its own right neighbour"), role, pair(left, Some(own))?, code)?;
    }
    let absent = keccak256(&key("old"));
    let (left, right) = sides(delta, &absent)?;
    let (Some(left), Some(right)) = (left, right) else {
        return Err(StoreError::Corrupt("a key at the edge of the delta"));
    };
    let (farther_left, farther_right) = (sides(delta, &left)?.0, sides(delta, &right)?.1);
    let pair = |left, right| Ok::<_, StoreError>((leaf(delta, left)?, leaf(delta, right)?));
    let code = "verify.absence";
    case("a leaf skipped on the left", "old", pair(farther_left, Some(right))?, code)?;
    case("a leaf skipped on the right", "old", pair(Some(left), farther_right)?, code)?;
    case("the left neighbour said to be missing", "old", pair(None, Some(right))?, code)?;
    case("the right neighbour said to be missing", "old", pair(Some(left), None)?, code)?;
    case("the neighbours exchanged", "old", pair(Some(right), Some(left))?, code)?;
    case("the left neighbour twice", "old", pair(Some(left), Some(left))?, code)?;
    case("a place that is no leaf", "old", pair(Some(step(&absent, false)), Some(right))?, code)?;
    case("no neighbours at all", "old", pair(None, None)?, "decode.shape")?;
    let flag = "Neighbours";
    let edits: [Lie<'_>; 4] = [
        (flag, "the left neighbour's leaf cut off", "verify.incomplete", &|leaf| {
            leaf.at(&[1]).pop();
        }),
        (flag, "a byte of the left neighbour's leaf changed", "verify.merkle", &|leaf| {
            leaf.at(&[1]).last().bytes(flip(1));
        }),
        (flag, "the right neighbour's key of 31 bytes", "decode.shape", &|leaf| {
            leaf.at(&[0]).bytes(|key| key.truncate(31));
        }),
        (flag, "a neighbour with a third field", "decode.shape", &|leaf| {
            leaf.push(Item::List(vec![]));
        }),
    ];
    for (_, comment, code, edit) in edits {
        let mut pair = pair(Some(left), Some(right))?;
        edit(&mut pair.0);
        case(comment, "old", pair, code)?;
    }
    let (left, right) = sides(&view.intermediate, &absent)?;
    let elsewhere = (leaf(&view.intermediate, left)?, leaf(&view.intermediate, right)?);
    case("neighbours of the intermediate layer", "old", elsewhere, "verify.root")?;

    let walk = nodes(&prove(delta, &absent)?.nodes);
    cases.extend(scene.honest(&[key("old")], ADJACENT)?.lies(&[
        (flag, "a walk in place of neighbours", "verify.absence", &|proof| {
            proof.set(&[4, 0, 0], Item::List(vec![walk.clone()]));
        }),
        (flag, "a third neighbour", "decode.shape", &|proof| {
            proof.at(&[4, 0, 0]).items(|items| items.push(items[0].clone()));
        }),
    ]));
    for role in ["hot", "gone"] {
        let lower = lower(scene, role)?;
        let comment = format!("{role}: adjacent paths of lower layers shown too");
        let more = |proof: &mut Item| {
            proof.at(LAYERS).items(|layers| layers.extend(lower.clone()));
        };
        let honest = scene.honest(&[key(role)], ADJACENT)?;
        cases.extend(honest.lies(&[("LowerLayer", &comment, "verify.surplus", &more)]));
    }
    let comment = "adjacent paths of the delta left out";
    cases.extend(scene.honest(&[crowd(30)], ADJACENT)?.lies(&[(
        "LayerDropped",
        comment,
        "verify.root",
        &|proof| proof.at(LAYERS).remove(0),
    )]));
    Ok(cases)
}

/// What the layers below the delta show of a key, as if the delta did not hold it.
fn lower(scene: &Scene, role: &str) -> Result<Vec<Item>> {
    let view = scene.view(HEAD)?;
    let own = keccak256(&key(role));
    let walk = prove(&view.intermediate, &own)?;
    if walk.value.is_some() {
        return Ok(vec![Item::List(vec![nodes(&walk.nodes)])]);
    }
    let (left, right) = sides(&view.intermediate, &own)?;
    let intermediate =
        Item::List(vec![leaf(&view.intermediate, left)?, leaf(&view.intermediate, right)?]);
    let snapshot = nodes(&prove(&scene.snapshot(HEAD)?, &own)?.nodes);
    Ok(vec![intermediate, Item::List(vec![snapshot])])
}
