//! What a node's blocks cost: a block of 3,600 writes in each system and in all six, and a followed
//! chain's block in its parts. One JSON object per row on stdout, each with its `id`.
//!
//! `cargo bench -p lightproof-node --features ethereum --bench node -- [--blocks N] [--known N]
//! [--transfers N] [--small N]`
//!
//! * `--blocks`: blocks that are measured, 8 by default, after as many that are not;
//! * `--known`: accounts of the state that blocks write to, 20,000 by default, with five slots each;
//! * `--transfers`: token transfers in a followed block, 400 by default;
//! * `--small`: blocks of one transfer each that are caught up with, 1,000 by default.
//!
//! Every row is a process of its own, so that its peak of memory is its own.

#![allow(clippy::cast_precision_loss, clippy::unwrap_used, clippy::expect_used)]

#[cfg(feature = "ethereum")]
#[path = "support/follow.rs"]
mod follow;
#[path = "support/usage.rs"]
mod usage;
#[path = "support/write.rs"]
mod write;

use std::process::Command;

use serde_json::Value;

/// Systems of a row of writes.
const WRITES: [&str; 7] = [
    "balanceproofs,cole,lmpt,lvmt,mpt,verkle",
    "balanceproofs",
    "cole",
    "lmpt",
    "lvmt",
    "mpt",
    "verkle",
];

fn main() {
    let all: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [case, options @ ..] = all.as_slice()
        && !case.starts_with("--")
    {
        println!("{}", row(case, options));
        return;
    }
    let follow: &[&str] = if cfg!(feature = "ethereum") {
        &[
            "follow/senders",
            "follow/execution",
            "follow/mpt",
            "follow/all",
            "catch-up/mpt",
            "catch-up/all",
        ]
    } else {
        &[]
    };
    let writes = WRITES.iter().map(|systems| format!("write/{systems}"));
    for case in writes.chain(follow.iter().map(|case| (*case).to_owned())) {
        let mut child = Command::new(std::env::current_exe().unwrap());
        let done = child.arg(&case).args(&all).output().unwrap();
        assert!(done.status.success(), "{case}: {}", String::from_utf8_lossy(&done.stderr));
        print!("{}", String::from_utf8_lossy(&done.stdout));
    }
}

/// An option's value.
fn option(options: &[String], name: &str, usual: u64) -> u64 {
    let at = options.iter().position(|option| option == name);
    at.map_or(usual, |at| options[at + 1].parse().expect("a number"))
}

fn row(case: &str, options: &[String]) -> Value {
    let blocks = option(options, "--blocks", 8);
    let (kind, rest) = case.split_once('/').unwrap();
    let mut row = match kind {
        "write" => write::row(rest, blocks, option(options, "--known", 20_000)),
        #[cfg(feature = "ethereum")]
        "follow" => follow::row(rest, blocks, option(options, "--transfers", 400)),
        #[cfg(feature = "ethereum")]
        "catch-up" => follow::catch_up(rest, option(options, "--small", 1_000)),
        _ => panic!("no such case: {case}"),
    };
    row["id"] = case.into();
    row["peakBytes"] = usage::peak().into();
    row
}
