//! How two sentences about `cole/fast24` have to be read, shown by the proofs that another reading
//! would lose.

use lightproof_core::Presence;
use lightproof_core::system::cole::{Fact, Predecessor, Version};
use lightproof_prover::rlp::{self, Item};
use lightproof_prover::rng::Rng;
use lightproof_prover::system::cole::Kind;
use lightproof_prover::system::cole::config::{Config, Format};
use lightproof_prover::system::cole::key::Address;
use lightproof_prover::system::cole::prove::Query;

use super::model::{Kept, judge, scratch};
use super::random::writes;

const ADDRESS: Address = [5; 52];

/// The value as of b is asked as the range b..=b. Asked as the predecessor of b + 1 it would stay
/// unproven wherever a leaf begins at block b + 1: an inner node's first opened child is the one
/// that may hold the range's lower end, and the version of b stands in the child before it, which
/// stays closed.
#[test]
fn the_value_as_of_a_block_is_asked_at_the_block_itself() {
    let config = Config {
        format: Format::Fast24 { filters: false },
        kind: Kind::Cole,
        fanout: 4,
        capacity: 1_000,
        ..Config::default()
    };
    let directory = scratch();
    let mut kept = Kept::create(directory.path(), config);
    let value = |block: u32| [u8::try_from(block % 251).unwrap(); 32];
    for block in 1..=60 {
        kept.apply(block, &[(ADDRESS, value(block))]);
    }
    let view = kept.engine.view(60).unwrap();
    let ask = |query: Query| {
        judge(&config, &view.state, 60, &query, &view.prove(&query).unwrap()).unwrap()
    };
    let mut lost = 0;
    for block in 1..60 {
        let version = Version { block, value: value(block) };
        let as_of = Query { as_of: true, address: ADDRESS, from: block, to: block };
        let Fact::AsOf { value, .. } = ask(as_of) else { panic!("another question") };
        assert_eq!(value, Presence::Present(version));
        let after = Query { as_of: false, address: ADDRESS, from: block + 1, to: block + 1 };
        let Fact::History(history) = ask(after) else { panic!("another question") };
        match history.predecessor {
            Predecessor::Proven(proven) => assert_eq!(proven, version),
            Predecessor::NotProven => lost += 1,
            Predecessor::None => panic!("block {block} is denied"),
        }
    }
    // Leaves hold 2 to 4 entries, so a leaf begins at every second to fourth block.
    assert!((15..=30).contains(&lost), "{lost} of 59 predecessors");
}

/// "l and r reach 0 exactly when the layers end" is about both together, at the root: a range near
/// the start of a run has l = 0 from the first layer on, and both are 0 below the root whenever the
/// opened node is the first of its layer.
#[test]
fn positions_may_be_zero_before_the_layers_end() {
    let format = Format::Fast24 { filters: false };
    let config = Config { format, fanout: 3, capacity: 40, ..Config::default() };
    let directory = scratch();
    let (mut kept, mut rng) = (Kept::create(directory.path(), config), Rng::new(3, "zero", 0));
    for block in 1..=30 {
        kept.apply(block, &writes(&mut rng, 24, 12));
    }
    let view = kept.engine.view(30).unwrap();
    let (mut left, mut both) = (0, 0);
    for number in 0..40 {
        let address = if number == 0 { [0; 52].map(|_| 1) } else { super::random::address(number) };
        let query = Query { as_of: false, address, from: 0, to: 30 };
        let proof = view.prove(&query).unwrap();
        judge(&config, &view.state, 30, &query, &proof).unwrap();
        for (l, r, layers) in positions(&proof) {
            let below_root = 3_u64.pow(u32::try_from(layers).unwrap() - 1);
            left += u32::from(l < below_root);
            both += u32::from(r < below_root);
        }
    }
    assert!(left > both && both > 0, "{left} proofs with l = 0 below the root, {both} with r = 0");
}

/// l, r and the number of layers of each opened run of a proof that has any.
fn positions(proof: &[u8]) -> Vec<(u64, u64, usize)> {
    let item = rlp::decode(proof).unwrap();
    let levels = item.as_list().unwrap()[1].as_list().unwrap();
    let runs = levels.iter().flat_map(|level| level.as_list().unwrap());
    let number = |item: &Item| u64::try_from(item.as_uint().unwrap()).unwrap();
    runs.filter_map(|run| match run.as_list().unwrap() {
        [form, l, r, _, layers, _] if number(form) == 0 => {
            let layers = layers.as_list().unwrap().len();
            (layers > 0).then(|| (number(l), number(r), layers))
        }
        _ => None,
    })
    .collect()
}
