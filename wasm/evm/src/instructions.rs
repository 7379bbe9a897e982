//! The engine's instructions, and those of ours in their place.

pub(crate) mod division;

use division::{addmod, div, mulmod, rem, sdiv, smod};
use lightproof_core::hash::keccak256;
use revm::bytecode::opcode::{ADDMOD, DIV, KECCAK256, MOD, MULMOD, SDIV, SMOD};
use revm::context_interface::Host as _;
use revm::interpreter::instructions::{Instruction, InstructionTable, instruction_table};
use revm::interpreter::interpreter::{EthInterpreter, resize_memory};
use revm::interpreter::{
    InstructionContext, InstructionExecResult, InstructionResult, Interpreter,
};
use revm::primitives::{KECCAK_EMPTY, U256};

use crate::reader::Context;

type Running = Interpreter<EthInterpreter>;

/// The engine's instructions, but for those that divide and the one that hashes.
#[allow(clippy::indexing_slicing, reason = "opcodes are bytes, the table has 256 entries")]
pub(crate) const fn table<'r>() -> InstructionTable<EthInterpreter, Context<'r>> {
    let mut table = instruction_table();
    table[DIV as usize] = Instruction::new(|at| two(at.interpreter, div));
    table[SDIV as usize] = Instruction::new(|at| two(at.interpreter, sdiv));
    table[MOD as usize] = Instruction::new(|at| two(at.interpreter, rem));
    table[SMOD as usize] = Instruction::new(|at| two(at.interpreter, smod));
    table[ADDMOD as usize] = Instruction::new(|at| three(at.interpreter, addmod));
    table[MULMOD as usize] = Instruction::new(|at| three(at.interpreter, mulmod));
    table[KECCAK256 as usize] = Instruction::new(hash);
    table
}

fn two(at: &mut Running, compute: fn(U256, U256) -> U256) -> InstructionExecResult {
    let under = InstructionResult::StackUnderflow;
    let ([a], b) = at.stack.popn_top().ok_or(under)?;
    *b = compute(a, *b);
    Ok(())
}

fn three(at: &mut Running, compute: fn(U256, U256, U256) -> U256) -> InstructionExecResult {
    let under = InstructionResult::StackUnderflow;
    let ([a, b], c) = at.stack.popn_top().ok_or(under)?;
    *c = compute(a, b, *c);
    Ok(())
}

/// KECCAK256 by the verifier's own hash, which is the fastest here.
fn hash(at: InstructionContext<'_, Context<'_>, EthInterpreter>) -> InstructionExecResult {
    let InstructionContext { interpreter, host } = at;
    let size =
        |number: U256| usize::try_from(number).map_err(|_| InstructionResult::InvalidOperandOOG);
    let under = InstructionResult::StackUnderflow;
    let ([offset], top) = interpreter.stack.popn_top().ok_or(under)?;
    let length = size(*top)?;
    if !interpreter.gas.record_regular_cost(host.gas_params().keccak256_cost(length)) {
        return Err(InstructionResult::OutOfGas);
    }
    *top = if length == 0 {
        KECCAK_EMPTY.into()
    } else {
        let from = size(offset)?;
        let params = host.gas_params();
        resize_memory(&mut interpreter.gas, &mut interpreter.memory, params, from, length)?;
        U256::from_be_bytes(keccak256(&interpreter.memory.slice_len(from, length)).0)
    };
    Ok(())
}
