//! JSON of the vectors, as the crate's types; the chain that they run on.

use lightproof_core::chain::{Chain, ChainKind};
use lightproof_core::hash::Hash;
use lightproof_evm::context_interface::either::Either;
use lightproof_evm::context_interface::transaction::{
    AccessList, AccessListItem, Authorization, SignedAuthorization,
};
use lightproof_evm::primitives::{Address, B256, Bytes, Log, U256};
use lightproof_evm::{Forks, Rules};
use lightproof_testkit::{Rlp, hex, keccak};
use serde_json::{Map, Value};

/// A field that has to be there.
pub(super) fn field<'a>(json: &'a Value, name: &str) -> Result<&'a Value, String> {
    json.get(name).filter(|value| !value.is_null()).ok_or_else(|| format!("no field {name}"))
}

/// A list that has to be there.
pub(super) fn list<'a>(json: &'a Value, name: &str) -> Result<&'a Vec<Value>, String> {
    field(json, name)?.as_array().ok_or_else(|| format!("field {name} is not a list"))
}

/// An object that has to be there.
pub(super) fn object<'a>(json: &'a Value, name: &str) -> Result<&'a Map<String, Value>, String> {
    field(json, name)?.as_object().ok_or_else(|| format!("field {name} is not an object"))
}

/// Bytes of hex text; none if there is no text.
pub(super) fn bytes(json: &Value) -> Vec<u8> {
    json.as_str().map(hex::decode).unwrap_or_default()
}

pub(super) fn number(json: &Value) -> U256 {
    let text = json.as_str().unwrap_or("0x0");
    U256::from_be_slice(&hex::minimal(&hex::decode(text)))
}

pub(super) fn address(json: &Value) -> Address {
    Address::from_slice(&bytes(json))
}

pub(super) fn word(json: &Value) -> B256 {
    B256::from(number(json))
}

pub(super) fn access_list(json: &Value) -> Result<AccessList, String> {
    let entries = json.as_array().into_iter().flatten().map(|entry| {
        let storage_keys = list(entry, "storageKeys")?.iter().map(word).collect();
        Ok(AccessListItem { address: address(field(entry, "address")?), storage_keys })
    });
    entries.collect::<Result<Vec<_>, String>>().map(AccessList)
}

pub(super) fn words(json: &Value) -> Vec<B256> {
    json.as_array().into_iter().flatten().map(word).collect()
}

/// What a transaction with fees of its own pays beyond the base fee.
pub(super) fn priority_fee(json: &Value) -> Result<Option<u128>, String> {
    if !json["maxFeePerGas"].is_string() {
        return Ok(None);
    }
    Ok(Some(number(field(json, "maxPriorityFeePerGas")?).to()))
}

/// Authorizations (EIP-7702), with their signers' signatures.
pub(super) fn authorizations<R>(
    json: &Value,
) -> Result<Vec<Either<SignedAuthorization, R>>, String> {
    let one = |json: &Value| {
        let inner = Authorization {
            chain_id: number(field(json, "chainId")?),
            address: address(field(json, "address")?),
            nonce: number(field(json, "nonce")?).to(),
        };
        let parity = field(json, "yParity").or_else(|_| field(json, "v"))?;
        let parity = number(parity).to::<u64>();
        let parity = if parity >= 27 { parity - 27 } else { parity };
        let parity = u8::try_from(parity).map_err(|_| format!("parity {parity}"))?;
        let (r, s) = (number(field(json, "r")?), number(field(json, "s")?));
        Ok(Either::Left(SignedAuthorization::new_unchecked(inner, parity, r, s)))
    };
    json.as_array().into_iter().flatten().map(one).collect()
}

/// Logs as JSON-RPC writes them.
pub(super) fn logs(json: &Value) -> Result<Vec<Log>, String> {
    let all = json.as_array().ok_or("the logs are not a list")?.iter().map(|log| {
        let topics = list(log, "topics")?.iter().map(word).collect();
        let data = Bytes::from(bytes(field(log, "data")?));
        Ok(Log::new_unchecked(address(field(log, "address")?), topics, data))
    });
    all.collect()
}

