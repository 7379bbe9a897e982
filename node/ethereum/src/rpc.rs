//! JSON-RPC of a node that is not trusted: every answer has a bound, in bytes and in time.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use ureq::Agent;

/// The longest answer. geth cuts batches at 25 MB.
const MAX_ANSWER: u64 = 64 << 20;
const CONNECT: Duration = Duration::from_secs(10);

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RpcError {
    /// The URL is none of HTTP.
    #[error("{0}: expected a URL such as http://127.0.0.1:8545")]
    Url(String),
    /// No connection, no answer in time, too long an answer, or an HTTP error.
    #[error("{method}: {reason}")]
    Transport {
        /// The method that was called.
        method: String,
        /// What happened.
        reason: String,
    },
    /// An answer that is not JSON-RPC's.
    #[error("{method}: the answer is malformed: {reason}")]
    Malformed {
        /// The method that was called.
        method: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The node's own error.
    #[error("{method}: the node answers error {code}: {message}")]
    Refused {
        /// The method that was called.
        method: String,
        /// JSON-RPC's code.
        code: i64,
        /// The node's words.
        message: String,
    },
}

/// A node.
#[derive(Clone, Debug)]
pub struct Rpc {
    agent: Agent,
    url: String,
    name: String,
}

#[derive(Deserialize)]
struct Answer {
    id: Value,
    #[serde(default)]
    result: Value,
    error: Option<Refusal>,
}

#[derive(Deserialize)]
struct Refusal {
    code: i64,
    #[serde(default)]
    message: String,
}

impl Rpc {
    /// A node at a URL. `timeout` bounds each call, the answer's last byte included.
    ///
    /// # Errors
    /// [`RpcError::Url`] if the URL is not of HTTP.
    pub fn new(url: &str, timeout: Duration) -> Result<Self, RpcError> {
        let name = name(url).ok_or_else(|| RpcError::Url(url.to_owned()))?;
        Ok(Self { agent: agent(timeout), url: url.to_owned(), name })
    }

    /// Scheme, host and port: the rest of a URL may hold a key.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Calls a method.
    ///
    /// # Errors
    /// [`RpcError`] if there is no answer, or the answer is an error.
    pub fn call(&self, method: &str, params: &Value) -> Result<Value, RpcError> {
        let body = json!({ "jsonrpc": "2.0", "id": 0, "method": method, "params": params });
        let bytes = self.post(method, &body)?;
        let answer = serde_json::from_slice(&bytes).map_err(malformed(method))?;
        result(method, answer)
    }

    /// Calls a method with many parameters in one request.
    ///
    /// # Errors
    /// The first [`RpcError`] of the request or of an answer in it.
    pub fn batch(&self, method: &str, params: &[Value]) -> Result<Vec<Value>, RpcError> {
        let calls = params.iter().enumerate().map(|(id, params)| {
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
        });
        let bytes = self.post(method, &calls.collect())?;
        let answers: Value = serde_json::from_slice(&bytes).map_err(malformed(method))?;
        // One object for all of them is an error: the request itself was refused.
        if answers.is_object() {
            let answer = Answer::deserialize(answers).map_err(malformed(method))?;
            result(method, answer)?;
            return Err(other(method, "one answer to many calls"));
        }
        let answers: Vec<Answer> = Vec::deserialize(answers).map_err(malformed(method))?;
        let mut results = vec![None; params.len()];
        for answer in answers {
            let id = answer.id.as_u64().and_then(|id| usize::try_from(id).ok());
            let place = id.and_then(|id| results.get_mut(id));
            let place = place.ok_or_else(|| other(method, "an answer that was not asked for"))?;
            *place = Some(result(method, answer)?);
        }
        let all: Option<Vec<Value>> = results.into_iter().collect();
        all.ok_or_else(|| other(method, "fewer answers than calls"))
    }

    fn post(&self, method: &str, body: &Value) -> Result<Vec<u8>, RpcError> {
        let failed = |error: ureq::Error| RpcError::Transport {
            method: method.to_owned(),
            reason: format!("{}: {error}", self.name),
        };
        let request = self.agent.post(&self.url).header("content-type", "application/json");
        let mut answer = request.send(body.to_string()).map_err(failed)?;
        answer.body_mut().with_config().limit(MAX_ANSWER).read_to_vec().map_err(failed)
    }
}

/// An HTTP client that gives up on a request after `timeout`.
pub(crate) fn agent(timeout: Duration) -> Agent {
    let config = Agent::config_builder()
        .timeout_global(Some(timeout))
        .timeout_connect(Some(CONNECT.min(timeout)))
        // A redirection could lead inside the operator's own network.
        .max_redirects(0)
        .max_redirects_will_error(true)
        .proxy(None)
        .build();
    config.into()
}

fn result(method: &str, answer: Answer) -> Result<Value, RpcError> {
    match answer.error {
        None => Ok(answer.result),
        Some(Refusal { code, mut message }) => {
            // The node's words are shown to the operator.
            message.retain(|letter| !letter.is_control());
            message = message.chars().take(200).collect();
            Err(RpcError::Refused { method: method.to_owned(), code, message })
        }
    }
}

fn malformed(method: &str) -> impl Fn(serde_json::Error) -> RpcError {
    move |error| other(method, &error.to_string())
}

fn other(method: &str, reason: &str) -> RpcError {
    RpcError::Malformed { method: method.to_owned(), reason: reason.to_owned() }
}

/// Scheme, host and port of an HTTP URL: the rest may hold a key.
pub(crate) fn name(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next().filter(|host| !host.is_empty())?;
    ["http", "https"].contains(&scheme).then(|| format!("{scheme}://{host}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hold_no_keys() {
        for (url, expected) in [
            ("http://127.0.0.1:8545", Some("http://127.0.0.1:8545")),
            ("https://user:secret@node.example/v1/secret?key=secret", Some("https://node.example")),
            ("ws://127.0.0.1:8546", None),
            ("127.0.0.1:8545", None),
            ("http:///path", None),
        ] {
            assert_eq!(name(url).as_deref(), expected);
        }
    }
}
