//! Contracts in bytes, and a genesis file that holds them.

use alloy_primitives::{Address, U256, address, hex};
use serde_json::{Value, json};

use super::Key;

/// Moves an amount (second word of the input) from the caller's slot to another's (first word), and
/// logs it.
pub const TOKEN: &[u8] = &hex!("602035803354033355 5f3580548201 9055 5f52 3360205fa1 00");
/// Stores the hash of the block whose number is the input, under that number.
pub const BLOCK_HASH: &[u8] = &hex!("5f35804090 5500");
/// Logs the input as a deposit (EIP-6110).
pub const DEPOSIT: &[u8] =
    &hex!("365f5f37 7f649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5 365fa1 00");
/// Creation code that gives everything to the sender at once.
pub const SELF_DESTRUCT: &[u8] = &hex!("32ff");
/// Stores 1 in slot 7 of whoever runs it.
pub const MARK: &[u8] = &hex!("600160075500");

pub const TOKEN_AT: Address = address!("0000000000000000000000000000000000001001");
pub const BLOCK_HASH_AT: Address = address!("0000000000000000000000000000000000001002");
pub const DEPOSIT_AT: Address = address!("0000000000000000000000000000000000001003");
pub const MARK_AT: Address = address!("0000000000000000000000000000000000001004");
/// An account of genesis without nonce, balance and code.
pub const EMPTY_AT: Address = address!("0000000000000000000000000000000000001005");

/// Creation code that stores 42 in slot 0 and leaves this code.
pub fn deploy(code: &[u8]) -> Vec<u8> {
    let length = u8::try_from(code.len()).unwrap();
    let mut all = hex!("602a5f55 6000 80 600d 5f39 5ff3").to_vec();
    all[5] = length;
    all.extend_from_slice(code);
    all
}

/// The data of a deposit's event: five offsets, then each length and bytes (ABI).
pub fn deposit() -> Vec<u8> {
    let parts: [&[u8]; 5] = [&[1; 48], &[2; 32], &[3; 8], &[4; 96], &[5; 8]];
    let (mut event, mut tail) = (Vec::new(), Vec::new());
    for part in parts {
        event.extend_from_slice(&U256::from(160 + tail.len()).to_be_bytes::<32>());
        tail.extend_from_slice(&U256::from(part.len()).to_be_bytes::<32>());
        tail.extend_from_slice(part);
        tail.resize(tail.len().next_multiple_of(32), 0);
    }
    event.extend(tail);
    event
}

/// The forks of `geth --dev`, without the one that is none.
pub fn config() -> Value {
    json!({
        "chainId": super::CHAIN_ID,
        "homesteadBlock": 0, "eip150Block": 0, "eip155Block": 0, "eip158Block": 0,
        "byzantiumBlock": 0, "constantinopleBlock": 0, "petersburgBlock": 0, "istanbulBlock": 0,
        "muirGlacierBlock": 0, "berlinBlock": 0, "londonBlock": 0, "arrowGlacierBlock": 0,
        "grayGlacierBlock": 0, "shanghaiTime": 0, "cancunTime": 0, "pragueTime": 0, "osakaTime": 0,
        "terminalTotalDifficulty": 0, "depositContractAddress": DEPOSIT_AT,
        "blobSchedule": {
            "cancun": { "target": 3, "max": 6, "baseFeeUpdateFraction": 3_338_477 },
            "prague": { "target": 6, "max": 9, "baseFeeUpdateFraction": 5_007_716 },
        },
    })
}

/// A genesis file with the contracts above, the system's own, and money for the first keys.
pub fn genesis() -> Value {
    use alloy_eips::{eip2935, eip4788, eip7002, eip7251};
    let coded = |code: &[u8]| json!({ "balance": "0x0", "nonce": "0x1", "code": hex::encode_prefixed(code) });
    let mut file = json!({
        "config": config(),
        "nonce": "0x0", "timestamp": "0x64", "extraData": "0x", "gasLimit": "0x1c9c380",
        "difficulty": "0x0", "alloc": {},
    });
    let alloc = file["alloc"].as_object_mut().unwrap();
    let mut put = |address: Address, account: Value| alloc.insert(address.to_string(), account);
    put(eip2935::HISTORY_STORAGE_ADDRESS, coded(&eip2935::HISTORY_STORAGE_CODE));
    put(eip4788::BEACON_ROOTS_ADDRESS, coded(&eip4788::BEACON_ROOTS_CODE));
    let at = eip7002::WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS;
    put(at, coded(&eip7002::WITHDRAWAL_REQUEST_PREDEPLOY_CODE));
    let at = eip7251::CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS;
    put(at, coded(&eip7251::CONSOLIDATION_REQUEST_PREDEPLOY_CODE));
    put(BLOCK_HASH_AT, coded(BLOCK_HASH));
    put(DEPOSIT_AT, coded(DEPOSIT));
    put(MARK_AT, coded(MARK));
    put(EMPTY_AT, json!({ "balance": "0x0" }));
    let mut token = coded(TOKEN);
    let mut holdings = serde_json::Map::new();
    for seed in 1..=9 {
        let key = Key::new(seed);
        // 2^200: a credit to a balance near 2^256 would not fit.
        put(key.address, json!({ "balance": format!("0x1{}", "0".repeat(50)) }));
        holdings.insert(key.address.into_word().to_string(), json!("0xffffffffff"));
    }
    token["storage"] = Value::Object(holdings);
    put(TOKEN_AT, token);
    file
}
