//! Files in the form of `balanceproofs/`, of other lengths up to 2²⁰ and over other generators, made here from secrets that are known:
//! every point is one multiple of a generator, by a plain model of the paper's formulas. They go through the same runner as those
//! from outside.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ark_bls12_381::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use ark_ec::PrimeGroup;
use ark_ff::{BigInteger, FftField, Field, One, PrimeField, Zero};
use ark_serialize::CanonicalSerialize;
use lightproof_testkit::hex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Report, balanceproofs};

/// A vector of p·t·m values, most of them zero; what a scheme does not have is a side of one.
struct World {
    name: &'static str,
    scheme: &'static str,
    sides: [u64; 3],
    /// α, β, γ; the last one is τ of `basic`, β of `bucketed`.
    secrets: [Fr; 3],
    generators: (G1Projective, G2Projective),
    values: BTreeMap<u64, Fr>,
}

/// By outer bucket, by inner bucket: places.
type Groups = BTreeMap<u64, BTreeMap<u64, Vec<u64>>>;

impl World {
    fn new(name: &'static str, scheme: &'static str, sides: [u64; 3], seed: u64) -> Self {
        let drawn = |number: u64| Fr::from(seed * 1_000 + number).pow([0x1234_5677]);
        let n: u64 = sides.iter().product();
        let values = (0..110).map(|number| (number * 7_919 % n, drawn(number + 10)));
        let (g, h) = (G1Projective::generator(), G2Projective::generator());
        Self {
            name,
            scheme,
            sides,
            secrets: [drawn(1), drawn(2), drawn(3)],
            generators: (g * drawn(4), h * drawn(5)),
            values: values.collect(),
        }
    }

    fn n(&self) -> u64 {
        self.sides.iter().product()
    }

    fn split(&self, position: u64) -> [u64; 3] {
        let [_, t, m] = self.sides;
        [position / (t * m), position / m % t, position % m]
    }

    fn groups(&self, positions: &[u64]) -> Groups {
        let mut groups = Groups::new();
        for position in positions {
            let [i, j, k] = self.split(*position);
            groups.entry(i).or_default().entry(j).or_default().push(k);
        }
        groups
    }

    fn root(&self, side: usize, place: u64) -> Fr {
        Fr::get_root_of_unity(self.sides[side]).unwrap().pow([place])
    }

    fn roots(&self, side: usize, places: impl IntoIterator<Item = u64>) -> Vec<Fr> {
        places.into_iter().map(|place| self.root(side, place)).collect()
    }

    /// φ, or φᵢ or φᵢⱼ, at a point.
    fn phi(&self, fixed: &[u64], at: [Fr; 3]) -> Fr {
        let value = |(position, value): (&u64, &Fr)| {
            let place = self.split(*position);
            let own = place.iter().zip(fixed).all(|(place, fixed)| place == fixed);
            let basis = (fixed.len()..3).map(|side| {
                let (n, root) = (self.sides[side], self.root(side, place[side]));
                root * (at[side].pow([n]) - Fr::one()) / (Fr::from(n) * (at[side] - root))
            });
            if own { *value * basis.product::<Fr>() } else { Fr::zero() }
        };
        self.values.iter().map(value).sum()
    }

    fn outer(&self, i: u64, at: [Fr; 3]) -> Fr {
        (self.phi(&[], at) - self.phi(&[i], at)) / (at[0] - self.root(0, i))
    }

    fn middle(&self, i: u64, j: u64, at: [Fr; 3]) -> Fr {
        (self.phi(&[i], at) - self.phi(&[i, j], at)) / (at[1] - self.root(1, j))
    }

    /// A\_K and c\_K at a point.
    fn bucket(&self, i: u64, j: u64, places: &[u64], at: Fr) -> (Fr, Fr) {
        let roots = self.roots(2, places.iter().copied());
        let [_, t, m] = self.sides;
        let known = places.iter().enumerate().map(|(place, k)| {
            let value = self.values.get(&((i * t + j) * m + k)).copied().unwrap_or_default();
            value * lagrange(&roots, place, at)
        });
        (vanishing(&roots, at), known.sum())
    }

