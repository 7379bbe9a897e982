//! What the flags of `balanceproofs.json` mean.

/// Flag and meaning.
pub const NOTES: &[(&str, &str)] = &[
    ("BadConfig", "the configuration or its parameters are not what they must be"),
    ("BadPoint", "bytes that are no point of their field's group in its one form"),
    ("BadQuery", "the question itself is malformed; nothing is said about the proof"),
    ("BadRoot", "the commitment is malformed"),
    ("BadScalar", "an integer that is not below the order of the group"),
    ("BadShape", "fields of the wrong kind, number or length"),
    ("Fitted", "a proof that a liar solves for, its challenges drawn again"),
    ("Honest", "an honest proof"),
    ("NotCanonicalRlp", "bytes that are not the one encoding of what they say"),
    ("OtherPosition", "the proof of other positions, or of more or fewer"),
    ("OtherSetup", "a proof under other secrets"),
    ("PointChanged", "a point of the proof or a weight replaced, moved or shifted"),
    ("Stale", "a proof, value or commitment of another time"),
    ("TooFewPowers", "more positions than the setup has powers for in this variant"),
    ("Torsion", "a point with a component outside the subgroup"),
    ("Transcript", "a hint at a point that the transcript does not give"),
    ("Value", "a value that is not the committed one"),
    ("Variant", "the proof has another shape than the reply says"),
];
