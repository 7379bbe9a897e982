//! The engine on object storage, in memory and in a directory, and what two writers can do to each
//! other.

use std::path::Path;
use std::sync::Arc;

use lightproof_prover::chain::config::{CACHE_BYTES, Config};
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::source::SourceError;
use lightproof_prover::error::StoreError;
use lightproof_prover::rng::Rng;
use lightproof_prover::store::object::Object;
use lightproof_prover::store::object::follow::Follower;
use lightproof_prover::store::{self, ALL, Order, Read, Store, Value};
use lightproof_prover::system::mpt;
use object_store::ObjectStore;
use object_store::memory::InMemory;

use super::{TABLES, VERSIONED, conforms, keeps_files};

const TABLE: store::Table = TABLES[0];

fn on(objects: &Arc<InMemory>) -> Object {
    let objects: Arc<dyn ObjectStore> = Arc::<InMemory>::clone(objects);
    Object::on(objects, &"chain".into(), CACHE_BYTES).unwrap()
}

fn open(directory: &Path) -> Object {
    Object::open(&format!("file://{}", directory.display()), CACHE_BYTES).unwrap()
}

fn put(store: &dyn Store, key: &[u8]) -> Result<(), StoreError> {
    store::write(store, |batch| batch.put(TABLE, key, b"value"))
}

fn keys(store: &dyn Store) -> Result<Vec<Vec<u8>>, StoreError> {
    keys_of(&*store.reader()?)
}

fn keys_of(reader: &dyn Read) -> Result<Vec<Vec<u8>>, StoreError> {
    let rows = reader.range(TABLE, ALL, Order::Ascending)?;
    rows.map(|row| Ok(row?.0.to_vec())).collect()
}

#[test]
fn the_engine_on_object_storage_conforms_in_memory() {
    for seed in 30..33 {
        let objects = Arc::<InMemory>::default();
        conforms(seed, |before| {
            drop(before);
            Box::new(on(&objects))
        });
    }
}

#[test]
fn the_engine_on_object_storage_conforms_in_a_directory() {
    let directory = tempfile::tempdir().unwrap();
    conforms(40, |before| {
        drop(before);
        Box::new(open(directory.path()))
    });
}

/// More than are waited for together, so that several threads read.
#[test]
fn many_keys_are_answered_in_their_order() {
    let store = on(&Arc::default());
    let key = |at: u16| [b"key".as_slice(), &at.to_be_bytes()].concat();
    let version = |at: u16, block: u64| [key(at), block.to_be_bytes().to_vec()].concat();
    store::write(&store, |batch| {
        for at in (0..1_000).step_by(2) {
            batch.put(TABLE, &key(at), &at.to_le_bytes())?;
            batch.put(VERSIONED, &version(at, 1), &at.to_le_bytes())?;
            // Half of these end with the next block.
            let next: &[u8] = if at.is_multiple_of(4) { b"next" } else { b"" };
            batch.put(VERSIONED, &version(at, 2), next)?;
        }
        Ok::<_, StoreError>(())
    })
    .unwrap();
    // Each twice; no two that follow one another are neighbours.
    let asked: Vec<u16> = (0..2_000_u16).map(|at| (at * 7) % 1_000).collect();
    let keys: Vec<_> = asked.iter().map(|at| key(*at)).collect();
    let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
    let reader = store.reader().unwrap();
    let owned = |found: Vec<Option<Value<'_>>>| -> Vec<Option<Vec<u8>>> {
        found.into_iter().map(|value| value.map(|value| value.to_vec())).collect()
    };
    let newest = |block: u64| {
        let found = reader.newest_many(VERSIONED, &keys, block).unwrap();
        owned(found.into_iter().map(|newest| newest.map(|newest| newest.value)).collect())
    };
    let first = |at: &u16| at.is_multiple_of(2).then(|| at.to_le_bytes().to_vec());
    let next = |at: &u16| at.is_multiple_of(4).then(|| b"next".to_vec());
    let expected: Vec<_> = asked.iter().map(first).collect();
    assert_eq!(owned(reader.get_many(TABLE, &keys).unwrap()), expected);
    assert_eq!(newest(1), expected);
    let expected: Vec<_> = asked.iter().map(next).collect();
    assert_eq!(newest(2), expected);
    assert!(reader.newest_many(VERSIONED, &[], 2).unwrap().is_empty());
}

