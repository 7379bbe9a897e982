//! The block that a call runs in: every field is read from its proven header.

use alloc::collections::BTreeMap;

use lightproof_core::chain::Chain;
use lightproof_core::error::{Malformed, Span};
use lightproof_core::hash::Hash;
use lightproof_core::wire::{Item, Reader};
use lightproof_core::{DecodeError, Rejection, TrustedHeader};
use revm::context::BlockEnv;
use revm::context_interface::block::BlobExcessGasAndPrice;
use revm::primitives::{Address, B256, U256};

use crate::answer::Failure;
use crate::fork::{Fork, Forks, Rules};

/// Most ancestors that BLOCKHASH answers for.
pub(crate) const MAX_ANCESTORS: usize = 256;

/// A blob base fee of e^40 wei is beyond anyone's means; a larger exponent would overflow on the
/// way.
const MAX_BLOB_EXPONENT: u64 = 40;

/// What a call learns of its block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The rules that it follows.
    pub fork: Fork,
    /// The chain's number (EIP-155).
    pub chain_id: u64,
    /// State after the block: what calls read.
    pub state_root: Hash,
    /// Its number: that of the proven header, whatever `env` says.
    pub number: u64,
    /// The fields that instructions read, as the engine takes them.
    pub env: BlockEnv,
    /// Its hash and those of blocks before it, by number.
    pub hashes: BTreeMap<u64, Hash>,
    /// Most blobs of one transaction, where whole transactions are run and that is checked.
    pub max_blobs: Option<u64>,
}

impl Block {
    /// The block of a trusted header.
    ///
    /// * `hash`: the block hash that is trusted, `rlp`: the header, from anyone.
    ///
    /// # Errors
    /// [`Failure::Fork`] if the table does not know the block's rules, or its header is not of
    /// their form; [`Failure::Rejected`] with the codes of [`TrustedHeader::pinned`] otherwise.
    pub fn new(chain: &Chain, forks: &Forks, hash: Hash, rlp: &[u8]) -> Result<Self, Failure> {
        let header = TrustedHeader::pinned(chain, hash, rlp)?;
        let unknown = Failure::Fork { number: header.number(), timestamp: header.timestamp() };
        let fork = forks.at(header.number(), header.timestamp()).ok_or(unknown)?;
        let count = count(rlp).map_err(DecodeError::in_header)?;
        // Forks only append fields: another count is a header of another fork's rules.
        if count != fork.rules.header_fields() {
            return Err(Failure::Fork { number: header.number(), timestamp: header.timestamp() });
        }
        let (state_root, env) = read(rlp, fork).map_err(DecodeError::in_header)?;
        let number = header.number();
        let mut hashes = BTreeMap::new();
        hashes.insert(number, hash);
        if let Some(parent) = number.checked_sub(1) {
            hashes.insert(parent, header.parent_hash());
        }
        let chain_id = chain.chain_id;
        Ok(Self { fork, chain_id, state_root, number, env, hashes, max_blobs: None })
    }

    /// Adds the hashes that ancestors name: headers from the parent back, linked by their hashes.
    ///
    /// # Errors
    /// `decode.limit` over 256 of them; the codes of [`TrustedHeader::pinned`] for one that is not
    /// the block's ancestor.
    pub fn extend(&mut self, chain: &Chain, ancestors: &[&[u8]]) -> Result<(), Failure> {
        if ancestors.len() > MAX_ANCESTORS {
            let limit = Malformed::Limit.at("headers", "more than 256 headers", Span::default());
            return Err(limit.into());
        }
        let mut at = self.number;
        for rlp in ancestors {
            let wrong = Malformed::Shape.at("headers", "no parent", Span::default());
            at = at.checked_sub(1).ok_or(wrong)?;
            let hash = self.hashes.get(&at).copied().ok_or(wrong)?;
            let header = TrustedHeader::pinned(chain, hash, rlp)?;
            if header.number() != at {
                let reason = "the parent's block number is not one less than the child's";
                let error = lightproof_core::VerifyError::Chain { reason };
                return Err(Rejection::from(error).into());
            }
            if let Some(parent) = at.checked_sub(1) {
                self.hashes.insert(parent, header.parent_hash());
            }
        }
        Ok(())
    }
}

fn count(rlp: &[u8]) -> Result<usize, DecodeError> {
    let mut items = Reader::whole_list(rlp, 0, "header")?;
    let mut count = 0_usize;
    while !items.is_empty() {
        if let Item::List { encoded, .. } = items.item("header field")? {
            return Err(Malformed::Header.at("header field", "a list", encoded.span));
        }
        count = count.saturating_add(1);
    }
    Ok(count)
}

/// The fields that calls read, of a header with the fields of `fork`.
fn read(rlp: &[u8], fork: Fork) -> Result<(Hash, BlockEnv), DecodeError> {
    let since = |rules| fork.rules >= rules;
    let mut items = Reader::whole_list(rlp, 0, "header")?;
    items.hash("parentHash")?;
    items.hash("sha3Uncles")?;
    let beneficiary = Address::new(items.array("miner")?);
    let state_root = items.hash("stateRoot")?;
    items.hash("transactionsRoot")?;
    items.hash("receiptsRoot")?;
    items.array::<256>("logsBloom")?;
    let difficulty = items.uint256("difficulty")?;
    let number = items.u64("number")?;
    let gas_limit = items.u64("gasLimit")?;
    items.u64("gasUsed")?;
    let timestamp = items.u64("timestamp")?;
    items.string("extraData")?;
    let mix_hash = items.hash("mixHash")?;
    items.array::<8>("nonce")?;
    let basefee = if since(Rules::London) { items.u64("baseFeePerGas")? } else { 0 };
    if since(Rules::Shanghai) {
        items.hash("withdrawalsRoot")?;
    }
    let mut blobs = None;
    if since(Rules::Cancun) {
        items.u64("blobGasUsed")?;
        let span = items.span();
        let excess = items.u64("excessBlobGas")?;
        if excess > fork.blob_fraction.saturating_mul(MAX_BLOB_EXPONENT) {
            return Err(Malformed::Header.at("excessBlobGas", "beyond every price", span));
        }
        blobs = Some(BlobExcessGasAndPrice::new(excess, fork.blob_fraction));
        items.hash("parentBeaconBlockRoot")?;
    }
    if since(Rules::Prague) {
        items.hash("requestsHash")?;
    }
    let mut slot_num = 0;
    if since(Rules::Amsterdam) {
        items.hash("blockAccessListHash")?;
        slot_num = items.u64("slotNumber")?;
    }
    items.finish("header")?;
    let env = BlockEnv {
        number: U256::from(number),
        beneficiary,
        timestamp: U256::from(timestamp),
        gas_limit,
        basefee,
        difficulty: U256::from_be_bytes(difficulty.0),
        prevrandao: since(Rules::Paris).then_some(B256::new(mix_hash.0)),
        blob_excess_gas_and_price: blobs,
        slot_num,
    };
    Ok((state_root, env))
}
