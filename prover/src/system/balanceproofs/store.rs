//! The vector on a chain: the balances of a list of accounts, or of the first n in the order in
//! which blocks first wrote them. A position never changes its account.
//!
//! Values, what each block overwrote and commitments lie in the chain's database, so that block and
//! vector become durable in one transaction. A commitment is updated by the Lagrange commitments of
//! the positions that a block writes.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use ark_bls12_381::{Fr, G1Affine};
use ark_ec::CurveGroup;
use ark_ff::{BigInteger as _, PrimeField as _};
use ark_serialize::CanonicalDeserialize;
use lightproof_core::algebra;
use lightproof_core::system::balanceproofs::Scheme;

use super::config::{Config, NAME, Source};
use super::encoding::bytes;
use super::kept::Kept;
use super::opening::Vector;
use super::setup::Setup;
use super::variant::Variant;
use super::vectors::Vectors;
use crate::chain::Address;
use crate::chain::state::Wei;
use crate::chain::writes::WriteSet;
use crate::error::StoreError;
use crate::hash::Word;
use crate::hex;
use crate::rlp;
use crate::store::{self, ALL, Order, Read, Store, Table, Write};
use crate::system::{Configuration, Proof, Refusal, Spec, System};

/// Positions of accounts.
const ORDER: Table = Table("balanceproofs/order");
/// Balances by position.
const VALUES: Table = Table("balanceproofs/values");
/// By block: positions that it wrote, each with the balance before.
const UNDO: Table = Table("balanceproofs/undo");
/// Commitments by block.
const ROOTS: Table = Table("balanceproofs/roots");

/// Bytes of a position and a balance.
const ENTRY: usize = 8 + 32;

/// Blocks that are kept beyond the promised window: a block that is being made pushes one out
/// before requests learn of the new head.
const SLACK: u64 = 8;

/// The system.
#[derive(Debug)]
pub struct BalanceProofs {
    config: Config,
    setup: OnceLock<Arc<Setup>>,
    vectors: Vectors,
    kept: Arc<Kept>,
}

impl BalanceProofs {
    /// The system on a chain.
    pub fn new(config: Config) -> Self {
        let config = Config { window: config.window.max(1), ..config };
        Self { config, setup: OnceLock::new(), vectors: Vectors::default(), kept: Arc::default() }
    }

    fn setup(&self) -> &Arc<Setup> {
        self.setup.get_or_init(|| Setup::of(&self.config))
    }

    /// The vector after a block of the window.
    ///
    /// # Errors
    /// [`Refusal::Window`] for an older block, [`Refusal::Store`] if the database fails.
    pub fn vector(&self, store: &dyn Read, block: u64) -> Result<Vector, Refusal> {
        let block = block.to_be_bytes();
        let commitment = store.get(ROOTS, &block)?.ok_or(Refusal::Window)?;
        let mut balances: BTreeMap<u64, Word> = BTreeMap::new();
        for entry in store.range(VALUES, ALL, Order::Ascending)? {
            let (position, balance) = entry?;
            balances.insert(store::number(&position)?, word(&balance)?);
        }
        // Backwards, so that what a position held first after the block is what remains.
        for entry in store.range(UNDO, store::above(&block), Order::Descending)? {
            for (position, balance) in entries(&entry?.1)? {
                balances.insert(position, balance);
            }
        }
        let setup = self.setup();
        let mut values = vec![Fr::from(0_u64); setup.sides().iter().product()];
        for (position, balance) in balances {
            let place = usize::try_from(position).ok().and_then(|place| values.get_mut(place));
            *place.ok_or(StoreError::Corrupt("a balance beyond the vector"))? =
                scalar(&balance).ok_or(StoreError::Corrupt("a balance is no scalar"))?;
        }
        Ok(Vector::committed(Arc::clone(setup), values, point(&commitment)?))
    }
}

impl Configuration for Config {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Vec<(&'static str, u64)> {
        vec![(NAME, self.code())]
    }

    fn make(&self, _: Option<&Path>, _: &dyn Store) -> Box<dyn System> {
        Box::new(BalanceProofs::new(*self))
    }
}

impl System for BalanceProofs {
    fn spec(&self) -> Spec {
        Spec {
            variants: match self.config.scheme {
                Scheme::Basic => &["hinted", "commit-hinted", "plain", "singles"],
                Scheme::Bucketed => &["plain", "halved"],
                Scheme::TwoLayer => &["T3", "T1", "plain", "halved"],
            },
            params: Some(self.setup().digest()),
            insecure: matches!(self.config.source, Source::Seed(_)),
            ..Spec::new(NAME, self.config.format_name(), self.config.window)
        }
    }

    fn params(&self) -> Option<Vec<u8>> {
        Some(self.setup().params.clone())
    }

