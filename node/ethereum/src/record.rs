//! A block that was executed, as a node keeps it.

use alloy_consensus::{
    Eip658Value, EthereumTxEnvelope, Header, Receipt, ReceiptEnvelope, TxEip4844,
};
use alloy_primitives::{Address, B256, Log};
use alloy_rlp::{Decodable, Encodable as _};

use crate::block::{Block, Body};
use crate::chain::Chain;
use crate::execute::Executed;

/// A block with what its execution gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The block.
    pub block: Block,
    /// Who sent each transaction.
    pub senders: Vec<Address>,
    /// One receipt a transaction.
    pub receipts: Vec<Receipt>,
    /// What a unit of blob gas costs in the block, in wei.
    pub blob_gas_price: u128,
}

/// Bytes that are no record. A node wrote them itself: its store is damaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a record of a block cannot be read: {0}")]
pub struct RecordError(String);

impl From<alloy_rlp::Error> for RecordError {
    fn from(error: alloy_rlp::Error) -> Self {
        Self(error.to_string())
    }
}

/// Appends a receipt without what follows from the rest: its type and its bloom filter.
fn encode_receipt(receipt: &Receipt, out: &mut Vec<u8>) {
    receipt.status.coerce_status().encode(out);
    receipt.cumulative_gas_used.encode(out);
    receipt.logs.encode(out);
}

fn decode_receipt(rest: &mut &[u8]) -> Result<Receipt, alloy_rlp::Error> {
    let status = Eip658Value::Eip658(Decodable::decode(rest)?);
    let cumulative_gas_used = Decodable::decode(rest)?;
    Ok(Receipt { status, cumulative_gas_used, logs: Vec::<Log>::decode(rest)? })
}

impl Record {
    /// The record of a block that was executed by these rules.
    pub fn new(chain: &Chain, block: Block, executed: Executed) -> Self {
        let params = chain.blob_params(block.header.timestamp);
        let excess = block.header.excess_blob_gas.unwrap_or_default();
        let blob_gas_price = params.calc_blob_fee(excess);
        let Executed { senders, receipts, .. } = executed;
        let receipts = receipts.into_iter().map(ReceiptEnvelope::into_receipt).collect();
        Self { block, senders, receipts, blob_gas_price }
    }

    /// Block 0, which executes nothing.
    pub fn genesis(header: Header) -> Self {
        let body = Body { withdrawals: Some(Vec::new().into()), ..Body::default() };
        let size = alloy_consensus::Block::rlp_length_for(&header, &body);
        let block = Block { hash: header.hash_slow(), header, body, size };
        Self { block, senders: Vec::new(), receipts: Vec::new(), blob_gas_price: 0 }
    }

    /// Hashes of the transactions, in the block's order.
    pub fn transactions(&self) -> Vec<B256> {
        self.block.body.transactions.iter().map(|one| *one.tx_hash()).collect()
    }

    /// Block, senders, price and outcomes as RLP, one after the other.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.block.size + 32 * self.senders.len());
        let Block { header, body, .. } = &self.block;
        alloy_consensus::Block { header: header.clone(), body: body.clone() }.encode(&mut out);
        self.senders.encode(&mut out);
        self.blob_gas_price.encode(&mut out);
        self.receipts.iter().for_each(|receipt| encode_receipt(receipt, &mut out));
        out
    }

    /// What [`Self::encode`] gave.
    ///
    /// # Errors
    /// [`RecordError`] if the bytes are no record.
    pub fn decode(bytes: &[u8]) -> Result<Self, RecordError> {
        let mut rest = bytes;
        // With its blobs beside it, a transaction would be one of the network's.
        let block = alloy_consensus::Block::<EthereumTxEnvelope<TxEip4844>>::decode(&mut rest)?;
        let size = bytes.len() - rest.len();
        let block = block.convert_transactions();
        let senders: Vec<_> = Decodable::decode(&mut rest)?;
        let blob_gas_price = Decodable::decode(&mut rest)?;
        let receipts = block.body.transactions.iter().map(|_| decode_receipt(&mut rest));
        let receipts: Vec<_> = receipts.collect::<Result<_, _>>()?;
        if !rest.is_empty() || senders.len() != receipts.len() {
            return Err(RecordError("its parts do not fit together".to_owned()));
        }
        Ok(Self {
            receipts,
            senders,
            blob_gas_price,
            block: Block {
                hash: block.header.hash_slow(),
                header: block.header,
                body: block.body,
                size,
            },
        })
    }

    /// The block's header as RLP.
    pub fn header_rlp(&self) -> Vec<u8> {
        alloy_rlp::encode(&self.block.header)
    }

    /// The header alone, which costs less.
    ///
    /// # Errors
    /// [`RecordError`] if the bytes do not begin with a block.
    pub fn decode_header(mut bytes: &[u8]) -> Result<Header, RecordError> {
        let mut block = alloy_rlp::Header::decode_bytes(&mut bytes, true)?;
        Ok(Header::decode(&mut block)?)
    }
}
