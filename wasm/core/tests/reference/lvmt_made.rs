//! Files in the form of `lvmt/` with k = 16, made here from a τ that is known: a whole state, what
//! must not be accepted of it, and absence. They go through the same runner as those from outside.

mod secret;
mod tampered;
mod world;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Report, lvmt};
use secret::point;
use world::{Key, World};

const PARAMS: &str = "params_n65536.json";

/// A key with these first indices.
fn key(indices: [u16; 3], number: u8) -> Key {
    let mut key = [number; 32];
    for (to, index) in key.chunks_mut(2).zip(indices) {
        to.copy_from_slice(&index.to_be_bytes());
    }
    key
}

/// Keys of one leaf of the root AMT, each on a leaf of its own below.
fn crowd(count: u8) -> impl Iterator<Item = Key> {
    (0..count).map(|number| key([0x5aa5, u16::from(number) * 513, 7], number))
}

/// Keys of one leaf of the root AMT and of one leaf below it.
fn deep(count: u8) -> impl Iterator<Item = Key> {
    (0..count).map(|number| key([0x5aa5, 0xbeef, u16::from(number) * 4_099], 100 + number))
}

/// The state, and records of it as it was some blocks before.
fn state() -> (World, Vec<Value>) {
    let mut world = World::new(7);
    let alone = |number: u8| key([u16::from(number) * 2_003, 1, 2], number);
    world.commit(&[]);
    world.commit(&[(alone(1), "the only tuple")]);
    let first: Vec<_> = crowd(5).chain((2..9).map(alone)).map(|key| (key, "first")).collect();
    world.commit(&first);
    let deeper: Vec<_> = crowd(8).skip(5).chain(deep(6)).map(|key| (key, "deeper")).collect();
    world.commit(&deeper);
    world.commit(&[]);
    // Full, and nothing below.
    let full: Vec<_> = (0..5).map(|number| (key([0xfffe, number, 0], 9), "full")).collect();
    world.commit(&full);
    let deepest: Vec<_> = deep(9).skip(6).map(|key| (key, "on the third level")).collect();
    world.commit(&deepest);
    let before = [alone(3), crowd(8).last().unwrap(), deep(9).last().unwrap()];
    let stale = before.map(|key| world.show(&world.written(&key)[0]));
    world.commit(&before.map(|key| (key, "again")));
    let mut holes = Vec::new();
    for (old, key) in stale.iter().zip(&before) {
        let fresh = world.show(&world.written(key)[0]);
        let last = old["levels"].as_array().unwrap().len() - 1;
        let reject = |name: &str, proof: &Value| json!({ "name": format!("level {last} {name}"), "expected": "reject", "proof": proof });
        holes.push(reject("stale_full_proof_aroot_not_checked", old));
        let mut mixed = fresh.clone();
        for field in ["value", "ver_info"] {
            mixed[field] = old[field].clone();
        }
        mixed["levels"][last]["merkle"] = old["levels"][last]["merkle"].clone();
        holes.push(reject("stale_version_fresh_amt", &mixed));
        let mut mixed = fresh.clone();
        mixed["levels"][0] = old["levels"][0].clone();
        mixed["levels"][0]["commitment"] = fresh["levels"][0]["commitment"].clone();
        holes.push(reject("stale_root_amt_fresh_rest", &mixed));
    }
    (world, holes)
}

/// A key twice in a block: a new one has two places then, and both hold; of one that had a place,
/// the last write holds.
fn duplicates() -> Value {
    let (mut world, _) = state();
    let new = key([0x5aa5, 0xbeef, 1], 200);
    let known = crowd(8).last().unwrap();
    world.commit(&[(new, "one"), (known, "one"), (new, "two"), (known, "two")]);
    let both: Vec<_> = world.written(&new).iter().map(|write| world.show(write)).collect();
    let last = world.written(&known).remove(0);
    let mut first = last.clone();
    (first.value, first.version) = (b"one".to_vec(), last.version - 1);
    json!({
        "params": PARAMS,
        "header": world.header(),
        "cases": [
            {
                "name": "duplicate_key_in_block_new",
                "expected": "one of the two must not exist",
                "aroot": point(world.root_of(&[])),
                "proof": both[0],
                "proof_second": both[1],
            },
            { "name": "duplicate_key_in_block_existing", "expected": "reject", "proof": world.show(&first) },
            { "name": "the last of them", "expected": "accept", "proof": world.show(&last) },
        ],
    })
}

/// Every file of a folder.
fn files() -> Vec<(&'static str, Value)> {
    let (world, holes) = state();
    let last = |key: &Key| world.written(key).remove(0);
    let keys = world.keys();
    let proofs: Vec<_> = keys.iter().map(|key| world.show(&last(key))).collect();
    let of_level = |level: usize| keys.iter().map(last).filter(move |write| write.level == level);
    // Written in a block of many, so that there are paths to change.
    let tampered = (0..3).flat_map(|level| {
        let mut writes = of_level(level).filter(|write| write.value != b"the only tuple");
        tampered::cases(&world, &writes.next().unwrap(), &writes.next().unwrap())
    });
    let absent = [
        key([1, 1, 1], 250),
        key([2_003, 1, 1], 250),
        key([0xfffe, 1, 1], 250),
        key([0x5aa5, 1, 1], 250),
        key([0x5aa5, 7 * 513, 1], 250),
        key([0x5aa5, 0xbeef, 1], 250),
        key([0x5aa5, 0xbeef, 8 * 4_099], 250),
    ];
    let absent: Vec<_> = absent.iter().map(|key| world.show_absent(key)).collect();
    let with = |field: &str, list: Vec<Value>| json!({ "params": PARAMS, "header": world.header(), field: list });
    vec![
        (PARAMS, world.secret.params()),
        ("lvmt_n65536.json", with("proofs", proofs)),
        ("lvmt_tampered_n65536.json", with("cases", tampered.collect())),
        ("ref_holes_n65536.json", with("cases", holes)),
        ("duplicates_n65536.json", duplicates()),
        ("absence_n65536.json", with("cases", absent)),
    ]
}

fn run(folder: &Path) -> Report {
    let mut report = Report::default();
    lvmt::run(folder, &mut report);
    report
}

#[test]
fn made_states_of_65536_leaves_are_judged_as_their_secret_says() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lvmt_made");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let files = files();
    let write = |name: &str, file: &Value| fs::write(folder.join(name), file.to_string()).unwrap();
    for (name, file) in &files {
        write(name, file);
    }
    let report = run(&folder);
    assert_eq!(report.failures, Vec::<String>::new());
    assert_eq!((report.files, report.cases), (5, 173));

    // The runner complains of every verdict that is the opposite of what is expected.
    for (name, file) in files {
        let (mut file, field) = (file, if name.starts_with("lvmt_n") { "proofs" } else { "cases" });
        let Some(cases) = file.get_mut(field).and_then(Value::as_array_mut) else { continue };
        for case in cases.iter_mut() {
            let opposite = if case["expected"] == "reject" { "accept" } else { "reject" };
            case["expected"] = json!(opposite);
        }
        write(name, &file);
    }
    // All but absence, and the two proofs of all keys.
    assert_eq!(run(&folder).failures.len(), 173 - 7 * 2 - 2);
}
