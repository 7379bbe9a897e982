//! Blocks as nodes send them.

use alloy_consensus::{BlockBody, EthereumTxEnvelope, Header, TxEip4844, TxEnvelope};
use alloy_eips::eip4895::Withdrawals;
use alloy_primitives::B256;
use alloy_rlp::{Decodable as _, Encodable as _};
use serde::Deserialize;
use serde_json::Value;

/// The body of a block as Ethereum's own types have it.
pub type Body = BlockBody<TxEnvelope>;

/// A transaction as a block holds it: with blobs beside it, it is one of the network's, not of a
/// block's.
type Bare = EthereumTxEnvelope<TxEip4844>;

/// Why bytes are not a block.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockError {
    /// Longer than any block.
    #[error("block of {0} bytes: expected at most {MAX_BYTES}")]
    TooLong(usize),
    /// Not the canonical RLP of a block.
    #[error("block is not canonical RLP: {0}")]
    Rlp(String),
    /// Not the JSON of a block with its transactions.
    #[error("block is not the JSON of a full block: {0}")]
    Json(String),
    /// A transaction of a type whose rules are not known.
    #[error("transaction {index} has the unknown type {kind}: expected 0 to 4")]
    UnknownTransactionType {
        /// Position in the block.
        index: usize,
        /// The type, as the block writes it.
        kind: String,
    },
    /// The header does not hash to the hash that was asked for.
    #[error("block hash: expected {expected}, found {found}")]
    Hash {
        /// The hash that was asked for.
        expected: B256,
        /// The hash of the header that came.
        found: B256,
    },
}

/// Before Osaka no rule bounds a block's bytes. A block of 2^26 gas of calldata has 16 MiB.
const MAX_BYTES: usize = 32 << 20;

/// A decoded block: its parts have the right form, and nothing is known of their truth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The header.
    pub header: Header,
    /// Transactions, ommers, withdrawals.
    pub body: Body,
    /// Keccak hash of the header.
    pub hash: B256,
    /// Length of the block's RLP, which EIP-7934 bounds.
    pub size: usize,
}

impl Block {
    /// Decodes the answer of `debug_getRawBlock`. The bytes are the only encoding of the block:
    /// none remain, and encoding the block again gives the same ones.
    ///
    /// # Errors
    /// [`BlockError`] says what is wrong with the bytes.
    pub fn from_rlp(bytes: &[u8]) -> Result<Self, BlockError> {
        if bytes.len() > MAX_BYTES {
            return Err(BlockError::TooLong(bytes.len()));
        }
        check_types(bytes)?;
        let mut rest = bytes;
        let block = alloy_consensus::Block::<Bare>::decode(&mut rest)
            .map_err(|error| BlockError::Rlp(error.to_string()))?;
        if !rest.is_empty() {
            return Err(BlockError::Rlp(format!("{} bytes after the block", rest.len())));
        }
        let mut again = Vec::with_capacity(bytes.len());
        block.encode(&mut again);
        if again != bytes {
            return Err(BlockError::Rlp("another encoding of the same block".to_owned()));
        }
        let block = block.convert_transactions();
        Ok(Self {
            hash: block.header.hash_slow(),
            header: block.header,
            body: block.body,
            size: bytes.len(),
        })
    }

    /// Rebuilds a block from the answer of `eth_getBlockByNumber` with full transactions. Keys that
    /// the block does not have are ignored: hashes bind the others.
    ///
    /// # Errors
    /// [`BlockError`] says what is wrong with the answer.
    pub fn from_json(answer: &Value) -> Result<Self, BlockError> {
        #[derive(Deserialize)]
        struct Parts {
            transactions: Vec<Value>,
            uncles: Vec<Value>,
            withdrawals: Option<Withdrawals>,
        }
        let error = |error: serde_json::Error| BlockError::Json(error.to_string());
        let header = Header::deserialize(answer).map_err(error)?;
        let parts = Parts::deserialize(answer).map_err(error)?;
        if !parts.uncles.is_empty() {
            return Err(BlockError::Json(format!("{} uncles, expected 0", parts.uncles.len())));
        }
        let transactions = parts.transactions.iter().enumerate().map(|(index, json)| {
            let kind = json.get("type").and_then(Value::as_str).unwrap_or("0x0");
            if !["0x0", "0x1", "0x2", "0x3", "0x4"].contains(&kind) {
                return Err(BlockError::UnknownTransactionType { index, kind: kind.to_owned() });
            }
            Bare::deserialize(json)
                .map(TxEnvelope::from)
                .map_err(|error| BlockError::Json(format!("transaction {index}: {error}")))
        });
        let body = BlockBody {
            transactions: transactions.collect::<Result<_, _>>()?,
            ommers: Vec::new(),
            withdrawals: parts.withdrawals,
        };
        let size = alloy_consensus::Block::rlp_length_for(&header, &body);
        Ok(Self { hash: header.hash_slow(), header, body, size })
    }

    /// The same block, if its hash is the one that was asked for.
    ///
    /// # Errors
    /// [`BlockError::Hash`] otherwise.
    pub fn with_hash(self, expected: B256) -> Result<Self, BlockError> {
        let found = self.hash;
        if found == expected { Ok(self) } else { Err(BlockError::Hash { expected, found }) }
    }
}

/// Looks at the first byte of every transaction: the decoder would say less of a type that it does
/// not know, and a later version of it may know types that are not executed here.
fn check_types(bytes: &[u8]) -> Result<(), BlockError> {
    let rlp = |error: alloy_rlp::Error| BlockError::Rlp(error.to_string());
    let mut block = alloy_rlp::Header::decode_bytes(&mut &*bytes, true).map_err(rlp)?;
    alloy_rlp::Header::decode_bytes(&mut block, true).map_err(rlp)?;
    let mut transactions = alloy_rlp::Header::decode_bytes(&mut block, true).map_err(rlp)?;
    let mut index = 0;
    while !transactions.is_empty() {
        let header = alloy_rlp::Header::decode(&mut transactions).map_err(rlp)?;
        let short = || BlockError::Rlp(format!("transaction {index} is cut off"));
        let (transaction, rest) =
            transactions.split_at_checked(header.payload_length).ok_or_else(short)?;
        match transaction.first() {
            _ if header.list => {}
            Some(1..=4) => {}
            Some(kind) => {
                let kind = format!("0x{kind:x}");
                return Err(BlockError::UnknownTransactionType { index, kind });
            }
            None => return Err(short()),
        }
        transactions = rest;
        index += 1;
    }
    Ok(())
}
