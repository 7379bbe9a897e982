//! Proofs that do not show what they claim.

use ark_bls12_381::Fr;
use ark_ec::AffineRepr as _;

use super::fitted;
use super::scene::{HEAD, Result, Scene, Shown, VARIANTS, hash, key};
use crate::case::{Case, Source, invalid};
use crate::edit::Edit as _;
use crate::scene::Scene as _;
use lightproof_prover::hash::Word;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::PLAIN;
use lightproof_prover::system::verkle::Commitment;
use lightproof_prover::system::verkle::commitment::{compressed, digit, identity, read_point};
use lightproof_prover::system::verkle::prove::{AGGREGATED, Level, encode};
use lightproof_prover::system::verkle::slots::Place;

/// Changes what is shown of one key.
type Change<'a> = &'a dyn Fn(&mut Shown);

/// Every lie about a scene; `other` is of another setup.
// A table: one case after the other.
#[allow(clippy::too_many_lines)]
pub(super) fn cases(scene: &Scene, other: &Scene) -> Result<Vec<Case>> {
    let [present, empty, stray] = [scene.find(0)?, scene.find(1)?, scene.find(2)?];
    let mut cases = Vec::new();
    let mut lie = |flag, comment: &str, key: &Vec<u8>, code, change: Change<'_>| -> Result<()> {
        for variant in VARIANTS {
            let mut shown = scene.shown(key)?;
            change(&mut shown);
            let proof = scene.encode(&[shown], variant)?;
            let claim = scene.says(std::slice::from_ref(key), variant, proof)?;
            cases.push(claim.refused(flag, comment, code));
        }
        Ok(())
    };
    let leaf = |key: &Word, value: &Word| scene.committer().leaf(key, value);
    let says = |shown: &mut Shown, scalar: Fr| {
        if let Some(level) = shown.path.levels.last_mut() {
            level.scalar = scalar;
        }
    };
    let own = hash(&present);

    let opening = "verify.opening";
    for (comment, value) in [("another value", &b"another"[..]), ("no value", b"")] {
        lie("WrongValue", comment, &present, opening, &|shown| {
            shown.path.value = value.to_vec();
            says(shown, leaf(&own, &hash(value)));
        })?;
    }
    let comment = "another value, the coefficients of the true one";
    lie("WrongValue", comment, &present, opening, &|shown| shown.path.value.push(0))?;
    lie("PresentAsAbsent", "an empty slot", &present, opening, &|shown| {
        (shown.path.terminal, shown.path.value) = (1, vec![]);
        says(shown, Fr::default());
    })?;
    lie("PresentAsAbsent", "its own leaf as another one", &present, "verify.absence", &|shown| {
        shown.path.other = Some((own, hash(&shown.path.value)));
        (shown.path.terminal, shown.path.value) = (2, vec![]);
    })?;
    lie("PresentAsAbsent", "a leaf of nobody in its slot", &present, opening, &|shown| {
        let mut stranger = own;
        stranger[31] ^= 1;
        let value = hash(&shown.path.value);
        shown.path.other = Some((stranger, value));
        (shown.path.terminal, shown.path.value) = (2, vec![]);
        says(shown, leaf(&stranger, &value));
    })?;
    for (absent, comment) in [(&empty, "an empty slot"), (&stray, "another leaf")] {
        for value in [&b"value"[..], b""] {
            lie("AbsentAsPresent", comment, absent, opening, &|shown| {
                (shown.path.terminal, shown.path.other) = (0, None);
                shown.path.value = value.to_vec();
                says(shown, leaf(&hash(absent), &hash(value)));
            })?;
        }
    }

    for (comment, bit) in [("off the first digit", 0), ("off the second digit", scene.config.bits)]
    {
        lie("OtherLeaf", comment, &stray, "verify.absence", &|shown| {
            if let Some((key, _)) = &mut shown.path.other {
                key[bit / 8] ^= 0x80 >> (bit % 8);
            }
        })?;
    }
    lie("OtherLeaf", "its key changed behind the digits", &stray, opening, &|shown| {
        if let Some((key, value)) = &mut shown.path.other {
            key[31] ^= 1;
            let scalar = leaf(key, value);
            says(shown, scalar);
        }
    })?;
    lie("OtherLeaf", "its value changed", &stray, opening, &|shown| {
        if let Some((key, value)) = &mut shown.path.other {
            value[31] ^= 1;
            let scalar = leaf(key, value);
            says(shown, scalar);
        }
    })?;
    lie("OtherLeaf", "an empty slot said to hold one", &empty, opening, &|shown| {
        let mut near = hash(&empty);
        near[31] ^= 1;
        (shown.path.terminal, shown.path.other) = (2, Some((near, [1; 32])));
        says(shown, leaf(&near, &[1; 32]));
    })?;
    lie("OtherLeaf", "another leaf said to be an empty slot", &stray, opening, &|shown| {
        (shown.path.terminal, shown.path.other) = (1, None);
        says(shown, Fr::default());
    })?;

    let cut = |shown: &mut Shown| {
        shown.levels = 1;
        shown.nodes.clear();
        shown.openings.truncate(1);
        shown.path.levels.truncate(1);
    };
    lie("Path", "cut off above the leaf, present", &present, opening, &|shown| {
        cut(shown);
        let value = hash(&shown.path.value);
        says(shown, leaf(&own, &value));
    })?;
    lie("Path", "cut off above the leaf, absent", &present, opening, &|shown| {
        cut(shown);
        (shown.path.terminal, shown.path.value) = (1, vec![]);
        says(shown, Fr::default());
    })?;
    lie("Kinds", "a node's slot as another leaf's", &present, opening, &|shown| {
        // What the node hashes is no leaf, whatever is said to be in it.
        let node = shown.nodes[0].clone();
        cut(shown);
        let mut near = own;
        near[31] ^= 1;
        let value: Word = std::array::from_fn(|at| node[at]);
        (shown.path.terminal, shown.path.value) = (2, vec![]);
        shown.path.other = Some((near, value));
        says(shown, leaf(&near, &value));
    })?;
    lie("Kinds", "a leaf's slot as a node of the liar's own", &present, opening, &|shown| {
        let (committer, bits) = (scene.committer(), scene.config.bits);
        shown.path.value = b"another".to_vec();
        let slot = digit(&own, 2, bits);
        let scalar = leaf(&own, &hash(b"another"));
        let commitment = compressed(committer.combine(&[(slot, scalar)]));
        let mut vector = vec![Fr::default(); committer.k()];
        vector[slot] = scalar;
        shown.openings.push(compressed(committer.open(&vector, slot)).to_vec());
        says(shown, committer.inner(&commitment));
        let place = Place::on_way(&own, 2, bits);
        shown.path.levels.push(Level { place, commitment, digit: slot, scalar });
        shown.nodes.push(commitment.to_vec());
        shown.levels = 3;
    })?;
    // Two keys' hashes share 128 bits at most.
    let most = u8::try_from(128_usize.div_ceil(scene.config.bits) + 1).unwrap_or(u8::MAX);
    lie("Path", "more levels than two keys share", &present, "decode.limit", &|shown| {
        shown.levels = most + 1;
    })?;
    lie("Path", "more levels than nodes", &present, "decode.shape", &|shown| shown.levels = most)?;
    lie("EmptyTree", "a tree that is not", &present, "verify.absence", &|shown| {
        cut(shown);
        shown.path.levels.clear();
        shown.openings.clear();
        (shown.levels, shown.path.terminal, shown.path.value) = (0, 1, vec![]);
    })?;
    lie("EmptyTree", "a leaf without a level", &present, "decode.shape", &|shown| {
        cut(shown);
        shown.path.levels.clear();
        shown.openings.clear();
        shown.levels = 0;
    })?;

    cases.extend(openings(scene, &present, &empty)?);
    if scene.config.commitment == Commitment::Kzg {
        let lie = fitted::another_value(scene, &present)?;
        let comment = "made to fit a challenge that does not bind it";
        cases.push(invalid("Aggregate", comment, lie, "verify.opening"));
    }
    cases.extend(elsewhere(scene, other, &present, &empty)?);
    cases.extend(batches(scene)?);
    Ok(cases)
}

