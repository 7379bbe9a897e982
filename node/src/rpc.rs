//! JSON-RPC 2.0, answered honestly: the `eth_` methods that wallets use and the `lp_` methods of
//! the light client.

pub mod block;
#[cfg(feature = "ethereum")]
pub mod calls;
pub mod error;
pub mod eth;
#[cfg(feature = "ethereum")]
pub mod followed;
pub mod lp;
pub mod params;

use serde_json::{Value, json};

use crate::answers::Answers;
use error::RpcError;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::database::snapshot::Snapshot;
use lightproof_prover::hex;
use params::Params;

/// Bytes of one request body.
pub const MAX_BODY: usize = 2 * 1024 * 1024;
/// Calls in one batch.
pub const MAX_BATCH: usize = 100;
/// Bytes of one response body.
pub const MAX_RESPONSE: usize = 8 * 1024 * 1024;
/// Headers in one answer to `lp_getHeaders`.
pub const MAX_HEADERS: u64 = 1_024;
/// Slots in one `eth_getProof`.
pub const MAX_KEYS: usize = 1_024;

/// What a node may be asked, on any chain.
const METHODS: [&str; 28] = [
    "eth_blockNumber",
    "eth_call",
    "eth_chainId",
    "eth_createAccessList",
    "eth_estimateGas",
    "eth_getBalance",
    "eth_getBlockByHash",
    "eth_getBlockByNumber",
    "eth_getBlockReceipts",
    "eth_getCode",
    "eth_getLogs",
    "eth_getProof",
    "eth_getStorageAt",
    "eth_getTransactionByHash",
    "eth_getTransactionCount",
    "eth_getTransactionReceipt",
    "lp_callProof",
    "lp_getAttestations",
    "lp_getBootstrap",
    "lp_getFinality",
    "lp_getHeader",
    "lp_getHeaders",
    "lp_getParams",
    "lp_getProof",
    "lp_getUpdates",
    "lp_status",
    "net_version",
    "web3_clientVersion",
];

/// The method's name as an operator sees it: one for all that do not exist, so that strangers make
/// no new ones.
pub(crate) fn label(method: &str) -> &'static str {
    METHODS.into_iter().find(|known| *known == method).unwrap_or("other")
}

/// Whether some answers to a method never change.
pub(crate) fn may_be_fixed(method: &str) -> bool {
    matches!(
        method,
        "eth_getCode" | "eth_getProof" | "lp_getHeader" | "lp_getParams" | "lp_getProof"
    )
}

/// Whether an answer is that the chain does not have the block.
pub(crate) fn is_unknown(method: &str, answer: &Result<Value, RpcError>) -> bool {
    match answer {
        Ok(Value::Null) => {
            matches!(method, "eth_getBlockByHash" | "eth_getBlockByNumber" | "lp_getHeader")
        }
        Ok(_) => false,
        Err(error) => *error == RpcError::unknown_block(),
    }
}

/// Whether the answer to a call never changes once there is one: it names what it asks about by a
/// hash.
pub(crate) fn is_fixed(method: &str, params: &Value) -> bool {
    match method {
        "eth_getCode" => params[1].get("blockHash").is_some(),
        "eth_getProof" | "lp_getProof" => params[2].get("blockHash").is_some(),
        other => may_be_fixed(other),
    }
}

/// One call with the view of the chain that it is answered from.
#[derive(Debug)]
pub struct Context<'a> {
    /// The chain.
    pub node: &'a Chain,
    /// Where its systems prove.
    pub answers: &'a Answers,
    /// The same for every call of a batch.
    pub snapshot: &'a Snapshot,
    /// Whether clients are told to ask by GET what never changes.
    pub offers_get: bool,
}

/// The honest answer of a chain as it is now, without a server.
///
/// # Errors
/// [`RpcError`] as the method defines it.
pub fn ask(node: &Chain, method: &str, params: &Value) -> Result<Value, RpcError> {
    let (answers, snapshot) = (Answers::of(node.systems()), node.snapshot()?);
    Context { node, answers: &answers, snapshot: &snapshot, offers_get: false }
        .answer(method, params)
}

impl Context<'_> {
    /// The honest answer to a call.
    ///
    /// # Errors
    /// [`RpcError`] as the method defines it.
    pub fn answer(&self, method: &str, params: &Value) -> Result<Value, RpcError> {
        let params = Params::new(params)?;
        #[cfg(feature = "ethereum")]
        if let Some(answer) = self.followed(method, &params) {
            return answer;
        }
        match method {
            "web3_clientVersion" => {
                Ok(json!(concat!("lightproof-node/", env!("CARGO_PKG_VERSION"))))
            }
            "net_version" => Ok(json!(self.node.chain_id().to_string())),
            "eth_chainId" => Ok(json!(hex::quantity(self.node.chain_id()))),
            "eth_blockNumber" => Ok(json!(hex::quantity(self.snapshot.announced()))),
            "eth_getBlockByNumber" => self.block_by_number(&params),
            "eth_getBlockByHash" => self.block_by_hash(&params),
            "eth_getBalance" => self.balance(&params),
            "eth_getTransactionCount" => self.transaction_count(&params),
            "eth_getCode" => self.code(&params),
            "eth_getStorageAt" => self.storage_at(&params),
            "eth_getProof" => self.proof(&params),
            "lp_status" => self.status(&params),
            "lp_getHeader" => self.header(&params),
            "lp_getHeaders" => self.headers(&params),
            "lp_getParams" => self.system_params(&params),
            "lp_getBootstrap" => self.bootstrap(&params),
            "lp_getUpdates" => self.updates(&params),
            "lp_getFinality" => self.finality(&params),
            "lp_getProof" => self.system_proof(&params),
            _ => Err(RpcError::method_not_found(method)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_that_is_answered_has_a_label() {
        let sources =
            [include_str!("rpc.rs"), include_str!("rpc/followed.rs"), include_str!("service.rs")];
        let names = sources.iter().flat_map(|text| text.split('"')).filter(|word| {
            let start =
                ["eth_", "lp_", "net_", "web3_"].iter().any(|start| word.starts_with(start));
            start && word.len() > 5 && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        });
        let mut names: Vec<_> = names.collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names, METHODS);
        assert_eq!(label("made up"), "other");
    }
}
