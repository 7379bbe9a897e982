//! Operators who attest the blocks of their own nodes: three agree, one lies or says nothing, one
//! comes back from a backup.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lightproof_core::header::light::{Form, LightClient};
use lightproof_node::attest::journal::Journal;
use lightproof_node::attest::{Attester, open_journal};
use lightproof_node::rpc;
use lightproof_node::system::Selection;
use lightproof_prover::chain::committee::operators::{Members, Roster, SecretKey};
use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::header::Header;
use lightproof_prover::chain::source::{Genesis, Parent, Source, SourceBlock, SourceError};
use lightproof_prover::chain::state::{StateReader, Wei};
use lightproof_prover::chain::writes::WriteSet;
use lightproof_prover::hash::keccak256;
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

const CHAIN_ID: u64 = 77;
const PERIOD: u64 = 4;

/// Blocks that set one balance; another flavour makes other blocks on the same genesis.
struct Feed(u64);

impl Source for Feed {
    fn genesis(&self) -> Result<Genesis, SourceError> {
        Ok(Genesis { chain_id: CHAIN_ID, ..Genesis::default() })
    }

    fn next(
        &mut self,
        parent: &Parent,
        _: &dyn StateReader,
    ) -> Result<Option<SourceBlock>, SourceError> {
        let number = parent.number + 1;
        let mut writes = WriteSet::default();
        writes.account([0xaa; 20], number, Wei::from(u128::from(self.0)));
        let origin = keccak256(&[number.to_be_bytes(), self.0.to_be_bytes()].concat());
        Ok(Some(SourceBlock { number, timestamp: number, origin, writes, content: None }))
    }
}

pub(crate) fn key(index: u8) -> SecretKey {
    SecretKey::random(&[index; 64])
}

fn members(keys: &[u8]) -> Members {
    let all: Vec<_> = keys.iter().map(|at| (key(*at).public(), key(*at).proof())).collect();
    Members::new(&all).unwrap()
}

/// Three operators, and from period 2 on four, of whom one is new and none has left.
fn config() -> Config {
    let committees = vec![(0, members(&[1, 2, 3])), (2, members(&[1, 2, 3, 4]))];
    let roster = Roster::new(PERIOD, committees).unwrap();
    let chain = Selection::parse("mpt").unwrap().usual(7, 64);
    Config { roster: Some(Arc::new(roster)), ..chain }
}

/// An operator's node.
struct Operator {
    node: Arc<Chain>,
    attester: Attester,
    told: UnboundedReceiver<Header>,
    directory: PathBuf,
    index: u8,
}

impl Operator {
    fn open(directory: &Path, index: u8) -> Result<Self, String> {
        let node = Chain::open_with(&directory.join("data"), config(), &Feed(1)).unwrap();
        let node = Arc::new(node);
        let journal = open_journal(&node, &directory.join("journal"), false);
        let journal = journal.map_err(|error| error.to_string())?;
        let (sender, told) = unbounded_channel();
        let attester = Attester::new(Arc::clone(&node), vec![key(index)], Some(journal), sender);
        let attester = attester.map_err(|error| error.to_string())?;
        Ok(Self { node, attester, told, directory: directory.to_owned(), index })
    }

    fn new(root: &Path, index: u8) -> Self {
        let directory = root.join(index.to_string());
        std::fs::create_dir_all(&directory).unwrap();
        Self::open(&directory, index).unwrap()
    }

    fn restart(self) -> Result<Self, String> {
        let (directory, index) = (self.directory.clone(), self.index);
        drop(self);
        Self::open(&directory, index)
    }

    fn advance(&self, count: u64, flavour: u64) -> Result<(), String> {
        self.node.advance(&mut Feed(flavour), count).unwrap();
        self.attester.sign().map_err(|error| error.to_string())
    }

    /// What this node answers to another.
    fn answer(&self, numbers: &[u64]) -> Value {
        self.attester.attestations(&json!([numbers])).unwrap()
    }

