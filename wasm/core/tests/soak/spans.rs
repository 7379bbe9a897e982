//! Bytes changed as whoever knows their fields would: numbers moved by one, fields of the lengths
//! that hashes, keys, points and signatures have.

use crate::dice::Dice;

/// Lengths of numbers, hashes, points of BLS12-381 and their signatures.
const FIELDS: [usize; 6] = [1, 8, 32, 48, 64, 96];

/// Changes bytes in one way.
///
/// * `donor`: other bytes, of which pieces are taken.
pub(crate) fn edit(bytes: &mut Vec<u8>, donor: &[u8], dice: &mut Dice) {
    let length = bytes.len();
    if length == 0 {
        let count = dice.below(40);
        *bytes = dice.bytes(count);
        return;
    }
    let at = dice.below(length);
    let field = FIELDS[dice.below(FIELDS.len())];
    // Fields begin where a multiple of their length does, as often as anywhere.
    let start = if dice.below(2) == 0 { at } else { at - at % field };
    let end = length.min(start + field);
    match dice.below(10) {
        0 => bytes[at] ^= 1 << dice.below(8),
        1 => bytes[at] = dice.byte(),
        2 => bytes[start..end].fill(0),
        3 => bytes[start..end].fill(0xff),
        4 => {
            let random = dice.bytes(end - start);
            bytes[start..end].copy_from_slice(&random);
        }
        5 => step(&mut bytes[start..end], dice.below(4)),
        6 => bytes.truncate(at),
        7 => {
            let count = 1 + dice.below(field);
            let random = dice.bytes(count);
            bytes.splice(at..at, random);
        }
        8 => drop(bytes.drain(start..end)),
        _ => {
            // The same field of the other, or any piece of it.
            let from = if dice.below(2) == 0 { start } else { dice.below(donor.len()) };
            if let Some(piece) = donor.get(from..donor.len().min(from + field)) {
                let end = length.min(start + piece.len());
                bytes.splice(start..end, piece.iter().copied());
            }
        }
    }
}

/// Adds or subtracts one, of a big-endian or a little-endian number.
fn step(number: &mut [u8], way: usize) {
    let (is_big, is_up) = (way & 1 == 0, way & 2 == 0);
    if is_big {
        number.reverse();
    }
    for byte in number.iter_mut() {
        let (next, carries) = if is_up { byte.overflowing_add(1) } else { byte.overflowing_sub(1) };
        *byte = next;
        if !carries {
            break;
        }
    }
    if is_big {
        number.reverse();
    }
}
