//! Verdicts of claims that are checked together, and the seed under which their equations are
//! settled.
//!
//! The seed of the batching coefficients follows from every input of the check: whatever it left
//! out, a prover could choose after he knows the coefficients, and so that false equations cancel
//! in their sum.

use std::cell::RefCell;
use std::rc::Rc;

use lightproof_core::error::{DecodeError, InputError, Span, VerifyError};
use lightproof_core::hash::Hash;
use lightproof_core::json::{self, ToJson};
use lightproof_core::observer::Observer;
use lightproof_core::proven::{join, part};
use lightproof_core::system::{Encoded, Equations, Join, Part, System, SystemConfig};
use lightproof_core::wire::{ListWriter, Reader};
use lightproof_core::{Claim, Root, verify};

/// A system whose fact is what the proof says, unless it says `false`. `OTHER` changes its name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Keeper<const OTHER: bool>;

/// The seeds that equations were settled under, and the claims that settling blames.
#[derive(Clone, Debug, Default)]
struct Settling {
    seeds: Rc<RefCell<Vec<Hash>>>,
    blamed: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Said(Vec<u8>);

impl ToJson for Said {
    fn to_json(&self, _out: &mut String) {}
}

/// A claim that was never given.
const NOBODY: usize = 7;

const AT: Span = Span { start: 3, end: 5 };

/// The claims that wait to be settled.
#[derive(Default)]
struct Pushed(Vec<usize>);

impl Join for Pushed {
    fn join(parts: &[&[u8]]) -> bool {
        (0..).zip(parts).all(|(number, part)| **part == [2, number])
    }
}

impl Equations<Settling> for Pushed {
    fn lazily() -> Self {
        Self::default()
    }

    fn read(&mut self, _params: &Settling, points: &[Encoded<'_>]) -> Result<(), DecodeError> {
        assert_eq!(points, []);
        Ok(())
    }

    /// Says which it is; nothing for three claims.
    fn part(&self, _params: &Settling, _seed: Hash, part: Part) -> Option<Vec<u8>> {
        let claims = u8::try_from(self.0.len()).unwrap();
        (claims < 3).then(|| vec![claims, u8::try_from(part.number).unwrap()])
    }

    fn begin(&mut self, claim: usize) {
        self.0.push(claim);
    }

    fn abandon(&mut self) {}

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn is_full(&self) -> bool {
        self.0.len() == 3
    }

    fn settle(
        &self,
        params: &Settling,
        seed: Hash,
        _observer: &mut impl Observer,
    ) -> Vec<(usize, VerifyError)> {
        params.seeds.borrow_mut().push(seed);
        let waits = |claim: &&usize| self.0.contains(claim) || **claim == NOBODY;
        let blamed = params.blamed.iter().filter(waits);
        blamed.map(|claim| (*claim, VerifyError::Opening { span: AT })).collect()
    }
}

impl<const OTHER: bool> System for Keeper<OTHER> {
    const NAME: &'static str = if OTHER { "other" } else { "keeper" };
    type Params = Settling;
    type Root = ();
    type Query = Vec<u8>;
    type Proof<'a> = &'a [u8];
    type Fact = Said;
    type Equations = Pushed;

    fn params(_config: &SystemConfig<'_>, _bytes: &[u8]) -> Result<Settling, InputError> {
        Ok(Settling::default())
    }

    fn root(_params: &Settling, _bytes: &[u8], _number: u64) -> Result<(), DecodeError> {
        Ok(())
    }

    fn query(_params: &Settling, rlp: &[u8]) -> Result<Vec<u8>, InputError> {
        Ok(rlp.to_vec())
    }

    fn decode<'a>(
        _params: &Settling,
        _query: &Vec<u8>,
        _variant: &str,
        bytes: &'a [u8],
    ) -> Result<&'a [u8], DecodeError> {
        Ok(bytes)
    }

