//! The entry for bindings, tools and fuzzers: bytes in, JSON text out.
//!
//! A caller holds no trust across calls: each claim brings the trusted hash and the header's bytes,
//! and they are hashed again. The forms:
//!
//! * claims: RLP list of `[source, query, variant, proof]`;
//! * source: `["header", trustedHash, [rlp, …]]` — the first header hashes to `trustedHash`, each
//!   next one to the parent hash of the one before, the last one holds the root — or
//!   `["root", number, bytes]`, a root that the caller pins;
//! * verdict: `{"status":"proven","block":…,"fact":…}` or
//!   `{"status":"rejected","kind":…,"code":…,"message":…,"span":[from,to]|null}`.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::chain::Chain;
use crate::error::{DecodeError, InputError, Rejection};
use crate::hash::BlockHash;
use crate::header::TrustedHeader;
use crate::json::{self, ToJson};
use crate::proven::{Claim, Proven, verify};
use crate::root::{BlockRef, Root};
use crate::system::{Checked, System, SystemConfig};
use crate::trace::{self, Trace, note};
use crate::wire::Reader;

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
    pub fn verify(&self, claims: &[u8], fresh: [u8; 32]) -> String {
        self.verify_traced(claims, fresh, &mut ())
    }

    /// As [`Verifier::verify`], and reports the steps, if this is a build with feature `trace`.
    pub fn verify_traced(&self, claims: &[u8], fresh: [u8; 32], trace: &mut dyn Trace) -> String {
        let mut out = String::new();
        match read_claims(claims) {
            Ok(requests) => {
                let verdicts = self.settle(&requests, fresh, trace);
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

    /// Claims whose root cannot be had are rejected on their own; the rest are checked together.
    fn settle(
        &self,
        requests: &[Request<'_>],
        fresh: [u8; 32],
        trace: &mut dyn Trace,
    ) -> Vec<Checked<Proven<S>>> {
        let mut roots = Vec::with_capacity(requests.len());
        for (number, request) in requests.iter().enumerate() {
            trace::claim(trace, number);
            let root = self.root(&request.source, trace);
            if let Err(rejection) = &root {
                note!(trace, Rejected rejection.code(), None);
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
        #[cfg(feature = "trace")]
        let numbers: Vec<_> =
            roots.iter().enumerate().filter(|(_, root)| root.is_ok()).map(|(at, _)| at).collect();
        #[cfg(feature = "trace")]
        let trace = &mut trace::Renumbered { trace, numbers: &numbers };
        let mut verdicts = verify(&self.params, &claims, fresh, trace).into_iter();
        let unsettled = || Err(InputError::Request("claim without a verdict").into());
        roots
            .iter()
            .map(|root| match root {
                Ok(_) => verdicts.next().unwrap_or_else(unsettled),
                Err(rejection) => Err(*rejection),
            })
            .collect()
    }

    fn root(&self, source: &Source<'_>, trace: &mut dyn Trace) -> Checked<Root<S>> {
        match source {
            Source::Header { hash, rlps } => {
                note!(trace, Entered "header", None);
                let headers = link(&self.chain, *hash, rlps, trace)?;
                let last = headers.last().ok_or(InputError::Request("no header"))?;
                let root = Root::committed(&self.params, last)?;
                note!(
                    trace,
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
                note!(trace, Entered "pinned root", None, number: *number, commitment: *bytes);
                Ok(root)
            }
        }
    }
}

/// Links headers back from a trusted hash; JSON `{"status":"trusted","headers":[…]}` or a rejection.
///
/// * `chain`: RLP as in [`Chain::from_rlp`]; `hash`: the trusted hash, 32 bytes; `rlps`: RLP list of
///   strings, newest header first.
pub fn headers(chain: &[u8], hash: &[u8], rlps: &[u8]) -> String {
    let mut out = String::new();
    match trusted_headers(chain, hash, rlps) {
        Ok(headers) => {
            out.push_str("{\"status\":\"trusted\",\"headers\":");
            json::list(&mut out, &headers, |out, header| header.to_json(out));
            out.push('}');
        }
        Err(rejection) => rejection.to_json(&mut out),
    }
    out
}

fn trusted_headers(chain: &[u8], hash: &[u8], rlps: &[u8]) -> Checked<Vec<TrustedHeader>> {
    let chain = Chain::from_rlp(chain)?;
    let hash = hash.try_into().map_err(|_| InputError::Request("a block hash has 32 bytes"))?;
    let malformed = |error: DecodeError| InputError::Request(error.reason);
    let list = Reader::whole_list(rlps, 0, "headers").map_err(malformed)?;
    let rlps = strings(list).map_err(malformed)?;
    link(&chain, crate::hash::Hash(hash), &rlps, &mut ())
}

/// The first header hashes to `hash`, each next one to the parent hash of the one before.
fn link(
    chain: &Chain,
    hash: BlockHash,
    rlps: &[&[u8]],
    trace: &mut dyn Trace,
) -> Checked<Vec<TrustedHeader>> {
    let mut headers: Vec<TrustedHeader> = Vec::new();
    for rlp in rlps {
        let header = match headers.last() {
            None => TrustedHeader::pinned(chain, hash, rlp)?,
            Some(child) => child.parent(chain, rlp)?,
        };
        note!(
            trace,
            Hashed "header",
            None,
            header: headers.len(),
            number: header.number(),
            bytes: rlp.len(),
            digest: &header.hash(),
        );
        headers.push(header);
    }
    Ok(headers)
}

struct Request<'a> {
    source: Source<'a>,
    query: &'a [u8],
    variant: &'a str,
    proof: &'a [u8],
}

enum Source<'a> {
    Header { hash: BlockHash, rlps: Vec<&'a [u8]> },
    Root { number: u64, bytes: &'a [u8] },
}

fn read_claims(bytes: &[u8]) -> Result<Vec<Request<'_>>, InputError> {
    let malformed = |error: DecodeError| InputError::Request(error.reason);
    let mut list = Reader::whole_list(bytes, 0, "claims").map_err(malformed)?;
    let mut requests = Vec::new();
    while !list.is_empty() {
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
            rlps: strings(items.list("headers").map_err(malformed)?).map_err(malformed)?,
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

fn strings(mut list: Reader<'_>) -> Result<Vec<&[u8]>, DecodeError> {
    let mut all = Vec::new();
    while !list.is_empty() {
        all.push(list.string("header")?.bytes);
    }
    Ok(all)
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
