//! JSON-RPC errors, each with the data that lets a client act on it.

use serde_json::{Value, json};

use lightproof_prover::chain::header::Header;
use lightproof_prover::error::StoreError;
use lightproof_prover::hex;
use lightproof_prover::system::ShardId;

/// A JSON-RPC error object.
#[derive(Clone, Debug, PartialEq)]
pub struct RpcError {
    /// The code, as in `spec/architecture.md`, section 8.
    pub code: i64,
    /// For people.
    pub message: String,
    /// For programs.
    pub data: Option<Value>,
    /// What the caller is not told: for the operator, without the call's parameters.
    cause: Option<Box<str>>,
}

impl RpcError {
    fn new(code: i64, message: impl Into<String>, data: Value) -> Self {
        Self { code, message: message.into(), data: Some(data), cause: None }
    }

    /// The body is not JSON.
    pub fn parse(message: impl std::fmt::Display) -> Self {
        Self { code: -32_700, message: format!("not JSON: {message}"), data: None, cause: None }
    }

    /// JSON, but no JSON-RPC request.
    pub fn invalid_request(message: &str) -> Self {
        Self { code: -32_600, message: message.to_owned(), data: None, cause: None }
    }

    /// No such method.
    pub fn method_not_found(method: &str) -> Self {
        // The name is the caller's: do not send back a megabyte of it.
        let method: String = method.chars().take(64).collect();
        Self {
            code: -32_601,
            message: format!("the method {method} does not exist"),
            data: None,
            cause: None,
        }
    }

    /// A parameter is missing or wrong.
    pub fn invalid_params(field: &str, message: impl std::fmt::Display) -> Self {
        Self::new(-32_602, format!("{field}: {message}"), json!({ "field": field }))
    }

    /// More than the node is willing to do at once.
    pub fn limit(limit: &str, max: usize) -> Self {
        Self::new(
            -32_005,
            format!("too much: {limit} is limited to {max}"),
            json!({ "limit": limit, "max": max }),
        )
    }

    /// A block that is not on this chain.
    pub fn unknown_block() -> Self {
        Self::new(-32_011, "unknown block", json!({}))
    }

    /// A block whose state, or which itself, is no longer kept.
    pub fn window(from: u64, to: u64) -> Self {
        let (from, to) = (hex::quantity(from), hex::quantity(to));
        Self::new(
            -32_012,
            format!("blocks {from} to {to} are kept"),
            json!({ "from": from, "to": to }),
        )
    }

    /// What is proven by nodes of another shard.
    pub fn shard(shard: ShardId) -> Self {
        Self::new(-32_013, format!("proofs are made for shard {shard}"), Self::shard_data(shard))
    }

    /// A shard, as a status has it too.
    pub fn shard_data(shard: ShardId) -> Value {
        json!({ "bits": shard.bits, "index": shard.index })
    }

    /// Shapes of proofs none of which the system makes.
    pub fn variant(variants: &[&str]) -> Self {
        let message = format!("no such shape of proof; there is {}", variants.join(", "));
        Self::new(-32_015, message, json!({ "variants": variants }))
    }

    /// A system that this chain does not commit to.
    pub fn unknown_system(systems: &[&str]) -> Self {
        let message = format!("unknown system; this chain commits to {}", systems.join(", "));
        Self::new(-32_014, message, json!({ "systems": systems }))
    }
}

/// What `lp_pushBlock` refuses.
impl RpcError {
    /// The number belongs to a block of other content.
    pub fn taken(header: &Header) -> Self {
        let (number, hash) = (header.number, hex::encode(&header.hash()));
        let message = format!("block {number} exists already, with other content");
        Self::new(-32_020, message, json!({ "number": hex::quantity(number), "hash": hash }))
    }

    /// Blocks before this one are missing.
    pub fn gap(expected: u64) -> Self {
        let message = format!("blocks are missing before this one; push block {expected} next");
        Self::new(-32_021, message, json!({ "expected": hex::quantity(expected) }))
    }

    /// The block cannot be applied. The chain is as it was before.
    pub fn refused(reason: String) -> Self {
        Self { code: -32_022, message: reason, data: None, cause: None }
    }

    /// A call that reverted, as geth says it.
    ///
    /// * `output`: what it returned.
    pub fn reverted(output: &[u8]) -> Self {
        Self::new(3, "execution reverted", json!(hex::encode(output)))
    }

    /// A call that ended otherwise, or could not be run.
    pub fn failed(reason: impl Into<String>) -> Self {
        Self { code: -32_000, message: reason.into(), data: None, cause: None }
    }

    /// The node is at fault.
    ///
    /// * `cause`: for the operator, without the call's parameters.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        let cause = Some(cause.to_string().into());
        Self { code: -32_603, message: "internal error".to_owned(), data: None, cause }
    }

    /// Why the node is at fault, for the operator.
    pub(crate) fn cause(&self) -> Option<&str> {
        self.cause.as_deref()
    }

    /// The kind of error, one of a short list.
    pub(crate) fn kind(&self) -> &'static str {
        match self.code {
            3 => "reverted",
            -32_000 => "failed",
            -32_005 => "limit",
            -32_011 => "unknown block",
            -32_012 => "window",
            -32_013 => "shard",
            -32_014 => "unknown system",
            -32_015 => "variant",
            -32_020 => "taken",
            -32_021 => "gap",
            -32_022 => "refused",
            -32_600 => "invalid request",
            -32_601 => "unknown method",
            -32_602 => "invalid params",
            -32_603 => "internal",
            -32_700 => "not JSON",
            _ => "other",
        }
    }
}

/// The caller learns that the node is at fault, not what its disk said.
impl From<StoreError> for RpcError {
    fn from(error: StoreError) -> Self {
        Self::internal(error)
    }
}

impl From<&RpcError> for Value {
    fn from(error: &RpcError) -> Self {
        let mut object = json!({ "code": error.code, "message": error.message });
        if let Some(data) = &error.data {
            object["data"] = data.clone();
        }
        object
    }
}
