//! Two callers that make blocks at once: a system has one batch between its beginning and its end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::error::StoreError;
use lightproof_prover::store::blobs::Blobs;
use lightproof_prover::store::embedded::Embedded;
use lightproof_prover::store::{Fate, Reader, Store, Write};
use lightproof_prover::system::{lmpt, mpt};

/// How long the first batch gives the other caller to get ahead of it.
const HEAD_START: Duration = Duration::from_millis(500);

/// A store whose next batch waits until another caller has made one, or a while.
#[derive(Debug)]
struct Slow {
    store: Embedded,
    armed: AtomicBool,
    began: SyncSender<()>,
    other: Mutex<Receiver<()>>,
}

impl Store for Slow {
    fn reader(&self) -> Result<Reader, StoreError> {
        self.store.reader()
    }

    fn batch(&self, work: &mut dyn FnMut(&mut dyn Write) -> Fate) -> Result<(), StoreError> {
        if self.armed.swap(false, Ordering::SeqCst) {
            self.began.send(()).unwrap();
            // Nothing comes where the other caller waits for this batch.
            let _ = self.other.lock().unwrap().recv_timeout(HEAD_START);
        }
        self.store.batch(work)
    }

    fn blobs(&self, system: &str) -> Arc<dyn Blobs> {
        self.store.blobs(system)
    }
}

fn config() -> Config {
    let lmpt = lmpt::Config { window: 8, interval: 2, ..lmpt::Config::DEFAULT };
    Config::new(7, 8).with(lmpt).with(mpt::Config { window: 8 })
}

fn open(store: impl Store + 'static) -> Chain {
    let config = config();
    let workload = config.workload();
    Chain::open_in(Box::new(store), "memory", config, &workload).unwrap()
}

#[test]
fn a_caller_waits_until_the_block_of_another_one_is_durable() {
    let (began, begins) = sync_channel(1);
    let (done, other) = sync_channel(1);
    let (store, other) = (Embedded::in_memory().unwrap(), Mutex::new(other));
    let slow = Arc::new(Slow { store, armed: AtomicBool::new(false), began, other });
    let chain = open(Arc::clone(&slow));
    // By now layers are merged in every block.
    chain.produce(5).unwrap();
    slow.armed.store(true, Ordering::SeqCst);
    thread::scope(|scope| {
        let first = scope.spawn(|| chain.produce(1).map(drop));
        begins.recv().unwrap();
        chain.produce(1).unwrap();
        // It has stopped waiting where this one had to wait.
        let _ = done.try_send(());
        first.join().unwrap().unwrap();
    });
    chain.produce(3).unwrap();
    let alone = open(Embedded::in_memory().unwrap());
    alone.produce(10).unwrap();
    for number in 0..=10 {
        let header = |chain: &Chain| chain.snapshot().unwrap().header(number).unwrap().unwrap();
        assert_eq!(header(&chain), header(&alone), "block {number}");
    }
}