    fn hear(&self, from: &str, answer: impl FnOnce(&[u64]) -> Value) {
        let wanted = self.attester.wanted().unwrap();
        self.attester.take(from, &wanted, &answer(&wanted)).unwrap();
    }

    fn ask(&self, other: &Self) {
        self.hear(&other.index.to_string(), |numbers| other.answer(numbers));
    }

    fn announced(&self) -> u64 {
        self.node.snapshot().unwrap().announced()
    }

    fn call(&self, method: &str, params: &Value) -> Value {
        rpc::ask(&self.node, method, params).unwrap()
    }

    fn bytes(&self, method: &str, params: &Value) -> Vec<u8> {
        hex::decode(self.call(method, params).as_str().unwrap()).unwrap()
    }

    /// A light client from block 0 to what this node announces.
    fn client(&self) -> LightClient {
        let genesis = self.node.genesis_hash();
        let chain = Item::List(vec![
            Item::bytes("attested"),
            Item::uint(CHAIN_ID),
            Item::bytes(genesis),
            Item::List(vec![Item::uint(PERIOD)]),
        ]);
        let mut client = LightClient::new(&chain.encode()).unwrap();
        let bootstrap = self.bytes("lp_getBootstrap", &json!([hex::encode(&genesis)]));
        client.bootstrap(&genesis, &bootstrap, &mut ()).unwrap();
        for update in self.call("lp_getUpdates", &json!([0, 128])).as_array().unwrap() {
            let update = hex::decode(update.as_str().unwrap()).unwrap();
            client.apply(Form::Update, &update, u64::MAX, &mut ()).unwrap();
        }
        client
    }

    /// Block and participation that a client of this node ends at.
    fn proven(&self) -> (u64, Option<(usize, usize)>) {
        let client = self.client();
        let found = client.state().unwrap().finalized.clone();
        (found.slot, found.signers)
    }
}

fn three(root: &Path) -> [Operator; 3] {
    [1, 2, 3].map(|index| Operator::new(root, index))
}

#[test]
fn three_attest_each_other_across_a_handover() {
    let root = tempfile::tempdir().unwrap();
    let [mut one, two, three] = three(root.path());
    for operator in [&one, &two, &three] {
        operator.advance(6, 1).unwrap();
        // Alone nobody vouches for anything.
        assert_eq!(operator.announced(), 0);
    }
    assert_eq!(one.call("eth_blockNumber", &json!([])), "0x0");
    assert_eq!(one.call("lp_getFinality", &json!([])), Value::Null);
    assert_eq!(one.call("lp_getUpdates", &json!([0, 9])), json!([]));
    assert_eq!(one.call("eth_getBlockByNumber", &json!(["0x6"])), Value::Null);
    one.ask(&two);
    assert_eq!(one.announced(), 6);
    assert_eq!(one.proven(), (6, Some((2, 3))));
    let told: Vec<u64> =
        std::iter::from_fn(|| one.told.try_recv().ok()).map(|h| h.number).collect();
    assert_eq!(told, [1, 2, 3, 4, 5, 6]);
    // A fourth operator joins: from period 2 on three of four must sign.
    let four = Operator::new(root.path(), 4);
    for operator in [&one, &two, &three] {
        operator.advance(4, 1).unwrap();
    }
    four.advance(10, 1).unwrap();
    one.ask(&two);
    // Of three members two signed the last block of period 1; of four it takes three.
    assert_eq!(one.announced(), 7);
    one.ask(&four);
    assert_eq!(one.announced(), 10);
    assert_eq!(one.proven(), (10, Some((3, 4))));
    let status = one.call("lp_status", &json!([]));
    assert_eq!(status["finalized"]["number"], "0xa");
    assert_eq!(status["consensus"]["attesters"].as_array().unwrap().len(), 4);
    // Who asks someone who has the attestation needs nobody else.
    assert_eq!(three.announced(), 0);
    three.ask(&one);
    three.ask(&one);
    assert_eq!((three.announced(), three.proven()), (10, (10, Some((3, 4)))));
}

