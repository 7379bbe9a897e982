//! Chain configurations: what the consensus part may hold.

use lightproof_core::chain::{Consensus, Shape};
use lightproof_core::hash::keccak256;
use lightproof_core::header::light::LightClient;
use lightproof_core::{Chain, TrustedHeader};
use lightproof_testkit::Rlp;

use super::{beacon_blocks, code, devnet_world};

fn chain(kind: &str, rest: impl IntoIterator<Item = Rlp>) -> Vec<u8> {
    let head = [Rlp::str(kind), Rlp::uint(1), Rlp::str([1; 32])];
    Rlp::list(head.into_iter().chain(rest)).encode()
}

fn devnet(numbers: &[u64]) -> Vec<u8> {
    chain("devnet", [Rlp::list(numbers.iter().copied().map(Rlp::uint))])
}

fn beacon(numbers: [u64; 5], forks: &[(u64, &str)]) -> Vec<u8> {
    let fork = |(epoch, shape): &(u64, &str)| {
        Rlp::list([Rlp::uint(*epoch), Rlp::str([0; 4]), Rlp::str(shape)])
    };
    let mut consensus = numbers.map(Rlp::uint).to_vec();
    consensus.extend([Rlp::str([2; 32]), Rlp::list(forks.iter().map(fork))]);
    chain("ethereum", [Rlp::List(consensus)])
}

const PRESET: [u64; 5] = [512, 32, 256, 12, 1_606_824_023];

#[test]
fn reads_forks_periods_and_times() {
    let bytes = beacon(PRESET, &[(10, "altair"), (20, "altair"), (20, "capella"), (30, "gloas")]);
    let Some(Consensus::Beacon(beacon)) = Chain::from_rlp(&bytes).unwrap().consensus else {
        panic!("another consensus");
    };
    assert_eq!(beacon.slots_per_period(), 8_192);
    assert_eq!(beacon.time(11_698_208), 1_606_824_023 + 12 * 11_698_208);
    assert_eq!(beacon.slot(beacon.time(7) + 11), 7);
    assert_eq!((beacon.slot(0), beacon.slot(u64::MAX)), (0, u64::MAX));
    assert!(beacon.fork(10 * 32 - 1).is_none());
    assert_eq!(beacon.fork(20 * 32 - 1).unwrap().shape, Shape::Altair);
    assert_eq!(beacon.fork(20 * 32).unwrap().shape, Shape::Capella);
    let shapes: Vec<Shape> = beacon.shapes().collect();
    assert_eq!(shapes, [Shape::Gloas, Shape::Capella, Shape::Altair]);
}

#[test]
fn refuses_a_consensus_that_is_none() {
    let with = |index: usize, value: u64| {
        let mut numbers = PRESET;
        numbers[index] = value;
        beacon(numbers, &[(0, "altair")])
    };
    let good = [(0, "altair")];
    let wrong = [
        with(0, 500),
        with(0, 4),
        with(0, 1024),
        with(1, 0),
        with(2, 0),
        with(3, 0),
        beacon(PRESET, &[]),
        beacon(PRESET, &[(0, "phase0")]),
        beacon(PRESET, &[(1, "altair"), (0, "capella")]),
        beacon(PRESET, &[(0, "deneb"), (1, "capella")]),
        beacon(PRESET, &[(0, "altair"); 65]),
        chain("ethereum", [Rlp::str([1])]),
        chain("ethereum", [Rlp::list([Rlp::uint(512)])]),
        chain("devnet", [Rlp::list([Rlp::uint(32), Rlp::uint(10)]), Rlp::uint(0)]),
        devnet(&[32, 0]),
        devnet(&[31, 10]),
        devnet(&[32]),
        devnet(&[32, 10, 1]),
        chain("attested", []),
        chain("attested", [Rlp::list([])]),
        chain("attested", [Rlp::list([Rlp::uint(0)])]),
        chain("attested", [Rlp::list([Rlp::uint(32), Rlp::uint(10)])]),
    ];
    for bytes in wrong {
        assert_eq!(Chain::from_rlp(&bytes).unwrap_err().code(), "input.chain");
        assert_eq!(LightClient::new(&bytes).unwrap_err().code(), "input.chain");
    }
    Chain::from_rlp(&beacon(PRESET, &good)).unwrap();
    Chain::from_rlp(&chain("attested", [Rlp::list([Rlp::uint(10)])])).unwrap();
}

#[test]
fn a_chain_without_consensus_has_no_light_client_and_no_signed_headers() {
    let bytes = chain("devnet", []);
    assert!(Chain::from_rlp(&bytes).unwrap().consensus.is_none());
    assert_eq!(LightClient::new(&bytes).unwrap_err().code(), "input.chain");
    let client = LightClient::new(&devnet_world::chain()).unwrap();
    assert!(client.state().is_none() && client.export().is_empty());
    let chain = beacon_blocks::chain_of(32, [1; 32]);
    assert_eq!(LightClient::new(&chain).unwrap().committee(0).map(|_| ()), None);
}

#[test]
fn a_header_has_16_kib_at_most() {
    let chain = Chain::from_rlp(&devnet_world::chain()).unwrap();
    for (length, expected) in [(16_384, "decode.header"), (16_385, "decode.limit")] {
        let bytes = vec![0; length];
        let pinned = TrustedHeader::pinned(&chain, keccak256(&bytes), &bytes);
        assert_eq!(code(pinned), expected);
    }
}
