//! Files in the form of `verkle-cf/`, of every width that core has, made here from a setup whose
//! secrets are known. They go through the same runner as those from outside.

use std::collections::BTreeMap;

use ark_bls12_381::Fr;
use lightproof_testkit::hex;
use serde_json::{Value, json};

use super::Report;
use super::verkle_cf::run_file;
use super::verkle_model::{Setup, Shown, Tree};

const LEAVES: usize = 1_000;

fn plain_hex(bytes: &[u8]) -> String {
    hex::encode(bytes).trim_start_matches("0x").to_owned()
}

/// What a case claims of a key, by which proof, and whether that shows it.
fn case(name: &str, shown: &Shown, value: Option<&str>, proof: &[u8], expect: bool) -> Value {
    let key = std::str::from_utf8(&shown.key).unwrap();
    json!({ "name": name, "key": key, "value": value, "proof": plain_hex(proof), "expect": expect })
}

fn cases(tree: &Tree) -> Vec<Value> {
    let mut all = Vec::new();
    // With two openings at least, which can be swapped.
    let deep = (0..LEAVES).map(|index| (index, tree.show(format!("key{index}").as_bytes())));
    for (index, shown) in deep.filter(|(_, shown)| shown.levels > 1).take(4) {
        let (value, honest) = (format!("value{index}"), shown.path());
        let claims =
            |name: &str, changed: &Shown| case(name, &shown, Some(&value), &changed.path(), false);
        all.push(case("present", &shown, Some(&value), &honest, true));
        all.push(case("wrong value", &shown, Some("wrong"), &honest, false));
        let mut empty = shown.clone();
        empty.terminal = 1;
        all.push(case("present claimed absent", &shown, None, &empty.path(), false));
        let mut swapped = shown.clone();
        swapped.openings.swap(0, 1);
        all.push(claims("swapped openings", &swapped));
        let mut compensated = shown.clone();
        compensated.openings[0] += Fr::from(5_u64);
        compensated.openings[1] -= Fr::from(5_u64);
        all.push(claims("openings that compensate each other", &compensated));
        let mut short = shown.clone();
        (short.levels, short.nodes, short.openings) = (1, vec![], vec![shown.openings[0]]);
        all.push(claims("truncated path", &short));
        let trailing = [honest.as_slice(), &[0]].concat();
        all.push(case("trailing byte", &shown, Some(&value), &trailing, false));
        let mut flipped = honest.clone();
        *flipped.last_mut().unwrap() ^= 1;
        all.push(case("bit flip", &shown, Some(&value), &flipped, false));
    }
    let (mut empty, mut other) = (0, 0);
    for index in 0.. {
        let shown = tree.show(format!("absent{index}").as_bytes());
        let seen = if shown.other.is_some() { &mut other } else { &mut empty };
        *seen += 1;
        if *seen <= 3 {
            all.push(case("absent", &shown, None, &shown.path(), true));
            let mut present = shown.clone();
            (present.terminal, present.other) = (0, None);
            let claimed = present.path();
            all.push(case("absent claimed present", &shown, Some("value"), &claimed, false));
        }
        if let (Some((key, mut value)), 1..=3) = (shown.other, other) {
            value[0] ^= 1;
            let mut altered = shown.clone();
            altered.other = Some((key, value));
            all.push(case("another other leaf", &shown, None, &altered.path(), false));
        }
        if empty >= 3 && other >= 3 {
            return all;
        }
    }
    all
}

fn file(bits: usize) -> Value {
    let setup = Setup::new("cf", bits);
    let leaf = |index| (format!("key{index}").into_bytes(), format!("value{index}").into_bytes());
    let tree = Tree::new(&setup, (0..LEAVES).map(leaf).collect::<BTreeMap<_, _>>());
    let (h, hhat) = setup.points.split_at(48 * setup.k());
    let points = |bytes: &[u8], size| bytes.chunks(size).map(plain_hex).collect::<Vec<_>>();
    json!({
        "k": setup.k(),
        "logk": bits,
        "leaves": LEAVES,
        "root": plain_hex(&tree.root()),
        "verifierParams": { "h": points(h, 48), "hhat": points(hhat, 96) },
        "cases": cases(&tree),
    })
}

#[test]
fn files_of_every_width_are_judged_by_the_same_runner() {
    for bits in [5, 8, 10] {
        let mut file = file(bits);
        let mut report = Report::default();
        run_file("made here", &file, &mut report);
        assert_eq!(report.failures, Vec::<String>::new(), "k {}", 1 << bits);
        assert_eq!((report.files, report.cases), (1, 4 * 8 + 3 * 2 + 3 * 3));
        if bits > 5 {
            continue;
        }
        // The runner complains of every case whose expectation is the opposite.
        for case in file["cases"].as_array_mut().unwrap() {
            case["expect"] = json!(case["expect"] == json!(false));
        }
        let mut report = Report::default();
        run_file("made here", &file, &mut report);
        assert_eq!(report.failures.len(), report.cases);
    }
}
