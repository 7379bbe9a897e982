//! A block of as many writes as one may have: the node's memory stays bounded, with all systems.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use lightproof_node::push::MAX_WRITES;
use lightproof_prover::hash::keccak256;
use lightproof_prover::hex;
use serde_json::{Value, json};

use crate::push::kill::{SMALL, start};
use crate::push::push_within;

/// What a write of the block may add to the node's memory, with all systems: it adds some 3,400
/// bytes. A block's writes are held as JSON, as a write set and as what each system makes of them.
const MOST_BYTES: u64 = 5_500 * MAX_WRITES as u64;
/// A busy machine takes minutes.
const PATIENCE: Duration = Duration::from_mins(30);

/// A sixth of the writes are accounts, the others slots of a hundredth as many tokens.
fn block(number: u64, writes: usize) -> Value {
    let name = |kind: &str, index: usize| keccak256(format!("{kind} {index} {number}").as_bytes());
    let address = |kind: &str, index: usize| hex::encode(&name(kind, index)[..20]);
    let count = writes / 6;
    let accounts = (0..count).map(|index| {
        let balance = hex::quantity(index as u64 + 1);
        json!({ "address": address("account", index), "nonce": "0x0", "balance": balance })
    });
    let slots = (count..writes).map(|index| {
        let [slot, value] = ["slot", "value"].map(|kind| hex::encode(&name(kind, index)));
        json!({ "address": address("account", index % (writes / 100)), "slot": slot, "value": value })
    });
    json!({
        "number": hex::quantity(number),
        "timestamp": hex::quantity(10 * number),
        "accounts": accounts.collect::<Vec<_>>(),
        "slots": slots.collect::<Vec<_>>(),
    })
}

/// The most memory that a process had at once, in bytes.
fn peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// How many bytes more a process may have had at once than it had at first.
fn bounded(before: u64, after: u64) -> Result<u64, u64> {
    let grown = after - before;
    if grown <= MOST_BYTES { Ok(grown) } else { Err(grown) }
}

#[test]
fn a_block_of_a_hundred_thousand_writes_takes_bounded_memory() {
    let directory = tempfile::tempdir().unwrap();
    let jwt: &Path = &directory.path().join("jwt.hex");
    std::fs::write(jwt, "07".repeat(32)).unwrap();
    let (process, address) = start(&directory.path().join("data"), jwt, &SMALL);
    let more = push_within(address, &block(1, MAX_WRITES + 1), PATIENCE);
    assert_eq!(more["error"]["code"], -32_005, "{more}");
    let before = peak(process.id());
    let reply = push_within(address, &block(1, MAX_WRITES), PATIENCE);
    assert!(reply["result"]["hash"].is_string(), "{reply}");
    let grown = bounded(before, peak(process.id())).unwrap();
    println!("{} bytes a write", grown / MAX_WRITES as u64);
    // The writes alone are longer than this: what was looked at is the process that has them.
    assert!(grown > 100 * MAX_WRITES as u64, "{grown} bytes");
}

/// Writes of each of five blocks.
const WRITES: usize = 20_000;

/// What a system's memory may grow by from one block of new keys to the next, in bytes.
///
/// The state lies in the database. What the allocator does not give back makes the peaks rise for
/// some blocks all the same.
const LEVEL: u64 = 5 << 20;

/// The same of `lvmt`, which lets 24 MiB of rows wait: it levels off after seven blocks.
const WAITING: u64 = 24 << 20;

/// The same of `lmpt` where every block from the second on merges as many writes as it makes: each
/// touches more nodes of a snapshot that grows.
const MERGING: u64 = 7 << 20;

const SYSTEMS: [(&[&str], u64); 8] = [
    (&["mpt"], LEVEL),
    (&["balanceproofs"], LEVEL),
    (&["cole"], LEVEL),
    (&["cole", "--cole", "1-star"], LEVEL),
    (&["lmpt"], LEVEL),
    (&["lmpt", "--lmpt-interval", "1"], MERGING),
    (&["lvmt"], WAITING),
    (&["verkle"], LEVEL),
];

/// Whether the memory grew by more than it may, from the second block on.
fn excess(peaks: &[u64], most: u64) -> bool {
    let grown = peaks[peaks.len() - 1] - peaks[1];
    grown > (peaks.len() as u64 - 2) * most
}

#[test]
fn five_blocks_of_new_keys_take_bounded_memory() {
    for (systems, most) in SYSTEMS {
        let directory = tempfile::tempdir().unwrap();
        let jwt: &Path = &directory.path().join("jwt.hex");
        std::fs::write(jwt, "07".repeat(32)).unwrap();
        // The first block fills such a cache.
        let node = ["--cache", "4", "--committee-size", "0", "--systems"];
        let arguments = [&node[..], systems].concat();
        let (process, address) = start(&directory.path().join("data"), jwt, &arguments);
        let peaks = (1..=5).map(|number| {
            let reply = push_within(address, &block(number, WRITES), PATIENCE);
            assert!(reply["result"]["hash"].is_string(), "{reply}");
            peak(process.id())
        });
        let peaks: Vec<u64> = peaks.collect();
        println!("{systems:?}: {peaks:?}");
        assert!(!excess(&peaks, most), "{systems:?}: {peaks:?}");
    }
}

/// The control: of a process that holds so much the same is not said.
#[test]
fn memory_beyond_the_bound_is_seen() {
    assert!(!excess(&[5, 50, 60, 70], 10) && excess(&[5, 50, 55, 71], 10));
    for (bytes, is_bounded) in [(MOST_BYTES / 2, true), (MOST_BYTES + (1 << 20), false)] {
        // It fills its buffer before it writes the first byte, and then waits for a reader.
        let mut holder = Command::new("dd")
            .args(["if=/dev/zero", "count=1", &format!("bs={bytes}")])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        holder.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let held = bounded(0, peak(holder.id()));
        holder.kill().unwrap();
        holder.wait().unwrap();
        assert_eq!(held.is_ok(), is_bounded, "{held:?}");
        let (Ok(held) | Err(held)) = held;
        assert!(held >= bytes, "{held} of {bytes} bytes");
    }
}