    fn inner(&self, i: u64, j: u64, places: &[u64], at: [Fr; 3]) -> Fr {
        let (a, c) = self.bucket(i, j, places, at[2]);
        (self.phi(&[i, j], at) - c) / a
    }

    /// Π\_S.
    fn whole_outer(&self, groups: &Groups, at: [Fr; 3]) -> Fr {
        let roots = self.roots(0, groups.keys().copied());
        let each = groups.keys().enumerate();
        let sum: Fr =
            each.map(|(place, i)| lagrange(&roots, place, at[0]) * self.phi(&[*i], at)).sum();
        (self.phi(&[], at) - sum) / vanishing(&roots, at[0])
    }

    /// Ψᵢ of all its inner buckets.
    fn whole_middle(&self, i: u64, inner: &BTreeMap<u64, Vec<u64>>, at: [Fr; 3]) -> Fr {
        let roots = self.roots(1, inner.keys().copied());
        let each = inner.keys().enumerate();
        let sum: Fr =
            each.map(|(place, j)| lagrange(&roots, place, at[1]) * self.phi(&[i, *j], at)).sum();
        (self.phi(&[i], at) - sum) / vanishing(&roots, at[1])
    }

    fn g1(&self, scalar: Fr) -> Vec<u8> {
        written(&G1Affine::from(self.generators.0 * scalar))
    }

    fn g2(&self, scalar: Fr) -> Vec<u8> {
        written(&G2Affine::from(self.generators.1 * scalar))
    }

    fn point(&self, scalar: Fr) -> Value {
        text(&self.g1(scalar))
    }

    fn commitment(&self) -> Fr {
        self.phi(&[], self.secrets)
    }

    /// The file of parameters, with powers for `count` positions of a bucket.
    fn params(&self, count: usize) -> Value {
        let [alpha, beta, last] = self.secrets;
        let powers = |write: &dyn Fn(Fr) -> Vec<u8>, count| -> Vec<Value> {
            let powers = std::iter::successors(Some(Fr::one()), |power| Some(*power * last));
            powers.take(count).map(|power| text(&write(power))).collect()
        };
        let first = powers(&|scalar| self.g1(scalar), count);
        let second = powers(&|scalar| self.g2(scalar), count + 1);
        let (name, outer): (&str, &[(&str, Fr)]) = match self.scheme {
            "basic" => ("", &[]),
            "bucketed" => ("beta_", &[("alpha", alpha)]),
            _ => ("gamma_", &[("alpha", alpha), ("beta", beta)]),
        };
        let mut file =
            json!({ format!("{name}g1_powers"): first, format!("{name}g2_powers"): second });
        for (name, secret) in outer {
            file[format!("{name}_g2")] = text(&self.g2(*secret));
            file[format!("{name}_TEST_ONLY")] = scalar(*secret);
        }
        if let Some(name) = name.strip_suffix('_') {
            file[format!("{name}_TEST_ONLY")] = scalar(last);
        }
        file
    }

    fn value(&self, position: u64) -> Fr {
        self.values.get(&position).copied().unwrap_or_default()
    }

