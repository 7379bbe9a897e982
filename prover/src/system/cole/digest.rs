//! The hashes of both formats.

use blake2::digest::consts::U32;
use blake2::{Blake2b, Digest as _};
use sha3::Keccak256;

use super::config::{Config, Format};
use super::key::{Entry, Key};
use crate::hash::Word;

/// blake2b with 32 bytes of output: the authors' hash, and the checksum of files.
pub type Blake2b256 = Blake2b<U32>;

/// blake2b-256.
pub fn blake2b(bytes: &[u8]) -> Word {
    Blake2b256::digest(bytes).into()
}

/// What a source's digest binds, besides its entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Number of entries, without sentinels.
    pub entries: u64,
    /// Block of the oldest entry.
    pub first: u32,
    /// Block of the newest entry.
    pub last: u32,
}

impl Extent {
    /// Takes in an entry of `block`.
    pub fn add(&mut self, block: u32) {
        if self.entries == 0 {
            (self.first, self.last) = (block, block);
        }
        (self.first, self.last) = (self.first.min(block), self.last.max(block));
        self.entries += 1;
    }
}

impl Format {
    /// Digest of one entry among the leaves of a run.
    pub fn entry(self, entry: &Entry) -> Word {
        match self {
            Self::One => tagged(0, [entry.encode().as_slice()]),
            Self::Fast24 { .. } => blake2b(&entry.encode()),
        }
    }

    /// Digest of a node of a run's tree.
    pub fn run_node(self, leaf: bool, children: &[Word]) -> Word {
        match self {
            Self::One => self.tree_node(leaf, &[], children),
            Self::Fast24 { .. } => concatenated(children),
        }
    }

    /// What a leaf of the in-memory tree hashes for one entry.
    pub fn words(self, entry: &Entry) -> [Word; 2] {
        match self {
            Self::One => [self.entry(entry), [0; 32]],
            Self::Fast24 { .. } => [blake2b(&entry.key), blake2b(&entry.value)],
        }
    }

    /// What an inner node of the in-memory tree hashes for a separator.
    pub fn separator(self, key: &Key) -> Word {
        match self {
            Self::One => [0; 32],
            Self::Fast24 { .. } => blake2b(key),
        }
    }

    /// Digest of a leaf of the in-memory tree.
    pub fn tree_leaf(self, words: &[[Word; 2]]) -> Word {
        match self {
            Self::One => {
                let entries: Vec<Word> = words.iter().map(|words| words[0]).collect();
                self.tree_node(true, &[], &entries)
            }
            Self::Fast24 { .. } => concatenated(words.as_flattened()),
        }
    }

    /// Digest of a node of the in-memory tree.
    pub fn tree_node(self, leaf: bool, separators: &[Word], children: &[Word]) -> Word {
        match self {
            Self::One => {
                let count = u16::try_from(children.len()).unwrap_or(u16::MAX).to_be_bytes();
                tagged(if leaf { 1 } else { 2 }, [&count, children.as_flattened()])
            }
            Self::Fast24 { .. } => concatenated(&[separators, children].concat()),
        }
    }

    /// Root of an in-memory tree without entries.
    pub const EMPTY: Word = [0; 32];
}

impl Config {
    /// Digest of a source of entries: an in-memory tree, or a run.
    pub fn source(&self, run: bool, extent: &Extent, root: &Word, filter: Option<&Word>) -> Word {
        match (self.format, run, filter) {
            (Format::One, ..) => {
                let Extent { entries, first, last } = extent;
                let (kind, n) = ([u8::from(run)], entries.to_be_bytes());
                let (m, min, max) =
                    (self.fanout.to_be_bytes(), first.to_be_bytes(), last.to_be_bytes());
                tagged(3, [&kind, n.as_slice(), &m, &min, &max, root, &[0; 32]])
            }
            (Format::Fast24 { .. }, false, _) => *root,
            (Format::Fast24 { .. }, true, None) => blake2b(root),
            (Format::Fast24 { .. }, true, Some(filter)) => concatenated(&[*root, *filter]),
        }
    }

    /// Digest of a level from those of its runs, writing before merging, newest first.
    pub fn level(&self, index: usize, writing: usize, merging: usize, runs: &[Word]) -> Word {
        match self.format {
            Format::One => {
                let byte = |count: usize| u8::try_from(count).unwrap_or(u8::MAX);
                let head = [byte(index), byte(writing), byte(merging)];
                tagged(4, [&head, runs.as_flattened()])
            }
            Format::Fast24 { .. } => concatenated(runs),
        }
    }

    /// `H_state` after block `height`.
    pub fn state(&self, height: u32, memories: &[Word], levels: &[Word]) -> Word {
        match self.format {
            Format::One => {
                let byte = |count: usize| u8::try_from(count).unwrap_or(u8::MAX);
                let (m, height) = (self.fanout.to_be_bytes(), height.to_be_bytes());
                let head = [&[1, self.system()], m.as_slice(), &[self.ratio], &height].concat();
                let (mems, count) = ([byte(memories.len())], [byte(levels.len())]);
                let (memories, levels) = (memories.as_flattened(), levels.as_flattened());
                tagged(5, [head.as_slice(), &mems, memories, &count, levels])
            }
            Format::Fast24 { .. } => concatenated(&[memories, levels].concat()),
        }
    }
}

fn concatenated(words: &[Word]) -> Word {
    blake2b(words.as_flattened())
}

fn tagged<'a>(tag: u8, parts: impl IntoIterator<Item = &'a [u8]>) -> Word {
    let mut hasher = Keccak256::new_with_prefix([tag]);
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}
