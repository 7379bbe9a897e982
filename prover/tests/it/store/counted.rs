//! How many requests of a store a reader needs: to follow it, and to find versions.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::BoxFuture;
use futures::stream::BoxStream;
use lightproof_prover::chain::config::CACHE_BYTES;
use lightproof_prover::rng::Rng;
use lightproof_prover::store::object::Object;
use lightproof_prover::store::object::follow::Follower;
use lightproof_prover::store::{self, Store};
use lightproof_prover::system::lvmt::config::Config;
use lightproof_prover::system::lvmt::store::Lvmt;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};

use super::TABLES;

/// A store that counts what it is asked to read.
#[derive(Debug, Default)]
struct Counting {
    objects: Arc<InMemory>,
    gets: AtomicUsize,
    lists: AtomicUsize,
}

impl Counting {
    /// Objects that were read, and lists, since this was asked last.
    fn take(&self) -> (usize, usize) {
        (self.gets.swap(0, Ordering::Relaxed), self.lists.swap(0, Ordering::Relaxed))
    }
}

impl fmt::Display for Counting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("counting")
    }
}

impl ObjectStore for Counting {
    fn put_opts<'s, 'p, 'f>(
        &'s self,
        location: &'p Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> BoxFuture<'f, Result<PutResult>>
    where
        's: 'f,
        'p: 'f,
    {
        self.objects.put_opts(location, payload, options)
    }

    fn put_multipart_opts<'s, 'p, 'f>(
        &'s self,
        location: &'p Path,
        options: PutMultipartOptions,
    ) -> BoxFuture<'f, Result<Box<dyn MultipartUpload>>>
    where
        's: 'f,
        'p: 'f,
    {
        self.objects.put_multipart_opts(location, options)
    }

    fn get_opts<'s, 'p, 'f>(
        &'s self,
        location: &'p Path,
        options: GetOptions,
    ) -> BoxFuture<'f, Result<GetResult>>
    where
        's: 'f,
        'p: 'f,
    {
        self.gets.fetch_add(1, Ordering::Relaxed);
        self.objects.get_opts(location, options)
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        self.objects.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.lists.fetch_add(1, Ordering::Relaxed);
        self.objects.list(prefix)
    }

    fn list_with_delimiter<'s, 'p, 'f>(
        &'s self,
        prefix: Option<&'p Path>,
    ) -> BoxFuture<'f, Result<ListResult>>
    where
        's: 'f,
        'p: 'f,
    {
        self.lists.fetch_add(1, Ordering::Relaxed);
        self.objects.list_with_delimiter(prefix)
    }

    fn copy_opts<'s, 'a, 'b, 'f>(
        &'s self,
        from: &'a Path,
        to: &'b Path,
        options: CopyOptions,
    ) -> BoxFuture<'f, Result<()>>
    where
        's: 'f,
        'a: 'f,
        'b: 'f,
    {
        self.objects.copy_opts(from, to, options)
    }
}

#[test]
fn a_look_at_a_store_without_new_commits_asks_for_two_objects_however_long_the_log_is() {
    let counting = Arc::<Counting>::default();
    let objects: Arc<dyn ObjectStore> = Arc::<InMemory>::clone(&counting.objects);
    let writer = Object::on(objects, &"chain".into(), CACHE_BYTES).unwrap();
    let mut written = 0_u64;
    let mut put = |count| {
        for _ in 0..count {
            written += 1;
            let key = written.to_be_bytes();
            store::write(&writer, |batch| batch.put(TABLES[0], &key, b"value")).unwrap();
        }
        written
    };
    put(1);
    let shared: Arc<dyn ObjectStore> = Arc::<Counting>::clone(&counting);
    let follower = Follower::on(shared, &"chain".into(), CACHE_BYTES).unwrap();
    for commits in [1, 20, 150] {
        let newest = put(commits);
        counting.take();
        follower.refresh().unwrap();
        let look = counting.take();
        let reader = follower.reader().unwrap();
        assert!(reader.get(TABLES[0], &newest.to_be_bytes()).unwrap().is_some(), "{newest}");
        counting.take();
        // One more where commits came while it looked.
        follower.refresh().unwrap();
        counting.take();
        for _ in 0..3 {
            follower.refresh().unwrap();
            assert_eq!(counting.take(), (2, 0), "{newest} commits");
        }
        println!("a log of {newest} commits: a look that finds some reads and lists {look:?}");
    }
}

/// Versions of each file of the engine, and bytes of each.
const VERSIONS: u32 = 2_000;
const LONG: [u8; 500] = [7; 500];

/// Writes a file of rows of one table.
fn write_file(writer: &Object, rows: impl Iterator<Item = Vec<u8>>) {
    store::write(writer, |batch| {
        rows.into_iter().try_for_each(|row| batch.put(TABLES[0], &row, &LONG))
    })
    .unwrap();
    // As many commits as the log may have: the engine writes a file.
    for commit in 0..256_u64 {
        store::write(writer, |batch| batch.put(TABLES[1], &commit.to_be_bytes(), b"")).unwrap();
    }
}

