//! Precompiled contracts. The five cheap ones and BLAKE2 are here; those on curves are asked for,
//! or run natively. Gas is computed here for all of them, before anything is asked.

mod blake2;
mod cheap;
mod gas;
mod input;
mod modexp;
mod recover;
mod ripemd;

use alloc::string::String;
use alloc::vec::Vec;

use lightproof_core::precompile::Outcome;
use revm::context::ContextTr as _;
use revm::handler::PrecompileProvider;
use revm::interpreter::{CallInputs, Gas, InstructionResult, InterpreterResult};
use revm::primitives::hardfork::SpecId;
use revm::primitives::{Address, AddressSet, Bytes};

use crate::heavy::{Heavy, number};
use crate::item::Item;
use crate::reader::Context;

/// The numbers of a fork's precompiles.
fn numbers(spec: SpecId) -> impl Iterator<Item = u64> {
    let last = match spec {
        SpecId::BYZANTIUM | SpecId::PETERSBURG => 0x08,
        spec if spec < SpecId::CANCUN => 0x09,
        SpecId::CANCUN => 0x0a,
        _ => 0x11,
    };
    let p256 = (spec >= SpecId::OSAKA).then_some(0x100_u64);
    (1..=last).chain(p256)
}

/// Whether the fork has a precompile at an address.
pub(crate) fn is_one(spec: SpecId, address: &Address) -> bool {
    number(address).is_some_and(|number| numbers(spec).any(|one| one == number))
}

/// Who signed: the precompile 0x01.
///
/// * `input`: hash, v (27 or 28), r, s, 32 bytes each.
///
/// The address in 32 bytes; empty if nobody's key made the signature.
pub fn recover(input: &[u8]) -> Vec<u8> {
    recover::recover(input).unwrap_or_default()
}

/// The precompiles of one fork.
pub(crate) struct Precompiles<'r> {
    spec: SpecId,
    addresses: AddressSet,
    heavy: &'r dyn Heavy,
}

impl<'r> Precompiles<'r> {
    pub(crate) fn new(spec: SpecId, heavy: &'r dyn Heavy) -> Self {
        let address = |number: u64| Address::left_padding_from(&number.to_be_bytes());
        Self { spec, addresses: numbers(spec).map(address).collect(), heavy }
    }
}

impl Precompiles<'_> {
    /// Runs a precompile whose gas is paid for.
    fn perform(&self, number: u64, input: &[u8]) -> Outcome {
        let done = cheap::run(number, input);
        if done != Outcome::Unknown {
            return done;
        }
        // What is not read is not handed over: gas does not bound its length.
        let input = match (number, input.len()) {
            (6, 128..) => input.get(..128).unwrap_or_default(),
            (7, 96..) => input.get(..96).unwrap_or_default(),
            (0x100, length) if length != 160 => return Outcome::Output(Vec::new()),
            (0x0a, length) if length != 192 => return Outcome::Failure,
            (0x0b, length) if length != 256 => return Outcome::Failure,
            (0x0d, length) if length != 512 => return Outcome::Failure,
            (0x10, length) if length != 64 => return Outcome::Failure,
            (0x11, length) if length != 128 => return Outcome::Failure,
            _ => input,
        };
        self.heavy.run(number, input)
    }
}

/// A call that failed: all of its gas is gone.
fn failed(mut gas: Gas, result: InstructionResult) -> InterpreterResult {
    gas.spend_all();
    InterpreterResult { result, gas, output: Bytes::new() }
}

impl<'r> PrecompileProvider<Context<'r>> for Precompiles<'r> {
    type Output = InterpreterResult;

    /// The rules are given once.
    fn set_spec(&mut self, _: SpecId) -> bool {
        false
    }

    fn run(
        &mut self,
        context: &mut Context<'r>,
        inputs: &CallInputs,
    ) -> Result<Option<InterpreterResult>, String> {
        let address = inputs.bytecode_address;
        if !self.addresses.contains(&address) {
            return Ok(None);
        }
        let number = number(&address).unwrap_or_default();
        let mut gas = Gas::new_with_regular_gas_and_reservoir(inputs.gas_limit, inputs.reservoir);
        let bytes = inputs.input.as_bytes(context);
        let cost = gas::cost(number, &bytes, self.spec);
        let done = match cost {
            Some(cost) if gas.record_regular_cost(cost) => self.perform(number, &bytes),
            Some(_) => return Ok(Some(failed(gas, InstructionResult::PrecompileOOG))),
            None => Outcome::Failure,
        };
        drop(bytes);
        let output = match done {
            Outcome::Output(output) => output.into(),
            Outcome::Failure => return Ok(Some(failed(gas, InstructionResult::PrecompileError))),
            Outcome::Unknown => {
                let lack = context.journal_mut().database.lack(Item::Precompile(address), ());
                lack.map_err(|_| String::from("a precompile is missing"))?;
                Bytes::new()
            }
        };
        Ok(Some(InterpreterResult { result: InstructionResult::Return, gas, output }))
    }

    fn warm_addresses(&self) -> &AddressSet {
        &self.addresses
    }
}
