//! A batch in memory, over a store that does not change: what was written is read back, and reads
//! of everything else go to the store below, unless their answers were expected and are known.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::iter::Peekable;

use super::{
    Known, Newest, Order, Range, Read, Row, Rows, Table, Value, Version, Write, between, is_empty,
    versions,
};
use crate::error::StoreError;

/// What a table's keys were set to; `None` for a key that was removed.
type Changes = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// One of them.
type Change<'o> = (&'o Vec<u8>, &'o Option<Vec<u8>>);

/// What stood in the store below after a block, by prefix: the block that wrote it, and its bytes.
type Expected = HashMap<Vec<u8>, Option<(u64, Vec<u8>)>>;

/// Changes to tables, by key, over what they were made on.
#[derive(Debug)]
pub struct Overlay<'r> {
    below: &'r dyn Read,
    tables: BTreeMap<&'static str, Changes>,
    /// What was expected, by table and block.
    expected: HashMap<(Table, u64), Expected>,
}

impl<'r> Overlay<'r> {
    /// No changes yet.
    pub fn new(below: &'r dyn Read) -> Self {
        Self { below, tables: BTreeMap::new(), expected: HashMap::new() }
    }

    /// All changes, by table and key: a value, or `None` for a key that was removed.
    pub fn into_changes(self) -> impl Iterator<Item = (Table, Vec<u8>, Option<Vec<u8>>)> {
        let tables = self.tables.into_iter();
        tables.flat_map(|(name, changes)| {
            changes.into_iter().map(move |(key, value)| (Table(name), key, value))
        })
    }

    fn changes(&self, table: Table) -> Option<&Changes> {
        self.tables.get(table.0)
    }

    fn set(&mut self, table: Table, key: &[u8], value: Option<Vec<u8>>) {
        self.tables.entry(table.0).or_default().insert(key.to_vec(), value);
    }

    /// What stood in the store below under a prefix after a block, if it was expected.
    fn expected(&self, table: Table, prefix: &[u8], block: u64) -> Option<&Option<(u64, Vec<u8>)>> {
        self.expected.get(&(table, block))?.get(prefix)
    }

    /// The newest of the changes under a prefix, at or before a block.
    fn newest_change(&self, table: Table, prefix: &[u8], newest: &[u8]) -> Option<Change<'_>> {
        self.changes(table)?.range::<[u8], _>(between(prefix, newest)).next_back()
    }

    fn is_changed(&self, table: Table, prefix: &[u8], block: u64) -> bool {
        self.newest_change(table, prefix, &versions::key(prefix, block)).is_some()
    }
}

impl Read for Overlay<'_> {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Value<'_>>, StoreError> {
        match self.changes(table).and_then(|changes| changes.get(key)) {
            Some(value) => Ok(value.as_deref().map(Value::from)),
            None => self.below.get(table, key),
        }
    }

    fn get_many(&self, table: Table, keys: &[&[u8]]) -> Result<Vec<Option<Value<'_>>>, StoreError> {
        let change = |key: &[u8]| self.changes(table).and_then(|changes| changes.get(key));
        let mut unchanged = keys.to_vec();
        unchanged.retain(|key| change(key).is_none());
        // In the order of the keys that were left.
        let mut found = self.below.get_many(table, &unchanged)?.into_iter();
        let values = keys.iter().map(|key| match change(key) {
            Some(value) => value.as_deref().map(Value::from),
            None => found.next().flatten(),
        });
        Ok(values.collect())
    }

    fn range(&self, table: Table, range: Range<'_>, order: Order) -> Result<Rows<'_>, StoreError> {
        if is_empty(range) {
            return Ok(Box::new(std::iter::empty()));
        }
        let below = self.below.range(table, range, order)?;
        let Some(changes) = self.changes(table) else { return Ok(below) };
        let changes = changes.range::<[u8], _>(range);
        let changes: Box<dyn Iterator<Item = Change<'_>>> = match order {
            Order::Ascending => Box::new(changes),
            Order::Descending => Box::new(changes.rev()),
        };
        Ok(Box::new(Merged { below: below.peekable(), changes: changes.peekable(), order }))
    }

    fn newest(
        &self,
        table: Table,
        prefix: &[u8],
        block: u64,
    ) -> Result<Option<Newest<'_>>, StoreError> {
        let newest = versions::key(prefix, block);
        match self.newest_change(table, prefix, &newest) {
            None => match self.expected(table, prefix, block) {
                Some(Some((block, value))) => {
                    Ok(Some(Newest { block: *block, value: value.as_slice().into() }))
                }
                Some(None) => Ok(None),
                None => self.below.newest(table, prefix, block),
            },
            // The store below has none that is newer.
            Some((key, Some(value))) if **key == *newest => {
                Newest::of(key, Value::from(value.as_slice()))
            }
            Some(_) => {
                let mut versions =
                    self.range(table, between(prefix, &newest), Order::Descending)?;
                let version = versions.next().transpose()?;
                version.map_or(Ok(None), |(key, value)| Newest::of(&key, value))
            }
        }
    }

    fn newest_many(
        &self,
        table: Table,
        prefixes: &[&[u8]],
        block: u64,
    ) -> Result<Vec<Option<Newest<'_>>>, StoreError> {
        let is_here = |prefix: &[u8]| {
            self.is_changed(table, prefix, block) || self.expected(table, prefix, block).is_some()
        };
        let mut others = prefixes.to_vec();
        others.retain(|prefix| !is_here(prefix));
        let mut found = Vec::new().into_iter();
        if !others.is_empty() {
            // In the order of the prefixes that were left.
            found = self.below.newest_many(table, &others, block)?.into_iter();
        }
        let newest = prefixes.iter().map(|prefix| {
            if is_here(prefix) {
                self.newest(table, prefix, block)
            } else {
                Ok(found.next().flatten())
            }
        });
        newest.collect()
    }

    fn versions_many(
        &self,
        table: Table,
        prefixes: &[&[u8]],
        block: u64,
    ) -> Result<Vec<Vec<Version>>, StoreError> {
        let mut unchanged = prefixes.to_vec();
        unchanged.retain(|prefix| !self.is_changed(table, prefix, block));
        // In the order of the prefixes that were left.
        let mut found = self.below.versions_many(table, &unchanged, block)?.into_iter();
        let versions = prefixes.iter().map(|prefix| {
            if self.is_changed(table, prefix, block) {
                self.versions(table, prefix, block)
            } else {
                Ok(found.next().unwrap_or_default())
            }
        });
        versions.collect()
    }

    fn is_far(&self) -> bool {
        self.below.is_far()
    }
}

