//! What the flags of `inclusion.json` mean.

/// Flag and meaning.
pub const NOTES: &[(&str, &str)] = &[
    ("BadConfig", "the configuration is unknown or malformed"),
    ("BadQuery", "the question itself is malformed; nothing is said about the proof"),
    ("BadVariant", "a shape of proof that the system does not have"),
    ("Bloom", "what the header's Bloom filter says of a filter of logs"),
    ("Changed", "an item with another field"),
    ("Empty", "a block without anything"),
    ("Encoding", "bytes that are not of the one form"),
    ("Forks", "blocks of rules that are no longer in force, or at their edges"),
    ("Header", "the root comes from an Ethereum header of some fork"),
    ("HeaderChanged", "a header that is not the trusted one"),
    ("Invented", "items that the block does not hold"),
    ("LeftOut", "items that the block holds, and the proof does not"),
    ("Logs", "logs of a filter, and that there are no others"),
    ("Mismatch", "receipts that do not fit the transactions, under a root that commits to both"),
    ("Moved", "items in another order"),
    ("NoCommitment", "the header commits to no lists"),
    ("OtherBlock", "what is true of another block"),
    ("Receipts", "receipts with what follows from their place"),
    ("Sizes", "lists at the edges of the lengths of keys"),
    ("Transactions", "transactions of every type"),
    ("Unsupported", "a type of a later fork"),
    ("Withdrawals", "withdrawals"),
];
