//! What is told of a check's steps, held against the proof.

use std::collections::{BTreeMap, BTreeSet};

use lightproof_core::observer::{Cost, Field, Kind, Observer, Step};
use lightproof_core::wire::Reader;
use lightproof_testkit::ask;

use super::honest;

/// Steps of one part of a check, the step first that it begins with.
#[derive(Default)]
struct Parts(Vec<Vec<Told>>);

/// A step: its kind, what it is about, its numbers and its words.
struct Told(Kind, &'static str, BTreeMap<&'static str, u64>, BTreeMap<&'static str, &'static str>);

impl Observer for Parts {
    fn step(&mut self, step: Step<'_>) {
        let number = |(name, field): &(&'static str, Field<'_>)| match field {
            Field::Number(number) => Some((*name, *number)),
            _ => None,
        };
        let word = |(name, field): &(&'static str, Field<'_>)| match field {
            Field::Word(word) => Some((*name, *word)),
            _ => None,
        };
        let numbers = step.fields.iter().filter_map(number).collect();
        let words = step.fields.iter().filter_map(word).collect();
        if step.kind == Kind::Entered {
            self.0.push(Vec::new());
        }
        let told = Told(step.kind, step.what, numbers, words);
        self.0.last_mut().unwrap().push(told);
    }

    fn cost(&mut self, _cost: Cost) {}
}

/// How a source is given, by what was done with it.
fn form(source: &[Told], is_one: bool) -> &'static str {
    let is_closed =
        |step: &Told| (step.0, step.1, step.2.get("hashes")) == (Kind::Hashed, "source", Some(&0));
    let about = |what| source.iter().skip(1).any(|step| step.1 == what);
    match () {
        () if about("opened range") => "open",
        () if about("extent") => "skipped",
        () if about("filter") => "excluded",
        () if is_one && !source.iter().any(is_closed) => "empty",
        () => "closed",
    }
}

/// Hashes from neighbouring entries of a run up to its root, and their bytes: node by node.
fn work(first: u64, count: u64, entries: u64, m: u64) -> (u64, u64) {
    let mut known: BTreeSet<u64> = (first..first + count).collect();
    let (mut hashes, mut bytes, mut width) = (count, 89 * count, entries);
    loop {
        known = known.into_iter().map(|place| place / m).collect();
        for node in &known {
            hashes += 1;
            bytes += 3 + 32 * m.min(width - node * m);
        }
        width = width.div_ceil(m);
        if width == 1 {
            return (hashes, bytes);
        }
    }
}

/// The level of each source of `cole/1`, by the counts in the proof.
fn levels(proof: &[u8]) -> Vec<u64> {
    let mut items = Reader::whole_list(proof, 0, "proof").unwrap();
    for _ in 0..8 {
        items.item("mode to T").unwrap();
    }
    let memories = items.u64("#memories").unwrap();
    let counts = items.string("levels").unwrap().bytes.chunks(2);
    let runs = (0..).zip(counts).flat_map(|(level, counts)| {
        std::iter::repeat_n(level, counts.iter().copied().map(usize::from).sum())
    });
    (0..memories).map(|_| 0).chain(runs).collect()
}

#[test]
fn sources_are_told_as_the_proof_gives_them() {
    let (mut forms, mut deepest) = (BTreeSet::new(), 0);
    for honest in honest() {
        let mut parts = Parts::default();
        let claims = ask::claims(std::slice::from_ref(&honest.claim));
        honest.verifier.verify(&claims, [0; 32], &mut parts);
        let steps = || parts.0.iter().flatten();
        let question = steps().find(|step| step.1 == "question");
        let (proofs, sources): (Vec<_>, Vec<_>) = (
            parts.0.iter().filter(|part| part[0].1 == "proof").collect(),
            parts.0.iter().filter(|part| part[0].1 == "source").collect(),
        );
        let counted = proofs.iter().filter_map(|part| part[0].2.get("sources"));
        assert_eq!(counted.collect::<BTreeSet<_>>(), [&(sources.len() as u64)].into());
        let levels = question.map(|_| levels(&honest.claim.proof));
        for (number, source) in sources.iter().enumerate() {
            let Told(_, _, numbers, words) = &source[0];
            assert_eq!(numbers["source"], number as u64);
            if let Some(levels) = &levels {
                assert_eq!(numbers["level"], levels[number]);
                deepest = deepest.max(levels[number]);
            }
            if let Some(told) = words.get("form") {
                assert_eq!(*told, form(source, question.is_some()));
                forms.insert(*told);
            }
            let opened = source.iter().find(|step| step.1 == "opened range");
            let (Some(question), Some(Told(_, _, opened, _))) = (question, opened) else {
                continue;
            };
            for neighbour in ["left neighbour", "right neighbour"] {
                assert_eq!(source.iter().filter(|step| step.1 == neighbour).count(), 1);
            }
            let [count, hashes, siblings] =
                ["count", "hashes", "siblings"].map(|name| opened[name]);
            let children = hashes - 1 + siblings;
            let bytes = 89 * count + 3 * (hashes - count) + 32 * children;
            assert_eq!(opened["bytes"], bytes);
            if words["place"] == "run" {
                let expected = work(opened["first"], count, opened["entries"], question.2["m"]);
                assert_eq!((hashes, bytes), expected);
            }
        }
    }
    assert_eq!(forms, ["closed", "empty", "excluded", "open", "skipped"].into());
    assert!(deepest > 0);
}
