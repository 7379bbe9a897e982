//! The signing journal: which header an operator's keys have signed at each height.
//!
//! Invariant: an entry is durable before a signature of it leaves, and there is one entry a height.
//! So no key signs two headers of one height, whatever is killed, restarted or restored, as long as
//! the journal itself stays.
//!
//! File: a head of 64 bytes, `"LPSIGN01" ‖ genesis hash ‖ u64be chain id ‖ u64be floor ‖ check`,
//! then entries of 48 bytes, `u64be number ‖ header hash ‖ check`, numbers ascending; check = first
//! 8 bytes of keccak of what is before it and, for an entry, of the head. Nothing below the floor
//! is signed.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::hex;
use lightproof_prover::locked::Locked;

const MAGIC: &[u8; 8] = b"LPSIGN01";
const HEAD: usize = 64;
const ENTRY: usize = 48;
/// Entries that are kept when the journal is opened; those before them raise the floor.
const KEPT: usize = 65_536;

/// Why nothing is signed.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("signing journal {}: {source}", path.display())]
    File {
        /// As given.
        path: PathBuf,
        /// The operating system's answer.
        source: std::io::Error,
    },
    /// Another process signs with it.
    #[error("signing journal {} is in use by another node", .0.display())]
    Locked(PathBuf),
    /// It is of another chain, or damaged.
    #[error("signing journal {}: {reason}", path.display())]
    Refused {
        /// As given.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The height has another header already.
    #[error(
        "block {number}: refusing to sign {asked}, because these keys have signed {signed} at this height; \
         find out which chain is right before you sign again"
    )]
    Other {
        /// The height.
        number: u64,
        /// What was to be signed.
        asked: String,
        /// What was signed.
        signed: String,
    },
    /// The height is older than what the journal still lists.
    #[error("block {number}: refusing to sign below block {floor}, where the journal begins")]
    Below {
        /// The height.
        number: u64,
        /// The first height that may be signed.
        floor: u64,
    },
}

impl JournalError {
    /// Another header is asked for than was signed.
    pub(super) fn other(number: u64, asked: &Word, signed: &Word) -> Self {
        let (asked, signed) = (hex::encode(asked), hex::encode(signed));
        Self::Other { number, asked, signed }
    }
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Locked,
    head: [u8; HEAD],
    floor: u64,
    entries: BTreeMap<u64, Word>,
}

