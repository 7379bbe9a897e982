//! Adversaries against the plain map: every question about a small random state meets the proof of
//! every other window and address, of this state and of those before, under the names of its own.
//!
//! For as long as `LIGHTPROOF_SOAK_SECONDS` says, from seed `LIGHTPROOF_SOAK_SEED` on; default: a
//! fixed number of states, from 0 on.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use lightproof_core::Presence;
use lightproof_core::system::cole::{Fact, Predecessor};
use lightproof_prover::rlp::{self, Item};
use lightproof_prover::rng::Rng;
use lightproof_prover::system::cole::config::Config;
use lightproof_prover::system::cole::key::Address;
use lightproof_prover::system::cole::prove::Query;

use super::model::{Kept, Model, configurations, judge, scratch};
use super::random::{address, writes};

/// Addresses that a state draws from, and one more that is asked for.
const ADDRESSES: u64 = 3;
const BLOCKS: u32 = 5;
/// States of each configuration where no time is given, and questions that each is asked.
const STATES: u64 = 1;
const ASKED: usize = 4;
/// Items at a proof's begin that repeat its question.
const NAMES: usize = 5;

/// All windows and blocks of an address.
fn questions(address: Address) -> Vec<Query> {
    let windows = (0..=BLOCKS).flat_map(|from| (from..=BLOCKS).map(move |to| (from, to)));
    let windows = windows.map(|(from, to)| Query { as_of: false, address, from, to });
    let blocks = (0..=BLOCKS).map(|block| Query { as_of: true, address, from: block, to: block });
    windows.chain(blocks).collect()
}

/// What an adversary makes of a proof for another question: as it is, and, where proofs repeat
/// their question, as if it were for this one.
fn made(own: &[u8], other: &[u8]) -> Vec<Vec<u8>> {
    let (Ok(Item::List(own)), Ok(Item::List(parts))) = (rlp::decode(own), rlp::decode(other))
    else {
        panic!("a proof is a list");
    };
    let mut all = vec![other.to_vec()];
    if own.len() == parts.len() && own.len() > NAMES {
        let named = own[..NAMES].iter().chain(&parts[NAMES..]);
        all.push(Item::List(named.cloned().collect()).encode());
    }
    // All pieces of this one, but for one, which is the other's.
    for at in 0..own.len().min(parts.len()) {
        let mut mixed = own.clone();
        mixed[at] = parts[at].clone();
        all.push(Item::List(mixed).encode());
    }
    all
}

/// Whether a fact is what the model says.
fn is_true(model: &Model, head: u32, query: &Query, fact: &Fact) -> bool {
    let Query { address, from, to, .. } = *query;
    match fact {
        Fact::AsOf { block, value, .. } => {
            let expected = model.as_of(&address, to.min(head));
            *block == to.min(head) && *value == expected.map_or(Presence::Absent, Presence::Present)
        }
        Fact::History(history) => {
            let versions: Vec<_> = history.versions().collect();
            let before = from.checked_sub(1).and_then(|last| model.as_of(&address, last));
            versions == model.range(&address, from, to.min(head))
                && history.to == to.min(head)
                && match history.predecessor {
                    Predecessor::Proven(version) => Some(version) == before,
                    Predecessor::None => before.is_none(),
                    Predecessor::NotProven => true,
                }
        }
    }
}

#[derive(Default)]
struct Tally {
    combinations: u64,
    accepted: u64,
    honest: u64,
}

/// One state, and all that can be asked and shown of it.
fn attack(config: &Config, seed: u64, tally: &mut Tally) {
    let directory = scratch();
    let mut rng = Rng::new(seed, "cole-adversary", 0);
    let (mut kept, mut model) = (Kept::create(directory.path(), *config), Model::default());
    for block in 1..=BLOCKS {
        let writes = writes(&mut rng, ADDRESSES, 3);
        model.apply(block, &writes);
        kept.apply(block, &writes);
    }
    let questions: Vec<_> = (0..=ADDRESSES).flat_map(|number| questions(address(number))).collect();
    let view = kept.engine.view(BLOCKS).unwrap();
    let honest: Vec<_> = questions.iter().map(|query| view.prove(query).unwrap()).collect();
    let before = kept.engine.view(BLOCKS - 1).unwrap();
    let is_before = |query: &&Query| query.from < BLOCKS;
    let stale = questions.iter().filter(is_before).map(|query| before.prove(query).unwrap());
    let stale: Vec<_> = stale.collect();
    // Some of the questions of each state: with all of them it would be a million combinations.
    for _ in 0..ASKED {
        let at = usize::try_from(rng.below(u64::try_from(questions.len()).unwrap())).unwrap();
        let (query, own) = (&questions[at], &honest[at]);
        let made = honest.iter().chain(&stale).flat_map(|other| made(own, other));
        for proof in made.chain([own.clone()]).collect::<BTreeSet<_>>() {
            let is_honest = proof == *own;
            tally.combinations += 1;
            tally.honest += u64::from(is_honest);
            match judge(config, &view.state, BLOCKS, query, &proof) {
                Ok(fact) => {
                    tally.accepted += 1;
                    let is_true = is_true(&model, BLOCKS, query, &fact);
                    assert!(
                        is_true,
                        "seed {seed}, {config:?}, {query:?}: {fact:?} by {proof:02x?}"
                    );
                }
                Err(error) => {
                    assert!(!is_honest, "seed {seed}, {config:?}, {query:?}: {error}");
                }
            }
        }
    }
}

#[test]
fn no_other_window_or_address_is_proven() {
    let given = |name| std::env::var(name).ok().map(|text| text.parse().expect("a whole number"));
    let time = given("LIGHTPROOF_SOAK_SECONDS").map(Duration::from_secs);
    let first = given("LIGHTPROOF_SOAK_SEED").unwrap_or(0);
    let (began, mut tally) = (Instant::now(), Tally::default());
    for seed in first.. {
        if time.map_or(seed - first >= STATES, |time| began.elapsed() >= time) {
            break;
        }
        for config in configurations() {
            // Small, so that the few blocks are in memory and in runs.
            let config =
                Config { fanout: 2, ratio: 2, capacity: 3, epsilon: 2, window: 3, ..config };
            attack(&config, seed, &mut tally);
        }
    }
    let Tally { combinations, accepted, honest } = tally;
    assert!(honest > 0 && accepted < combinations, "{combinations} say nothing");
    println!(
        "soak adversaries cole: {combinations} combinations, {accepted} accepted, 0 wrong; \
         {honest} honest, 0 refused"
    );
}
