//! How a run begins, loops over frames and ends, where that differs from a block's transactions.

use alloc::string::String;

use revm::context::result::{EVMError, HaltReason, InvalidTransaction};
use revm::context::{Evm, JournalTr as _, LocalContextTr as _, Transaction as _};
use revm::handler::instructions::EthInstructions;
use revm::handler::{
    EthFrame, EvmTr as _, FrameResult, Handler, ItemOrResult, post_execution, pre_execution,
};
use revm::interpreter::interpreter::EthInterpreter;
use revm::interpreter::interpreter_action::FrameInit;
use revm::interpreter::{CreateInputs, FrameInput, GasTracker, InitialAndFloorGas};
use revm::primitives::U256;

use crate::answer::Failure;
use crate::precompile::Precompiles;
use crate::reader::{Context, Stop, Stopped};

pub(crate) type Vm<'r> = Evm<
    Context<'r>,
    (),
    EthInstructions<EthInterpreter, Context<'r>>,
    Precompiles<'r>,
    EthFrame<EthInterpreter>,
>;
type Error = EVMError<Stopped>;

/// The handler of one run: of a whole transaction, or of a call, which lists no authorizations
/// (EIP-7702), so that a module which only calls has no code that recovers who signed them.
#[derive(Debug)]
pub(crate) struct Runner<'r, const IS_CALL: bool> {
    /// Whether gas is paid for: the caller's account is loaded and charged, the block's
    /// beneficiary is paid. A call at price zero does neither, and needs no proof of these two
    /// accounts.
    pub(crate) pays: bool,
    /// Whether the caller's account is loaded, and its nonce raised.
    pub(crate) loads_caller: bool,
    /// Most bytes of memory of all frames together.
    pub(crate) memory: usize,
    pub(crate) lifetime: core::marker::PhantomData<&'r ()>,
}

impl<'r, const IS_CALL: bool> Runner<'r, IS_CALL> {
    /// Enters a frame.
    fn enter(&self, vm: &mut Vm<'r>, init: FrameInit) -> Result<Option<FrameResult>, Error> {
        // Memory grows only by gas, so one frame cannot go far beyond the limit before the next
        // one.
        if vm.ctx.local.shared_memory_buffer().borrow().len() > self.memory {
            return stop(vm, Failure::Limit("memory"));
        }
        let taken = match &init.frame_input {
            FrameInput::Create(inputs) => mark_taken(vm, inputs)?,
            FrameInput::Call(_) | FrameInput::Empty => false,
        };
        let entered = match vm.frame_init(init)? {
            ItemOrResult::Item(_) => None,
            ItemOrResult::Result(result) => Some(result),
        };
        if taken {
            unmark_taken(vm);
        }
        Ok(entered)
    }
}

/// EIP-7610: an account that has storage, but neither code nor nonce, cannot be created. The engine
/// does not see storage, so it is shown a nonce while it looks for a collision.
fn mark_taken(vm: &mut Vm<'_>, inputs: &CreateInputs) -> Result<bool, Error> {
    let journal = &mut vm.ctx.journaled_state;
    let nonce = journal.load_account(inputs.caller())?.data.info.nonce;
    let address = inputs.created_address(nonce);
    let known = journal.inner.state.get(&address);
    if known.is_none_or(|account| account.info.nonce == 0)
        && journal.database.only_has_storage(address)
    {
        journal.database.taken = Some(address);
        if let Some(account) = journal.inner.state.get_mut(&address) {
            account.info.nonce = 1;
        }
        return Ok(true);
    }
    Ok(false)
}

fn unmark_taken(vm: &mut Vm<'_>) {
    let journal = &mut vm.ctx.journaled_state;
    let taken = journal.database.taken.take();
    if let Some(account) = taken.and_then(|address| journal.inner.state.get_mut(&address)) {
        account.info.nonce = 0;
    }
}

fn stop<T>(vm: &mut Vm<'_>, failure: Failure) -> Result<T, Error> {
    vm.ctx.journaled_state.database.fail(Stop::Failed(failure)).map_err(EVMError::Database)
}

impl<'r, const IS_CALL: bool> Handler for Runner<'r, IS_CALL> {
    type Evm = Vm<'r>;
    type Error = Error;
    type HaltReason = HaltReason;

