//! Precompiles on curves beside the engine's own, on points, on what is none, and on inputs of
//! every length.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects)]

use lightproof_core::precompile::Outcome;
use lightproof_evm::{Heavy, Native};
use revm::precompile::{PrecompileSpecId, PrecompileStatus, Precompiles};
use revm::primitives::Address;

const HEAVY: [u64; 12] = [6, 7, 8, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x100];

fn address(number: u64) -> Address {
    Address::left_padding_from(&number.to_be_bytes())
}

fn ours(number: u64, input: &[u8]) -> Option<Vec<u8>> {
    match Native.run(number, input) {
        Outcome::Output(output) => Some(output),
        Outcome::Failure => None,
        Outcome::Unknown => panic!("{number:#x} is not here"),
    }
}

fn engines(number: u64, input: &[u8]) -> Option<Vec<u8>> {
    let all = Precompiles::new(PrecompileSpecId::OSAKA);
    let done = all.get(&address(number)).unwrap().execute(input, u64::MAX, 0);
    done.ok()
        .filter(|done| done.status == PrecompileStatus::Success)
        .map(|done| done.bytes.to_vec())
}

/// What both make of an input.
#[track_caller]
fn both(number: u64, input: &[u8]) -> Option<Vec<u8>> {
    let output = ours(number, input);
    assert_eq!(output, engines(number, input), "{number:#x} of {}", hex(input));
    output
}

fn hex(bytes: &[u8]) -> String {
    lightproof_testkit::hex::encode(bytes)
}

/// 32 bytes that look random.
fn word(seed: u64) -> [u8; 32] {
    lightproof_testkit::keccak(&seed.to_be_bytes())
}

fn small(number: u8) -> [u8; 32] {
    let mut word = [0; 32];
    word[31] = number;
    word
}

/// Points of BN254's G1: multiples of (1, 2).
fn bn_point(seed: u64) -> Vec<u8> {
    let generator = [small(1), small(2)].concat();
    both(7, &[generator, word(seed).to_vec()].concat()).unwrap()
}

/// Points of BLS12-381's groups, as the maps make them.
fn mapped(number: u64, seed: u64) -> Vec<u8> {
    let part = |at: u64| {
        let mut part = vec![0; 32];
        part.extend(word(seed * 2 + at));
        part
    };
    let input = if number == 0x10 { part(0) } else { [part(0), part(1)].concat() };
    both(number, &input).unwrap()
}

/// Each is changed in the ways that a point can be wrong, everywhere.
fn alike(number: u64, input: &[u8], unit: usize) {
    both(number, input);
    for length in [0, 1, input.len() - 1, input.len() / 2] {
        both(number, &input[..length]);
    }
    both(number, &[input, &[0]].concat());
    for start in (0..input.len()).step_by(unit) {
        let end = (start + unit).min(input.len());
        for fill in [0x00, 0xff] {
            let mut changed = input.to_vec();
            changed[start..end].fill(fill);
            both(number, &changed);
        }
        for at in [start, usize::midpoint(start, end), end - 1] {
            let mut changed = input.to_vec();
            changed[at] ^= 1;
            both(number, &changed);
        }
    }
}

#[test]
fn bn254_is_the_engines() {
    let (p, q) = (bn_point(1), bn_point(2));
    alike(6, &[&p[..], &q].concat(), 32);
    let mut negative = p.clone();
    // p − y.
    let modulus = "30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47";
    let modulus = lightproof_testkit::hex::decode(modulus);
    let mut borrow = 0;
    for at in (0..32).rev() {
        let digit = i16::from(modulus[at]) - i16::from(p[32 + at]) - borrow;
        borrow = i16::from(digit < 0);
        negative[32 + at] = u8::try_from(digit.rem_euclid(256)).unwrap();
    }
    assert_eq!(both(6, &[&p[..], &negative].concat()).unwrap(), [0; 64]);
    both(6, &[&p[..], &p].concat());
    both(6, &[p.clone(), [0; 64].to_vec()].concat());
    for scalar in [[0; 32], small(1), [0xff; 32], word(9)] {
        alike(7, &[&p[..], &scalar].concat(), 32);
    }
    // e(P, G2) · e(−P, G2) = 1, and e(P, G2) is not.
    let generator = "198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c21800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa";
    let generator = lightproof_testkit::hex::decode(generator);
    let pairs = [&p[..], &generator, &negative, &generator].concat();
    assert_eq!(both(8, &pairs).unwrap(), small(1));
    assert_eq!(both(8, &pairs[..192]).unwrap(), small(0));
    assert_eq!(both(8, &[]).unwrap(), small(1));
    alike(8, &pairs, 32);
    // More pairs than are prepared at once.
    assert_eq!(both(8, &pairs.repeat(20)).unwrap(), small(1));
}

