//! What comes of a call.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use lightproof_core::{DecodeError, Rejection};
use revm::primitives::{Address, Bytes, Log};

use crate::item::Item;
use crate::overlay::Overlay;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It returned.
    Success,
    /// It reverted; the output says why.
    Revert,
    /// It broke: out of gas, an invalid instruction, a stack error. All gas is used.
    Halt,
}

impl Status {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Revert => "revert",
            Self::Halt => "halt",
        }
    }
}

/// A finished run: everything that it read is proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// How it ended.
    pub status: Status,
    /// What it returned; the code, if it created a contract.
    pub output: Bytes,
    /// Gas that a transaction would pay for, after refunds.
    pub gas_used: u64,
    /// Logs, in order; none unless it succeeded.
    pub logs: Vec<Log>,
    /// Address of the contract that it created.
    pub created: Option<Address>,
    /// What it read.
    pub read: BTreeSet<Item>,
    /// What it would leave changed.
    pub changes: Overlay,
}

/// What comes of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It ran to its end.
    Done(alloc::boxed::Box<Done>),
    /// It stopped at something that is not proven. The first item is that; the others are what it
    /// will probably read after.
    Missing(Vec<Item>),
    /// It did not run, or was stopped.
    Failed(Failure),
}

/// Why a call was not run, or not to its end. It says nothing about the call's result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// Bytes are malformed or do not prove what they should.
    Rejected(Rejection),
    /// The block follows rules that the table or this version does not know.
    Fork {
        /// The block's number.
        number: u64,
        /// Its time, in seconds since 1970-01-01 UTC.
        timestamp: u64,
    },
    /// The rules do not allow the transaction: too little gas to begin, or too little balance.
    Refused(String),
    /// A limit was reached: `gas`, `memory` or `items`.
    Limit(&'static str),
    /// The engine gave up in a way that it does not document. A defect.
    Engine(String),
}

impl Failure {
    /// Stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Rejected(rejection) => rejection.code(),
            Self::Fork { .. } => "chain.fork",
            Self::Refused(_) => "call.refused",
            Self::Limit(_) => "call.limit",
            Self::Engine(_) => "call.engine",
        }
    }
}

impl From<Rejection> for Failure {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl From<DecodeError> for Failure {
    fn from(error: DecodeError) -> Self {
        Self::Rejected(error.into())
    }
}