#[test]
fn one_that_is_silent_or_lies_changes_nothing() {
    let root = tempfile::tempdir().unwrap();
    let [one, two, three] = three(root.path());
    for operator in [&one, &two, &three] {
        operator.advance(2, 1).unwrap();
    }
    let honest = two.answer(&[1, 2]);
    let hash = |number: usize| honest[number - 1]["hash"].clone();
    let names = [1, 2, 3, 4].map(|at| hex::encode(&key(at).public()));
    let signed = |at: u8, message: &[u8; 32]| hex::encode(&key(at).sign(message));
    let (elsewhere, infinity) = (signed(3, &[9; 32]), format!("0xc0{}", "00".repeat(95)));
    let entry = |number: usize, signatures: Value| {
        let mut both = json!([null, null]);
        both[number - 1] = json!({ "hash": hash(number), "signatures": signatures });
        both
    };
    let lies = [
        json!([]),
        json!("nothing"),
        json!([{ "hash": 7 }, { "signatures": [] }]),
        // False ones in the names of members, and true ones of what is no member.
        entry(2, json!({ &names[1]: elsewhere, &names[2]: elsewhere })),
        entry(2, json!({ &names[1]: infinity, &names[2]: "0x00" })),
        entry(2, json!({ &names[3]: elsewhere, "key": elsewhere })),
        // Another header.
        json!([null, { "hash": hex::encode(&[5; 32]), "signatures": { &names[2]: elsewhere } }]),
        // An attestation by one alone, by bits of nobody, and of another header.
        json!([null, { "hash": hash(2), "signatures": {}, "attestation": ["0x04", elsewhere] }]),
        json!([null, { "hash": hash(2), "signatures": {}, "attestation": ["0xff", elsewhere] }]),
        json!([null, { "hash": hash(2), "signatures": {}, "attestation": ["0x07", elsewhere] }]),
    ];
    for (at, lie) in lies.iter().enumerate() {
        one.hear(&format!("liar {at}"), |_| lie.clone());
        assert_eq!(one.announced(), 0, "{lie}");
    }
    one.ask(&two);
    assert_eq!((one.announced(), one.proven()), (2, (2, Some((2, 3)))));
}

#[test]
fn a_restarted_operator_goes_on_and_signs_the_same() {
    let root = tempfile::tempdir().unwrap();
    let [one, two, _] = three(root.path());
    one.advance(3, 1).unwrap();
    let before = one.answer(&[1, 2, 3]);
    let one = one.restart().unwrap();
    assert_eq!(one.answer(&[1, 2, 3]), before);
    one.advance(2, 1).unwrap();
    two.advance(5, 1).unwrap();
    one.ask(&two);
    let one = one.restart().unwrap();
    assert_eq!((one.announced(), one.proven()), (5, (5, Some((2, 3)))));
    // Nothing is signed that is not there.
    assert_eq!(one.answer(&[0, 6, u64::MAX])[1], Value::Null);
}

#[test]
fn an_operator_starts_over_from_nothing_and_signs_nothing_that_it_passed_over() {
    let root = tempfile::tempdir().unwrap();
    let [one, two, three] = three(root.path());
    for operator in [&one, &two] {
        operator.advance(3, 1).unwrap();
    }
    one.ask(&two);
    // A node without keys takes what the others attested.
    let directory = three.directory.clone();
    drop(three);
    std::fs::remove_file(directory.join("journal")).unwrap();
    let node = Chain::open_with(&directory.join("data"), config(), &Feed(1)).unwrap();
    let node = Arc::new(node);
    node.advance(&mut Feed(1), 3).unwrap();
    let (sender, _told) = unbounded_channel();
    let replica = Attester::new(Arc::clone(&node), Vec::new(), None, sender).unwrap();
    let wanted = replica.wanted().unwrap();
    replica.take("one", &wanted, &one.answer(&wanted)).unwrap();
    assert_eq!(node.snapshot().unwrap().announced(), 3);
    assert_eq!(replica.attestations(&json!([[2]])).unwrap(), json!([null]));
    drop((replica, open_journal(&node, &directory.join("journal"), true).unwrap(), node));
    let three = Operator::open(&directory, 3).unwrap();
    three.advance(2, 1).unwrap();
    let signed = three.answer(&[4, 5]);
    drop(three);
    std::fs::remove_dir_all(directory.join("data")).unwrap();
    let three = Operator::open(&directory, 3).unwrap();
    three.advance(5, 1).unwrap();
    assert_eq!(three.answer(&[4, 5]), signed);
    assert_eq!(three.answer(&[1, 2, 3]), json!([null, null, null]));
}

