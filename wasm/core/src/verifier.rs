//! The entry for bindings, tools and fuzzers: bytes in, JSON text out.
//!
//! A caller holds no trust across calls: each claim brings the trusted hash and the header's bytes,
//! and they are hashed again. The forms of claims, sources and verdicts: `spec/architecture.md`,
//! section 4.

pub mod instances;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::chain::Chain;
use crate::error::{DecodeError, InputError, Rejection};
use crate::hash::BlockHash;
use crate::header::TrustedHeader;
use crate::json::{self, ToJson};
use crate::observer::{Observer, note, refused};
use crate::proven::{self, Claim, Proven, verify_numbered};
use crate::root::{BlockRef, Root};
use crate::system::{Checked, Join, Part, System, SystemConfig};
use crate::wire::{Bytes, Items, Read, Reader};

/// Most claims that are checked together.
const MAX_CLAIMS: usize = 1024;

/// A chain, a system and its prepared parameters.
#[derive(Clone, Debug)]
pub struct Verifier<S: System> {
    chain: Chain,
    params: S::Params,
}

impl<S: System> Verifier<S> {
    /// Reads the chain, the system's configuration (both RLP) and its public parameters.
    ///
    /// # Errors
    /// An [`InputError`] that names what is malformed.
    pub fn new(chain: &[u8], config: &[u8], params: &[u8]) -> Result<Self, InputError> {
        let chain = Chain::from_rlp(chain)?;
        let config = SystemConfig::from_rlp(config)?;
        Ok(Self { chain, params: S::params(&config, params)? })
    }

    /// Checks claims together; a JSON array with one verdict each, in order. If the claims are not
    /// of their form, the array holds one rejection with code `input.request`.
    ///
    /// * `fresh`: 32 bytes from the platform's random generator.
    pub fn verify(&self, claims: &[u8], fresh: [u8; 32], observer: &mut impl Observer) -> String {
        let mut out = String::new();
        match read_claims(claims) {
            Ok(requests) => {
                let verdicts = self.settle(&requests, fresh, observer);
                json::list(&mut out, &verdicts, |out, verdict| match verdict {
                    Ok(proven) => proven.to_json(out),
                    Err(rejection) => rejection.to_json(out),
                });
            }
            Err(error) => {
                json::list(&mut out, &[Rejection::from(error)], |out, rejection| {
                    rejection.to_json(out);
                });
            }
        }
        out
    }

    /// A part of what [`verify`](Self::verify) settles, as bytes for [`join`]. `None` if `verify`
    /// has to do it, as where a claim is rejected.
    pub fn part(&self, claims: &[u8], fresh: [u8; 32], part: Part) -> Option<Vec<u8>> {
        let requests = read_claims(claims).ok()?;
        let roots = requests.iter().map(|request| self.root(&request.source, &mut ()).ok());
        let roots: Vec<_> = roots.collect::<Option<_>>()?;
        let claims = requests.iter().zip(&roots).map(|(request, root)| {
            let &Request { query, variant, proof, .. } = request;
            Claim { root, query, variant, proof }
        });
        proven::part(&self.params, &claims.collect::<Vec<_>>(), fresh, part)
    }

