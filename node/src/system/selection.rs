//! Which systems a chain commits to.

use std::fmt;
use std::sync::Arc;

use clap::ArgMatches;
use lightproof_prover::system::Configuration;

use super::{Definition, SYSTEMS};
use lightproof_prover::chain::config::Config;

/// A set of systems, never empty, by name ascending.
#[derive(Clone)]
pub struct Selection(Vec<&'static dyn Definition>);

impl Selection {
    /// Every system.
    pub fn all() -> Self {
        Self(SYSTEMS.to_vec())
    }

    /// Reads names with commas between them, in any order.
    ///
    /// # Errors
    /// A sentence that names what is wrong, and what there is.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut chosen: Vec<&'static dyn Definition> = Vec::new();
        for name in text.split(',') {
            let found = SYSTEMS.iter().find(|system| system.name() == name);
            let all = || Self::all().to_string();
            let found =
                found.ok_or_else(|| format!("no system \"{name}\"; there are: {}", all()))?;
            if chosen.iter().any(|other| other.name() == name) {
                return Err(format!("{name} is named twice"));
            }
            chosen.push(*found);
        }
        chosen.sort_by_key(|system| system.name());
        Ok(Self(chosen))
    }

    /// A chain of these systems without signatures.
    pub fn usual(&self, seed: u64, window: u64) -> Config {
        let chain = Config::new(seed, window);
        let systems = self.0.iter().map(|system| system.usual(&chain)).collect();
        Config { systems, ..chain }
    }

    /// What these systems of a chain are made from, as flags say.
    ///
    /// # Errors
    /// A sentence for whoever gave the flags.
    pub fn configure(
        &self,
        chain: &Config,
        flags: &ArgMatches,
    ) -> Result<Vec<Arc<dyn Configuration>>, String> {
        self.0.iter().map(|system| system.configure(chain, flags)).collect()
    }

    /// By name ascending.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|system| system.name())
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.names().collect::<Vec<_>>().join(","))
    }
}

impl fmt::Debug for Selection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Selection({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_in_any_order_and_said_in_one() {
        assert_eq!(Selection::parse("mpt,cole").unwrap().to_string(), "cole,mpt");
        assert_eq!(Selection::parse("mpt").unwrap().names().collect::<Vec<_>>(), ["mpt"]);
        assert!(SYSTEMS.iter().map(|system| system.name()).eq(Selection::all().names()));
    }

    #[test]
    fn unknown_missing_and_repeated_names_are_refused() {
        for (text, reason) in [
            ("mpt,nonsense", format!("no system \"nonsense\"; there are: {}", Selection::all())),
            ("", format!("no system \"\"; there are: {}", Selection::all())),
            ("mpt,", format!("no system \"\"; there are: {}", Selection::all())),
            ("mpt, cole", format!("no system \" cole\"; there are: {}", Selection::all())),
            ("mpt,mpt", "mpt is named twice".to_owned()),
        ] {
            assert_eq!(Selection::parse(text).unwrap_err(), reason);
        }
    }
}
