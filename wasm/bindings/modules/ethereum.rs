//! Accounts and blocks of Ethereum.

mod body;
mod mpt;
