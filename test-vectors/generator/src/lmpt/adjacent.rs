//! `lmpt/1`: lies with two adjacent paths.

use super::layers::{LAYERS, nodes};
use super::scene::{HEAD, Result, Scene, crowd, key};
use crate::case::{Case, invalid};
use crate::edit::{Edit as _, flip};
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
        let below = lower(scene, role)?;
        let claim = scene.forged(&key(role), ADJACENT, |proof| {
            let shown = Item::List(vec![pair.0, pair.1]);
            proof.at(LAYERS).items(|layers| *layers = [vec![shown], below].concat());
        })?;
        cases.push(invalid("Neighbours", comment, claim, code));
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
    let changed = |change: &dyn Fn(&mut Item)| {
        let mut pair = pair(Some(left), Some(right))?;
        change(&mut pair.0);
        Ok::<_, StoreError>(pair)
    };
    let last = |item: &mut Item, change: &dyn Fn(&mut Vec<Item>)| {
        item.at(&[1]).items(|nodes| change(nodes));
    };
    case(
        "the left neighbour's leaf cut off",
        "old",
        changed(&|item| last(item, &|nodes| drop(nodes.pop())))?,
        "verify.incomplete",
    )?;
    case(
        "a byte of the left neighbour's leaf changed",
        "old",
        changed(&|item| {
            last(item, &|nodes| {
                nodes.iter_mut().next_back().into_iter().for_each(|node| node.bytes(flip(1)));
            });
        })?,
        "verify.merkle",
    )?;
    case(
        "the right neighbour's key of 31 bytes",
        "old",
        changed(&|item| item.at(&[0]).bytes(|key| key.truncate(31)))?,
        "decode.shape",
    )?;
    case(
        "a neighbour with a third field",
        "old",
        changed(&|item| item.items(|items| items.push(Item::List(vec![]))))?,
        "decode.shape",
    )?;
    let elsewhere = (
        leaf(&view.intermediate, sides(&view.intermediate, &absent)?.0)?,
        leaf(&view.intermediate, sides(&view.intermediate, &absent)?.1)?,
    );
    case("neighbours of the intermediate layer", "old", elsewhere, "verify.root")?;

    let walk = nodes(&prove(delta, &absent)?.nodes);
    let claim = scene.forged(&key("old"), ADJACENT, |proof| {
        *proof.at(&[4, 0, 0]) = Item::List(vec![walk]);
    })?;
    cases.push(invalid("Neighbours", "a walk in place of neighbours", claim, code));
    let third = scene.forged(&key("old"), ADJACENT, |proof| {
        proof.at(&[4, 0, 0]).items(|items| items.push(items[0].clone()));
    })?;
    cases.push(invalid("Neighbours", "a third neighbour", third, "decode.shape"));
    for role in ["hot", "gone"] {
        let lower = lower(scene, role)?;
        let claim = scene.forged(&key(role), ADJACENT, |proof| {
            proof.at(LAYERS).items(|layers| layers.extend(lower));
        })?;
        cases.push(invalid(
            "LowerLayer",
            &format!("{role}: adjacent paths of lower layers shown too"),
            claim,
            "verify.surplus",
        ));
    }
    let dropped = scene.forged(&crowd(30), ADJACENT, |proof| {
        proof.at(LAYERS).items(|layers| drop(layers.remove(0)));
    })?;
    cases.push(invalid(
        "LayerDropped",
        "adjacent paths of the delta left out",
        dropped,
        "verify.root",
    ));
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
