//! Which block comes next.
//!
//! A valid block need not be of the chain: only nodes know which one is. What they say of the
//! choice is taken as the operator decided ([`Options`]), and nothing else: a block is fetched
//! backwards by hash from a head that enough of them name, so that it is an ancestor of that head.

pub mod beacon;
mod upstream;

use std::time::Duration;

use alloy_consensus::Header;
use alloy_primitives::B256;

use crate::block::Block;
use crate::rpc::RpcError;
use beacon::{Beacon, BeaconError};
use upstream::Upstream;

/// What the operator decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Follow the block that lies so deep below the head; `None` for the finalized one.
    pub depth: Option<u64>,
    /// How many nodes must name the same head, at least 1.
    pub quorum: usize,
    /// How long a call may take.
    pub timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { depth: None, quorum: 1, timeout: Duration::from_mins(1) }
    }
}

/// The chain that is followed, as far as it is held.
pub trait Held {
    /// Number and hash of the newest block that is held.
    fn head(&self) -> (u64, B256);

    /// The hash of a block that is held, `None` if there is no such block.
    fn hash(&self, number: u64) -> Option<B256>;
}

/// What comes next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// A block on top of the newest one that is held. Its hash is right; execute it.
    Block(Box<Block>),
    /// Every accepted block is held.
    Newest,
    /// Nothing is known of the next block, for this reason: ask again later.
    Wait(String),
}

/// Why the chain cannot be followed any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FollowError {
    /// Not enough nodes for the quorum.
    #[error("a quorum of {quorum} needs as many upstreams, found {upstreams}")]
    Quorum {
        /// Nodes that must agree.
        quorum: usize,
        /// Nodes that are there.
        upstreams: usize,
    },
    /// A node's URL is none.
    #[error(transparent)]
    Url(#[from] RpcError),
    /// The beacon chain's light client cannot go on.
    #[error(transparent)]
    Beacon(#[from] BeaconError),
    /// A node serves another chain.
    #[error("{upstream} serves another chain: expected block 0 {expected}, found {found}")]
    OtherChain {
        /// The node.
        upstream: String,
        /// The hash of block 0 by the genesis file.
        expected: B256,
        /// What the node says.
        found: B256,
    },
    /// A block that is held is not on the chain any more. Nothing that was signed is rewritten.
    #[error(
        "the chain was reorganized below what is held: block {number} is {ours} here and {theirs} \
         upstream; start from an empty directory with a larger --follow-depth, or with finalized \
         blocks"
    )]
    Reorganized {
        /// The height.
        number: u64,
        /// The hash that is held.
        ours: B256,
        /// The hash on the chain of the accepted head.
        theirs: B256,
    },
}

/// Follows a chain.
pub struct Follower {
    upstreams: Vec<Upstream>,
    options: Options,
    genesis: B256,
    /// Proves the head, in place of what the nodes say.
    beacon: Option<Beacon>,
    /// Hashes of the blocks between what is held and the accepted head, newest first.
    ahead: Vec<B256>,
}

/// A head that a node names.
type Head = (u64, B256);

impl Follower {
    /// Follows the chain of block 0 `genesis` by these nodes.
    ///
    /// # Errors
    /// [`FollowError`] if there are fewer nodes than must agree, or a URL is none.
    pub fn new(urls: &[String], options: Options, genesis: B256) -> Result<Self, FollowError> {
        if options.quorum == 0 || urls.len() < options.quorum {
            let (quorum, upstreams) = (options.quorum, urls.len());
            return Err(FollowError::Quorum { quorum, upstreams });
        }
        let upstreams = urls.iter().map(|url| Upstream::new(url, options.timeout));
        let upstreams = upstreams.collect::<Result<_, _>>()?;
        Ok(Self { upstreams, options, genesis, beacon: None, ahead: Vec::new() })
    }

    /// The same, by the finalized head that a beacon chain proves: what the nodes say of the head,
    /// the depth and the quorum count for nothing then.
    #[must_use]
    pub fn by(self, beacon: Beacon) -> Self {
        Self { beacon: Some(beacon), ..self }
    }

    /// The block after the newest one that is held.
    ///
    /// # Errors
    /// [`FollowError::Reorganized`] if a block that is held is not on the chain,
    /// [`FollowError::OtherChain`] if a node serves another. A node that does not answer, or
    /// answers nonsense, is no error: [`Next::Wait`] tells.
    pub fn next(&mut self, held: &dyn Held) -> Result<Next, FollowError> {
        let (number, hash) = held.head();
        if self.ahead.is_empty() {
            match self.look(held)? {
                Ok(ahead) => self.ahead = ahead,
                Err(why) => return Ok(Next::Wait(why)),
            }
        }
        let Some(wanted) = self.ahead.last().copied() else {
            return Ok(Next::Newest);
        };
        match self.fetch(number + 1, wanted) {
            Ok(block) if block.header.parent_hash == hash => {
                self.ahead.pop();
                Ok(Next::Block(Box::new(block)))
            }
            // What was looked up belongs to another block than the one that is held now.
            Ok(_) => {
                self.ahead.clear();
                Ok(Next::Wait(format!("block {} is not on top of what is held", number + 1)))
            }
            Err(why) => {
                // The nodes may have changed their minds: look again.
                self.ahead.clear();
                Ok(Next::Wait(why))
            }
        }
    }