/// As after a kill: the log has what was committed, and nothing else does.
#[test]
fn what_was_committed_is_there_though_the_store_was_not_closed() {
    let objects = Arc::<InMemory>::default();
    conforms(41, |before| {
        std::mem::forget(before);
        Box::new(on(&objects))
    });
}

#[test]
fn the_engine_on_object_storage_keeps_files() {
    let (objects, directory) = (Arc::<InMemory>::default(), tempfile::tempdir().unwrap());
    keeps_files(&*on(&objects).blobs("system"), false);
    keeps_files(&*open(directory.path()).blobs("system"), false);
}

#[test]
fn a_file_of_several_parts_and_pages_is_read_anywhere() {
    let objects = Arc::<InMemory>::default();
    let store = on(&objects);
    let files = store.blobs("system");
    let bytes = Rng::new(1, "file", 0).bytes(17 << 20);
    let mut draft = files.create("large").unwrap();
    draft.write(0, &bytes).unwrap();
    draft.finish().unwrap();
    let file = files.open("large").unwrap();
    assert_eq!(file.length(), bytes.len() as u64);
    let end = bytes.len();
    for (from, to) in [(0, end), (0, 0), (end, end), (1 << 18, (1 << 19) + 1), (262_143, 262_145)] {
        let mut read = vec![0; to - from];
        file.read(from as u64, &mut read).unwrap();
        assert!(read == bytes[from..to], "{from}..{to}");
    }
    // The same name again is another file, also where pages of the first are in memory.
    let mut draft = files.create("large").unwrap();
    draft.write(0, b"small").unwrap();
    draft.finish().unwrap();
    let mut read = [0; 5];
    files.open("large").unwrap().read(0, &mut read).unwrap();
    assert_eq!(&read, b"small");
}

#[test]
fn the_writer_before_is_fenced_and_nothing_of_its_next_batch_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let first = open(directory.path());
    put(&first, b"a").unwrap();
    // The other one opens while a batch is being made.
    let mut second = None;
    let refused = store::write(&first, |batch| {
        batch.put(TABLE, b"b", b"value")?;
        second = Some(open(directory.path()));
        Ok::<_, StoreError>(())
    });
    assert!(matches!(refused, Err(StoreError::Fenced)), "{refused:?}");
    let second = second.unwrap();
    put(&second, b"c").unwrap();
    for key in [b"d", b"e"] {
        let refused = put(&first, key);
        assert!(matches!(refused, Err(StoreError::Fenced)), "{refused:?}");
    }
    let expected = [b"a".to_vec(), b"c".to_vec()];
    assert_eq!(keys(&second).unwrap(), expected);
    // It shows nothing that it could not commit.
    match keys(&first) {
        Err(StoreError::Fenced) => {}
        shown => assert_eq!(shown.unwrap(), expected[..1]),
    }
    drop(first);
    put(&second, b"f").unwrap();
    drop(second);
    let last = keys(&open(directory.path())).unwrap();
    assert_eq!(last, [b"a".to_vec(), b"c".to_vec(), b"f".to_vec()]);
}

#[test]
fn a_fenced_writer_replaces_no_file() {
    let objects = Arc::<InMemory>::default();
    let content = |store: &Object| {
        let mut read = [0; 3];
        store.blobs("system").open("run")?.read(0, &mut read)?;
        Ok::<_, std::io::Error>(read)
    };
    let write = |store: &Object, bytes: &[u8]| {
        let mut draft = store.blobs("system").create("run").unwrap();
        draft.write(0, bytes).unwrap();
        draft.finish().unwrap();
    };
    let first = on(&objects);
    let second = on(&objects);
    write(&second, b"two");
    write(&first, b"one");
    assert_eq!(&content(&second).unwrap(), b"two");
    drop((first, second));
    let third = on(&objects);
    assert_eq!(&content(&third).unwrap(), b"two");
    third.blobs("system").remove("run").unwrap();
    assert!(content(&third).is_err() && third.blobs("system").names().unwrap().is_empty());
}

