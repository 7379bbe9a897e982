//! One node, and what it says of the chain.

use std::time::Duration;

use alloy_consensus::Header;
use alloy_primitives::{B256, Bytes};
use serde::Deserialize as _;
use serde_json::{Value, json};

use super::{FollowError, Head};
use crate::block::Block;
use crate::rpc::{Rpc, RpcError};

/// Headers a request. geth takes 1,000 calls and gives 25 MB.
const BATCH: u64 = 64;
/// JSON-RPC's code of a method that the node does not serve.
const NO_METHOD: i64 = -32_601;

pub(super) struct Upstream {
    rpc: Rpc,
    /// Whether block 0 was compared.
    known: bool,
    /// Whether it serves `debug_getRawBlock`, as far as is known.
    raw: bool,
}

impl Upstream {
    pub(super) fn new(url: &str, timeout: Duration) -> Result<Self, RpcError> {
        Ok(Self { rpc: Rpc::new(url, timeout)?, known: false, raw: true })
    }

    /// Compares block 0, once.
    pub(super) fn compare(&mut self, expected: B256) -> Result<Result<(), String>, FollowError> {
        if self.known {
            return Ok(Ok(()));
        }
        match self.header("0x0").map(|header| header.hash_slow()) {
            Err(why) => Ok(Err(why)),
            Ok(found) if found == expected => {
                self.known = true;
                Ok(Ok(()))
            }
            Ok(found) => {
                let upstream = self.rpc.name().to_owned();
                Err(FollowError::OtherChain { upstream, expected, found })
            }
        }
    }

    /// The hash of a block that is no newer than the head that this node names.
    pub(super) fn hash_at(&self, number: u64, head: Head) -> Result<B256, String> {
        if head.0 == number {
            return Ok(head.1);
        }
        Ok(self.header(&quantity(number))?.hash_slow())
    }

    /// The header of a hash.
    pub(super) fn header_of(&self, hash: B256) -> Result<Header, String> {
        let answer = self.rpc.call("eth_getBlockByHash", &json!([hash, false]));
        let header = header(&answer.map_err(|error| error.to_string())?)?;
        if header.hash_slow() == hash {
            return Ok(header);
        }
        Err(format!("{} serves another block as {hash}", self.rpc.name()))
    }

    fn header(&self, block: &str) -> Result<Header, String> {
        let answer = self.rpc.call("eth_getBlockByNumber", &json!([block, false]));
        header(&answer.map_err(|error| error.to_string())?)
    }

    /// The head to follow, by this node.
    pub(super) fn head(&self, depth: Option<u64>) -> Result<Head, String> {
        let Some(depth) = depth else {
            let header = self.header("finalized")?;
            return Ok((header.number, header.hash_slow()));
        };
        let latest = self.header("latest")?;
        // A chain that is shorter than the depth has only block 0 to follow.
        let number = latest.number.saturating_sub(depth);
        let header = if depth == 0 { latest } else { self.header(&quantity(number))? };
        if header.number != number {
            return Err(format!("{} serves block {} as {number}", self.rpc.name(), header.number));
        }
        Ok((number, header.hash_slow()))
    }

    /// The hashes of blocks `head` to `above + 1`, newest first, and the hash of block `above`.
    /// Each is the parent of the one before it.
    pub(super) fn descend(
        &self,
        head: u64,
        hash: B256,
        above: u64,
    ) -> Result<(Vec<B256>, B256), String> {
        let mut hashes = Vec::new();
        let (mut number, mut wanted) = (head, hash);
        while number > above {
            let last = number.saturating_sub(BATCH).max(above);
            let params: Vec<_> =
                (last + 1..=number).rev().map(|at| json!([quantity(at), false])).collect();
            let answers = self.rpc.batch("eth_getBlockByNumber", &params);
            for answer in answers.map_err(|error| error.to_string())? {
                let header = header(&answer)?;
                if header.hash_slow() != wanted {
                    let name = self.rpc.name();
                    return Err(format!("{name} has another block {number} than {wanted}"));
                }
                hashes.push(wanted);
                wanted = header.parent_hash;
                number = number.saturating_sub(1);
            }
        }
        Ok((hashes, wanted))
    }

    /// A block, raw if the node serves that.
    pub(super) fn block(&mut self, number: u64, hash: B256) -> Result<Block, String> {
        let name = self.rpc.name().to_owned();
        if self.raw {
            let answer = self.rpc.call("debug_getRawBlock", &json!([quantity(number)]));
            match answer {
                Ok(answer) => {
                    let bytes = Bytes::deserialize(&answer).map_err(|error| error.to_string())?;
                    if bytes.is_empty() {
                        return Err(format!("{name} does not have block {number}"));
                    }
                    let block = Block::from_rlp(&bytes).and_then(|block| block.with_hash(hash));
                    return block.map_err(|error| format!("{name}: {error}"));
                }
                Err(RpcError::Refused { code: NO_METHOD, .. }) => self.raw = false,
                Err(error) => return Err(error.to_string()),
            }
        }
        let answer = self.rpc.call("eth_getBlockByHash", &json!([hash, true]));
        let answer = answer.map_err(|error| error.to_string())?;
        let block = Block::from_json(&answer).and_then(|block| block.with_hash(hash));
        block.map_err(|error| format!("{name}: {error}"))
    }
}

fn header(answer: &Value) -> Result<Header, String> {
    if answer.is_null() {
        return Err("the upstream does not have the block that was asked for".to_owned());
    }
    Header::deserialize(answer).map_err(|error| format!("no header: {error}"))
}

fn quantity(number: u64) -> String {
    format!("0x{number:x}")
}
