//! Builds the WebAssembly modules of Lightproof and their JavaScript glue.
//!
//! Run from the repository root by `node scripts/setup.mjs`, which decides whether anything is
//! stale:
//!
//! ```text
//! lightproof-bindgen <out-dir> <wasm-opt.js> [module…]
//! ```
//!
//! Without names it builds every module: an example of the crate `lightproof-wasm` each, so that
//! one run of cargo compiles their dependencies once and links them side by side. The module with
//! the EVM has a run of its own, and a module's bytes do not depend on which others are built.
//! The output depends on the sources and the toolchain alone: paths of the building machine are
//! remapped, and the name and producers sections are dropped.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{self, ScopedJoinHandle};

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

const MODULES: [&str; 9] = [
    "mpt",
    "hash",
    "bn254",
    "bls12_381",
    "light",
    "evm",
    "trace_hash",
    "trace_bn254",
    "trace_bls12_381",
];

/// The module with the EVM, and the feature of its crates.
const EVM: &str = "evm";

/// What Node 20 and every current browser engine can load; `--all-features` would emit more than
/// that.
const WASM_OPT_FLAGS: [&str; 11] = [
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
    "--enable-simd",
];

fn main() -> Result<()> {
    let mut args = env::args_os().skip(1).map(PathBuf::from);
    let (Some(out), Some(wasm_opt)) = (args.next(), args.next()) else {
        bail!("usage: lightproof-bindgen <out-dir> <wasm-opt.js> [module…]");
    };
    let names: Vec<_> = args.map(PathBuf::into_os_string).collect();
    if let Some(name) = names.iter().find(|name| MODULES.iter().all(|known| *known != **name)) {
        bail!("no module is named {}", name.display());
    }
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let scratch = target.join("bindgen");
    fs::create_dir_all(&scratch).context("cannot create the scratch directory")?;
    fs::create_dir_all(&out).context("cannot create the output directory")?;

    let wanted = |m: &&str| names.is_empty() || names.iter().any(|n| n == *m);
    let modules: Vec<_> = MODULES.into_iter().filter(wanted).collect();
    let (engine, plain): (Vec<_>, Vec<_>) = modules.iter().partition(|module| **module == EVM);
    compile(&plain, &[])?;
    compile(&engine, &["--features", EVM])?;
    let built = target.join("wasm32-unknown-unknown/wasm/examples");
    thread::scope(|scope| {
        let finish_one = |module| {
            glue(module, &built.join(format!("{module}.wasm")), &scratch)?;
            optimise(module, &scratch, &wasm_opt)?;
            publish(module, &scratch, &out)
        };
        let threads: Vec<_> =
            modules.iter().map(|module| scope.spawn(move || finish_one(module))).collect();
        threads.into_iter().try_for_each(finish)
    })
}

/// The result of a thread.
fn finish(thread: ScopedJoinHandle<'_, Result<()>>) -> Result<()> {
    thread.join().unwrap_or_else(|_| bail!("a thread of the builder panicked"))
}

/// Compiles and links modules, with flags of cargo's.
fn compile(modules: &[&str], flags: &[&str]) -> Result<()> {
    if modules.is_empty() {
        return Ok(());
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--locked", "--package", "lightproof-wasm", "--profile", "wasm"])
        .args(["--target", "wasm32-unknown-unknown"])
        .args(flags)
        .args(modules.iter().flat_map(|module| ["--example", module]))
        .env("CARGO_ENCODED_RUSTFLAGS", rust_flags()?)
        .status()
        .context("cannot run cargo")?;
    if !status.success() {
        bail!("cargo could not build the modules");
    }
    Ok(())
}

/// Rustc flags that keep this machine's paths out of panic locations, since the bytes must not
/// depend on who builds them; vectors of 128 bits, in which two messages are hashed at once and 32
/// bytes take two instructions to copy; and a second optimisation by the linker, of what the
/// compiler's own left: once panic handlers ignore their message, nothing makes one any more, and
/// all that texts of panics and the code that formats them take is dropped.
fn rust_flags() -> Result<String> {
    let home = env::home_dir().context("cannot find the home directory")?;
    let cargo_home = env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    let here = env::current_dir().context("cannot find the current directory")?;
    let mut flags = vec![remap(&here, "/lightproof"), remap(&cargo_home, "/cargo")];
    // One directory per registry, named after it; a mirror must give the same bytes. Later flags
    // win.
    for registry in fs::read_dir(cargo_home.join("registry/src")).into_iter().flatten() {
        flags.push(remap(&registry?.path(), "/cargo"));
    }
    flags.push("-Ctarget-feature=+simd128".to_owned());
    flags.push("-Clinker-plugin-lto".to_owned());
    Ok(flags.join("\u{1f}"))
}

fn remap(from: &Path, to: &str) -> String {
    format!("--remap-path-prefix={}={to}", from.display())
}

/// Runs wasm-bindgen: `<name>.js`, `<name>.d.ts` and `<name>_bg.wasm` in `scratch`.
fn glue(module: &str, wasm: &Path, scratch: &Path) -> Result<()> {
    Bindgen::new()
        .input_path(wasm)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name(module)
        .generate(scratch)
        .with_context(|| format!("wasm-bindgen failed on module {module}"))
}

/// Runs binaryen's wasm-opt over the module, in place.
fn optimise(module: &str, scratch: &Path, wasm_opt: &Path) -> Result<()> {
    let file = scratch.join(format!("{module}_bg.wasm"));
    let status = Command::new("node")
        .arg(wasm_opt)
        .arg("-Os")
        .args(WASM_OPT_FLAGS)
        .arg(&file)
        .arg("--output")
        .arg(&file)
        .status()
        .context("cannot run wasm-opt")?;
    if !status.success() {
        bail!("wasm-opt failed on module {module}");
    }
    Ok(())
}

/// Copies the module's three files to `out`, the text ones marked as generated.
fn publish(module: &str, scratch: &Path, out: &Path) -> Result<()> {
    for file in [format!("{module}.js"), format!("{module}.d.ts")] {
        let text = fs::read_to_string(scratch.join(&file))
            .with_context(|| format!("cannot read {file}"))?;
        let marked =
            format!("// @generated by wasm/bindgen from lightproof-wasm. Do not edit.\n{text}");
        fs::write(out.join(&file), marked).with_context(|| format!("cannot write {file}"))?;
    }
    let file = format!("{module}_bg.wasm");
    let bytes = fs::copy(scratch.join(&file), out.join(&file))
        .with_context(|| format!("cannot write {file}"))?;
    println!("{file}: {bytes} bytes");
    Ok(())
}
