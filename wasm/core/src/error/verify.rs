//! Well-formed proofs that do not prove the claim.

use super::Span;
use crate::hash::Hash;

/// A well-formed proof that does not prove the claim. Every variant has a negative vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
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
    #[error("the header has no commitment of system {system}, or not in its format")]
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
    #[error("the proof is incomplete: nodes or elements are missing")]
    Incomplete {
        /// The proof's node list.
        span: Span,
    },
    /// Elements that the check did not use.
    #[error("the proof has unused elements")]
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
    #[error("the reply does not match the query: {field} differs")]
    Query {
        /// What differs.
        field: &'static str,
        /// The field in the reply.
        span: Span,
    },
    /// A claimed field differs from the proven one.
    #[error("claimed {field} differs from the proven value")]
    Claim {
        /// The field.
        field: &'static str,
        /// The claim.
        span: Span,
    },
    /// Keys that do not ascend, an entry outside the blocks that its source covers, or two periods
    /// with one root.
    #[error("out of order: {reason}")]
    Order {
        /// Which rule is broken.
        reason: &'static str,
        /// The entry or source.
        span: Span,
    },
    /// A neighbour or an edge that does not bound the queried range: something may be left out.
    #[error("the range is not bounded, so versions may be omitted: {reason}")]
    Boundary {
        /// Which rule is broken.
        reason: &'static str,
        /// The source.
        span: Span,
    },
    /// A source of entries that is opened, skipped or left closed against the rule.
    #[error("source is opened, skipped or closed against the rules: {reason}")]
    Source {
        /// Which rule is broken.
        reason: &'static str,
        /// The source.
        span: Span,
    },
    /// A Bloom filter that does not exclude the key.
    #[error("the Bloom filter does not exclude the address")]
    Filter {
        /// The filter.
        span: Span,
    },
    /// What is shown instead of the key does not show that the key is absent.
    #[error("absence of the key is not proven: {reason}")]
    Absence {
        /// Which rule is broken.
        reason: &'static str,
        /// What is shown.
        span: Span,
    },
    /// A commitment does not open to what the proof or the query says.
    #[error("the opening does not match the commitment and the claimed value")]
    Opening {
        /// The opening, or the first one that fails.
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
    /// The header is not the one that the caller pinned.
    #[error("header hashes to {got}, the pinned checkpoint is {expected}")]
    Checkpoint {
        /// The pinned root.
        expected: Hash,
        /// Root of the header received.
        got: Hash,
    },
    /// Too few committee members signed.
    #[error("too few signatures: {got} members of the committee signed, {needed} needed")]
    Participation {
        /// Bits set.
        got: usize,
        /// Bits needed.
        needed: usize,
        /// The bits.
        span: Span,
    },
    /// Slots out of order, or a header from the future.
    #[error("invalid time: {reason}")]
    Time {
        /// The rule that is broken.
        reason: &'static str,
    },
    /// Signed in a period whose committee is not known.
    #[error(
        "signed in period {got}, but only the committees of period {known} (and the next, if known) are trusted"
    )]
    Period {
        /// The period of the signature.
        got: u64,
        /// The store's period.
        known: u64,
    },
    /// Nothing that the store does not hold already.
    #[error("slot {got} is not newer than the finalized slot {known}")]
    Relevance {
        /// Slot (devnet: number) of the attested header.
        got: u64,
        /// Slot of the finalized header.
        known: u64,
    },
    /// The execution payload is not the one in the beacon block.
    #[error("the execution payload does not belong to the beacon block: {reason}")]
    Execution {
        /// What differs.
        reason: &'static str,
        /// The branch, or the field.
        span: Span,
    },
    /// The finalized header is not the one in the attested state.
    #[error("the finalized header is not in the attested state: {reason}")]
    Finality {
        /// What differs.
        reason: &'static str,
        /// The branch, or the field.
        span: Span,
    },
    /// A committee is not the one that a trusted header names.
    #[error("the committee does not match the header: {reason}")]
    Committee {
        /// What differs.
        reason: &'static str,
        /// The branch, or the field.
        span: Span,
    },
    /// The signature is not that of the participants.
    #[error("the committee signature is invalid: {reason}")]
    Signature {
        /// What differs.
        reason: &'static str,
        /// The signature.
        span: Span,
    },
    /// A transaction or receipt of a type that this version does not know. It proves nothing, and
    /// nobody lies.
    #[error("the block holds a transaction of a type that this version does not know: update it")]
    Unsupported {
        /// The transaction or the receipt.
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
            Self::Order { .. } => "verify.order",
            Self::Boundary { .. } => "verify.boundary",
            Self::Source { .. } => "verify.source",
            Self::Filter { .. } => "verify.filter",
            Self::Absence { .. } => "verify.absence",
            Self::Opening { .. } => "verify.opening",
            Self::Code { .. } => "verify.code",
            Self::Value { .. } => "verify.value",
            Self::Checkpoint { .. } => "verify.checkpoint",
            Self::Participation { .. } => "verify.participation",
            Self::Time { .. } => "verify.time",
            Self::Period { .. } => "verify.period",
            Self::Relevance { .. } => "verify.relevance",
            Self::Execution { .. } => "verify.execution",
            Self::Finality { .. } => "verify.finality",
            Self::Committee { .. } => "verify.committee",
            Self::Signature { .. } => "verify.signature",
            Self::Unsupported { .. } => "verify.unsupported",
        }
    }

    /// The bytes that the error points at, if it is about bytes of the proof.
    pub const fn span(&self) -> Option<Span> {
        match self {
            Self::Header { .. }
            | Self::Chain { .. }
            | Self::Commitment { .. }
            | Self::Checkpoint { .. }
            | Self::Time { .. }
            | Self::Period { .. }
            | Self::Relevance { .. } => None,
            Self::Root { span, .. }
            | Self::Merkle { span, .. }
            | Self::Incomplete { span }
            | Self::Surplus { span }
            | Self::Path { span, .. }
            | Self::Query { span, .. }
            | Self::Claim { span, .. }
            | Self::Order { span, .. }
            | Self::Boundary { span, .. }
            | Self::Source { span, .. }
            | Self::Filter { span }
            | Self::Absence { span, .. }
            | Self::Opening { span }
            | Self::Code { span, .. }
            | Self::Value { span, .. }
            | Self::Participation { span, .. }
            | Self::Execution { span, .. }
            | Self::Finality { span, .. }
            | Self::Committee { span, .. }
            | Self::Signature { span, .. }
            | Self::Unsupported { span } => Some(*span),
        }
    }
}
