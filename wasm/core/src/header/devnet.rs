//! Headers of Lightproof's devnet (`spec/headers.md`, section 3).

use alloc::vec::Vec;

use super::{Commitment, Fields};
use crate::chain::Chain;
use crate::error::{DecodeError, Malformed, Rejection, VerifyError};
use crate::hash::Hash;
use crate::wire::Reader;

/// Version of a header without an origin.
const VERSION: u64 = 1;

/// Version of a header with an origin.
const ORIGIN_VERSION: u64 = 2;

/// Decodes a header of `chain`.
///
/// # Errors
/// `verify.chain` for another version or chain id, `decode.header` if the form is broken.
pub(super) fn decode(chain: &Chain, rlp: &[u8]) -> Result<Fields, Rejection> {
    let mut items = Reader::whole_list(rlp, 0, "header").map_err(DecodeError::in_header)?;
    let has_origin = match items.u64("version").map_err(DecodeError::in_header)? {
        VERSION => false,
        ORIGIN_VERSION => true,
        _ => return Err(VerifyError::Chain { reason: "unknown header version" }.into()),
    };
    if items.u64("chainId").map_err(DecodeError::in_header)? != chain.chain_id {
        return Err(VerifyError::Chain { reason: "the header names another chain id" }.into());
    }
    Ok(fields(&mut items, chain.consensus.is_some(), has_origin).map_err(DecodeError::in_header)?)
}

fn fields(
    items: &mut Reader<'_>,
    is_signed: bool,
    has_origin: bool,
) -> Result<Fields, DecodeError> {
    let parent_hash = items.hash("parentHash")?;
    let number = items.u64("number")?;
    let timestamp = items.u64("timestamp")?;
    let commitments = commitments(items.list("commitments")?)?;
    let committee_root = committee_root(items, is_signed)?;
    let origin = if has_origin { Some(origin(items)?) } else { None };
    items.finish("header")?;
    Ok(Fields { parent_hash, number, timestamp, commitments, body: None, committee_root, origin })
}

/// A block without an origin has a header of version 1: zeros would be a second form of the same.
fn origin(items: &mut Reader<'_>) -> Result<Hash, DecodeError> {
    let span = items.span();
    let origin = items.hash("origin")?;
    if origin == Hash::ZERO {
        let reason = "expected an origin other than zero: a header without one has version 1";
        return Err(Malformed::Header.at("origin", reason, span));
    }
    Ok(origin)
}

/// A signed header names its committees; any other holds zeros there.
fn committee_root(items: &mut Reader<'_>, is_signed: bool) -> Result<Option<Hash>, DecodeError> {
    let span = items.span();
    let root = items.hash("committeeRoot")?;
    let reason = match (is_signed, root == Hash::ZERO) {
        (true, false) => return Ok(Some(root)),
        (false, true) => return Ok(None),
        (true, true) => "expected a committee root: headers of this chain are signed",
        (false, false) => "unexpected committee root: headers of this chain are not signed",
    };
    Err(Malformed::Header.at("committeeRoot", reason, span))
}

fn commitments(mut list: Reader<'_>) -> Result<Vec<Commitment>, DecodeError> {
    let mut all: Vec<Commitment> = Vec::new();
    while !list.is_empty() {
        let span = list.span();
        let mut pair = list.list("commitment")?;
        let system = pair.string("system")?.bytes;
        let bytes = pair.string("commitment")?.bytes;
        pair.finish("commitment")?;
        if !system.iter().all(u8::is_ascii_graphic) || system.is_empty() {
            let reason = "system name: expected printable ASCII";
            return Err(Malformed::Header.at("system", reason, span));
        }
        if all.last().is_some_and(|last| last.system.as_slice() >= system) {
            let reason = "system names are not in strictly ascending order";
            return Err(Malformed::Header.at("system", reason, span));
        }
        all.push(Commitment { system: system.to_vec(), bytes: bytes.to_vec() });
    }
    Ok(all)
}