impl Write for Overlay<'_> {
    fn expect(
        &mut self,
        table: Table,
        prefixes: &BTreeSet<Vec<u8>>,
        block: u64,
    ) -> Result<(), StoreError> {
        if !self.is_far() {
            return Ok(());
        }
        let expected = self.expected.entry((table, block)).or_default();
        let others = prefixes.iter().map(Vec::as_slice);
        let others: Vec<_> = others.filter(|prefix| !expected.contains_key(*prefix)).collect();
        if others.is_empty() {
            return Ok(());
        }
        let found = self.below.newest_many(table, &others, block)?;
        let found = found.into_iter().map(|newest| {
            let Newest { block, value } = newest?;
            Some((block, value.to_vec()))
        });
        expected.extend(others.iter().map(|prefix| prefix.to_vec()).zip(found));
        Ok(())
    }

    fn known(&self, table: Table, prefix: &[u8], block: u64) -> Known {
        if self.is_changed(table, prefix, block) {
            return Known::Unread;
        }
        match self.expected(table, prefix, block) {
            None => Known::Unread,
            Some(None) => Known::Nothing,
            Some(Some((block, _))) => Known::Block(*block),
        }
    }

    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        self.set(table, key, Some(value.to_vec()));
        Ok(())
    }

    fn replace(
        &mut self,
        table: Table,
        key: &[u8],
        value: &[u8],
    ) -> Result<Option<Value<'_>>, StoreError> {
        let before = self.get(table, key)?.map(|before| before.to_vec());
        self.put(table, key, value)?;
        Ok(before.map(Value::from))
    }

    fn remove(&mut self, table: Table, key: &[u8]) -> Result<(), StoreError> {
        self.set(table, key, None);
        Ok(())
    }

    fn remove_range(&mut self, table: Table, range: Range<'_>) -> Result<(), StoreError> {
        if is_empty(range) {
            return Ok(());
        }
        let below = self.below.range(table, range, Order::Ascending)?;
        let below = below.map(|row| Ok(row?.0.to_vec())).collect::<Result<Vec<_>, StoreError>>()?;
        let changes = self.tables.entry(table.0).or_default();
        let written = changes.range::<[u8], _>(range).map(|(key, _)| key.clone());
        for key in written.collect::<Vec<_>>() {
            changes.remove(&key);
        }
        changes.extend(below.into_iter().map(|key| (key, None)));
        Ok(())
    }
}

/// Rows of the store below and changes, by key, where a change hides the row of its key.
struct Merged<'o> {
    below: Peekable<Rows<'o>>,
    changes: Peekable<Box<dyn Iterator<Item = Change<'o>> + 'o>>,
    order: Order,
}

impl<'o> Iterator for Merged<'o> {
    type Item = Result<Row<'o>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let first = match (self.below.peek(), self.changes.peek()) {
                (None, None) => return None,
                // An error comes at once.
                (Some(Err(_)), _) | (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(Ok((row, _))), Some((key, _))) => match self.order {
                    Order::Ascending => (**row).cmp(key.as_slice()),
                    Order::Descending => key.as_slice().cmp(row),
                },
            };
            if first.is_lt() {
                return self.below.next();
            }
            if first.is_eq() {
                self.below.next();
            }
            if let Some((key, Some(value))) = self.changes.next() {
                return Some(Ok((key.as_slice().into(), value.as_slice().into())));
            }
        }
    }
}
