//! The attacks that a node can carry out over RPC, each one small function over the honest reply.

use serde_json::Value;

use crate::rpc::Context;
use crate::rpc::error::RpcError;

/// One way of lying.
#[derive(Debug)]
pub struct Lie {
    /// What `--lie` takes.
    pub name: &'static str,
    /// One sentence: what the node claims.
    pub about: &'static str,
}

/// Every lie.
pub const LIES: &[Lie] = &[];

/// The reply of a lying node.
///
/// # Errors
/// An honest error stays what it is.
pub fn tell(
    _: &Lie,
    _: &Context<'_>,
    _: &str,
    _: &Value,
    honest: Result<Value, RpcError>,
) -> Result<Value, RpcError> {
    honest
}
