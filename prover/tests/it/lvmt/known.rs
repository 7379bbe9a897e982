//! Roots of `lvmt/1` against a model that shares no code with the prover: slots by walking the
//! whole history, commitments by the secret, trees by the recursion of RFC 9162, RLP by hand.

use std::collections::BTreeMap;

use ark_bn254::{Fr, G1Projective};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{BigInteger, Field, One, PrimeField, Zero};
use lightproof_prover::rng::Rng;
use lightproof_prover::system::lvmt::{Format, setup};
use sha3::{Digest as _, Keccak256};

use super::world::World;

fn keccak(parts: &[&[u8]]) -> Vec<u8> {
    let hasher = parts.iter().fold(Keccak256::new(), Keccak256::chain_update);
    hasher.finalize().to_vec()
}

fn string(bytes: &[u8]) -> Vec<u8> {
    match bytes {
        [byte] if *byte < 128 => vec![*byte],
        _ if bytes.len() < 56 => [&[128 + u8::try_from(bytes.len()).unwrap()], bytes].concat(),
        _ => [&[184, u8::try_from(bytes.len()).unwrap()], bytes].concat(),
    }
}

fn uint(number: u64) -> Vec<u8> {
    let bytes = number.to_be_bytes();
    string(&bytes[usize::try_from(number.leading_zeros() / 8).unwrap()..])
}

fn list(items: &[Vec<u8>]) -> Vec<u8> {
    let body = items.concat();
    let length = u8::try_from(body.len()).unwrap();
    let prefix = if length < 56 { vec![192 + length] } else { vec![248, length] };
    [prefix, body].concat()
}

fn tree(leaves: &[Vec<u8>]) -> Vec<u8> {
    match leaves.len() {
        0 => keccak(&[]),
        1 => leaves[0].clone(),
        count => {
            let mut split = 1;
            while split * 2 < count {
                split *= 2;
            }
            keccak(&[&[1], &tree(&leaves[..split]), &tree(&leaves[split..])])
        }
    }
}

/// Versions of every leaf, by path, its own index last.
#[derive(Default)]
struct Model {
    leaves: BTreeMap<Vec<u64>, [u64; 6]>,
    places: BTreeMap<Vec<u8>, (Vec<u64>, usize)>,
    blocks: Vec<Vec<u8>>,
}

const K: u32 = 8;

impl Model {
    fn commitment(&self, tau: Fr, path: &[u64]) -> Vec<u8> {
        let n = Fr::from(1_u64 << K);
        let order = -Fr::one() / n;
        let omega = Fr::from(5_u64).pow(order.into_bigint());
        let mut sum = Fr::zero();
        for (place, versions) in &self.leaves {
            let (index, parent) = place.split_last().unwrap();
            if parent != path {
                continue;
            }
            let x = omega.pow([*index]);
            let lagrange = x / n * (tau.pow([1 << K]) - Fr::one()) / (tau - x);
            for (slot, version) in versions.iter().enumerate() {
                sum += lagrange * Fr::from(*version) * Fr::from(2_u64).pow([40 * slot as u64]);
            }
        }
        let point = (G1Projective::generator() * sum).into_affine();
        let Some((x, y)) = point.xy() else {
            return [&[64][..], &[0; 31]].concat();
        };
        let mut bytes = x.into_bigint().to_bytes_be();
        bytes[0] |= if y > -y { 0xc0 } else { 0x80 };
        bytes
    }

    fn block(&mut self, tau: Fr, writes: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
        let mut ordered: Vec<(Vec<u8>, Vec<u8>, Vec<u8>)> = Vec::new();
        for (key, value) in writes {
            ordered.retain(|(_, other, _)| other != key);
            ordered.push((keccak(&[key]), key.clone(), value.clone()));
        }
        ordered.sort();
        let (mut tuples, mut changed) = (Vec::new(), Vec::<Vec<u64>>::new());
        for (hash, key, value) in ordered {
            let mut place = Vec::new();
            let (place, slot) = self.places.get(&key).cloned().unwrap_or_else(|| {
                for index in &hash {
                    place.push(u64::from(*index));
                    let leaf = self.leaves.entry(place.clone()).or_default();
                    if let Some(slot) = (1..6).find(|slot| leaf[*slot] == 0) {
                        return (place, slot);
                    }
                }
                panic!("no free slot");
            });
            self.places.insert(key.clone(), (place.clone(), slot));
            let leaf = self.leaves.get_mut(&place).unwrap();
            leaf[slot] += 1;
            let items = [
                uint(1),
                string(&key),
                uint(leaf[slot]),
                uint(place.len() as u64 - 1),
                uint(slot as u64),
                string(&keccak(&[&value])),
            ];
            tuples.push(keccak(&[&[0], &list(&items)]));
            for length in 1..place.len() {
                changed.push(place[..length].to_vec());
            }
        }
        changed.sort_by_key(|path| (std::cmp::Reverse(path.len()), path.clone()));
        changed.dedup();
        for path in &changed {
            self.leaves.get_mut(path).unwrap()[0] += 1;
        }
        for path in &changed {
            let items = [
                uint(2),
                uint(path.len() as u64),
                string(
                    &path
                        .iter()
                        .flat_map(|index| [0, u8::try_from(*index).unwrap()])
                        .collect::<Vec<_>>(),
                ),
                uint(self.leaves[path][0]),
                string(&self.commitment(tau, path)),
            ];
            tuples.push(keccak(&[&[0], &list(&items)]));
        }
        let epoch = self.blocks.len() as u64;
        let items = [uint(epoch), uint(tuples.len() as u64), string(&tree(&tuples))];
        self.blocks.push(keccak(&[&[2], &list(&items)]));
        [self.commitment(tau, &[]), tree(&self.blocks)].concat()
    }
}

#[test]
fn roots_are_those_of_a_plain_model() {
    let mut world = World::new(Format::One, 8);
    let tau = setup::insecure_tau(0);
    let mut model = Model::default();
    let mut rng = Rng::new(3, "known", 0);
    let mut keys: Vec<Vec<u8>> = Vec::new();
    // Half of them at one leaf, so that there are sub-AMTs.
    while keys.len() < 30 {
        let key = rng.bytes(52);
        if keys.len().is_multiple_of(2) || keccak(&[&key])[0] == 3 {
            keys.push(key);
        }
    }
    for block in 0..20_u64 {
        let writes: Vec<_> = (0..if block % 5 == 3 { 0 } else { 6 })
            .map(|_| (keys[usize::try_from(rng.below(30)).unwrap()].clone(), rng.bytes(3)))
            .collect();
        world.block(&writes);
        assert_eq!(world.roots.last(), Some(&model.block(tau, &writes)), "block {block}");
    }
    assert!(model.places.values().any(|(place, _)| place.len() > 1));
}
