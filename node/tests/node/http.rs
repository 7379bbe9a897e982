//! A served chain in this process, and as much of HTTP as is needed to talk to it.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use lightproof_node::server::{operators, serve};
use lightproof_node::service::Service;
use lightproof_node::system;
use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use serde_json::{Value, json};

/// A served chain; the server ends with the runtime.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    /// The listener for operators.
    pub(crate) operators: SocketAddr,
    pub(crate) service: Service,
    _runtime: tokio::runtime::Runtime,
    _directory: tempfile::TempDir,
}

impl Server {
    pub(crate) fn start(blocks: u64, window: u64) -> Self {
        Self::of(blocks, system::config(7, window))
    }

    pub(crate) fn of(blocks: u64, config: Config) -> Self {
        Self::serving(blocks, config, |service| service)
    }

    /// As `of`, with a service that `change` makes.
    pub(crate) fn serving(blocks: u64, config: Config, change: fn(Service) -> Service) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let node = Chain::of_workload(directory.path(), config).unwrap();
        node.produce(blocks).unwrap();
        let service = change(Service::new(Arc::new(node), None));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let bind = || runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let [clients, figures] = [bind(), bind()];
        let [address, operators] = [&clients, &figures].map(|bound| bound.local_addr().unwrap());
        runtime.spawn(serve(clients, service.clone(), std::future::pending()));
        runtime.spawn(operators::serve(figures, service.clone(), std::future::pending()));
        Self { address, operators, service, _runtime: runtime, _directory: directory }
    }

    /// Sends one request and reads to the end: status line with headers, and body.
    pub(crate) fn request(&self, head: &str, body: &[u8]) -> (String, String) {
        request(self.address, head, body)
    }

    pub(crate) fn post(&self, body: &Value) -> Value {
        let (head, body) = self.request(
            "POST / HTTP/1.1\r\ncontent-type: application/json",
            body.to_string().as_bytes(),
        );
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        serde_json::from_str(&body).unwrap()
    }

    /// One call; the whole reply object.
    pub(crate) fn call(&self, method: &str, params: Value) -> Value {
        let mut call = json!({ "jsonrpc": "2.0", "id": 1, "method": method });
        call["params"] = params;
        self.post(&call)
    }

    /// One call that must succeed.
    pub(crate) fn result(&self, method: &str, params: Value) -> Value {
        let reply = self.call(method, params);
        assert!(reply.get("error").is_none(), "{method}: {reply}");
        reply["result"].clone()
    }
}

/// Sends one request to a server and reads to the end: status line with headers, and body.
pub(crate) fn request(address: SocketAddr, head: &str, body: &[u8]) -> (String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(
        stream,
        "{head}\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
    )
    .unwrap();
    // A server that refuses early may close before it has read everything.
    let _ = stream.write_all(body);
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response);
    let response = String::from_utf8(response).unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}
