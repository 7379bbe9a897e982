//! Signed headers: what the node serves takes a light client from a checkpoint to the head.

use lightproof_core::header::light::{Form, LightClient, LightText};
use lightproof_node::lies::SIGNATURES;
use lightproof_node::system::{self, find_lie};
use lightproof_prover::chain::committee::Terms;
use lightproof_prover::chain::committee::forms::Update;
use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::{CHAIN_ID, Clock};
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use serde_json::{Value, json};

use crate::http::Server;

const TERMS: Terms = Terms { size: 8, period: 4 };

/// The chain as a client pins it: the committees too come from outside, not from the node.
fn chain(genesis_hash: &str) -> Vec<u8> {
    Item::List(vec![
        Item::bytes("devnet"),
        Item::uint(CHAIN_ID),
        Item::bytes(hex::decode(genesis_hash).unwrap()),
        Item::List(vec![Item::uint(TERMS.size), Item::uint(TERMS.period)]),
    ])
    .encode()
}

fn server(blocks: u64) -> Server {
    Server::of(blocks, Config { terms: Some(TERMS), ..system::config(7, 64) })
}

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().unwrap()).unwrap()
}

/// A client that starts at a block of the server's.
fn client_at(server: &Server, number: &str) -> LightClient {
    let block = server.result("eth_getBlockByNumber", json!([number]));
    let genesis = server.result("lp_status", json!([]))["genesisHash"].clone();
    let bootstrap = server.result("lp_getBootstrap", json!([block["hash"]]));
    let mut client = LightClient::new(&chain(genesis.as_str().unwrap())).unwrap();
    client.bootstrap(&bytes(&block["hash"]), &bytes(&bootstrap), &mut ()).unwrap();
    client
}

#[test]
fn a_client_comes_from_a_checkpoint_over_several_periods_to_the_head() {
    let server = server(22);
    let mut client = client_at(&server, "0x2");
    let updates = server.result("lp_getUpdates", json!([0, 128]));
    assert_eq!(updates.as_array().unwrap().len(), 6);
    for (period, update) in (0..).zip(updates.as_array().unwrap()) {
        client.apply(Form::Update, &bytes(update), u64::MAX, &mut ()).unwrap();
        let state = client.state().unwrap();
        let last = (period * 4 + 3).min(22);
        assert_eq!((state.period, state.next_known, state.finalized.slot), (period, true, last));
    }
    let status = server.result("lp_status", json!([]));
    assert_eq!(status["finalized"], status["head"]);
    assert_eq!(
        json!(hex::encode(&client.state().unwrap().finalized.root.0)),
        status["head"]["hash"]
    );

    // Later blocks come one by one, into the next period and beyond.
    for number in 23..=25 {
        server.service.node().produce(1).unwrap();
        let now = Clock::DEFAULT.at(number);
        let finality = bytes(&server.result("lp_getFinality", json!([])));
        client.apply(Form::Finality, &finality, now, &mut ()).unwrap();
        assert_eq!(client.state().unwrap().finalized.slot, number);
    }
    assert_eq!(client.state().unwrap().period, 6);
}

#[test]
fn every_block_is_a_checkpoint_and_every_signature_holds() {
    let server = server(9);
    let genesis = server.result("lp_status", json!([]))["genesisHash"].clone();
    let node = server.service.node();
    let snapshot = node.snapshot().unwrap();
    for number in 0..=9 {
        let client = client_at(&server, &hex::quantity(number));
        let period = client.state().unwrap().period;
        assert_eq!(period, number / 4);
        let committee = client.committee(period).unwrap().bytes().to_vec();
        let header = snapshot.header(number).unwrap().unwrap();
        let signed = Update::finality(node.committees().unwrap(), &node.genesis_hash(), &header);
        let aggregate = [signed.bits, signed.signature].concat();
        let chain = chain(genesis.as_str().unwrap());
        let verdict = lightproof_core::header::light::verify_attested_text(
            &chain,
            &committee,
            &signed.header,
            &aggregate,
            number,
        );
        let verdict: Value = serde_json::from_str(&verdict).unwrap();
        assert_eq!(verdict["header"]["root"], json!(hex::encode(&header.hash())), "{verdict}");
    }
}

#[test]
fn the_store_that_a_client_kept_is_proven_again() {
    let server = server(14);
    let mut client = client_at(&server, "0x0");
    for update in server.result("lp_getUpdates", json!(["0x0", "0x4"])).as_array().unwrap() {
        client.apply(Form::Update, &bytes(update), u64::MAX, &mut ()).unwrap();
    }
    let (kept, anchor) = (client.export(), client.state().unwrap().anchor.0);
    let genesis = server.result("lp_status", json!([]))["genesisHash"].clone();
    let mut text = LightText::new(&chain(genesis.as_str().unwrap())).unwrap();
    let state: Value = serde_json::from_str(&text.import(&kept, &anchor, &mut ())).unwrap();
    assert_eq!(state["state"]["finalized"]["slot"], "0xe", "{state}");
}

