//! A disk that is full, may not be written, fails or tears, once for each system: the node stops
//! with an error that names it, and what it had announced is there when it starts again.
//!
//! `LIGHTPROOF_SOAK_SECONDS` says for how long disks fail, or tear; default: some times for each
//! system.

mod process;

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use lightproof_node::system::Selection;
use lightproof_prover::rng::Rng;
use tempfile::TempDir;

use self::process::{
    Blocks, HANGS, NODE, Process, assert_kept, block, chain, command, files, largest, run,
    some_blocks,
};
#[cfg(target_os = "linux")]
use self::process::{faults, on_faulty};
/// A node that a single fault has not stopped by then goes on.
const PATIENCE: Duration = Duration::from_secs(3);

/// Numbers of errors on Linux.
const EIO: i32 = 5;
const EROFS: i32 = 30;

/// Rounds of one test where no time is given.
const ROUNDS: u64 = 4;

/// Does it once a round, from 0 on, until the time is over.
fn rounds(mut turn: impl FnMut(u64)) {
    let seconds = std::env::var("LIGHTPROOF_SOAK_SECONDS").ok();
    let time = seconds.map(|text| Duration::from_secs(text.parse().expect("whole seconds")));
    let began = Instant::now();
    for round in 0.. {
        if time.map_or(round >= ROUNDS, |time| began.elapsed() >= time) {
            break;
        }
        turn(round);
    }
}

/// A chain of one system, and what was announced of it.
struct Victim {
    system: &'static str,
    rng: Rng,
    directory: TempDir,
    announced: Blocks,
}

fn victims(test: &str) -> Vec<Victim> {
    let victim = |(number, system)| Victim {
        system,
        rng: Rng::new(5, test, number),
        directory: tempfile::tempdir().unwrap(),
        announced: Blocks::new(),
    };
    (0..).zip(Selection::all().names()).map(victim).collect()
}

#[test]
fn a_node_whose_disk_is_full_says_so_and_loses_nothing() {
    let mut kept = 0;
    for system in Selection::all().names() {
        let directory = tempfile::tempdir().unwrap();
        let mut announced = Blocks::new();
        for round in 0..3 {
            // Files cannot grow beyond some KiB, as on a full disk: `EFBIG` stands for `ENOSPC`.
            // None to begin with, then a little more than what is used.
            let kib = largest(directory.path()).div_ceil(1 << 10) + 64 * round;
            let limits = format!("trap '' XFSZ; ulimit -f {kib}; exec \"$0\" \"$@\"");
            let before = ["-c", &limits, NODE];
            let ended = run(HANGS, || command("bash", &before, directory.path(), system));
            ended.assert_stopped("File too large");
            announced.extend(ended.announced);
            if round == 0 {
                assert!(announced.is_empty(), "{announced:?}");
                announced.extend(some_blocks(directory.path(), system));
            }
            assert_kept(&announced, &chain(directory.path(), system), system);
        }
        kept += announced.len();
    }
    let systems = Selection::all().names().count();
    println!("disk full: {systems} systems, 3 times each; {kept} blocks announced, none lost");
}

#[cfg(target_os = "linux")]
#[test]
fn a_node_that_may_not_write_says_so() {
    let tools = tempfile::tempdir().unwrap();
    let Some(library) = faults(tools.path()) else {
        println!("disk read only: not run, there is no cc");
        return;
    };
    for system in Selection::all().names() {
        let directory = tempfile::tempdir().unwrap();
        let announced = some_blocks(directory.path(), system);
        for data in [directory.path().to_owned(), directory.path().join("new")] {
            let fault = (EROFS, 0, u64::from(u32::MAX));
            let ended = run(HANGS, || on_faulty(&library, fault, &data, system));
            ended.assert_stopped("Read-only file system");
            assert!(ended.announced.is_empty(), "{ended:?}");
        }
        assert_kept(&announced, &chain(directory.path(), system), system);
    }
    let systems = Selection::all().names().count();
    println!("disk read only: {systems} systems, new and old chains; nothing announced or lost");
}

