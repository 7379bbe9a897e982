//! Fuzzes the target that `LIGHTPROOF_FUZZ` names; lists them all where it names none. Where
//! `LIGHTPROOF_SEEDS` names a directory, writes the target's seeds there and ends.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use lightproof_fuzz::seeds;
use lightproof_fuzz::targets::{TARGETS, Target};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("LIGHTPROOF_FUZZ").unwrap_or_default();
    if let Some((_, target)) = TARGETS.iter().find(|(target, _)| *target == name) {
        if let Ok(dir) = std::env::var("LIGHTPROOF_SEEDS") {
            let count = seeds::write(&name, Path::new(&dir)).expect("a directory to write to");
            println!("{count} seeds");
            std::process::exit(0);
        }
        return *target;
    }
    for (target, _) in TARGETS {
        println!("{target}");
    }
    std::process::exit(0);
});

fuzz_target!(
    init: {
        LazyLock::force(&TARGET);
    },
    |data: &[u8]| TARGET(data)
);
