//! One lie each, and the code it must get.

use ark_bls12_381::{Fq, Fr, G1Affine};
use ark_ff::{One, Zero};
use ark_serialize::CanonicalSerialize;
use lightproof_core::hash::sha256;
use lightproof_core::system::verkle::Params;
use lightproof_testkit::Rlp;

use super::model::{
    Child, Setup, Shown, Tree, aggregated, digit, g1, judge, key, map, opening, plain, short_paths,
};

/// A tree, its parameters, and keys with each kind of answer below the top node.
struct Scene {
    tree: Tree,
    params: Params,
    present: Vec<u8>,
    empty: Vec<u8>,
    other: Vec<u8>,
}

fn scenes() -> Vec<Scene> {
    let scene = |kind| {
        let tree = Tree::new(&Setup::new(kind, 5), map(100));
        let find = |terminal: u8| {
            let mut keys = (0..400).map(key);
            keys.find(|key| {
                let shown = tree.show(key);
                shown.terminal == terminal && shown.levels == 2
            })
        };
        let [present, empty, other] = [0, 1, 2].map(|terminal| find(terminal).unwrap());
        Scene { params: tree.setup.params().unwrap(), tree, present, empty, other }
    };
    vec![scene("cf"), scene("kzg")]
}

impl Scene {
    fn code(&self, variant: &str, key: &[u8], proof: &[u8]) -> &'static str {
        match judge(&self.params, &self.tree.root(), &[key], variant, proof) {
            Ok(answers) => panic!("{variant} accepted: {answers:?}"),
            Err(rejection) => rejection.code(),
        }
    }

    /// Refused in both encodings, for the same reason.
    fn refuses(&self, lie: &Shown, code: &str) {
        let shown = std::slice::from_ref(lie);
        assert_eq!(self.code("plain", &lie.key, &plain(shown)), code);
        assert_eq!(self.code("aggregated", &lie.key, &aggregated(&self.tree, shown)), code);
    }
}

#[test]
fn a_wrong_value_is_refused() {
    for scene in scenes() {
        let mut lie = scene.tree.show(&scene.present);
        lie.value = b"another".to_vec();
        scene.refuses(&lie, "verify.opening");
        let last = lie.said.last_mut().unwrap();
        last.2 = scene.tree.setup.leaf(&sha256(&[&lie.key]).0, &sha256(&[b"another"]).0);
        scene.refuses(&lie, "verify.opening");
    }
}

#[test]
fn a_present_key_is_not_absent() {
    for scene in scenes() {
        let honest = scene.tree.show(&scene.present);
        let mut lie = Shown { terminal: 1, value: vec![], ..honest.clone() };
        scene.refuses(&lie, "verify.opening");
        // The key itself as the other leaf.
        let own = sha256(&[&honest.key]).0;
        lie.terminal = 2;
        lie.other = Some((own, sha256(&[&honest.value]).0));
        scene.refuses(&lie, "verify.absence");
        lie.other = Some((own, [7; 32]));
        scene.refuses(&lie, "verify.absence");
        // Another leaf that is nowhere.
        let mut stranger = own;
        stranger[31] ^= 1;
        lie.other = Some((stranger, sha256(&[&honest.value]).0));
        scene.refuses(&lie, "verify.opening");
    }
}

#[test]
fn an_absent_key_is_not_present() {
    for scene in scenes() {
        for key in [&scene.empty, &scene.other] {
            let honest = scene.tree.show(key);
            for value in [&b"value0"[..], b""] {
                let lie =
                    Shown { terminal: 0, value: value.to_vec(), other: None, ..honest.clone() };
                scene.refuses(&lie, "verify.opening");
            }
        }
    }
}

#[test]
fn another_leaf_stands_in_the_way_or_proves_nothing() {
    for scene in scenes() {
        let honest = scene.tree.show(&scene.other);
        let (other, value) = honest.other.unwrap();
        for bit in [0, 3, 9] {
            let mut hash = other;
            hash[bit / 8] ^= 0x80 >> (bit % 8);
            let lie = Shown { other: Some((hash, value)), ..honest.clone() };
            scene.refuses(&lie, "verify.absence");
        }
        let mut hash = other;
        hash[20] ^= 1;
        scene.refuses(&Shown { other: Some((hash, value)), ..honest.clone() }, "verify.opening");
        let lie = Shown { other: Some((other, [1; 32])), ..honest.clone() };
        scene.refuses(&lie, "verify.opening");
        scene.refuses(&Shown { terminal: 1, other: None, ..honest }, "verify.opening");
        // A leaf of the tree that lies elsewhere.
        let elsewhere = sha256(&[&scene.present]).0;
        let mut lie = scene.tree.show(&scene.empty);
        (lie.terminal, lie.other) = (2, Some((elsewhere, [1; 32])));
        scene.refuses(&lie, "verify.absence");
    }
}

