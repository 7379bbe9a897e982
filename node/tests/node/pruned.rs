//! Files that are gone. A reader says that the block is pruned where the writer has pruned it, and
//! that it is at fault where the writer has not. A writer whose successor has removed them says that
//! it was fenced.

use std::io::{ErrorKind, Result as IoResult};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lightproof_node::service::Service;
use lightproof_node::system;
use lightproof_prover::chain::config::{CACHE_BYTES, Config};
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::source::SourceError;
use lightproof_prover::chain::workload::population::Population;
use lightproof_prover::error::StoreError;
use lightproof_prover::hex;
use lightproof_prover::store::blobs::{Blob, Blobs, Draft};
use lightproof_prover::store::object::Object;
use lightproof_prover::store::object::follow::Follower;
use lightproof_prover::store::{Fate, Reader, Store, Write};
use lightproof_prover::system::cole;
use lightproof_prover::system::cole::prove::Query;
use serde_json::json;

const SEED: u64 = 7;
const WINDOW: u64 = 6;

/// A store until its files are gone.
#[derive(Debug)]
struct Losing<S> {
    store: S,
    gone: Arc<AtomicBool>,
}

impl<S: Store> Store for Losing<S> {
    fn reader(&self) -> Result<Reader, StoreError> {
        self.store.reader()
    }

    fn batch(&self, work: &mut dyn FnMut(&mut dyn Write) -> Fate) -> Result<(), StoreError> {
        self.store.batch(work)
    }

    fn refresh(&self) -> Result<(), StoreError> {
        self.store.refresh()
    }

    fn is_taken(&self) -> bool {
        self.store.is_taken()
    }

    fn blobs(&self, system: &str) -> Arc<dyn Blobs> {
        Arc::new(Files { files: self.store.blobs(system), gone: Arc::clone(&self.gone) })
    }
}

#[derive(Debug)]
struct Files {
    files: Arc<dyn Blobs>,
    gone: Arc<AtomicBool>,
}

impl Blobs for Files {
    fn create(&self, name: &str) -> IoResult<Box<dyn Draft>> {
        self.files.create(name)
    }

    fn settle(&self) -> IoResult<()> {
        self.files.settle()
    }

    fn open(&self, name: &str) -> IoResult<Box<dyn Blob>> {
        let gone = Arc::clone(&self.gone);
        Ok(Box::new(File { file: self.files.open(name)?, gone }))
    }

    fn names(&self) -> IoResult<Vec<String>> {
        self.files.names()
    }

    fn remove(&self, name: &str) -> IoResult<()> {
        self.files.remove(name)
    }

    fn place(&self, name: &str) -> PathBuf {
        self.files.place(name)
    }
}

#[derive(Debug)]
struct File {
    file: Box<dyn Blob>,
    gone: Arc<AtomicBool>,
}

impl Blob for File {
    fn length(&self) -> u64 {
        self.file.length()
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> IoResult<()> {
        if self.gone.load(Ordering::Relaxed) {
            return Err(ErrorKind::NotFound.into());
        }
        self.file.read(offset, buffer)
    }
}

/// Small memory, so that there are files.
fn config() -> Config {
    let history = cole::Config { capacity: 40, window: WINDOW, ..cole::Config::DEFAULT };
    system::Selection::parse("cole,mpt").unwrap().usual(SEED, WINDOW).with(history)
}

#[test]
fn a_writer_that_misses_a_file_says_that_it_was_fenced_if_it_was() {
    for is_taken in [false, true] {
        let directory = tempfile::tempdir().unwrap();
        let url = format!("file://{}", directory.path().display());
        let open = || Object::open(&url, CACHE_BYTES).unwrap();
        let gone = Arc::<AtomicBool>::default();
        let store = Box::new(Losing { store: open(), gone: Arc::clone(&gone) });
        let config = config();
        let writer = Chain::open_in(store, "the store", config.clone(), &config.workload());
        let writer = writer.unwrap();
        writer.produce(30).unwrap();
        let successor = is_taken.then(open);
        gone.store(true, Ordering::Relaxed);
        // So many that files are merged, before anything is committed.
        let refused = writer.produce(60);
        match (&successor, &refused) {
            (Some(_), Err(SourceError::Store(StoreError::Fenced)))
            | (None, Err(SourceError::Store(StoreError::System { .. }))) => {}
            _ => panic!("{is_taken}: {refused:?}"),
        }
    }
}

#[test]
fn a_reader_without_the_files_of_a_block_says_that_it_is_pruned_if_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let url = format!("file://{}", directory.path().display());
    let config = config();
    let store = Box::new(Object::open(&url, CACHE_BYTES).unwrap());
    let writer = Chain::open_in(store, "the store", config.clone(), &config.workload()).unwrap();
    writer.produce(30).unwrap();
    let gone = Arc::<AtomicBool>::default();
    let store = Follower::open(&url, CACHE_BYTES).unwrap();
    let store = Box::new(Losing { store, gone: Arc::clone(&gone) });
    let chain = Chain::follow_in(store, "the store", config).unwrap();
    let service = Service::new(Arc::new(chain), None);
    let snapshot = service.snapshot().unwrap();
    let (head, oldest) = (snapshot.head(), snapshot.oldest_state());
    assert_eq!((head, oldest), (30, 25));
    let hash = hex::encode(&snapshot.header(oldest).unwrap().unwrap().hash());
    let sample = &Population::new(SEED, 0).samples()[3];
    let address = [sample.address.as_slice(), &sample.slots[0]].concat().try_into().unwrap();
    // Each question is another one, and about what files hold.
    let ask = |from| {
        let query = Query { as_of: false, address, from, to: u32::try_from(oldest).unwrap() };
        let params = json!(["cole", hex::encode(&query.encode()), { "blockHash": hash }]);
        service.call(&snapshot, "lp_getProof", &params)
    };
    assert!(ask(1).is_ok());
    gone.store(true, Ordering::Relaxed);
    assert_eq!(ask(2).unwrap_err().code, -32_603);
    writer.produce(1).unwrap();
    let refused = ask(3).unwrap_err();
    assert_eq!(refused.code, -32_012, "{refused:?}");
}
