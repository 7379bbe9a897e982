//! Headers of Lightproof's devnet: RLP `[version, chainId, parentHash, number, timestamp,
//! [[system, bytes], …], committeeRoot]`.

use alloc::vec::Vec;

use super::{Commitment, Fields, as_header};
use crate::chain::Chain;
use crate::error::{DecodeError, Malformed, Rejection, VerifyError};
use crate::hash::Hash;
use crate::wire::Reader;

const VERSION: u64 = 1;

/// Decodes a header of `chain`.
///
/// # Errors
/// `verify.chain` for another version or chain id, `decode.header` if the form is broken.
pub(super) fn decode(chain: &Chain, rlp: &[u8]) -> Result<Fields, Rejection> {
    let mut items = Reader::whole_list(rlp, 0, "header").map_err(as_header)?;
    if items.u64("version").map_err(as_header)? != VERSION {
        return Err(VerifyError::Chain { reason: "unknown header version" }.into());
    }
    if items.u64("chainId").map_err(as_header)? != chain.chain_id {
        return Err(VerifyError::Chain { reason: "the header names another chain id" }.into());
    }
    Ok(fields(&mut items, chain.consensus.is_some()).map_err(as_header)?)
}

fn fields(items: &mut Reader<'_>, is_signed: bool) -> Result<Fields, DecodeError> {
    let parent_hash = items.hash("parentHash")?;
    let number = items.u64("number")?;
    let timestamp = items.u64("timestamp")?;
    let commitments = commitments(items.list("commitments")?)?;
    let committee_root = committee_root(items, is_signed)?;
    items.finish("header")?;
    Ok(Fields { parent_hash, number, timestamp, commitments, committee_root })
}

/// A signed header names its committees; any other holds zeros there.
fn committee_root(items: &mut Reader<'_>, is_signed: bool) -> Result<Option<Hash>, DecodeError> {
    let span = items.span();
    let root = items.hash("committeeRoot")?;
    let reason = match (is_signed, root == Hash::ZERO) {
        (true, false) => return Ok(Some(root)),
        (false, true) => return Ok(None),
        (true, true) => "no committee root in a chain of signed headers",
        (false, false) => "a committee root in a chain without signed headers",
    };
    Err(DecodeError { malformed: Malformed::Header, field: "committeeRoot", reason, span })
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
            let reason = "a system's name is printable ASCII";
            return Err(DecodeError {
                malformed: Malformed::Header,
                field: "system",
                reason,
                span,
            });
        }
        if all.last().is_some_and(|last| last.system.as_slice() >= system) {
            let reason = "systems do not ascend";
            return Err(DecodeError {
                malformed: Malformed::Header,
                field: "system",
                reason,
                span,
            });
        }
        all.push(Commitment { system: system.to_vec(), bytes: bytes.to_vec() });
    }
    Ok(all)
}
