//! What the flags of `lvmt.json` mean.

/// Flag and meaning.
pub const NOTES: &[(&str, &str)] = &[
    ("BadConfig", "the configuration is unknown or malformed, or has other parameters"),
    ("BadOpening", "a leaf of an AMT that is opened falsely"),
    ("BadPoint", "bytes that are no point, or not the one form of a point"),
    ("BadQuery", "the question itself is malformed; nothing is said about the proof"),
    ("BadRoot", "the trusted root is malformed, or another one"),
    ("BadScalar", "a leaf that is no number below 2^240"),
    ("BadShape", "fields of the wrong kind, number or length"),
    ("Committed", "a state made by hand, against a rule of the chain or at its limit"),
    ("Header", "the root comes from a header"),
    ("ManyKeys", "an honest proof of several keys"),
    ("MerklePath", "a path of a tuple or block that is changed, cut or longer"),
    ("MerklePlace", "a tuple or block at another place"),
    ("NotAbsent", "absence that is not shown"),
    ("NotCanonicalRlp", "bytes that are not the one encoding of what they say"),
    ("OtherBlock", "honest parts of another block"),
    ("OtherTuple", "a tuple of another key, slot, level, version or AMT"),
    ("Past", "an honest proof at an older block"),
    ("Single", "an honest proof of one key"),
    ("Variant", "another form than the variant names"),
];