    fn check(
        _params: &Settling,
        _root: &(),
        _query: &Vec<u8>,
        proof: &&[u8],
        _todo: &mut Pushed,
        _observer: &mut impl Observer,
    ) -> Result<Said, VerifyError> {
        match *proof {
            b"false" => Err(VerifyError::Incomplete { span: AT }),
            said => Ok(Said(said.to_vec())),
        }
    }
}

/// Root, query, variant and proof of a claim.
type Parts<'a> = (&'a [u8], &'a [u8], &'a str, &'a [u8]);

fn seed<const OTHER: bool>(claims: &[Parts<'_>], fresh: u8) -> Hash {
    let params = Settling::default();
    let roots: Vec<_> = claims
        .iter()
        .map(|(root, ..)| Root::<Keeper<OTHER>>::pinned(&params, root, 7).unwrap())
        .collect();
    let claims: Vec<_> = claims
        .iter()
        .zip(&roots)
        .map(|(&(_, query, variant, proof), root)| Claim { root, query, variant, proof })
        .collect();
    let mut bytes = [0; 32];
    bytes[31] = fresh;
    assert!(verify(&params, &claims, bytes, &mut ()).iter().all(Result::is_ok));
    let seeds = params.seeds.borrow();
    assert_eq!(seeds.len(), 1);
    seeds[0]
}

#[test]
fn the_seed_changes_with_every_input_of_every_claim() {
    const ONE: Parts<'_> = (b"root", b"query", "variant", b"proof");
    const TWO: Parts<'_> = (b"root of two", b"query of two", "variant", b"proof of two");
    assert_eq!(seed::<false>(&[ONE, TWO], 1), seed::<false>(&[ONE, TWO], 1));
    let all = [
        ("as it is", seed::<false>(&[ONE, TWO], 1)),
        ("fresh bytes", seed::<false>(&[ONE, TWO], 2)),
        ("system", seed::<true>(&[ONE, TWO], 1)),
        ("root", seed::<false>(&[(b"rooT", ONE.1, ONE.2, ONE.3), TWO], 1)),
        ("query", seed::<false>(&[(ONE.0, b"querY", ONE.2, ONE.3), TWO], 1)),
        ("variant", seed::<false>(&[(ONE.0, ONE.1, "varianT", ONE.3), TWO], 1)),
        ("proof", seed::<false>(&[(ONE.0, ONE.1, ONE.2, b"prooF"), TWO], 1)),
        ("root of the last", seed::<false>(&[ONE, (b"root", TWO.1, TWO.2, TWO.3)], 1)),
        ("query of the last", seed::<false>(&[ONE, (TWO.0, b"query", TWO.2, TWO.3)], 1)),
        ("variant of the last", seed::<false>(&[ONE, (TWO.0, TWO.1, "varianT", TWO.3)], 1)),
        ("proof of the last", seed::<false>(&[ONE, (TWO.0, TWO.1, TWO.2, b"proof")], 1)),
        ("order", seed::<false>(&[TWO, ONE], 1)),
        ("one claim less", seed::<false>(&[ONE], 1)),
        ("one claim more", seed::<false>(&[ONE, TWO, TWO], 1)),
        // The same bytes one after the other, cut elsewhere.
        ("root, longer", seed::<false>(&[(b"rootq", b"uery", ONE.2, ONE.3), TWO], 1)),
        ("query, longer", seed::<false>(&[(ONE.0, b"queryv", "ariant", ONE.3), TWO], 1)),
        ("variant, longer", seed::<false>(&[(ONE.0, ONE.1, "variantp", b"roof"), TWO], 1)),
    ];
    for (index, (what, seed)) in all.iter().enumerate() {
        for (other, earlier) in &all[..index] {
            assert_ne!(seed, earlier, "{what}, {other}");
        }
    }
}

/// Equations are settled whenever there are many, under the one seed that binds all claims.
#[test]
fn many_claims_are_settled_in_parts() {
    let params = Settling { blamed: vec![0, 4, 6], ..Settling::default() };
    let root = Root::<Keeper<false>>::pinned(&params, b"root", 7).unwrap();
    let claim = Claim { root: &root, query: b"query", variant: "variant", proof: b"proof" };
    for (count, parts) in [(1, 1), (2, 1), (3, 1), (4, 2), (6, 2), (7, 3)] {
        params.seeds.borrow_mut().clear();
        let verdicts = verify(&params, &vec![claim.clone(); count], [0; 32], &mut ());
        let proven: Vec<_> = verdicts.iter().map(Result::is_ok).collect();
        let expected: Vec<_> = (0..count).map(|index| ![0, 4, 6].contains(&index)).collect();
        assert_eq!(proven, expected);
        let seeds = params.seeds.borrow();
        assert_eq!(seeds.len(), parts);
        assert!(seeds.iter().all(|seed| *seed == seeds[0]));
    }
}

#[test]
fn nothing_is_settled_without_equations() {
    let params = Settling::default();
    assert!(verify::<Keeper<false>>(&params, &[], [0; 32], &mut ()).is_empty());
    assert!(params.seeds.borrow().is_empty());
}

/// Verdicts about proofs: the fact, or the code.
fn verdicts(proofs: &[&[u8]], blamed: &[usize]) -> Vec<Result<Vec<u8>, &'static str>> {
    let params = Settling { blamed: blamed.to_vec(), ..Settling::default() };
    let root = Root::<Keeper<false>>::pinned(&params, b"root", 7).unwrap();
    let claim = |proof| Claim { root: &root, query: b"query", variant: "variant", proof };
    let claims: Vec<_> = proofs.iter().copied().map(claim).collect();
    let verdicts = verify(&params, &claims, [0; 32], &mut ());
    let said = |verdict: Result<lightproof_core::Proven<Keeper<false>>, _>| match verdict {
        Ok(proven) => Ok(proven.fact().0.clone()),
        Err(rejection) => Err(lightproof_core::Rejection::code(&rejection)),
    };
    verdicts.into_iter().map(said).collect()
}

