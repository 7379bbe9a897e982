//! Precompiled contracts on curves: published examples, and inputs that are wrong in one way.

use lightproof_testkit::calls::{Request, World, call, word};
use lightproof_testkit::hex;

use super::{Answer, Case, case};

/// Calls precompile `number` with the call's data and returns what it returns; a failure reverts.
fn through(number: u64, data: &[u8]) -> Request {
    let code = format!("365f5f375f5f365f5f61{number:04x}5af115601d573d5f5f3e3d5ff35bfe");
    let mut world = World::of(&code);
    world.fork.0 = "osaka";
    let mut request = world.request(call());
    request.calls[0].data = data.to_vec();
    request
}

/// Of BN254's G1, 1 and its sum with itself (EIP-196's generator; the sum as every client's tests
/// have it).
const ONE: [&str; 2] = [
    "0000000000000000000000000000000000000000000000000000000000000001",
    "0000000000000000000000000000000000000000000000000000000000000002",
];
const TWO: [&str; 2] = [
    "030644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd3",
    "15ed738c0e0a7c92e7845f96b2ae9c0a68a6a449e3538fc7ff3ebf7a5a18a2c4",
];
/// The modulus of its field less 2: the negative of the generator's ordinate.
const MINUS_TWO: &str = "30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd45";
/// G2's generator, the imaginary parts first.
const G2: &str = "198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c21800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa";

/// G1's generator of BLS12-381, 64 bytes a coordinate.
const BLS: [&str; 2] = [
    "0000000000000000000000000000000017f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb",
    "0000000000000000000000000000000008b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1",
];
/// (0, 2): on the curve, of order 3.
const OUTSIDE: [&str; 2] = [
    "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
    "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002",
];
/// The first example of EIP-7951: hash, r, s, x, y.
const SIGNED: &str = "4cee90eb86eaa050036147a12d49004b6b9c72bd725d39d4785011fe190f0b4da73bd4903f0ce3b639bbbf6e8e80d16931ff4bcf5993d58468e8fb19086e8cac36dbcd03009df8c59286b162af3bd7fcc0450c9aa81be5d10d312af6c66b1d604aebd3099c618202fcfe16ae7770b0c49ab5eadf74b754204a3bb6060e44eff37618b065f9832de4ca6ca971a7a1adc826d0f7c00181a5fb2ddf79ae00b4e10e";

fn bytes(parts: &[&str]) -> Vec<u8> {
    hex::decode(&parts.concat())
}

pub(super) fn cases() -> Vec<Case> {
    let returned = |parts: &[&str]| Answer::Success(bytes(parts));
    let [one, zero] = [word(1), word(0)].map(|word| Answer::Success(word.to_vec()));
    let of = |number, parts: &[&str]| through(number, &bytes(parts));
    let [x, y] = ONE;
    let [two, three] = ["2", "3"].map(|digit| format!("{digit:0>64}"));
    let mut forged = bytes(&[SIGNED]);
    forged[0] ^= 1;
    let good = "a sum on BN254";
    // A node cannot say what a precompiled contract returns, nor give it a code.
    let mut given = of(6, &[x, y, x, y]);
    for output in [bytes(&ONE), word(0).to_vec()] {
        given.nodes.push(output.clone());
        given.codes.push(output);
    }
    // Returns 42.
    given.codes.push(hex::decode("602a60005260206000f3"));
    vec![
        case("Curve", good, of(6, &[x, y, x, y]), returned(&TWO)),
        case("Curve", "another output of that sum as node and code", given, returned(&TWO)),
        case("Curve", "a point beside BN254", of(6, &[x, x, x, y]), Answer::Halt),
        case("Curve", "a multiple on BN254", of(7, &[x, y, &two]), returned(&TWO)),
        case("Curve", "pairings that cancel", of(8, &[x, y, G2, x, MINUS_TWO, G2]), one.clone()),
        case("Curve", "pairings that do not", of(8, &[x, y, G2, x, y, G2]), zero),
        case("Curve", "pairings of 191 bytes", through(8, &bytes(&[x, y, G2])[1..]), Answer::Halt),
        case(
            "Curve",
            "a sum outside the group is one",
            of(0x0b, &[&OUTSIDE[..], &["0"; 256]].concat()),
            returned(&OUTSIDE),
        ),
        case(
            "Curve",
            "a multiple outside the group is none",
            of(0x0c, &[OUTSIDE[0], OUTSIDE[1], &three]),
            Answer::Halt,
        ),
        case("Curve", "a multiple on BLS12-381", of(0x0c, &[BLS[0], BLS[1], x]), returned(&BLS)),
        case("Curve", "a signature on secp256r1", of(0x100, &[SIGNED]), one),
        case(
            "Curve",
            "a signature of another hash",
            through(0x100, &forged),
            Answer::Success(Vec::new()),
        ),
    ]
}
