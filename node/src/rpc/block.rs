//! Blocks: which one a caller means, and what wallets see of it.

use serde_json::{Value, json};

use super::Context;
use super::error::RpcError;
use super::params::{BlockId, Params};
use lightproof_prover::chain::database::snapshot::Snapshot;
use lightproof_prover::chain::header::Header;
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::EMPTY_ROOT;
use lightproof_prover::hex;
use lightproof_prover::system::mpt;

/// keccak256(rlp([])): the hash of an empty list of uncles.
const EMPTY_UNCLES: &str = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";

impl Context<'_> {
    pub(super) fn block_by_number(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(2)?;
        let number = match params.block(0)? {
            BlockId::Head => self.snapshot.announced(),
            BlockId::Number(number) if number > self.snapshot.announced() => {
                return Ok(Value::Null);
            }
            BlockId::Number(number) => number,
            BlockId::Hash(_) => {
                return Err(RpcError::invalid_params("block", "a tag or a quantity is required"));
            }
        };
        Ok(self.snapshot.header(number)?.map_or(Value::Null, |header| wallet_block(&header)))
    }

    pub(super) fn block_by_hash(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(2)?;
        let Some(number) = self.snapshot.number_of(&params.word(0, "blockHash")?)? else {
            return Ok(Value::Null);
        };
        Ok(self.snapshot.header(number)?.map_or(Value::Null, |header| wallet_block(&header)))
    }

    /// The block that parameter `index` names.
    pub(super) fn block_number(&self, params: &Params<'_>, index: usize) -> Result<u64, RpcError> {
        resolve(self.snapshot, params.block(index)?)?.ok_or_else(RpcError::unknown_block)
    }

    /// The state after the block that parameter `index` names.
    pub(super) fn state(
        &self,
        params: &Params<'_>,
        index: usize,
    ) -> Result<mpt::State<'_>, RpcError> {
        let number = self.block_number(params, index)?;
        let window = RpcError::window(self.snapshot.oldest_state(), self.snapshot.head());
        self.snapshot.state(number).ok_or(window)
    }
}

/// The height of a block, `None` if it is not on the chain.
fn resolve(snapshot: &Snapshot, block: BlockId) -> Result<Option<u64>, StoreError> {
    Ok(match block {
        BlockId::Head => Some(snapshot.announced()),
        BlockId::Number(number) => (number <= snapshot.announced()).then_some(number),
        // Ours, or the one of the block that is followed.
        BlockId::Hash(hash) => match snapshot.number_of(&hash)? {
            None => snapshot.followed(&hash)?,
            ours => ours,
        },
    })
}

/// A block as wallets know it. The hash is that of the devnet header: it is not keccak of an
/// Ethereum header, and no field but the hash, parent hash, number, timestamp and state root means
/// anything.
fn wallet_block(header: &Header) -> Value {
    let zero = hex::encode(&[0; 32]);
    json!({
        "number": hex::quantity(header.number),
        "hash": hex::encode(&header.hash()),
        "parentHash": hex::encode(&header.parent_hash),
        "timestamp": hex::quantity(header.timestamp),
        "stateRoot": hex::encode(header.commitment(mpt::NAME).unwrap_or_default()),
        "sha3Uncles": EMPTY_UNCLES,
        "transactionsRoot": hex::encode(&EMPTY_ROOT),
        "receiptsRoot": hex::encode(&EMPTY_ROOT),
        "logsBloom": hex::encode(&[0; 256]),
        "miner": hex::encode(&[0; 20]),
        "difficulty": "0x0",
        "totalDifficulty": "0x0",
        "extraData": "0x",
        "size": hex::quantity(header.encode().len() as u64),
        "gasLimit": "0x1c9c380",
        "gasUsed": "0x0",
        "baseFeePerGas": "0x0",
        "mixHash": zero,
        "nonce": "0x0000000000000000",
        "transactions": [],
        "uncles": [],
    })
}
