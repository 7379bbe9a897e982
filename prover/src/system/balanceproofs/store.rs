//! The vector on a chain: the balances of the first n accounts, in the order in which blocks first wrote them.
//!
//! Values, what each block overwrote and commitments lie in the chain's database, so that block and vector become durable in one
//! transaction. A commitment is updated by the Lagrange commitments of the positions that a block writes.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use ark_bls12_381::{Fr, G1Affine};
use ark_ec::CurveGroup;
use ark_serialize::CanonicalDeserialize;
use lightproof_core::algebra;
use redb::{ReadTransaction, ReadableTable, TableDefinition, WriteTransaction};

use super::config::{Config, Source};
use super::opening::{Variant, Vector};
use super::setup::{Setup, bytes};
use crate::chain::writes::WriteSet;
use crate::error::StoreError;
use crate::hash::Word;
use crate::rlp;
use crate::system::{Proof, Refusal, System};
use crate::trie::store::Bytes;

/// Name of this system in headers.
pub const NAME: &str = "balanceproofs";

/// Positions of accounts.
const ORDER: TableDefinition<'static, Bytes, u64> = TableDefinition::new("balanceproofs/order");
/// Balances by position, 16 bytes.
const VALUES: TableDefinition<'static, u64, u128> = TableDefinition::new("balanceproofs/values");
/// By block: positions that it wrote, each with the balance before.
const UNDO: TableDefinition<'static, u64, Bytes> = TableDefinition::new("balanceproofs/undo");
/// Commitments by block.
const ROOTS: TableDefinition<'static, u64, Bytes> = TableDefinition::new("balanceproofs/roots");

/// Bytes of a position and a balance.
const ENTRY: usize = 8 + 16;

/// Blocks that are kept beyond the promised window: a block that is being made pushes one out before requests learn of the new
/// head.
const SLACK: u64 = 8;

/// The system.
#[derive(Debug)]
pub struct BalanceProofs {
    config: Config,
    setup: OnceLock<Arc<Setup>>,
}

impl BalanceProofs {
    /// The system on a chain.
    pub fn new(config: Config) -> Self {
        Self { config: Config { window: config.window.max(1), ..config }, setup: OnceLock::new() }
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
        let mut balances: BTreeMap<u64, u128> = BTreeMap::new();
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
            *place.ok_or(StoreError::Corrupt("a balance beyond the vector"))? = Fr::from(balance);
        }
        Ok(Vector::committed(Arc::clone(setup), values, point(commitment.value())?))
    }
}

impl System for BalanceProofs {
    fn name(&self) -> &'static str {
        NAME
    }

    fn format(&self) -> &'static str {
        self.config.format_name()
    }

    fn variants(&self) -> &'static [&'static str] {
        use lightproof_core::system::balanceproofs::Scheme;
        match self.config.scheme {
            Scheme::Basic => &["hinted", "commit-hinted", "plain", "singles"],
            Scheme::Bucketed => &["plain", "halved"],
            Scheme::TwoLayer => &["T3", "T1", "plain", "halved"],
        }
    }

    fn params_digest(&self) -> Option<Word> {
        Some(self.setup().digest())
    }

    fn params(&self) -> Option<Vec<u8>> {
        Some(self.setup().params.clone())
    }

    fn is_insecure(&self) -> bool {
        matches!(self.config.source, Source::Seed(_))
    }

    fn window(&self) -> u64 {
        self.config.window
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
        let before = match block.checked_sub(1) {
            None => G1Affine::identity(),
            Some(parent) => {
                let root = roots.get(parent)?;
                let root = root.ok_or(StoreError::Corrupt("no commitment of balanceproofs"))?;
                point(root.value())?
            }
        };
        let setup = self.setup();
        let size = setup.shape.size();
        let mut next = values.last()?.map_or(0, |(position, _)| position.value() + 1);
        let (mut terms, mut overwritten) = (vec![(before, Fr::from(1_u64))], Vec::new());
        for (address, balance) in writes.balances() {
            let known = order.get(address.as_slice())?.map(|position| position.value());
            let position = match known {
                Some(position) => position,
                None if next < size => {
                    order.insert(address.as_slice(), next)?;
                    next += 1;
                    next - 1
                }
                None => continue,
            };
            let old = values.insert(position, balance)?.map_or(0, |old| old.value());
            overwritten.extend(position.to_be_bytes());
            overwritten.extend(old.to_be_bytes());
            if old != balance {
                let change = Fr::from(balance) - Fr::from(old);
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
        let vector = self.vector(transaction, block)?;
        for variant in Variant::of(self.config.scheme) {
            if !accepted.contains(&variant.name()) || !self.setup().reaches(&positions, *variant) {
                continue;
            }
            if let Some(bytes) = vector.prove(&positions, *variant) {
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

fn point(bytes: &[u8]) -> Result<G1Affine, StoreError> {
    G1Affine::deserialize_compressed_unchecked(bytes)
        .map_err(|_| StoreError::Corrupt("a commitment of balanceproofs is none"))
}

fn entries(bytes: &[u8]) -> Result<Vec<(u64, u128)>, StoreError> {
    let (entries, rest) = bytes.as_chunks::<ENTRY>();
    if !rest.is_empty() {
        return Err(StoreError::Corrupt("a block's balances are cut off"));
    }
    let entry = |entry: &[u8; ENTRY]| {
        let position = u64::from_be_bytes(std::array::from_fn(|at| entry[at]));
        (position, u128::from_be_bytes(std::array::from_fn(|at| entry[8 + at])))
    };
    Ok(entries.iter().map(entry).collect())
}
