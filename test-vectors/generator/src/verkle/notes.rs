//! What the flags of `verkle.json` mean.

/// Flag and meaning.
pub const NOTES: &[(&str, &str)] = &[
    ("AbsentAsPresent", "a key that is not there said to be there"),
    ("Aggregate", "an aggregate made for other claims, or changed"),
    ("BadConfig", "the configuration is unknown, malformed, or of another setup"),
    ("BadParams", "points that are no setup, although their digest is pinned"),
    ("BadPoint", "bytes that are not the one form of a point of the group"),
    ("BadQuery", "the question itself is malformed; nothing is said about the proof"),
    ("BadRoot", "a root that is malformed, or of another tree"),
    ("BadShape", "fields of the wrong kind, number or length"),
    ("Empty", "an honest proof over an empty tree, or a tree with one leaf"),
    ("EmptyTree", "a tree said to be empty, or levels below an empty root"),
    ("Header", "the root comes from a header"),
    ("Kinds", "a node's scalar as a leaf's, or a leaf's as a node's"),
    ("ManyKeys", "an honest proof of several keys"),
    ("NotCanonicalRlp", "bytes that are not the one encoding of what they say"),
    ("Openings", "openings exchanged, shifted or borrowed"),
    ("OtherKey", "the proof of another key, or of more or fewer keys"),
    ("OtherLeaf", "another leaf that does not stand in the key's way"),
    ("OtherProof", "a proof of another block or setup"),
    ("Past", "an honest proof at an older block"),
    ("Path", "levels cut off or added"),
    ("PresentAsAbsent", "a key that is there said not to be"),
    ("Role", "an honest proof of one key"),
    ("Variant", "the proof has another shape than the reply says"),
    ("WrongValue", "another value than the one committed to"),
];