impl Journal {
    /// Opens the journal of a chain, making it if there is none.
    ///
    /// # Errors
    /// [`JournalError`] if it cannot be read, is in use, damaged, or of another chain.
    pub fn open(path: &Path, genesis_hash: &Word, chain_id: u64) -> Result<Self, JournalError> {
        let failed = |source| JournalError::File { path: path.to_owned(), source };
        let refused = |reason: String| Err(JournalError::Refused { path: path.to_owned(), reason });
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(failed)?;
        let mut file = Locked::take(file).map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::Locked(path.to_owned()),
            TryLockError::Error(source) => failed(source),
        })?;
        // Another node may have cut its journal after this file was opened, and have ended since:
        // what that file lists is no longer what is signed.
        if !is_named(&file, path).map_err(failed)? {
            return Err(JournalError::Locked(path.to_owned()));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        if bytes.is_empty() {
            let head = head(genesis_hash, chain_id, 0);
            file.write_all(&head).and_then(|()| file.sync_all()).map_err(failed)?;
            sync_directory(path).map_err(failed)?;
            return Ok(Self {
                path: path.to_owned(),
                file,
                head,
                floor: 0,
                entries: BTreeMap::new(),
            });
        }
        let Some((found, entries)) = bytes.split_first_chunk::<HEAD>() else {
            return refused("expected at least 64 bytes: it is cut off".to_owned());
        };
        let floor = u64::from_be_bytes(found[48..56].try_into().unwrap_or_default());
        if *found != head(genesis_hash, chain_id, floor) {
            return refused("it is damaged, or of another chain".to_owned());
        }
        let (whole, _) = entries.as_chunks::<ENTRY>();
        let mut listed = BTreeMap::new();
        for (index, entry) in whole.iter().enumerate() {
            let number = u64::from_be_bytes(entry[..8].try_into().unwrap_or_default());
            let hash: Word = entry[8..40].try_into().unwrap_or_default();
            let last = listed.last_key_value().map_or(floor, |(last, _): (&u64, _)| last + 1);
            if *entry == self::entry(found, number, &hash) && number >= last {
                listed.insert(number, hash);
            } else if entries[index * ENTRY + 40..].iter().all(|byte| *byte == 0) {
                // Never durable, so never signed: the machine stopped while it was written.
                break;
            } else {
                return refused(format!("entry {index} is damaged"));
            }
        }
        let whole = HEAD + listed.len() * ENTRY;
        if whole != bytes.len() {
            file.set_len(whole as u64).and_then(|()| file.sync_all()).map_err(failed)?;
        }
        let mut journal =
            Self { path: path.to_owned(), file, head: *found, floor, entries: listed };
        journal.file.seek(SeekFrom::End(0)).map_err(failed)?;
        if journal.entries.len() > 2 * KEPT {
            journal.cut(genesis_hash, chain_id).map_err(failed)?;
        }
        Ok(journal)
    }

    /// The header that was signed at a height.
    pub fn signed(&self, number: u64) -> Option<&Word> {
        self.entries.get(&number)
    }

    /// Every height that is listed, ascending, and the header that was signed there.
    pub fn entries(&self) -> impl Iterator<Item = (u64, &Word)> {
        self.entries.iter().map(|(number, hash)| (*number, hash))
    }

    /// The newest height that was signed.
    pub fn newest(&self) -> Option<u64> {
        self.entries.last_key_value().map(|(number, _)| *number)
    }

    /// Whether a height lies below what the journal still lists.
    pub fn is_below(&self, number: u64) -> bool {
        number < self.floor
    }

    /// Notes headers, in ascending order, durably: from then on they may be signed, and no other of
    /// their heights. Those that are noted already stay.
    ///
    /// # Errors
    /// [`JournalError::Other`] or [`JournalError::Below`] for the first that must not be signed:
    /// then none is noted. [`JournalError::File`] if the journal cannot be written: sign
    /// nothing more then.
    pub fn note(&mut self, headers: &[(u64, Word)]) -> Result<(), JournalError> {
        let mut new = Vec::new();
        for (number, hash) in headers {
            match self.entries.get(number) {
                Some(signed) if signed == hash => {}
                Some(signed) => return Err(JournalError::other(*number, hash, signed)),
                // A gap that was left once is never filled.
                None => {
                    let floor = self.newest().map_or(self.floor, |newest| newest + 1);
                    let floor = new.last().map_or(floor, |(last, _): &(u64, Word)| last + 1);
                    if *number < floor {
                        return Err(JournalError::Below { number: *number, floor });
                    }
                    new.push((*number, *hash));
                }
            }
        }
        if new.is_empty() {
            return Ok(());
        }
        let bytes: Vec<u8> =
            new.iter().flat_map(|(number, hash)| entry(&self.head, *number, hash)).collect();
        let written = self.file.write_all(&bytes).and_then(|()| self.file.sync_data());
        written.map_err(|source| JournalError::File { path: self.path.clone(), source })?;
        self.entries.extend(new);
        Ok(())
    }

    /// Keeps the newest entries in a new file, which takes the old one's place when it is durable.
    fn cut(&mut self, genesis_hash: &Word, chain_id: u64) -> std::io::Result<()> {
        let skip = self.entries.len() - KEPT;
        self.entries = self.entries.iter().skip(skip).map(|(at, hash)| (*at, *hash)).collect();
        self.floor = self.entries.first_key_value().map_or(0, |(number, _)| *number);
        self.head = head(genesis_hash, chain_id, self.floor);
        let mut bytes = self.head.to_vec();
        for (number, hash) in &self.entries {
            bytes.extend(entry(&self.head, *number, hash));
        }
        let mut name = self.path.as_os_str().to_owned();
        name.push(".new");
        let file = OpenOptions::new().write(true).create(true).truncate(true).open(&name)?;
        let mut file = Locked::wait(file)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        std::fs::rename(&name, &self.path)?;
        sync_directory(&self.path)?;
        self.file = file;
        Ok(())
    }
}

fn head(genesis_hash: &Word, chain_id: u64, floor: u64) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..8].copy_from_slice(MAGIC);
    head[8..40].copy_from_slice(genesis_hash);
    head[40..48].copy_from_slice(&chain_id.to_be_bytes());
    head[48..56].copy_from_slice(&floor.to_be_bytes());
    let check = keccak256(&head[..56]);
    head[56..].copy_from_slice(&check[..8]);
    head
}

fn entry(head: &[u8; HEAD], number: u64, hash: &Word) -> [u8; ENTRY] {
    let mut entry = [0; ENTRY];
    entry[..8].copy_from_slice(&number.to_be_bytes());
    entry[8..40].copy_from_slice(hash);
    let check = keccak256(&[head.as_slice(), &entry[..40]].concat());
    entry[40..].copy_from_slice(&check[..8]);
    entry
}

