//! A call as JSON-RPC writes it.

use lightproof_evm::Call;
use lightproof_evm::primitives::{Address, B256, U256};
use serde_json::Value;

use crate::rpc::error::RpcError;
use lightproof_prover::hex;

/// Gas of a call that names none, and the most that it may name, as geth has it.
const GAS: u64 = 50_000_000;

/// Fields that say nothing of how a call runs.
const IGNORED: [&str; 6] =
    ["type", "nonce", "chainId", "maxPriorityFeePerGas", "maxFeePerBlobGas", "blobVersionedHashes"];

/// A call; a field that would change its outcome and is not known is refused.
pub(super) fn call(value: &Value) -> Result<Call, RpcError> {
    let Some(object) = value.as_object() else {
        return Err(RpcError::invalid_params("call", "an object is required"));
    };
    let mut call = Call { gas: GAS, ..Call::default() };
    for (field, value) in object {
        let wrong = |reason: &dyn std::fmt::Display| RpcError::invalid_params(field, reason);
        match field.as_str() {
            _ if value.is_null() => {}
            "from" => call.from = address(field, value)?,
            "to" => call.to = Some(address(field, value)?),
            "gas" => {
                let gas = u64::try_from(integer(field, value)?);
                call.gas = gas.map_or(GAS, |gas| gas.min(GAS));
            }
            "gasPrice" | "maxFeePerGas" => {
                let price = u128::try_from(integer(field, value)?);
                call.gas_price = price.map_err(|_| wrong(&"at most 2^128 - 1"))?;
            }
            "value" => call.value = integer(field, value)?,
            "data" | "input" => {
                let data = hex::decode(text(field, value)?).map_err(|error| wrong(&error))?;
                let other = object.get(if field == "data" { "input" } else { "data" });
                if other.is_some_and(|other| !other.is_null() && other != value) {
                    return Err(wrong(&"data and input differ"));
                }
                call.data = data.into();
            }
            "accessList" => call.access_list = access_list(value)?,
            field if IGNORED.contains(&field) => {}
            _ => return Err(wrong(&"is not taken")),
        }
    }
    Ok(call)
}

fn text<'v>(field: &str, value: &'v Value) -> Result<&'v str, RpcError> {
    value.as_str().ok_or_else(|| RpcError::invalid_params(field, "a string is required"))
}

fn address(field: &str, value: &Value) -> Result<Address, RpcError> {
    let bytes: [u8; 20] = hex::decode_fixed(text(field, value)?)
        .map_err(|error| RpcError::invalid_params(field, error))?;
    Ok(bytes.into())
}

/// A quantity of up to 256 bits.
fn integer(field: &str, value: &Value) -> Result<U256, RpcError> {
    let digits = text(field, value)?.strip_prefix("0x").filter(|digits| !digits.is_empty());
    let parsed = digits.and_then(|digits| U256::from_str_radix(digits, 16).ok());
    parsed.ok_or_else(|| RpcError::invalid_params(field, "a quantity is required"))
}

fn access_list(value: &Value) -> Result<Vec<(Address, Vec<B256>)>, RpcError> {
    let field = "accessList";
    let list = |value: &Value| {
        let list = value.as_array().cloned();
        list.ok_or_else(|| RpcError::invalid_params(field, "an array is required"))
    };
    let entry = |entry: &Value| {
        let keys = list(&entry["storageKeys"])?;
        let key = |key: &Value| {
            let bytes: [u8; 32] = hex::decode_fixed(text(field, key)?)
                .map_err(|error| RpcError::invalid_params(field, error))?;
            Ok(bytes.into())
        };
        let keys = keys.iter().map(key).collect::<Result<_, RpcError>>()?;
        Ok((address(field, &entry["address"])?, keys))
    };
    list(value)?.iter().map(entry).collect()
}
