//! Tests of core in one program: each program more compiles the generic code of core and its curves
//! again. Two have one of their own: `vectors`, which every mutant meets, and `reference`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects)]

mod body;
mod boundaries;
mod cole;
mod differential;
mod headers;
mod inputs;
mod known;
mod lmpt;
mod lvmt;
mod mutations;
mod no_panic;
mod properties;
mod proven;
mod registry;
mod rlp;
mod verkle;
