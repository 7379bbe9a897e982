use redb::{Database, TableDefinition};

use super::*;
use crate::chain::config::Config;
use crate::chain::database::Chain;
use crate::chain::source::SourceError;

/// A directory from before keys were bytes holds numbers under strings.
#[test]
fn a_directory_of_an_older_layout_is_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let database = Database::create(directory.path().join("chain.redb")).unwrap();
    let transaction = database.begin_write().unwrap();
    let meta = TableDefinition::<&str, u64>::new("meta");
    transaction.open_table(meta).unwrap().insert("layout", 15).unwrap();
    let names = TableDefinition::<&str, &str>::new("names");
    transaction.open_table(names).unwrap().insert("systems", "").unwrap();
    transaction.commit().unwrap();
    drop(database);
    let refused = |error: StoreError| match error {
        StoreError::OtherChain { found, wanted, .. } => (found, wanted),
        other => panic!("{other}"),
    };
    let expected = ("layout 15".to_owned(), "layout 17".to_owned());
    assert_eq!(refused(Chain::clock(directory.path()).unwrap_err()), expected);
    let opened = Chain::of_workload(directory.path(), Config::new(0, 8));
    let Err(SourceError::Store(error)) = opened else { panic!("{opened:?}") };
    assert_eq!(refused(error), expected);
}

#[test]
fn a_table_that_was_never_written_is_empty() {
    let store = Embedded::in_memory().unwrap();
    let (reader, table) = (store.reader().unwrap(), Table("nothing"));
    assert!(reader.get(table, b"key").unwrap().is_none());
    assert!(reader.newest(table, b"key", 7).unwrap().is_none());
    assert!(reader.first(table).unwrap().is_none() && reader.last(table).unwrap().is_none());
}
