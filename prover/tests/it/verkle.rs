//! The tree: judged by a plain map, by a tree built anew, by the verifier, by c-kzg, and by
//! restarts; and the setups behind it.

mod ceremony;
mod chain;
mod kzg;
mod random;
