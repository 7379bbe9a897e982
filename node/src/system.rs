//! The systems that there are, each one record.
//!
//! A new one is a file here, with its lies in a folder beside it, and a `mod` line: the list is
//! core's.

mod balanceproofs;
mod cole;
mod lmpt;
mod lvmt;
mod mpt;
mod selection;
mod verkle;

use std::sync::Arc;

use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use lightproof_prover::system::Configuration;
use serde_json::{Value, json};

use crate::ceremony::Ceremonies;
use crate::lies::{self, Lie};
use lightproof_prover::chain::config::Config;

pub use selection::Selection;

/// Everything that the node knows of a system, in the system's own file.
trait Record: Sync {
    /// Name in headers.
    const NAME: &'static str;
    /// The attacks on its clients.
    const LIES: &'static [Lie];
    /// What a chain's system is made from.
    type Config: Configuration + 'static;
    /// Its own flags of `run`.
    type Flags: Args;

    /// What a chain's system is made from without flags.
    fn usual(chain: &Config) -> Self::Config;

    /// What a chain's system is made from, as flags say.
    ///
    /// # Errors
    /// A sentence for whoever gave the flags.
    fn configure(chain: &Config, flags: Self::Flags) -> Result<Self::Config, String>;

    /// How its public parameters are made by many people, if they can be.
    fn ceremonies() -> Option<&'static dyn Ceremonies> {
        None
    }
}

/// A system of the list.
pub trait Definition: Sync {
    /// Name in headers.
    fn name(&self) -> &'static str;

    /// What a chain's system is made from without flags.
    fn usual(&self, chain: &Config) -> Arc<dyn Configuration>;

    /// `run` with the system's flags.
    fn flags(&self, run: Command) -> Command;

    /// What a chain's system is made from, as flags say.
    ///
    /// # Errors
    /// A sentence for whoever gave the flags.
    fn configure(
        &self,
        chain: &Config,
        flags: &ArgMatches,
    ) -> Result<Arc<dyn Configuration>, String>;

    /// The attacks on its clients.
    fn lies(&self) -> &'static [Lie];

    /// How its public parameters are made by many people, if they can be.
    fn ceremonies(&self) -> Option<&'static dyn Ceremonies>;
}

impl<R: Record> Definition for R {
    fn name(&self) -> &'static str {
        R::NAME
    }

    fn usual(&self, chain: &Config) -> Arc<dyn Configuration> {
        Arc::new(R::usual(chain))
    }

    fn flags(&self, run: Command) -> Command {
        R::Flags::augment_args(run)
    }

    fn configure(
        &self,
        chain: &Config,
        flags: &ArgMatches,
    ) -> Result<Arc<dyn Configuration>, String> {
        let flags = R::Flags::from_arg_matches(flags).map_err(|error| error.to_string())?;
        Ok(Arc::new(R::configure(chain, flags)?))
    }

    fn lies(&self) -> &'static [Lie] {
        R::LIES
    }

    fn ceremonies(&self) -> Option<&'static dyn Ceremonies> {
        R::ceremonies()
    }
}

macro_rules! definitions {
    ($($module:ident $system:ident,)*) => { &[$(&$module::$system),*] };
}

/// Every system, by name ascending.
pub static SYSTEMS: &[&dyn Definition] = lightproof_core::systems!(definitions);

/// A chain of every system without signatures.
pub fn config(seed: u64, window: u64) -> Config {
    Selection::all().usual(seed, window)
}

/// The lies by what they are about: a system, headers or signatures.
pub fn lies() -> impl Iterator<Item = (&'static str, &'static Lie)> {
    let systems = SYSTEMS.iter().map(|system| (system.name(), system.lies()));
    systems
        .chain([("headers", lies::HEADERS), ("signatures", lies::SIGNATURES)])
        .flat_map(|(about, lies)| lies.iter().map(move |lie| (about, lie)))
}

/// The lie of this name.
pub fn find_lie(name: &str) -> Option<&'static Lie> {
    lies().map(|(_, lie)| lie).find(|lie| lie.name == name)
}

/// Lies for programs: an array of `{name, about, subject}`.
pub fn lies_json(lies: impl IntoIterator<Item = (&'static str, &'static Lie)>) -> Value {
    let one = |(subject, lie): (_, &Lie)| json!({ "name": lie.name, "about": lie.about, "subject": subject });
    lies.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use lightproof_prover::store::embedded::Embedded;

    use super::*;

    #[test]
    fn systems_ascend_strictly_and_say_the_names_that_they_are_listed_by() {
        let names: Vec<_> = SYSTEMS.iter().map(|system| system.name()).collect();
        assert!(names.is_sorted_by(|a, b| a < b));
        assert!(names.iter().all(|name| name.is_ascii()));
        let config = config(7, 64);
        let store = Embedded::in_memory().unwrap();
        let make = |system: &Arc<dyn Configuration>| system.make(None, &store);
        let said = config.systems.iter().map(|system| make(system).spec().name);
        assert_eq!(names, said.collect::<Vec<_>>());
        assert_eq!(names.join(","), config.names());
    }

    #[test]
    fn names_of_lies_are_unique_and_each_is_one_sentence() {
        let names: BTreeSet<_> = lies().map(|(_, lie)| lie.name).collect();
        assert_eq!(names.len(), lies().count());
        for (_, Lie { name, about, .. }) in lies() {
            assert!(about.ends_with('.') && about.matches(". ").count() == 0, "{name}");
        }
    }
}
