//! Random workloads against a plain map, in every configuration.

use lightproof_prover::rng::Rng;
use lightproof_prover::system::cole::config::{Config, Format};
use lightproof_prover::system::cole::key::Address;
use lightproof_prover::system::cole::prove::Query;

use super::model::{Kept, Model, check, configurations, scratch};

pub(crate) fn address(number: u64) -> Address {
    let mut address = [0; 52];
    // Few accounts with many slots: long common prefixes, as on a chain.
    address[19] = u8::try_from(number % 3 + 1).unwrap();
    address[44..].copy_from_slice(&(number / 3).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
    address
}

pub(crate) fn writes(rng: &mut Rng, addresses: u64, most: u64) -> Vec<(Address, [u8; 32])> {
    let mut writes = std::collections::BTreeMap::new();
    for _ in 0..rng.below(most + 1) {
        // Squared: some addresses are hot, most are not.
        let hot = rng.below(addresses) * rng.below(addresses) / addresses;
        let value: [u8; 32] = rng.bytes(32).try_into().unwrap();
        writes.insert(address(hot), value);
    }
    writes.into_iter().collect()
}

fn query(rng: &mut Rng, addresses: u64, head: u32) -> Query {
    let address = address(rng.below(addresses + 3));
    let block = |rng: &mut Rng| match rng.below(12) {
        0 => 0,
        1 => u32::MAX,
        2 => u32::MAX - 1,
        3 => head,
        4 => head + 1,
        _ => u32::try_from(rng.below(u64::from(head) + 3)).unwrap(),
    };
    let (one, other) = (block(rng), block(rng));
    if rng.one_in(2) {
        Query { as_of: true, address, from: one, to: one }
    } else {
        Query { as_of: false, address, from: one.min(other), to: one.max(other) }
    }
}

fn run(config: Config, seed: u64, blocks: u32, most: u64) {
    let directory = scratch();
    let mut rng = Rng::new(seed, "cole", u64::from(config.fanout));
    let (mut kept, mut model) = (Kept::create(directory.path(), config), Model::default());
    let addresses = 24;
    let mut hidden = 0;
    let mut asked = 0;
    for block in 1..=blocks {
        let writes = writes(&mut rng, addresses, most);
        model.apply(block, &writes);
        kept.apply(block, &writes);
        if block % 17 == 0 {
            kept = kept.restart(directory.path());
        }
        for _ in 0..4 {
            let view = kept.engine.view(block).unwrap();
            let query = query(&mut rng, addresses, block);
            asked += 1;
            hidden += u32::from(check(&view, &model, &query));
        }
    }
    assert!(hidden < asked, "no predecessor was ever proven");
}

#[test]
fn every_configuration_agrees_with_a_plain_map() {
    for config in configurations() {
        for (fanout, ratio, capacity) in
            [(4, 4, 16), (2, 2, 4), (3, 2, 7), (16, 3, 50), (256, 5, 9)]
        {
            // A format that flushes within a block needs capacities below a block's writes, too.
            let config = Config { fanout, ratio, capacity, epsilon: 4, window: 9, ..config };
            run(config, 11, 90, 12);
        }
    }
}

#[test]
fn wide_blocks_flush_once_in_one_and_within_the_block_in_fast24() {
    for config in configurations() {
        let config = Config { fanout: 4, ratio: 3, capacity: 5, window: 3, epsilon: 2, ..config };
        run(config, 12, 40, 60);
    }
}

#[test]
fn the_window_stays_provable_also_after_a_restart() {
    for config in configurations() {
        let directory = scratch();
        let config = Config { capacity: 6, ratio: 2, window: 8, ..config };
        let mut rng = Rng::new(5, "window", 0);
        let (mut kept, mut model) = (Kept::create(directory.path(), config), Model::default());
        let mut states = Vec::new();
        let mut models = Vec::new();
        for block in 1..=61 {
            let writes = writes(&mut rng, 20, 9);
            model.apply(block, &writes);
            states.push(kept.apply(block, &writes));
            models.push(model.clone());
        }
        for restarted in [false, true] {
            if restarted {
                kept = kept.restart(directory.path());
            }
            assert_eq!(kept.engine.oldest(), Some(54));
            for block in 54..=61_u32 {
                let at = usize::try_from(block).unwrap() - 1;
                let view = kept.engine.view(block).unwrap();
                assert_eq!(view.state, states[at]);
                for _ in 0..20 {
                    check(&view, &models[at], &query(&mut rng, 20, block));
                }
            }
            assert!(kept.engine.view(53).is_none());
        }
        // What left the window is gone from the disk: at most the window's runs remain.
        let files = std::fs::read_dir(directory.path()).unwrap().count();
        assert!(files < 4 * 80, "{files} files");
    }
}

#[test]
fn a_state_depends_on_the_format() {
    let state = |format| {
        let directory = scratch();
        let config = Config { format, capacity: 4, ..Config::default() };
        let mut kept = Kept::create(directory.path(), config);
        kept.apply(1, &writes(&mut Rng::new(1, "format", 0), 30, 30))
    };
    let all = [Format::One, Format::Fast24 { filters: true }, Format::Fast24 { filters: false }];
    let states: std::collections::BTreeSet<_> = all.map(state).into_iter().collect();
    assert_eq!(states.len(), 3);
}
