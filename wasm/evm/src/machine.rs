//! Runs calls and transactions on one block.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::marker::PhantomData;

use revm::context::result::{ExecutionResult, Output};
use revm::context::{CfgEnv, Evm, FrameStack, JournalTr as _, TxEnv};
use revm::context_interface::transaction::{AccessList, AccessListItem};
use revm::handler::Handler as _;
use revm::handler::instructions::EthInstructions;
use revm::interpreter::instructions::gas_table_spec;
use revm::primitives::{Address, B256, Bytes, TxKind, U256};

use crate::answer::{Answer, Done, Failure, Status};
use crate::block::Block;
use crate::handler::{Runner, Vm, described};
use crate::heavy::Heavy;
use crate::instructions::table;
use crate::item::Item;
use crate::overlay::Overlay;
use crate::overrides::Overrides;
use crate::precompile::Precompiles;
use crate::reader::{Codes, Context, Mode, Reader, Stop};
use crate::state::State;

/// Frames that the engine makes room for before it runs.
const FRAMES: usize = 4;

/// What a run may use. Every instruction that does not end its frame costs gas, so a run takes at
/// most as many steps as it has gas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most gas of one call.
    pub gas: u64,
    /// Most bytes of memory of all its frames, where one frame calls another; between two such
    /// points gas bounds the growth.
    pub memory: usize,
    /// Most accounts, slots, codes and block hashes that it reads.
    pub items: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { gas: 1 << 26, memory: 64 << 20, items: 10_000 }
    }
}

/// A call as `eth_call` makes it: no signature and no nonce, and nobody need pay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Who calls.
    pub from: Address,
    /// What is called; `None` creates a contract of `data`.
    pub to: Option<Address>,
    /// Gas that it may use, that of a transaction's beginning included.
    pub gas: u64,
    /// Wei per gas. At zero, the default, nobody pays, and the base fee is not asked for.
    pub gas_price: u128,
    /// Wei sent along; the caller must have them.
    pub value: U256,
    /// Input.
    pub data: Bytes,
    /// Accounts and slots that count as read before (EIP-2930).
    pub access_list: Vec<(Address, Vec<B256>)>,
}

impl Default for Call {
    /// From the zero address, with the gas of EIP-7825's cap.
    fn default() -> Self {
        Self {
            from: Address::ZERO,
            to: None,
            gas: 1 << 24,
            gas_price: 0,
            value: U256::ZERO,
            data: Bytes::new(),
            access_list: Vec::new(),
        }
    }
}

/// One block, the proven state after it, and what stands above it.
pub struct Machine<'a> {
    state: State<'a>,
    block: Block,
    heavy: &'a dyn Heavy,
    codes: Codes,
    /// Changes that calls see instead of the proven state: empty unless the caller puts some
    /// there.
    pub overlay: Overlay,
    /// What the caller wants to be otherwise than proven, below [`Self::overlay`].
    pub overrides: Overrides,
    /// Whether every call loads its caller's account and raises its nonce: one call's nonce
    /// decides where the next one creates a contract.
    pub raises_nonces: bool,
}

impl core::fmt::Debug for Machine<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Machine").field("block", &self.block).finish_non_exhaustive()
    }
}

/// How a transaction is run.
#[derive(Clone, Copy)]
struct Manner {
    mode: Mode,
    loads_caller: bool,
}

impl<'a> Machine<'a> {
    /// A machine that reads `state` under the block's root and nothing else.
    ///
    /// * `heavy`: runs precompiles on curves; the caller's own code.
    pub fn new(state: State<'a>, block: Block, heavy: &'a dyn Heavy) -> Self {
        let (overlay, overrides) = (Overlay::default(), Overrides::default());
        Self { state, block, heavy, codes: Codes::new(), overlay, overrides, raises_nonces: false }
    }

    /// The block.
    pub const fn block(&self) -> &Block {
        &self.block
    }

    /// Runs a call on the state after the block. It changes nothing.
    pub fn call(&mut self, call: &Call, limits: &Limits) -> Answer {
        let access_list = call.access_list.iter().map(|(address, keys)| AccessListItem {
            address: *address,
            storage_keys: keys.clone(),
        });
        let transaction = TxEnv {
            tx_type: u8::from(!call.access_list.is_empty()),
            caller: call.from,
            gas_limit: call.gas,
            gas_price: call.gas_price,
            kind: call.to.map_or(TxKind::Create, TxKind::Call),
            value: call.value,
            data: call.data.clone(),
            nonce: 0,
            chain_id: Some(self.block.chain_id),
            access_list: AccessList(access_list.collect()),
            gas_priority_fee: None,
            blob_hashes: Vec::new(),
            max_fee_per_blob_gas: 0,
            authorization_list: Vec::new(),
        };
        self.answer::<true>(&transaction, limits)
    }

    /// Runs a transaction of the block as the rules have it: nonce, balance and price are checked,
    /// gas is paid for. It changes nothing; [`Self::overlay`] takes what it changes.
    pub fn transact(&mut self, transaction: &TxEnv, limits: &Limits) -> Answer {
        self.answer::<false>(transaction, limits)
    }

