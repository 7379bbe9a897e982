//! Differences of keys as numbers. A key has 448 bits; products with a position have 512 and are
//! compared exactly.

use std::cmp::Ordering;

use crate::system::cole::key::Key;

/// An unsigned number below 2^448, least significant word first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide([u64; 7]);

impl Wide {
    /// The key read as a big-endian number.
    pub(super) fn of(key: &Key) -> Self {
        let words = key.as_chunks::<8>().0;
        Self(std::array::from_fn(|at| u64::from_be_bytes(words[6 - at])))
    }

    /// `self - other`, which must not be larger.
    pub(super) fn minus(&self, other: &Self) -> Self {
        let mut borrow = false;
        Self(std::array::from_fn(|at| {
            let (word, first) = self.0[at].overflowing_sub(other.0[at]);
            let (word, second) = word.overflowing_sub(u64::from(borrow));
            borrow = first || second;
            word
        }))
    }

    /// The nearest number that a float holds, to 2^-52 of its size.
    pub(super) fn to_f64(self) -> f64 {
        // The two highest words that count hold at least 65 bits.
        #[allow(clippy::cast_precision_loss)]
        self.0.iter().rev().fold(0.0, |sum, word| sum * 18_446_744_073_709_551_616.0 + *word as f64)
    }

    fn times(&self, factor: u64) -> [u64; 8] {
        let mut out = [0; 8];
        let mut carry = 0_u128;
        for (to, word) in out.iter_mut().zip(self.0) {
            carry += u128::from(word) * u128::from(factor);
            #[allow(clippy::cast_possible_truncation)]
            {
                *to = carry as u64;
            }
            carry >>= 64;
        }
        out[7] = u64::try_from(carry).unwrap_or(u64::MAX);
        out
    }
}

/// A direction: `run` to the right, which is not zero, and `rise` upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slope {
    pub(super) run: Wide,
    pub(super) rise: i64,
}

impl Slope {
    /// Positions per unit of key.
    pub(super) fn to_f64(self) -> f64 {
        #[allow(clippy::cast_precision_loss)]
        {
            self.rise as f64 / self.run.to_f64()
        }
    }
}

impl PartialOrd for Slope {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        // rise / run < rise' / run'  ⇔  rise · run' < rise' · run, since runs are positive.
        let (left, right) =
            (other.run.times(self.rise.unsigned_abs()), self.run.times(other.rise.unsigned_abs()));
        let sizes = left.iter().rev().cmp(right.iter().rev());
        Some(match (self.rise < 0, other.rise < 0) {
            (false, false) => sizes,
            (true, true) => sizes.reverse(),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        })
    }
}
