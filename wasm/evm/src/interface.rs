//! Bytes in, JSON out: what the WebAssembly module exports.
//!
//! A request is RLP `[source, witness, outputs, calls, limits]`:
//!
//! | item | RLP |
//! | --- | --- |
//! | source | `[hash, [header, …]]`: the first header hashes to `hash`, which the caller trusts, each next one to the parent hash of the one before; calls run in the last one's block |
//! | witness | `[[node, …], [code, …], [header, …]]`, from anyone: trie nodes, codes, and headers before the block, its parent first |
//! | outputs | `[[address, input, [output]], …]`, from the caller's own modules: what precompiles returned; no output is a failure |
//! | calls | `[[from, to, gas, gasPrice, value, data, [[address, [key, …]], …]], …]`; an empty `to` creates |
//! | limits | `[gas, memory, items]`, see [`Limits`] |

use alloc::string::String;
use alloc::vec::Vec;

use lightproof_core::chain::{Chain, ChainKind};
use lightproof_core::hash::Hash;
use lightproof_core::json::{self, ToJson as _};
use lightproof_core::wire::{Bytes as Text, Reader};
use lightproof_core::{DecodeError, InputError, TrustedHeader};
use revm::primitives::{Address, B256, Bytes, U256};

use crate::answer::{Answer, Failure};
use crate::block::Block;
use crate::fork::Forks;
use crate::machine::{Call, Limits, Machine};
use crate::precompile::{Given, Outputs};
use crate::state::State;

/// Most calls in one request.
const MAX_CALLS: usize = 1024;

/// Runs calls, each on the state after the block; JSON `{"block":{…},"answers":[…]}`, one answer per
/// call, or a rejection of them all.
///
/// * `chain`: the chain's configuration, `forks`: its table of forks, both RLP and the caller's.
pub fn run(chain: &[u8], forks: &[u8], request: &[u8]) -> String {
    let mut out = String::new();
    if let Err(failure) = answer(chain, forks, request, &mut out) {
        out.clear();
        failure.to_json(&mut out);
    }
    out
}

fn answer(chain: &[u8], forks: &[u8], request: &[u8], out: &mut String) -> Result<(), Failure> {
    let input = |error: InputError| Failure::Rejected(error.into());
    let chain = Chain::from_rlp(chain).map_err(input)?;
    if chain.kind != ChainKind::Ethereum {
        return Err(input(InputError::Chain("calls run on chains of the kind ethereum")));
    }
    let forks = Forks::from_rlp(forks).map_err(input)?;
    let request = read(request).map_err(|error| input(InputError::Request(error.reason)))?;
    let block = request.block(&chain, &forks)?;
    let mut state = State::default();
    request.nodes.iter().try_for_each(|node| state.add_node(node))?;
    request.codes.iter().try_for_each(|code| state.add_code(code))?;
    let Request { outputs, calls, limits, .. } = &request;
    let mut machine = Machine::new(state, block, outputs);
    block_to_json(machine.block(), request.trusted(), out);
    out.push_str(",\"answers\":[");
    for (index, call) in calls.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        machine.call(call, limits).to_json(out);
    }
    out.push_str("]}");
    Ok(())
}

struct Request<'a> {
    hash: Hash,
    headers: Vec<&'a [u8]>,
    nodes: Vec<&'a [u8]>,
    codes: Vec<&'a [u8]>,
    ancestors: Vec<&'a [u8]>,
    outputs: Outputs<'a>,
    calls: Vec<Call>,
    limits: Limits,
}

impl Request<'_> {
    /// The block that calls run in, and the hashes that its ancestors name.
    fn block(&self, chain: &Chain, forks: &Forks) -> Result<Block, Failure> {
        let Some((last, before)) = self.headers.split_last() else {
            let reason = "a source has at least one header";
            return Err(Failure::Rejected(InputError::Request(reason).into()));
        };
        let mut child: Option<TrustedHeader> = None;
        for rlp in before {
            child = Some(match &child {
                None => TrustedHeader::pinned(chain, self.hash, rlp)?,
                Some(child) => child.parent(chain, rlp)?,
            });
        }
        if let Some(child) = &child {
            child.parent(chain, last)?;
        }
        let hash = child.map_or(self.hash, |child| child.parent_hash());
        let mut block = Block::new(chain, forks, hash, last)?;
        block.extend(chain, &self.ancestors)?;
        Ok(block)
    }

    /// The hash that is trusted: of the first header.
    const fn trusted(&self) -> Hash {
        self.hash
    }
}

fn read(request: &[u8]) -> Result<Request<'_>, DecodeError> {
    let mut items = Reader::whole_list(request, 0, "request")?;
    let mut source = items.list("source")?;
    let hash = source.hash("hash")?;
    let headers = strings(&mut source)?;
    source.finish("source")?;
    let mut witness = items.list("witness")?;
    let [nodes, codes] = [strings(&mut witness)?, strings(&mut witness)?];
    let ancestors = strings(&mut witness)?;
    witness.finish("witness")?;
    let outputs = Outputs(all(&mut items, output)?);
    let calls = all(&mut items, call)?;
    let span = items.span();
    let mut list = items.list("limits")?;
    let limits = Limits {
        gas: list.u64("gas")?,
        memory: usize::try_from(list.u64("memory")?).unwrap_or(usize::MAX),
        items: usize::try_from(list.u64("items")?).unwrap_or(usize::MAX),
    };
    list.finish("limits")?;
    items.finish("request")?;
    if calls.len() > MAX_CALLS {
        let limit = lightproof_core::error::Malformed::Limit;
        return Err(limit.at("calls", "more than 1024 calls", span));
    }
    Ok(Request { hash, headers, nodes, codes, ancestors, outputs, calls, limits })
}

