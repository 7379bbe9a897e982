//! Calls on the state of the chain that is followed, run by the code that clients run: `eth_call`,
//! `eth_estimateGas`, `eth_createAccessList`, and `lp_callProof`, which is all that a call reads.

mod parse;
mod run;

use std::collections::BTreeMap;

use lightproof_evm::primitives::{Address, B256};
use lightproof_evm::{Done, Item, Status};
use serde_json::{Value, json};

use super::Context;
use super::error::RpcError;
use super::params::Params;
use lightproof_prover::hex;
use run::Ground;

impl Context<'_> {
    /// `[call, block]`.
    pub(super) fn call(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        let (mut ground, call) = self.ground(params)?;
        let done = ground.run(&call)?;
        Ok(json!(hex::encode(&succeeded(&done)?.output)))
    }

    /// `[call, block]`: the least gas with which the call succeeds.
    pub(super) fn estimate_gas(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        let (mut ground, mut call) = self.ground(params)?;
        let most = ground.run(&call)?;
        let used = succeeded(&most)?.gas_used;
        // Refunds come after the run, so it may need more than it pays for, and no less than that.
        let (mut little, mut enough) = (used - 1, call.gas);
        // Most calls need what they pay for, or a 64th more where they call others (EIP-150).
        let guesses = [used, used + used / 64 + 3_000];
        let mut guesses = guesses.into_iter();
        while enough - little > 1 {
            let guess = guesses.next().unwrap_or(little + (enough - little) / 2);
            if guess <= little || guess >= enough {
                continue;
            }
            call.gas = guess;
            match ground.run(&call) {
                Ok(done) if done.status == Status::Success => enough = guess,
                // Too little to begin with is refused.
                _ => little = guess,
            }
        }
        Ok(json!(hex::quantity(enough)))
    }

    /// `[call, block]`: the accounts and slots that the call reads, except those that are warm
    /// anyway, and the gas that the call uses with this list.
    pub(super) fn create_access_list(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        let (mut ground, mut call) = self.ground(params)?;
        let mut read: BTreeMap<Address, Vec<B256>> = BTreeMap::new();
        for item in ground.run(&call)?.read {
            match item {
                Item::Account(address) => drop(read.entry(address).or_default()),
                Item::Slot(address, key) => read.entry(address).or_default().push(key),
                _ => {}
            }
        }
        let is_free = |address| address == call.from || Some(address) == call.to;
        read.retain(|address, keys| !keys.is_empty() || !is_free(*address));
        call.access_list = read.into_iter().collect();
        let done = ground.run(&call)?;
        let entry = |(address, keys): &(Address, Vec<B256>)| {
            let keys: Vec<String> = keys.iter().map(|key| hex::encode(key.as_slice())).collect();
            json!({ "address": hex::encode(address.as_slice()), "storageKeys": keys })
        };
        let list: Vec<Value> = call.access_list.iter().map(entry).collect();
        let mut answer = json!({ "accessList": list, "gasUsed": hex::quantity(done.gas_used) });
        if done.status != Status::Success {
            answer["error"] = json!("execution reverted");
        }
        Ok(answer)
    }

    /// `[call, block]`: all trie nodes and codes that the call reads.
    pub(super) fn call_proof(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        let (mut ground, call) = self.ground(params)?;
        ground.run(&call)?;
        let list = |all: Vec<&[u8]>| -> Value { all.into_iter().map(hex::encode).collect() };
        Ok(json!({ "state": list(ground.nodes()), "codes": list(ground.codes()) }))
    }

    fn ground(&self, params: &Params<'_>) -> Result<(Ground<'_>, lightproof_evm::Call), RpcError> {
        params.at_most(2)?;
        let call = parse::call(params.raw(0))?;
        let number = self.block_number(params, 1)?;
        let record = self.record(number)?.ok_or_else(RpcError::unknown_block)?;
        let ground = Ground::new(self, self.state(params, 1)?, &record)?;
        Ok((ground, call))
    }
}

/// What a call did, unless it failed.
fn succeeded(done: &Done) -> Result<&Done, RpcError> {
    match done.status {
        Status::Success => Ok(done),
        Status::Revert => Err(RpcError::reverted(&done.output)),
        Status::Halt => {
            Err(RpcError::failed("the call ran out of gas, or into an invalid instruction"))
        }
    }
}
