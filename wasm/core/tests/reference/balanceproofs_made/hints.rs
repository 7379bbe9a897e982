//! Hints, and the transcripts that they are drawn from, as the files' page describes them.

use ark_bls12_381::Fr;
use ark_ff::{Field, One, PrimeField, Zero};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::world::{World, be, lagrange, scalar, vanishing};

impl World {
    /// The file of hints for the same sets.
    pub(super) fn hints(&self, sets: &[Vec<u64>]) -> Value {
        let cases = sets.iter().map(|set| {
            let values: Vec<Value> = self.values_of(set).into_iter().map(scalar).collect();
            let mut case = json!({
                "source": format!("{}.json", self.name),
                "indices": set,
                "values": values,
                "valid": true,
            });
            if self.scheme == "basic" {
                let [q, u] = self.evaluation_hint(set);
                (case["q"], case["u"]) = (q, u);
            } else {
                (case["T1"], case["T3"]) = (self.first_hint(set), self.third_hint(set));
            }
            case
        });
        json!({ "cases": cases.collect::<Vec<_>>() })
    }

    pub(super) fn transcript(&self, tag: &str, sides: &[u64]) -> Transcript {
        let mut transcript = Transcript::default();
        transcript.number(tag.len() as u64);
        transcript.take(tag.as_bytes());
        let mut key = vec![self.g1(Fr::one()), self.g2(Fr::one())];
        let outer = if self.scheme == "basic" { &[][..] } else { &self.secrets[..2] };
        key.extend(outer.iter().chain(&self.secrets[2..]).map(|secret| self.g2(*secret)));
        transcript.take(&Sha256::digest(key.concat()));
        transcript.numbers(sides);
        transcript.take(&self.g1(self.commitment()));
        transcript
    }

    pub(super) fn evaluation_hint(&self, set: &[u64]) -> [Value; 2] {
        let tau = self.secrets[2];
        let shown: Vec<_> = set.iter().map(|position| (*position, self.value(*position))).collect();
        let known =
            World { values: shown.into_iter().collect(), generators: self.generators, ..*self };
        let a = |x| vanishing(&self.roots(2, set.iter().copied()), x);
        let quotient = (self.commitment() - known.commitment()) / a(tau);
        let mut transcript = self.claims("balanceproofs/basic/eval-hint/v1", set);
        transcript.take(&self.g1(quotient));
        let z = transcript.draw();
        let rho = known.phi(&[], [z; 3]);
        let hint = (self.commitment() - rho - a(z) * quotient) / (tau - z);
        [self.point(quotient), self.point(hint)]
    }

    pub(super) fn absorb_bucket(
        &self,
        transcript: &mut Transcript,
        [i, j]: [u64; 2],
        places: &[u64],
    ) {
        let [_, t, m] = self.sides;
        transcript.number(j);
        transcript.number(places.len() as u64);
        transcript.numbers(places);
        let positions = places.iter().map(|k| (i * t + j) * m + k);
        positions.for_each(|position| transcript.take(&be(self.value(position))));
    }

    pub(super) fn first_hint(&self, set: &[u64]) -> Value {
        let (at, groups) = (self.secrets, self.groups(set));
        let mut transcript = self.transcript("balanceproofs/two-layer/T1/v1", &self.sides);
        transcript.number(groups.len() as u64);
        for (i, inner) in &groups {
            transcript.number(*i);
            transcript.take(&self.g1(self.outer(*i, at)));
            transcript.number(inner.len() as u64);
            for (j, places) in inner {
                self.absorb_bucket(&mut transcript, [*i, *j], places);
                transcript.take(&self.g1(self.middle(*i, *j, at)));
                transcript.take(&self.g1(self.inner(*i, *j, places, at)));
            }
        }
        let r = transcript.draw();
        let buckets: Vec<_> = groups
            .iter()
            .flat_map(|(i, inner)| inner.iter().map(move |(j, places)| (*i, *j, places)))
            .zip(std::iter::successors(Some(Fr::one()), |power| Some(*power * r)))
            .collect();
        let mask: Fr = buckets.iter().map(|((i, j, _), r)| *r * self.phi(&[*i, *j], at)).sum();
        transcript.take(&self.g1(mask));
        let z = transcript.draw();
        let rest = buckets.iter().map(|((i, j, places), r)| {
            let (a, c) = self.bucket(*i, *j, places, z);
            *r * (c + a * self.inner(*i, *j, places, at))
        });
        let hint = (mask - rest.sum::<Fr>()) / (at[2] - z);
        json!({ "E": self.point(mask), "U": self.point(hint) })
    }