#[test]
fn a_path_ends_where_the_tree_does() {
    for scene in scenes() {
        let setup = &scene.tree.setup;
        let honest = scene.tree.show(&scene.present);
        // Cut off above the leaf.
        for terminal in [0, 1] {
            let mut lie = honest.clone();
            (lie.levels, lie.terminal) = (1, terminal);
            lie.value = if terminal == 0 { honest.value.clone() } else { vec![] };
            lie.nodes.clear();
            lie.openings.truncate(1);
            lie.said.truncate(1);
            scene.refuses(&lie, "verify.opening");
        }
        // A level of the liar's own below the leaf, with another value in it: its slot as a node.
        let hash = sha256(&[&scene.present]).0;
        let leaf = setup.leaf(&hash, &sha256(&[b"another"]).0);
        let place = digit(&hash, 2, setup.bits);
        let exponent = setup.commit(&[(place, leaf)].into());
        let mut lie = honest.clone();
        lie.levels = 3;
        lie.value = b"another".to_vec();
        lie.nodes.push(g1(exponent).to_vec());
        lie.openings.push(setup.open(exponent, place, leaf));
        lie.said.push((g1(exponent).to_vec(), place, leaf));
        scene.refuses(&lie, "verify.opening");
        lie.levels = 52;
        scene.refuses(&lie, "decode.limit");
        lie.openings.pop();
        lie.levels = 51;
        scene.refuses(&lie, "decode.limit");
        // 128 bits in digits of five, and one more level: what is missing then are its bytes.
        for (levels, code) in [(28, "decode.limit"), (27, "decode.shape")] {
            lie.levels = levels;
            scene.refuses(&lie, code);
        }
        lie.levels = 0;
        scene.refuses(&lie, "decode.shape");
    }
}

#[test]
fn openings_belong_to_their_levels() {
    for scene in scenes() {
        let mut lie = scene.tree.show(&scene.present);
        lie.openings.swap(0, 1);
        scene.refuses(&lie, "verify.opening");
        // Errors that cancel where openings are only summed.
        let mut lie = scene.tree.show(&scene.present);
        lie.openings[0] += Fr::one();
        lie.openings[1] -= Fr::one();
        scene.refuses(&lie, "verify.opening");
        let mut lie = scene.tree.show(&scene.present);
        lie.openings[0] = Fr::zero();
        scene.refuses(&lie, "verify.opening");
    }
}

#[test]
fn a_slot_is_not_its_sibling() {
    for scene in scenes() {
        // The opening of the slot beside the key's, which is what would be there if the leaf moved.
        let setup = &scene.tree.setup;
        let mut lie = scene.tree.show(&scene.present);
        let Child::Node(node) = &scene.tree.top.children[&lie.said[0].1] else { panic!("a leaf") };
        for (slot, scalar) in &node.slots {
            if *slot != lie.said[1].1 {
                lie.openings[1] = setup.open(node.exponent, *slot, *scalar);
                scene.refuses(&lie, "verify.opening");
            }
        }
    }
}

#[test]
fn a_proof_is_of_one_root_key_and_setup() {
    for scene in scenes() {
        let shown = [scene.tree.show(&scene.present)];
        let proofs = [("plain", plain(&shown)), ("aggregated", aggregated(&scene.tree, &shown))];
        let other = Tree::new(&scene.tree.setup, map(99));
        let setup = &scene.tree.setup;
        let secrets = setup.secrets.iter().map(|secret| *secret + Fr::one()).collect();
        let stranger = Setup::with_secrets(setup.kind, setup.bits, secrets).params().unwrap();
        for (variant, proof) in &proofs {
            let keys = [scene.present.as_slice()];
            let refused = |params: &Params, root: &[u8], keys: &[&[u8]]| {
                judge(params, root, keys, variant, proof).unwrap_err().code()
            };
            assert_eq!(refused(&scene.params, &other.root(), &keys), "verify.opening");
            assert_eq!(refused(&stranger, &scene.tree.root(), &keys), "verify.opening");
            let root = scene.tree.root();
            assert_eq!(refused(&scene.params, &root, &[&scene.empty]), "verify.opening");
            assert_eq!(refused(&scene.params, &g1(Fr::zero()), &keys), "verify.path");
            let wide = Setup::new(setup.kind, 8).params().unwrap();
            assert_eq!(refused(&wide, &scene.tree.root(), &keys), "verify.opening");
        }
        assert_eq!(scene.code("plain", &scene.present, &proofs[1].1), "decode.shape");
        assert_eq!(scene.code("aggregated", &scene.present, &proofs[0].1), "decode.shape");
        assert_eq!(scene.code("hinted", &scene.present, &proofs[0].1), "decode.variant");
    }
}