    fn answer<const IS_CALL: bool>(&mut self, transaction: &TxEnv, limits: &Limits) -> Answer {
        if transaction.gas_limit > limits.gas {
            return Answer::Failed(Failure::Limit("gas"));
        }
        match self.attempt::<IS_CALL>(transaction, Mode::Strict, limits) {
            (Ok(done), _) => Answer::Done(Box::new(done)),
            (Err(Stop::Missing(first)), _) => {
                // Thrown away but for what it lacked.
                let (_, mut missing) = self.attempt::<IS_CALL>(transaction, Mode::Guess, limits);
                missing.retain(|item| *item != first);
                missing.insert(0, first);
                Answer::Missing(missing)
            }
            (Err(Stop::Failed(failure)), _) => Answer::Failed(failure),
            // The second run of `attempt` loads the caller's account.
            (Err(Stop::Caller), _) => Answer::Failed(Failure::Engine("caller".into())),
        }
    }

    /// Runs, without the caller's account if it may not be needed, else with it.
    fn attempt<const IS_CALL: bool>(
        &mut self,
        transaction: &TxEnv,
        mode: Mode,
        limits: &Limits,
    ) -> (Result<Done, Stop>, Vec<Item>) {
        let free = IS_CALL && transaction.gas_price == 0;
        let needs_caller = self.raises_nonces
            || !free
            || !transaction.value.is_zero()
            || transaction.kind.is_create();
        if !needs_caller {
            let manner = Manner { mode, loads_caller: false };
            let (result, missing) = self.run::<IS_CALL>(transaction, manner, limits);
            if result != Err(Stop::Caller) {
                return (result, missing);
            }
        }
        self.run::<IS_CALL>(transaction, Manner { mode, loads_caller: true }, limits)
    }

    fn run<const IS_CALL: bool>(
        &mut self,
        transaction: &TxEnv,
        manner: Manner,
        limits: &Limits,
    ) -> (Result<Done, Stop>, Vec<Item>) {
        let spec = self.block.fork.rules.spec();
        let free = IS_CALL && transaction.gas_price == 0;
        let mut cfg = CfgEnv::new_with_spec(spec).with_chain_id(self.block.chain_id);
        cfg.blob_base_fee_update_fraction = Some(self.block.fork.blob_fraction);
        cfg.max_blobs_per_tx = self.block.max_blobs;
        if IS_CALL {
            cfg.disable_nonce_check = true;
            cfg.disable_eip3607 = true;
            cfg.disable_block_gas_limit = true;
            cfg.disable_base_fee = free;
            cfg.tx_gas_limit_cap = Some(u64::MAX);
        }
        let (proven, above) = ((&self.state, &self.block), (&self.overlay, &self.overrides));
        let reader = Reader::new(proven, above, &mut self.codes, manner.mode, limits.items);
        let context = Context::new(reader, spec)
            .with_block(self.block.env.clone())
            .with_cfg(cfg)
            .with_tx(transaction.clone());
        let mut vm: Vm<'_> = Evm {
            ctx: context,
            inspector: (),
            instruction: EthInstructions::new(const { table() }, gas_table_spec(spec), spec),
            precompiles: Precompiles::new(spec, self.heavy),
            frame_stack: FrameStack::new_prealloc(FRAMES),
        };
        let mut runner = Runner::<IS_CALL> {
            pays: !free,
            loads_caller: manner.loads_caller,
            memory: limits.memory,
            lifetime: PhantomData,
        };
        let result = runner.run(&mut vm);
        let journal = &mut vm.ctx.journaled_state;
        let state = journal.finalize();
        let reader = &mut journal.database;
        let missing = core::mem::take(&mut reader.missing);
        // Invariant: a run in which a read failed has no result, whatever the engine made of it.
        let result = match (reader.stop.take(), missing.first()) {
            (Some(stop), _) => Err(stop),
            (None, Some(item)) => Err(Stop::Missing(item.clone())),
            (None, None) => match result {
                Ok(result) => {
                    Ok(done(result, core::mem::take(&mut reader.read), Overlay::of(state)))
                }
                Err(error) => Err(Stop::Failed(described(error))),
            },
        };
        (result, missing)
    }
}

fn done(
    result: ExecutionResult,
    read: alloc::collections::BTreeSet<Item>,
    changes: Overlay,
) -> Done {
    let gas_used = result.tx_gas_used();
    let (status, output, created, logs) = match result {
        ExecutionResult::Success { output: Output::Call(output), logs, .. } => {
            (Status::Success, output, None, logs)
        }
        ExecutionResult::Success { output: Output::Create(code, created), logs, .. } => {
            (Status::Success, code, created, logs)
        }
        ExecutionResult::Revert { output, logs, .. } => (Status::Revert, output, None, logs),
        ExecutionResult::Halt { logs, .. } => (Status::Halt, Bytes::new(), None, logs),
    };
    Done { status, output, gas_used, logs, created, read, changes }
}
