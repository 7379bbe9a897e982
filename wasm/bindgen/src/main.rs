//! Builds the WebAssembly modules of Lightproof and their JavaScript glue.
//!
//! Run from the repository root by `node scripts/setup.mjs`, which decides whether anything is stale:
//!
//! ```text
//! lightproof-bindgen <out-dir> <wasm-opt.js>
//! ```
//!
//! The crate `lightproof-wasm` is built once per module, each with one cargo feature, so that a page downloads only
//! the curves it needs; and once more with feature `trace` beside it, for pages that show how proofs are checked (that of
//! BLS12-381 holds the light client too). The output depends on the sources and the toolchain alone: paths of the building machine are
//! remapped, and the name and producers sections are dropped.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

/// One module: the file stem of its output, the cargo features that select its contents, and the profile that it is
/// built with; and whether it uses vectors of 128 bits, in which two messages are hashed at once and 32 bytes take two
/// instructions to copy.
struct Module {
    name: &'static str,
    feature: &'static str,
    profile: &'static str,
    vectors: bool,
}

const MODULES: [Module; 7] = [
    module("hash", "hash", "wasm-small", true),
    module("bn254", "bn254", "wasm", false),
    module("bls12_381", "bls12-381", "wasm-pairing", false),
    module("light", "light", "wasm-small", false),
    module("trace_hash", "hash,trace", "wasm-small", true),
    module("trace_bn254", "bn254,trace", "wasm", false),
    module("trace_bls12_381", "bls12-381,light,trace", "wasm-small", false),
];

const fn module(
    name: &'static str,
    feature: &'static str,
    profile: &'static str,
    vectors: bool,
) -> Module {
    Module { name, feature, profile, vectors }
}

/// What Node 20 and every current browser engine can load; `--all-features` would emit more than that.
const WASM_OPT_FLAGS: [&str; 11] = [
    "-Os",
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

fn main() -> Result<()> {
    let mut args = env::args_os().skip(1).map(PathBuf::from);
    let (Some(out), Some(wasm_opt), None) = (args.next(), args.next(), args.next()) else {
        bail!("usage: lightproof-bindgen <out-dir> <wasm-opt.js>");
    };
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let scratch = target.join("bindgen");
    fs::create_dir_all(&scratch).context("cannot create the scratch directory")?;
    fs::create_dir_all(&out).context("cannot create the output directory")?;

    for module in &MODULES {
        let wasm = compile(module, &target)?;
        glue(module, &wasm, &scratch)?;
        optimise(module, &scratch, &wasm_opt)?;
        publish(module, &scratch, &out)?;
    }
    Ok(())
}

/// Compiles `lightproof-wasm` with the module's features alone.
fn compile(module: &Module, target: &Path) -> Result<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args([
            "build",
            "--locked",
            "--package",
            "lightproof-wasm",
            "--target",
            "wasm32-unknown-unknown",
        ])
        .args(["--profile", module.profile, "--no-default-features", "--features", module.feature])
        .env("CARGO_ENCODED_RUSTFLAGS", rust_flags(module)?)
        .status()
        .context("cannot run cargo")?;
    if !status.success() {
        bail!("cargo could not build module {}", module.name);
    }
    let built = target.join("wasm32-unknown-unknown").join(module.profile);
    Ok(built.join("lightproof_wasm.wasm"))
}

/// Rustc flags that keep this machine's paths out of panic locations, since the bytes must not depend on who builds them;
/// and what the module uses beyond the target's own features.
fn rust_flags(module: &Module) -> Result<String> {
    let home = env::home_dir().context("cannot find the home directory")?;
    let cargo_home = env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    let here = env::current_dir().context("cannot find the current directory")?;
    let mut flags = vec![remap(&here, "/lightproof"), remap(&cargo_home, "/cargo")];
    // One directory per registry, named after it; a mirror must give the same bytes. Later flags win.
    for registry in fs::read_dir(cargo_home.join("registry/src")).into_iter().flatten() {
        flags.push(remap(&registry?.path(), "/cargo"));
    }
    if module.vectors {
        flags.push("-Ctarget-feature=+simd128".to_owned());
    }
    Ok(flags.join("\u{1f}"))
}

fn remap(from: &Path, to: &str) -> String {
    format!("--remap-path-prefix={}={to}", from.display())
}

/// Runs wasm-bindgen: `<name>.js`, `<name>.d.ts` and `<name>_bg.wasm` in `scratch`.
fn glue(module: &Module, wasm: &Path, scratch: &Path) -> Result<()> {
    Bindgen::new()
        .input_path(wasm)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name(module.name)
        .generate(scratch)
        .with_context(|| format!("wasm-bindgen failed on module {}", module.name))
}

/// Runs binaryen's wasm-opt over the module, in place.
fn optimise(module: &Module, scratch: &Path, wasm_opt: &Path) -> Result<()> {
    let file = scratch.join(format!("{}_bg.wasm", module.name));
    let status = Command::new("node")
        .arg(wasm_opt)
        .args(WASM_OPT_FLAGS)
        .args(module.vectors.then_some("--enable-simd"))
        // Most of the time for the last percent, which matters only where a budget holds the module down.
        .args((!module.feature.contains("trace")).then_some("--converge"))
        .arg(&file)
        .arg("--output")
        .arg(&file)
        .status()
        .context("cannot run wasm-opt")?;
    if !status.success() {
        bail!("wasm-opt failed on module {}", module.name);
    }
    Ok(())
}

/// Copies the module's three files to `out`, the text ones marked as generated.
fn publish(module: &Module, scratch: &Path, out: &Path) -> Result<()> {
    let Module { name, feature, .. } = module;
    for file in [format!("{name}.js"), format!("{name}.d.ts")] {
        let text = fs::read_to_string(scratch.join(&file))
            .with_context(|| format!("cannot read {file}"))?;
        let marked = format!(
            "// @generated by wasm/bindgen from lightproof-wasm, feature {feature}. Do not edit.\n{text}"
        );
        fs::write(out.join(&file), marked).with_context(|| format!("cannot write {file}"))?;
    }
    let file = format!("{name}_bg.wasm");
    let bytes = fs::copy(scratch.join(&file), out.join(&file))
        .with_context(|| format!("cannot write {file}"))?;
    println!("{file}: {bytes} bytes");
    Ok(())
}