    fn validate_against_state_and_deduct_caller(
        &self,
        vm: &mut Vm<'r>,
        _: &mut InitialAndFloorGas,
    ) -> Result<(), Error> {
        if self.loads_caller {
            return pre_execution::validate_against_state_and_deduct_caller(&mut vm.ctx);
        }
        vm.ctx.journaled_state.database.unread = Some(vm.ctx.tx.caller());
        Ok(())
    }

    fn load_accounts(&self, vm: &mut Vm<'r>) -> Result<(), Error> {
        pre_execution::load_accounts::<_, Error>(vm)?;
        if !self.loads_caller {
            // The caller is warm (EIP-2929), read or not: where the gas left is less than a cold
            // read costs, the engine would not ask for it, and end the frame.
            let warm = &mut vm.ctx.journaled_state.inner.warm_addresses;
            let mut list = warm.access_list().clone();
            list.entry(vm.ctx.tx.caller()).or_default();
            warm.set_access_list(list);
        }
        Ok(())
    }

    fn apply_eip7702_auth_list(
        &self,
        vm: &mut Vm<'r>,
        gas: &mut GasTracker,
    ) -> Result<Option<u64>, Error> {
        if IS_CALL {
            return Ok(Some(0));
        }
        pre_execution::apply_eip7702_auth_list(&mut vm.ctx, gas)
    }

    fn reimburse_caller(&self, vm: &mut Vm<'r>, result: &mut FrameResult) -> Result<(), Error> {
        if self.pays {
            post_execution::reimburse_caller(&mut vm.ctx, result.gas(), U256::ZERO)?;
        }
        Ok(())
    }

    fn reward_beneficiary(&self, vm: &mut Vm<'r>, result: &mut FrameResult) -> Result<(), Error> {
        if self.pays {
            post_execution::reward_beneficiary(&mut vm.ctx, result.gas())?;
        }
        Ok(())
    }

    fn run_exec_loop(&mut self, vm: &mut Vm<'r>, first: FrameInit) -> Result<FrameResult, Error> {
        let mut ended = self.enter(vm, first)?;
        if let Some(result) = ended {
            return Ok(result);
        }
        loop {
            ended = match vm.frame_run()? {
                ItemOrResult::Item(init) => self.enter(vm, init)?,
                ItemOrResult::Result(result) => Some(result),
            };
            if let Some(result) = ended
                && let Some(last) = vm.frame_return_result(result)?
            {
                return Ok(last);
            }
        }
    }
}

/// What the engine says of an error that is no read's.
pub(crate) fn described(error: Error) -> Failure {
    match error {
        EVMError::Transaction(reason) => Failure::Refused(refused(&reason).into()),
        EVMError::Header(_) => Failure::Engine(String::from("the header lacks a field")),
        EVMError::Database(_) => Failure::Engine(String::from("a read failed")),
        EVMError::Custom(reason) => Failure::Engine(reason),
        EVMError::CustomAny(_) => Failure::Engine(String::from("an unknown reason")),
    }
}

/// Why the rules refuse a transaction; in words of our own, since the engine's bring all of its
/// formatting along.
const fn refused(reason: &InvalidTransaction) -> &'static str {
    match reason {
        InvalidTransaction::CallGasCostMoreThanGasLimit { .. } => "less gas than it costs to begin",
        InvalidTransaction::GasFloorMoreThanGasLimit { .. } => "less gas than its data costs",
        InvalidTransaction::LackOfFundForMaxFee { .. } => "the sender has less than value and gas",
        InvalidTransaction::GasPriceLessThanBasefee => "the gas price is below the base fee",
        InvalidTransaction::CreateInitCodeSizeLimit => "the creating code is too long",
        InvalidTransaction::AccessListNotSupported => "an access list before Berlin",
        InvalidTransaction::NonceTooHigh { .. } | InvalidTransaction::NonceTooLow { .. } => {
            "the nonce is not the sender's"
        }
        InvalidTransaction::RejectCallerWithCode => "the sender has code",
        InvalidTransaction::CallerGasLimitMoreThanBlock
        | InvalidTransaction::TxGasLimitGreaterThanCap { .. } => "more gas than is allowed",
        InvalidTransaction::OverflowPaymentInTransaction => "value and gas overflow",
        _ => "its form",
    }
}