/// Copies what a backup of a data directory holds.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

#[test]
fn no_second_header_of_a_height_is_signed_after_a_restore() {
    let root = tempfile::tempdir().unwrap();
    let [one, _, _] = three(root.path());
    one.advance(2, 1).unwrap();
    let (directory, data) = (one.directory.clone(), one.directory.join("data"));
    drop(one);
    let backup = directory.join("backup");
    copy(&data, &backup);
    let one = Operator::open(&directory, 1).unwrap();
    one.advance(2, 1).unwrap();
    let signed = one.answer(&[3, 4]);
    drop(one);
    let restore = || {
        std::fs::remove_dir_all(&data).unwrap();
        copy(&backup, &data);
    };
    // The same blocks again: signed as before.
    restore();
    let one = Operator::open(&directory, 1).unwrap();
    assert_eq!(one.answer(&[3, 4]), json!([null, null]));
    one.advance(2, 1).unwrap();
    assert_eq!(one.answer(&[3, 4]), signed);
    drop(one);
    // Other blocks: refused, at once and after a restart, and nothing of them leaves.
    restore();
    let one = Operator::open(&directory, 1).unwrap();
    let refused = one.advance(1, 2).unwrap_err();
    assert!(refused.contains("block 3: refusing to sign"), "{refused}");
    assert_eq!(one.answer(&[3]), json!([null]));
    let refused = one.restart().err().unwrap();
    assert!(refused.contains("block 3: refusing to sign"), "{refused}");
    // Without its journal, a node with blocks signs nothing.
    std::fs::remove_file(directory.join("journal")).unwrap();
    let refused = Operator::open(&directory, 1).err().unwrap();
    assert!(refused.contains("is missing") && refused.contains("--new-journal"), "{refused}");
}

#[test]
fn keys_and_committees_must_be_the_chains() {
    let root = tempfile::tempdir().unwrap();
    let directory = root.path().join("data");
    let node = Arc::new(Chain::open_with(&directory, config(), &Feed(1)).unwrap());
    let (sender, _told) = unbounded_channel();
    let journal = |name: &str| {
        let path = root.path().join(name);
        Journal::open(&path, &node.genesis_hash(), CHAIN_ID).unwrap()
    };
    let stranger =
        Attester::new(Arc::clone(&node), vec![key(9)], Some(journal("a")), sender.clone());
    assert!(stranger.unwrap_err().to_string().contains("no committee of this chain"));
    assert!(Attester::new(Arc::clone(&node), vec![key(1)], None, sender.clone()).is_err());
    drop(node);
    // Other committees make another chain, and so does none.
    for committees in
        [vec![(0, members(&[1, 2]))], vec![(0, members(&[1, 2, 3])), (1, members(&[4]))]]
    {
        let roster = Roster::new(PERIOD, committees).unwrap();
        let other = Config { roster: Some(Arc::new(roster)), ..config() };
        let error = Chain::open_with(&directory, other, &Feed(1)).unwrap_err();
        assert!(error.to_string().contains("committees"), "{error}");
    }
    let unsigned = Config { roster: None, ..config() };
    assert!(Chain::open_with(&directory, unsigned, &Feed(1)).is_err());
}

#[test]
fn questions_have_bounds() {
    let root = tempfile::tempdir().unwrap();
    let one = Operator::new(root.path(), 1);
    for wrong in [json!([]), json!([[-1]]), json!([["0x1"]]), json!([vec![1; 17]]), json!({})] {
        assert!(one.attester.attestations(&wrong).is_err(), "{wrong}");
    }
}
