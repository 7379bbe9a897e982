//! One block on the state after its parent.

mod database;
mod senders;

use std::borrow::Cow;

use alloy_consensus::proofs::{
    calculate_receipt_root, calculate_transaction_root, calculate_withdrawals_root,
};
use alloy_consensus::transaction::Recovered;
use alloy_consensus::{ReceiptEnvelope, TxEnvelope, TxReceipt as _};
use alloy_evm::block::{BlockExecutionError, BlockExecutionResult, BlockExecutor as _};
use alloy_evm::eth::receipt_builder::AlloyReceiptBuilder;
use alloy_evm::eth::{EthBlockExecutionCtx, EthBlockExecutor, EthEvmFactory};
use alloy_evm::{EvmEnv, EvmFactory as _};
use alloy_primitives::{Address, B256, Bloom};
use revm::database::State as Cache;
use revm::database::states::bundle_state::BundleRetention;

use crate::block::Block;
use crate::chain::Chain;
use crate::rules::{self, Maybe, Mismatch, Parent, equal};
use crate::state::{Changes, State, StateError};
use database::Reader;

pub use senders::recover_senders;

/// Why a block was not executed, or not believed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExecuteError {
    /// A field of the header is not what follows from the parent, the rules and the execution.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// A transaction without a valid signature.
    #[error("transaction {index} has no valid signature")]
    Signature {
        /// Position in the block.
        index: usize,
    },
    /// A transaction or a system call that the rules do not allow.
    #[error("the block cannot be executed: {0}")]
    Invalid(String),
    /// The state could not be read: nothing is known of the block.
    #[error(transparent)]
    State(#[from] StateError),
}

/// What a block did: its header says the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    /// The new state, as changes to the old.
    pub changes: Changes,
    /// One receipt a transaction.
    pub receipts: Vec<ReceiptEnvelope>,
    /// Who sent each transaction.
    pub senders: Vec<Address>,
}

/// Executes a block on the state after its parent and compares every field of its header.
///
/// `root_after` gives the state root after the changes. It is asked last: a block that is wrong
/// elsewhere costs no root.
///
/// # Errors
/// [`ExecuteError::Mismatch`] names the field that is wrong, [`ExecuteError::State`] if the state
/// could not be read, and the others what the rules do not allow.
pub fn execute(
    chain: &Chain,
    parent: &Parent,
    block: &Block,
    state: &dyn State,
    root_after: impl FnOnce(&Changes) -> Result<B256, StateError>,
) -> Result<Executed, ExecuteError> {
    rules::check(chain, parent, block)?;
    check_body(block)?;
    let transactions = recover_senders(block)?;
    let (result, changes) = run(chain, block, &transactions, state)?;
    check_result(chain, block, &result)?;
    equal("stateRoot", root_after(&changes)?, block.header.state_root)?;
    let senders = transactions.iter().map(Recovered::signer).collect();
    Ok(Executed { changes, receipts: result.receipts, senders })
}

/// The header must name the body that came with it.
fn check_body(block: &Block) -> Result<(), Mismatch> {
    let (header, body) = (&block.header, &block.body);
    let transactions = calculate_transaction_root(&body.transactions);
    equal("transactionsRoot", transactions, header.transactions_root)?;
    let withdrawals = body.withdrawals.as_ref().map(|all| calculate_withdrawals_root(all));
    equal("withdrawalsRoot", Maybe(withdrawals), Maybe(header.withdrawals_root))
}

type Output = BlockExecutionResult<ReceiptEnvelope>;

fn run(
    chain: &Chain,
    block: &Block,
    transactions: &[Recovered<&TxEnvelope>],
    state: &dyn State,
) -> Result<(Output, Changes), ExecuteError> {
    let header = &block.header;
    let reader = Reader::new(state);
    let mut cache = Cache::builder().with_database_ref(&reader).with_bundle_update().build();
    let blobs = chain.blob_params(header.timestamp);
    let env = EvmEnv::for_eth_block(header, chain, chain.chain_id, Some(blobs));
    let context = EthBlockExecutionCtx {
        parent_hash: header.parent_hash,
        parent_beacon_block_root: header.parent_beacon_block_root,
        ommers: &[],
        withdrawals: block.body.withdrawals.as_ref().map(|all| Cow::Borrowed(all.as_slice())),
        extra_data: header.extra_data.clone(),
        tx_count_hint: Some(transactions.len()),
        slot_number: header.slot_number,
    };
    let evm = EthEvmFactory::default().create_evm(&mut cache, env);
    let executor = EthBlockExecutor::new(evm, context, chain, AlloyReceiptBuilder::default());
    let result = executor.execute_block(transactions.iter().copied());
    // A failed read is told from an invalid block: the executor may wrap the one in the other.
    if let Some(error) = reader.error() {
        return Err(error.into());
    }
    let result = result.map_err(|error| match error {
        BlockExecutionError::Validation(error) => ExecuteError::Invalid(error.to_string()),
        error @ BlockExecutionError::Internal(_) => ExecuteError::Invalid(error.to_string()),
    })?;
    cache.merge_transitions(BundleRetention::PlainState);
    let changes = database::changes(cache.take_bundle(), state)?;
    Ok((result, changes))
}

/// Every field of the header that the execution gives, save the state root.
fn check_result(chain: &Chain, block: &Block, result: &Output) -> Result<(), Mismatch> {
    let header = &block.header;
    equal("gasUsed", result.gas_used, header.gas_used)?;
    equal("blobGasUsed", Maybe(Some(result.blob_gas_used)), Maybe(header.blob_gas_used))?;
    equal("receiptsRoot", calculate_receipt_root(&result.receipts), header.receipts_root)?;
    let bloom = result.receipts.iter().fold(Bloom::ZERO, |all, receipt| all | receipt.bloom());
    equal("logsBloom", bloom, header.logs_bloom)?;
    let requests = chain.is_prague(header.timestamp).then(|| result.requests.requests_hash());
    equal("requestsHash", Maybe(requests), Maybe(header.requests_hash))
}
