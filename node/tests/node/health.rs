//! `/live` and `/ready` beside the methods.

use std::sync::Arc;

use lightproof_node::health::Health;
use lightproof_node::service::Service;
use lightproof_node::{system, unix_now};
use lightproof_prover::chain::Clock;
use lightproof_prover::chain::config::Config;

use crate::http::Server;

/// Status, body, and what caches are told.
fn get(server: &Server, path: &str) -> (String, String) {
    let (head, body) = server.request(&format!("GET {path} HTTP/1.1"), &[]);
    let head = head.to_lowercase();
    assert!(head.contains("cache-control: no-store"), "{head}");
    assert!(!head.contains("etag"), "{head}");
    (head.split(' ').nth(1).unwrap().to_owned(), body)
}

fn serving(genesis: u64, change: fn(Service) -> Service) -> Server {
    let clock = Clock { genesis, interval_ms: 1_000 };
    Server::serving(3, Config { clock, ..system::config(7, 64) }, change)
}

#[test]
fn a_node_with_a_new_head_is_live_and_ready() {
    let limited = |service: Service| service.with_health(Arc::new(Health::new(Some(100_000))));
    let server = serving(unix_now() - 60, limited);
    assert_eq!(get(&server, "/live"), ("200".to_owned(), "live\n".to_owned()));
    assert_eq!(get(&server, "/ready"), ("200".to_owned(), "ready\n".to_owned()));
    // With a query a cache or a balancer may add.
    assert_eq!(get(&server, "/ready?params=%5b%5d").0, "200");
}

#[test]
fn an_old_head_is_ready_unless_a_limit_is_set() {
    let server = serving(1_700_000_000, |service| service);
    assert_eq!(get(&server, "/ready").0, "200");
    let limited = |service: Service| service.with_health(Arc::new(Health::new(Some(10))));
    let server = serving(1_700_000_000, limited);
    let (status, reason) = get(&server, "/ready");
    assert_eq!(status, "503");
    assert!(reason.starts_with("the newest block is ") && reason.lines().count() == 1, "{reason}");
    assert_eq!(get(&server, "/live").0, "200");
}

#[test]
fn a_node_that_stops_is_live_and_not_ready() {
    let stopping = |service: Service| {
        let health = Health::new(None);
        health.stop();
        service.with_health(Arc::new(health))
    };
    let server = serving(1_700_000_000, stopping);
    assert_eq!(get(&server, "/ready"), ("503".to_owned(), "shutting down\n".to_owned()));
    assert_eq!(get(&server, "/live").0, "200");
}
