//! Positional parameters, parsed into the types that the methods work with.

use serde_json::Value;

use super::error::RpcError;
use lightproof_prover::chain::{Address, Slot};
use lightproof_prover::hash::Word;
use lightproof_prover::hex;

/// The parameters of one call.
#[derive(Clone, Copy, Debug)]
pub struct Params<'a>(&'a [Value]);

/// Which block a caller means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockId {
    /// The newest block. The devnet has one producer and never reorganises, so `safe`, `finalized`
    /// and `pending` mean the same.
    Head,
    /// By height.
    Number(u64),
    /// By hash (EIP-1898).
    Hash(Word),
}

/// A slot key and whether the caller gave all 32 bytes, in which case the answer repeats all 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotKey {
    /// Left-padded with zeros.
    pub slot: Slot,
    /// True if the caller gave 32 bytes.
    pub full: bool,
}

impl<'a> Params<'a> {
    /// Takes an array, or nothing at all.
    ///
    /// # Errors
    /// -32602 for named parameters and other values.
    pub fn new(value: &'a Value) -> Result<Self, RpcError> {
        match value {
            Value::Null => Ok(Self(&[])),
            Value::Array(values) => Ok(Self(values)),
            _ => Err(RpcError::invalid_params("params", "must be an array")),
        }
    }

    /// Refuses more than `count` parameters, so that a misplaced one is not silently ignored.
    ///
    /// # Errors
    /// -32602.
    pub fn at_most(&self, count: usize) -> Result<(), RpcError> {
        if self.0.len() > count {
            return Err(RpcError::invalid_params(
                "params",
                format!("at most {count}, got {}", self.0.len()),
            ));
        }
        Ok(())
    }

    /// A parameter as it came; null if it is missing.
    pub fn raw(&self, index: usize) -> &'a Value {
        self.0.get(index).unwrap_or(&Value::Null)
    }

    /// A string.
    ///
    /// # Errors
    /// -32602 with `field`.
    pub fn text(&self, index: usize, field: &str) -> Result<&'a str, RpcError> {
        self.raw(index)
            .as_str()
            .ok_or_else(|| RpcError::invalid_params(field, "a string is required"))
    }

    /// A boolean; false if it is missing.
    ///
    /// # Errors
    /// -32602 with `field`.
    pub fn flag(&self, index: usize, field: &str) -> Result<bool, RpcError> {
        match self.raw(index) {
            Value::Null => Ok(false),
            Value::Bool(flag) => Ok(*flag),
            _ => Err(RpcError::invalid_params(field, "a boolean is required")),
        }
    }

    /// An address.
    ///
    /// # Errors
    /// -32602 with `address`.
    pub fn address(&self, index: usize) -> Result<Address, RpcError> {
        hex::decode_fixed(self.text(index, "address")?)
            .map_err(|error| RpcError::invalid_params("address", error))
    }

    /// A 32-byte hash.
    ///
    /// # Errors
    /// -32602 with `field`.
    pub fn word(&self, index: usize, field: &str) -> Result<Word, RpcError> {
        hex::decode_fixed(self.text(index, field)?)
            .map_err(|error| RpcError::invalid_params(field, error))
    }

    /// Bytes of any length.
    ///
    /// # Errors
    /// -32602 with `field`.
    pub fn bytes(&self, index: usize, field: &str) -> Result<Vec<u8>, RpcError> {
        hex::decode(self.text(index, field)?)
            .map_err(|error| RpcError::invalid_params(field, error))
    }

    /// A 32-byte hash in an object.
    ///
    /// # Errors
    /// -32602 with `field`.
    pub fn word_in(&self, index: usize, field: &str) -> Result<Word, RpcError> {
        let text = self.raw(index)[field].as_str();
        let text = text.ok_or_else(|| RpcError::invalid_params(field, "a string is required"))?;
        hex::decode_fixed(text).map_err(|error| RpcError::invalid_params(field, error))
    }

    /// A number: a quantity, or a JSON number.
    ///
    /// # Errors
    /// -32602 with `field`.
    pub fn number(&self, index: usize, field: &str) -> Result<u64, RpcError> {
        if let Some(number) = self.raw(index).as_u64() {
            return Ok(number);
        }
        hex::decode_quantity(self.text(index, field)?)
            .map_err(|error| RpcError::invalid_params(field, error))
    }

    /// A slot key of up to 32 bytes.
    ///
    /// # Errors
    /// -32602 with `slot`.
    pub fn slot(&self, index: usize) -> Result<SlotKey, RpcError> {
        slot_key(self.text(index, "slot")?, "slot")
    }

    /// A list of slot keys.
    ///
    /// # Errors
    /// -32602 with `storageKeys`.
    pub fn slots(&self, index: usize) -> Result<Vec<SlotKey>, RpcError> {
        let field = "storageKeys";
        let keys = self
            .raw(index)
            .as_array()
            .ok_or_else(|| RpcError::invalid_params(field, "an array is required"))?;
        let key = |key: &Value| {
            slot_key(
                key.as_str().ok_or_else(|| RpcError::invalid_params(field, "must hold strings"))?,
                field,
            )
        };
        keys.iter().map(key).collect()
    }

    /// A block: tag, number, hash, or EIP-1898 object; the newest if missing.
    ///
    /// # Errors
    /// -32602 with `block`.
    pub fn block(&self, index: usize) -> Result<BlockId, RpcError> {
        let invalid = |message: &dyn std::fmt::Display| RpcError::invalid_params("block", message);
        let hash = |text: &str| {
            hex::decode_fixed(text).map(BlockId::Hash).map_err(|error| invalid(&error))
        };
        let number = |text: &str| {
            hex::decode_quantity(text).map(BlockId::Number).map_err(|error| invalid(&error))
        };
        match self.raw(index) {
            Value::Null => Ok(BlockId::Head),
            Value::String(text) => match text.as_str() {
                "latest" | "safe" | "finalized" | "pending" => Ok(BlockId::Head),
                "earliest" => Ok(BlockId::Number(0)),
                text if text.len() == 66 => hash(text),
                text => number(text),
            },
            Value::Object(object) => match (object.get("blockHash"), object.get("blockNumber")) {
                (Some(Value::String(text)), None) => hash(text),
                (None, Some(Value::String(text))) => number(text),
                _ => Err(invalid(&"an object must hold either blockHash or blockNumber")),
            },
            _ => Err(invalid(&"a tag, a quantity or {blockHash} is required")),
        }
    }
}

fn slot_key(text: &str, field: &str) -> Result<SlotKey, RpcError> {
    let invalid = |message: &dyn std::fmt::Display| RpcError::invalid_params(field, message);
    // Wallets send quantities ("0x0") as well as 32 bytes.
    let digits = text.strip_prefix("0x").ok_or_else(|| invalid(&hex::HexError::Prefix))?;
    let even = if digits.len() % 2 == 1 { format!("0x0{digits}") } else { text.to_owned() };
    let bytes = hex::decode(&even).map_err(|error| invalid(&error))?;
    let start = 32_usize.checked_sub(bytes.len()).ok_or_else(|| invalid(&"at most 32 bytes"))?;
    let mut slot = [0; 32];
    slot[start..].copy_from_slice(&bytes);
    Ok(SlotKey { slot, full: bytes.len() == 32 })
}
