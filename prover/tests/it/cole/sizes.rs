//! Bytes of `cole/1` under the load of the paper's queries for histories (section 8.1.3): 100
//! states, 100 writes a block to random ones of them, an address of 63 blocks in 100. Memory holds
//! many more blocks than are asked for, as the paper's 64 MB do.

use std::collections::BTreeMap;

use lightproof_core::system::cole::Fact;
use lightproof_prover::rng::Rng;
use lightproof_prover::store::blobs::Directory;
use lightproof_prover::system::cole::Kind;
use lightproof_prover::system::cole::config::Config;
use lightproof_prover::system::cole::engine::Engine;
use lightproof_prover::system::cole::key::Address;
use lightproof_prover::system::cole::prove::Query;

use super::model::{judge, scratch};

const BLOCKS: u32 = 350;
const STATES: u8 = 100;

fn address(state: u8) -> Address {
    Rng::new(1, "sizes-address", state.into()).bytes(52).try_into().unwrap()
}

fn writes(block: u32) -> Vec<(Address, [u8; 32])> {
    let mut rng = Rng::new(1, "sizes", block.into());
    let states: Vec<u8> = (0..STATES).collect();
    let one = |_| (address(rng.pick(&states)), rng.bytes(32).try_into().unwrap());
    (0..100).map(one).collect::<BTreeMap<_, _>>().into_iter().collect()
}

/// Bytes of the newest `q` blocks of several addresses on average, and versions of each.
fn newest(kind: Kind, capacity: u64, asked: &[u32]) -> Vec<(usize, usize)> {
    let config = Config { kind, capacity, ..Config::default() };
    let directory = scratch();
    let mut engine = Engine::create(Directory::files(directory.path()), config).unwrap();
    for block in 1..=BLOCKS {
        engine.apply(block, &writes(block)).unwrap();
        engine.durable().unwrap();
    }
    let view = engine.view(BLOCKS).unwrap();
    let measure = |q: &u32| {
        let (mut bytes, mut versions) = (0, 0);
        for state in 0..10 {
            let from = BLOCKS + 1 - q;
            let address = address(state * 7);
            let query = Query { as_of: false, address, from, to: BLOCKS };
            let proof = view.prove(&query).unwrap();
            let fact = judge(&config, &view.state, BLOCKS, &query, &proof).unwrap();
            let Fact::History(history) = fact else { panic!("another question") };
            bytes += proof.len();
            versions += history.versions().len();
        }
        (bytes / 10, versions / 10)
    };
    asked.iter().map(measure).collect()
}

#[test]
fn histories_have_the_bytes_that_were_computed_from_the_papers_proofs() {
    let asked = [2, 16, 128];
    let most = [(Kind::Cole, [2_000, 2_200, 4_900]), (Kind::ColeStar, [2_600, 2_800, 5_500])];
    for (kind, most) in most {
        let sizes = newest(kind, 12_000, &asked);
        for ((bytes, versions), (q, most)) in sizes.iter().zip(asked.iter().zip(most)) {
            println!("{kind:?}, newest {q} blocks: {bytes} bytes, {versions} versions");
            assert!(*bytes <= most, "{kind:?}, newest {q} blocks: {bytes} bytes");
        }
        let (_, versions) = sizes[2];
        assert!((70..=90).contains(&versions), "{versions} versions in 128 blocks");
    }
}

/// A version is 36 bytes, and a source that is opened some 700: two neighbours, and the digests
/// beside them. So the bytes of a range follow from how many sources hold it, that is from B.
#[test]
fn a_smaller_memory_makes_more_sources_and_these_the_bytes() {
    let [(large, _)] = newest(Kind::Cole, 12_000, &[128])[..] else { panic!("one range") };
    let [(small, _)] = newest(Kind::Cole, 1_024, &[128])[..] else { panic!("one range") };
    assert!(small > large + 3 * 500, "{small} and {large} bytes");
}