    /// A claim of these values, which may be false, with the honest proof times `factor`.
    fn claim(&self, positions: &[u64], values: &[Fr], factor: Fr, valid: bool) -> Value {
        let at = self.secrets;
        let groups = self.groups(positions);
        let point = |scalar: Fr| self.point(scalar * factor);
        let proof = if self.scheme == "basic" {
            point(self.inner(0, 0, positions, at))
        } else {
            let (mut buckets, mut rest) = (Vec::new(), values);
            for (i, inner) in &groups {
                for (j, places) in inner {
                    let (own, others) = rest.split_at(places.len());
                    rest = others;
                    let own: Vec<Value> = own.iter().map(|value| scalar(*value)).collect();
                    let pi = point(self.inner(*i, *j, places, at));
                    let mut bucket = json!({ "i": i, "k": places, "values": own, "pi": pi });
                    if self.scheme == "bucketed" {
                        bucket["Pi"] = point(self.outer(*i, at));
                    } else {
                        bucket["j"] = json!(j);
                        bucket["psi"] = point(self.middle(*i, *j, at));
                    }
                    buckets.push(bucket);
                }
            }
            let outer: Vec<&u64> = groups.keys().collect();
            let mut proof = json!({ "S": outer, "buckets": buckets });
            if self.scheme == "two-layer" {
                proof["Pi_i"] = groups.keys().map(|i| point(self.outer(*i, at))).collect();
            }
            proof
        };
        let values: Vec<Value> = values.iter().map(|value| scalar(*value)).collect();
        let mut claim =
            json!({ "indices": positions, "values": values, "proof": proof, "valid": valid });
        if self.scheme != "basic" {
            let psi = groups.iter().map(|(i, inner)| point(self.whole_middle(*i, inner, at)));
            let psi = if self.scheme == "bucketed" { Value::Null } else { psi.collect() };
            claim["halved"] =
                json!({ "Pi_S": point(self.whole_outer(&groups, at)), "Psi_iT": psi });
        }
        claim
    }

    fn individual(&self, position: u64, value: Fr) -> Value {
        let at = self.secrets;
        let [i, j, k] = self.split(position);
        let pi = self.point(self.inner(i, j, &[k], at));
        let big = self.point(self.outer(i, at));
        let proof = match self.scheme {
            "basic" => pi,
            "bucketed" => json!({ "Pi": big, "pi": pi }),
            _ => json!({ "Pi": big, "Psi": self.point(self.middle(i, j, at)), "pi": pi }),
        };
        let valid = value == self.value(position);
        json!({ "index": position, "value": scalar(value), "proof": proof, "valid": valid })
    }

    /// The file of claims.
    fn file(&self, sets: &[Vec<u64>]) -> Value {
        let aggregate: Vec<Value> =
            sets.iter().map(|set| self.claim(set, &self.values_of(set), Fr::one(), true)).collect();
        let mut tampered = Vec::new();
        for set in sets {
            let honest = self.values_of(set);
            for place in [0, set.len() - 1] {
                let mut values = honest.clone();
                values[place] += Fr::one();
                tampered.push(self.claim(set, &values, Fr::one(), false));
            }
            tampered.push(self.claim(set, &honest, -Fr::one(), false));
            if let [first, second, ..] = honest[..] {
                let mut values = honest.clone();
                (values[0], values[1]) = if first == second {
                    (first + first + Fr::one(), -first)
                } else {
                    (second, first)
                };
                tampered.push(self.claim(set, &values, Fr::one(), false));
            }
        }
        let honest = self.values.iter().take(3);
        let singles: Vec<Value> = honest
            .flat_map(|(position, value)| [(*position, *value), (*position, *value + Fr::one())])
            .map(|(position, value)| self.individual(position, value))
            .collect();
        let mut file = json!({
            "params": format!("params_{}.json", self.name),
            "commitment": self.point(self.commitment()),
            "individual": singles,
            "aggregate": aggregate,
            "tampered": tampered,
            "n": self.n(),
        });
        let [p, t, m] = self.sides;
        if self.scheme != "basic" {
            (file["p"], file["m"]) = (json!(p), json!(m));
        }
        if self.scheme == "two-layer" {
            file["t"] = json!(t);
        }
        file
    }

    fn values_of(&self, positions: &[u64]) -> Vec<Fr> {
        positions.iter().map(|position| self.value(*position)).collect()
    }

