//! The attacks that a node can carry out over RPC, each one small function over the honest reply.
//!
//! Nothing here is reached by an honest node: a lie gets the reply that the honest path has made,
//! and may ask that path for others. Where a lie does not fit a reply (no such slot, account
//! absent), the reply stays honest.

mod headers;
mod signatures;

use serde_json::{Value, json};

use crate::rpc::Context;
use crate::rpc::error::RpcError;

/// One way of lying.
#[derive(Debug)]
pub struct Lie {
    /// What `--lie` takes.
    pub name: &'static str,
    /// One sentence: what the node does.
    pub about: &'static str,
    /// The methods whose replies change.
    pub(crate) methods: &'static [&'static str],
    /// Makes the lie of the honest reply.
    pub(crate) tell: Tell,
}

pub(crate) type Told = Result<Value, RpcError>;

/// How a reply becomes a lie.
#[derive(Debug)]
pub(crate) enum Tell {
    /// By changing it.
    Edit(fn(&mut Value)),
    /// With the help of other honest replies.
    Borrow(fn(&Ask<'_>, Value) -> Told),
    /// Like `Borrow`, where the honest answer may be an error: about a block that does not exist.
    Invent(fn(&Ask<'_>, Told) -> Told),
}
pub(crate) use Tell::{Borrow, Edit, Invent};

/// The call that is being answered, and the honest node behind it.
#[derive(Debug)]
pub(crate) struct Ask<'a> {
    pub(crate) context: &'a Context<'a>,
    pub(crate) method: &'a str,
    pub(crate) params: &'a Value,
}

/// The reply of a lying node.
///
/// # Errors
/// An honest error stays what it is, save where the lie is about a block that does not exist.
pub fn tell(lie: &Lie, context: &Context<'_>, method: &str, params: &Value, honest: Told) -> Told {
    if !lie.methods.contains(&method) {
        return honest;
    }
    let ask = Ask { context, method, params };
    match lie.tell {
        Edit(edit) => honest.map(|mut reply| {
            edit(&mut reply);
            reply
        }),
        Borrow(borrow) => borrow(&ask, honest?),
        Invent(invent) => invent(&ask, honest),
    }
}

impl Ask<'_> {
    /// What the honest node answers to `eth_getProof` with these parameters.
    pub(crate) fn proof(
        &self,
        address: &Value,
        slots: &Value,
        block: &Value,
    ) -> Result<Value, RpcError> {
        self.context.answer("eth_getProof", &json!([address, slots, block]))
    }
}

/// A table of lies: name, methods, how it is told, and what the node does then.
macro_rules! lies {
    ($($name:literal $methods:expr, $tell:expr, $about:literal;)*) => {
        &[$($crate::lies::Lie { name: $name, about: $about, methods: $methods, tell: $tell }),*]
    };
}
pub(crate) use lies;

/// Every lie about headers: any chain's node can tell them.
pub const HEADERS: &[Lie] = lies! {
    "header-root" headers::METHODS, Edit(headers::state_root),
        "Serves headers that commit to another state root.";
    "header-number" headers::METHODS, Edit(headers::number),
        "Serves headers with another number.";
    "header-timestamp" headers::METHODS, Edit(headers::timestamp),
        "Serves headers one hour younger than they are.";
    "header-extra-field" headers::METHODS, Edit(headers::extra_field),
        "Serves headers with one field too many.";
    "header-other-block" headers::METHODS, Borrow(headers::other_block),
        "Serves the genesis header in place of every other.";
    "forged-child" headers::FORGED_METHODS, Invent(headers::forged_child),
        "Invents a block on top of the real head, whose state holds one very rich account.";
    "other-chain" headers::CHAIN_METHODS, Edit(headers::other_chain),
        "Says that it serves another chain.";
};

/// Every lie about signatures: only the node of a signed chain can tell one.
pub const SIGNATURES: &[Lie] = lies! {
    "signers-few" signatures::SIGNED, Borrow(signatures::few),
        "Sends headers that fewer than two thirds of the committee signed.";
    "signers-flipped" signatures::SIGNED, Borrow(signatures::flipped),
        "Flips the bit of one participant.";
    "signature-other-header" signatures::SIGNED, Borrow(signatures::other_header),
        "Sends the committee's signature of something else.";
    "signature-other-committee" signatures::SIGNED, Borrow(signatures::other_committee),
        "Sends the signature of the next period's committee.";
    "signature-own-keys" signatures::SIGNED, Borrow(signatures::own_keys),
        "Forges the state root and signs the header with keys of its own.";
    "signature-infinity" signatures::SIGNED, Borrow(signatures::infinity),
        "Sends the point at infinity as the signature.";
    "signed-future" signatures::SIGNED, Borrow(signatures::future),
        "Sends signed headers whose time is still to come.";
    "committee-other" signatures::COMMITTEES, Borrow(signatures::next_committee),
        "Sends the committee of another period.";
    "committee-swapped" signatures::COMMITTEES, Borrow(signatures::swapped_keys),
        "Exchanges the first two keys of the committee.";
    "committee-aggregate" signatures::COMMITTEES, Borrow(signatures::aggregate),
        "Claims that the first key is the sum of all.";
    "update-stale" signatures::SIGNED, Borrow(signatures::stale),
        "Sends the first period's update for every period, and block 0 as the newest.";
    "update-skipped" &["lp_getUpdates"], Edit(signatures::skipped),
        "Leaves out the update of the first period that is asked for.";
    "bootstrap-other-block" &["lp_getBootstrap"], Borrow(signatures::other_checkpoint),
        "Sends the bootstrap of block 0 for every block.";
};

impl Lie {
    /// Whether it needs signed headers to be told at all.
    pub fn is_about_signatures(&self) -> bool {
        SIGNATURES.iter().any(|lie| lie.name == self.name)
    }
}
