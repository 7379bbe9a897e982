//! lvmt.

#[path = "parts/lvmt.rs"]
mod lvmt;
#[path = "parts/version.rs"]
mod version;
