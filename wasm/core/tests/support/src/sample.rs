//! One fixed state with every shape that a proof can have, and the questions to ask of it.

use std::collections::BTreeMap;

use crate::keccak;
use crate::state::{Account, Query, State};

/// Slots whose hashes share their first nine nibbles, so that their leaves stand inside a branch.
/// Found by search.
pub const TWIN_SLOTS: [u64; 2] = [0x3_c6b4, 0x7_dc4f];

/// Account number `index` of the sample; those from [`ACCOUNTS`] on do not exist.
pub fn address(index: u8) -> [u8; 20] {
    let hash = keccak(&[b'a', index]);
    std::array::from_fn(|at| hash[at])
}

/// How many accounts the sample holds.
pub const ACCOUNTS: u8 = 24;

/// A slot by its number.
pub fn slot(number: u64) -> [u8; 32] {
    let digits = number.to_be_bytes();
    std::array::from_fn(|at| if at < 24 { 0 } else { digits[at - 24] })
}

/// The state: plain accounts, and contracts 1 (embedded leaves), 2 (one slot) and 3 (many slots).
pub fn state() -> State {
    let accounts = (0..ACCOUNTS).map(|index| (address(index), account(index)));
    State::new(accounts.collect())
}

fn account(index: u8) -> Account {
    let storage: BTreeMap<[u8; 32], Vec<u8>> = match index {
        1 => [TWIN_SLOTS[0], TWIN_SLOTS[1], 0, 1].map(|number| (slot(number), vec![7])).into(),
        2 => [(slot(5), vec![0xff; 32])].into(),
        3 => (0..40_u64).map(|number| (slot(number), vec![0x80 + index; 4])).collect(),
        _ => BTreeMap::new(),
    };
    let code = if (1..=3).contains(&index) { vec![index; 40 * usize::from(index)] } else { vec![] };
    Account {
        nonce: u64::from(index % 5),
        balance: u128::from(index) * 1_000_000_007,
        storage,
        code,
    }
}

/// Questions whose proofs hold every kind of node and every kind of answer.
pub fn queries() -> Vec<Query> {
    let ask = |account: u8, slots: &[u64], want_code: bool| Query {
        address: address(account).to_vec(),
        slots: slots.iter().map(|number| slot(*number).to_vec()).collect(),
        want_code,
    };
    vec![
        ask(0, &[], false),
        ask(1, &[TWIN_SLOTS[0], 0, 2], true),
        ask(2, &[5, 6], false),
        ask(3, &[0, 39, 40], true),
        ask(4, &[0], true),
        ask(ACCOUNTS, &[], false),
        ask(ACCOUNTS + 1, &[0, 1], true),
    ]
}
