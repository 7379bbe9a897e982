//! Bytes in, JSON out: what the WebAssembly module exports.
//!
//! A request is RLP `[source, witness, calls, limits, overrides, sequence]`:
//!
//! | item | RLP |
//! | --- | --- |
//! | source | `[hash, [header, …]]`: the first header hashes to `hash`, which the caller trusts, each next one to the parent hash of the one before; calls run in the last one's block |
//! | witness | `[[node, …], [code, …], [header, …]]`, from anyone: trie nodes, codes, and headers before the block, its parent first |
//! | calls | `[[from, to, gas, gasPrice, value, data, [[address, [key, …]], …]], …]`; an empty `to` creates |
//! | limits | `[gas, memory, items]`, see [`Limits`] |
//! | overrides | `[state, block]`, from the caller: see below |
//! | sequence | 1: each call runs on what those before it left; 0: all on the state after the block |
//!
//! `state` is `[[address, [balance], [nonce], [code], [storage], slots], …]`, `block` is
//! `[[number], [time], [gasLimit], [coinbase], [prevRandao], [baseFee], [blobBaseFee]]`. An inner
//! list has one item or none; `storage`, which replaces all slots, and `slots` are `[[key, value],
//! …]`.

mod json;
mod overrides;

use alloc::string::String;
use alloc::vec::Vec;

use lightproof_core::chain::{Chain, ChainKind};
use lightproof_core::hash::Hash;
use lightproof_core::wire::{Bytes as Text, Reader};
use lightproof_core::{DecodeError, InputError, TrustedHeader};
use revm::primitives::{Address, B256, Bytes, U256};

use crate::answer::{Answer, Failure};
use crate::block::Block;
use crate::fork::Forks;
use crate::heavy::Heavy;
use crate::machine::{Call, Limits, Machine};
use crate::overrides::{BlockOverride, Overrides};
use crate::precompile::is_one;
use crate::state::State;

/// Most calls in one request.
const MAX_CALLS: usize = 1024;

/// Runs calls, each on the state after the block; JSON `{"block":{…},"answers":[…]}`, one answer
/// per call, or a rejection of them all.
///
/// * `chain`: the chain's configuration, `forks`: its table of forks, both RLP and the caller's.
/// * `heavy`: the caller's own precompiles on curves.
pub fn run(chain: &[u8], forks: &[u8], request: &[u8], heavy: &dyn Heavy) -> String {
    let mut out = String::new();
    if let Err(failure) = answer(chain, forks, request, heavy, &mut out) {
        out.clear();
        failure.to_json(&mut out);
    }
    out
}

fn answer(
    chain: &[u8],
    forks: &[u8],
    request: &[u8],
    heavy: &dyn Heavy,
    out: &mut String,
) -> Result<(), Failure> {
    let input = |error: InputError| Failure::Rejected(error.into());
    let chain = Chain::from_rlp(chain).map_err(input)?;
    if chain.kind != ChainKind::Ethereum {
        return Err(input(InputError::Chain("calls run on chains of the kind ethereum")));
    }
    let forks = Forks::from_rlp(forks).map_err(input)?;
    let request = read(request).map_err(|error| input(InputError::Request(error.reason)))?;
    let mut block = request.block(&chain, &forks)?;
    let is_precompile = |address| is_one(block.fork.rules.spec(), address);
    if request
        .overrides
        .0
        .iter()
        .any(|(address, given)| given.code.is_some() && is_precompile(address))
    {
        return Err(input(InputError::Request("code in the place of a precompile")));
    }
    request.altered.apply(&mut block.env);
    let mut state = State::default();
    request.nodes.iter().try_for_each(|node| state.add_node(node))?;
    request.codes.iter().try_for_each(|code| state.add_code(code))?;
    let Request { hash, calls, limits, overrides, in_sequence, .. } = request;
    let mut machine = Machine::new(state, block, heavy);
    machine.overrides = overrides;
    machine.raises_nonces = in_sequence;
    json::block(machine.block(), hash, out);
    out.push_str(",\"answers\":[");
    for (index, call) in calls.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        let answer = machine.call(call, &limits);
        answer.to_json(out);
        if let (true, Answer::Done(done)) = (in_sequence, answer) {
            machine.overlay.apply(done.changes);
        }
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
    calls: Vec<Call>,
    limits: Limits,
    overrides: Overrides,
    altered: BlockOverride,
    in_sequence: bool,
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
    let calls = all(&mut items, call)?;
    let span = items.span();
    let mut list = items.list("limits")?;
    let limits = Limits {
        gas: list.u64("gas")?,
        memory: usize::try_from(list.u64("memory")?).unwrap_or(usize::MAX),
        items: usize::try_from(list.u64("items")?).unwrap_or(usize::MAX),
    };
    list.finish("limits")?;
    let (overrides, altered) = overrides::read(&mut items)?;
    let shape = lightproof_core::error::Malformed::Shape;
    let at = items.span();
    let in_sequence = match items.u64("sequence")? {
        0 => false,
        1 => true,
        _ => return Err(shape.at("sequence", "0 or 1", at)),
    };
    items.finish("request")?;
    if calls.len() > MAX_CALLS {
        let limit = lightproof_core::error::Malformed::Limit;
        return Err(limit.at("calls", "more than 1024 calls", span));
    }
    Ok(Request {
        hash,
        headers,
        nodes,
        codes,
        ancestors,
        calls,
        limits,
        overrides,
        altered,
        in_sequence,
    })
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