#[test]
fn each_claim_has_its_verdict_in_its_place() {
    let said = |bytes: &[u8]| Ok(bytes.to_vec());
    assert_eq!(verdicts(&[b"one", b"two"], &[]), [said(b"one"), said(b"two")]);
    let incomplete = Err(VerifyError::Incomplete { span: AT }.code());
    let opening = Err(VerifyError::Opening { span: AT }.code());
    assert_ne!(incomplete, opening);
    assert_eq!(
        verdicts(&[b"one", b"false", b"two"], &[]),
        [said(b"one"), incomplete.clone(), said(b"two")]
    );
    assert_eq!(verdicts(&[b"one", b"two"], &[1]), [said(b"one"), opening.clone()]);
    // What failed before keeps its reason; who was never asked about is nobody.
    assert_eq!(verdicts(&[b"false", b"two"], &[0, 1, NOBODY]), [incomplete, opening]);
}

#[test]
fn a_proven_fact_says_what_was_asked_and_of_which_block() {
    let params = Settling::default();
    let root = Root::<Keeper<false>>::pinned(&params, b"root", 7).unwrap();
    let claim = Claim { root: &root, query: b"query", variant: "variant", proof: b"proof" };
    let proven = verify(&params, &[claim], [0; 32], &mut ()).remove(0).unwrap();
    assert_eq!((proven.query().as_slice(), proven.fact()), (&b"query"[..], &Said(b"proof".into())));
    assert_eq!((proven.block().number, proven.block().hash), (7, None));
}

/// The parts of claims with these proofs.
fn parts(proofs: &[&[u8]], fresh: u8, of: usize) -> Option<Vec<Vec<u8>>> {
    with_claims(proofs, |params, claims| {
        let part = |number| part(params, claims, [fresh; 32], Part { number, of });
        (0..of).map(part).collect()
    })
}

/// The verdicts that parts come to.
fn joined(parts: &[Vec<u8>]) -> Option<String> {
    let parts: Vec<_> = parts.iter().map(Vec::as_slice).collect();
    join::<Pushed>(&parts)
}

