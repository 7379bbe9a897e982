//! What a chain fixes once: the format, the system and the shape of its trees.

use crate::error::{DecodeError, InputError};
use crate::hash::keccak256;
use crate::system::SystemConfig;
use crate::wire::Reader;

/// Which bytes are hashed, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// `cole/1`: tagged keccak, counts and block intervals committed.
    One,
    /// `cole/fast24`: the digests of the paper's authors, untagged blake2b-256.
    Fast24,
}

/// Merges at once, or between checkpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// One in-memory tree; full levels merge at once.
    Cole = 0,
    /// Each level has a writing and a merging group; merges run in the background (Algorithm 5).
    ColeStar = 1,
}

impl Kind {
    /// Number of in-memory trees.
    pub(super) const fn memories(self) -> u8 {
        match self {
            Self::Cole => 1,
            Self::ColeStar => 2,
        }
    }
}

/// Parameters that the chain configuration pins by their digest: RLP `[system, m, T]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Named by the configuration.
    pub format: Format,
    /// COLE or COLE\*.
    pub kind: Kind,
    /// m: most children of a tree node, 2 to 256.
    pub fanout: u16,
    /// T: runs that fill a level, 2 to 255.
    pub size_ratio: u8,
}

impl Params {
    /// Most runs on a level, its merging group included: a group that has T is merged into the next
    /// level.
    pub(super) fn level_limit(self) -> usize {
        usize::from(self.size_ratio).saturating_mul(self.kind.memories().into())
    }

    /// Reads parameters whose keccak the configuration names.
    ///
    /// # Errors
    /// `input.config` for an unknown format, `input.params` for other or malformed parameters.
    pub(super) fn pinned(config: &SystemConfig<'_>, bytes: &[u8]) -> Result<Self, InputError> {
        let format = match config.format {
            b"cole/1" => Format::One,
            b"cole/fast24" => Format::Fast24,
            _ => return Err(InputError::Config("unknown format; cole has cole/1 and cole/fast24")),
        };
        if config.params_digest != Some(keccak256(bytes)) {
            return Err(InputError::Params("digest does not match the configuration"));
        }
        let malformed = |error: DecodeError| InputError::Params(error.reason);
        let mut items = Reader::whole_list(bytes, 0, "parameters").map_err(malformed)?;
        let kind = match items.u64("system").map_err(malformed)? {
            0 => Kind::Cole,
            1 => Kind::ColeStar,
            _ => return Err(InputError::Params("system is 0 (COLE) or 1 (COLE*)")),
        };
        let fanout = items.u64("m").map_err(malformed)?;
        let size_ratio = items.u64("T").map_err(malformed)?;
        items.finish("parameters").map_err(malformed)?;
        let fanout = u16::try_from(fanout).ok().filter(|m| (2..=256).contains(m));
        let size_ratio = u8::try_from(size_ratio).ok().filter(|ratio| *ratio >= 2);
        Ok(Self {
            format,
            kind,
            fanout: fanout.ok_or(InputError::Params("m is 2 to 256"))?,
            size_ratio: size_ratio.ok_or(InputError::Params("T is 2 to 255"))?,
        })
    }
}
