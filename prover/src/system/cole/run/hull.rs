//! Algorithm 2: one ε-bounded line over as many keys as it can cover, learned from a stream.
//!
//! Every key is a point (key, position). A line within ε of all points separates the hull of the
//! points raised by ε from the hull of those lowered by ε; both grow on their right end only, so a
//! point costs a constant on average (O'Rourke 1981).

use super::wide::{Slope, Wide};
use crate::system::cole::key::Key;

#[derive(Clone, Copy, Debug)]
struct Point {
    x: Wide,
    y: i64,
}

impl Point {
    /// The direction from `origin`, which lies further left.
    fn from(&self, origin: &Self) -> Slope {
        Slope { run: self.x.minus(&origin.x), rise: self.y - origin.y }
    }
}

/// The line under construction.
#[derive(Debug)]
pub(super) struct Hull {
    epsilon: i64,
    /// First key.
    pub(super) first: Key,
    /// Position of the first key.
    start: u64,
    /// Position of the last key.
    pub(super) last: u64,
    /// Raised points, the lower side of their hull, from `upper_from` on.
    upper: Vec<Point>,
    upper_from: usize,
    /// Lowered points, the upper side of their hull, from `lower_from` on.
    lower: Vec<Point>,
    lower_from: usize,
    /// The flattest line within ε of all points goes through these two.
    flattest: [Point; 2],
    /// The steepest one through these.
    steepest: [Point; 2],
}

impl Hull {
    /// A line that starts at a key.
    pub(super) fn new(epsilon: u64, first: &Key, position: u64) -> Self {
        let epsilon = i64::try_from(epsilon).unwrap_or(i64::MAX / 4);
        let x = Wide::of(first);
        // Heights count from the first position, so that they stay small.
        let (above, below) = (Point { x, y: epsilon }, Point { x, y: -epsilon });
        Self {
            epsilon,
            first: *first,
            start: position,
            last: position,
            upper: vec![above],
            upper_from: 0,
            lower: vec![below],
            lower_from: 0,
            flattest: [above, below],
            steepest: [below, above],
        }
    }

    /// Takes in the next key, or leaves it out if no line comes within ε of it and all before it.
    pub(super) fn add(&mut self, key: &Key, position: u64) -> bool {
        let x = Wide::of(key);
        let y = i64::try_from(position - self.start).unwrap_or(i64::MAX / 4);
        let (above, below) = (Point { x, y: y + self.epsilon }, Point { x, y: y - self.epsilon });
        if self.last == self.start {
            (self.flattest[1], self.steepest[1]) = (below, above);
            self.upper.push(above);
            self.lower.push(below);
            self.last = position;
            return true;
        }
        let flattest = self.flattest[1].from(&self.flattest[0]);
        let steepest = self.steepest[1].from(&self.steepest[0]);
        let too_low = above.from(&self.flattest[1]) < flattest;
        if too_low || below.from(&self.steepest[1]) > steepest {
            return false;
        }
        if above.from(&self.steepest[0]) < steepest {
            // The steepest line now ends at the new raised point, and touches the lowered hull.
            let lower = &self.lower[self.lower_from..];
            let slopes = lower.iter().map(|point| above.from(point));
            let at = first_minimum(slopes, |slope, least| slope < least);
            self.lower_from += at;
            self.steepest = [self.lower[self.lower_from], above];
            let keep = convex(&self.upper, self.upper_from, &above, |new, old| new <= old);
            self.upper.truncate(keep);
            self.upper.push(above);
        }
        if below.from(&self.flattest[0]) > flattest {
            let upper = &self.upper[self.upper_from..];
            // The raised point of this very key lies above it, not left of it.
            let slopes =
                upper.iter().take_while(|point| point.x != x).map(|point| below.from(point));
            let at = first_minimum(slopes, |slope, most| slope > most);
            self.upper_from += at;
            self.flattest = [self.upper[self.upper_from], below];
            let keep = convex(&self.lower, self.lower_from, &below, |new, old| new >= old);
            self.lower.truncate(keep);
            self.lower.push(below);
        }
        self.last = position;
        true
    }

    /// Slope, and position at the first key: the line halfway between the flattest and the
    /// steepest.
    #[allow(clippy::cast_precision_loss)]
    pub(super) fn line(&self) -> (f64, f64) {
        if self.last == self.start {
            return (0.0, self.start as f64);
        }
        let origin = Wide::of(&self.first);
        let [flat, steep] = [&self.flattest, &self.steepest].map(|[from, to]| {
            let slope = to.from(from).to_f64();
            (slope, from.y as f64 - slope * from.x.minus(&origin).to_f64())
        });
        (f64::midpoint(flat.0, steep.0), self.start as f64 + f64::midpoint(flat.1, steep.1))
    }
}

/// Index of the first slope that the next one does not better.
fn first_minimum(slopes: impl Iterator<Item = Slope>, better: fn(&Slope, &Slope) -> bool) -> usize {
    let mut best: Option<(usize, Slope)> = None;
    for (at, slope) in slopes.enumerate() {
        match &best {
            Some((_, than)) if !better(&slope, than) => break,
            _ => best = Some((at, slope)),
        }
    }
    best.map_or(0, |(at, _)| at)
}

/// How many points of a hull stay when `point` joins it.
fn convex(hull: &[Point], from: usize, point: &Point, drop: fn(&Slope, &Slope) -> bool) -> usize {
    let mut end = hull.len();
    while end >= from + 2 {
        let (origin, middle) = (&hull[end - 2], &hull[end - 1]);
        if !drop(&point.from(origin), &middle.from(origin)) {
            break;
        }
        end -= 1;
    }
    end
}