    pub(super) fn third_hint(&self, set: &[u64]) -> Value {
        let (at, groups) = (self.secrets, self.groups(set));
        let mut transcript = self.transcript("balanceproofs/two-layer/T3/v1", &self.sides);
        transcript.take(&self.g1(self.whole_outer(&groups, at)));
        transcript.number(groups.len() as u64);
        for (i, inner) in &groups {
            transcript.number(*i);
            transcript.take(&self.g1(self.whole_middle(*i, inner, at)));
            transcript.number(inner.len() as u64);
            for (j, places) in inner {
                self.absorb_bucket(&mut transcript, [*i, *j], places);
                transcript.take(&self.g1(self.inner(*i, *j, places, at)));
            }
        }
        let [a, b, g] = [transcript.draw(), transcript.draw(), transcript.draw()];
        let tops = self.roots(0, groups.keys().copied());
        // The commitment without what the proof says, as a function of the secrets.
        let rest = |at: [Fr; 3]| {
            let mut rest = self.phi(&[], at) - vanishing(&tops, a) * self.whole_outer(&groups, at);
            for (place, (i, inner)) in groups.iter().enumerate() {
                let l = lagrange(&tops, place, a);
                let roots = self.roots(1, inner.keys().copied());
                rest -= l * vanishing(&roots, b) * self.whole_middle(*i, inner, at);
                for (place, (j, places)) in inner.iter().enumerate() {
                    let (top, claimed) = self.bucket(*i, *j, places, g);
                    let bucket = top * self.inner(*i, *j, places, at) + claimed;
                    rest -= l * lagrange(&roots, place, b) * bucket;
                }
            }
            rest
        };
        let [alpha, beta, gamma] = at;
        let steps = [rest(at), rest([a, beta, gamma]), rest([a, b, gamma]), rest([a, b, g])];
        assert!(steps[3].is_zero());
        let below = [alpha - a, beta - b, gamma - g];
        let hints = steps.windows(2).zip(below).map(|(pair, below)| (pair[0] - pair[1]) / below);
        json!({ "Q": hints.map(|hint| self.point(hint)).collect::<Vec<_>>() })
    }

    /// π, W, V, the weights and U of the commitment hint.
    pub(super) fn commitment_hint(&self, set: &[u64]) -> Vec<u8> {
        let tau = self.secrets[2];
        let roots = self.roots(2, set.iter().copied());
        let weight = |(place, root): (usize, &Fr)| {
            let others = roots.iter().enumerate().filter(|(other, _)| *other != place);
            others.map(|(_, other)| *root - other).product::<Fr>().inverse().unwrap()
        };
        let (a, r) = self.bucket(0, 0, set, tau);
        let mut points = self.g1(self.inner(0, 0, set, [tau; 3]));
        points.extend([self.g2(a), self.g1(r)].concat());
        points.extend(roots.iter().enumerate().map(weight).flat_map(be));
        let mut transcript = self.claims("balanceproofs/basic/commit-hint/v1", set);
        transcript.take(&points);
        let [z, gamma] = [transcript.draw(), transcript.draw()];
        let (at, rho) = self.bucket(0, 0, set, z);
        points.extend(self.g1((a - at + gamma * (r - rho)) / (tau - z)));
        points
    }

    pub(super) fn claims(&self, tag: &str, set: &[u64]) -> Transcript {
        let mut transcript = self.transcript(tag, &[self.n()]);
        transcript.number(set.len() as u64);
        transcript.numbers(set);
        self.values_of(set).into_iter().for_each(|value| transcript.take(&be(value)));
        transcript
    }
}

/// A transcript.
#[derive(Default)]
pub(super) struct Transcript(Vec<u8>);

impl Transcript {
    fn take(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }

    fn number(&mut self, number: u64) {
        self.take(&number.to_be_bytes());
    }

    fn numbers(&mut self, numbers: &[u64]) {
        for number in numbers {
            self.number(*number);
        }
    }

    fn draw(&mut self) -> Fr {
        let digest = Sha256::digest(&self.0);
        let part =
            |number: u8| Sha256::new().chain_update(digest).chain_update([number]).finalize();
        self.0 = [&digest[..], &[2]].concat();
        Fr::from_be_bytes_mod_order(&[part(0), part(1)].concat())
    }
}
