//! Ceremonies: public parameters that many people have a share in, as files that go from hand to
//! hand.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use clap::{ArgMatches, Command};
use lightproof_prover::hash::Word;

/// Public parameters in the making.
pub trait Ceremony {
    /// Multiplies every secret by a random one, which is then discarded.
    fn contribute(&mut self, entropy: &[u8; 64]);

    /// The file, for the next contributor.
    fn encode(&self) -> Vec<u8>;

    /// What has come of it so far.
    ///
    /// # Errors
    /// A sentence that says why nothing can.
    fn summary(&self) -> Result<Summary, String>;
}

/// What people compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// What it is for, such as `k 256`.
    pub size: String,
    /// How many have contributed.
    pub contributions: usize,
    /// Digest of the public parameters.
    pub digest: Word,
}

/// The ceremonies of a system.
pub trait Ceremonies: Sync {
    /// What its ceremonies are for, in one line.
    fn about(&self) -> &'static str;

    /// The command that starts one, with its flags.
    fn flags(&self, start: Command) -> Command;

    /// A ceremony that nobody has contributed to.
    ///
    /// # Errors
    /// A sentence for whoever gave the flags.
    fn start(&self, flags: &ArgMatches) -> Result<Box<dyn Ceremony>, String>;

    /// Whether a file is of such a ceremony, right or wrong.
    fn is_file(&self, bytes: &[u8]) -> bool;

    /// Reads a file and checks all of it.
    ///
    /// # Errors
    /// A sentence that says what is wrong with it.
    fn read(&self, bytes: &[u8]) -> Result<Box<dyn Ceremony>, String>;
}

/// A file's bytes.
///
/// # Errors
/// A sentence that names the file.
pub fn load(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// Bytes that nobody else knows.
///
/// # Errors
/// A sentence that says why there are none.
pub fn random<const N: usize>() -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    fs::File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut bytes))
        .map_err(|error| format!("cannot read /dev/urandom: {error}"))?;
    Ok(bytes)
}
