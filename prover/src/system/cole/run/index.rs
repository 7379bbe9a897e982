//! Algorithms 3 and 7: the learned index of a run, in layers of models.
//!
//! A model is `k_min 56 B ‖ slope f64 ‖ intercept f64 ‖ p_max u64`, little-endian: the entry of key
//! K stands within ε of `intercept + slope · (K - k_min)`, up to `p_max`. The bottom layer covers
//! the value file; each layer above covers the `k_min` of the one below, until one fits a page. The
//! file ends with the layers' sizes, bottom-up, and their number.

use super::file::{Stored, Writer};
use super::hull::Hull;
use super::wide::Wide;
use crate::store::blobs::Blobs;
use crate::system::cole::error::Result;
use crate::system::cole::key::Key;

const MODEL: usize = 80;

/// Models in a page: 2ε, so that one prediction touches two pages at most.
fn page(epsilon: u64) -> u64 {
    (2 * epsilon).max(16)
}

/// Writes an index from ascending keys.
pub(super) struct Builder {
    writer: Writer,
    epsilon: u64,
    hull: Option<Hull>,
    position: u64,
    /// First keys of the layer under construction: the stream that the next layer learns.
    firsts: Vec<Key>,
}

impl Builder {
    pub(super) fn create(files: &dyn Blobs, name: &str, epsilon: u64) -> Result<Self> {
        let writer = Writer::create(files, name)?;
        Ok(Self { writer, epsilon, hull: None, position: 0, firsts: Vec::new() })
    }

    /// Takes in the next key.
    pub(super) fn add(&mut self, key: &Key) -> Result<()> {
        let fits = self.hull.as_mut().is_some_and(|hull| hull.add(key, self.position));
        if !fits {
            self.close_model()?;
            self.hull = Some(Hull::new(self.epsilon, key, self.position));
        }
        self.position += 1;
        Ok(())
    }

    fn close_model(&mut self) -> Result<()> {
        let Some(hull) = self.hull.take() else { return Ok(()) };
        let (slope, intercept) = hull.line();
        self.firsts.push(hull.first);
        self.writer.write(&hull.first)?;
        self.writer.write(&slope.to_le_bytes())?;
        self.writer.write(&intercept.to_le_bytes())?;
        self.writer.write(&hull.last.to_le_bytes())
    }

    /// Learns the layers above and makes the file durable.
    pub(super) fn finish(mut self) -> Result<()> {
        self.close_model()?;
        let mut layers = Vec::new();
        loop {
            let firsts = std::mem::take(&mut self.firsts);
            layers.push(firsts.len() as u64);
            if firsts.len() as u64 <= page(self.epsilon) {
                break;
            }
            self.position = 0;
            for first in &firsts {
                self.add(first)?;
            }
            self.close_model()?;
        }
        for count in &layers {
            self.writer.write(&count.to_le_bytes())?;
        }
        self.writer.write(&(layers.len() as u64).to_le_bytes())?;
        self.writer.finish()
    }
}

/// One learned line.
struct Model {
    first: Key,
    slope: f64,
    intercept: f64,
    last: u64,
}

impl Model {
    fn decode(bytes: &[u8; MODEL]) -> Self {
        let word = |at: usize| std::array::from_fn(|byte| bytes[at + byte]);
        Self {
            first: std::array::from_fn(|at| bytes[at]),
            slope: f64::from_le_bytes(word(56)),
            intercept: f64::from_le_bytes(word(64)),
            last: u64::from_le_bytes(word(72)),
        }
    }

    /// About where `key`, which is not below the first one, stands.
    fn predict(&self, key: &Key) -> u64 {
        let distance = Wide::of(key).minus(&Wide::of(&self.first)).to_f64();
        let predicted = self.intercept + self.slope * distance;
        // A float cast saturates: below zero is zero.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        (predicted as u64).min(self.last)
    }
}

/// A learned index on disk.
#[derive(Debug)]
pub(super) struct Index {
    file: Stored,
    epsilon: u64,
    /// First model and number of models of each layer, from the top down.
    layers: Vec<(u64, u64)>,
}

impl Index {
    pub(super) fn open(files: &dyn Blobs, name: &str, epsilon: u64, check: bool) -> Result<Self> {
        let file = Stored::open(files, name, check)?;
        let number = |at: Option<u64>| {
            let mut bytes = [0; 8];
            let at = at.ok_or_else(|| file.damaged("no layers"))?;
            file.read(at, &mut bytes)?;
            Ok(u64::from_le_bytes(bytes))
        };
        let count = number(file.length().checked_sub(8))?;
        let mut layers = Vec::new();
        let mut start = 0;
        let sizes = file.length().checked_sub(8 + 8 * count.min(64));
        for layer in 0..count.min(64) {
            let models = number(sizes.map(|sizes| sizes + 8 * layer))?;
            layers.push((start, models));
            start += models;
        }
        if sizes != start.checked_mul(MODEL as u64) || layers.is_empty() {
            return Err(file.damaged("the layers do not fill it"));
        }
        layers.reverse();
        Ok(Self { file, epsilon, layers })
    }

    /// Number of models on all layers.
    pub(super) fn models(&self) -> u64 {
        self.layers.iter().map(|(_, models)| models).sum()
    }

    /// About where the greatest key up to `key` stands in the value file; `None` if all keys are
    /// above it.
    pub(super) fn predict(&self, key: &Key) -> Result<Option<u64>> {
        let mut near = 0;
        let mut model = None;
        for (start, models) in &self.layers {
            let keys = |from: u64, to: u64| {
                let records = self.models_between(start + from, start + to)?;
                Ok(records.iter().map(|model| model.first).collect::<Vec<_>>())
            };
            let rank = rank(*models, near, self.epsilon, key, keys)?;
            let Some(at) = rank.checked_sub(1) else { return Ok(None) };
            let found = self.models_between(start + at, start + at + 1)?;
            near = found.first().map_or(0, |model| model.predict(key));
            model = Some(near);
        }
        Ok(model)
    }

    fn models_between(&self, from: u64, to: u64) -> Result<Vec<Model>> {
        let count = usize::try_from(to - from).unwrap_or_default();
        let mut bytes = vec![0; count * MODEL];
        self.file.read(from * MODEL as u64, &mut bytes)?;
        Ok(bytes.as_chunks::<MODEL>().0.iter().map(Model::decode).collect())
    }
}

/// How many of `count` ascending keys are at most `key`, searched around `near`; wider if the guess
/// was wrong.
pub(super) fn rank(
    count: u64,
    near: u64,
    epsilon: u64,
    key: &Key,
    keys: impl Fn(u64, u64) -> Result<Vec<Key>>,
) -> Result<u64> {
    // One more on each side: positions are rounded, and the key may lie between two models' keys.
    let mut reach = epsilon + 2;
    loop {
        let from = near.saturating_sub(reach).min(count);
        let to = near.saturating_add(reach).saturating_add(1).min(count);
        let window = keys(from, to)?;
        let inside = window.partition_point(|other| other <= key) as u64;
        let left = inside > 0 || from == 0;
        let right = inside < to - from || to == count;
        if left && right {
            return Ok(from + inside);
        }
        reach = reach.saturating_mul(4);
    }
}
