//! One test case, and the JSON form that it shares with proof files.

use serde_json::{Map, Value, json};

use crate::edit;
use lightproof_prover::chain::CHAIN_ID;
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::hex;
use lightproof_prover::rlp::{self, Item};
use lightproof_prover::system::PLAIN;

/// What a group's cases have in common: pinned by whoever verifies, never sent by a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// `ethereum` or `devnet`.
    pub kind: &'static str,
    /// Chain id.
    pub chain_id: u64,
    /// Hash of block 0.
    pub genesis_hash: Word,
    /// Format of the system.
    pub format: &'static str,
    /// Digest of public parameters; mpt has none.
    pub params_digest: Option<Word>,
    /// The public parameters, where they are short enough to be configured as they are.
    pub params: Vec<u8>,
}

/// Where the root comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A trusted hash, its header, and ancestors one by one; the last header holds the root.
    Header {
        /// What the caller trusts.
        hash: Word,
        /// Untrusted header bytes.
        rlps: Vec<Vec<u8>>,
    },
    /// A root that the caller pins.
    Root {
        /// Number of the block it belongs to.
        number: u64,
        /// The root.
        bytes: Vec<u8>,
    },
}

/// Trusts the hash of the first header.
pub fn header_source(rlps: &[Vec<u8>]) -> Source {
    Source::Header { hash: keccak256(&rlps[0]), rlps: rlps.to_vec() }
}

/// What the verifier must answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// Exactly this fact.
    Valid(Value),
    /// Exactly this code.
    Invalid(&'static str),
}

/// One case.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What is special about it, for people.
    pub comment: String,
    /// What is special about it, for programs; explained in the file's notes.
    pub flags: Vec<&'static str>,
    /// Where the root comes from.
    pub source: Source,
    /// The query's bytes.
    pub query: Vec<u8>,
    /// Name of the proof's shape.
    pub variant: &'static str,
    /// The proof's bytes.
    pub proof: Vec<u8>,
    /// The verdict.
    pub expected: Expected,
}

/// What a case claims, before it is known whether the claim is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Where the root comes from.
    pub source: Source,
    /// The query's bytes.
    pub query: Vec<u8>,
    /// Name of the proof's shape.
    pub variant: &'static str,
    /// The proof's bytes.
    pub proof: Vec<u8>,
}

