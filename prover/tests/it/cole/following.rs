//! Whoever follows the records and files of another process opens them without reading them whole.

use std::io::Result;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lightproof_prover::rng::Rng;
use lightproof_prover::store::blobs::{Blob, Blobs, Directory, Draft};
use lightproof_prover::system::cole::config::Config;
use lightproof_prover::system::cole::engine::{Engine, Known};
use lightproof_prover::system::cole::prove::Query;

use super::model::{Kept, scratch};
use super::random::{address, writes};

/// Files of which bytes that are read are counted.
#[derive(Clone, Debug)]
struct Counted {
    files: Arc<dyn Blobs>,
    read: Arc<AtomicU64>,
}

impl Blobs for Counted {
    fn create(&self, name: &str) -> Result<Box<dyn Draft>> {
        self.files.create(name)
    }

    fn settle(&self) -> Result<()> {
        self.files.settle()
    }

    fn open(&self, name: &str) -> Result<Box<dyn Blob>> {
        let (file, read) = (self.files.open(name)?, Arc::clone(&self.read));
        Ok(Box::new(CountedFile { file, read }))
    }

    fn names(&self) -> Result<Vec<String>> {
        self.files.names()
    }

    fn remove(&self, name: &str) -> Result<()> {
        self.files.remove(name)
    }

    fn place(&self, name: &str) -> PathBuf {
        self.files.place(name)
    }
}

#[derive(Debug)]
struct CountedFile {
    file: Box<dyn Blob>,
    read: Arc<AtomicU64>,
}

impl Blob for CountedFile {
    fn length(&self) -> u64 {
        self.file.length()
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.read.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        self.file.read(offset, buffer)
    }
}

#[test]
fn a_follower_proves_the_same_and_reads_a_part_of_what_the_writer_does() {
    let config = Config { capacity: 400, ratio: 4, window: 6, ..Config::default() };
    let (directory, mut rng) = (scratch(), Rng::new(7, "following", 0));
    let mut kept = Kept::create(directory.path(), config);
    for number in 1..=60 {
        kept.apply(number, &writes(&mut rng, 4_000, 300));
    }
    let Kept { engine, records, log, .. } = kept;
    drop(engine);
    let read = Arc::<AtomicU64>::default();
    let files = Counted { files: Directory::files(directory.path()), read: Arc::clone(&read) };
    let follower =
        Engine::follow(Arc::new(files.clone()), config, &records, &log, &Known::default()).unwrap();
    let part = read.swap(0, Ordering::Relaxed);
    let writer = Engine::restore(Arc::new(files), config, &records, &log).unwrap();
    let whole = read.swap(0, Ordering::Relaxed);
    println!("{part} bytes to follow, {whole} to write");
    assert!(part * 50 < whole, "{part} of {whole}");
    for number in 55..=60 {
        let [one, other] = [&follower, &writer].map(|engine| engine.view(number).unwrap());
        for _ in 0..20 {
            let address = address(rng.below(4_009));
            let query = Query { as_of: true, address, from: number, to: number };
            assert_eq!(one.prove(&query).unwrap(), other.prove(&query).unwrap());
        }
    }
}
