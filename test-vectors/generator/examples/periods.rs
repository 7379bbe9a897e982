//! Prints what beacon nodes serve of a period of 512 keys, in Electra's shape and in Gloas', for
//! `npm run bench`: a JSON array of `{shape, version, validators, chain, checkpoint, bootstrap,
//! update, finality, finalized, slot}`, bytes in hex.
//!
//! `cargo run -p lightproof-generator --example periods`

use lightproof_generator::light::beacon::mainnet::{Period, periods};
use lightproof_prover::hex;
use serde_json::{Value, json};

fn json(period: &Period) -> Value {
    json!({
        "shape": period.shape,
        "version": hex::encode(&period.version),
        "validators": hex::encode(&period.validators),
        "chain": hex::encode(&period.chain),
        "checkpoint": hex::encode(&period.checkpoint),
        "bootstrap": hex::encode(&period.bootstrap),
        "update": hex::encode(&period.update),
        "finality": hex::encode(&period.finality),
        "finalized": period.finalized,
        "slot": period.slot,
    })
}

fn main() {
    println!("{}", json!(periods().each_ref().map(json)));
}
