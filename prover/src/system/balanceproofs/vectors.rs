//! Vectors that questions were asked about a short time ago: to read one takes as long as to prove
//! a few of its positions.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::opening::Vector;

/// Positions of all vectors that are kept. Each has a value and a coefficient, of 32 bytes.
const MAX_POSITIONS: usize = 1 << 16;
/// Vectors that are kept.
const MAX_VECTORS: usize = 4;

/// Vectors by their commitments, which bind every value; the one asked about last is first.
#[derive(Debug, Default)]
pub(super) struct Vectors(Mutex<VecDeque<(Vec<u8>, Arc<Vector>)>>);

impl Vectors {
    /// The vector with this commitment; read if it is not kept. Nothing is kept of an error.
    pub(super) fn get<E>(
        &self,
        commitment: &[u8],
        read: impl FnOnce() -> Result<Vector, E>,
    ) -> Result<Arc<Vector>, E> {
        if let Some(vector) = self.kept(commitment, None) {
            return Ok(vector);
        }
        // Not under the lock: others ask about vectors that are kept.
        let vector = Arc::new(read()?);
        self.kept(commitment, Some(&vector));
        Ok(vector)
    }

    /// Finds a vector, or keeps one that was read, and puts it first.
    fn kept(&self, commitment: &[u8], read: Option<&Arc<Vector>>) -> Option<Arc<Vector>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = all.iter().position(|(name, _)| name == commitment);
        let found = place.and_then(|place| all.remove(place));
        let first = found.or_else(|| Some((commitment.to_vec(), Arc::clone(read?))))?;
        let vector = Arc::clone(&first.1);
        all.push_front(first);
        let positions = |all: &VecDeque<(_, Arc<Vector>)>| -> usize {
            all.iter().map(|(_, vector)| vector.all_values().len()).sum()
        };
        while all.len() > MAX_VECTORS || positions(&all) > MAX_POSITIONS {
            all.pop_back();
        }
        Some(vector)
    }
}

#[cfg(test)]
mod tests {
    use ark_bls12_381::{Fr, G1Affine};

    use super::*;
    use crate::system::balanceproofs::{Config, Setup, Source};

    fn vector(count: usize) -> Vector {
        let sides = [1, 1, count as u64];
        let config = Config { sides, source: Source::Seed(3), ..Config::DEFAULT };
        let values = vec![Fr::from(7); count];
        Vector::committed(Setup::of(&config), values, G1Affine::identity())
    }

    #[test]
    fn those_asked_about_last_are_kept() {
        let (vectors, one) = (Vectors::default(), vector(4));
        let read = |name: u8| vectors.get(&[name], || Ok::<_, ()>(one.clone())).unwrap();
        let is_kept = |name: u8| vectors.0.lock().unwrap().iter().any(|(kept, _)| *kept == [name]);
        (1..=4).for_each(|name| _ = read(name));
        assert!(Arc::ptr_eq(&read(1), &read(1)));
        read(5);
        assert_eq!([1, 2, 3, 4, 5].map(is_kept), [true, false, true, true, true]);
        assert_eq!(vectors.get(&[2], || Err(5)).unwrap_err(), 5);
        assert!(!is_kept(2));
    }

    #[test]
    fn a_vector_of_too_many_positions_is_not_kept() {
        let (vectors, large) = (Vectors::default(), vector(MAX_POSITIONS * 2));
        for name in [1, 2] {
            vectors.get(&[name], || Ok::<_, ()>(large.clone())).unwrap();
            assert!(vectors.0.lock().unwrap().is_empty());
        }
    }
}