#[test]
fn only_an_empty_tree_is_empty() {
    for scene in scenes() {
        let mut lie = scene.tree.show(&scene.present);
        (lie.levels, lie.terminal, lie.value) = (0, 1, vec![]);
        lie.nodes.clear();
        lie.openings.clear();
        lie.said.clear();
        scene.refuses(&lie, "verify.absence");
        // A level, even a true one, below an empty root.
        let setup = &scene.tree.setup;
        let place = digit(&sha256(&[&scene.present]).0, 0, setup.bits);
        lie.levels = 1;
        lie.openings = vec![setup.open(Fr::zero(), place, Fr::zero())];
        lie.said = vec![(g1(Fr::zero()).to_vec(), place, Fr::zero())];
        let shown = [lie];
        let empty = Tree { setup: setup.clone(), ..Tree::default() };
        for (variant, proof) in
            [("plain", plain(&shown)), ("aggregated", aggregated(&empty, &shown))]
        {
            let keys = [scene.present.as_slice()];
            let verdict = judge(&scene.params, &empty.root(), &keys, variant, &proof);
            assert_eq!(verdict.unwrap_err().code(), "verify.path");
        }
    }
}

/// A point on the curve that is not in G1: the first small x that has one.
fn outside() -> [u8; 48] {
    let mut out = [0; 48];
    let mut points = (1..50_u64)
        .filter_map(|x| G1Affine::get_point_from_x_unchecked(Fq::from(x), false))
        .filter(|point| !point.is_in_correct_subgroup_assuming_on_curve());
    points.next().unwrap().serialize_compressed(out.as_mut_slice()).unwrap();
    out
}

#[test]
fn a_point_has_one_form() {
    for scene in scenes() {
        let honest = scene.tree.show(&scene.present);
        let mut uncompressed = honest.nodes[0].clone();
        uncompressed[0] &= 0x7f;
        let mut off_curve = [0; 48];
        off_curve[0] = 0x80;
        off_curve[47] = 1;
        let mut over = [0xff; 48];
        over[0] = 0x9f;
        let identity = g1(Fr::zero());
        let mut junk = identity;
        junk[47] = 1;
        let bad =
            [uncompressed, off_curve.to_vec(), over.to_vec(), junk.to_vec(), outside().to_vec()];
        let paths = short_paths(&scene.tree.setup, std::slice::from_ref(&honest));
        let sum = opening(&scene.tree, std::slice::from_ref(&honest));
        let both = |path: &[u8], sum: &[u8]| {
            let items = [Rlp::str(&honest.value), Rlp::str(path), Rlp::str(sum)];
            scene.code("aggregated", &honest.key, &Rlp::list(items).encode())
        };
        for bytes in bad.iter().chain([&identity.to_vec()]) {
            let mut lie = honest.clone();
            lie.nodes[0].clone_from(bytes);
            scene.refuses(&lie, "decode.point");
        }
        for bytes in bad {
            for at in [50, 98] {
                let mut path = honest.path();
                path[at..at + 48].copy_from_slice(&bytes);
                let proof = Rlp::list([Rlp::str(&honest.value), Rlp::Str(path)]).encode();
                assert_eq!(scene.code("plain", &honest.key, &proof), "decode.point");
            }
            for at in (0..sum.len()).step_by(48) {
                let mut lie = sum.clone();
                lie[at..at + 48].copy_from_slice(&bytes);
                assert_eq!(both(&paths[0], &lie), "decode.point");
            }
            let verdict = judge(
                &scene.params,
                &bytes,
                &[&honest.key],
                "plain",
                &plain(std::slice::from_ref(&honest)),
            );
            assert_eq!(verdict.unwrap_err().code(), "input.request");
        }
        assert_eq!(both(&paths[0], &[&sum[..], &[0]].concat()), "decode.shape");
        assert_eq!(both(&paths[0], &sum[..sum.len() - 1]), "decode.shape");
        assert_eq!(both(&paths[0], &[]), "decode.shape");
        assert_eq!(both(&[&paths[0][..], &[0]].concat(), &sum), "decode.shape");
        for at in (0..sum.len()).step_by(48) {
            let mut lie = sum.clone();
            lie[at..at + 48].copy_from_slice(&g1(Fr::from(9_u64)));
            assert_eq!(both(&paths[0], &lie), "verify.opening");
        }
    }
}

