//! What a large block costs, by system. Ignored: it measures and checks nothing.
//!
//!     LIGHTPROOF_WRITES=3600 cargo test --release -p lightproof-node --test node -- --ignored
//! --nocapture cost

use std::time::{Duration, Instant};

use lightproof_node::system;
use lightproof_prover::chain::state::Wei;
use lightproof_prover::chain::writes::WriteSet;
use lightproof_prover::hash::keccak256;
use redb::{Database, ReadableDatabase as _};

/// Blocks that are measured: the first fills an empty state, the other changes and adds.
const BLOCKS: u64 = 2;

/// `count` writes, a sixth of them accounts and the rest slots of a hundredth as many tokens. Half
/// are of keys that the block before wrote.
fn writes(block: u64, count: u64) -> WriteSet {
    let mut writes = WriteSet::default();
    let name = |kind: &[u8], index: u64| keccak256(&[kind, &index.to_be_bytes()].concat());
    let address = |hash: [u8; 32]| std::array::from_fn(|at| hash[at]);
    let tokens = count.div_ceil(100);
    for index in 0..tokens {
        writes.account(address(name(b"token", index)), 1, Wei::from(u128::from(block)));
    }
    let first = (block - 1) * count / 2;
    for index in first..first + count / 6 {
        writes.account(address(name(b"account", index)), block, Wei::from(u128::from(index)));
    }
    for index in first..first + count - count / 6 - tokens {
        let token = address(name(b"token", index % tokens));
        writes.slot(token, name(b"slot", index), name(b"value", index + block));
    }
    writes
}

#[test]
#[ignore = "a measurement"]
fn seconds_of_a_large_block_by_system() {
    let count = std::env::var("LIGHTPROOF_WRITES").ok().and_then(|count| count.parse().ok());
    let count = count.unwrap_or(3_600);
    println!("{:14} {:>6} {:>10} {:>10} {:>10}", "system", "block", "commit", "to disk", "after");
    for config in &system::config(7, 64).systems {
        let directory = tempfile::tempdir().unwrap();
        let database = Database::create(directory.path().join("chain.redb")).unwrap();
        let system = config.make(directory.path());
        // Genesis is empty.
        for block in 0..=BLOCKS {
            let writes = if block == 0 { WriteSet::default() } else { writes(block, count) };
            system.begin(&database).unwrap();
            let transaction = database.begin_write().unwrap();
            let commit = timed(|| drop(system.commit(&transaction, block, &writes).unwrap()));
            let disk = timed(|| transaction.commit().unwrap());
            let after = timed(|| system.durable().unwrap());
            let [commit, disk, after] = [commit, disk, after].map(|time| time.as_secs_f64());
            let name = config.name();
            println!("{name:14} {block:6} {commit:10.3} {disk:10.3} {after:10.3}");
            if block == 0 {
                system.open(&database.begin_read().unwrap()).unwrap();
            }
        }
    }
}

fn timed(work: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    work();
    begun.elapsed()
}
