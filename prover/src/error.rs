//! Why the node's store cannot be used.

/// A failure of the database, or of what it holds.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database failed.
    #[error("database: {0}")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The data directory cannot be created or opened.
    #[error("data directory {path}: {source}")]
    Directory {
        /// As given.
        path: String,
        /// The operating system's answer.
        source: std::io::Error,
    },
    /// A store cannot be opened.
    #[error("store {url}: {source}")]
    Url {
        /// As given.
        url: String,
        /// Why not.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another process writes the store now. What this one was about to commit is not in it.
    #[error("another writer has taken this store over; this one can commit nothing more")]
    Fenced,
    /// The store was opened for reading.
    #[error("the store was opened for reading only")]
    ReadOnly,
    /// The store took too long.
    #[error(
        "the store did not answer within {seconds} s; --log info,object_store=info shows its errors"
    )]
    Silent {
        /// How long it was waited for.
        seconds: u64,
    },
    /// A commit failed in such a way that nobody knows whether it is in the store.
    #[error("a commit may be in the store or not ({0}); open the store again to find out")]
    Unknown(String),
    /// Another process has the data directory open.
    #[error("data directory {path} is in use by another node; stop it, or choose another --data")]
    Locked {
        /// As given.
        path: String,
    },
    /// The data directory or store holds another chain.
    #[error("{place} holds {found}, not {wanted}; choose another --data or --store")]
    OtherChain {
        /// Which one it is.
        place: String,
        /// What it says about itself.
        found: String,
        /// What this run asked for.
        wanted: String,
    },
    /// Something that a system keeps or needs beside the database cannot be used.
    #[error("{name}: {source}")]
    System {
        /// The system.
        name: &'static str,
        /// Its own words.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A block that cannot be applied; the chain is as it was before.
    #[error("{0}")]
    Block(String),
    /// The database holds something that this program never writes.
    #[error("the database is damaged: {0}")]
    Corrupt(&'static str),
}
