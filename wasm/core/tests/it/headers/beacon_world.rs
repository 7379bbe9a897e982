//! Committees over that chain, and what they sign.

use std::collections::BTreeMap;

use lightproof_core::hash::sha256;
use lightproof_core::header::light::{Form, LightClient};

pub(crate) use super::beacon_blocks::{
    FIRST_SLOTS, Header, Node, SECONDS, SLOTS, VALIDATORS, branch, chain_of, fork, leaf, node,
    pair, shape,
};
use super::bls::{Keys, Signed, all};

/// What a committee signs: the fork version of the slot before the signature's.
pub(crate) fn message(root: Node, signature_slot: u64, validators: Node) -> Node {
    message_of(root, fork(signature_slot - 1).1, validators)
}

pub(crate) fn message_of(root: Node, version: [u8; 4], validators: Node) -> Node {
    let fork_data = pair(&leaf(&version), &validators);
    sha256(&[&root, &[7, 0, 0, 0], &fork_data[..28]]).0
}

/// Generalized indices of finalized root, current and next committee.
pub(crate) fn indices(shape: &str) -> [u64; 3] {
    match shape {
        "electra" => [169, 86, 87],
        "gloas" => [735, 2945, 2946],
        _ => [105, 54, 55],
    }
}

/// A container, fields in place or at its end.
fn container(fields: &[(bool, Vec<u8>)]) -> Vec<u8> {
    let sizes = fields.iter().map(|(variable, bytes)| if *variable { 4 } else { bytes.len() });
    let size: usize = sizes.sum();
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    for (variable, bytes) in fields {
        if *variable {
            head.extend(u32::try_from(size + tail.len()).unwrap().to_le_bytes());
            tail.extend(bytes);
        } else {
            head.extend(bytes);
        }
    }
    [head, tail].concat()
}

pub(crate) fn is_variable(shape: &str) -> bool {
    !["altair", "gloas"].contains(&shape)
}

/// A committee for each period, and the chain over them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World {
    pub(crate) size: usize,
}

impl World {
    pub(crate) fn committee(self, period: u64) -> Keys {
        Keys::new(period + 1, self.size)
    }

    /// The state after `slot`: its committees, and the root of the finalized block.
    pub(crate) fn state(self, slot: u64, finalized: Node) -> BTreeMap<u64, Node> {
        let [of_finalized, current, next] = indices(shape(slot));
        let committee = |period: u64| self.committee(period).root();
        BTreeMap::from([
            (of_finalized, finalized),
            (current, committee(slot / SLOTS)),
            (next, committee(slot / SLOTS + 1)),
        ])
    }

    /// A bootstrap at `slot`, and its checkpoint.
    pub(crate) fn bootstrap(self, slot: u64) -> (Node, Vec<u8>) {
        let state = self.state(slot, [1; 32]);
        let header = Header::new(slot, node(&state, 1), shape(slot));
        let branch = branch(&state, indices(shape(slot))[1]);
        (header.root(), bootstrap_of(&header, &self.committee(slot / SLOTS), &branch))
    }

    /// A client at a bootstrap.
    pub(crate) fn client(self, slot: u64) -> LightClient {
        let mut client = LightClient::new(&chain_of(self.size, VALIDATORS)).unwrap();
        let (checkpoint, bytes) = self.bootstrap(slot);
        client.bootstrap(&checkpoint, &bytes, &mut ()).unwrap();
        client
    }

    /// An honest update: block `slot` finalizes block `finalized`, and everyone signs a slot later.
    pub(crate) fn update(self, slot: u64, finalized: u64) -> Update {
        let shape = shape(slot);
        let old = self.state(finalized, [1; 32]);
        let finalized = Header::new(finalized, node(&old, 1), shape);
        let state = self.state(slot, finalized.root());
        let [of_finalized, _, of_next] = indices(shape);
        let attested = Header::new(slot, node(&state, 1), shape);
        let period = (slot + 1) / SLOTS;
        let message = message(attested.root(), slot + 1, VALIDATORS);
        Update {
            signed: self.committee(period).sign(message, all),
            signature_slot: slot + 1,
            next: self.committee(slot / SLOTS + 1).bytes(),
            next_branch: branch(&state, of_next),
            finality_branch: branch(&state, of_finalized),
            attested,
            finalized,
        }
    }
}

/// A bootstrap of these parts.
pub(crate) fn bootstrap_of(header: &Header, keys: &Keys, branch: &[Node]) -> Vec<u8> {
    container(&[
        (is_variable(shape(header.slot)), header.ssz()),
        (false, keys.bytes()),
        (false, branch.concat()),
    ])
}

/// An update, its parts free to be tampered with.
#[derive(Clone, Debug)]
pub(crate) struct Update {
    pub(crate) attested: Header,
    pub(crate) next: Vec<u8>,
    pub(crate) next_branch: Vec<Node>,
    pub(crate) finalized: Header,
    pub(crate) finality_branch: Vec<Node>,
    pub(crate) signed: Signed,
    pub(crate) signature_slot: u64,
}

impl Update {
    pub(crate) fn ssz(&self, form: Form) -> Vec<u8> {
        let variable = is_variable(shape(self.attested.slot));
        let mut fields = vec![(variable, self.attested.ssz())];
        if form == Form::Update {
            fields.push((false, self.next.clone()));
            fields.push((false, self.next_branch.concat()));
        }
        if form != Form::Optimistic {
            fields.push((variable, self.finalized.ssz()));
            fields.push((false, self.finality_branch.concat()));
        }
        fields.push((false, self.signed.bits.clone()));
        fields.push((false, self.signed.signature.to_vec()));
        fields.push((false, self.signature_slot.to_le_bytes().to_vec()));
        container(&fields)
    }

    /// The committee of `period` signs what is attested now.
    pub(crate) fn sign(&mut self, world: World, signs: impl Fn(usize) -> bool) {
        let message = message(self.attested.root(), self.signature_slot, VALIDATORS);
        self.signed = world.committee(self.signature_slot / SLOTS).sign(message, signs);
    }

    /// Without the next committee, as a node writes it that has none.
    pub(crate) fn without_next(mut self) -> Self {
        self.next.fill(0);
        self.next_branch.fill([0; 32]);
        self
    }

    /// Without finality.
    pub(crate) fn without_finality(mut self) -> Self {
        self.finalized = Header::default_of(shape(self.attested.slot));
        self.finality_branch.fill([0; 32]);
        self
    }
}

/// Unix time of a slot.
pub(crate) fn now(slot: u64) -> u64 {
    slot * SECONDS
}
