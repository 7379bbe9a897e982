//! Blocks of the chain that is followed: Ethereum's own, under Ethereum's hashes, as geth prints
//! them. They are kept as long as the state is.

use lightproof_ethereum::json;
use lightproof_ethereum::logs::Filter;
use lightproof_ethereum::record::{Record, RecordError};
use serde_json::Value;

use super::error::RpcError;
use super::params::{BlockId, Params};
use super::{Context, MAX_RESPONSE};
use lightproof_prover::error::StoreError;

/// Blocks in one `eth_getLogs`.
pub const MAX_LOG_BLOCKS: u64 = 1_024;
/// Logs in one answer.
pub const MAX_LOGS: usize = 10_000;

impl Context<'_> {
    /// The answer to a call about the followed chain; `None` if the method is about something else,
    /// or the node follows no chain.
    pub(super) fn followed(
        &self,
        method: &str,
        params: &Params<'_>,
    ) -> Option<Result<Value, RpcError>> {
        let answer = match method {
            "eth_getBlockByNumber" => Self::followed_block_by_number,
            "eth_getBlockByHash" => Self::followed_block_by_hash,
            "eth_getBlockReceipts" => Self::block_receipts,
            "eth_getTransactionByHash" => Self::transaction_by_hash,
            "eth_getTransactionReceipt" => Self::transaction_receipt,
            "eth_getLogs" => Self::logs,
            "eth_call" => Self::call,
            "eth_estimateGas" => Self::estimate_gas,
            "eth_createAccessList" => Self::create_access_list,
            "lp_callProof" => Self::call_proof,
            _ => return None,
        };
        match self.snapshot.content(self.snapshot.head()) {
            Ok(None) => None,
            Ok(Some(_)) => Some(answer(self, params)),
            Err(error) => Some(Err(error.into())),
        }
    }

    fn followed_block_by_number(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(2)?;
        let (number, full) = (self.numbered(params, 0)?, params.flag(1, "full")?);
        let record = self.record(number)?;
        Ok(record.map_or(Value::Null, |record| json::block(&record, full)))
    }

    fn followed_block_by_hash(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(2)?;
        let (hash, full) = (params.word(0, "blockHash")?, params.flag(1, "full")?);
        let Some(number) = self.snapshot.followed(&hash)? else { return Ok(Value::Null) };
        let record = self.record(number)?;
        Ok(record.map_or(Value::Null, |record| json::block(&record, full)))
    }

    fn block_receipts(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(1)?;
        let number = match params.block(0)? {
            BlockId::Hash(hash) => match self.snapshot.followed(&hash)? {
                Some(number) => number,
                None => return Ok(Value::Null),
            },
            _ => self.numbered(params, 0)?,
        };
        Ok(self.record(number)?.map_or(Value::Null, |record| json::receipts(&record).into()))
    }

    fn transaction_by_hash(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        let found = self.find(params)?;
        Ok(found.and_then(|(record, at)| json::transaction(&record, at)).into())
    }

    fn transaction_receipt(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        let found = self.find(params)?;
        Ok(found.and_then(|(record, at)| json::receipt(&record, at)).into())
    }

    /// The block that holds a transaction, and its position there.
    fn find(&self, params: &Params<'_>) -> Result<Option<(Record, usize)>, RpcError> {
        params.at_most(1)?;
        let hash = params.word(0, "transactionHash")?;
        let Some((number, at)) = self.snapshot.find_transaction(&hash)? else { return Ok(None) };
        Ok(self.record(number)?.map(|record| (record, at)))
    }

    /// `[{ fromBlock, toBlock } | { blockHash }, with address and topics]`.
    fn logs(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(1)?;
        let wanted = params.raw(0);
        if !wanted.is_object() {
            return Err(RpcError::invalid_params("filter", "an object is required"));
        }
        let filter = Filter::parse(&wanted["address"], &wanted["topics"])
            .map_err(|(key, error)| RpcError::invalid_params(key, error))?;
        let (from, to) = self.log_range(wanted)?;
        let (mut logs, mut size) = (Vec::new(), 0);
        for number in from..=to {
            let Some(bytes) = self.snapshot.content(number)? else {
                return Err(RpcError::window(self.snapshot.oldest_state(), self.snapshot.head()));
            };
            // Most blocks hold none.
            if filter.may_match(&Record::decode_header(&bytes).map_err(damaged)?) {
                for log in filter.logs(&Record::decode(&bytes).map_err(damaged)?) {
                    size += log["data"].as_str().map_or(0, str::len);
                    logs.push(log);
                }
            }
            if size > MAX_RESPONSE {
                return Err(RpcError::limit("response", MAX_RESPONSE));
            }
            if logs.len() > MAX_LOGS {
                return Err(RpcError::limit("logs", MAX_LOGS));
            }
        }
        Ok(logs.into())
    }

    fn log_range(&self, wanted: &Value) -> Result<(u64, u64), RpcError> {
        let hash = &wanted["blockHash"];
        let [from, to] = ["fromBlock", "toBlock"].map(|key| &wanted[key]);
        if !hash.is_null() {
            if !from.is_null() || !to.is_null() {
                let error = "not together with fromBlock or toBlock";
                return Err(RpcError::invalid_params("blockHash", error));
            }
            let hash = Params::new(&Value::Array(vec![hash.clone()]))?.word(0, "blockHash")?;
            let number = self.snapshot.followed(&hash)?.ok_or_else(RpcError::unknown_block)?;
            return Ok((number, number));
        }
        let number = |value: &Value| {
            let params = Value::Array(vec![value.clone()]);
            self.numbered(&Params::new(&params)?, 0)
        };
        let (from, to) = (number(from)?, number(to)?);
        if from > to {
            return Err(RpcError::invalid_params("fromBlock", "is above toBlock"));
        }
        if to > self.snapshot.announced() {
            return Err(RpcError::invalid_params("toBlock", "is above the head"));
        }
        if to - from >= MAX_LOG_BLOCKS {
            let max = usize::try_from(MAX_LOG_BLOCKS).unwrap_or(usize::MAX);
            return Err(RpcError::limit("blocks", max));
        }
        Ok((from, to))
    }

    /// A tag or a quantity.
    fn numbered(&self, params: &Params<'_>, index: usize) -> Result<u64, RpcError> {
        match params.block(index)? {
            BlockId::Head => Ok(self.snapshot.announced()),
            BlockId::Number(number) => Ok(number),
            BlockId::Hash(_) => {
                Err(RpcError::invalid_params("block", "a tag or a quantity is required"))
            }
        }
    }

    /// A block with its receipts; `None` above the head.
    pub(super) fn record(&self, number: u64) -> Result<Option<Record>, RpcError> {
        if number > self.snapshot.announced() {
            return Ok(None);
        }
        let window = || RpcError::window(self.snapshot.oldest_state(), self.snapshot.head());
        let bytes = self.snapshot.content(number)?.ok_or_else(window)?;
        Record::decode(&bytes).map(Some).map_err(damaged)
    }
}

pub(super) fn damaged(_: RecordError) -> RpcError {
    StoreError::Corrupt("a stored block is no block").into()
}
