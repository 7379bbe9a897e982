//! A call over the node's own state, as a client runs it over a witness: what a run lacks is proven
//! from the state's trie, and the call is run again. So whatever it reads is there to be handed
//! over.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use lightproof_core::Chain;
use lightproof_ethereum::record::Record;
use lightproof_evm::primitives::keccak256;
use lightproof_evm::{
    Answer, Block, Call, Done, Failure, Forks, Item, Limits, Machine, Native, Rules, State,
};

use crate::rpc::Context;
use crate::rpc::error::RpcError;
use crate::rpc::followed::damaged;
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::Word;
use lightproof_prover::rlp::Item as Rlp;
use lightproof_prover::system::mpt;

/// Times that a call is run to learn what it reads.
const MAX_RUNS: usize = 256;
/// Seconds after which no further run of a request begins: geth's limit.
const MAX_SECONDS: usize = 5;
/// Where blocks keep the hashes of blocks before them (EIP-2935), and how many.
const HISTORY: [u8; 20] = [
    0x00, 0x00, 0xf9, 0x08, 0x27, 0xf1, 0xc5, 0x3a, 0x10, 0xcb, 0x7a, 0x02, 0x33, 0x5b, 0x17, 0x53,
    0x20, 0x00, 0x29, 0x35,
];
const HISTORY_LENGTH: u64 = 8_191;
/// Blocks whose hashes a call can ask for without that.
const ANCESTORS: u64 = 256;

/// A block, and what calls have read of its state.
pub(super) struct Ground<'c> {
    context: &'c Context<'c>,
    state: mpt::State<'c>,
    chain: Chain,
    block: Block,
    /// By their hashes: proofs share nodes.
    nodes: BTreeMap<Word, Vec<u8>>,
    codes: BTreeMap<Word, Vec<u8>>,
    /// RLP of headers from the block's parent back.
    ancestors: Vec<Vec<u8>>,
    begun: Instant,
}

impl<'c> Ground<'c> {
    pub(super) fn new(
        context: &'c Context<'c>,
        state: mpt::State<'c>,
        record: &Record,
    ) -> Result<Self, RpcError> {
        let node = context.node;
        let damaged = |_| RpcError::from(StoreError::Corrupt("the chain's configuration"));
        let genesis = context
            .snapshot
            .header(context.snapshot.first())?
            .ok_or_else(|| RpcError::internal("a block of the window has no header"))?
            .origin;
        let chain = Rlp::List(vec![
            Rlp::bytes("ethereum"),
            Rlp::uint(node.chain_id()),
            Rlp::bytes(genesis),
        ]);
        let chain = Chain::from_rlp(&chain.encode()).map_err(damaged)?;
        let forks = Forks::from_rlp(&context.snapshot.forks()?).map_err(damaged)?;
        let hash = lightproof_core::hash::Hash(record.block.hash.0);
        let block = Block::new(&chain, &forks, hash, &record.header_rlp());
        let block = block.map_err(|failure| refused(&failure))?;
        let (nodes, codes) = (BTreeMap::new(), BTreeMap::new());
        let (ancestors, begun) = (Vec::new(), Instant::now());
        Ok(Self { context, state, chain, block, nodes, codes, ancestors, begun })
    }

    /// Runs a call until it has all that it reads.
    pub(super) fn run(&mut self, call: &Call) -> Result<Done, RpcError> {
        for _ in 0..MAX_RUNS {
            if self.begun.elapsed() > Duration::from_secs(MAX_SECONDS as u64) {
                return Err(RpcError::limit("the time of a request, in seconds,", MAX_SECONDS));
            }
            match self.attempt(call)? {
                Answer::Done(done) => return Ok(*done),
                Answer::Failed(failure) => return Err(refused(&failure)),
                Answer::Missing(items) => {
                    for item in items {
                        self.supply(&item)?;
                    }
                }
            }
        }
        Err(RpcError::limit("the number of runs of a call", MAX_RUNS))
    }

    /// Trie nodes that calls read.
    pub(super) fn nodes(&self) -> Vec<&[u8]> {
        self.nodes.values().map(Vec::as_slice).collect()
    }

    /// Codes that calls read.
    pub(super) fn codes(&self) -> Vec<&[u8]> {
        self.codes.values().map(Vec::as_slice).collect()
    }

    fn attempt(&self, call: &Call) -> Result<Answer, RpcError> {
        let damaged = |_| RpcError::from(StoreError::Corrupt("a node of the trie"));
        let mut state = State::default();
        for node in self.nodes.values() {
            state.add_node(node).map_err(damaged)?;
        }
        for code in self.codes.values() {
            state.add_code(code).map_err(damaged)?;
        }
        let mut block = self.block.clone();
        let ancestors: Vec<&[u8]> = self.ancestors.iter().map(Vec::as_slice).collect();
        block.extend(&self.chain, &ancestors).map_err(|failure| refused(&failure))?;
        Ok(Machine::new(state, block, &Native).call(call, &Limits::default()))
    }

    fn supply(&mut self, item: &Item) -> Result<(), RpcError> {
        let added = match item {
            Item::Account(address) => self.state.account(&address.0.0)?.nodes,
            Item::Slot(address, key) => self.state.slot(&address.0.0, &key.0)?.nodes,
            Item::Code(_, hash) => {
                self.codes.insert(hash.0, self.state.code(&hash.0)?);
                return Ok(());
            }
            Item::BlockHash(number) if self.block.fork.rules >= Rules::Prague => {
                let mut slot = [0; 32];
                slot[24..].copy_from_slice(&(number % HISTORY_LENGTH).to_be_bytes());
                let mut nodes = self.state.account(&HISTORY)?.nodes;
                nodes.extend(self.state.slot(&HISTORY, &slot)?.nodes);
                nodes
            }
            Item::BlockHash(number) => return self.descend(*number),
            _ => return Err(RpcError::internal("a call reads something of an unknown kind")),
        };
        self.nodes.extend(added.into_iter().map(|node| (keccak256(&node).0, node)));
        Ok(())
    }

    /// Headers from the block's parent back to the child of a block.
    fn descend(&mut self, number: u64) -> Result<(), RpcError> {
        let oldest = number.max(self.block.number.saturating_sub(ANCESTORS)) + 1;
        let from = self.block.number - self.ancestors.len() as u64;
        for number in (oldest..from).rev() {
            let window = || RpcError::window(self.context.snapshot.oldest_state(), number);
            let content = self.context.snapshot.content(number)?.ok_or_else(window)?;
            self.ancestors.push(Record::decode(&content).map_err(damaged)?.header_rlp());
        }
        Ok(())
    }
}

fn refused(failure: &Failure) -> RpcError {
    let mut json = String::new();
    failure.to_json(&mut json);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap_or_default();
    RpcError::failed(json["message"].as_str().unwrap_or("the call cannot be run"))
}
