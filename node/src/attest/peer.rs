//! Another operator's node, which is not trusted: every answer has a bound, in bytes and in time.

use std::time::Duration;

use serde_json::{Value, json};
use ureq::Agent;

/// The longest answer.
const MAX_ANSWER: u64 = 4 << 20;
/// The longest time for one, its last byte included.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Another operator's node.
#[derive(Clone, Debug)]
pub struct Peer {
    agent: Agent,
    url: String,
}

impl Peer {
    /// The node at a URL of HTTP.
    ///
    /// # Errors
    /// A sentence if it is no such URL.
    pub fn new(url: &str) -> Result<Self, String> {
        if !["http://", "https://"].iter().any(|scheme| url.starts_with(scheme)) {
            return Err(format!("{url}: expected a URL such as http://127.0.0.1:8645"));
        }
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            // A redirection could lead inside the operator's own network.
            .max_redirects(0)
            .max_redirects_will_error(true)
            .proxy(None)
            .build();
        Ok(Self { agent: config.into(), url: url.to_owned() })
    }

    /// Its URL, as it was given.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What its attesters signed at these heights.
    ///
    /// # Errors
    /// A sentence: no answer, too long a one, or an error of the node's.
    pub fn attestations(&self, numbers: &[u64]) -> Result<Value, String> {
        let params = json!([numbers]);
        let method = "lp_getAttestations";
        let call = json!({ "jsonrpc": "2.0", "id": 0, "method": method, "params": params });
        let request = self.agent.post(&self.url).header("content-type", "application/json");
        let mut answer = request.send(call.to_string()).map_err(|error| error.to_string())?;
        let body = answer.body_mut().with_config().limit(MAX_ANSWER).read_to_vec();
        let body = body.map_err(|error| error.to_string())?;
        let mut answer: Value = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
        match answer.get("error") {
            None | Some(Value::Null) => Ok(answer["result"].take()),
            Some(error) => Err(error["message"].as_str().unwrap_or("an error").to_owned()),
        }
    }
}
