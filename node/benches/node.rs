//! What a node's blocks cost: a block of 3,600 writes in each system and in all six, one of 100,000
//! writes, a followed chain's block in its parts, and a chain that is caught up with. One JSON
//! object per row on stdout, each with its `id`.
//!
//! `cargo bench -p lightproof-node --features ethereum --bench node -- [--only KIND] [--blocks N]
//! [--known N] [--writes N] [--transfers N] [--small N]`
//!
//! * `--only`: rows of one kind: `write`, `large`, `follow` or `catch-up`;
//! * `--blocks`: blocks that are measured, 8 by default, after as many that are not;
//! * `--known`: accounts of the state that blocks write to, 20,000 by default, with five slots each;
//! * `--writes`: writes of the large block, 100,000 by default;
//! * `--transfers`: token transfers in a followed block, 400 by default;
//! * `--small`: blocks of one transfer each that are caught up with, 1,000 by default.
//!
//! Every node is a process of its own, so that its peak of memory is its own: neither what made its
//! chain nor the upstream that it follows is in it.

#![allow(clippy::cast_precision_loss, clippy::unwrap_used, clippy::expect_used)]

#[path = "../../prover/benches/support/clock.rs"]
#[allow(dead_code)]
mod clock;
#[cfg(feature = "ethereum")]
#[path = "support/follow.rs"]
mod follow;
#[cfg(feature = "ethereum")]
#[path = "support/timed.rs"]
mod timed;
#[path = "support/usage.rs"]
mod usage;
#[path = "support/write.rs"]
mod write;

use std::path::Path;
use std::process::Command;

use serde_json::Value;

const ALL: &str = "balanceproofs,cole,lmpt,lvmt,mpt,verkle";
/// Writes of a block that has as many as mainnet's.
const USUAL: u64 = 3_600;

fn main() {
    let all: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [case, options @ ..] = all.as_slice()
        && !case.starts_with("--")
    {
        for row in rows(case, &Options(options)) {
            println!("{row}");
        }
        return;
    }
    let only = Options(&all).text("--only");
    let is_wanted = |kind: &str| only.is_none_or(|only| only == kind);
    if is_wanted("write") {
        for systems in std::iter::once(ALL).chain(ALL.split(',')) {
            written(&format!("write/{systems}"), &all);
        }
    }
    if is_wanted("large") {
        written(&format!("large/{ALL}"), &all);
    }
    #[cfg(feature = "ethereum")]
    {
        let options = Options(&all);
        if is_wanted("follow") {
            let blocks = options.number("--blocks", 8);
            let upstream = follow::Upstream::transfers(blocks, options.number("--transfers", 400));
            upstream.parts().iter().for_each(|row| println!("{row}"));
            for case in ["follow/mpt", "follow/all"] {
                child(case, &all, &["--url", upstream.url(), "--count", &blocks.to_string()]);
            }
        }
        if is_wanted("catch-up") {
            let blocks = options.number("--small", 1_000);
            let upstream = follow::Upstream::small(blocks);
            for case in ["catch-up/mpt", "catch-up/all"] {
                child(case, &all, &["--url", upstream.url(), "--count", &blocks.to_string()]);
            }
        }
    }
}

/// Rows of blocks of writes: one process makes the chain, and another measures it.
fn written(case: &str, options: &[String]) {
    let directory = tempfile::tempdir().unwrap();
    let place = ["--directory", directory.path().to_str().unwrap()];
    child(&format!("fill-{case}"), options, &place);
    child(case, options, &place);
}

/// Runs a case in a process of its own, and prints its rows.
fn child(case: &str, options: &[String], more: &[&str]) {
    let mut child = Command::new(std::env::current_exe().unwrap());
    let done = child.arg(case).args(more).args(options).output().unwrap();
    assert!(done.status.success(), "{case}: {}", String::from_utf8_lossy(&done.stderr));
    print!("{}", String::from_utf8_lossy(&done.stdout));
}

/// Names and values after a case.
struct Options<'a>(&'a [String]);

impl<'a> Options<'a> {
    fn text(&self, name: &str) -> Option<&'a str> {
        let at = self.0.iter().position(|option| option == name)?;
        Some(&self.0[at + 1])
    }

    fn number(&self, name: &str, usual: u64) -> u64 {
        self.text(name).map_or(usual, |text| text.parse().expect("a number"))
    }
}

fn rows(case: &str, options: &Options) -> Vec<Value> {
    let (kind, systems) = case.split_once('/').unwrap();
    let (known, blocks) = (options.number("--known", 20_000), options.number("--blocks", 8));
    let size = match kind {
        "large" | "fill-large" => {
            let writes = options.number("--writes", 100_000);
            write::Size { known, before: 0, blocks: 1, writes }
        }
        _ => write::Size { known, before: blocks, blocks, writes: USUAL },
    };
    let directory = || Path::new(options.text("--directory").unwrap());
    match kind {
        "fill-write" | "fill-large" => {
            write::fill(systems, directory(), size);
            Vec::new()
        }
        "write" | "large" => vec![write::row(case, systems, directory(), size)],
        #[cfg(feature = "ethereum")]
        "follow" | "catch-up" => {
            let count = options.number("--count", 0);
            follow::followed(case, options.text("--url").unwrap(), count)
        }
        _ => panic!("no such case: {case}"),
    }
}
