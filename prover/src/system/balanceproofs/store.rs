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
use redb::{
    ReadTransaction, ReadableTable, ReadableTableMetadata as _, TableDefinition, WriteTransaction,
};

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
use crate::store::Bytes;
use crate::system::{Configuration, Proof, Refusal, Spec, System};

/// Positions of accounts.
const ORDER: TableDefinition<'static, Bytes, u64> = TableDefinition::new("balanceproofs/order");
/// Balances by position.
const VALUES: TableDefinition<'static, u64, Word> = TableDefinition::new("balanceproofs/values");
/// By block: positions that it wrote, each with the balance before.
const UNDO: TableDefinition<'static, u64, Bytes> = TableDefinition::new("balanceproofs/undo");
/// Commitments by block.
const ROOTS: TableDefinition<'static, u64, Bytes> = TableDefinition::new("balanceproofs/roots");

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
    pub fn vector(&self, transaction: &ReadTransaction, block: u64) -> Result<Vector, Refusal> {
        let commitment = transaction.open_table(ROOTS)?;
        let commitment = commitment.get(block)?.ok_or(Refusal::Window)?;
        let mut balances: BTreeMap<u64, Word> = BTreeMap::new();
        for entry in transaction.open_table(VALUES)?.iter()? {
            let (position, balance) = entry?;
            balances.insert(position.value(), balance.value());
        }
        // Backwards, so that what a position held first after the block is what remains.
        for entry in transaction.open_table(UNDO)?.range(block + 1..)?.rev() {
            for (position, balance) in entries(entry?.1.value())? {
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
        Ok(Vector::committed(Arc::clone(setup), values, point(commitment.value())?))
    }
}

impl Configuration for Config {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Vec<(&'static str, u64)> {
        vec![(NAME, self.code())]
    }

    fn make(&self, _: &Path) -> Box<dyn System> {
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
        transaction: &WriteTransaction,
        block: u64,
        writes: &WriteSet,
    ) -> Result<Vec<u8>, StoreError> {
        let mut roots = transaction.open_table(ROOTS)?;
        let mut order = transaction.open_table(ORDER)?;
        let mut values = transaction.open_table(VALUES)?;
        let mut undo = transaction.open_table(UNDO)?;
        let is_first = roots.is_empty()?;
        let before = if is_first {
            G1Affine::identity()
        } else {
            let root = roots.get(block.saturating_sub(1))?;
            let root = root.ok_or(StoreError::Corrupt("no commitment of balanceproofs"))?;
            point(root.value())?
        };
        let setup = self.setup();
        if let Some(accounts) = self.config.accounts.filter(|_| is_first) {
            for (position, address) in (0..).zip(accounts) {
                order.insert(address.as_slice(), position)?;
            }
        }
        // A list leaves no room for others.
        let size = self.config.accounts.map_or(setup.shape.size(), |_| 0);
        let (mut terms, mut overwritten) = (vec![(before, Fr::from(1_u64))], Vec::new());
        for (address, Wei(balance)) in writes.balances() {
            let known = order.get(address.as_slice())?.map(|position| position.value());
            let next = order.len()?;
            let position = match known {
                Some(position) => position,
                None if next < size => next,
                None => continue,
            };
            if known.is_none() {
                order.insert(address.as_slice(), position)?;
            }
            let old = values.insert(position, balance)?.map_or([0; 32], |old| old.value());
            overwritten.extend(position.to_be_bytes());
            overwritten.extend(old);
            if old != balance {
                let change = scalar(&balance).zip(scalar(&old)).map(|(new, old)| new - old);
                let change = change.ok_or_else(|| too_large(&address))?;
                terms.push((setup.lagrange(position), change));
            }
        }
        let commitment = bytes(&[algebra::sum(&terms).into_affine()]);
        roots.insert(block, commitment.as_slice())?;
        undo.insert(block, overwritten.as_slice())?;
        let oldest = (block + 1).saturating_sub(self.config.window + SLACK);
        roots.retain_in(..oldest, |_, _| false)?;
        undo.retain_in(..oldest, |_, _| false)?;
        Ok(commitment)
    }

    fn prove(
        &self,
        transaction: &ReadTransaction,
        block: u64,
        query: &[u8],
        accepted: &[&'static str],
    ) -> Result<Proof, Refusal> {
        let size = self.setup().shape.size();
        let positions =
            decode(query, size).ok_or(Refusal::Query("not a query of balanceproofs"))?;
        let commitment = transaction.open_table(ROOTS)?;
        let commitment = commitment.get(block)?.ok_or(Refusal::Window)?;
        let vector = self.vectors.get(commitment.value(), || self.vector(transaction, block))?;
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
