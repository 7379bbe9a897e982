//! The COLE engine: judged by the authors' headers, by a plain map, by the verifier, and by kills.

mod adversary;
mod following;
mod model;
mod random;
mod readings;
mod reference;
mod sealed;
mod sizes;