#[test]
fn what_was_read_last_stays_in_memory_whatever_was_read_more_often() {
    let counting = Arc::<Counting>::default();
    let objects: Arc<dyn ObjectStore> = Arc::<InMemory>::clone(&counting.objects);
    let writer = Object::on(objects, &"chain".into(), CACHE_BYTES).unwrap();
    write_file(&writer, (0..VERSIONS).map(|row| row.to_be_bytes().to_vec()));
    drop(writer);
    let shared: Arc<dyn ObjectStore> = Arc::<Counting>::clone(&counting);
    // Three quarters of it are for the engine's blocks: some 800 of the rows.
    let follower = Follower::on(shared, &"chain".into(), 560_000).unwrap();
    let reader = follower.reader().unwrap();
    let read = |rows: Range<u32>| {
        for row in rows {
            assert!(reader.get(TABLES[0], &row.to_be_bytes()).unwrap().is_some(), "{row}");
        }
        counting.take().0
    };
    for _ in 0..20 {
        read(0..800);
    }
    assert!(read(1_000..1_400) > 0);
    assert_eq!(read(1_000..1_400), 0);
}

#[test]
fn a_question_for_the_newest_version_reads_no_file_that_has_none_under_the_prefix() {
    let counting = Arc::<Counting>::default();
    let objects: Arc<dyn ObjectStore> = Arc::<InMemory>::clone(&counting.objects);
    let writer = Object::on(objects, &"chain".into(), CACHE_BYTES).unwrap();
    // All files span the same keys: the prefixes of one lie between those of the others.
    for file in 0_u32..3 {
        let prefixes = (0..VERSIONS).map(|number| (number * 4 + file).to_be_bytes());
        write_file(&writer, prefixes.map(|prefix| [&prefix[..], &5_u64.to_be_bytes()].concat()));
    }
    drop(writer);
    let shared: Arc<dyn ObjectStore> = Arc::<Counting>::clone(&counting);
    let follower = Follower::on(shared, &"chain".into(), CACHE_BYTES).unwrap();
    let reader = follower.reader().unwrap();
    counting.take();
    let ask = |number: u32, file: u32| {
        let prefix = (number * 4 + file).to_be_bytes();
        reader.newest(TABLES[0], &prefix, 9).unwrap().map(|newest| newest.value.to_vec())
    };
    for number in (0..VERSIONS).step_by(20) {
        assert_eq!(ask(number, 3), None);
    }
    let (absent, _) = counting.take();
    for number in (0..VERSIONS).step_by(20) {
        assert_eq!(ask(number, number / 20 % 3), Some(LONG.to_vec()));
    }
    let (present, _) = counting.take();
    for number in (0..VERSIONS).step_by(20) {
        let version = [(number * 4 + 3).to_be_bytes().as_slice(), &5_u64.to_be_bytes()].concat();
        assert!(reader.get(TABLES[0], &version).unwrap().is_none());
    }
    let (keys, _) = counting.take();
    println!("gets of 100 versions: {absent}, {keys} by key where there are none; else {present}");
    // Three files have an index and a filter each, and one of a hundred blocks is read for nothing.
    assert!(absent <= 30, "{absent}");
    assert!(present <= 130, "{present}");
    assert!(keys <= 10, "{keys}");
}

#[test]
fn an_opening_of_lvmt_reads_the_leaves_of_a_node_at_once() {
    let counting = Arc::<Counting>::default();
    let objects: Arc<dyn ObjectStore> = Arc::<InMemory>::clone(&counting.objects);
    let store = Object::on(objects, &"chain".into(), CACHE_BYTES).unwrap();
    let system = Lvmt::new(Config::DEFAULT);
    let mut rng = Rng::new(1, "openings", 0);
    let mut keys = Vec::new();
    for block in 0..80 {
        let written: Vec<_> = (0..50).map(|_| rng.bytes(32)).collect();
        let writes = written.iter().map(|key| (key.clone(), LONG[..32].to_vec()));
        store::write(&store, |batch| system.write(batch, block, writes)).unwrap();
        keys.extend(written);
    }
    write_file(&store, std::iter::empty());
    drop(store);
    let shared: Arc<dyn ObjectStore> = Arc::<Counting>::clone(&counting);
    let follower = Follower::on(shared, &"chain".into(), 1 << 20).unwrap();
    let reader = follower.reader().unwrap();
    let reads: Vec<usize> = keys
        .iter()
        .take(20)
        .map(|key| {
            counting.take();
            system.prove_keys(&*reader, 79, std::slice::from_ref(key), "hybrid").unwrap();
            counting.take().0
        })
        .collect();
    println!("gets of 20 proofs of lvmt: {reads:?}");
    // The 62 leaves of a node would be as many rows among those of 4,000 keys.
    assert!(reads[1..].iter().all(|gets| *gets <= 16), "{reads:?}");
}
