//! Why nothing was proven: the caller's mistake, malformed bytes, or a false proof.

mod verify;

pub use verify::VerifyError;

use core::fmt;

/// Byte range `[start, end)` in the proof (or header) that an error points at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// The caller's mistake: chain, configuration, parameters or query are not of their form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The claims handed to [`crate::Verifier::verify`] are not of the documented RLP form.
    #[error("malformed request: {0}")]
    Request(&'static str),
    /// The chain configuration is malformed or names an unknown kind.
    #[error("malformed chain configuration: {0}")]
    Chain(&'static str),
    /// The system configuration is malformed or names an unknown format.
    #[error("malformed system configuration: {0}")]
    Config(&'static str),
    /// The public parameters are not those that the configuration pins.
    #[error("public parameters do not match the configuration: {0}")]
    Params(&'static str),
    /// The query is malformed.
    #[error("malformed query: {0}")]
    Query(&'static str),
    /// The checkpoint is missing or malformed; there is no default one.
    #[error("malformed checkpoint: {0}")]
    Checkpoint(&'static str),
}

impl InputError {
    /// Stable code, shared with the SDK and the vectors.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Request(_) => "input.request",
            Self::Chain(_) => "input.chain",
            Self::Config(_) => "input.config",
            Self::Params(_) => "input.params",
            Self::Query(_) => "input.query",
            Self::Checkpoint(_) => "input.checkpoint",
        }
    }
}

/// What rule of the encoding a [`DecodeError`] reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[non_exhaustive]
pub enum Malformed {
    /// Not canonical RLP: non-minimal, truncated, trailing bytes, length overflow.
    Rlp,
    /// Wrong kind, count or length of a field.
    Shape,
    /// A cap on counts or sizes is exceeded.
    Limit,
    /// Not a canonical trie node.
    Node,
    /// Not a block header of the chain.
    Header,
    /// A proof variant that the system does not know.
    Variant,
    /// Not canonical SSZ: an offset that is not where its field starts, truncated, trailing bytes.
    Ssz,
    /// Not the canonical form of a point that its field may hold.
    Point,
    /// Not the canonical form of an integer below the field's modulus.
    Scalar,
}

impl Malformed {
    /// The error that reports it: which field is malformed, why, and where its bytes are.
    pub const fn at(self, field: &'static str, reason: &'static str, span: Span) -> DecodeError {
        DecodeError { malformed: self, field, reason, span }
    }
}

/// Node bytes that are not an encoding of anything: rejected before any check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The rule that is broken.
    pub malformed: Malformed,
    /// The field, in the words of the format.
    pub field: &'static str,
    /// What is wrong with it.
    pub reason: &'static str,
    /// Where.
    pub span: Span,
}

impl DecodeError {
    /// The same error inside a header: whatever is wrong there is one of the header's form.
    #[must_use]
    pub const fn in_header(self) -> Self {
        Self { malformed: Malformed::Header, ..self }
    }

    /// Stable code, shared with the SDK and the vectors.
    pub const fn code(&self) -> &'static str {
        match self.malformed {
            Malformed::Rlp => "decode.rlp",
            Malformed::Shape => "decode.shape",
            Malformed::Limit => "decode.limit",
            Malformed::Node => "decode.node",
            Malformed::Header => "decode.header",
            Malformed::Variant => "decode.variant",
            Malformed::Ssz => "decode.ssz",
            Malformed::Point => "decode.point",
            Malformed::Scalar => "decode.scalar",
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, reason, span, .. } = self;
        write!(f, "malformed {field} at byte {}: {reason}", span.start)
    }
}

impl core::error::Error for DecodeError {}

/// Every code of this crate, in ascending order; the SDK's union of codes is held equal to it.
pub const CODES: [&str; 44] = [
    "chain.fork",
    "decode.header",
    "decode.limit",
    "decode.node",
    "decode.point",
    "decode.rlp",
    "decode.scalar",
    "decode.shape",
    "decode.ssz",
    "decode.variant",
    "input.chain",
    "input.checkpoint",
    "input.config",
    "input.params",
    "input.query",
    "input.request",
    "verify.absence",
    "verify.boundary",
    "verify.chain",
    "verify.checkpoint",
    "verify.claim",
    "verify.code",
    "verify.commitment",
    "verify.committee",
    "verify.execution",
    "verify.filter",
    "verify.finality",
    "verify.header",
    "verify.incomplete",
    "verify.merkle",
    "verify.opening",
    "verify.order",
    "verify.participation",
    "verify.path",
    "verify.period",
    "verify.query",
    "verify.relevance",
    "verify.root",
    "verify.signature",
    "verify.source",
    "verify.surplus",
    "verify.time",
    "verify.unsupported",
    "verify.value",
];

/// Why a claim was not proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The caller's mistake.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Malformed bytes.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A false proof.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// A header of a fork that the chain configuration does not know. It proves nothing, and nobody
    /// lies.
    #[error(
        "the chain has forked beyond what this version knows, by slot {slot}: update it, or add the fork to the chain's consensus"
    )]
    Fork {
        /// Of the header, or of its signature.
        slot: u64,
    },
}

impl Rejection {
    /// Stable code, shared with the SDK and the vectors.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Input(error) => error.code(),
            Self::Decode(error) => error.code(),
            Self::Verify(error) => error.code(),
            Self::Fork { .. } => "chain.fork",
        }
    }

    /// Whose fault it is: `input`, `decode` or `verify`; `chain` for nobody's.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Input(_) => "input",
            Self::Decode(_) => "decode",
            Self::Verify(_) => "verify",
            Self::Fork { .. } => "chain",
        }
    }

    /// The bytes that the error points at, if any.
    pub const fn span(&self) -> Option<Span> {
        match self {
            Self::Input(_) | Self::Fork { .. } => None,
            Self::Decode(error) => Some(error.span),
            Self::Verify(error) => error.span(),
        }
    }
}
