//! What every engine must do, held against plain maps; and that systems see no engine.

#[cfg(feature = "object-store")]
mod counted;
mod far;
#[cfg(feature = "object-store")]
mod object;
mod plain;
#[cfg(feature = "object-store")]
mod s3;
#[cfg(feature = "object-store")]
#[path = "../support/s3.rs"]
mod support;

use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use lightproof_prover::chain::config::CACHE_BYTES;
use lightproof_prover::error::StoreError;
use lightproof_prover::rng::Rng;
use lightproof_prover::store::blobs::Blobs;
use lightproof_prover::store::embedded::Embedded;
use lightproof_prover::store::{
    self, ALL, Fate, Newest, Order, Range, Read, Store, Table, Version, Write,
};

const TABLES: [Table; 3] = [Table("one"), Table("two"), Table("never written")];
const VERSIONED: Table = Table("versioned");
const BATCHES: u64 = 60;
/// Asked for.
const BLOCKS: [u64; 7] = [0, 1, 2, 255, 256, u64::MAX - 1, u64::MAX];

type Rows = BTreeMap<Vec<u8>, Vec<u8>>;

/// What a store holds.
#[derive(Clone, Debug, Default)]
struct Model {
    /// Of each table but the last, which stays empty.
    tables: [Rows; 2],
    /// By prefix and block.
    versions: BTreeMap<(Vec<u8>, u64), Vec<u8>>,
}

/// Short, so that keys meet, and with bytes at both ends of their order.
fn key(rng: &mut Rng) -> Vec<u8> {
    (0..rng.below(4)).map(|_| rng.pick(&[0, 1, 0x7f, 0xff])).collect()
}

/// None is a prefix of another one.
fn prefix(rng: &mut Rng) -> Vec<u8> {
    let length = rng.pick(&[0_u8, 1, 2]);
    [vec![length], vec![rng.pick(&[0, 0xff]); length.into()]].concat()
}

fn value(rng: &mut Rng) -> Vec<u8> {
    let length = rng.pick(&[0, 1, 40, 5_000]);
    rng.bytes(length)
}

fn bounds(rng: &mut Rng) -> [Bound<Vec<u8>>; 2] {
    [(); 2].map(|()| match rng.below(5) {
        0 => Bound::Unbounded,
        1 | 2 => Bound::Included(key(rng)),
        _ => Bound::Excluded(key(rng)),
    })
}

fn range([start, end]: &[Bound<Vec<u8>>; 2]) -> Range<'_> {
    (start.as_ref().map(Vec::as_slice), end.as_ref().map(Vec::as_slice))
}

fn is_in((start, end): Range<'_>, key: &[u8]) -> bool {
    let after = match start {
        Bound::Included(start) => start <= key,
        Bound::Excluded(start) => start < key,
        Bound::Unbounded => true,
    };
    after
        && match end {
            Bound::Included(end) => key <= end,
            Bound::Excluded(end) => key < end,
            Bound::Unbounded => true,
        }
}

/// Changes a batch and the model alike.
fn change(batch: &mut dyn Write, model: &mut Model, rng: &mut Rng) -> Result<(), StoreError> {
    let at = usize::try_from(rng.below(2)).unwrap();
    let (table, rows) = (TABLES[at], &mut model.tables[at]);
    let (key, value) = (key(rng), value(rng));
    match rng.below(13) {
        12 => {
            let prefixes = (0..rng.below(4)).map(|_| prefix(rng)).collect();
            batch.expect(VERSIONED, &prefixes, rng.pick(&BLOCKS))?;
        }
        0..=3 => {
            batch.put(table, &key, &value)?;
            rows.insert(key, value);
        }
        4 | 5 => {
            let before = batch.replace(table, &key, &value)?.map(|value| value.to_vec());
            assert_eq!(before, rows.insert(key, value));
        }
        6 | 7 => {
            batch.remove(table, &key)?;
            rows.remove(&key);
        }
        8 => {
            let bounds = bounds(rng);
            batch.remove_range(table, range(&bounds))?;
            rows.retain(|key, _| !is_in(range(&bounds), key));
        }
        _ => {
            let (prefix, block) = (prefix(rng), rng.pick(&[0, 1, 255, 256, u64::MAX]));
            let value = if rng.one_in(4) { Vec::new() } else { value };
            let version = [prefix.as_slice(), &block.to_be_bytes()].concat();
            batch.put(VERSIONED, &version, &value)?;
            model.versions.insert((prefix, block), value);
        }
    }
    Ok(())
}

