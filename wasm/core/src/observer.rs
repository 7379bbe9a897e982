//! What a verification did, step by step and at what cost, for whoever wants to show or count it.
//!
//! Check helpers report to an [`Observer`], which is a type parameter. With `()` the same checks
//! run, and the compiler drops the reports and their texts. An observer cannot change a verdict.

use alloc::string::String;
use core::fmt::Write;

use crate::error::Span;
use crate::hash::Hash;
use crate::json;

/// What kind of step it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A part of the check begins; its fields belong to all steps up to the next part.
    Entered,
    /// Bytes were hashed, and the hash is the one that something trusted refers to.
    Hashed,
    /// Two things were held against each other, and agree.
    Compared,
    /// An equation about a commitment was written down, to be settled with all others.
    Opened,
    /// A challenge was drawn from everything that it must bind.
    Drew,
    /// The equations of all claims were settled.
    Settled,
    /// The claim's check broke here: `what` is the code.
    Rejected,
}

impl Kind {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Entered => "entered",
            Self::Hashed => "hashed",
            Self::Compared => "compared",
            Self::Opened => "opened",
            Self::Drew => "drew",
            Self::Settled => "settled",
            Self::Rejected => "rejected",
        }
    }
}

/// A value of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field<'a> {
    /// A number.
    Number(u64),
    /// Yes or no.
    Flag(bool),
    /// A fixed word.
    Word(&'static str),
    /// Bytes.
    Bytes(&'a [u8]),
    /// A list of numbers.
    Numbers(&'a [u64]),
}

/// One step of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// Its kind.
    pub kind: Kind,
    /// What the step was about, in fixed words.
    pub what: &'static str,
    /// Where its bytes stand in the proof, if they do.
    pub span: Option<Span>,
    /// What else there is to say, by name.
    pub fields: &'a [(&'static str, Field<'a>)],
}

impl Step<'_> {
    /// The same, its bytes in a part that starts at `by`.
    #[must_use]
    pub fn shifted(self, by: usize) -> Self {
        let span = self.span.map(|Span { start, end }| Span {
            start: start.saturating_add(by),
            end: end.saturating_add(by),
        });
        Self { span, ..self }
    }

    /// Appends the members of its JSON object, without the fields.
    pub fn head_to_json(&self, out: &mut String) {
        out.push_str("\"kind\":");
        json::string(out, self.kind.name());
        out.push_str(",\"what\":");
        json::string(out, self.what);
        out.push_str(",\"span\":");
        match self.span {
            Some(span) => json::list(out, &[span.start, span.end], |out, end| {
                json::number(out, *end);
            }),
            None => out.push_str("null"),
        }
    }

    /// Appends its fields as members of a JSON object, a comma before each.
    pub fn fields_to_json(&self, out: &mut String) {
        for (name, field) in self.fields {
            out.push(',');
            json::string(out, name);
            out.push(':');
            match field {
                // Writing to a String cannot fail.
                Field::Number(value) => _ = write!(out, "{value}"),
                Field::Flag(value) => _ = write!(out, "{value}"),
                Field::Word(word) => json::string(out, word),
                Field::Bytes(bytes) => json::bytes(out, bytes),
                Field::Numbers(numbers) => {
                    json::list(out, numbers, |out, number| _ = write!(out, "{number}"));
                }
            }
        }
    }
}

/// Operations that a check made. Hash-only systems say in their steps what they hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// SHA-256 of two nodes, two compressions each.
    Hashes(usize),
    /// Points decompressed, each with a square root.
    Decompressed(usize),
    /// Points added up, or multiplied and added up.
    Terms(usize),
    /// Messages hashed to the curve.
    Mapped(usize),
    /// Miller loops.
    Loops(usize),
    /// Final exponentiations.
    Exponentiations(usize),
}

/// Watches a check. Clocks stay on this side: core has none.
pub trait Observer {
    /// Whether anyone watches. If not, no step is made.
    fn watches(&self) -> bool {
        true
    }

