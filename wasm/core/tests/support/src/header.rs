//! Headers: Ethereum's from JSON-RPC, the devnet's from its parts.

use serde_json::Value;

use crate::getproof::bytes;
use crate::hex;
use crate::rlp::Rlp;

/// Fields in the order of the RLP; a fork appends.
const FIELDS: [&str; 23] = [
    "parentHash",
    "sha3Uncles",
    "miner",
    "stateRoot",
    "transactionsRoot",
    "receiptsRoot",
    "logsBloom",
    "difficulty",
    "number",
    "gasLimit",
    "gasUsed",
    "timestamp",
    "extraData",
    "mixHash",
    "nonce",
    "baseFeePerGas",
    "withdrawalsRoot",
    "blobGasUsed",
    "excessBlobGas",
    "parentBeaconBlockRoot",
    "requestsHash",
    "blockAccessListHash",
    "slotNumber",
];

const INTEGERS: [&str; 9] = [
    "difficulty",
    "number",
    "gasLimit",
    "gasUsed",
    "timestamp",
    "baseFeePerGas",
    "blobGasUsed",
    "excessBlobGas",
    "slotNumber",
];

/// RLP of an execution header as `eth_getBlockByNumber` writes it; fields of later forks may lack.
pub fn execution(json: &Value) -> Vec<u8> {
    let present = |name: &&&str| json.get(**name).is_some_and(|value| !value.is_null());
    let field = |name: &&str| {
        let bytes = bytes(&json[*name]);
        Rlp::Str(if INTEGERS.contains(name) { hex::minimal(&bytes) } else { bytes })
    };
    Rlp::list(FIELDS.iter().filter(present).map(field)).encode()
}

/// RLP of a devnet header with one commitment, `mpt`'s.
pub fn devnet(chain_id: u64, parent: &[u8; 32], number: u64, state_root: &[u8; 32]) -> Vec<u8> {
    let commitment = Rlp::list([Rlp::str("mpt"), Rlp::str(state_root)]);
    Rlp::list([
        Rlp::uint(1),
        Rlp::uint(chain_id),
        Rlp::str(parent),
        Rlp::uint(number),
        Rlp::uint(1_700_000_000 + number),
        Rlp::list([commitment]),
        Rlp::str([0; 32]),
    ])
    .encode()
}
