//! Files in the form of `balanceproofs/`, of other lengths up to 2²⁰ and over other generators,
//! made here from secrets that are known. They go through the same runner as those from outside.

mod batches;
mod claims;
mod counts;
mod hints;
mod limits;
mod world;

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{Report, balanceproofs};
use world::World;

#[test]
fn made_files_of_every_scheme_are_judged_as_their_secrets_say() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("balanceproofs_made");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let write = |name: String, file: Value| fs::write(folder.join(name), file.to_string()).unwrap();
    for (seed, (name, scheme, sides)) in [
        ("basic_n128", "basic", [1, 1, 128]),
        ("basic_n2_20", "basic", [1, 1, 1 << 20]),
        ("onelayer_n64", "bucketed", [16, 1, 4]),
        ("twolayer_n64", "two-layer", [4, 8, 2]),
        ("twolayer_n2_20", "two-layer", [1 << 7, 1 << 6, 1 << 7]),
    ]
    .into_iter()
    .enumerate()
    {
        let world = World::new(name, scheme, sides, seed as u64 + 1);
        let positions: Vec<u64> = world.values.keys().copied().collect();
        let mut sets = vec![vec![positions[1]], positions[..3].to_vec()];
        // With an unset position at each end; of `basic`, more than are interpolated one by one.
        let many = if scheme == "basic" { 70 } else { 7 };
        let mut set = positions[..many].to_vec();
        set.extend([0, world.n() - 1]);
        set.sort_unstable();
        set.dedup();
        sets.push(set);
        let file = world.file(&sets);
        write(format!("params_{name}.json"), world.params(many + 2));
        write(format!("{name}.json"), file);
        if scheme != "bucketed" {
            write(format!("hinted_{name}.json"), world.hints(&sets));
        }
    }
    let mut report = Report::default();
    balanceproofs::run(&folder, &mut report);
    assert_eq!(report.failures, Vec::<String>::new());
    assert_eq!((report.files, report.cases), (9, 176));
}