#[test]
fn a_proof_has_one_form() {
    for scene in scenes() {
        let honest = scene.tree.show(&scene.present);
        let tail = |path: Vec<u8>| Rlp::list([Rlp::str(&honest.value), Rlp::Str(path)]).encode();
        let path = honest.path();
        let refused = |proof: &[u8]| scene.code("plain", &honest.key, proof);
        assert_eq!(refused(&tail([&path[..], &[0]].concat())), "decode.shape");
        assert_eq!(refused(&tail(path[..path.len() - 1].to_vec())), "decode.shape");
        assert_eq!(refused(&tail(vec![])), "decode.shape");
        let mut terminal = path.clone();
        terminal[1] = 3;
        assert_eq!(refused(&tail(terminal)), "decode.shape");
        let surplus = Rlp::list([Rlp::str(&honest.value), Rlp::Str(path), Rlp::str([])]).encode();
        assert_eq!(refused(&surplus), "decode.shape");
        // An absent key has no value.
        for key in [&scene.empty, &scene.other] {
            let mut lie = scene.tree.show(key);
            lie.value = vec![1];
            scene.refuses(&lie, "decode.shape");
        }
        // Every cut.
        let shown = [honest.clone()];
        for (variant, proof) in
            [("plain", plain(&shown)), ("aggregated", aggregated(&scene.tree, &shown))]
        {
            for cut in 0..proof.len() {
                scene.code(variant, &honest.key, &proof[..cut]);
            }
            for at in 0..proof.len() {
                let mut flipped = proof.clone();
                flipped[at] ^= 1 << (at % 8);
                scene.code(variant, &honest.key, &flipped);
            }
        }
    }
}

#[test]
fn one_bad_member_spoils_its_batch() {
    for scene in scenes() {
        let keys: Vec<_> = (0..8).map(key).collect();
        let mut shown: Vec<_> = keys.iter().map(|key| scene.tree.show(key)).collect();
        shown[5].value.push(0);
        let keys: Vec<_> = keys.iter().map(Vec::as_slice).collect();
        for (variant, proof) in
            [("plain", plain(&shown)), ("aggregated", aggregated(&scene.tree, &shown))]
        {
            let verdict = judge(&scene.params, &scene.tree.root(), &keys, variant, &proof);
            assert_eq!(verdict.unwrap_err().code(), "verify.opening");
        }
    }
}

#[test]
fn an_aggregate_is_of_its_claims_alone() {
    for scene in scenes() {
        let [a, b] = [&scene.present, &scene.other].map(|key| scene.tree.show(key));
        let both = [a.clone(), b.clone()];
        let keys = [a.key.as_slice(), b.key.as_slice()];
        let refused = |keys: &[&[u8]], values: &[&Shown], paths: &[Vec<u8>], sum: &[u8]| {
            let pairs = values.iter().zip(paths);
            let mut items: Vec<_> =
                pairs.flat_map(|(one, path)| [Rlp::str(&one.value), Rlp::str(path)]).collect();
            items.push(Rlp::str(sum));
            let proof = Rlp::list(items).encode();
            let verdict = judge(&scene.params, &scene.tree.root(), keys, "aggregated", &proof);
            verdict.unwrap_err().code()
        };
        let setup = &scene.tree.setup;
        let paths = short_paths(setup, &both);
        // Made for the other key; for the keys in another order.
        let sum = opening(&scene.tree, std::slice::from_ref(&b));
        let alone = short_paths(setup, std::slice::from_ref(&a));
        assert_eq!(refused(&keys[..1], &[&a], &alone, &sum), "verify.opening");
        let swapped = opening(&scene.tree, &[b.clone(), a.clone()]);
        assert_eq!(refused(&keys, &[&a, &b], &paths, &swapped), "verify.opening");
        // A node that a path before has shown is not shown again.
        let mut sibling = (0..400).map(key).map(|key| scene.tree.show(&key));
        let sibling = sibling.find(|one| one.nodes == a.nodes && one.key != a.key).unwrap();
        let pair = [a.clone(), sibling.clone()];
        let twice: Vec<_> =
            pair.iter().flat_map(|one| short_paths(setup, std::slice::from_ref(one))).collect();
        let sum = opening(&scene.tree, &pair);
        let keys = [a.key.as_slice(), sibling.key.as_slice()];
        assert_eq!(refused(&keys, &[&a, &sibling], &twice, &sum), "decode.shape");
    }
}