    /// The steps from now on are about this claim, or about all of them together.
    fn claim(&mut self, _number: Option<usize>) {}

    /// Spans from now on count from this place in the bytes of the whole.
    fn part(&mut self, _start: usize) {}

    /// Called once per step, in order.
    fn step(&mut self, step: Step<'_>);

    /// What was done since the last step.
    fn cost(&mut self, cost: Cost);
}

impl Observer for () {
    fn watches(&self) -> bool {
        false
    }

    fn step(&mut self, _step: Step<'_>) {}

    fn cost(&mut self, _cost: Cost) {}
}

/// Costs, summed up, for benchmarks and for tests that hold them down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sum of [`Cost::Hashes`].
    pub hashes: usize,
    /// Sum of [`Cost::Decompressed`].
    pub decompressed: usize,
    /// Sum of [`Cost::Terms`].
    pub terms: usize,
    /// Sum of [`Cost::Mapped`].
    pub mapped: usize,
    /// Sum of [`Cost::Loops`].
    pub loops: usize,
    /// Sum of [`Cost::Exponentiations`].
    pub exponentiations: usize,
}

impl Counts {
    /// The sums by name, those that are zero left out.
    pub fn named(self) -> impl Iterator<Item = (&'static str, usize)> {
        let Self { hashes, decompressed, terms, mapped, loops, exponentiations } = self;
        [
            ("hashes", hashes),
            ("decompressed", decompressed),
            ("terms", terms),
            ("mapped", mapped),
            ("loops", loops),
            ("exponentiations", exponentiations),
        ]
        .into_iter()
        .filter(|(_, sum)| *sum > 0)
    }
}

impl Observer for Counts {
    fn watches(&self) -> bool {
        false
    }

    fn step(&mut self, _step: Step<'_>) {}

    fn cost(&mut self, cost: Cost) {
        let (sum, count) = match cost {
            Cost::Hashes(count) => (&mut self.hashes, count),
            Cost::Decompressed(count) => (&mut self.decompressed, count),
            Cost::Terms(count) => (&mut self.terms, count),
            Cost::Mapped(count) => (&mut self.mapped, count),
            Cost::Loops(count) => (&mut self.loops, count),
            Cost::Exponentiations(count) => (&mut self.exponentiations, count),
        };
        *sum = sum.saturating_add(count);
    }
}

/// Reports a step: kind, words, span, and fields by name. Nothing is evaluated if nobody watches.
macro_rules! note {
    ($observer:expr, $kind:ident $what:expr, $span:expr $(, $name:ident: $value:expr)* $(,)?) => {
        if $observer.watches() {
            $observer.step($crate::observer::Step {
                kind: $crate::observer::Kind::$kind,
                what: $what,
                span: ::core::convert::Into::<::core::option::Option<$crate::error::Span>>::into($span),
                fields: &[$((stringify!($name), $crate::observer::Field::from($value))),*],
            });
        }
    };
}

pub(crate) use note;

/// Reports that a claim's check broke.
pub(crate) fn refused(observer: &mut impl Observer, code: &'static str, span: Option<Span>) {
    note!(observer, Rejected code, span);
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl From<$number> for Field<'_> {
            fn from(value: $number) -> Self {
                Self::Number(value.into())
            }
        })*
    };
}

numbers!(u8, u16, u32, u64);

impl From<usize> for Field<'_> {
    fn from(value: usize) -> Self {
        Self::Number(value as u64)
    }
}

impl From<bool> for Field<'_> {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

impl From<&'static str> for Field<'_> {
    fn from(word: &'static str) -> Self {
        Self::Word(word)
    }
}

impl<'a> From<&'a [u8]> for Field<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Field<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a, const N: usize> From<&'a [u64; N]> for Field<'a> {
    fn from(numbers: &'a [u64; N]) -> Self {
        Self::Numbers(numbers)
    }
}

impl<'a> From<&'a Hash> for Field<'a> {
    fn from(hash: &'a Hash) -> Self {
        Self::Bytes(&hash.0)
    }
}
