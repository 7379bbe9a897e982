//! What blocks hold: one tuple for every key and every sub-AMT that they changed, hashed.

use alloc::vec::Vec;

use super::params::Format;
use crate::hash::{Hash, Keccak256, keccak256};
use crate::wire::ListWriter;

/// A version of a key.
#[derive(Clone, Copy, Debug)]
pub struct KeyTuple<'a> {
    /// Unhashed.
    pub key: &'a [u8],
    /// How often it was written.
    pub version: u64,
    /// Level of its AMT.
    pub level: usize,
    /// Slot of its leaf, 1 to 5.
    pub slot: usize,
    /// The value in `lvmt/osdi23`, its keccak in `lvmt/1`.
    pub value: &'a [u8],
}

/// A version of a sub-AMT.
#[derive(Clone, Copy, Debug)]
pub struct TreeTuple<'a> {
    /// Indices that lead to it from the root.
    pub path: &'a [u32],
    /// How many blocks changed it.
    pub version: u64,
    /// Its commitment, as the format writes points.
    pub commitment: &'a [u8],
}

impl KeyTuple<'_> {
    /// The leaf of a block's tree.
    ///
    /// `lvmt/1`: keccak(00 ‖ RLP\[1, key, version, level, slot, keccak(value)\]). `lvmt/osdi23`:
    /// keccak of u64le(len key) ‖ key ‖ u64le(version) ‖ u8 level ‖ u8 slot − 1 ‖ u64le(len
    /// value) ‖ value.
    pub fn hash(&self, format: Format) -> Hash {
        match format {
            Format::One => {
                let mut list = ListWriter::default();
                list.u64(1).string(self.key).u64(self.version).u64(self.level as u64);
                tagged(list.u64(self.slot as u64).string(self.value))
            }
            Format::Osdi23 => {
                let mut hasher = Keccak256::default();
                hasher.update(&(self.key.len() as u64).to_le_bytes());
                hasher.update(self.key);
                hasher.update(&self.version.to_le_bytes());
                let slot = self.slot.saturating_sub(1);
                hasher.update(&[byte(self.level), byte(slot)]);
                hasher.update(&(self.value.len() as u64).to_le_bytes());
                hasher.update(self.value);
                hasher.finish()
            }
        }
    }
}

impl TreeTuple<'_> {
    /// The leaf of a block's tree.
    ///
    /// `lvmt/1`: keccak(00 ‖ RLP\[2, level, path, version, commitment\]), the path one string of
    /// two bytes for each index. `lvmt/osdi23`: keccak of u8 len(path) ‖ u32le each index ‖
    /// u64le(version) ‖ x ‖ y ‖ 0, coordinates little-endian.
    pub fn hash(&self, format: Format) -> Hash {
        match format {
            Format::One => {
                let path: Vec<u8> = self
                    .path
                    .iter()
                    .flat_map(|index| u16::try_from(*index).unwrap_or(u16::MAX).to_be_bytes())
                    .collect();
                let mut list = ListWriter::default();
                list.u64(2).u64(self.path.len() as u64).string(&path);
                tagged(list.u64(self.version).string(self.commitment))
            }
            Format::Osdi23 => {
                let mut hasher = Keccak256::default();
                hasher.update(&[byte(self.path.len())]);
                for index in self.path {
                    hasher.update(&index.to_le_bytes());
                }
                hasher.update(&self.version.to_le_bytes());
                // Little-endian here, and nowhere else; the identity is refused before it comes
                // here.
                for coordinate in self.commitment.as_chunks::<32>().0 {
                    let mut coordinate = *coordinate;
                    coordinate.reverse();
                    hasher.update(&coordinate);
                }
                hasher.update(&[0]);
                hasher.finish()
            }
        }
    }
}

/// Levels, slots and paths are far below 256.
fn byte(value: usize) -> u8 {
    u8::try_from(value).unwrap_or(u8::MAX)
}

fn tagged(list: &ListWriter) -> Hash {
    let mut hasher = Keccak256::default();
    hasher.update(&[0]);
    hasher.update(&list.finish());
    hasher.finish()
}

/// The leaf of the block list in `lvmt/1`: keccak(02 ‖ RLP\[epoch, count, mroot\]). An empty block
/// has count 0 and mroot keccak("").
pub fn block(epoch: u64, count: u64, root: &Hash) -> Hash {
    let mut list = ListWriter::default();
    list.u64(epoch).u64(count).string(&root.0);
    let mut hasher = Keccak256::default();
    hasher.update(&[2]);
    hasher.update(&list.finish());
    hasher.finish()
}

/// Root of a tree without leaves in `lvmt/1`.
pub fn empty_root() -> Hash {
    keccak256(&[])
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::system::lvmt::query::Key;

    #[test]
    fn no_tuples_have_the_hash_of_nothing() {
        assert_eq!(empty_root().0[..4], [0xc5, 0xd2, 0x46, 0x01]);
    }

    #[test]
    fn a_key_as_short_as_a_path_would_pass_for_a_sub_amt() {
        let osdi23 = Format::Osdi23;
        // What stands where a key's tuple has its version (bytes 38 to 46 of the indices) and the
        // length of its value.
        let mut path = [0; 31];
        (path[10], path[12]) = (1, 141);
        let tree = TreeTuple { path: &path, version: 1, commitment: &[7; 64] };
        let mut value = alloc::vec![0; 141];
        // Behind the indices that are left: version, coordinates, and the last byte.
        value[68] = 1;
        value[76..140].fill(7);
        let key = KeyTuple { key: &[0; 31], version: 1 << 16, level: 0, slot: 1, value: &value };
        assert_eq!(key.hash(osdi23), tree.hash(osdi23));
        // A path of 32 indices would do the same for keys of 32 bytes, so neither exists.
        assert!(Key::new(osdi23, &[0; 31]).is_err() && Key::new(osdi23, &[0; 32]).is_ok());
        assert!((1..=16).all(|k| osdi23.levels(k) <= 32));
        assert_eq!([8, 16].map(|k| osdi23.levels(k)), [32, 16]);
    }
}