/// Openings, one by one and together.
fn openings(scene: &Scene, present: &Vec<u8>, empty: &[u8]) -> Result<Vec<Case>> {
    let code = "verify.opening";
    let plain = |change: Change<'_>| {
        let mut shown = scene.shown(present)?;
        change(&mut shown);
        scene.says(std::slice::from_ref(present), PLAIN, scene.encode(&[shown], PLAIN)?)
    };
    let moved = |opening: &[u8], by: bool| {
        let point = read_point(opening).unwrap_or_default().into_group();
        let generator = ark_bls12_381::G1Affine::generator().into_group();
        compressed(if by { point + generator } else { point - generator }).to_vec()
    };
    let beside = {
        let shown = scene.shown(present)?;
        let mut keys = scene.all(0)?.into_iter();
        let sibling = keys.find(|key| {
            key != present && scene.shown(key).is_ok_and(|other| other.nodes == shown.nodes)
        });
        scene.shown(&sibling.unwrap_or_else(|| empty.to_vec()))?
    };
    let table: [(&str, Change<'_>); 4] = [
        ("exchanged", &|shown| shown.openings.swap(0, 1)),
        ("one moved up and one down by the same point", &|shown| {
            shown.openings[0] = moved(&shown.openings[0], true);
            shown.openings[1] = moved(&shown.openings[1], false);
        }),
        ("the identity", &|shown| shown.openings[1] = identity().to_vec()),
        ("that of the slot beside it", &|shown| {
            shown.openings[1].clone_from(&beside.openings[1]);
        }),
    ];
    let mut cases = Vec::new();
    for (comment, change) in table {
        cases.push(plain(change)?.refused("Openings", comment, code));
    }
    let shown = scene.shown(present)?;
    let paths = scene.encode(std::slice::from_ref(&shown), AGGREGATED)?;
    let whole = scene.opening(std::slice::from_ref(&shown))?;
    let paths = scene.says(std::slice::from_ref(present), AGGREGATED, paths)?;
    let mut case = |comment: &str, opening: Vec<u8>| {
        let lie = paths.edited(|proof| proof.set(&[2], Item::Bytes(opening)));
        cases.push(lie.refused("Aggregate", comment, code));
    };
    for at in (0..whole.len()).step_by(48) {
        let mut lie = whole.clone();
        lie.splice(at..at + 48, moved(&whole[at..at + 48], true));
        case("a point moved", lie);
        let mut lie = whole.clone();
        lie.splice(at..at + 48, identity());
        case("the identity", lie);
    }
    let other = scene.opening(&[scene.shown(empty)?])?;
    case("that of another key", other);
    // Unweighted: what a verifier without coefficients would take.
    let points = shown.openings.iter().filter_map(|opening| read_point(opening.as_slice()));
    let sum = compressed(points.map(ark_bls12_381::G1Affine::into_group).sum()).to_vec();
    let rest = whole[48..].to_vec();
    case("openings without weights", [sum, rest].concat());
    Ok(cases)
}

