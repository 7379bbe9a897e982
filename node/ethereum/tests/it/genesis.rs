//! `genesis.json`: what is read, and what is refused by name.

use super::support::Grown;
use super::support::code::genesis;
use alloy_primitives::b256;
use lightproof_ethereum::genesis::{Genesis, GenesisError};
use serde_json::{Value, json};

fn parse(file: &Value) -> Result<Genesis, GenesisError> {
    Genesis::parse(file.to_string().as_bytes())
}

fn with(key: &str, value: Value) -> Value {
    let mut file = genesis();
    file["config"][key] = value;
    file
}

fn refused(file: &Value) -> String {
    parse(file).expect_err("refused").to_string()
}

#[test]
fn the_state_of_block_0_has_the_root_of_its_header() {
    let genesis = parse(&genesis()).unwrap();
    assert_eq!(Grown::new(&genesis).world.root(), genesis.header.state_root);
    assert_eq!(genesis.header.hash_slow(), genesis.hash);
    assert_eq!(genesis.header.timestamp, 0x64);
}

#[test]
fn block_0_of_a_development_chain_has_the_hash_that_geth_gives_it() {
    // geth 1.17.8: `geth init` on this file, then the hash of block 0.
    let mut file = json!({
        "config": super::support::code::config(), "gasLimit": "0xaf79e0", "difficulty": "0x0",
        "alloc": {
            "0000000000000000000000000000000000000001": { "balance": "0x1" },
            "0000000000000000000000000000000000001005": { "balance": "0x0" },
            "0000000000000000000000000000000000001004": {
                "balance": "5", "nonce": "0x1", "code": "0x600160075500",
                "storage": { "0x07": "0x0100", "0x08": "0x00" },
            },
        },
    });
    file["config"]["depositContractAddress"] = json!("0x0000000000000000000000000000000000000000");
    let of_geth = b256!("f04cacde8311b11d41a36026a5b015d53b7d409422ca569ee7b8aca56e7efe92");
    let genesis = parse(&file).unwrap();
    assert_eq!(genesis.hash, of_geth);
    assert_eq!(Grown::new(&genesis).world.root(), genesis.header.state_root);
}

#[test]
fn refuses_forks_that_it_does_not_know() {
    assert!(refused(&with("glamsterdamTime", json!(0))).contains("`glamsterdamTime`"));
    for key in ["amsterdamTime", "bogotaTime", "ubtTime"] {
        let message = refused(&with(key, json!(1u64 << 40)));
        assert!(message.contains(&format!("{key}: expected nothing")), "{message}");
    }
    assert!(refused(&with("enableUBTAtGenesis", json!(true))).contains("enableUBTAtGenesis"));
    let mut blobs = super::support::code::config()["blobSchedule"].clone();
    blobs["bpo6"] = blobs["prague"].clone();
    assert!(refused(&with("blobSchedule", blobs)).contains("`bpo6`"));
}

#[test]
fn refuses_chains_with_blocks_before_paris_or_cancun() {
    for key in ["homesteadBlock", "byzantiumBlock", "istanbulBlock", "berlinBlock", "londonBlock"] {
        for at in [json!(5), Value::Null] {
            let message = refused(&with(key, at));
            assert!(message.contains(&format!("{key}: expected 0")), "{message}");
        }
    }
    for key in ["daoForkBlock", "petersburgBlock", "grayGlacierBlock"] {
        assert!(refused(&with(key, json!(1))).contains(key));
        parse(&with(key, Value::Null)).unwrap();
    }
    for at in [json!(1), Value::Null] {
        assert!(refused(&with("terminalTotalDifficulty", at)).contains("terminalTotalDifficulty"));
    }
    for key in ["shanghaiTime", "cancunTime"] {
        for at in [json!(0x65), Value::Null] {
            assert!(refused(&with(key, at)).contains(key));
        }
        parse(&with(key, json!(0x64))).unwrap();
    }
}

#[test]
fn refuses_forks_out_of_order_and_without_blob_parameters() {
    assert!(refused(&with("pragueTime", json!(9))).contains("osakaTime"));
    assert!(refused(&with("pragueTime", Value::Null)).contains("osakaTime"));
    assert!(refused(&with("bpo2Time", json!(9))).contains("blobSchedule.bpo2"));
    let mut file = with("bpo1Time", json!(9));
    let blobs = file["config"]["blobSchedule"]["prague"].clone();
    file["config"]["blobSchedule"]["bpo1"] = blobs.clone();
    parse(&file).unwrap();
    file["config"]["bpo2Time"] = json!(8);
    file["config"]["blobSchedule"]["bpo2"] = blobs;
    assert!(refused(&file).contains("bpo2Time"));
    for broken in [(7, 6, 1), (0, 0, 1), (1, 2, 0), (1, 1 << 20, 1)] {
        let mut file = genesis();
        file["config"]["blobSchedule"]["prague"] =
            json!({ "target": broken.0, "max": broken.1, "baseFeeUpdateFraction": broken.2 });
        assert!(refused(&file).contains("blobSchedule.prague"), "{broken:?}");
    }
    let mut file = genesis();
    let blobs = file["config"]["blobSchedule"]["cancun"].clone();
    file["config"]["blobSchedule"]["osaka"] = blobs;
    assert!(refused(&file).contains("blobSchedule.osaka"));
}

#[test]
fn refuses_values_that_no_chain_can_begin_with() {
    for (key, value) in [
        ("gasLimit", "0x1387"),
        ("number", "0x1"),
        ("slotNumber", "0x0"),
        ("excessBlobGas", "0xffffffffffffffff"),
    ] {
        let mut file = genesis();
        file[key] = json!(value);
        assert!(refused(&file).contains(key));
    }
    let mut file = genesis();
    file["alloc"]["0000000000000000000000000000000000000009"] =
        json!({ "balance": "0x1", "code": "0xef0100" });
    assert!(refused(&file).contains("EIP-7702"));
    for json in ["", "{}", "[]", "{\"config\":{}}", "null"] {
        assert!(matches!(Genesis::parse(json.as_bytes()), Err(GenesisError::Json(_))), "{json}");
    }
}

#[test]
fn the_digest_covers_what_the_hash_of_block_0_does_not() {
    let (first, spelled) = (parse(&genesis()).unwrap(), parse(&with("ethash", json!({}))).unwrap());
    assert_eq!(first.chain.digest(), spelled.chain.digest());
    let mut digests = vec![first.chain.digest()];
    let blobs = json!({ "target": 1, "max": 2, "baseFeeUpdateFraction": 3 });
    let mut schedule = super::support::code::config()["blobSchedule"].clone();
    schedule["prague"] = blobs;
    let other = [
        ("chainId", json!(1)),
        ("osakaTime", json!(500)),
        ("osakaTime", Value::Null),
        ("depositContractAddress", json!("0x0000000000000000000000000000000000000007")),
        ("blobSchedule", schedule),
    ];
    for (key, value) in other {
        let genesis = parse(&with(key, value)).unwrap();
        assert_eq!(genesis.hash, first.hash, "{key}");
        digests.push(genesis.chain.digest());
    }
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), 6);
}
