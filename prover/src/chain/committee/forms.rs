//! What a light client is sent: RLP lists of strings (`spec/headers.md`, section 4).

use super::{Committees, message};
use crate::chain::header::Header;
use crate::hash::Word;
use crate::rlp::{self, Item};

/// A committee as it is sent, and the root of the other one that the header names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// N keys of 48 bytes.
    pub keys: Vec<u8>,
    /// Their sum.
    pub aggregate: Vec<u8>,
    /// N proofs that the keys' owners possess them, 96 bytes each.
    pub proofs: Vec<u8>,
    /// Root of the committee beside it under the header's `committeeRoot`.
    pub sibling: Vec<u8>,
}

/// `[header, keys, aggregate, proofs, sibling]`: the committee of the header's own period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    /// The header's RLP.
    pub header: Vec<u8>,
    /// The committee that signs in its period.
    pub committee: Listed,
}

/// `[header, bits, signature]`, and `keys, aggregate, proofs, sibling` of the next committee in an
/// update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The header's RLP.
    pub header: Vec<u8>,
    /// Who signed.
    pub bits: Vec<u8>,
    /// Their signature.
    pub signature: Vec<u8>,
    /// The next committee; `None` in a finality.
    pub next: Option<Listed>,
}

impl Bootstrap {
    /// The honest one at `header`.
    pub fn new(committees: &Committees, header: &Header) -> Self {
        let period = committees.terms().period_of(header.number);
        Self { header: header.encode(), committee: listed(committees, period, period + 1) }
    }

    /// The bytes that are sent.
    pub fn encode(&self) -> Vec<u8> {
        let Listed { keys, aggregate, proofs, sibling } = &self.committee;
        strings(&[&self.header, keys, aggregate, proofs, sibling])
    }

    /// Parses [`Bootstrap::encode`]'s bytes. `None` if they are no bootstrap.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let [header, keys, aggregate, proofs, sibling] = parts(bytes)?.try_into().ok()?;
        Some(Self { header, committee: Listed { keys, aggregate, proofs, sibling } })
    }
}

impl Update {
    /// The honest finality of `header`: its participants, their signature.
    pub fn finality(committees: &Committees, genesis_hash: &Word, header: &Header) -> Self {
        let message = message(genesis_hash, header.chain_id, &header.hash());
        let (bits, signature) = committees.sign(header.number, &message);
        Self { header: header.encode(), bits, signature: signature.to_vec(), next: None }
    }

    /// The honest update at `header`: its finality and the committee after its own.
    pub fn new(committees: &Committees, genesis_hash: &Word, header: &Header) -> Self {
        let period = committees.terms().period_of(header.number);
        let next = Some(listed(committees, period + 1, period));
        Self { next, ..Self::finality(committees, genesis_hash, header) }
    }

    /// The bytes that are sent.
    pub fn encode(&self) -> Vec<u8> {
        let Self { header, bits, signature, next } = self;
        match next {
            None => strings(&[header, bits, signature]),
            Some(Listed { keys, aggregate, proofs, sibling }) => {
                strings(&[header, bits, signature, keys, aggregate, proofs, sibling])
            }
        }
    }

    /// Parses [`Update::encode`]'s bytes. `None` if they are no update and no finality.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut parts = parts(bytes)?;
        let next = match parts.len() {
            3 => None,
            7 => {
                let [keys, aggregate, proofs, sibling] = parts.split_off(3).try_into().ok()?;
                Some(Listed { keys, aggregate, proofs, sibling })
            }
            _ => return None,
        };
        let [header, bits, signature] = parts.try_into().ok()?;
        Some(Self { header, bits, signature, next })
    }
}

/// The committee of a period as it is sent beside the root of another.
pub fn listed(committees: &Committees, period: u64, sibling: u64) -> Listed {
    let committee = committees.of(period);
    Listed {
        keys: committee.keys(),
        aggregate: committee.aggregate().to_vec(),
        proofs: committee.proofs(),
        sibling: committees.of(sibling).root().to_vec(),
    }
}

fn strings(parts: &[&[u8]]) -> Vec<u8> {
    Item::List(parts.iter().map(Item::bytes).collect()).encode()
}

fn parts(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let list = rlp::decode(bytes).ok()?;
    list.as_list()?.iter().map(|item| Some(item.as_bytes()?.to_vec())).collect()
}