/// Honest proofs of something else.
fn elsewhere(
    scene: &Scene,
    other: &Scene,
    present: &Vec<u8>,
    empty: &Vec<u8>,
) -> Result<Vec<Case>> {
    let code = "verify.opening";
    let mut cases = Vec::new();
    for variant in VARIANTS {
        let asked = [present.clone()];
        let honest = scene.honest(&asked, variant)?;
        let pinned = |bytes: Vec<u8>| honest.with_source(Source::Root { number: HEAD, bytes });
        let about = |keys: &[&Vec<u8>]| honest.with_query(encode(keys));
        let old = scene.claim(HEAD - 1, &[key(9)], variant)?;
        let foreign = other.prove(HEAD, &asked, variant)?;
        let foreign_code = if variant == AGGREGATED { "decode.shape" } else { code };
        let two = scene.prove(HEAD, &[present.clone(), empty.clone()], variant)?;
        let mut root = scene.root(HEAD)?;
        root[0] &= 0x7f;
        for (flag, comment, claim, code) in [
            ("BadRoot", "that of the block before", honest.with_source(old.source.clone()), code),
            (
                "OtherProof",
                "a deleted key, as it was before",
                old.with_source(honest.source.clone()),
                code,
            ),
            ("OtherProof", "of another setup", honest.with_proof(foreign), foreign_code),
            ("OtherKey", "another key", about(&[empty]), code),
            ("OtherKey", "one of two keys", about(&[present, empty]), "decode.shape"),
            ("OtherKey", "two keys for one", honest.with_proof(two), "decode.shape"),
            ("EmptyTree", "levels below an empty root", pinned(identity().to_vec()), "verify.path"),
            ("BadRoot", "not compressed", pinned(root), "input.request"),
        ] {
            cases.push(claim.refused(flag, comment, code));
        }
        for length in [0, 47, 49] {
            let short = pinned(vec![0x80; length]);
            cases.push(short.refused("BadRoot", &format!("{length} bytes"), "input.request"));
        }
    }
    Ok(cases)
}

/// Several keys.
fn batches(scene: &Scene) -> Result<Vec<Case>> {
    let keys: Vec<_> = (0..6).map(|index| key(index * 31 + 1)).collect();
    let mut cases = Vec::new();
    for variant in VARIANTS {
        for bad in [0, 3, 5] {
            let mut shown = keys.iter().map(|key| scene.shown(key)).collect::<Result<Vec<_>>>()?;
            let value = b"another".to_vec();
            let own = shown[bad].path.hash;
            shown[bad].path.terminal = 0;
            shown[bad].path.other = None;
            if let Some(level) = shown[bad].path.levels.last_mut() {
                level.scalar = scene.committer().leaf(&own, &hash(&value));
            }
            shown[bad].path.value = value;
            let proof = scene.encode(&shown, variant)?;
            let comment = format!("number {bad} of six keys");
            let claim = scene.says(&keys, variant, proof)?;
            cases.push(invalid("WrongValue", &comment, claim, "verify.opening"));
        }
        let below = scene.all(0)?;
        let nodes = |key: &Vec<u8>| scene.shown(key).map(|shown| shown.nodes);
        let first = nodes(&below[0])?;
        let other = below.iter().find(|key| nodes(key).is_ok_and(|nodes| nodes != first));
        let keys = [below[0].clone(), other.unwrap_or(&below[0]).clone()];
        let swapped = [keys[1].clone(), keys[0].clone()];
        let proof = scene.prove(HEAD, &swapped, variant)?;
        let claim = scene.says(&keys, variant, proof)?;
        cases.push(invalid("OtherKey", "keys exchanged", claim, "verify.opening"));
    }
    Ok(cases)
}
