//! Signatures that came in, until two thirds of a committee are there.

use std::collections::{BTreeMap, BTreeSet};

use lightproof_prover::chain::committee::operators::{Key, Members, Signature, add};
use lightproof_prover::hash::Word;

/// Own signatures that are kept: they are made again when they are asked for again.
const KEPT: usize = 4_096;

/// A signature, and who brought it; `None` if this node made it.
#[derive(Clone, Debug)]
struct Brought {
    signature: Signature,
    by: Option<String>,
}

/// What is known of heights that are not announced.
#[derive(Debug, Default)]
pub(super) struct Pool {
    /// By height and member.
    signatures: BTreeMap<u64, BTreeMap<usize, Brought>>,
    /// Nodes that brought a false signature of a height: nothing more of it is taken from them.
    false_at: BTreeSet<(u64, String)>,
    /// Nodes that sign another header at a height, as far as the operator was told.
    pub(super) differ: BTreeSet<(u64, String)>,
    /// Signatures of this node's keys.
    pub(super) own: BTreeMap<(u64, Key), Signature>,
}

impl Pool {
    /// A signature that another node brought, unchecked.
    pub(super) fn add(&mut self, number: u64, index: usize, signature: Signature, by: &str) {
        if self.false_at.contains(&(number, by.to_owned())) {
            return;
        }
        let by = Some(by.to_owned());
        let members = self.signatures.entry(number).or_default();
        members.entry(index).or_insert(Brought { signature, by });
    }

    /// A signature of this node's own.
    pub(super) fn own(&mut self, number: u64, index: usize, signature: Signature) {
        let members = self.signatures.entry(number).or_default();
        members.insert(index, Brought { signature, by: None });
    }

    /// Bits and signature of two thirds of a committee; `None` while there are fewer. False
    /// signatures are dropped, and those who brought them are not asked about this height
    /// again.
    pub(super) fn two_thirds(
        &mut self,
        number: u64,
        members: &Members,
        message: &Word,
    ) -> Option<(Vec<u8>, Signature)> {
        let brought = self.signatures.get_mut(&number)?;
        if brought.len() < members.two_thirds() {
            return None;
        }
        if let Some(found) = sum(brought, members, message) {
            return Some(found);
        }
        let mut liars = Vec::new();
        brought.retain(|index, Brought { signature, by }| {
            let holds = members.signed(&members.bits([*index]), signature, message);
            if !holds {
                liars.push((*index, by.clone()));
            }
            holds
        });
        for (index, by) in liars {
            let by = by.unwrap_or_else(|| "this node".to_owned());
            tracing::warn!("{by} brought a false signature of member {index} for block {number}");
            self.false_at.insert((number, by));
        }
        let brought = self.signatures.get(&number)?;
        (brought.len() >= members.two_thirds()).then(|| sum(brought, members, message))?
    }

    /// Forgets what heights up to an announced one needed.
    pub(super) fn forget(&mut self, number: u64) {
        self.signatures.retain(|height, _| *height > number);
        self.false_at.retain(|(height, _)| *height > number);
        self.differ.retain(|(height, _)| *height > number);
    }

    /// Bounds what is kept of this node's own.
    pub(super) fn trim(&mut self) {
        while self.own.len() > KEPT {
            self.own.pop_first();
        }
    }
}

fn sum(
    brought: &BTreeMap<usize, Brought>,
    members: &Members,
    message: &Word,
) -> Option<(Vec<u8>, Signature)> {
    let signatures: Vec<Signature> = brought.values().map(|one| one.signature).collect();
    let (bits, signature) = (members.bits(brought.keys().copied()), add(&signatures)?);
    members.signed(&bits, &signature, message).then_some((bits, signature))
}