/// Reads at random.
fn check(store: &dyn Read, model: &Model, rng: &mut Rng) -> Result<(), StoreError> {
    let empty = Rows::new();
    for (at, table) in TABLES.into_iter().enumerate() {
        let rows = model.tables.get(at).unwrap_or(&empty);
        let keys = [(); 4].map(|()| key(rng));
        let expected = keys.each_ref().map(|key| rows.get(key).map(Vec::as_slice));
        assert_eq!(store.get(table, &keys[0])?.as_deref(), expected[0]);
        let many = store.get_many(table, &keys.each_ref().map(Vec::as_slice))?;
        assert_eq!(many.iter().map(Option::as_deref).collect::<Vec<_>>(), expected);
        let bounds = bounds(rng);
        for range in [range(&bounds), ALL] {
            let expected = rows.iter().filter(|(key, _)| is_in(range, key));
            let mut expected: Vec<_> = expected.map(|(k, v)| (k.clone(), v.clone())).collect();
            for order in [Order::Ascending, Order::Descending] {
                let found = store.range(table, range, order)?.map(|row| {
                    let (key, value) = row?;
                    Ok((key.to_vec(), value.to_vec()))
                });
                let found: Vec<_> = found.collect::<Result<_, StoreError>>()?;
                assert_eq!(found, expected, "{table:?} {range:?} {order:?}");
                expected.reverse();
            }
        }
        let ends = [store.first(table)?, store.last(table)?];
        let ends = ends.map(|row| row.map(|(key, value)| (key.to_vec(), value.to_vec())));
        let expected = [rows.first_key_value(), rows.last_key_value()];
        assert_eq!(ends, expected.map(|row| row.map(|(k, v)| (k.clone(), v.clone()))));
    }
    let block = rng.pick(&BLOCKS);
    let prefixes: Vec<_> = (0..4).map(|_| prefix(rng)).collect();
    let newest = |prefix: &Vec<u8>| {
        let versions = model.versions.range((prefix.clone(), 0)..=(prefix.clone(), block));
        let newest = versions.last().map(|((_, block), value)| (*block, value.clone()));
        newest.filter(|(_, value)| !value.is_empty())
    };
    let owned = |found: Option<Newest<'_>>| found.map(|found| (found.block, found.value.to_vec()));
    let expected: Vec<_> = prefixes.iter().map(newest).collect();
    let asked: Vec<&[u8]> = prefixes.iter().map(Vec::as_slice).collect();
    let many = store.newest_many(VERSIONED, &asked, block)?;
    let many: Vec<_> = many.into_iter().map(owned).collect();
    assert_eq!(many, expected, "{block}");
    let one = store.newest(VERSIONED, asked[0], block)?;
    assert_eq!(owned(one), expected[0]);
    let versions = |prefix: &Vec<u8>| -> Vec<_> {
        let versions = model.versions.range((prefix.clone(), 0)..=(prefix.clone(), block));
        let versions = versions.map(|((_, block), value)| (*block, value.is_empty()));
        versions.map(|(block, is_empty)| Version { block, is_empty }).collect()
    };
    let expected: Vec<_> = prefixes.iter().map(versions).collect();
    assert_eq!(store.versions_many(VERSIONED, &asked, block)?, expected, "{block}");
    assert_eq!(store.versions(VERSIONED, asked[0], block)?, expected[0]);
    Ok(())
}

