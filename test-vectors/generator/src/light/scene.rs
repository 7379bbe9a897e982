//! A signed chain of a few periods.

use super::case::{Block, Case, Consensus, Setting, State};
use super::follow::Scene as Followed;
use lightproof_prover::chain::CHAIN_ID;
use lightproof_prover::chain::committee::forms::{Bootstrap, Update};
use lightproof_prover::chain::committee::{Committees, Terms, devnet_message};
use lightproof_prover::chain::header::Header;
use lightproof_prover::hash::{Word, keccak256};

const SEED: u64 = 19;
const BLOCKS: u64 = 16;

/// The chain and who signs it.
#[derive(Debug)]
pub struct Scene {
    /// Every committee.
    pub committees: Committees,
    headers: Vec<Header>,
}

impl Scene {
    /// Builds the chain. The same every time.
    pub fn new(terms: Terms) -> Self {
        let committees = Committees::new(SEED, terms);
        let mut headers: Vec<Header> = Vec::new();
        for number in 0..BLOCKS {
            let parent = headers.last().map_or([0; 32], Header::hash);
            let root = keccak256(&number.to_be_bytes()).to_vec();
            headers.push(Header {
                committee_root: committees.root_at(number),
                ..Header::new(parent, number, vec![("mpt".to_owned(), root)])
            });
        }
        Self { committees, headers }
    }

    /// As an honest client pins it.
    pub fn setting(&self) -> Setting {
        let consensus = Consensus::Devnet(self.committees.terms());
        Setting { chain_id: CHAIN_ID, genesis_hash: self.genesis_hash(), consensus }
    }

    /// Hash of block 0.
    pub fn genesis_hash(&self) -> Word {
        self.headers[0].hash()
    }

    /// A block's header.
    pub fn header(&self, number: u64) -> &Header {
        &self.headers[usize::try_from(number).unwrap_or(0)]
    }

    /// The state of a client whose finalized header is block `number`.
    pub fn state(&self, number: u64, next_known: bool) -> State {
        let period = self.committees.terms().period_of(number);
        let finalized = Block { number, hash: self.header(number).hash(), execution: None };
        State { period, next_known, finalized, head: None, safe: None, forced: false }
    }

    /// The honest bootstrap at a block.
    pub fn bootstrap(&self, number: u64) -> Bootstrap {
        Bootstrap::new(&self.committees, self.header(number))
    }

    /// The honest update of a block.
    pub fn update(&self, number: u64) -> Update {
        Update::new(&self.committees, &self.genesis_hash(), self.header(number))
    }

    /// The honest finality of a block.
    pub fn finality(&self, number: u64) -> Update {
        Update::finality(&self.committees, &self.genesis_hash(), self.header(number))
    }

    /// The participants of `bits` in the committee of `period` sign a message.
    pub fn signature(&self, period: u64, bits: &[u8], message: &Word) -> Vec<u8> {
        self.committees.of(period).sign(bits, message).to_vec()
    }

    /// A finality of any header bytes, truly signed by everyone in the committee of `period`.
    pub fn signed(&self, period: u64, header: Vec<u8>) -> Update {
        let bits = vec![0xff; self.bits()];
        let message = devnet_message(&self.genesis_hash(), &keccak256(&header));
        let signature = self.signature(period, &bits, &message);
        Update { header, bits, signature, next: None }
    }

    /// An honest finality, but signed by exactly those of `bits`.
    pub fn signed_by(&self, number: u64, bits: &[u8]) -> Update {
        let message = devnet_message(&self.genesis_hash(), &self.header(number).hash());
        let period = self.committees.terms().period_of(number);
        let signature = self.signature(period, bits, &message);
        Update { bits: bits.to_vec(), signature, ..self.finality(number) }
    }

    fn bits(&self) -> usize {
        usize::try_from(self.committees.terms().size / 8).unwrap_or(0)
    }
}

impl Followed for Scene {
    fn pinned(&self, number: u64) -> Word {
        self.header(number).hash()
    }

    fn honest(&self, form: &str, number: u64) -> Vec<u8> {
        match form {
            "bootstrap" => self.bootstrap(number).encode(),
            "update" => self.update(number).encode(),
            _ => self.finality(number).encode(),
        }
    }

    fn started(&self, number: u64) -> State {
        self.state(number, false)
    }
}

/// Cases on a scene.
impl Case {
    /// The honest update of block `number`, which moves the client there.
    pub fn update(self, scene: &Scene, number: u64) -> Self {
        scene.taken(self, "update", number, scene.state(number, true))
    }

    /// The honest finality of block `number`, which moves the client there.
    pub fn finality(self, scene: &Scene, number: u64, next_known: bool) -> Self {
        scene.taken(self, "finality", number, scene.state(number, next_known))
    }
}