#[test]
fn bls12_381_is_the_engines() {
    let [g1, h1] = [mapped(0x10, 1), mapped(0x10, 2)];
    let [g2, h2] = [mapped(0x11, 1), mapped(0x11, 2)];
    alike(0x0b, &[&g1[..], &h1].concat(), 64);
    alike(0x0d, &[&g2[..], &h2].concat(), 64);
    both(0x0b, &[&g1[..], &g1].concat());
    both(0x0d, &[&g2[..], &g2].concat());
    for scalar in [[0; 32], small(1), [0xff; 32], word(9)] {
        alike(0x0c, &[&g1[..], &scalar, &h1, &word(3)].concat(), 96);
        both(0x0e, &[&g2[..], &scalar, &h2, &word(3)].concat());
    }
    alike(0x0e, &[&g2[..], &word(4)].concat(), 96);
    let many: Vec<u8> =
        (0..40).flat_map(|at| [mapped(0x10, at), word(at).to_vec()].concat()).collect();
    both(0x0c, &many);
    // e(P, Q) · e(−P, Q) = 1: −P is (r − 1)·P.
    let less = "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000000";
    let less = lightproof_testkit::hex::decode(less);
    let negative = both(0x0c, &[&g1[..], &less].concat()).unwrap();
    let pairs = [&g1[..], &g2, &negative, &g2].concat();
    assert_eq!(both(0x0f, &pairs).unwrap(), small(1));
    assert_eq!(both(0x0f, &pairs[..384]).unwrap(), small(0));
    alike(0x0f, &pairs[..384], 64);
    assert_eq!(both(0x0f, &pairs.repeat(20)).unwrap(), small(1));
}

/// Points of the curves that no multiple of a generator is, where the group does not matter and
/// where it does.
#[test]
fn only_sums_take_points_outside_the_groups() {
    // (0, 2) is on y² = x³ + 4, and has order 3.
    let mut outside = vec![0; 128];
    outside[127] = 2;
    assert!(both(0x0b, &[&outside[..], &outside].concat()).is_some());
    assert!(both(0x0c, &[&outside[..], &small(3)].concat()).is_none());
    let pair = [&outside[..], &mapped(0x11, 1)].concat();
    assert!(both(0x0f, &pair).is_none());
}

#[test]
fn maps_are_the_engines() {
    for seed in 0..20 {
        mapped(0x10, seed);
        mapped(0x11, seed);
    }
    // Zero is the exceptional case of both maps.
    both(0x10, &[0; 64]);
    both(0x11, &[0; 128]);
    let modulus = "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab";
    let modulus = [vec![0; 16], lightproof_testkit::hex::decode(modulus)].concat();
    assert!(both(0x10, &modulus).is_none());
    let mut largest = modulus;
    largest[63] = 0xaa;
    assert!(both(0x10, &largest).is_some());
    alike(0x10, &largest, 16);
}

/// The opening of a constant blob: its commitment is the constant times the generator, its proof
/// infinity.
#[test]
fn blobs_are_the_engines() {
    let generator = "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb";
    let commitment = lightproof_testkit::hex::decode(generator);
    let mut infinity = vec![0; 48];
    infinity[0] = 0xc0;
    let mut versioned = {
        let sha = Address::with_last_byte(2);
        let all = Precompiles::new(PrecompileSpecId::OSAKA);
        all.get(&sha).unwrap().execute(&commitment, u64::MAX, 0).unwrap().bytes.to_vec()
    };
    versioned[0] = 1;
    let opening =
        |z: [u8; 32], y: [u8; 32]| [&versioned[..], &z, &y, &commitment, &infinity].concat();
    let opened = both(0x0a, &opening(small(7), small(1))).unwrap();
    assert_eq!(opened.len(), 64);
    assert!(both(0x0a, &opening(small(7), small(2))).is_none());
    assert!(both(0x0a, &opening([0xff; 32], small(1))).is_none());
    alike(0x0a, &opening(small(7), small(1)), 16);
}

#[test]
fn p256_is_the_engines() {
    // EIP-7951's first test vector.
    let valid = "4cee90eb86eaa050036147a12d49004b6b9c72bd725d39d4785011fe190f0b4da73bd4903f0ce3b639bbbf6e8e80d16931ff4bcf5993d58468e8fb19086e8cac36dbcd03009df8c59286b162af3bd7fcc0450c9aa81be5d10d312af6c66b1d604aebd3099c618202fcfe16ae7770b0c49ab5eadf74b754204a3bb6060e44eff37618b065f9832de4ca6ca971a7a1adc826d0f7c00181a5fb2ddf79ae00b4e10e";
    let valid = lightproof_testkit::hex::decode(valid);
    assert_eq!(both(0x100, &valid).unwrap(), small(1));
    alike(0x100, &valid, 32);
    let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
    let order = lightproof_testkit::hex::decode(order);
    for at in [32, 64] {
        for value in [&[0; 32][..], &order] {
            let mut changed = valid.clone();
            changed[at..at + 32].copy_from_slice(value);
            assert!(both(0x100, &changed).unwrap().is_empty());
        }
    }
    // s and n − s sign alike.
    let mut other = valid.clone();
    let mut borrow = 0;
    for at in (0..32).rev() {
        let digit = i16::from(order[at]) - i16::from(valid[64 + at]) - borrow;
        borrow = i16::from(digit < 0);
        other[64 + at] = u8::try_from(digit.rem_euclid(256)).unwrap();
    }
    assert_eq!(both(0x100, &other).unwrap(), small(1));
}

#[test]
fn inputs_of_any_bytes_are_alike() {
    for number in HEAVY {
        for seed in 0..40 {
            let length = usize::from(word(seed)[0]) * 3;
            let bytes: Vec<u8> =
                (0..length).map(|at| word(seed)[at % 32] & word(at as u64)[0]).collect();
            both(number, &bytes);
        }
    }
}
