//! The ceremony by command: two people contribute, anybody verifies, and what was changed on the
//! way is refused.

use std::fs;
use std::path::Path;
use std::process::Command;

/// What a command printed, or its complaint.
fn setup(directory: &Path, args: &[&str]) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_lightproof-node"))
        .current_dir(directory)
        .arg("setup")
        .args(args)
        .output()
        .unwrap();
    let (out, err) = (output.stdout, output.stderr);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(out)) } else { Err(text(err)) }
}

#[test]
fn contributions_are_added_and_verified() {
    let directory = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| setup(directory.path(), args);
    let first = run(&["start", "verkle", "--k", "32", "--out", "first"]).unwrap();
    assert!(first.starts_with("k 32\ncontributions 1\nparamsDigest 0x"), "{first}");
    let second = run(&["contribute", "--from", "first", "--out", "second"]).unwrap();
    assert!(second.starts_with("k 32\ncontributions 2\n"), "{second}");
    assert_ne!(first.lines().last(), second.lines().last());
    assert_eq!(run(&["verify", "first"]), Ok(first));
    assert_eq!(run(&["verify", "second"]), Ok(second));
    // The same file, drawn again: nobody's secret is reused.
    let again = run(&["contribute", "--from", "first", "--out", "again"]).unwrap();
    assert_ne!(run(&["verify", "second"]), Ok(again));
}

#[test]
fn a_grid_is_contributed_to_and_verified() {
    let directory = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| setup(directory.path(), args);
    let first = run(&["start", "balanceproofs", "--sides", "2,4,8", "--out", "first"]).unwrap();
    assert!(first.starts_with("sides 2,4,8\ncontributions 1\nparamsDigest 0x"), "{first}");
    let second = run(&["contribute", "--from", "first", "--out", "second"]).unwrap();
    assert!(second.starts_with("sides 2,4,8\ncontributions 2\n"), "{second}");
    assert_ne!(first.lines().last(), second.lines().last());
    assert_eq!(run(&["verify", "first"]), Ok(first));
    assert_eq!(run(&["verify", "second"]), Ok(second));
    let honest = fs::read(directory.path().join("second")).unwrap();
    let half = honest.len() / 2;
    for (name, bytes) in [
        ("cut", honest[..half].to_vec()),
        ("long", [&honest[..], &[0]].concat()),
        ("changed", honest.iter().enumerate().map(|(i, b)| b ^ u8::from(i == half)).collect()),
    ] {
        fs::write(directory.path().join(name), bytes).unwrap();
        let complaint = run(&["verify", name]).unwrap_err();
        assert!(complaint.contains(name), "{complaint}");
        assert!(run(&["contribute", "--from", name, "--out", "next"]).is_err(), "{name}");
    }
    // The points of G1 of one ceremony, and the rest of another: the file is named, and what does
    // not fit.
    let g1 = 24 + 12..24 + 12 + 2 * 4 * 8 * 48;
    let mut mixed = honest.clone();
    let other = fs::read(directory.path().join("first")).unwrap();
    mixed[g1.clone()].copy_from_slice(&other[g1]);
    fs::write(directory.path().join("mixed"), mixed).unwrap();
    let complaint = run(&["verify", "mixed"]).unwrap_err();
    let expected = "mixed: the points do not fit together: powers of gamma in G1";
    assert!(complaint.contains(expected), "{complaint}");
    for sides in ["2,4,6", "2,4", "0,1,1"] {
        assert!(
            run(&["start", "balanceproofs", "--sides", sides, "--out", "next"]).is_err(),
            "{sides}"
        );
    }
    assert!(!directory.path().join("next").exists());
}

#[test]
fn files_that_are_none_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| setup(directory.path(), args);
    run(&["start", "verkle", "--k", "32", "--out", "file"]).unwrap();
    let honest = fs::read(directory.path().join("file")).unwrap();
    let half = honest.len() / 2;
    for (name, bytes) in [
        ("cut", honest[..half].to_vec()),
        ("long", [&honest[..], &[0]].concat()),
        ("changed", honest.iter().enumerate().map(|(i, b)| b ^ u8::from(i == half)).collect()),
        ("empty", Vec::new()),
    ] {
        fs::write(directory.path().join(name), bytes).unwrap();
        let complaint = run(&["verify", name]).unwrap_err();
        assert!(complaint.contains(name), "{complaint}");
        assert!(run(&["contribute", "--from", name, "--out", "next"]).is_err(), "{name}");
    }
    let complaint = run(&["verify", "nowhere"]).unwrap_err();
    assert!(complaint.contains("cannot read nowhere"), "{complaint}");
    let complaint = run(&["start", "verkle", "--k", "64", "--out", "next"]).unwrap_err();
    assert!(complaint.contains("32, 256 or 1024"), "{complaint}");
    assert!(!directory.path().join("next").exists());
}
