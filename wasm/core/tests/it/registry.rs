//! Adding a system touches a known set of places; a system that lacks one is not added.

use std::path::{Path, PathBuf};

use lightproof_core::System;
use lightproof_core::system::SYSTEMS;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_system_has_its_verifier_prover_vectors_and_sdk_module() {
    let missing: Vec<String> = SYSTEMS
        .iter()
        .flat_map(|name| {
            [
                format!("wasm/core/src/system/{name}.rs"),
                format!("prover/src/system/{name}.rs"),
                format!("node/src/system/{name}.rs"),
                format!("test-vectors/generator/src/{name}.rs"),
                format!("test-vectors/{name}.json"),
                format!("sdk/src/systems/{name}.ts"),
            ]
        })
        .filter(|path| !repository().join(path).is_file())
        .collect();
    assert!(missing.is_empty(), "missing: {missing:?}");
}

#[test]
fn every_system_is_exported_by_the_bindings() {
    let groups = std::fs::read_dir(repository().join("wasm/bindings/modules")).unwrap();
    let folders: Vec<_> =
        groups.map(|group| group.unwrap().path()).filter(|path| path.is_dir()).collect();
    for name in SYSTEMS {
        let files = folders.iter().map(|folder| folder.join(name).with_extension("rs"));
        let file = files.into_iter().find(|file| file.is_file());
        let file = file.unwrap_or_else(|| panic!("no group of the bindings has {name}"));
        let source = std::fs::read_to_string(file).unwrap();
        let path = format!("lightproof_core::system::{name}::");
        let mut code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
        assert!(code.any(|line| line.contains(&path)), "no export_system! for {name}");
    }
}

#[test]
fn every_verifier_of_a_system_is_registered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/system");
    let mut found: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    found.sort();
    assert_eq!(found, SYSTEMS);
}

macro_rules! declared {
    ($($module:ident $system:ident,)*) => {
        [$(<lightproof_core::system::$module::$system as System>::NAME),*]
    };
}

#[test]
fn systems_are_named_after_their_modules() {
    assert_eq!(lightproof_core::systems!(declared), SYSTEMS);
}

#[test]
fn system_names_ascend() {
    assert!(SYSTEMS.windows(2).all(|pair| pair[0] < pair[1]));
}
