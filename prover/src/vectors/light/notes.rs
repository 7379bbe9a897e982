//! What the flags of the cases mean.

/// Flag and meaning, by flag ascending.
pub const NOTES: &[(&str, &str)] = &[
    ("BadCheckpoint", "the pin is no pin, or that of another header"),
    ("BadHeader", "the committee signed bytes that are no header of the chain"),
    ("BadShape", "canonical RLP, but not the items of the form, or not their lengths"),
    ("BadSignature", "the signature is no point, no point of the subgroup, or another one"),
    ("BitFlipped", "the bits name others than those who signed"),
    ("Bootstrap", "from a pinned block to the committee of its period"),
    (
        "BrokenCommittee",
        "a trusted header names the committee, but a key or the sum is not what it must be",
    ),
    ("Clock", "the header's time against the client's"),
    ("FewSigners", "a valid signature of fewer than two thirds"),
    ("Finality", "a signed header, final at once"),
    ("ForgedStore", "a kept store in which something was changed, or which nobody's client wrote"),
    ("HeaderChanged", "header bytes that nobody pinned or signed"),
    ("KeysCancel", "the keys of those who sign add up to infinity"),
    (
        "MissingCommittee",
        "an update that is older than the finalized header still brings the next committee",
    ),
    ("NoCheckpoint", "the client has not started yet"),
    ("NotCanonicalRlp", "bytes that are not one canonical RLP item"),
    ("OtherChain", "the committee signed a header of another chain or header version"),
    ("OtherCommittee", "a committee that the header does not name, or that does not sign now"),
    ("OtherMessage", "a true signature of something else"),
    ("OtherSetting", "the client pins another chain configuration"),
    ("PeriodSkipped", "signed in a period whose committee the client does not hold"),
    ("Replayed", "honest, and not newer than what the client holds"),
    ("SecondCommittee", "a signed header names another next committee than the one before did"),
    ("Store", "what a client kept, brought back under the root that it pinned then"),
    ("TwoThirds", "at the limit of how many must sign"),
    ("Unmoved", "refused steps between accepted ones"),
    ("Update", "a signed header with the committee of the next period"),
];
