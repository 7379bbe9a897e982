//! lmpt and cole, which only hash.

#[path = "parts/cole.rs"]
mod cole;
#[path = "parts/lmpt.rs"]
mod lmpt;
#[path = "parts/version.rs"]
mod version;
