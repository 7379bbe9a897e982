//! `lightproof-generator --out DIR`: writes the generated files of `test-vectors/`.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [option, directory] = arguments.as_slice() else { return usage() };
    if option != "--out" {
        return usage();
    }
    let directory = Path::new(directory);
    match lightproof_generator::write(directory) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write test vectors to {}: {error}", directory.display());
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: lightproof-generator --out DIR");
    eprintln!("Writes the generated test vectors to DIR, usually test-vectors.");
    ExitCode::from(2)
}
