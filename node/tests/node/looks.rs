//! A reader that is asked for a block which it does not show yet: it looks at the store first, once
//! for all who ask, and seldom where there is nothing to find.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lightproof_node::looks::Looks;
use lightproof_node::service::Service;
use lightproof_node::system;
use lightproof_prover::chain::committee::Terms;
use lightproof_prover::chain::config::{CACHE_BYTES, Config};
use lightproof_prover::chain::database::Chain;
use lightproof_prover::error::StoreError;
use lightproof_prover::hex;
use lightproof_prover::store::blobs::Blobs;
use lightproof_prover::store::object::Object;
use lightproof_prover::store::object::follow::Follower;
use lightproof_prover::store::{Fate, Reader, Store, Write};
use serde_json::{Value, json};

/// A store that is read, and how often it was looked at.
#[derive(Debug)]
struct Counted {
    store: Follower,
    looks: Arc<AtomicUsize>,
}

impl Store for Counted {
    fn reader(&self) -> Result<Reader, StoreError> {
        self.store.reader()
    }

    fn batch(&self, work: &mut dyn FnMut(&mut dyn Write) -> Fate) -> Result<(), StoreError> {
        self.store.batch(work)
    }

    fn refresh(&self) -> Result<(), StoreError> {
        self.looks.fetch_add(1, Ordering::Relaxed);
        self.store.refresh()
    }

    fn blobs(&self, system: &str) -> Arc<dyn Blobs> {
        self.store.blobs(system)
    }
}

/// A chain that is written, a reader of it, and how often that one looks at the store.
struct Pair {
    writer: Chain,
    reader: Service,
    looks: Arc<AtomicUsize>,
    _directory: tempfile::TempDir,
}

impl Pair {
    fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let url = format!("file://{}", directory.path().display());
        let config = system::Selection::parse("mpt").unwrap().usual(7, 16);
        let config = Config { terms: Some(Terms { size: 8, period: 4 }), ..config };
        let store = Box::new(Object::open(&url, CACHE_BYTES).unwrap());
        let writer = Chain::open_in(store, "the store", config.clone(), &config.workload());
        let looks = Arc::<AtomicUsize>::default();
        let store = Follower::open(&url, CACHE_BYTES).unwrap();
        let store = Box::new(Counted { store, looks: Arc::clone(&looks) });
        let chain = Chain::follow_in(store, "the store", config).unwrap();
        let service = Service::new(Arc::new(chain), None);
        let reader = service.with_looks(Looks::new(Duration::from_hours(1)));
        looks.store(0, Ordering::Relaxed);
        Self { writer: writer.unwrap(), reader, looks, _directory: directory }
    }

    /// Makes a block: its hash.
    fn produce(&self) -> String {
        hex::encode(&self.writer.produce(1).unwrap()[0].hash())
    }

    fn ask(&self, method: &str, params: &Value) -> Result<Value, i64> {
        let snapshot = self.reader.snapshot().unwrap();
        self.reader.call(&snapshot, method, params).map_err(|error| error.code)
    }

    fn looks(&self) -> usize {
        self.looks.swap(0, Ordering::Relaxed)
    }
}

/// Parameters about a block, by its hash and number.
type Params = fn(&str, u64) -> Value;

#[test]
fn a_block_that_the_reader_does_not_show_yet_is_looked_for() {
    let methods: [(&str, Params); 6] = [
        ("lp_getHeader", |hash, _| json!([hash])),
        ("lp_getBootstrap", |hash, _| json!([hash])),
        ("eth_getBlockByHash", |hash, _| json!([hash, false])),
        ("eth_getBlockByNumber", |_, number| json!([hex::quantity(number), false])),
        ("eth_getProof", |hash, _| json!([format!("0x{:040x}", 1), [], { "blockHash": hash }])),
        ("eth_getBalance", |_, number| json!([format!("0x{:040x}", 1), hex::quantity(number)])),
    ];
    let pair = Pair::start();
    for (number, (method, params)) in (1..).zip(methods) {
        let hash = pair.produce();
        let params = params(&hash, number);
        // The pause after a look that found a block is short.
        let is_shown = |answer: &_| !matches!(answer, Ok(Value::Null) | Err(-32_011));
        let asked = std::iter::repeat_with(|| {
            std::thread::sleep(Duration::from_millis(1));
            pair.ask(method, &params)
        });
        let answer = asked.take(10_000).find(is_shown);
        let answer = answer.unwrap_or_else(|| panic!("{method}: block {number} is not shown"));
        assert!(answer.is_ok(), "{method}: {answer:?}");
        assert_eq!(pair.looks(), 1, "{method}");
        // What is shown needs no look.
        assert_eq!(pair.ask(method, &params), answer);
        pair.ask("lp_status", &json!([])).unwrap();
        assert_eq!(pair.looks(), 0, "{method}");
    }
}

#[test]
fn those_who_ask_at_once_share_a_look() {
    let pair = Pair::start();
    let hash = pair.produce();
    let params = json!([hash]);
    std::thread::scope(|scope| {
        for answer in [(); 16].map(|()| scope.spawn(|| pair.ask("lp_getHeader", &params))) {
            assert!(answer.join().unwrap().unwrap().is_string());
        }
    });
    assert_eq!(pair.looks(), 1);
}

#[test]
fn a_flood_of_calls_for_blocks_that_do_not_exist_looks_seldom() {
    let pair = Pair::start();
    for number in 0..4_000_u64 {
        let hash = format!("0x{number:064x}");
        assert_eq!(pair.ask("lp_getHeader", &json!([hash])), Ok(Value::Null));
    }
    // The pause doubles: so many looks take most of an hour.
    let looks = pair.looks();
    assert!((1..=16).contains(&looks), "{looks}");
    // Who follows the store by itself shows the block all the same.
    let hash = pair.produce();
    pair.reader.node().follow().unwrap();
    assert!(pair.ask("lp_getHeader", &json!([hash])).unwrap().is_string());
}
