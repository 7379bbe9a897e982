//! `commit-hinted` proofs that a liar solves for: each would pass if one part of the check were
//! missing or foreseeable.
//!
//! Points that are changed in an honest proof fail because the challenges change with them. Here
//! the challenges are drawn again: a liar fixes π, W, V and the weights as he likes, takes them
//! into the transcript as core does, and computes U for the z and γ that come out. Every equation
//! holds but the one that the case is about.

use ark_bls12_381::Fr;
use ark_ff::{Field as _, One, PrimeField as _, Zero as _};
use lightproof_core::transcript::Transcript;

use super::scene::{Result, Scene, compressed};
use super::values::ASKED;
use crate::case::{Case, Claim};
use lightproof_prover::system::balanceproofs::Variant;
use lightproof_prover::system::balanceproofs::encoding::bytes;
use lightproof_prover::system::balanceproofs::opening::{envelope, scalar};
use lightproof_prover::system::balanceproofs::polynomial::{divide, interpolate, weights};

const VARIANT: Variant = Variant::CommitHinted;

/// What is sent before the challenges, as polynomials by their coefficients: π, W and V commit to
/// them.
#[derive(Clone)]
struct Sent {
    values: Vec<Fr>,
    aggregate: Vec<Fr>,
    set: Vec<Fr>,
    claimed: Vec<Fr>,
    weights: Vec<Fr>,
}

/// The sum of multiples of polynomials.
fn sum(terms: &[(Fr, &[Fr])]) -> Vec<Fr> {
    let length = terms.iter().map(|(_, polynomial)| polynomial.len()).max().unwrap_or(0);
    let mut sum = vec![Fr::zero(); length];
    for (factor, polynomial) in terms {
        sum.iter_mut().zip(*polynomial).for_each(|(to, from)| *to += *factor * from);
    }
    sum
}

/// A and R of some values at the positions asked for.
fn polynomials(scene: &Scene, values: &[Fr]) -> (Vec<Fr>, Vec<Fr>) {
    let members: Vec<_> = ASKED.into_iter().zip(values.iter().copied()).collect();
    interpolate(&scene.setup.shape.inner, &members)
}

/// What an honest prover sends.
fn honest(scene: &Scene) -> Sent {
    let values = scene.vector.values(&ASKED);
    let values: Vec<Fr> = values.chunks(32).map(Fr::from_be_bytes_mod_order).collect();
    let (set, claimed) = polynomials(scene, &values);
    let rest = sum(&[(Fr::one(), phi(scene)), (-Fr::one(), &claimed)]);
    let aggregate = divide(&rest, &set).0;
    let weights = weights(&scene.setup.shape.inner, &ASKED);
    Sent { values, aggregate, set, claimed, weights }
}

/// The vector's polynomial.
fn phi(scene: &Scene) -> &[Fr] {
    &scene.vector.polynomial().entries
}

/// A claim of what is sent, and the U that commits to the quotient by X − z of what `opened` makes
/// of γ.
fn claim(scene: &Scene, sent: &Sent, opened: impl FnOnce(Fr) -> Vec<Fr>) -> Result<Claim> {
    let setup = &scene.setup;
    let mut points = bytes(&[setup.commit(&sent.aggregate)]);
    points.extend(bytes(&[setup.commit_g2(&sent.set).unwrap_or_default()]));
    points.extend(bytes(&[setup.commit(&sent.claimed)]));
    points.extend(sent.weights.iter().flat_map(|weight| scalar(*weight)));
    let values: Vec<u8> = sent.values.iter().flat_map(|value| scalar(*value)).collect();
    let mut transcript = Transcript::new("balanceproofs/basic/commit-hint/v1");
    transcript.absorb(&setup.key);
    transcript.number(setup.sides().iter().product::<usize>() as u64);
    transcript.absorb(&compressed(scene.vector.commitment()));
    transcript.number(ASKED.len() as u64);
    for position in ASKED {
        transcript.number(position);
    }
    transcript.absorb(&values);
    transcript.absorb(&points);
    let z: Fr = transcript.challenge();
    let gamma: Fr = transcript.challenge();
    points.extend(bytes(&[setup.commit(&divide(&opened(gamma), &[-z, Fr::one()]).0)]));
    Ok(scene.opened(&ASKED, VARIANT)?.with_proof(envelope(&values, &points)))
}