/// Batches of random changes, some of them given up; `open` opens what was left.
fn conforms(seed: u64, mut open: impl FnMut(Option<Box<dyn Store>>) -> Box<dyn Store>) {
    let (mut store, mut rng) = (open(None), Rng::new(seed, "store", 0));
    let (mut model, mut given_up, mut kept) = (Model::default(), 0, 0);
    for _ in 0..BATCHES {
        let before = store.reader().unwrap();
        let (mut changed, fate) =
            (model.clone(), if rng.one_in(4) { Fate::Abandon } else { Fate::Commit });
        let work = store.batch(&mut |batch| {
            for _ in 0..rng.below(40) {
                change(batch, &mut changed, &mut rng).unwrap();
                check(&*batch, &changed, &mut rng).unwrap();
            }
            fate
        });
        work.unwrap();
        // Later batches do not change what a reader shows.
        check(&*before, &model, &mut rng).unwrap();
        drop(before);
        match fate {
            Fate::Commit => (model, kept) = (changed, kept + 1),
            Fate::Abandon => given_up += 1,
        }
        if rng.one_in(8) {
            store = open(Some(store));
        }
        check(&*store.reader().unwrap(), &model, &mut rng).unwrap();
    }
    assert!(given_up > 5 && kept > 20);
    // A batch whose work fails is given up, and its error is told.
    let failed = store::write(&*store, |batch| {
        batch.put(TABLES[2], b"key", b"value")?;
        Err::<(), _>(StoreError::Corrupt("the work failed"))
    });
    assert!(matches!(failed, Err(StoreError::Corrupt("the work failed"))));
    check(&*store.reader().unwrap(), &model, &mut rng).unwrap();
}

#[test]
fn the_embedded_engine_conforms_in_memory() {
    for seed in 0..4 {
        conforms(seed, |before| before.unwrap_or_else(|| Box::new(Embedded::in_memory().unwrap())));
    }
}

#[test]
fn the_embedded_engine_conforms_in_a_directory() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("store");
    conforms(9, |before| {
        // The one before has the file.
        drop(before);
        Box::new(Embedded::create(&file, CACHE_BYTES).unwrap())
    });
}

#[test]
fn a_batch_in_memory_conforms_over_plain_maps() {
    for seed in 20..28 {
        conforms(seed, |before| before.unwrap_or_else(|| Box::<plain::Plain>::default()));
    }
}

/// Files in whatever order their parts are written.
///
/// * `unfinished`: whether a file that was never finished has a name as well.
fn keeps_files(files: &dyn Blobs, unfinished: bool) {
    assert!(files.names().unwrap().is_empty() && files.open("one").is_err());
    let mut draft = files.create("one").unwrap();
    draft.write(3, b"def").unwrap();
    draft.write(0, b"abc").unwrap();
    assert!(files.open("one").is_err(), "a file has its name before it is whole");
    draft.finish().unwrap();
    // Never finished.
    drop(files.create("two").unwrap());
    files.settle().unwrap();
    let one = files.open("one").unwrap();
    let mut read = [0; 4];
    one.read(1, &mut read).unwrap();
    assert_eq!((one.length(), &read), (6, b"bcde"));
    assert!(one.read(3, &mut read).is_err(), "a read beyond the end");
    let names = files.names().unwrap();
    let count = 1 + usize::from(unfinished);
    assert!(names.contains(&"one".to_owned()) && names.len() == count, "{names:?}");
    names.iter().chain([&"three".to_owned()]).for_each(|name| files.remove(name).unwrap());
    assert!(files.names().unwrap().is_empty());
}

#[test]
fn the_embedded_engine_keeps_files_beside_its_own() {
    let directory = tempfile::tempdir().unwrap();
    let store = Embedded::create(&directory.path().join("store"), CACHE_BYTES).unwrap();
    keeps_files(&*store.blobs("system"), true);
    assert!(directory.path().join("system").is_dir());
}

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn only_the_engine_names_what_it_is_made_of() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    let folders = ["prover/src", "prover/benches", "node/src", "node/tests", "node/benches"];
    for folder in folders.into_iter().chain(["test-vectors/generator"]) {
        sources(&root.join(folder), &mut found);
    }
    found.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    assert!(found.len() > 200);
    for (name, engine) in [("redb::", "embedded"), ("slatedb::", "object")] {
        let names = |path: &&PathBuf| std::fs::read_to_string(path).unwrap().contains(name);
        let found: Vec<_> = found.iter().filter(names).collect();
        // The engine, and its own tests.
        let engine = root.join("prover/src/store").join(engine);
        assert!(found.contains(&&engine.with_extension("rs")));
        for path in found {
            assert!(path.with_extension("").starts_with(&engine), "{}", path.display());
        }
    }
}