/// Every item of a list.
fn all<'a, T>(
    outer: &mut Reader<'a>,
    each: impl Fn(&mut Reader<'a>) -> Result<T, DecodeError>,
) -> Result<Vec<T>, DecodeError> {
    let mut list = outer.list("list")?;
    let mut all = Vec::new();
    while !list.is_empty() {
        all.push(each(&mut list)?);
    }
    Ok(all)
}

fn strings<'a>(outer: &mut Reader<'a>) -> Result<Vec<&'a [u8]>, DecodeError> {
    all(outer, |list| list.string("string").map(|Text { bytes, .. }| bytes))
}

fn output<'a>(list: &mut Reader<'a>) -> Result<Given<'a>, DecodeError> {
    let mut items = list.list("output")?;
    let address = Address::new(items.array("address")?);
    let input = items.string("input")?.bytes;
    let mut given = items.list("output")?;
    let output = if given.is_empty() { None } else { Some(given.string("output")?.bytes) };
    given.finish("output")?;
    items.finish("output")?;
    Ok(Given { address, input, output })
}

fn call(list: &mut Reader<'_>) -> Result<Call, DecodeError> {
    let mut items = list.list("call")?;
    let from = Address::new(items.array("from")?);
    let mut at = items;
    let to = if at.string("to")?.bytes.is_empty() {
        items = at;
        None
    } else {
        Some(Address::new(items.array("to")?))
    };
    let gas = items.u64("gas")?;
    let span = items.span();
    let price = U256::from_be_bytes(items.uint256("gasPrice")?.0);
    let shape = lightproof_core::error::Malformed::Shape;
    let gas_price =
        u128::try_from(price).map_err(|_| shape.at("gasPrice", "integer over 128 bits", span))?;
    let value = U256::from_be_bytes(items.uint256("value")?.0);
    let data = Bytes::copy_from_slice(items.string("data")?.bytes);
    let access_list = all(&mut items, |list| {
        let mut entry = list.list("access list")?;
        let address = Address::new(entry.array("address")?);
        let keys = all(&mut entry, |keys| keys.array("key").map(B256::new))?;
        entry.finish("access list")?;
        Ok((address, keys))
    })?;
    items.finish("call")?;
    Ok(Call { from, to, gas, gas_price, value, data, access_list })
}

/// `{"block":{"number":"0x…","trusted":"0x…","rules":"…"}`, not closed: the answers follow.
fn block_to_json(block: &Block, trusted: Hash, out: &mut String) {
    out.push_str("{\"block\":{\"number\":");
    json::quantity(out, &block.env.number.to_be_bytes::<32>());
    out.push_str(",\"trusted\":");
    json::bytes(out, &trusted.0);
    out.push_str(",\"rules\":");
    json::string(out, block.fork.rules.name());
    out.push('}');
}

impl Answer {
    /// Appends the answer as a JSON object.
    pub fn to_json(&self, out: &mut String) {
        match self {
            Self::Done(done) => done.to_json(out),
            Self::Missing(items) => {
                out.push_str("{\"status\":\"missing\",\"items\":");
                json::list(out, items, |out, item| item.to_json(out));
                out.push('}');
            }
            Self::Failed(failure) => failure.to_json(out),
        }
    }
}

impl Failure {
    /// Appends `{"status":"rejected","kind":…,"code":…,"message":…,"span":…}`.
    pub fn to_json(&self, out: &mut String) {
        let (kind, message) = match self {
            Self::Rejected(rejection) => return rejection.to_json(out),
            Self::Fork { number, .. } => (
                "chain",
                alloc::format!("the rules of block {number} are unknown: update, or add its fork"),
            ),
            Self::Refused(reason) => {
                ("call", alloc::format!("the rules refuse the call: {reason}"))
            }
            Self::Limit(name) => ("call", alloc::format!("the call reached the limit of {name}")),
            Self::Engine(reason) => ("call", alloc::format!("the engine stopped: {reason}")),
        };
        out.push_str("{\"status\":\"rejected\",\"kind\":");
        json::string(out, kind);
        out.push_str(",\"code\":");
        json::string(out, self.code());
        out.push_str(",\"message\":");
        json::string(out, &message);
        out.push_str(",\"span\":null}");
    }
}

impl crate::Done {
    fn to_json(&self, out: &mut String) {
        out.push_str("{\"status\":");
        json::string(out, self.status.name());
        out.push_str(",\"output\":");
        json::bytes(out, &self.output);
        out.push_str(",\"gasUsed\":");
        json::quantity(out, &self.gas_used.to_be_bytes());
        out.push_str(",\"logs\":");
        json::list(out, &self.logs, |out, log| {
            out.push_str("{\"address\":");
            json::bytes(out, log.address.as_slice());
            out.push_str(",\"topics\":");
            json::list(out, log.topics(), |out, topic| json::bytes(out, topic.as_slice()));
            out.push_str(",\"data\":");
            json::bytes(out, &log.data.data);
            out.push('}');
        });
        out.push_str(",\"created\":");
        match &self.created {
            Some(address) => json::bytes(out, address.as_slice()),
            None => out.push_str("null"),
        }
        let read: Vec<_> = self.read.iter().collect();
        out.push_str(",\"read\":");
        json::list(out, &read, |out, item| item.to_json(out));
        out.push('}');
    }
}
