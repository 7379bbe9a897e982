//! What the scenes of all systems share: a chain in memory, and beside it a plain model that knows
//! what is true of the chain.

use serde_json::Value;

use crate::case::{Case, Claim, Group, Setting, Source, header_source};
use lightproof_prover::chain::header::Header;
use lightproof_prover::error::StoreError;
use lightproof_prover::rlp::Item;
use lightproof_prover::store::embedded::Embedded;
use lightproof_prover::system::Refusal;

pub(crate) type Result<T> = std::result::Result<T, StoreError>;

/// A chain that commits to one system, and the model that facts come from.
pub(crate) trait Scene {
    /// Name of the system.
    const SYSTEM: &'static str;
    /// The newest block.
    const HEAD: u64;
    /// What a query is about.
    type Asked: ?Sized;

    /// The devnet, as an honest caller configures it.
    fn setting(&self) -> Setting;

    /// What the header of a block commits to.
    fn root(&self, block: u64) -> Result<Vec<u8>>;

    /// The bytes of a query.
    fn query(&self, asked: &Self::Asked) -> Vec<u8>;

    /// The honest proof at a block.
    fn prove(&self, block: u64, asked: &Self::Asked, variant: &'static str) -> Result<Vec<u8>>;

    /// What the model says at a block.
    fn fact(&self, block: u64, asked: &Self::Asked) -> Value;

    /// Pins the root of a block.
    fn source(&self, block: u64) -> Result<Source> {
        Ok(Source::Root { number: block, bytes: self.root(block)? })
    }

    /// The honest claim at a block.
    fn claim(&self, block: u64, asked: &Self::Asked, variant: &'static str) -> Result<Claim> {
        let (source, query) = (self.source(block)?, self.query(asked));
        Ok(Claim { source, query, variant, proof: self.prove(block, asked, variant)? })
    }

    /// The honest proof at a block, decoded.
    fn proof(&self, block: u64, asked: &Self::Asked, variant: &'static str) -> Result<Item> {
        Ok(self.claim(block, asked, variant)?.item())
    }

    /// The honest claim at the newest block.
    fn honest(&self, asked: &Self::Asked, variant: &'static str) -> Result<Claim> {
        self.claim(Self::HEAD, asked, variant)
    }

    /// A case that must be proven.
    fn valid(
        &self,
        flag: &'static str,
        comment: &str,
        block: u64,
        asked: &Self::Asked,
        variant: &'static str,
    ) -> Result<Case> {
        let fact = self.fact(block, asked);
        Ok(self.claim(block, asked, variant)?.proves(flag, comment, fact))
    }

    /// Cases whose root comes from a header.
    ///
    /// * `short`: bytes of a commitment that is too short. * `lie`: comment, commitment and code of
    ///   a header that commits to another state. * `forged`: comment and commitment of a header
    ///   that does not hash to the trusted hash.
    fn headers(
        &self,
        asked: &Self::Asked,
        variant: &'static str,
        short: usize,
        lie: (&str, &[u8], &'static str),
        forged: Option<(&str, &[u8])>,
    ) -> Result<Group> {
        const FLAG: &str = "Header";
        let honest = self.honest(asked, variant)?;
        let root = self.root(Self::HEAD)?;
        let header = |commitments: &[(&str, &[u8])]| {
            let owned = commitments.iter().map(|(name, bytes)| ((*name).into(), bytes.to_vec()));
            Header::new([7; 32], Self::HEAD, owned.collect()).encode()
        };
        let under = |rlp: Vec<u8>| honest.with_source(header_source(&[rlp]));
        let own = |bytes: &[u8]| header(&[(Self::SYSTEM, bytes)]);
        let other = ("mpt", &[1; 32][..]);
        let mut both = [(Self::SYSTEM, root.as_slice()), other];
        both.sort_unstable();
        let missing = "verify.commitment";
        let mut cases = vec![
            under(header(&both)).proves(
                FLAG,
                "committed by a header, beside another system",
                self.fact(Self::HEAD, asked),
            ),
            under(header(&[other])).refused(
                FLAG,
                "a header that commits to other systems only",
                missing,
            ),
            under(own(&root[..short])).refused(
                FLAG,
                &format!("a commitment of {short} bytes"),
                missing,
            ),
            under(own(lie.1)).refused(FLAG, lie.0, lie.2),
        ];
        if let Some((comment, bytes)) = forged {
            let mut claim = under(own(&root));
            if let Source::Header { rlps, .. } = &mut claim.source {
                rlps[0] = own(bytes);
            }
            cases.push(claim.refused(FLAG, comment, "verify.header"));
        }
        let genesis_hash = Header::new([0; 32], 0, vec![]).hash();
        Ok(Group { setting: Setting { genesis_hash, ..self.setting() }, cases })
    }
}

/// A database in memory.
pub(crate) fn database() -> Result<Embedded> {
    Embedded::in_memory()
}

/// Why an honest prover did not answer. The cases ask only what can be answered.
pub(crate) fn unanswered(refusal: Refusal) -> StoreError {
    match refusal {
        Refusal::Store(error) => error,
        Refusal::Query(reason) => StoreError::Corrupt(reason),
        Refusal::Window => StoreError::Corrupt("outside the window"),
        Refusal::Elsewhere(_) => StoreError::Corrupt("outside the shard"),
    }
}

/// The list of some keys, as queries have it.
pub(crate) fn list<K: AsRef<[u8]>>(keys: &[K]) -> Vec<u8> {
    Item::List(keys.iter().map(Item::bytes).collect()).encode()
}

/// Queries that are no list of keys.
///
/// * `key`: a key that can be asked for. * `long`: a key of 1,025 bytes. * `many`: 1,025 keys.
pub(crate) fn bad_lists(key: &[u8], long: &[u8], many: &[Vec<u8>]) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("no key", list::<&[u8]>(&[])),
        ("an empty key", list(&[b""])),
        ("a key of 1,025 bytes", list(&[long])),
        ("the same key twice", list(&[key, key])),
        ("1,025 keys", list(many)),
        ("a string in place of the list", Item::bytes(key).encode()),
        ("a byte after the list", [list(&[key]), vec![0]].concat()),
        ("no bytes", vec![]),
    ]
}

/// A list in place of a key.
pub(crate) fn nested(key: &[u8]) -> (&'static str, Vec<u8>) {
    let inner = Item::List(vec![Item::bytes(key)]);
    ("a list in place of a key", Item::List(vec![inner]).encode())
}
