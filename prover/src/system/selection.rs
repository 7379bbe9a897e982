//! Which of the registered systems a chain commits to.

use super::REGISTRY;

/// A set of registered systems, never empty.
///
/// Bits are places in [`REGISTRY`], which change when a system is added: only names leave the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection(u64);

impl Selection {
    /// Every registered system.
    pub const ALL: Self = Self((1 << REGISTRY.len()) - 1);

    /// Reads names with commas between them, in any order.
    ///
    /// # Errors
    /// A sentence that names what is wrong, and what there is.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut bits = 0;
        for name in text.split(',') {
            let place = REGISTRY.iter().position(|(registered, _)| *registered == name);
            let all = || Self::ALL.to_string();
            let place =
                place.ok_or_else(|| format!("no system \"{name}\"; there are: {}", all()))?;
            if bits & (1 << place) != 0 {
                return Err(format!("{name} is named twice"));
            }
            bits |= 1 << place;
        }
        Ok(Self(bits))
    }

    /// Whether the chain commits to a system.
    pub fn contains(self, name: &str) -> bool {
        self.names().any(|one| one == name)
    }

    /// By name ascending.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let registered = REGISTRY.iter().enumerate();
        registered.filter(move |(place, _)| self.0 & (1 << place) != 0).map(|(_, (name, _))| *name)
    }
}

impl std::fmt::Display for Selection {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.names().collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_in_any_order_and_said_in_one() {
        assert_eq!(Selection::parse("mpt,cole").unwrap().to_string(), "cole,mpt");
        let mpt = Selection::parse("mpt").unwrap();
        assert!(mpt.contains("mpt") && !mpt.contains("cole"));
        assert!(REGISTRY.iter().all(|(name, _)| Selection::ALL.contains(name)));
    }

    #[test]
    fn unknown_missing_and_repeated_names_are_refused() {
        for (text, reason) in [
            ("mpt,nonsense", format!("no system \"nonsense\"; there are: {}", Selection::ALL)),
            ("", format!("no system \"\"; there are: {}", Selection::ALL)),
            ("mpt,", format!("no system \"\"; there are: {}", Selection::ALL)),
            ("mpt, cole", format!("no system \" cole\"; there are: {}", Selection::ALL)),
            ("mpt,mpt", "mpt is named twice".to_owned()),
        ] {
            assert_eq!(Selection::parse(text).unwrap_err(), reason);
        }
    }
}