    /// The hashes from the accepted head down to the block after the newest that is held, or why
    /// there are none.
    fn look(&mut self, held: &dyn Held) -> Result<Result<Vec<B256>, String>, FollowError> {
        let (number, hash) = held.head();
        let (tip, theirs) = match self.accepted()? {
            Ok(tip) => tip,
            Err(why) => return Ok(Err(why)),
        };
        if tip <= number {
            // Heads go back when a node restarts. They must still name blocks that are held.
            return match held.hash(tip) {
                Some(ours) if ours != theirs => {
                    Err(FollowError::Reorganized { number: tip, ours, theirs })
                }
                _ if tip < number => Ok(Err(format!(
                    "the accepted head {tip} is below block {number}, which is held"
                ))),
                _ => Ok(Ok(Vec::new())),
            };
        }
        let mut why = String::new();
        for upstream in &self.upstreams {
            match upstream.descend(tip, theirs, number) {
                Ok((ahead, parent)) if parent == hash => return Ok(Ok(ahead)),
                // Hashes bind this: whichever node told it, the accepted head has this ancestor.
                Ok((_, theirs)) => {
                    return Err(FollowError::Reorganized { number, ours: hash, theirs });
                }
                Err(reason) => why = reason,
            }
        }
        Ok(Err(why))
    }

    /// The head to follow: proven by the beacon chain, or else named by enough nodes.
    fn accepted(&mut self) -> Result<Result<Head, String>, FollowError> {
        let Some(beacon) = &mut self.beacon else { return self.named() };
        let (number, hash) = match beacon.finalized()? {
            Ok(found) => found,
            Err(why) => return Ok(Err(why)),
        };
        // Only the hash is signed from Gloas on. It binds the number.
        Ok(match number {
            Some(number) => Ok((number, hash)),
            None => self.header(hash).map(|header| (header.number, hash)),
        })
    }

    /// The newest head that enough nodes name.
    fn named(&mut self) -> Result<Result<Head, String>, FollowError> {
        let mut why = String::new();
        let mut heads = Vec::new();
        for (index, upstream) in self.upstreams.iter_mut().enumerate() {
            match upstream.compare(self.genesis)? {
                Ok(()) => {}
                Err(reason) => {
                    why = reason;
                    continue;
                }
            }
            match upstream.head(self.options.depth) {
                Ok(head) => heads.push((head, index)),
                Err(reason) => why = reason,
            }
        }
        heads.sort_unstable_by(|a, b| b.cmp(a));
        // The newest height that enough nodes have reached.
        let Some(&((number, _), _)) = heads.get(self.options.quorum - 1) else {
            let (found, quorum) = (heads.len(), self.options.quorum);
            return Ok(Err(format!("{found} of {quorum} upstreams name a head: {why}")));
        };
        let mut votes: Vec<(B256, usize)> = Vec::new();
        for (head, index) in heads.into_iter().filter(|((reached, _), _)| *reached >= number) {
            let named = match self.upstreams[index].hash_at(number, head) {
                Ok(named) => named,
                Err(reason) => {
                    why = reason;
                    continue;
                }
            };
            match votes.iter_mut().find(|(vote, _)| *vote == named) {
                Some((_, count)) => *count += 1,
                None => votes.push((named, 1)),
            }
        }
        if let Some((hash, _)) = votes.iter().find(|(_, count)| *count >= self.options.quorum) {
            return Ok(Ok((number, *hash)));
        }
        let names: Vec<_> = votes.iter().map(|(hash, count)| format!("{hash} ({count})")).collect();
        let names = names.join(", ");
        Ok(Err(format!("the upstreams do not agree on block {number}: {names} {why}")))
    }

    /// A block of a known hash, from whichever node has it.
    fn fetch(&mut self, number: u64, hash: B256) -> Result<Block, String> {
        let mut why = String::new();
        for upstream in &mut self.upstreams {
            match upstream.block(number, hash) {
                Ok(block) => return Ok(block),
                Err(reason) => why = reason,
            }
        }
        Err(why)
    }

    /// The header of a block that is held, by its hash.
    ///
    /// # Errors
    /// The last node's reason, if none of them has it.
    pub fn header(&self, hash: B256) -> Result<Header, String> {
        let mut why = String::new();
        for upstream in &self.upstreams {
            match upstream.header_of(hash) {
                Ok(header) => return Ok(header),
                Err(reason) => why = reason,
            }
        }
        Err(why)
    }
}
