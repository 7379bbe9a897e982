//! How a request is run, and what is looked at in its answer.

pub(super) use lightproof_testkit::calls::*;

use lightproof_evm::Heavy;
use lightproof_testkit::hex;
use serde_json::Value;

/// A request's answer, run as bytes.
pub(super) trait Run {
    /// The whole answer.
    fn run(&self) -> Value;

    /// The whole answer, with these precompiles on curves.
    fn run_with(&self, heavy: &dyn Heavy) -> Value;

    /// The answer to the first call, or the rejection of all.
    fn first(&self) -> Value {
        first(self.run())
    }

    /// What the first call returned.
    fn output(&self) -> Vec<u8> {
        output(&self.first())
    }

    /// What the first call stopped at, as the answer names it.
    fn missing(&self) -> Value {
        missing_of(&self.first())
    }
}

impl Run for Request {
    fn run(&self) -> Value {
        self.run_with(&())
    }

    fn run_with(&self, heavy: &dyn Heavy) -> Value {
        run(&self.forks, &self.encode(), heavy)
    }
}

pub(super) fn first(all: Value) -> Value {
    if all["answers"].is_array() { all["answers"][0].clone() } else { all }
}

pub(super) fn output(answer: &Value) -> Vec<u8> {
    assert_eq!(answer["status"], "success", "{answer}");
    hex::decode(answer["output"].as_str().unwrap())
}

pub(super) fn missing_of(answer: &Value) -> Value {
    assert_eq!(answer["status"], "missing", "{answer}");
    answer["items"][0].clone()
}

/// Runs a request's bytes.
pub(super) fn run(forks: &[u8], request: &[u8], heavy: &dyn Heavy) -> Value {
    let text = lightproof_evm::interface::run(&chain(), forks, request, heavy);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
