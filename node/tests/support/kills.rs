//! How often a process is killed.

/// `LIGHTPROOF_KILLS`, or as often as the tests do it every time.
pub(crate) fn kills(usual: usize) -> usize {
    let asked = std::env::var("LIGHTPROOF_KILLS").ok().and_then(|count| count.parse().ok());
    asked.unwrap_or(usual)
}
