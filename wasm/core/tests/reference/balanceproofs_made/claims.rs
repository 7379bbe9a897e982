//! Parameters and claims in the form of the files, true and false ones.

use ark_bls12_381::Fr;
use ark_ff::One;
use serde_json::{Value, json};

use super::world::{World, scalar, text};

impl World {
    /// The file of parameters, with powers for `count` positions of a bucket.
    pub(super) fn params(&self, count: usize) -> Value {
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

    /// A claim of these values, which may be false, with the honest proof times `factor`.
    pub(super) fn claim(&self, positions: &[u64], values: &[Fr], factor: Fr, valid: bool) -> Value {
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

    pub(super) fn individual(&self, position: u64, value: Fr) -> Value {
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
    pub(super) fn file(&self, sets: &[Vec<u64>]) -> Value {
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
        let mut file = self.described(&aggregate);
        file["params"] = json!(format!("params_{}.json", self.name));
        file["commitment"] = self.point(self.commitment());
        file["individual"] = json!(singles);
        file["tampered"] = json!(tampered);
        file
    }

    /// A file of aggregates alone, with the form of the vector, and where its parameters are.
    pub(super) fn described(&self, aggregate: &[Value]) -> Value {
        let (mut file, [p, t, m]) = (json!({ "n": self.n(), "aggregate": aggregate }), self.sides);
        file["params"] = json!("params.json");
        if self.scheme != "basic" {
            (file["p"], file["m"]) = (json!(p), json!(m));
        }
        if self.scheme == "two-layer" {
            file["t"] = json!(t);
        }
        file
    }
}