fn with_claims<R>(
    proofs: &[&[u8]],
    work: impl FnOnce(&Settling, &[Claim<'_, Keeper<false>>]) -> R,
) -> R {
    let params = Settling::default();
    let root = Root::<Keeper<false>>::pinned(&params, b"root", 7).unwrap();
    let claim = |proof| Claim { root: &root, query: b"query", variant: "variant", proof };
    let claims: Vec<_> = proofs.iter().copied().map(claim).collect();
    work(&params, &claims)
}

#[test]
fn only_all_parts_of_the_same_claims_prove_them() {
    let claims: [&[u8]; 2] = [b"one", b"two"];
    for of in 1..=4 {
        let verdicts = joined(&parts(&claims, 1, of).unwrap()).unwrap();
        assert_eq!(verdicts, with_claims(&claims, verdicts_of));
    }
    let all = parts(&claims, 1, 3).unwrap();
    let [first, second, third] = [&all[0], &all[1], &all[2]].map(Clone::clone);
    let other = parts(&[b"one", b"owt"], 1, 3).unwrap().remove(1);
    let later = parts(&claims, 2, 3).unwrap().remove(1);
    let of_four = parts(&claims, 1, 4).unwrap().remove(1);
    let items = Reader::whole_list(&second, 0, "part").unwrap();
    let [label, _, verdicts] = strings(items);
    let altered = |label: &[u8], product: &[u8]| {
        ListWriter::default().string(label).string(product).string(verdicts).finish()
    };
    for forged in [
        vec![],
        vec![vec![]],
        vec![first.clone()],
        vec![first.clone(), second.clone()],
        vec![first.clone(), third.clone(), second.clone()],
        vec![first.clone(), first.clone(), third.clone()],
        vec![first.clone(), other, third.clone()],
        vec![first.clone(), later, third.clone()],
        vec![first.clone(), of_four, third.clone()],
        vec![first.clone(), second[..31].to_vec(), third.clone()],
        vec![first.clone(), [&second[..], &[0]].concat(), third.clone()],
        vec![first.clone(), altered(&label[..47], &[2, 1]), third.clone()],
        vec![first.clone(), altered(&label[..31], &[2, 1]), third.clone()],
        vec![first.clone(), altered(label, &[2, 0]), third.clone()],
        vec![altered(&label[..31], &[2, 0]), second.clone(), third.clone()],
        vec![first.clone(), second.clone(), third.clone(), third.clone()],
    ] {
        assert_eq!(joined(&forged), None, "{forged:?}");
    }
    assert!(joined(&[first, altered(label, &[2, 1]), third]).is_some());
}

fn strings(mut items: Reader<'_>) -> [&[u8]; 3] {
    [(); 3].map(|()| items.string("part").unwrap().bytes)
}

/// JSON of the facts of claims that all hold.
fn verdicts_of(params: &Settling, claims: &[Claim<'_, Keeper<false>>]) -> String {
    let proven = verify(params, claims, [0; 32], &mut ());
    let proven: Vec<_> = proven.into_iter().map(Result::unwrap).collect();
    let mut out = String::new();
    json::list(&mut out, &proven, |out, proven| proven.to_json(out));
    out
}

#[test]
fn claims_that_are_not_settled_at_once_have_no_parts() {
    assert_eq!(parts(&[b"one", b"false"], 1, 2), None);
    assert_eq!(parts(&[b"one", b"two", b"three"], 1, 2), None);
}

#[test]
fn what_has_no_equations_has_no_parts() {
    let alone = parts(&[b"one", b"two"], 1, 1).unwrap();
    assert!(joined(&alone).is_some());
    assert_eq!(join::<()>(&[&alone[0]]), None);
    let first = Part { number: 0, of: 1 };
    assert_eq!(Equations::<()>::part(&(), &(), Hash::ZERO, first), None);
}

#[test]
fn no_part_is_beyond_the_last() {
    for (number, of) in [(0, 0), (1, 0), (1, 1), (3, 3), (4, 3)] {
        let none = with_claims(&[b"one"], |params, claims| {
            part(params, claims, [0; 32], Part { number, of })
        });
        assert_eq!(none, None);
    }
}
