//! Points of G2 that parameters fix, as the Miller loop takes them. Preparing one is a tenth of a pairing's work, and its lines
//! take some 20 kB: they are made when a check first needs them, and kept.

use alloc::boxed::Box;

use ark_ec::pairing::Pairing;
use once_cell::race::OnceBox;

/// A point of G2, and its lines once they were needed.
#[derive(Debug)]
pub struct Prepared<P: Pairing> {
    point: P::G2Affine,
    lines: OnceBox<P::G2Prepared>,
}

impl<P: Pairing> Prepared<P> {
    /// A point whose lines were not needed yet.
    pub const fn new(point: P::G2Affine) -> Self {
        Self { point, lines: OnceBox::new() }
    }

    /// The point.
    pub const fn point(&self) -> P::G2Affine {
        self.point
    }

    /// Its lines.
    pub fn lines(&self) -> P::G2Prepared {
        self.lines.get_or_init(|| Box::new(self.point.into())).clone()
    }
}

impl<P: Pairing> Clone for Prepared<P> {
    fn clone(&self) -> Self {
        Self::new(self.point)
    }
}

impl<P: Pairing> PartialEq for Prepared<P> {
    fn eq(&self, other: &Self) -> bool {
        self.point == other.point
    }
}

impl<P: Pairing> Eq for Prepared<P> {}