/// Whether a path still leads to an open file.
fn is_named(file: &File, path: &Path) -> std::io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let place = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
        match std::fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            named => Ok(place(named?) == place(file.metadata()?)),
        }
    }
    // An open file keeps its name there.
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        Ok(true)
    }
}

/// The file's name must be as durable as its contents.
fn sync_directory(path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        match File::open(parent.unwrap_or(Path::new("."))) {
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(()),
            directory => directory?.sync_all(),
        }
    }
    #[cfg(not(unix))]
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GENESIS: Word = [7; 32];

    fn open(path: &Path) -> Result<Journal, JournalError> {
        Journal::open(path, &GENESIS, 19_536)
    }

    fn path() -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("keys.journal");
        (directory, path)
    }

    #[test]
    fn signs_one_header_of_a_height_whatever_is_restarted() {
        let (_directory, path) = path();
        let mut journal = open(&path).unwrap();
        journal.note(&[(1, [1; 32]), (2, [2; 32])]).unwrap();
        journal.note(&[(2, [2; 32]), (3, [3; 32])]).unwrap();
        assert!(matches!(open(&path), Err(JournalError::Locked(_))));
        drop(journal);
        let mut journal = open(&path).unwrap();
        assert_eq!((journal.newest(), journal.signed(2)), (Some(3), Some(&[2; 32])));
        let refused = journal.note(&[(4, [4; 32]), (2, [9; 32])]).unwrap_err();
        assert!(matches!(refused, JournalError::Other { number: 2, .. }), "{refused}");
        // All or nothing.
        assert_eq!(journal.signed(4), None);
        // A height that was passed over stays so.
        journal.note(&[(6, [6; 32])]).unwrap();
        let refused = journal.note(&[(5, [5; 32])]).unwrap_err();
        assert!(matches!(refused, JournalError::Below { number: 5, floor: 7 }), "{refused}");
    }

    #[test]
    fn a_torn_entry_was_never_signed_and_a_damaged_one_stops_it() {
        let (_directory, path) = path();
        let mut journal = open(&path).unwrap();
        journal.note(&[(1, [1; 32]), (2, [2; 32]), (3, [3; 32])]).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        for cut in 1..=ENTRY {
            std::fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            let mut journal = open(&path).unwrap();
            assert_eq!(journal.newest(), Some(2));
            journal.note(&[(3, [8; 32])]).unwrap();
            drop(journal);
            assert_eq!(open(&path).unwrap().signed(3), Some(&[8; 32]));
        }
        for at in [0, 8, 40, 48, 60, HEAD, HEAD + 20, HEAD + 45, HEAD + ENTRY, whole.len() - 1] {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            assert!(matches!(open(&path), Err(JournalError::Refused { .. })), "byte {at}");
        }
        let unwritten = [&whole[..HEAD + 2 * ENTRY], [0; 2 * ENTRY].as_slice()].concat();
        std::fs::write(&path, &unwritten).unwrap();
        assert_eq!(open(&path).unwrap().newest(), Some(2));
        std::fs::write(&path, &whole[..10]).unwrap();
        assert!(open(&path).is_err());
        std::fs::write(&path, &whole).unwrap();
        assert!(Journal::open(&path, &[8; 32], 19_536).is_err(), "another genesis");
        assert!(Journal::open(&path, &GENESIS, 1).is_err(), "another chain id");
        open(&path).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_another_took_the_place_of_is_no_journal() {
        let (_directory, path) = path();
        open(&path).unwrap();
        let file = File::open(&path).unwrap();
        assert!(is_named(&file, &path).unwrap());
        let other = path.with_extension("new");
        std::fs::copy(&path, &other).unwrap();
        std::fs::rename(&other, &path).unwrap();
        assert!(!is_named(&file, &path).unwrap());
        std::fs::remove_file(&path).unwrap();
        assert!(!is_named(&file, &path).unwrap());
    }

    #[test]
    fn a_long_journal_is_cut_and_signs_nothing_below() {
        let (_directory, path) = path();
        let many: Vec<(u64, Word)> = (0..2 * KEPT as u64 + 5).map(|at| (at, [1; 32])).collect();
        open(&path).unwrap().note(&many).unwrap();
        let mut journal = open(&path).unwrap();
        let first = many.len() as u64 - KEPT as u64;
        assert!(journal.is_below(first - 1) && !journal.is_below(first));
        assert!(matches!(journal.note(&[(3, [1; 32])]), Err(JournalError::Below { .. })));
        journal.note(&[(many.len() as u64, [2; 32])]).unwrap();
        assert!(matches!(open(&path), Err(JournalError::Locked(_))));
        drop(journal);
        assert_eq!(open(&path).unwrap().newest(), Some(many.len() as u64));
    }
}
