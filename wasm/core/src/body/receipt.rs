//! Receipts in their envelopes (EIP-2718), and the logs in them.

use super::bloom::{BLOOM_BYTES, Bloom};
use super::transaction::envelope;
use crate::error::{DecodeError, Malformed};
use crate::hash::Hash;
use crate::wire::{Bytes, Items, Read, Reader};

/// Most topics of a log: the opcodes go from LOG0 to LOG4.
const MAX_TOPICS: usize = 4;

/// Most logs of a receipt: no gas limit pays for more.
const MAX_LOGS: usize = 1 << 20;

/// How a transaction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Whether it succeeded (EIP-658).
    Status(bool),
    /// The state root behind it, before Byzantium.
    StateRoot(Hash),
}

/// A log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Log<'a> {
    /// The contract that wrote it.
    pub address: [u8; 20],
    /// Up to four.
    pub topics: Items<'a, Hash>,
    /// Anything.
    pub data: &'a [u8],
}

/// A receipt. It binds nothing that is not here; the rest follows from the transaction of the same
/// index and from the receipts before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt<'a> {
    /// 0 for legacy, else the envelope's first byte.
    pub kind: u8,
    /// How the transaction ended.
    pub outcome: Outcome,
    /// Gas that this transaction and all before it used.
    pub cumulative_gas: u64,
    /// Addresses and topics of the logs.
    pub bloom: Bloom,
    /// In the order in which they were written.
    pub logs: Items<'a, Log<'a>>,
}

impl<'a> Receipt<'a> {
    /// Reads an envelope. Every known type has the same fields; `None` if the type is not known.
    ///
    /// # Errors
    /// `decode.rlp` and `decode.shape` if the bytes are not of the form.
    pub fn read(bytes: Bytes<'a>) -> Result<Option<Self>, DecodeError> {
        let (kind, list, at) = envelope(bytes, "receipt")?;
        if kind > super::transaction::NEWEST {
            return Ok(None);
        }
        let mut items = Reader::whole_list(list, at, "receipt")?;
        let receipt = Self {
            kind,
            outcome: outcome(&mut items)?,
            cumulative_gas: items.u64("cumulativeGasUsed")?,
            bloom: Bloom(items.array::<BLOOM_BYTES>("logsBloom")?),
            logs: Items::list(&mut items, "logs", MAX_LOGS)?,
        };
        items.finish("receipt")?;
        Ok(Some(receipt))
    }
}

fn outcome(items: &mut Reader<'_>) -> Result<Outcome, DecodeError> {
    let Bytes { bytes, span } = items.string("status")?;
    match bytes {
        [] => Ok(Outcome::Status(false)),
        [1] => Ok(Outcome::Status(true)),
        _ => bytes
            .try_into()
            .map(|root| Outcome::StateRoot(Hash(root)))
            .map_err(|_| Malformed::Shape.at("status", "neither 0, 1 nor a state root", span)),
    }
}

impl<'a> Read<'a> for Log<'a> {
    fn read(list: &mut Reader<'a>) -> Result<Self, DecodeError> {
        let mut items = list.list("log")?;
        let log = Self {
            address: items.array("address")?,
            topics: Items::list(&mut items, "topics", MAX_TOPICS)?,
            data: items.string("data")?.bytes,
        };
        items.finish("log")?;
        Ok(log)
    }
}
