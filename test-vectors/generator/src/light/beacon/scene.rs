//! One beacon chain: a block in every slot, finality two epochs behind, a committee for each
//! period.

use std::collections::BTreeMap;

use super::blocks::{Header, Payload};
use super::rules::{GENESIS, PERIOD, RULES, Rules, Shape};
use super::ssz::{Field, container};
use super::tree::{Tree, branch, leaf, node, pair};
use crate::light::case::{Block, Case, Consensus, Setting, State};
use crate::light::follow::Scene as Followed;
use lightproof_prover::chain::committee::{Committee, Committees, Terms};
use lightproof_prover::hash::{Word, sha256};

const SEED: u64 = 23;

/// The domain of sync committees.
pub(super) const DOMAIN: [u8; 4] = [7, 0, 0, 0];

/// Generalized indices in a state: finalized root, current and next committee.
pub(super) fn indices(shape: Shape) -> [u64; 3] {
    match shape {
        Shape::Electra => [169, 86, 87],
        Shape::Gloas => [735, 2945, 2946],
        _ => [105, 54, 55],
    }
}

/// What a committee signs for a header's root.
pub(super) fn message(root: &Word, domain: [u8; 4], version: [u8; 4], validators: &Word) -> Word {
    let fork_data = pair(&leaf(&version), validators);
    sha256(&[root, &domain, &fork_data[..28]])
}

/// The period of a slot.
pub(super) fn period(slot: u64) -> u64 {
    slot / PERIOD
}

/// `keys ‖ aggregate`.
pub(super) fn listed(committee: &Committee) -> Vec<u8> {
    [committee.keys(), committee.aggregate().to_vec()].concat()
}

/// The chain and who signs it. INSECURE: every key follows from a seed.
#[derive(Debug)]
pub(super) struct Scene {
    /// Every committee.
    pub(super) committees: Committees,
    rules: Rules,
    /// No block is asked for before this slot.
    first: u64,
    /// Execution blocks by slot, in place of those that a slot has.
    executed: BTreeMap<u64, Payload>,
}

impl Scene {
    /// A chain with committees of `size` keys. The same every time.
    pub(super) fn new(size: u64) -> Self {
        Self::of(Rules { size, ..RULES }, 0)
    }

    /// A chain of these rules, of which only the blocks from slot `first` on are there.
    pub(super) fn of(rules: Rules, first: u64) -> Self {
        let terms = Terms { size: rules.size, period: rules.period_slots() };
        let committees = Committees::new(SEED, terms);
        Self { committees, rules, first, executed: BTreeMap::new() }
    }

    /// The same chain around other execution blocks, signed by keys of a seed.
    pub(super) fn around(self, executed: BTreeMap<u64, Payload>, seed: u64) -> Self {
        let committees = Committees::new(seed, self.committees.terms());
        Self { committees, executed, ..self }
    }

    fn header(&self, slot: u64, state_root: Word, container: Shape) -> Header {
        let own = self.shape(slot);
        let executed = self.executed.get(&slot).cloned();
        let payload = executed.unwrap_or_else(|| Payload::of(slot, own));
        Header::around(payload, slot, own, state_root, container)
    }

    /// The shape of a slot's containers.
    pub(super) fn shape(&self, slot: u64) -> Shape {
        self.rules.fork(slot).2
    }

    fn period(&self, slot: u64) -> u64 {
        slot / self.rules.period_slots()
    }

    /// As an honest client pins it.
    pub(super) fn setting(&self) -> Setting {
        Setting { chain_id: 1, genesis_hash: GENESIS, consensus: Consensus::Beacon(self.rules) }
    }

    /// The block that the small chain's state after `slot` holds as finalized; 0 while there is
    /// none.
    pub(super) fn finalized(slot: u64) -> u64 {
        RULES.finalized(slot)
    }

    /// The state after the block of a slot.
    pub(super) fn state(&self, slot: u64) -> Tree {
        let finalized = self.rules.finalized(slot);
        // At genesis nothing is finalized, and the leaf is zero.
        let root = match finalized {
            0 => [0; 32],
            earlier if earlier < self.first => sha256(&[b"earlier", &earlier.to_be_bytes()]),
            known => self.block(known).root(),
        };
        let [of_finalized, current, next] = indices(self.shape(slot));
        let committee = |period| self.committees.of(period).root();
        let period = self.period(slot);
        Tree::from([
            (of_finalized, root),
            (current, committee(period)),
            (next, committee(period + 1)),
        ])
    }

    /// The block of a slot.
    pub(super) fn block(&self, slot: u64) -> Header {
        self.block_in(slot, self.shape(slot))
    }

    /// The same in a container of a later shape.
    pub(super) fn block_in(&self, slot: u64, container: Shape) -> Header {
        self.header(slot, node(&self.state(slot), 1), container)
    }

    /// The honest bootstrap at a block.
    pub(super) fn bootstrap(&self, slot: u64) -> Bootstrap {
        Bootstrap {
            header: self.block(slot),
            committee: listed(&self.committees.of(self.period(slot))),
            branch: branch(&self.state(slot), indices(self.shape(slot))[1]),
        }
    }

    /// The honest update of a block: everyone signs in the next slot.
    pub(super) fn update(&self, slot: u64) -> Update {
        self.update_over(slot, &self.state(slot))
    }

