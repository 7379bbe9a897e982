//! The COLE engine: judged by the authors' headers, by a plain map, by the verifier, and by kills.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod model;
mod random;
mod readings;
mod reference;
mod sizes;