/// keccak of the logs' RLP.
pub(super) fn logs_hash(logs: &[Log]) -> [u8; 32] {
    let log = |log: &Log| {
        let topics = log.topics().iter().map(Rlp::str);
        Rlp::list([Rlp::str(log.address), Rlp::list(topics), Rlp::str(&log.data.data)])
    };
    keccak(&Rlp::list(logs.iter().map(log)).encode())
}

pub(super) fn chain(chain_id: u64, genesis_hash: Hash) -> Chain {
    Chain { kind: ChainKind::Ethereum, chain_id, genesis_hash, consensus: None }
}

/// A table with one entry: all blocks follow `rules`.
pub(super) fn always(rules: &str, blob_fraction: u64) -> Forks {
    table(&[(rules, "block", 0, blob_fraction)])
}

/// The forks of a known chain; of another, the rules that its file names, for all blocks.
pub(super) fn forks(chain_id: u64, fork: &str) -> Forks {
    match chain_id {
        1 => table(MAINNET),
        11_155_111 => table(SEPOLIA),
        560_048 => table(HOODI),
        _ => {
            let rules = fork.to_lowercase();
            let fraction = match () {
                () if since(&rules, Rules::Amsterdam) => BPO2,
                () if since(&rules, Rules::Prague) => PRAGUE,
                () if since(&rules, Rules::Cancun) => CANCUN,
                () => 0,
            };
            always(&rules, fraction)
        }
    }
}

/// Divisors of the blob base fee's exponent (EIP-4844, EIP-7691, EIP-7892).
const CANCUN: u64 = 3_338_477;
const PRAGUE: u64 = 5_007_716;
const BPO1: u64 = 8_346_193;
const BPO2: u64 = 11_684_671;

/// Rules, `block` or `time`, the first that follows them, and the divisor.
type Entry = (&'static str, &'static str, u64, u64);

/// Activation blocks and times, as the networks' configurations have them.
const MAINNET: &[Entry] = &[
    ("byzantium", "block", 4_370_000, 0),
    ("petersburg", "block", 7_280_000, 0),
    ("istanbul", "block", 9_069_000, 0),
    ("berlin", "block", 12_244_000, 0),
    ("london", "block", 12_965_000, 0),
    ("paris", "block", 15_537_394, 0),
    ("shanghai", "time", 1_681_338_455, 0),
    ("cancun", "time", 1_710_338_135, CANCUN),
    ("prague", "time", 1_746_612_311, PRAGUE),
    ("osaka", "time", 1_764_798_551, PRAGUE),
    ("osaka", "time", 1_765_290_071, BPO1),
    ("osaka", "time", 1_767_747_671, BPO2),
];

const SEPOLIA: &[Entry] = &[
    ("london", "block", 0, 0),
    ("paris", "block", 1_450_409, 0),
    ("shanghai", "time", 1_677_557_088, 0),
    ("cancun", "time", 1_706_655_072, CANCUN),
    ("prague", "time", 1_741_159_776, PRAGUE),
    ("osaka", "time", 1_760_427_360, PRAGUE),
    ("osaka", "time", 1_761_017_184, BPO1),
    ("osaka", "time", 1_761_607_008, BPO2),
    ("amsterdam", "time", 1_791_294_816, BPO2),
];

const HOODI: &[Entry] = &[
    ("cancun", "block", 0, CANCUN),
    ("prague", "time", 1_742_999_832, PRAGUE),
    ("osaka", "time", 1_761_677_592, PRAGUE),
    ("osaka", "time", 1_762_365_720, BPO1),
    ("osaka", "time", 1_762_955_544, BPO2),
];

fn table(entries: &[(&str, &str, u64, u64)]) -> Forks {
    let entry = |(rules, start, at, fraction): &(&str, &str, u64, u64)| {
        Rlp::list([Rlp::str(rules), Rlp::str(start), Rlp::uint(*at), Rlp::uint(*fraction)])
    };
    Forks::from_rlp(&Rlp::list(entries.iter().map(entry)).encode()).unwrap()
}

/// Which optional fields a header has.
pub(super) fn since(name: &str, rules: Rules) -> bool {
    Rules::named(name).is_some_and(|named| named >= rules)
}
