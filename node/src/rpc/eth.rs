//! State as wallets ask for it.

use serde_json::{Value, json};

use super::error::RpcError;
use super::params::{Params, SlotKey};
use super::{Context, MAX_KEYS};
use lightproof_prover::hex;
use lightproof_prover::system::mpt::{self, SlotProof};

impl Context<'_> {
    pub(super) fn balance(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(2)?;
        let account =
            self.state(params, 1)?.account(&params.address(0)?)?.account.unwrap_or_default();
        Ok(json!(hex::quantity_of_bytes(&account.balance.0)))
    }

    pub(super) fn transaction_count(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(2)?;
        let account =
            self.state(params, 1)?.account(&params.address(0)?)?.account.unwrap_or_default();
        Ok(json!(hex::quantity(account.nonce)))
    }

    pub(super) fn code(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(2)?;
        let state = self.state(params, 1)?;
        let account = state.account(&params.address(0)?)?.account.unwrap_or_default();
        Ok(json!(hex::encode(&state.code(&account.code_hash)?)))
    }

    pub(super) fn storage_at(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(3)?;
        let slot = params.slot(1)?.slot;
        Ok(json!(hex::encode(&self.state(params, 2)?.slot(&params.address(0)?, &slot)?.value)))
    }

    /// EIP-1186. An absent account has the empty hashes; the storage proof of an account without
    /// storage is `[]`.
    pub(super) fn proof(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(3)?;
        let address = params.address(0)?;
        let keys = params.slots(1)?;
        if keys.len() > MAX_KEYS {
            return Err(RpcError::limit("keys", MAX_KEYS));
        }
        // A proof under a root that no header holds would prove nothing.
        self.committed(mpt::NAME)?;
        let state = self.state(params, 2)?;
        let proof = state.account(&address)?;
        let account = proof.account.unwrap_or_default();
        let slot = |key: &SlotKey| Ok(slot_json(key, &state.slot(&address, &key.slot)?));
        let storage: Vec<Value> = keys.iter().map(slot).collect::<Result<_, RpcError>>()?;
        self.answers.made(mpt::NAME);
        Ok(json!({
            "address": hex::encode(&address),
            "accountProof": nodes_json(&proof.nodes),
            "balance": hex::quantity_of_bytes(&account.balance.0),
            "codeHash": hex::encode(&account.code_hash),
            "nonce": hex::quantity(account.nonce),
            "storageHash": hex::encode(&account.storage_root),
            "storageProof": storage,
        }))
    }
}

fn slot_json(key: &SlotKey, proof: &SlotProof) -> Value {
    json!({
        "key": if key.full { hex::encode(&key.slot) } else { hex::quantity_of_bytes(&key.slot) },
        "value": hex::quantity_of_bytes(&proof.value),
        "proof": nodes_json(&proof.nodes),
    })
}

fn nodes_json(nodes: &[Vec<u8>]) -> Value {
    nodes.iter().map(|node| hex::encode(node)).collect()
}