/// Every case of a scene.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    if !scene.variants().contains(&VARIANT) {
        return Ok(Vec::new());
    }
    let true_one = honest(scene);
    // What the check opens at z: A + γ·R.
    let both = |sent: &Sent| {
        let (set, claimed) = (sent.set.clone(), sent.claimed.clone());
        move |gamma: Fr| sum(&[(Fr::one(), &set), (gamma, &claimed)])
    };
    let control = claim(scene, &true_one, both(&true_one))?;
    // Without this one, all others could fail for a transcript of another form.
    let mut cases =
        vec![scene.accepted("Honest", "a proof made as those of liars are", control, &ASKED)];
    let mut refused = |comment: &str, claim: Claim| {
        cases.push(claim.refused("Fitted", comment, "verify.opening"));
    };

    // Weights c·m/m′ in place of c: Σ c·m/(z − x), hence ρ, stays what it is for the true values m.
    // Only that the weights are those of the set tells.
    for liar in [1, ASKED.len()] {
        let mut sent = true_one.clone();
        for (value, weight) in sent.values.iter_mut().zip(&mut sent.weights).take(liar) {
            let other = *value + Fr::one();
            *weight *= *value * other.inverse().unwrap_or_default();
            *value = other;
        }
        let comment = format!("{liar} false values, and weights that make good for them");
        refused(&comment, claim(scene, &sent, both(&sent))?);
    }

    let mut values = true_one.values.clone();
    values[0] += Fr::one();
    let (_, claimed) = polynomials(scene, &values);
    let lie = Sent { values, claimed, ..true_one.clone() };
    let one = [Fr::one()];

    // V is the commitment to the false values, and opened as such: only φ − R, which A does not
    // divide, tells.
    refused(
        "a commitment to false values, which the vector's is not",
        claim(scene, &lie, both(&lie))?,
    );

    // W commits to 1, which divides φ − R: only the opening of W tells. It would pass for δ = 0.
    let rest = sum(&[(Fr::one(), phi(scene)), (-Fr::one(), &lie.claimed)]);
    let sent = Sent { aggregate: rest.clone(), set: one.to_vec(), ..lie.clone() };
    refused("the commitment to an empty set", claim(scene, &sent, both(&sent))?);

    // V commits to the true values: only the opening of V tells. It would pass for γ = 0.
    let sent = Sent { claimed: true_one.claimed.clone(), ..lie.clone() };
    let opened = sent.set.clone();
    refused("a commitment to the true values, not opened", claim(scene, &sent, move |_| opened)?);

    // For γ = 1, W = A + D and V = R − D open together as A and R do; D such that φ − R + D = 2·(A
    // + D).
    let two = Fr::one() + Fr::one();
    let shift = sum(&[(-two, &lie.set), (Fr::one(), phi(scene)), (-Fr::one(), &lie.claimed)]);
    let sent = Sent {
        aggregate: vec![two],
        set: sum(&[(Fr::one(), &lie.set), (Fr::one(), &shift)]),
        claimed: sum(&[(Fr::one(), &lie.claimed), (-Fr::one(), &shift)]),
        ..lie.clone()
    };
    let both_of_one = both(&lie)(Fr::one());
    refused("two commitments shifted against each other", claim(scene, &sent, |_| both_of_one)?);

    // For δ = 1, W = 1 and π = φ − R − A + 1 fail in both equations by what cancels in their sum.
    let aggregate = sum(&[(Fr::one(), &rest), (-Fr::one(), &lie.set), (Fr::one(), &one)]);
    let sent = Sent { aggregate, set: one.to_vec(), ..lie.clone() };
    refused("equations that fail by as much", claim(scene, &sent, both(&lie))?);

    Ok(cases)
}
