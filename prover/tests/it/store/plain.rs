//! An engine of plain maps, whose batches are made in memory over them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use lightproof_prover::error::StoreError;
use lightproof_prover::store::blobs::{Blobs, Directory};
use lightproof_prover::store::overlay::Overlay;
use lightproof_prover::store::{
    Fate, Order, Range, Read, Reader, Rows, Store, Table, Value, Write, is_empty,
};

/// Tables by name.
#[derive(Clone, Debug, Default)]
struct Tables(BTreeMap<&'static str, BTreeMap<Vec<u8>, Vec<u8>>>);

/// The engine.
#[derive(Debug, Default)]
pub(super) struct Plain(Mutex<Arc<Tables>>);

impl Read for Tables {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Value<'_>>, StoreError> {
        let value = self.0.get(table.0).and_then(|rows| rows.get(key));
        Ok(value.map(|value| value.as_slice().into()))
    }

    fn range(&self, table: Table, range: Range<'_>, order: Order) -> Result<Rows<'_>, StoreError> {
        let Some(rows) = self.0.get(table.0).filter(|_| !is_empty(range)) else {
            return Ok(Box::new(std::iter::empty()));
        };
        let rows = rows.range::<[u8], _>(range);
        let rows = rows.map(|(key, value)| Ok((key.as_slice().into(), value.as_slice().into())));
        Ok(match order {
            Order::Ascending => Box::new(rows),
            Order::Descending => Box::new(rows.rev()),
        })
    }

    /// So that batches remember what they expected.
    fn is_far(&self) -> bool {
        true
    }
}

impl Store for Plain {
    fn reader(&self) -> Result<Reader, StoreError> {
        Ok(Arc::<Tables>::clone(&self.0.lock().unwrap()))
    }

    fn batch(&self, work: &mut dyn FnMut(&mut dyn Write) -> Fate) -> Result<(), StoreError> {
        let mut tables = self.0.lock().unwrap();
        let mut overlay = Overlay::new(&**tables);
        if work(&mut overlay) == Fate::Commit {
            let mut after = Tables::clone(&tables);
            for (table, key, value) in overlay.into_changes() {
                let rows = after.0.entry(table.0).or_default();
                match value {
                    Some(value) => rows.insert(key, value),
                    None => rows.remove(&key),
                };
            }
            *tables = Arc::new(after);
        }
        Ok(())
    }

    fn blobs(&self, _: &str) -> Arc<dyn Blobs> {
        Directory::files("unused".as_ref())
    }
}
