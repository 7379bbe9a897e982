//! One case: a checkpoint and what is sent after it, each step with its verdict.

use serde_json::{Value, json};

use super::beacon::rules::Rules;
use lightproof_prover::chain::committee::Terms;
use lightproof_prover::hash::Word;
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;

/// A caller without a clock.
pub const NO_CLOCK: u64 = u64::MAX;

/// The chain as the client pins it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Chain id.
    pub chain_id: u64,
    /// Hash of block 0.
    pub genesis_hash: Word,
    /// Who signs.
    pub consensus: Consensus,
}

/// Who signs a chain's headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consensus {
    /// Nobody, on a devnet.
    Nobody,
    /// The devnet's committees.
    Devnet(Terms),
    /// Operators, in committees of any size.
    Attested {
        /// Blocks of a period.
        period: u64,
    },
    /// Ethereum's sync committees.
    Beacon(Rules),
}

/// What the client holds after an accepted step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Period of the finalized header.
    pub period: u64,
    /// Whether the committee of the period after it is known.
    pub next_known: bool,
    /// The finalized header.
    pub finalized: Block,
    /// The newest signed header, where it is another.
    pub head: Option<Block>,
    /// The newest header that two thirds signed, where it is another than the newest signed one.
    pub safe: Option<Block>,
    /// Whether the client moved by force since its bootstrap.
    pub forced: bool,
}

/// A header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its number; of the beacon chain its slot.
    pub number: u64,
    /// Its hash; of the beacon chain its root.
    pub hash: Word,
    /// Hash of the execution block that it proves, where that is a block of its own.
    pub execution: Option<Word>,
}

/// Something that the client is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// `bootstrap`, `update`, `finality`, `optimistic`, `import` or `force`, which has no bytes.
    pub form: &'static str,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The client's clock, seconds since 1970; a bootstrap and an import ask for none.
    pub now: Option<u64>,
    /// The state after it, or the code; a refused step leaves the client as it was.
    pub expected: Result<State, &'static str>,
}

/// One case.
#[must_use]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// For people.
    pub comment: &'static str,
    /// For programs; explained in the file's notes.
    pub flag: &'static str,
    /// What the client pins: 32 bytes, save in cases about that.
    pub checkpoint: Vec<u8>,
    /// In order, all to one client.
    pub steps: Vec<Step>,
}

/// Cases of one chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The chain.
    pub setting: Setting,
    /// In the order of their ids.
    pub cases: Vec<Case>,
}

impl Case {
    /// Something that is refused, by a client without a clock.
    pub fn refuse(self, form: &'static str, bytes: Vec<u8>, code: &'static str) -> Self {
        let now = (!["bootstrap", "import"].contains(&form)).then_some(NO_CLOCK);
        self.with(form, bytes, now, Err(code))
    }

    /// One more step.
    pub fn with(
        mut self,
        form: &'static str,
        bytes: Vec<u8>,
        now: Option<u64>,
        expected: Result<State, &'static str>,
    ) -> Self {
        self.steps.push(Step { form, bytes, now, expected });
        self
    }

    fn json(&self, id: usize) -> Value {
        let steps: Vec<_> = self.steps.iter().map(Step::json).collect();
        json!({
            "id": id,
            "comment": self.comment,
            "flags": [self.flag],
            "checkpoint": hex::encode(&self.checkpoint),
            "steps": steps,
        })
    }
}

impl Step {
    fn json(&self) -> Value {
        let expected = match &self.expected {
            Ok(state) => json!({ "result": "valid", "state": state.json() }),
            Err(code) => json!({ "result": "invalid", "code": code }),
        };
        let mut step = json!({ "form": self.form, "bytes": hex::encode(&self.bytes) });
        if let Some(now) = self.now {
            step["now"] = json!(hex::quantity(now));
        }
        step["expected"] = expected;
        step
    }
}

impl State {
    fn json(&self) -> Value {
        let Self { period, next_known, finalized, head, safe, forced } = self;
        let mut state = json!({
            "period": hex::quantity(*period),
            "nextKnown": next_known,
            "finalized": finalized.json(),
        });
        if let Some(head) = head {
            state["head"] = head.json();
        }
        if let Some(safe) = safe {
            state["safe"] = safe.json();
        }
        if *forced {
            state["forced"] = json!(true);
        }
        state
    }
}

impl Block {
    fn json(&self) -> Value {
        let mut block =
            json!({ "number": hex::quantity(self.number), "hash": hex::encode(&self.hash) });
        if let Some(execution) = &self.execution {
            block["execution"] = json!(hex::encode(execution));
        }
        block
    }
}

impl Setting {
    fn kind(&self) -> &'static str {
        match self.consensus {
            Consensus::Nobody | Consensus::Devnet(_) => "devnet",
            Consensus::Attested { .. } => "attested",
            Consensus::Beacon(_) => "ethereum",
        }
    }

    /// The chain as core reads it: `[kind, chainId, genesisHash, consensus?]`.
    pub fn chain_rlp(&self) -> Vec<u8> {
        let consensus = match &self.consensus {
            Consensus::Nobody => None,
            Consensus::Devnet(Terms { size, period }) => {
                Some(Item::List(vec![Item::uint(*size), Item::uint(*period)]))
            }
            Consensus::Attested { period } => Some(Item::List(vec![Item::uint(*period)])),
            Consensus::Beacon(rules) => Some(rules.rlp()),
        };
        let chain =
            [Item::bytes(self.kind()), Item::uint(self.chain_id), Item::bytes(self.genesis_hash)];
        Item::List(chain.into_iter().chain(consensus).collect()).encode()
    }

    /// The same for people and TypeScript.
    pub(super) fn json(&self) -> Value {
        let mut chain = json!({
            "kind": self.kind(),
            "chainId": self.chain_id,
            "genesisHash": hex::encode(&self.genesis_hash),
        });
        match &self.consensus {
            Consensus::Nobody => {}
            Consensus::Devnet(Terms { size, period }) => {
                chain["consensus"] = json!({ "committeeSize": size, "periodLength": period });
            }
            Consensus::Attested { period } => {
                chain["consensus"] = json!({ "periodLength": period });
            }
            Consensus::Beacon(rules) => chain["consensus"] = rules.json(),
        }
        chain
    }
}

/// The groups of the file; ids count through all of them, from 1.
pub fn groups_json(groups: &[Group]) -> Value {
    let mut id = 0;
    let mut numbered = |case: &Case| {
        id += 1;
        case.json(id)
    };
    let group = |Group { setting, cases }: &Group| {
        let tests: Vec<_> = cases.iter().map(&mut numbered).collect();
        json!({ "chain": setting.json(), "tests": tests })
    };
    groups.iter().map(group).collect()
}