#[test]
fn pages_of_updates_end_where_the_chain_ends() {
    let server = server(9);
    let all = server.result("lp_getUpdates", json!([0, 128]));
    assert_eq!(all.as_array().unwrap().len(), 3);
    assert_eq!(server.result("lp_getUpdates", json!(["0x1", 1])), json!([all[1]]));
    for beyond in [json!([3, 1]), json!([0, 0]), json!(["0xffffffffffffffff", 128])] {
        assert_eq!(server.result("lp_getUpdates", beyond), json!([]));
    }
    let cases = [
        ("lp_getUpdates", json!([0, 129]), -32_005),
        ("lp_getUpdates", json!([0]), -32_602),
        ("lp_getBootstrap", json!([hex::encode(&[1; 32])]), -32_011),
        ("lp_getBootstrap", json!(["0x12"]), -32_602),
        ("lp_getFinality", json!([1]), -32_602),
    ];
    for (method, params, code) in cases {
        assert_eq!(server.call(method, params)["error"]["code"], code, "{method}");
    }
    let consensus = &server.result("lp_status", json!([]))["consensus"];
    assert_eq!((&consensus["committeeSize"], &consensus["periodLength"]), (&json!(8), &json!(4)));
    assert!(consensus["keys"].as_str().unwrap().starts_with("INSECURE"), "{consensus}");
}

#[test]
fn a_directory_keeps_its_clock_and_its_committees() {
    let directory = tempfile::tempdir().unwrap();
    let clock = Clock { genesis: 1_800_000_000, interval_ms: 500 };
    let config = Config { clock, terms: Some(TERMS), ..system::config(7, 64) };
    let node = Chain::of_workload(directory.path(), config.clone()).unwrap();
    let times: Vec<u64> = node.produce(5).unwrap().iter().map(|header| header.timestamp).collect();
    assert_eq!(times, [0, 1, 1, 2, 2].map(|seconds| clock.genesis + seconds));
    drop(node);
    let others = [
        Config { clock: Clock::DEFAULT, ..config.clone() },
        Config { clock: Clock { interval_ms: 400, ..clock }, ..config.clone() },
        Config { terms: None, ..config.clone() },
        Config { terms: Some(Terms { period: 5, ..TERMS }), ..config.clone() },
    ];
    for other in others {
        let error = Chain::of_workload(directory.path(), other).unwrap_err().to_string();
        assert!(error.contains("choose another --data"), "{error}");
    }
    assert_eq!(Chain::of_workload(directory.path(), config).unwrap().snapshot().unwrap().head(), 5);
}

/// What the first refusal is of a client that starts at block 2 and follows a liar.
const LIES: &[(&str, &str)] = &[
    ("signers-few", "verify.participation"),
    ("signers-flipped", "verify.signature"),
    ("signature-other-header", "verify.signature"),
    ("signature-other-committee", "verify.signature"),
    ("signature-own-keys", "verify.signature"),
    ("signature-infinity", "decode.point"),
    ("signed-future", "verify.time"),
    ("committee-other", "verify.committee"),
    ("committee-swapped", "verify.committee"),
    ("committee-aggregate", "verify.committee"),
    ("update-stale", "verify.relevance"),
    ("update-skipped", "verify.period"),
    ("bootstrap-other-block", "verify.checkpoint"),
];

#[test]
fn lies_about_signatures_are_rejected() {
    let tested: Vec<_> = LIES.iter().map(|(name, _)| *name).collect();
    assert_eq!(tested, SIGNATURES.iter().map(|lie| lie.name).collect::<Vec<_>>());
    let server = server(10);
    let node = server.service.node();
    let genesis = hex::encode(&node.genesis_hash());
    let checkpoint = node.snapshot().unwrap().header(2).unwrap().unwrap().hash();
    let follow = |lie| {
        let service = server.service.with_lie(lie);
        let snapshot = service.snapshot().unwrap();
        let ask = |method, params: Value| service.call(&snapshot, method, &params).unwrap();
        let mut client = LightClient::new(&chain(&genesis)).unwrap();
        let bootstrap = ask("lp_getBootstrap", json!([hex::encode(&checkpoint)]));
        client.bootstrap(&checkpoint, &bytes(&bootstrap), &mut ()).map_err(|error| error.code())?;
        let now = Clock::DEFAULT.at(10);
        let mut apply = |form, reply: &Value| {
            client.apply(form, &bytes(reply), now, &mut ()).map_err(|error| error.code())
        };
        for update in ask("lp_getUpdates", json!([0, 2])).as_array().unwrap() {
            apply(Form::Update, update)?;
        }
        apply(Form::Finality, &ask("lp_getFinality", json!([])))?;
        Ok(client.state().unwrap().finalized.slot)
    };
    assert_eq!(follow(None), Ok(10));
    for (name, code) in LIES {
        assert_eq!(follow(find_lie(name)), Err(*code), "{name}");
    }
}

#[test]
fn a_finality_alone_is_a_lie_too() {
    let server = server(10);
    let finality = |name| {
        let service = server.service.with_lie(find_lie(name));
        bytes(&service.call(&service.snapshot().unwrap(), "lp_getFinality", &json!([])).unwrap())
    };
    for (name, code) in LIES.iter().take(7) {
        let mut client = client_at(&server, "0x9");
        let verdict = client.apply(Form::Finality, &finality(name), Clock::DEFAULT.at(10), &mut ());
        assert_eq!(verdict.map_err(|error| error.code()), Err(*code), "{name}");
    }
    let mut client = client_at(&server, "0x2");
    let verdict = client.apply(Form::Finality, &finality("update-stale"), u64::MAX, &mut ());
    assert_eq!(verdict.unwrap_err().code(), "verify.relevance");
}
