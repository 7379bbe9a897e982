//! What a verification did, step by step, for whoever wants to show it.
//!
//! A check reports only in a build with feature `trace`. Without it the same code runs, no sink is called, and the
//! words of the steps are not in the program.

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

/// Takes the steps. Clocks stay on this side: core has none.
pub trait Trace {
    /// The steps from now on are about this claim, or about all of them together.
    fn claim(&mut self, _number: Option<usize>) {}

    /// Called once per step, in order.
    fn step(&mut self, step: Step<'_>);
}

impl Trace for () {
    fn step(&mut self, _step: Step<'_>) {}
}

/// Claims by other numbers: those that a part of them have among all.
#[cfg(feature = "trace")]
pub(crate) struct Renumbered<'t> {
    /// Takes the steps.
    pub(crate) trace: &'t mut dyn Trace,
    /// A claim's number among all, by its number here.
    pub(crate) numbers: &'t [usize],
}

#[cfg(feature = "trace")]
impl Trace for Renumbered<'_> {
    fn claim(&mut self, number: Option<usize>) {
        self.trace.claim(number.and_then(|number| self.numbers.get(number)).copied());
    }

    fn step(&mut self, step: Step<'_>) {
        self.trace.step(step);
    }
}

/// Steps about bytes that stand inside others.
pub(crate) struct Shifted<'t> {
    /// Takes the steps.
    pub(crate) trace: &'t mut dyn Trace,
    /// Where those bytes begin.
    pub(crate) by: usize,
}

impl Trace for Shifted<'_> {
    fn step(&mut self, step: Step<'_>) {
        let span = step.span.map(|Span { start, end }| Span {
            start: start.saturating_add(self.by),
            end: end.saturating_add(self.by),
        });
        self.trace.step(Step { span, ..step });
    }
}

/// Reports a step: kind, words, span, and fields by name.
macro_rules! note {
    ($trace:expr, $kind:ident $what:expr, $span:expr $(, $name:ident: $value:expr)* $(,)?) => {
        if cfg!(feature = "trace") {
            $trace.step($crate::trace::Step {
                kind: $crate::trace::Kind::$kind,
                what: $what,
                span: ::core::convert::Into::<::core::option::Option<$crate::error::Span>>::into($span),
                fields: &[$((stringify!($name), $crate::trace::Field::from($value))),*],
            });
        }
    };
}

pub(crate) use note;

/// Says which claim the next steps are about.
pub(crate) fn claim(trace: &mut dyn Trace, number: impl Into<Option<usize>>) {
    if cfg!(feature = "trace") {
        trace.claim(number.into());
    }
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
