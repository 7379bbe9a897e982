//! Adversaries against a plain model: every question about a small random state meets every proof
//! that can be put together of it, and of the state before it. What is proven is what the model
//! says, and what is honest is proven.

mod inclusion;
mod lmpt;
mod mpt;

use std::fmt::Debug;

use crate::dice::Dice;
use crate::turns;

/// States of one test where no time is given.
const STATES: u64 = 2;

/// What became of the combinations.
#[derive(Default)]
struct Tally {
    combinations: u64,
    accepted: u64,
    honest: u64,
}

impl Tally {
    /// Judges one combination.
    ///
    /// * `proven`: what the verifier says is proven.
    /// * `shown`: the combination, where it fails the test.
    fn judge<F: PartialEq + Debug>(
        &mut self,
        is_honest: bool,
        proven: Option<&F>,
        truth: &F,
        shown: impl Fn() -> String,
    ) {
        self.combinations += 1;
        self.honest += u64::from(is_honest);
        self.accepted += u64::from(proven.is_some());
        match proven {
            Some(fact) => assert_eq!(fact, truth, "a false fact: {}", shown()),
            None => assert!(!is_honest, "an honest proof is refused: {}", shown()),
        }
    }
}

/// Makes states until the time is over, and prints the counts.
fn adversaries(system: &str, mut turn: impl FnMut(&mut Dice, &mut Tally, u64)) {
    let mut tally = Tally::default();
    turns(STATES, |seed| turn(&mut Dice::new(seed), &mut tally, seed));
    let Tally { combinations, accepted, honest } = tally;
    assert!(honest > 0 && accepted < combinations, "{system}: {combinations} say nothing");
    println!(
        "soak adversaries {system}: {combinations} combinations, {accepted} accepted, 0 wrong; \
         {honest} honest, 0 refused"
    );
}
