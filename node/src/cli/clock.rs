//! Which times the blocks of `lightproof-node run` state.

use lightproof_node::unix_now;
use lightproof_prover::chain::Clock;

use super::RunArgs;
use super::home::Home;

/// The clock of the workload, and of block 0 of an application.
pub(super) fn choose(args: &RunArgs, home: &Home) -> Result<Clock, String> {
    let interval_ms = args.block_time_ms;
    if let Some(genesis) = args.genesis_time {
        return Ok(Clock { genesis, interval_ms });
    }
    let kept = home.clock()?;
    #[cfg(feature = "ethereum")]
    if args.follow.is_set() {
        // The blocks bring their times.
        return Ok(kept.unwrap_or(Clock::DEFAULT));
    }
    if let Some(Clock { genesis, .. }) = kept {
        return Ok(Clock { genesis, interval_ms });
    }
    if args.attest.has_peers() {
        let fix = "give the same --genesis-time SECONDS to each";
        return Err(format!("operators of a new chain must agree on the time of block 0; {fix}"));
    }
    let prefilled = args.prefill.saturating_mul(interval_ms) / 1_000;
    Ok(Clock { genesis: unix_now().saturating_sub(prefilled), interval_ms })
}
