//! Systems that only hash, Ethereum's own apart.

mod cole;
mod lmpt;
