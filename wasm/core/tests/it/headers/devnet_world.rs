//! A devnet of 32 keys and periods of 10 blocks.

use lightproof_core::hash::{keccak256, sha256};
use lightproof_core::header::light::LightClient;
use lightproof_testkit::Rlp;

use super::bls::{Keys, Signed, all};

pub(crate) const SIZE: usize = 32;
pub(crate) const PERIOD: u64 = 10;
pub(crate) const CHAIN_ID: u64 = 0x4c50;

/// Unix time of block 0.
pub(crate) const GENESIS_TIME: u64 = 1_700_000_000;

/// A header and what is said of it.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub(crate) version: u64,
    pub(crate) chain_id: u64,
    pub(crate) parent: [u8; 32],
    pub(crate) number: u64,
    pub(crate) timestamp: u64,
    pub(crate) committee_root: [u8; 32],
}

impl Header {
    pub(crate) fn rlp(&self) -> Vec<u8> {
        Rlp::List(self.fields()).encode()
    }

    pub(crate) fn fields(&self) -> Vec<Rlp> {
        let commitment = Rlp::list([Rlp::str("mpt"), Rlp::str([7; 32])]);
        vec![
            Rlp::uint(self.version),
            Rlp::uint(self.chain_id),
            Rlp::str(self.parent),
            Rlp::uint(self.number),
            Rlp::uint(self.timestamp),
            Rlp::list([commitment]),
            Rlp::str(self.committee_root),
        ]
    }
}

/// The committee of a period.
pub(crate) fn committee(period: u64) -> Keys {
    Keys::new(period + 1, SIZE)
}

/// SHA-256(root(p) ‖ root(p + 1)).
pub(crate) fn committee_root(period: u64) -> [u8; 32] {
    sha256(&[&committee(period).root(), &committee(period + 1).root()]).0
}

/// Block `number`; its parent is not looked at by signatures.
pub(crate) fn header(number: u64) -> Header {
    Header {
        version: 1,
        chain_id: CHAIN_ID,
        parent: if number == 0 { [0; 32] } else { [9; 32] },
        number,
        timestamp: GENESIS_TIME + number,
        committee_root: committee_root(number / PERIOD),
    }
}

pub(crate) fn genesis_hash() -> [u8; 32] {
    keccak256(&header(0).rlp()).0
}

/// The chain in RLP; another id or genesis makes another network.
pub(crate) fn chain_of(chain_id: u64, genesis: [u8; 32]) -> Vec<u8> {
    let consensus = Rlp::list([Rlp::uint(SIZE as u64), Rlp::uint(PERIOD)]);
    Rlp::list([Rlp::str("devnet"), Rlp::uint(chain_id), Rlp::str(genesis), consensus]).encode()
}

pub(crate) fn chain() -> Vec<u8> {
    chain_of(CHAIN_ID, genesis_hash())
}

/// What is signed for a header on a network.
pub(crate) fn message_on(chain_id: u64, genesis: [u8; 32], rlp: &[u8]) -> [u8; 32] {
    let network = sha256(&[&genesis, &chain_id.to_be_bytes()]).0;
    sha256(&[&keccak256(rlp).0, &[0x4c, 0x50, 0, 0], &network[..28]]).0
}

pub(crate) fn message(rlp: &[u8]) -> [u8; 32] {
    message_on(CHAIN_ID, genesis_hash(), rlp)
}

/// The header's committee signs, everyone of it.
pub(crate) fn sign(header: &Header) -> Signed {
    committee(header.number / PERIOD).sign(message(&header.rlp()), all)
}

/// RLP `[header, bits, signature]`.
pub(crate) fn finality(header: &[u8], signed: &Signed) -> Vec<u8> {
    Rlp::strings([header, &signed.bits, &signed.signature]).encode()
}

/// RLP `[header, bits, signature, keys, aggregate, proofs, sibling]`.
pub(crate) fn update(header: &[u8], signed: &Signed, next: &Keys, sibling: [u8; 32]) -> Vec<u8> {
    let (keys, proofs) = (next.public.concat(), next.proofs());
    let fields: [&[u8]; 7] =
        [header, &signed.bits, &signed.signature, &keys, &next.aggregate, &proofs, &sibling];
    Rlp::strings(fields).encode()
}

/// An honest finality of block `number`.
pub(crate) fn finality_of(number: u64) -> Vec<u8> {
    let header = header(number);
    finality(&header.rlp(), &sign(&header))
}

/// An honest update of block `number`, with the committee of the period after it.
pub(crate) fn update_of(number: u64) -> Vec<u8> {
    let (header, period) = (header(number), number / PERIOD);
    update(&header.rlp(), &sign(&header), &committee(period + 1), committee(period).root())
}

/// RLP `[header, keys, aggregate, proofs, sibling]`.
pub(crate) fn bootstrap(header: &[u8], keys: &Keys, sibling: [u8; 32]) -> Vec<u8> {
    let (public, proofs) = (keys.public.concat(), keys.proofs());
    let fields: [&[u8]; 5] = [header, &public, &keys.aggregate, &proofs, &sibling];
    Rlp::strings(fields).encode()
}

/// An honest bootstrap at block `number`, and its checkpoint.
pub(crate) fn bootstrap_of(number: u64) -> ([u8; 32], Vec<u8>) {
    let (rlp, period) = (header(number).rlp(), number / PERIOD);
    let bytes = bootstrap(&rlp, &committee(period), committee(period + 1).root());
    (keccak256(&rlp).0, bytes)
}

/// A client at block `number`.
pub(crate) fn client_at(number: u64) -> LightClient {
    let mut client = LightClient::new(&chain()).unwrap();
    let (checkpoint, bytes) = bootstrap_of(number);
    client.bootstrap(&checkpoint, &bytes, &mut ()).unwrap();
    client
}

/// A clock that shows a block's time.
pub(crate) fn now(number: u64) -> u64 {
    GENESIS_TIME + number
}