impl From<(Source, Vec<u8>, &'static str, Vec<u8>)> for Claim {
    fn from((source, query, variant, proof): (Source, Vec<u8>, &'static str, Vec<u8>)) -> Self {
        Self { source, query, variant, proof }
    }
}

impl From<(Source, Vec<u8>, Vec<u8>)> for Claim {
    fn from((source, query, proof): (Source, Vec<u8>, Vec<u8>)) -> Self {
        Self { source, query, variant: PLAIN, proof }
    }
}

/// A row of a table of lies: flag, comment, code, and the edit that makes the lie from an honest
/// proof, or from a part of it.
pub(crate) type Lie<'a, T = Item> = (&'static str, &'a str, &'static str, &'a dyn Fn(&mut T));

/// A row of a table whose cases share flag and code: comment, and the edit.
pub(crate) type Change<'a, T = Item> = (&'a str, &'a dyn Fn(&mut T));

impl Claim {
    /// This claim under another root.
    pub(crate) fn with_source(&self, source: Source) -> Self {
        Self { source, ..self.clone() }
    }

    /// This proof as the answer to another query.
    pub(crate) fn with_query(&self, query: Vec<u8>) -> Self {
        Self { query, ..self.clone() }
    }

    /// This proof under the name of another variant.
    pub(crate) fn with_variant(&self, variant: &'static str) -> Self {
        Self { variant, ..self.clone() }
    }

    /// Another proof of the same claim.
    pub(crate) fn with_proof(&self, proof: Vec<u8>) -> Self {
        Self { proof, ..self.clone() }
    }

    /// This claim with an edited proof.
    pub(crate) fn edited(&self, edit: impl FnOnce(&mut Item)) -> Self {
        self.with_proof(edit::changed(&self.proof, edit))
    }

    /// The proof, decoded.
    pub(crate) fn item(&self) -> Item {
        rlp::decode(&self.proof).unwrap_or(Item::List(vec![]))
    }

    fn case(self, flag: &'static str, comment: &str, expected: Expected) -> Case {
        let Self { source, query, variant, proof } = self;
        let (comment, flags) = (comment.to_owned(), vec![flag]);
        Case { comment, flags, source, query, variant, proof, expected }
    }

    /// A case that must prove this fact.
    pub(crate) fn proves(self, flag: &'static str, comment: &str, fact: Value) -> Case {
        self.case(flag, comment, Expected::Valid(fact))
    }

    /// A case that must be rejected.
    pub(crate) fn refused(self, flag: &'static str, comment: &str, code: &'static str) -> Case {
        self.case(flag, comment, Expected::Invalid(code))
    }

    /// One case for each edit of this claim's proof.
    pub(crate) fn lies(&self, table: &[Lie<'_>]) -> Vec<Case> {
        let case =
            |(flag, comment, code, edit): &Lie<'_>| self.edited(edit).refused(flag, comment, code);
        table.iter().map(case).collect()
    }

    /// As [`Claim::lies`], with one flag and one code.
    pub(crate) fn lies_of(
        &self,
        flag: &'static str,
        code: &'static str,
        table: &[Change<'_>],
    ) -> Vec<Case> {
        let case = |(comment, edit): &Change<'_>| self.edited(edit).refused(flag, comment, code);
        table.iter().map(case).collect()
    }

    /// This proof as the answer to malformed queries.
    pub(crate) fn questions<C: AsRef<str>>(&self, table: &[(C, Vec<u8>)]) -> Vec<Case> {
        let case = |(comment, query): &(C, Vec<u8>)| {
            self.with_query(query.clone()).refused("BadQuery", comment.as_ref(), "input.query")
        };
        table.iter().map(case).collect()
    }

    /// Bytes that are no proof, because they are not one item of RLP.
    pub(crate) fn not_rlp(&self) -> Vec<Case> {
        let cut = self.proof[..self.proof.len().saturating_sub(1)].to_vec();
        let table = [
            ("a byte after the proof", [self.proof.as_slice(), &[0]].concat()),
            ("the last byte cut off", cut),
            ("no bytes at all", vec![]),
            ("a list of 2^64 - 1 bytes", vec![0xff; 9]),
        ];
        let case = |(comment, proof)| {
            self.with_proof(proof).refused("NotCanonicalRlp", comment, "decode.rlp")
        };
        table.map(case).into()
    }
}

/// Cases that must be rejected: flag, comment, code, claim.
pub(crate) fn refusals<C: Into<Claim>, const N: usize>(
    table: [(&'static str, &str, &'static str, C); N],
) -> Vec<Case> {
    table.map(|(flag, comment, code, claim)| invalid(flag, comment, claim, code)).into()
}

/// A case that must be rejected.
pub fn invalid(
    flag: &'static str,
    comment: &str,
    claim: impl Into<Claim>,
    code: &'static str,
) -> Case {
    claim.into().refused(flag, comment, code)
}

/// Cases of one setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Chain and configuration.
    pub setting: Setting,
    /// In the order of their ids.
    pub cases: Vec<Case>,
}

impl Group {
    /// A setting with a single case.
    pub(crate) fn of(setting: Setting, case: Case) -> Self {
        Self { setting, cases: vec![case] }
    }
}

impl Setting {
    /// A devnet of a system's vectors.
    pub(crate) fn devnet(
        system: &str,
        format: &'static str,
        params_digest: Option<Word>,
        params: Vec<u8>,
    ) -> Self {
        let genesis_hash = keccak256(format!("lightproof/vectors/{system}/genesis").as_bytes());
        Self { kind: "devnet", chain_id: CHAIN_ID, genesis_hash, format, params_digest, params }
    }

    /// This setting with other public parameters, which it pins.
    pub(crate) fn pinning(self, params: Vec<u8>) -> Self {
        Self { params_digest: Some(keccak256(&params)), params, ..self }
    }

    fn json(&self) -> Map<String, Value> {
        let mut config = Map::new();
        config.insert("format".into(), json!(self.format));
        if let Some(digest) = &self.params_digest {
            config.insert("paramsDigest".into(), json!(hex::encode(digest)));
        }
        if !self.params.is_empty() {
            config.insert("params".into(), json!(hex::encode(&self.params)));
        }
        let genesis_hash = hex::encode(&self.genesis_hash);
        let mut group = Map::new();
        group.insert(
            "chain".into(),
            json!({ "kind": self.kind, "chainId": self.chain_id, "genesisHash": genesis_hash }),
        );
        group.insert("config".into(), config.into());
        group
    }

    /// The chain as core reads it: `[kind, chainId, genesisHash]`.
    pub fn chain_rlp(&self) -> Vec<u8> {
        Item::List(vec![
            Item::bytes(self.kind),
            Item::uint(self.chain_id),
            Item::bytes(self.genesis_hash),
        ])
        .encode()
    }

    /// The system's configuration as core reads it: `[format, paramsDigest]`.
    pub fn config_rlp(&self) -> Vec<u8> {
        let digest = self.params_digest.map(|digest| digest.to_vec()).unwrap_or_default();
        Item::List(vec![Item::bytes(self.format), Item::bytes(digest)]).encode()
    }
}

impl Source {
    fn json(&self) -> Value {
        match self {
            Self::Header { hash, rlps } => {
                let rlps: Vec<_> = rlps.iter().map(|rlp| hex::encode(rlp)).collect();
                json!({ "header": { "hash": hex::encode(hash), "rlps": rlps } })
            }
            Self::Root { number, bytes } => {
                json!({ "root": { "number": hex::quantity(*number), "bytes": hex::encode(bytes) } })
            }
        }
    }

    fn item(&self) -> Item {
        match self {
            Self::Header { hash, rlps } => {
                let rlps = rlps.iter().map(Item::bytes).collect();
                Item::List(vec![Item::bytes("header"), Item::bytes(hash), Item::List(rlps)])
            }
            Self::Root { number, bytes } => {
                Item::List(vec![Item::bytes("root"), Item::uint(*number), Item::bytes(bytes)])
            }
        }
    }
}

impl Case {
    /// The case as core reads it: a list of one claim `[source, query, variant, proof]`.
    pub fn claims_rlp(&self) -> Vec<u8> {
        let claim = vec![
            self.source.item(),
            Item::bytes(&self.query),
            Item::bytes(self.variant),
            Item::bytes(&self.proof),
        ];
        Item::List(vec![Item::List(claim)]).encode()
    }

    fn json(&self, id: usize) -> Value {
        let expected = match &self.expected {
            Expected::Valid(fact) => json!({ "result": "valid", "fact": fact }),
            Expected::Invalid(code) => json!({ "result": "invalid", "code": code }),
        };
        json!({
            "id": id,
            "comment": self.comment,
            "flags": self.flags,
            "source": self.source.json(),
            "query": hex::encode(&self.query),
            "variant": self.variant,
            "proof": hex::encode(&self.proof),
            "expected": expected,
        })
    }
}

/// One of the files in `test-vectors/`: all cases of a system.
#[derive(Clone, Copy, Debug)]
pub struct VectorFile {
    /// Name of the file, without its ending.
    pub file: &'static str,
    /// Name of the system.
    pub system: &'static str,
    /// Where the expectations come from, and what else has judged them.
    pub checks: &'static str,
    /// What each flag means.
    pub notes: &'static [(&'static str, &'static str)],
    /// Every code that a proof, the system's configuration or a query can be rejected with,
    /// besides those of headers.
    pub codes: &'static [&'static str],
    /// Makes the cases; the same every time.
    pub groups: fn() -> Result<Vec<Group>, StoreError>,
}

impl VectorFile {
    /// Name of the file.
    pub fn name(&self) -> String {
        format!("{}.json", self.file)
    }

    /// Its contents.
    ///
    /// * `groups`: as [`VectorFile::groups`] makes them.
    pub fn json(&self, groups: &[Group]) -> Value {
        let notes: Map<String, Value> =
            self.notes.iter().map(|(flag, meaning)| ((*flag).to_owned(), json!(meaning))).collect();
        json!({
            "schema": 1,
            "kind": "vectors",
            "system": self.system,
            "source": format!("lightproof-prover {}; {}", env!("CARGO_PKG_VERSION"), self.checks),
            "notes": notes,
            "cases": groups.iter().map(|group| group.cases.len()).sum::<usize>(),
            "groups": groups_json(groups),
        })
    }
}

/// The groups of a vector file; ids count through all of them, from 1.
fn groups_json(groups: &[Group]) -> Value {
    let mut id = 0;
    groups
        .iter()
        .map(|group| {
            let mut object = group.setting.json();
            let tests: Vec<Value> = group
                .cases
                .iter()
                .map(|case| {
                    id += 1;
                    case.json(id)
                })
                .collect();
            object.insert("tests".into(), tests.into());
            Value::Object(object)
        })
        .collect()
}
