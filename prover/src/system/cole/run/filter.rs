//! Bloom filters over addresses, in the layout of the paper's authors. `cole/fast24` may commit to
//! them; in `cole/1` they are local, and only spare reads.

use xxhash_rust::xxh3::xxh3_64;

use crate::hash::Word;
use crate::system::cole::digest::blake2b;
use crate::system::cole::key::Address;

const SLICES: u64 = 4;

/// A filter laid out for a number of addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    bits: Vec<u8>,
    capacity: u64,
    inserts: u64,
}

impl Filter {
    /// A filter that excludes nine of ten addresses once `capacity` of them are in it.
    pub fn new(capacity: u64) -> Self {
        // ceil(4 · ceil(capacity / ln 2) / 8) bytes, as the authors' library computes it.
        #[allow(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss
        )]
        let slice = (capacity as f64 / std::f64::consts::LN_2).ceil() as u64;
        let bytes = usize::try_from((SLICES * slice).div_ceil(8)).unwrap_or(usize::MAX);
        Self { bits: vec![0; bytes.max(1)], capacity, inserts: 0 }
    }

    /// Adds an address.
    pub fn insert(&mut self, address: &[u8]) {
        let bits = self.positions(address);
        if bits.iter().any(|bit| self.bits[bit / 8] >> (bit % 8) & 1 == 0) {
            self.inserts += 1;
            for bit in bits {
                self.bits[bit / 8] |= 1 << (bit % 8);
            }
        }
    }

    /// Whether the address may have been added; `false` is certain.
    pub fn may_hold(&self, address: &Address) -> bool {
        self.positions(address).iter().all(|bit| self.bits[bit / 8] >> (bit % 8) & 1 == 1)
    }

    fn positions(&self, address: &[u8]) -> [usize; 4] {
        let slice = self.bits.len() as u64 * 8 / SLICES;
        let longer = [address, &[0]].concat();
        let (mut first, mut second) = (xxh3_64(address), xxh3_64(&longer).max(1));
        let mut index = 0;
        [(); 4].map(|()| {
            let bit = first % slice + index * slice;
            first = first.wrapping_add(second);
            second = second.wrapping_add(index);
            index += 1;
            usize::try_from(bit).unwrap_or_default()
        })
    }

    /// The bytes that the authors hash (bincode).
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bits.len() + 64);
        let number = |out: &mut Vec<u8>, number: u64| out.extend(number.to_le_bytes());
        number(&mut out, 1);
        number(&mut out, self.bits.len() as u64);
        out.extend_from_slice(&self.bits);
        number(&mut out, SLICES);
        out.extend(0.1_f64.to_le_bytes());
        for field in [self.capacity, self.inserts, self.capacity] {
            number(&mut out, field);
        }
        out
    }

    /// The filter that [`Filter::encode`] wrote.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let number =
            |at: usize| bytes.get(at..)?.first_chunk().map(|word| u64::from_le_bytes(*word));
        let length = usize::try_from(number(8)?).ok()?;
        let bits = bytes.get(16..16_usize.checked_add(length)?)?.to_vec();
        let filter = Self { bits, capacity: number(32 + length)?, inserts: number(40 + length)? };
        (filter.encode() == bytes).then_some(filter)
    }

    /// What a run commits to.
    pub fn digest(&self) -> Word {
        blake2b(&self.encode())
    }
}
