//! Questions by GET: which answers a cache may keep, and for how long.

use lightproof_prover::hex;
use lightproof_prover::system::cole::prove::Query;
use serde_json::{Value, json};

use crate::http::Server;

fn encoded(params: &Value) -> String {
    let text = params.to_string();
    [(" ", "%20"), ("\"", "%22"), ("[", "%5b"), ("]", "%5d"), ("{", "%7b"), ("}", "%7d")]
        .iter()
        .fold(text, |text, (character, code)| text.replace(character, code))
}

/// Head and body of the answer to a GET.
fn get(server: &Server, method: &str, params: &Value, headers: &str) -> (String, String) {
    let path = format!("/{method}?params={}", encoded(params));
    let (head, body) = server.request(&format!("GET {path} HTTP/1.1{headers}"), &[]);
    (head.to_lowercase(), body)
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

/// A call by the hash of the newest block, of each method that is answered by GET.
fn fixed(server: &Server) -> Vec<(&'static str, Value)> {
    let status = server.result("lp_status", json!([]));
    let hash = &status["head"]["hash"];
    let address = "0x0000000000000000000000000000000000000001";
    let digest = &status["systems"]["lvmt"]["params"];
    let query = hex::encode(&Query { as_of: true, address: [0; 52], from: 2, to: 2 }.encode());
    vec![
        ("eth_getCode", json!([address, { "blockHash": hash }])),
        ("eth_getProof", json!([address, [], { "blockHash": hash }])),
        ("lp_getHeader", json!([hash])),
        ("lp_getParams", json!([digest])),
        ("lp_getProof", json!(["cole", query, { "blockHash": hash }])),
    ]
}

#[test]
fn an_answer_by_hash_is_that_of_a_post_and_is_kept_for_ever() {
    let server = Server::start(3, 64);
    for (method, params) in fixed(&server) {
        let posted = server.call(method, params.clone());
        let (head, body) = get(&server, method, &params, "");
        let got: Value = serde_json::from_str(&body).unwrap();
        assert!(head.starts_with("http/1.1 200"), "{method}: {head}");
        assert!(posted.get("error").is_none(), "{method}: {posted}");
        assert_eq!(got, json!({ "jsonrpc": "2.0", "id": null, "result": posted["result"] }));
        let kept = header(&head, "cache-control");
        assert_eq!(kept, Some("public, max-age=31536000, immutable"), "{method}");
        // A cache would keep an answer for each origin.
        assert_eq!(header(&head, "vary"), None, "{method}");
        assert_eq!(header(&head, "access-control-allow-origin"), Some("*"), "{method}");

        let tag = header(&head, "etag").unwrap();
        let (head, body) =
            get(&server, method, &params, &format!("\r\nif-none-match: \"other\", {tag}"));
        assert!(head.starts_with("http/1.1 304"), "{method}: {head}");
        assert_eq!((header(&head, "etag"), body.as_str()), (Some(tag), ""));
        let (head, _) = get(&server, method, &params, "\r\nif-none-match: \"other\"");
        assert!(head.starts_with("http/1.1 200"), "{method}: {head}");
    }
}

#[test]
fn what_may_change_is_never_kept() {
    let server = Server::start(3, 64);
    let unknown = format!("0x{}", "77".repeat(32));
    let address = "0x0000000000000000000000000000000000000001";
    for (method, params) in [
        ("lp_getHeader", json!([unknown])),
        ("lp_getParams", json!([unknown])),
        ("lp_getProof", json!(["cole", "0xc0", { "blockHash": unknown }])),
        ("lp_getProof", json!(["cole", "0xc0"])),
        ("eth_getCode", json!([address, "latest"])),
        ("eth_getProof", json!([address, [], "latest"])),
        ("eth_getProof", json!([address, [], "0x1"])),
        ("lp_getHeader", json!({})),
        ("lp_getHeader", json!("no list")),
    ] {
        let (head, body) = get(&server, method, &params, "");
        assert!(head.starts_with("http/1.1 200"), "{method} {params}: {head}");
        assert_eq!(header(&head, "cache-control"), Some("no-store"), "{method} {params}: {body}");
        assert_eq!(header(&head, "etag"), None);
    }
}

#[test]
fn other_methods_and_text_that_is_no_json_are_refused() {
    let server = Server::start(1, 64);
    for method in ["lp_status", "eth_blockNumber", "lp_getUpdates", "eth_sendRawTransaction"] {
        let (head, _) = get(&server, method, &json!([]), "");
        assert!(head.starts_with("http/1.1 404"), "{method}: {head}");
    }
    let (head, body) = server.request("GET /lp_getHeader?params=%5b HTTP/1.1", &[]);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains("no-store"), "{head}");
    let reply: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(reply["error"]["code"], json!(-32700));
    let (head, body) = server.request("GET /lp_getHeader HTTP/1.1", &[]);
    assert!(head.contains("no-store"), "{head}");
    assert!(body.contains("-32602"), "{body}");
}

#[test]
fn clients_are_told_to_ask_by_get_only_where_the_operator_says_so() {
    let plain = Server::start(1, 64);
    assert_eq!(plain.result("lp_status", json!([]))["get"], json!(false));
    let config = lightproof_node::system::config(7, 64);
    let offering = Server::serving(1, config, lightproof_node::service::Service::with_get);
    assert_eq!(offering.result("lp_status", json!([]))["get"], json!(true));
}