    /// Claims whose root cannot be had are rejected on their own; the rest are checked together.
    fn settle(
        &self,
        requests: &[Request<'_>],
        fresh: [u8; 32],
        observer: &mut impl Observer,
    ) -> Vec<Checked<Proven<S>>> {
        let mut roots = Vec::with_capacity(requests.len());
        for (number, request) in requests.iter().enumerate() {
            observer.claim(Some(number));
            let root = self.root(&request.source, observer);
            if let Err(rejection) = &root {
                refused(observer, rejection.code(), None);
            }
            roots.push(root);
        }
        let claims: Vec<_> = requests
            .iter()
            .zip(&roots)
            .filter_map(|(request, root)| {
                let &Request { query, variant, proof, .. } = request;
                Some(Claim { root: root.as_ref().ok()?, query, variant, proof })
            })
            .collect();
        let number = |nth| {
            let mut proven = roots.iter().enumerate().filter(|(_, root)| root.is_ok());
            proven.nth(nth).map(|(number, _)| number)
        };
        let mut verdicts =
            verify_numbered(&self.params, &claims, fresh, number, observer).into_iter();
        let unsettled = || Err(InputError::Request("claim without a verdict").into());
        roots
            .iter()
            .map(|root| match root {
                Ok(_) => verdicts.next().unwrap_or_else(unsettled),
                Err(rejection) => Err(*rejection),
            })
            .collect()
    }

    fn root(&self, source: &Source<'_>, observer: &mut impl Observer) -> Checked<Root<S>> {
        match source {
            Source::Header { hash, rlps } => {
                note!(observer, Entered "header", None);
                let last = link(&self.chain, *hash, *rlps, &mut |_, _| (), observer)?;
                let last = last.ok_or(InputError::Request("no header"))?;
                let root = Root::committed(&self.params, &last)?;
                note!(
                    observer,
                    Compared "commitment",
                    None,
                    number: last.number(),
                    system: S::NAME,
                    commitment: root.bytes(),
                );
                Ok(root)
            }
            Source::Root { number, bytes } => {
                let root = Root::pinned(&self.params, bytes, *number)?;
                note!(observer, Entered "pinned root", None, number: *number, commitment: *bytes);
                Ok(root)
            }
        }
    }
}

/// Verdicts as [`Verifier::verify`] has them, all of them proven, by the parts of their settlement;
/// `None` if `verify` has to do it. `E`: the equations of the systems, which are one type for all
/// systems over one curve.
///
/// * `parts`: RLP list of strings, of every [`Verifier::part`] in order.
///
/// # Soundness
/// See [`proven::join`]: the parts are as trusted as this module.
pub fn join<E: Join>(parts: &[u8]) -> Option<String> {
    let parts: Vec<_> = whole(parts).ok()?.map(|part| part.bytes).collect();
    proven::join::<E>(&parts)
}

/// Links headers back from a trusted hash; JSON `{"status":"trusted","headers":[…]}` or a
/// rejection.
///
/// * `chain`: RLP as in [`Chain::from_rlp`]; `hash`: the trusted hash, 32 bytes; `rlps`: RLP list
///   of strings, newest header first.
pub fn headers(chain: &[u8], hash: &[u8], rlps: &[u8]) -> String {
    let mut out = String::new();
    if let Err(rejection) = trusted_headers(chain, hash, rlps, &mut out) {
        out.clear();
        rejection.to_json(&mut out);
    }
    out
}

fn trusted_headers(chain: &[u8], hash: &[u8], rlps: &[u8], out: &mut String) -> Checked<()> {
    let chain = Chain::from_rlp(chain)?;
    let hash = hash.try_into().map_err(|_| InputError::Request("a block hash has 32 bytes"))?;
    let malformed = |error: DecodeError| InputError::Request(error.reason);
    let rlps = whole(rlps).map_err(malformed)?;
    out.push_str("{\"status\":\"trusted\",\"headers\":[");
    let mut count = 0_usize;
    let mut each = |header: &TrustedHeader, rlp: &[u8]| {
        json::make_room(out, rlp.len());
        if count > 0 {
            out.push(',');
        }
        count = count.saturating_add(1);
        header.to_json(out);
    };
    link(&chain, crate::hash::Hash(hash), rlps, &mut each, &mut ())?;
    out.push_str("]}");
    Ok(())
}

/// The headers that `rlps` encode, exactly.
fn whole(rlps: &[u8]) -> Result<Headers<'_>, DecodeError> {
    let mut outer = Reader::new(rlps);
    let headers = Items::list(&mut outer, "headers", usize::MAX)?;
    outer.finish("headers")?;
    Ok(headers)
}

/// The RLP of headers, newest first.
type Headers<'a> = Items<'a, Bytes<'a>>;

/// The first header hashes to `hash`, each next one to the parent hash of the one before. Returns
/// the last one.
///
/// * `each`: takes every header and its RLP.
fn link(
    chain: &Chain,
    hash: BlockHash,
    rlps: Headers<'_>,
    each: &mut dyn FnMut(&TrustedHeader, &[u8]),
    observer: &mut impl Observer,
) -> Checked<Option<TrustedHeader>> {
    let mut last: Option<TrustedHeader> = None;
    for (index, Bytes { bytes: rlp, .. }) in rlps.enumerate() {
        let header = match &last {
            None => TrustedHeader::pinned(chain, hash, rlp)?,
            Some(child) => child.parent(chain, rlp)?,
        };
        note!(
            observer,
            Hashed "header",
            None,
            header: index,
            number: header.number(),
            bytes: rlp.len(),
            digest: &header.hash(),
        );
        each(&header, rlp);
        last = Some(header);
    }
    Ok(last)
}

