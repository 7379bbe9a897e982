//! Looks at the store for blocks that a reader does not show yet, because a call asks for one: a
//! client behind a load balancer hears of a block from one reader and asks another for it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::database::snapshot::Snapshot;

/// Pause after a look that found a block.
const SHORTEST: Duration = Duration::from_millis(50);
/// How long a call waits for the look of another one. A store that is silent takes longer.
const SHARED: Duration = Duration::from_secs(1);

/// When calls may look at the store. Calls that come meanwhile share the look.
#[derive(Debug)]
pub struct Looks {
    longest: Duration,
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Debug)]
struct State {
    is_looking: bool,
    last: Option<Instant>,
    pause: Duration,
}

impl Looks {
    /// * `longest`: pause to which looks that find nothing come, so that a flood of calls for
    ///   blocks that do not exist looks hardly oftener than a reader does by itself.
    pub fn new(longest: Duration) -> Self {
        let state = State { is_looking: false, last: None, pause: SHORTEST };
        let (state, ended) = (Mutex::new(state), Condvar::new());
        Self { longest: longest.max(SHORTEST), state, ended }
    }

    /// A view of the chain with newer blocks than `before`; `None` if there is none, or it is not
    /// time for a look.
    pub(crate) fn newer(&self, node: &Chain, before: &Snapshot) -> Option<Snapshot> {
        let view = || {
            let view = node.snapshot().ok()?;
            let is_newer = view.head() > before.head() || view.announced() > before.announced();
            is_newer.then_some(view)
        };
        if let Some(view) = view() {
            return Some(view);
        }
        let mut state = self.lock();
        if state.is_looking {
            let looking = |state: &mut State| state.is_looking;
            drop(self.ended.wait_timeout_while(state, SHARED, looking));
            return view();
        }
        if state.last.is_some_and(|last| last.elapsed() < state.pause) {
            drop(state);
            // One that has just ended may have found it.
            return view();
        }
        state.is_looking = true;
        drop(state);
        let looked = node.follow();
        let found = view();
        let mut state = self.lock();
        state.pause = match (&looked, &found) {
            (_, Some(_)) => SHORTEST,
            (Ok(_), None) => self.longest.min(2 * state.pause),
            (Err(_), None) => self.longest,
        };
        (state.is_looking, state.last) = (false, Some(Instant::now()));
        self.ended.notify_all();
        found
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
