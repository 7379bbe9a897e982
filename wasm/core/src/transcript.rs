//! Fiat-Shamir transcripts: one stream of SHA-256, from which challenges are drawn in turn.
//!
//! It starts with `u64be(len(tag)) ‖ tag`. A challenge is d = SHA-256(stream), then the 512-bit
//! integer SHA-256(d ‖ 00) ‖ SHA-256(d ‖ 01) modulo the order of the scalar field; the stream
//! starts over as d ‖ 02.

// Operators on field elements reduce modulo a prime; they cannot overflow.
#![allow(clippy::arithmetic_side_effects)]

use ark_ff::PrimeField;
use sha2::{Digest, Sha256};

use crate::hash::sha256;

/// What prover and verifier have said so far.
#[derive(Clone, Debug)]
pub struct Transcript(Sha256);

impl Transcript {
    /// A transcript of the protocol that `tag` names.
    pub fn new(tag: &str) -> Self {
        let mut transcript = Self(Sha256::new());
        transcript.number(tag.len() as u64);
        transcript.absorb(tag.as_bytes());
        transcript
    }

    /// Takes bytes, whose number must follow from what was taken before.
    pub fn absorb(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Takes an integer: 8 bytes, big-endian.
    pub fn number(&mut self, number: u64) {
        self.absorb(&number.to_be_bytes());
    }

    /// Draws a challenge that depends on everything taken so far.
    pub fn challenge<F: PrimeField>(&mut self) -> F {
        let mut next = Sha256::new();
        core::mem::swap(&mut next, &mut self.0);
        let digest: [u8; 32] = next.finalize().into();
        let shift = F::from(u64::MAX) + F::one();
        let mut challenge = F::zero();
        for half in [sha256(&[&digest, &[0]]), sha256(&[&digest, &[1]])] {
            for word in half.0.as_chunks().0 {
                challenge = challenge * shift + F::from(u64::from_be_bytes(*word));
            }
        }
        self.absorb(&digest);
        self.absorb(&[2]);
        challenge
    }
}