struct Request<'a> {
    source: Source<'a>,
    query: &'a [u8],
    variant: &'a str,
    proof: &'a [u8],
}

enum Source<'a> {
    Header { hash: BlockHash, rlps: Headers<'a> },
    Root { number: u64, bytes: &'a [u8] },
}

fn read_claims(bytes: &[u8]) -> Result<Vec<Request<'_>>, InputError> {
    let malformed = |error: DecodeError| InputError::Request(error.reason);
    let mut list = Reader::whole_list(bytes, 0, "claims").map_err(malformed)?;
    let mut requests = Vec::new();
    while !list.is_empty() {
        if requests.len() == MAX_CLAIMS {
            return Err(InputError::Request("at most 1024 claims"));
        }
        let mut claim = list.list("claim").map_err(malformed)?;
        let source = read_source(claim.list("source").map_err(malformed)?)?;
        let query = claim.string("query").map_err(malformed)?.bytes;
        let variant = claim.string("variant").map_err(malformed)?.bytes;
        let proof = claim.string("proof").map_err(malformed)?.bytes;
        claim.finish("claim").map_err(malformed)?;
        let variant =
            core::str::from_utf8(variant).map_err(|_| InputError::Request("variant is ASCII"))?;
        requests.push(Request { source, query, variant, proof });
    }
    Ok(requests)
}

fn read_source(mut items: Reader<'_>) -> Result<Source<'_>, InputError> {
    let malformed = |error: DecodeError| InputError::Request(error.reason);
    let source = match items.string("kind of source").map_err(malformed)?.bytes {
        b"header" => Source::Header {
            hash: items.hash("trusted hash").map_err(malformed)?,
            rlps: Items::list(&mut items, "headers", usize::MAX).map_err(malformed)?,
        },
        b"root" => Source::Root {
            number: items.u64("number").map_err(malformed)?,
            bytes: items.string("root").map_err(malformed)?.bytes,
        },
        _ => return Err(InputError::Request("a source is a header or a root")),
    };
    items.finish("source").map_err(malformed)?;
    Ok(source)
}

/// One header.
impl<'a> Read<'a> for Bytes<'a> {
    fn read(list: &mut Reader<'a>) -> Result<Self, DecodeError> {
        list.string("header")
    }
}

impl<S: System> ToJson for Proven<S> {
    fn to_json(&self, out: &mut String) {
        let BlockRef { number, hash } = self.block();
        out.push_str("{\"status\":\"proven\",\"block\":{\"number\":");
        json::quantity(out, &number.to_be_bytes());
        out.push_str(",\"hash\":");
        match hash {
            Some(hash) => json::bytes(out, &hash.0),
            None => out.push_str("null"),
        }
        out.push_str("},\"fact\":");
        self.fact().to_json(out);
        out.push('}');
    }
}

impl ToJson for Rejection {
    fn to_json(&self, out: &mut String) {
        out.push_str("{\"status\":\"rejected\",\"kind\":");
        json::string(out, self.kind());
        out.push_str(",\"code\":");
        json::string(out, self.code());
        out.push_str(",\"message\":");
        json::string(out, &self.to_string());
        out.push_str(",\"span\":");
        match self.span() {
            Some(span) => json::list(out, &[span.start, span.end], |out, end| {
                json::number(out, *end);
            }),
            None => out.push_str("null"),
        }
        out.push('}');
    }
}

impl ToJson for TrustedHeader {
    fn to_json(&self, out: &mut String) {
        out.push_str("{\"hash\":");
        json::bytes(out, &self.hash().0);
        out.push_str(",\"parentHash\":");
        json::bytes(out, &self.parent_hash().0);
        out.push_str(",\"number\":");
        json::quantity(out, &self.number().to_be_bytes());
        out.push_str(",\"timestamp\":");
        json::quantity(out, &self.timestamp().to_be_bytes());
        if let Some(origin) = self.origin() {
            out.push_str(",\"origin\":");
            json::bytes(out, &origin.0);
        }
        out.push_str(",\"commitments\":{");
        for (index, commitment) in self.commitments().iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            // Names are printable ASCII: the header's decoder made sure.
            json::string(out, core::str::from_utf8(&commitment.system).unwrap_or_default());
            out.push(':');
            json::bytes(out, &commitment.bytes);
        }
        out.push_str("}}");
    }
}