    /// An update of a block over another state than the chain's, signed all the same.
    pub(super) fn update_over(&self, slot: u64, state: &Tree) -> Update {
        let own = self.shape(slot);
        let [of_finalized, _, of_next] = indices(own);
        let finalized = self.rules.finalized(slot);
        let finalized =
            if finalized == 0 { Header::absent(own) } else { self.block_in(finalized, own) };
        let mut update = Update {
            attested: self.header(slot, node(state, 1), own),
            next: listed(&self.committees.of(self.period(slot) + 1)),
            next_branch: branch(state, of_next),
            finalized,
            finality_branch: branch(state, of_finalized),
            bits: vec![],
            signature: vec![],
            signature_slot: slot + 1,
        };
        self.sign(&mut update, &self.everyone());
        update
    }

    /// Bits of everyone.
    pub(super) fn everyone(&self) -> Vec<u8> {
        vec![0xff; usize::try_from(self.rules.size / 8).unwrap_or(0)]
    }

    /// Those of `bits` in the committee that must sign what is attested now.
    pub(super) fn sign(&self, update: &mut Update, bits: &[u8]) {
        let version = self.rules.fork(update.signature_slot - 1).1;
        self.sign_for(update, bits, version);
    }

    /// The same, for the fork of a version.
    pub(super) fn sign_for(&self, update: &mut Update, bits: &[u8], version: [u8; 4]) {
        let message = message(&update.attested.root(), DOMAIN, version, &self.rules.validators);
        let committee = self.committees.of(self.period(update.signature_slot));
        update.bits = bits.to_vec();
        update.signature = committee.sign(bits, &message).to_vec();
    }

    fn known(&self, slot: u64) -> Block {
        let header = self.block(slot);
        Block { number: slot, hash: header.root(), execution: header.execution() }
    }

    /// A client that holds these blocks of the chain.
    pub(super) fn holds(&self, finalized: u64, next_known: bool, head: u64) -> State {
        State {
            period: self.period(finalized),
            next_known,
            finalized: self.known(finalized),
            head: (head != finalized).then(|| self.known(head)),
            safe: None,
            forced: false,
        }
    }

    /// The same with a head that fewer than two thirds signed.
    pub(super) fn holds_unsafe(&self, finalized: u64, next_known: bool, head: u64) -> State {
        let safe = Some(self.known(finalized));
        State { safe, ..self.holds(finalized, next_known, head) }
    }

    /// A client that started at `slot` and took the honest update of a block after it.
    pub(super) fn beyond(
        &self,
        flag: &'static str,
        comment: &'static str,
        slot: u64,
        then: u64,
    ) -> Case {
        let case = self.at(flag, comment, slot);
        self.take(case, "update", then, (Self::finalized(then), true))
    }

    /// An honest update of a block, in a form, for a client that then holds this finalized header,
    /// and the block as its head.
    pub(super) fn take(
        &self,
        case: Case,
        form: &'static str,
        slot: u64,
        (finalized, next_known): (u64, bool),
    ) -> Case {
        self.taken(case, form, slot, self.holds(finalized, next_known, slot))
    }
}

impl Followed for Scene {
    fn pinned(&self, slot: u64) -> Word {
        self.block(slot).root()
    }

    fn honest(&self, form: &str, slot: u64) -> Vec<u8> {
        match form {
            "bootstrap" => self.bootstrap(slot).ssz(),
            _ => self.update(slot).ssz(form),
        }
    }

    fn started(&self, slot: u64) -> State {
        self.holds(slot, false, slot)
    }
}

/// A bootstrap, its parts free to be tampered with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bootstrap {
    /// The pinned block.
    pub(super) header: Header,
    /// Keys and aggregate.
    pub(super) committee: Vec<u8>,
    /// From the committee to the state's root.
    pub(super) branch: Vec<Word>,
}

impl Bootstrap {
    /// `LightClientBootstrap`.
    pub(super) fn ssz(&self) -> Vec<u8> {
        let (committee, branch) = (self.committee.clone(), self.branch.concat());
        container(&[self.header.field(), Field::Fixed(committee), Field::Fixed(branch)])
    }
}

/// An update, its parts free to be tampered with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Update {
    /// The block that is signed.
    pub(super) attested: Header,
    /// Keys and aggregate of the next committee.
    pub(super) next: Vec<u8>,
    /// From them to the attested state's root.
    pub(super) next_branch: Vec<Word>,
    /// The block that is final.
    pub(super) finalized: Header,
    /// From its root to the attested state's.
    pub(super) finality_branch: Vec<Word>,
    /// Who signed.
    pub(super) bits: Vec<u8>,
    /// Their signature.
    pub(super) signature: Vec<u8>,
    /// The slot that they signed in.
    pub(super) signature_slot: u64,
}

impl Update {
    /// `LightClientUpdate`, `LightClientFinalityUpdate` or `LightClientOptimisticUpdate`.
    pub(super) fn ssz(&self, form: &str) -> Vec<u8> {
        let mut fields = vec![self.attested.field()];
        if form == "update" {
            fields.push(Field::Fixed(self.next.clone()));
            fields.push(Field::Fixed(self.next_branch.concat()));
        }
        if form != "optimistic" {
            fields.push(self.finalized.field());
            fields.push(Field::Fixed(self.finality_branch.concat()));
        }
        fields.push(Field::Fixed([self.bits.as_slice(), &self.signature].concat()));
        fields.push(Field::Fixed(self.signature_slot.to_le_bytes().to_vec()));
        container(&fields)
    }

    /// Without the next committee, as a node writes it that has none.
    pub(super) fn without_next(mut self) -> Self {
        self.next.fill(0);
        self.next_branch.fill([0; 32]);
        self
    }

    /// Without finality.
    pub(super) fn without_finality(mut self) -> Self {
        self.finalized = Header::absent(self.attested.container);
        self.finality_branch.fill([0; 32]);
        self
    }
}
