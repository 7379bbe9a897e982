//! Blocks as applications push them (`spec/architecture.md`, section 8).

use std::collections::BTreeSet;
use std::fmt;

use lightproof_prover::chain::Address;
use lightproof_prover::chain::source::SourceBlock;
use lightproof_prover::chain::state::Wei;
use lightproof_prover::chain::writes::{AccountWrite, WriteSet};
use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

use crate::rpc::error::RpcError;

/// Writes in one block: accounts and slots together.
pub const MAX_WRITES: usize = 100_000;

/// The parameter of `lp_pushBlock`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PushedBlock {
    number: Quantity,
    timestamp: Quantity,
    #[serde(default)]
    accounts: Vec<Account>,
    #[serde(default)]
    slots: Vec<Slot>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Account {
    address: Data<20>,
    nonce: Option<Quantity>,
    balance: Option<Quantity>,
    code: Option<Code>,
    #[serde(default)]
    deleted: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Slot {
    address: Data<20>,
    #[serde(rename = "slot")]
    key: Data<32>,
    value: Data<32>,
}

impl PushedBlock {
    /// The block with its digest as origin.
    ///
    /// # Errors
    /// -32602 for an account or slot that is written twice or in a contradictory way, -32005 for
    /// too many writes.
    pub(super) fn into_source(self) -> Result<SourceBlock, RpcError> {
        if self.accounts.len() + self.slots.len() > MAX_WRITES {
            return Err(RpcError::limit("writes", MAX_WRITES));
        }
        let number = self.number.u64("number")?;
        let timestamp = self.timestamp.u64("timestamp")?;
        let (mut writes, mut seen) = (WriteSet::default(), BTreeSet::new());
        for account in self.accounts {
            let address = account.address.0;
            if !seen.insert(address) {
                return Err(twice("accounts", &address));
            }
            account.write(&mut writes)?;
        }
        for Slot { address: Data(address), key: Data(slot), value: Data(value) } in self.slots {
            if writes.slots.insert((address, slot), value).is_some() {
                return Err(twice("slots", &address));
            }
        }
        let origin = digest(number, timestamp, &writes);
        Ok(SourceBlock { number, timestamp, origin, writes, content: None })
    }
}

impl Account {
    fn write(self, writes: &mut WriteSet) -> Result<(), RpcError> {
        let Self { address: Data(address), nonce, balance, code, deleted } = self;
        let invalid = |reason| {
            let message = format!("{} {reason}", hex::encode(&address));
            Err(RpcError::invalid_params("accounts", message))
        };
        match (nonce, balance, code, deleted) {
            (None, None, None, true) => writes.delete(address),
            (_, _, _, true) => return invalid("is deleted, and has fields besides"),
            (Some(nonce), Some(Quantity(balance)), code, false) => {
                let nonce = nonce.u64("nonce")?;
                match code {
                    None => writes.account(address, nonce, Wei(balance)),
                    Some(Code(code)) => writes.contract(address, nonce, Wei(balance), code),
                }
            }
            _ => return invalid("needs nonce and balance, or deleted"),
        }
        Ok(())
    }
}

fn twice(field: &str, address: &Address) -> RpcError {
    let address = hex::encode(address);
    RpcError::invalid_params(field, format!("{address} is written twice in one block"))
}

/// Names the content, whatever order it came in (`spec/headers.md`, section 3).
fn digest(number: u64, timestamp: u64, writes: &WriteSet) -> Word {
    let account = |(address, write): (&Address, &AccountWrite)| {
        let mut items = vec![Item::bytes(address)];
        if let AccountWrite::Set { nonce, balance, code_hash } = write {
            items.extend([Item::uint(*nonce), Item::uint_bytes(&balance.0)]);
            items.extend(code_hash.map(Item::bytes));
        }
        Item::List(items)
    };
    let slot = |((address, slot), value): (&(Address, Word), &Word)| {
        Item::List(vec![Item::bytes(address), Item::bytes(slot), Item::uint_bytes(value)])
    };
    let block = Item::List(vec![
        Item::uint(number),
        Item::uint(timestamp),
        Item::List(writes.accounts.iter().map(account).collect()),
        Item::List(writes.slots.iter().map(slot).collect()),
    ]);
    keccak256(&block.encode())
}

/// Exactly N bytes of `0x` hex.
#[derive(Debug)]
struct Data<const N: usize>([u8; N]);

/// `0x` hex of at most 256 bits, without leading zeros.
#[derive(Debug)]
struct Quantity(Word);

/// Bytes of `0x` hex; none take an account's code away.
#[derive(Debug)]
struct Code(Vec<u8>);

impl Quantity {
    fn u64(&self, field: &str) -> Result<u64, RpcError> {
        let (high, low) = self.0.split_at(24);
        let low = low.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let fits = high.iter().all(|byte| *byte == 0);
        fits.then_some(low)
            .ok_or_else(|| RpcError::invalid_params(field, "expected a quantity below 2^64"))
    }
}

fn quantity(text: &str) -> Result<Quantity, String> {
    const EXPECTED: &str =
        "expected a quantity below 2^256: 0x and hex digits without a leading zero";
    let digits = text.strip_prefix("0x").filter(|digits| (1..=64).contains(&digits.len()));
    let digits = digits.filter(|digits| *digits == "0" || !digits.starts_with('0'));
    let word = digits.and_then(|digits| hex::decode_fixed(&format!("0x{digits:0>64}")).ok());
    word.map(Quantity).ok_or_else(|| EXPECTED.to_owned())
}

/// Reads a string without copying it first.
struct Text<F>(F);

impl<T, F: FnOnce(&str) -> Result<T, String>> Visitor<'_> for Text<F> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string of 0x hex")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.0)(text).map_err(E::custom)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Data<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read =
            |text: &str| hex::decode_fixed(text).map(Self).map_err(|error| error.to_string());
        deserializer.deserialize_str(Text(read))
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Text(quantity))
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |text: &str| hex::decode(text).map(Self).map_err(|error| error.to_string());
        deserializer.deserialize_str(Text(read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const A: &str = "0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    const B: &str = "0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

    #[allow(clippy::needless_pass_by_value)]
    fn parse(accounts: Value, slots: Value) -> Result<SourceBlock, String> {
        let block =
            json!({ "number": "0x1", "timestamp": "0x2", "accounts": accounts, "slots": slots });
        let block: PushedBlock =
            serde_json::from_value(block).map_err(|error| error.to_string())?;
        block.into_source().map_err(|error| error.message)
    }

    fn account(address: &str, nonce: &str) -> Value {
        json!({ "address": address, "nonce": nonce, "balance": "0x5" })
    }

    #[test]
    fn the_digest_names_the_content_and_not_its_order() {
        let origin = |accounts| parse(accounts, json!([])).unwrap().origin;
        let one = origin(json!([account(A, "0x1"), account(B, "0x2")]));
        assert_eq!(one, origin(json!([account(B, "0x2"), account(A, "0x1")])));
        let mut coded = account(A, "0x1");
        coded["code"] = json!("0x");
        let deleted = json!({ "address": A, "deleted": true });
        let all = [
            one,
            origin(json!([account(A, "0x2"), account(B, "0x2")])),
            origin(json!([account(A, "0x1")])),
            origin(json!([coded])),
            origin(json!([deleted])),
            origin(json!([])),
        ];
        assert_eq!(BTreeSet::from(all).len(), all.len());
    }

    #[test]
    fn refuses_what_is_written_twice_contradictory_or_of_another_form() {
        let word = |byte: &str| format!("0x{}", byte.repeat(32));
        let slot = |slot: &str| json!({ "address": A, "slot": word(slot), "value": word("01") });
        assert!(parse(json!([]), json!([slot("01"), slot("02")])).is_ok());
        for (accounts, slots, reason) in [
            (json!([account(A, "0x1"), account(A, "0x1")]), json!([]), "written twice"),
            (json!([]), json!([slot("01"), slot("01")]), "written twice"),
            (json!([{ "address": A, "deleted": true, "nonce": "0x1" }]), json!([]), "besides"),
            (json!([{ "address": A, "nonce": "0x1" }]), json!([]), "needs nonce and balance"),
            (json!([{ "address": A, "deleted": false }]), json!([]), "needs nonce and balance"),
            (json!([{ "address": A, "balence": "0x1" }]), json!([]), "unknown field `balence`"),
            (json!([account(&A[..41], "0x1")]), json!([]), "not hex"),
            (json!([account(A, "0x01")]), json!([]), "expected a quantity"),
            (
                json!([account(A, "0x10000000000000000")]),
                json!([]),
                "nonce: expected a quantity below 2^64",
            ),
            (json!([account(A, &format!("0x1{}", "0".repeat(64)))]), json!([]), "below 2^256"),
            (json!([account(A, "0x")]), json!([]), "expected a quantity"),
            (json!([account(A, "0x+1")]), json!([]), "expected a quantity"),
            (json!([{ "address": A, "nonce": 1, "balance": "0x1" }]), json!([]), "0x hex"),
            (json!([]), json!([{ "address": A, "slot": "0x1", "value": word("01") }]), "not hex"),
        ] {
            let error = parse(accounts, slots).unwrap_err();
            assert!(error.contains(reason), "{reason}: {error}");
        }
    }

    #[test]
    fn limits_the_writes_of_a_block() {
        let account = |index: usize| account(&format!("0x{index:040x}"), "0x1");
        let accounts = |count| (0..count).map(account).collect::<Value>();
        assert_eq!(
            parse(accounts(MAX_WRITES), json!([])).unwrap().writes.accounts.len(),
            MAX_WRITES
        );
        assert!(
            parse(accounts(MAX_WRITES + 1), json!([])).unwrap_err().contains("writes is limited")
        );
    }
}