    fn commit(
        &self,
        batch: &mut dyn Write,
        block: u64,
        writes: &WriteSet,
    ) -> Result<Vec<u8>, StoreError> {
        let is_first = batch.first(ROOTS)?.is_none();
        let before = if is_first {
            G1Affine::identity()
        } else {
            let root = batch.get(ROOTS, &block.saturating_sub(1).to_be_bytes())?;
            point(&root.ok_or(StoreError::Corrupt("no commitment of balanceproofs"))?)?
        };
        let setup = self.setup();
        if let Some(accounts) = self.config.accounts.filter(|_| is_first) {
            for (position, address) in (0..).zip(accounts) {
                batch.put(ORDER, address, &u64::to_be_bytes(position))?;
            }
        }
        // Positions are given in turn, each with a balance.
        let last = batch.last(VALUES)?.map(|(position, _)| store::number(&position));
        let mut next = last.transpose()?.map_or(0, |last| last + 1);
        // A list leaves no room for others.
        let size = self.config.accounts.map_or(setup.shape.size(), |_| 0);
        let (mut terms, mut overwritten) = (vec![(before, Fr::from(1_u64))], Vec::new());
        for (address, Wei(balance)) in writes.balances() {
            let known = batch.get(ORDER, &address)?.map(|position| store::number(&position));
            let known = known.transpose()?;
            let position = match known {
                Some(position) => position,
                None if next < size => next,
                None => continue,
            };
            if known.is_none() {
                batch.put(ORDER, &address, &position.to_be_bytes())?;
                next += 1;
            }
            let place = position.to_be_bytes();
            let old = batch.replace(VALUES, &place, &balance)?;
            let old = old.map_or(Ok([0; 32]), |old| word(&old))?;
            overwritten.extend(place);
            overwritten.extend(old);
            if old != balance {
                let change = scalar(&balance).zip(scalar(&old)).map(|(new, old)| new - old);
                let change = change.ok_or_else(|| too_large(&address))?;
                terms.push((setup.lagrange(position), change));
            }
        }
        let commitment = bytes(&[algebra::sum(&terms).into_affine()]);
        batch.put(ROOTS, &block.to_be_bytes(), &commitment)?;
        batch.put(UNDO, &block.to_be_bytes(), &overwritten)?;
        let oldest = (block + 1).saturating_sub(self.config.window + SLACK).to_be_bytes();
        batch.remove_range(ROOTS, store::below(&oldest))?;
        batch.remove_range(UNDO, store::below(&oldest))?;
        Ok(commitment)
    }

    fn prove(
        &self,
        store: &dyn Read,
        block: u64,
        query: &[u8],
        accepted: &[&'static str],
    ) -> Result<Proof, Refusal> {
        let size = self.setup().shape.size();
        let positions =
            decode(query, size).ok_or(Refusal::Query("not a query of balanceproofs"))?;
        let commitment = store.get(ROOTS, &block.to_be_bytes())?.ok_or(Refusal::Window)?;
        let vector = self.vectors.get(&commitment, || self.vector(store, block))?;
        for variant in Variant::preferred(self.config.scheme, positions.len()) {
            let is_accepted = accepted.contains(&variant.name());
            if !is_accepted || !self.setup().reaches(&positions, *variant) {
                continue;
            }
            let is_basic = self.config.scheme == Scheme::Basic;
            let kept = || self.kept.prove(&vector, &positions, *variant);
            let bytes = is_basic.then(kept).flatten();
            if let Some(bytes) = bytes.or_else(|| vector.prove(&positions, *variant)) {
                return Ok(Proof { variant: variant.name(), bytes });
            }
        }
        Err(Refusal::Query("more positions than the setup has powers for in these variants"))
    }
}

/// Reads RLP `[position, …]`; `None` if they are not ascending positions of the vector.
fn decode(query: &[u8], size: u64) -> Option<Vec<u64>> {
    let item = rlp::decode(query).ok()?;
    let items = item.as_list().filter(|items| !items.is_empty())?;
    let position = |item: &rlp::Item| u64::try_from(item.as_uint()?).ok().filter(|one| *one < size);
    let positions: Vec<u64> = items.iter().map(position).collect::<Option<_>>()?;
    positions.is_sorted_by(|a, b| a < b).then_some(positions)
}

/// The scalar that stands for a balance; `None` if it is not below the group's order.
fn scalar(balance: &Word) -> Option<Fr> {
    let scalar = Fr::from_be_bytes_mod_order(balance);
    (scalar.into_bigint().to_bytes_be() == balance).then_some(scalar)
}

fn too_large(address: &Address) -> StoreError {
    StoreError::Block(format!(
        "account {} has a balance that is not below the order of BLS12-381's scalar field, about 2^254.9; balanceproofs \
         cannot hold it",
        hex::encode(address)
    ))
}

fn point(bytes: &[u8]) -> Result<G1Affine, StoreError> {
    G1Affine::deserialize_compressed_unchecked(bytes)
        .map_err(|_| StoreError::Corrupt("a commitment of balanceproofs is none"))
}

fn word(bytes: &[u8]) -> Result<Word, StoreError> {
    bytes.try_into().map_err(|_| StoreError::Corrupt("a balance is not 32 bytes"))
}

fn entries(bytes: &[u8]) -> Result<Vec<(u64, Word)>, StoreError> {
    let (entries, rest) = bytes.as_chunks::<ENTRY>();
    if !rest.is_empty() {
        return Err(StoreError::Corrupt("a block's balances are cut off"));
    }
    let entry = |entry: &[u8; ENTRY]| {
        let position = u64::from_be_bytes(std::array::from_fn(|at| entry[at]));
        (position, std::array::from_fn(|at| entry[8 + at]))
    };
    Ok(entries.iter().map(entry).collect())
}