#[cfg(target_os = "linux")]
#[test]
fn a_node_whose_disk_fails_stops_and_loses_nothing() {
    let tools = tempfile::tempdir().unwrap();
    let Some(library) = faults(tools.path()) else {
        println!("disk errors: not run, there is no cc");
        return;
    };
    let (mut stopped, mut went_on) = (0, 0);
    let mut victims = victims("disk-errors");
    rounds(|round| {
        for Victim { system, rng, directory, announced } in &mut victims {
            // From then on, or once: a disk whose second attempt succeeds has lost what the first
            // one had to write.
            let times = if round % 2 == 0 { u64::from(u32::MAX) } else { 1 };
            // Some meet the making of the chain, most meet blocks.
            let after = rng.below(40 << (2 * (round % 3)));
            let fault = (EIO, after, times);
            let patience = if times == 1 { PATIENCE } else { HANGS };
            let ended = run(patience, || on_faulty(&library, fault, directory.path(), system));
            let told = format!("{system}, round {round}, change {after}");
            if ended.code.is_some() {
                ended.assert_stopped("Input/output error");
                stopped += 1;
            } else {
                assert_eq!(times, 1, "{told}: goes on without a disk");
                ended.assert_no_panic();
                went_on += 1;
            }
            announced.extend(ended.announced);
            assert_kept(announced, &chain(directory.path(), system), &told);
        }
    });
    let blocks: usize = victims.iter().map(|victim| victim.announced.len()).sum();
    assert!(stopped > 0, "no fault met a node");
    println!(
        "disk errors: {} faults, {stopped} nodes stopped, {went_on} went on after one error; \
         {blocks} blocks announced, none lost",
        stopped + went_on
    );
}

/// Changes the end of a file, as a page that was only half written.
fn tear(file: &Path, rng: &mut Rng) -> String {
    let mut bytes = std::fs::read(file).unwrap();
    let length = bytes.len();
    let most = u64::try_from(length.min(4096)).unwrap();
    let count = usize::try_from(1 + rng.below(most.max(1))).unwrap().min(length);
    let start = length - count;
    let way = rng.below(3);
    match way {
        0 => bytes.truncate(start),
        1 => bytes[start..].fill(0),
        _ => bytes[start..].copy_from_slice(&rng.bytes(count)),
    }
    std::fs::write(file, bytes).unwrap();
    let mut told = file.file_name().unwrap().to_string_lossy().into_owned();
    write!(
        told,
        ": {} of the last {count} bytes of {length}",
        ["cut", "zero", "noise"][usize::try_from(way).unwrap()]
    )
    .unwrap();
    told
}

#[test]
fn a_node_whose_files_are_torn_opens_or_refuses_them_by_name() {
    let (mut opened, mut older, mut refused) = (0, 0, 0);
    let mut victims = victims("disk-torn");
    rounds(|_| {
        for Victim { system, rng, .. } in &mut victims {
            let directory = tempfile::tempdir().unwrap();
            let announced = some_blocks(directory.path(), system);
            let files = files(directory.path());
            let count = u64::try_from(files.len()).unwrap();
            let told = tear(&files[usize::try_from(rng.below(count)).unwrap()], rng);
            let mut command = command(NODE, &[], directory.path(), system);
            command.args(["--blocks", "0"]);
            let process = Process::start(command);
            if let Ok(ready) = process.events.recv_timeout(HANGS) {
                let (number, hash) = block(&ready);
                // Damage of what is durable may take the newest blocks; what is left is the chain.
                older += u64::from(announced.keys().any(|known| *known > number));
                let is_known = announced.get(&number).is_none_or(|known| *known == hash);
                assert!(is_known, "{system}: {told}");
                opened += 1;
            } else {
                let ended = process.end(HANGS);
                ended.assert_no_panic();
                assert_eq!(ended.code, Some(1), "{system}: {told}: {ended:?}");
                assert!(ended.said.contains("error: "), "{system}: {told}: {ended:?}");
                refused += 1;
            }
        }
    });
    println!(
        "disk torn: {} files, {opened} opened with the same chain ({older} at an older block), \
         {refused} refused by name",
        opened + refused
    );
}
