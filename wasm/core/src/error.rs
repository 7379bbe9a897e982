//! Why nothing was proven: the caller's mistake, malformed bytes, or a false proof.

use core::fmt;

use crate::hash::Hash;

/// Byte range `[start, end)` in the proof (or header) that an error points at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// The caller's mistake: chain, configuration, parameters or query are not of their form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
    #[error("wrong public parameters: {0}")]
    Params(&'static str),
    /// The query is malformed.
    #[error("malformed query: {0}")]
    Query(&'static str),
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
        }
    }
}

/// What rule of the encoding a [`DecodeError`] reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Stable code, shared with the SDK and the vectors.
    pub const fn code(&self) -> &'static str {
        match self.malformed {
            Malformed::Rlp => "decode.rlp",
            Malformed::Shape => "decode.shape",
            Malformed::Limit => "decode.limit",
            Malformed::Node => "decode.node",
            Malformed::Header => "decode.header",
            Malformed::Variant => "decode.variant",
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

/// A well-formed proof that does not prove the claim. Every variant has a negative vector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// Header bytes do not hash to the trusted hash, or to the parent hash of a trusted header.
    #[error("header hashes to {got}, trusted hash is {expected}")]
    Header {
        /// The trusted hash.
        expected: Hash,
        /// keccak of the bytes received.
        got: Hash,
    },
    /// A header of another chain.
    #[error("header belongs to another chain: {reason}")]
    Chain {
        /// What differs.
        reason: &'static str,
    },
    /// The trusted header commits to nothing (or nothing well-formed) for this system.
    #[error("the header holds no commitment of system {system}")]
    Commitment {
        /// The system's name.
        system: &'static str,
    },
    /// The first node does not hash to the trusted root.
    #[error("proof hashes to root {got}, trusted root is {expected}")]
    Root {
        /// The trusted root.
        expected: Hash,
        /// keccak of the first node.
        got: Hash,
        /// The first node.
        span: Span,
    },
    /// A node does not hash to the reference that its parent holds.
    #[error("node hashes to {got}, its parent refers to {expected}")]
    Merkle {
        /// The parent's reference.
        expected: Hash,
        /// keccak of the node.
        got: Hash,
        /// The node.
        span: Span,
    },
    /// The proof ends before the question is decided; a cut-off proof proves nothing.
    #[error("the proof ends before the key's path does")]
    Incomplete {
        /// The proof's node list.
        span: Span,
    },
    /// Elements that the check did not use.
    #[error("the proof holds elements that its check does not use")]
    Surplus {
        /// The first unused element.
        span: Span,
    },
    /// A path of impossible length, or an extension that leads to no branch.
    #[error("impossible path: {reason}")]
    Path {
        /// Which rule is broken.
        reason: &'static str,
        /// The node.
        span: Span,
    },
    /// The reply answers another question.
    #[error("the reply answers another question: {field} differs from the query")]
    Query {
        /// What differs.
        field: &'static str,
        /// The field in the reply.
        span: Span,
    },
    /// A claimed field differs from the proven one.
    #[error("claimed {field} differs from the proven one")]
    Claim {
        /// The field.
        field: &'static str,
        /// The claim.
        span: Span,
    },
    /// Code does not hash to the proven code hash.
    #[error("code hashes to {got}, the proven code hash is {expected}")]
    Code {
        /// The proven code hash.
        expected: Hash,
        /// keccak of the code received.
        got: Hash,
        /// The code.
        span: Span,
    },
    /// The committed bytes are not a canonical value of the state.
    #[error("the committed {field} is not canonical")]
    Value {
        /// What they should be.
        field: &'static str,
        /// The committed bytes.
        span: Span,
    },
}

impl VerifyError {
    /// Stable code, shared with the SDK and the vectors.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Header { .. } => "verify.header",
            Self::Chain { .. } => "verify.chain",
            Self::Commitment { .. } => "verify.commitment",
            Self::Root { .. } => "verify.root",
            Self::Merkle { .. } => "verify.merkle",
            Self::Incomplete { .. } => "verify.incomplete",
            Self::Surplus { .. } => "verify.surplus",
            Self::Path { .. } => "verify.path",
            Self::Query { .. } => "verify.query",
            Self::Claim { .. } => "verify.claim",
            Self::Code { .. } => "verify.code",
            Self::Value { .. } => "verify.value",
        }
    }

    /// The bytes that the error points at, if it is about bytes of the proof.
    pub const fn span(&self) -> Option<Span> {
        match self {
            Self::Header { .. } | Self::Chain { .. } | Self::Commitment { .. } => None,
            Self::Root { span, .. }
            | Self::Merkle { span, .. }
            | Self::Incomplete { span }
            | Self::Surplus { span }
            | Self::Path { span, .. }
            | Self::Query { span, .. }
            | Self::Claim { span, .. }
            | Self::Code { span, .. }
            | Self::Value { span, .. } => Some(*span),
        }
    }
}

/// Every code of this crate, in ascending order; the SDK's union of codes is held equal to it.
pub const CODES: [&str; 23] = [
    "decode.header",
    "decode.limit",
    "decode.node",
    "decode.rlp",
    "decode.shape",
    "decode.variant",
    "input.chain",
    "input.config",
    "input.params",
    "input.query",
    "input.request",
    "verify.chain",
    "verify.claim",
    "verify.code",
    "verify.commitment",
    "verify.header",
    "verify.incomplete",
    "verify.merkle",
    "verify.path",
    "verify.query",
    "verify.root",
    "verify.surplus",
    "verify.value",
];

/// Why a claim was not proven.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
}

impl Rejection {
    /// Stable code, shared with the SDK and the vectors.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Input(error) => error.code(),
            Self::Decode(error) => error.code(),
            Self::Verify(error) => error.code(),
        }
    }

    /// Whose fault it is: `input`, `decode` or `verify`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Input(_) => "input",
            Self::Decode(_) => "decode",
            Self::Verify(_) => "verify",
        }
    }

    /// The bytes that the error points at, if any.
    pub const fn span(&self) -> Option<Span> {
        match self {
            Self::Input(_) => None,
            Self::Decode(error) => Some(error.span),
            Self::Verify(error) => error.span(),
        }
    }
}
