//! Another operator's node, which is not trusted: every answer has a bound, in bytes and in time.

use std::time::Duration;

use serde_json::{Value, json};
use ureq::Agent;
use ureq::http::Uri;

/// The longest answer.
const MAX_ANSWER: u64 = 4 << 20;
/// The longest time for one, its last byte included.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Another operator's node.
#[derive(Clone, Debug)]
pub struct Peer {
    agent: Agent,
    url: String,
    name: String,
}

impl Peer {
    /// The node at a URL of HTTP.
    ///
    /// # Errors
    /// A sentence if it is no such URL.
    pub fn new(url: &str) -> Result<Self, String> {
        let parsed: Option<Uri> = url.parse().ok();
        let name = parsed.as_ref().and_then(name);
        let name = name.ok_or("expected a URL such as http://127.0.0.1:8645")?;
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            // A redirection could lead inside the operator's own network.
            .max_redirects(0)
            .max_redirects_will_error(true)
            .proxy(None)
            .build();
        Ok(Self { agent: config.into(), url: url.to_owned(), name })
    }

    /// Scheme, host and port of its URL: the rest may hold a key.
    pub fn name(&self) -> &str {
        &self.name
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

fn name(url: &Uri) -> Option<String> {
    let scheme = url.scheme_str().filter(|scheme| ["http", "https"].contains(scheme))?;
    let host = url.host().filter(|host| !host.is_empty())?;
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    Some(format!("{scheme}://{host}{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hold_no_keys() {
        for (url, expected) in [
            ("http://127.0.0.1:8645", Some("http://127.0.0.1:8645")),
            ("http://[::1]:8645/", Some("http://[::1]:8645")),
            ("https://user:secret@node.example/v1/secret?key=secret", Some("https://node.example")),
            ("ws://user:secret@127.0.0.1:8645", None),
            ("127.0.0.1:8645", None),
            ("http:///path", None),
        ] {
            match Peer::new(url) {
                Ok(peer) => assert_eq!(Some(peer.name()), expected),
                Err(reason) => assert!(expected.is_none() && !reason.contains("secret"), "{url}"),
            }
        }
    }
}
