//! What the scenes of signed headers share: a chain that a client starts on and follows.

use super::case::{Case, NO_CLOCK, State};
use lightproof_prover::hash::Word;

/// A chain with honest bytes of every form.
pub(super) trait Scene {
    /// What a client pins to start at a block.
    fn pinned(&self, number: u64) -> Word;

    /// What an honest node sends about a block in a form.
    fn honest(&self, form: &str, number: u64) -> Vec<u8>;

    /// What a client holds that started at a block.
    fn started(&self, number: u64) -> State;

    /// A client without a checkpoint yet; it will pin a block.
    fn before(&self, flag: &'static str, comment: &'static str, number: u64) -> Case {
        Case { comment, flag, checkpoint: self.pinned(number).to_vec(), steps: vec![] }
    }

    /// A client that started at a block.
    fn at(&self, flag: &'static str, comment: &'static str, number: u64) -> Case {
        let (bytes, state) = (self.honest("bootstrap", number), self.started(number));
        self.before(flag, comment, number).with("bootstrap", bytes, None, Ok(state))
    }

    /// What is honest about a block moves the client to a state.
    fn taken(&self, case: Case, form: &'static str, number: u64, state: State) -> Case {
        case.with(form, self.honest(form, number), Some(NO_CLOCK), Ok(state))
    }

    /// Clients that refuse what is honest about a block: case, form, block.
    fn refused<const N: usize>(
        &self,
        code: &'static str,
        table: [(Case, &'static str, u64); N],
    ) -> Vec<Case> {
        let refused =
            |(case, form, number): (Case, _, _)| case.refuse(form, self.honest(form, number), code);
        table.map(refused).into()
    }
}

/// Clients that refuse what they are sent: case, form, bytes, code.
pub(super) fn refusals<const N: usize>(
    table: [(Case, &'static str, Vec<u8>, &'static str); N],
) -> Vec<Case> {
    table.map(|(case, form, bytes, code)| case.refuse(form, bytes, code)).into()
}