    /// The file of hints for the same sets.
    fn hints(&self, sets: &[Vec<u64>]) -> Value {
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

    fn transcript(&self, tag: &str, sides: &[u64]) -> Transcript {
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

    fn evaluation_hint(&self, set: &[u64]) -> [Value; 2] {
        let tau = self.secrets[2];
        let shown: Vec<_> = set.iter().map(|position| (*position, self.value(*position))).collect();
        let known =
            World { values: shown.into_iter().collect(), generators: self.generators, ..*self };
        let a = |x| vanishing(&self.roots(2, set.iter().copied()), x);
        let quotient = (self.commitment() - known.commitment()) / a(tau);
        let mut transcript = self.transcript("balanceproofs/basic/eval-hint/v1", &[self.n()]);
        transcript.number(set.len() as u64);
        transcript.numbers(set);
        self.values_of(set).into_iter().for_each(|value| transcript.take(&be(value)));
        transcript.take(&self.g1(quotient));
        let z = transcript.draw();
        let rho = known.phi(&[], [z; 3]);
        let hint = (self.commitment() - rho - a(z) * quotient) / (tau - z);
        [self.point(quotient), self.point(hint)]
    }

    fn absorb_bucket(&self, transcript: &mut Transcript, [i, j]: [u64; 2], places: &[u64]) {
        let [_, t, m] = self.sides;
        transcript.number(j);
        transcript.number(places.len() as u64);
        transcript.numbers(places);
        let positions = places.iter().map(|k| (i * t + j) * m + k);
        positions.for_each(|position| transcript.take(&be(self.value(position))));
    }

    fn first_hint(&self, set: &[u64]) -> Value {
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

    fn third_hint(&self, set: &[u64]) -> Value {
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
}

/// The hints' transcripts, as the files' page describes them.
#[derive(Default)]
struct Transcript(Vec<u8>);

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

/// ∏ (x − root).
fn vanishing(roots: &[Fr], x: Fr) -> Fr {
    roots.iter().map(|root| x - root).product()
}

/// The polynomial that is one at one of the roots and zero at the others.
fn lagrange(roots: &[Fr], place: usize, x: Fr) -> Fr {
    let others = roots.iter().enumerate().filter(|(other, _)| *other != place);
    others.map(|(_, other)| (x - other) / (roots[place] - other)).product()
}

fn written(point: &impl CanonicalSerialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    point.serialize_compressed(&mut bytes).unwrap();
    bytes
}

fn be(scalar: Fr) -> Vec<u8> {
    scalar.into_bigint().to_bytes_be()
}

fn text(bytes: &[u8]) -> Value {
    json!(hex::encode(bytes).trim_start_matches("0x"))
}

fn scalar(scalar: Fr) -> Value {
    text(&be(scalar))
}

#[test]
fn made_files_of_every_scheme_are_judged_as_their_secrets_say() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("balanceproofs_made");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let write = |name: String, file: Value| fs::write(folder.join(name), file.to_string()).unwrap();
    for (seed, (name, scheme, sides)) in [
        ("basic_n128", "basic", [1, 1, 128]),
        ("basic_n2_20", "basic", [1, 1, 1 << 20]),
        ("onelayer_n64", "bucketed", [16, 1, 4]),
        ("twolayer_n64", "two-layer", [4, 8, 2]),
        ("twolayer_n2_20", "two-layer", [1 << 7, 1 << 6, 1 << 7]),
    ]
    .into_iter()
    .enumerate()
    {
        let world = World::new(name, scheme, sides, seed as u64 + 1);
        let positions: Vec<u64> = world.values.keys().copied().collect();
        let mut sets = vec![vec![positions[1]], positions[..3].to_vec()];
        // With an unset position at each end; of `basic`, more than are interpolated one by one.
        let many = if scheme == "basic" { 70 } else { 7 };
        let mut set = positions[..many].to_vec();
        set.extend([0, world.n() - 1]);
        set.sort_unstable();
        set.dedup();
        sets.push(set);
        let file = world.file(&sets);
        write(format!("params_{name}.json"), world.params(many + 2));
        write(format!("{name}.json"), file);
        if scheme != "bucketed" {
            write(format!("hinted_{name}.json"), world.hints(&sets));
        }
    }
    let mut report = Report::default();
    balanceproofs::run(&folder, &mut report);
    assert_eq!(report.failures, Vec::<String>::new());
    assert_eq!((report.files, report.cases), (9, 176));
}