#[test]
fn a_follower_reads_what_is_durable_changes_nothing_and_fences_nobody() {
    let objects = Arc::<InMemory>::default();
    let follow = || {
        let objects: Arc<dyn ObjectStore> = Arc::<InMemory>::clone(&objects);
        Follower::on(objects, &"chain".into(), CACHE_BYTES)
    };
    assert!(follow().is_err(), "there is no store");
    let writer = on(&objects);
    put(&writer, b"a").unwrap();
    let follower = follow().unwrap();
    let first = follower.reader().unwrap();
    put(&writer, b"b").unwrap();
    let (before, after) = (vec![b"a".to_vec()], vec![b"a".to_vec(), b"b".to_vec()]);
    assert_eq!(keys(&follower).unwrap(), before);
    follower.refresh().unwrap();
    assert_eq!(keys(&follower).unwrap(), after);
    // A reader shows what was there when it was made.
    assert_eq!(keys_of(&*first).unwrap(), before);
    assert!(matches!(put(&follower, b"c"), Err(StoreError::ReadOnly)));
    let mut draft = writer.blobs("system").create("run").unwrap();
    draft.write(0, b"run").unwrap();
    draft.finish().unwrap();
    let files = follower.blobs("system");
    assert!(files.create("other").is_err());
    files.remove("run").unwrap();
    assert_eq!(
        (files.names().unwrap(), files.open("run").unwrap().length()),
        (vec!["run".into()], 3)
    );
    put(&writer, b"d").unwrap();
    drop(writer);
    assert_eq!(keys(&on(&objects)).unwrap(), [b"a", b"b", b"d"]);
}

#[test]
fn a_chain_is_read_while_another_node_writes_it() {
    let objects = Arc::<InMemory>::default();
    let config = || Config::new(7, 8).with(mpt::Config { window: 8 });
    let open = |store| Chain::open_in(store, "store", config(), &config().workload());
    let writer = open(Box::new(on(&objects))).unwrap();
    let shared: Arc<dyn ObjectStore> = Arc::<InMemory>::clone(&objects);
    let follower = Arc::new(Follower::on(shared, &"chain".into(), CACHE_BYTES).unwrap());
    let reader = open(Box::new(Arc::clone(&follower))).unwrap();
    assert_eq!(reader.genesis_hash(), writer.genesis_hash());
    for head in 1..4 {
        let made = writer.produce(1).unwrap();
        assert_eq!(reader.snapshot().unwrap().head(), head - 1);
        follower.refresh().unwrap();
        let snapshots = [&writer, &reader].map(|chain| chain.snapshot().unwrap());
        assert_eq!(snapshots[1].header(head).unwrap().as_ref(), Some(&made[0]));
        let proofs = snapshots.each_ref().map(|snapshot| {
            let account = snapshot.state(head).unwrap().account(&[0xaa; 20]);
            account.unwrap().nodes
        });
        assert!(!proofs[0].is_empty() && proofs[0] == proofs[1]);
        let refused = reader.produce(1);
        assert!(matches!(refused, Err(SourceError::Store(StoreError::ReadOnly))), "{refused:?}");
    }
}

#[test]
fn a_url_that_is_none_is_refused_with_those_that_are() {
    for url in ["", "chain", "file://relative", "s3://", "http://localhost/chain"] {
        let error = Object::open(url, CACHE_BYTES).unwrap_err().to_string();
        assert!(error.contains("expected file:///PATH or s3://BUCKET/PREFIX"), "{error}");
    }
}
