//! The last thing that a rule allows, and the first that it refuses.

use lightproof_core::Verifier;
use lightproof_core::hash::Hash;
use lightproof_core::system::mpt::Mpt;
use lightproof_core::trie::TrieProof;
use lightproof_core::verifier::headers;
use lightproof_core::wire::Reader;
use lightproof_testkit::trie::{deep_path, hex_prefix};
use lightproof_testkit::{Chain, Claim, Query, Rlp, Source, ask, keccak, sample};
use serde_json::Value;

const CHAIN: Chain = Chain { kind: "devnet", chain_id: 0x4c50, genesis_hash: [0x77; 32] };

/// What a walk of `key` learns, or the code it is refused with.
fn learn(key: [u8; 32], nodes: &[Vec<u8>]) -> Result<Option<Vec<u8>>, &'static str> {
    let encoded = Rlp::strings(nodes).encode();
    let root = Hash(keccak(&nodes[0]));
    let list = Reader::whole_list(&encoded, 0, "nodes").unwrap();
    let proof = TrieProof::read(list).map_err(|error| error.code())?;
    let found = proof.walk(root, &Hash(key), &mut ()).map_err(|error| error.code())?;
    Ok(found.map(|leaf| leaf.bytes.to_vec()))
}

fn code(verdicts: &str) -> String {
    let verdicts: Value = serde_json::from_str(verdicts).unwrap();
    let verdict = verdicts.get(0).unwrap_or(&verdicts);
    verdict["code"].as_str().unwrap_or_else(|| panic!("{verdict}")).to_owned()
}

/// The code with which a reply under the sample state is refused.
fn refused(query: &[u8], proof: &[u8]) -> String {
    let verifier = Verifier::<Mpt>::new(&CHAIN.encode(), &ask::mpt_config(), &[]).unwrap();
    let source = Source::root(sample::state().root());
    let claims = ask::claims(&[Claim::plain(source, query.to_vec(), proof.to_vec())]);
    code(&verifier.verify(&claims, [0; 32], &mut ()))
}

/// A branch whose child 0 is a leaf of `length` bytes, inside it or by its hash.
fn branch_over_leaf(length: usize, inline: bool) -> (Vec<Vec<u8>>, Vec<u8>) {
    // Sixteen nibbles stand above the leaf: an extension of fifteen, and the branch.
    let overhead = Rlp::list([hex_prefix(&[0; 48], true), Rlp::Str(vec![7; 2])]).encode().len() - 2;
    let value = vec![7; length - overhead];
    let leaf = Rlp::list([hex_prefix(&[0; 48], true), Rlp::Str(value.clone())]).encode();
    assert_eq!(leaf.len(), length);
    let child = if inline { Rlp::Raw(leaf.clone()) } else { Rlp::str(keccak(&leaf)) };
    let mut slots = vec![Rlp::str([]); 17];
    slots[0] = child;
    slots[1] = Rlp::str([9; 32]);
    let branch = Rlp::List(slots).encode();
    let extension = Rlp::list([hex_prefix(&[0; 15], false), Rlp::str(keccak(&branch))]).encode();
    let mut nodes = vec![extension, branch];
    if !inline {
        nodes.push(leaf);
    }
    (nodes, value)
}

#[test]
fn a_node_of_31_bytes_stands_inside_its_parent_and_one_of_32_apart() {
    let key = [0; 32];
    for (length, inline) in [(31, true), (32, false), (33, false)] {
        let (nodes, value) = branch_over_leaf(length, inline);
        assert_eq!(learn(key, &nodes), Ok(Some(value)));
    }
    for (length, inline) in [(31, false), (32, true), (33, true)] {
        assert_eq!(learn(key, &branch_over_leaf(length, inline).0), Err("decode.node"));
    }
}

#[test]
fn a_root_of_any_length_is_taken() {
    let leaf = Rlp::list([hex_prefix(&[0; 64], true), Rlp::str([1])]).encode();
    assert_eq!(learn([0; 32], &[leaf]), Ok(Some(vec![1])));
    let mut slots = vec![Rlp::str([]); 17];
    let short = Rlp::list([hex_prefix(&[], true), Rlp::str([1])]);
    (slots[0], slots[1]) = (short.clone(), short);
    let branch = Rlp::List(slots).encode();
    assert!(branch.len() < 32);
    // Its leaves end off the key's length; the root itself is not refused for its own.
    assert_eq!(learn([0; 32], &[branch]), Err("verify.path"));
}

#[test]
fn a_path_of_65_nodes_is_taken_and_a_longer_one_refused() {
    let key = keccak(b"key");
    let (_, nodes) = deep_path(&key, &[3; 40], 64);
    assert_eq!(nodes.len(), 65);
    assert_eq!(learn(key, &nodes), Ok(Some(vec![3; 40])));
    let longer = [&nodes[..], &nodes[..1]].concat();
    assert_eq!(learn(key, &longer), Err("decode.limit"));
}

#[test]
fn a_node_of_600_bytes_is_taken_and_a_longer_one_refused() {
    let leaf = |length: usize| {
        let value = vec![3; length];
        Rlp::list([hex_prefix(&[0; 64], true), Rlp::Str(value)]).encode()
    };
    let length = 600 - (leaf(500).len() - 500);
    assert_eq!(leaf(length).len(), 600);
    assert_eq!(learn([0; 32], &[leaf(length)]), Ok(Some(vec![3; length])));
    assert_eq!(learn([0; 32], &[leaf(length + 1)]), Err("decode.limit"));
}

#[test]
fn an_extension_ends_before_the_key_does() {
    let mut slots = vec![Rlp::str([7; 32]); 16];
    slots.push(Rlp::str([]));
    let branch = Rlp::List(slots).encode();
    for (length, expected) in
        [(63, Err("verify.incomplete")), (64, Err("verify.path")), (65, Err("verify.path"))]
    {
        let extension =
            Rlp::list([hex_prefix(&vec![0; length], false), Rlp::str(keccak(&branch))]).encode();
        assert_eq!(learn([0; 32], &[extension.clone(), branch.clone()]), expected);
        // Absence is no excuse for an impossible path.
        let absent = learn([0x11; 32], &[extension]);
        assert_eq!(absent, if length == 63 { Ok(None) } else { expected });
    }
}

#[test]
fn surplus_items_of_a_reply_are_refused() {
    let state = sample::state();
    let query = &sample::queries()[1];
    let proof = state.prove(query);
    let slot = |items: &[Rlp]| Rlp::list(items.iter().cloned());
    let fields = |slot_items: usize, code: &[&[u8]], surplus: bool| {
        let slots = proof.slots.iter().map(|found| {
            let all = [
                Rlp::str(&found.key),
                Rlp::str(&found.value),
                Rlp::strings(&found.nodes),
                Rlp::str([]),
            ];
            slot(&all[..slot_items])
        });
        let mut all = vec![
            Rlp::str(&proof.address),
            Rlp::str(&proof.nonce),
            Rlp::str(&proof.balance),
            Rlp::str(&proof.storage_hash),
            Rlp::str(&proof.code_hash),
            Rlp::strings(&proof.nodes),
            Rlp::list(slots),
            Rlp::strings(code),
        ];
        if surplus {
            all.push(Rlp::str([]));
        }
        Rlp::List(all).encode()
    };
    let found = proof.code.as_deref().unwrap();
    assert_eq!(fields(3, &[found], false), proof.encode());
    for reply in [
        fields(4, &[found], false),
        fields(2, &[found], false),
        fields(3, &[found, found], false),
        fields(3, &[], false),
        fields(3, &[found], true),
    ] {
        assert_eq!(refused(&query.encode(), &reply), "decode.shape");
    }
}

#[test]
fn code_that_nobody_asked_for_is_refused() {
    let query = &sample::queries()[2];
    let mut proof = sample::state().prove(query);
    proof.code = Some(Vec::new());
    assert_eq!(refused(&query.encode(), &proof.encode()), "decode.shape");
}

#[test]
fn a_query_of_1024_slots_is_taken_and_a_longer_one_refused() {
    let ask = |count: u64| Query {
        address: sample::address(0).to_vec(),
        slots: (0..count).map(|number| sample::slot(number).to_vec()).collect(),
        want_code: false,
    };
    let verifier = Verifier::<Mpt>::new(&CHAIN.encode(), &ask::mpt_config(), &[]).unwrap();
    let state = sample::state();
    let query = ask(1024);
    let proof = state.prove(&query).encode();
    let claims =
        ask::claims(&[Claim::plain(Source::root(state.root()), query.encode(), proof.clone())]);
    assert!(verifier.verify(&claims, [0; 32], &mut ()).starts_with("[{\"status\":\"proven\""));
    assert_eq!(refused(&ask(1025).encode(), &proof), "input.query");
}

/// The items of a devnet header of block 1.
fn items() -> Vec<Rlp> {
    vec![
        Rlp::uint(1),
        Rlp::uint(CHAIN.chain_id),
        Rlp::str(CHAIN.genesis_hash),
        Rlp::uint(1),
        Rlp::uint(1_700_000_000),
        Rlp::list([Rlp::list([Rlp::str("mpt"), Rlp::str([1; 32])])]),
        Rlp::str([0; 32]),
    ]
}

/// A devnet header of block 1 with one item replaced.
fn header(at: usize, item: Rlp, surplus: usize) -> Vec<u8> {
    let mut items = items();
    items[at] = item;
    items.extend(vec![Rlp::str([]); surplus]);
    Rlp::List(items).encode()
}

fn header_code(rlp: &[u8]) -> String {
    code(&headers(&CHAIN.encode(), &keccak(rlp), &Rlp::strings([rlp]).encode()))
}

#[test]
fn devnet_headers_of_another_version_or_chain_are_refused() {
    for (at, value) in [(0, 0), (0, 3), (1, CHAIN.chain_id - 1), (1, CHAIN.chain_id + 1), (3, 0)] {
        assert_eq!(header_code(&header(at, Rlp::uint(value), 0)), "verify.chain");
    }
}

#[test]
fn devnet_headers_of_another_form_are_refused() {
    let pair = |name: &[u8]| Rlp::list([Rlp::str(name), Rlp::str([1; 32])]);
    let commitments = [
        Rlp::list([pair(b"mpt"), pair(b"mpt")]),
        Rlp::list([pair(b"mpt"), pair(b"lvmt")]),
        Rlp::list([pair(b"")]),
        Rlp::list([pair(b"m pt")]),
        Rlp::list([pair(b"m\"pt\x7f")]),
        Rlp::list([pair("µ".as_bytes())]),
        Rlp::list([Rlp::list([Rlp::str("mpt"), Rlp::str([1; 32]), Rlp::str([])])]),
        Rlp::list([Rlp::list([Rlp::str("mpt")])]),
        Rlp::str("mpt"),
    ];
    for commitments in commitments {
        assert_eq!(header_code(&header(5, commitments, 0)), "decode.header");
    }
    assert_eq!(header_code(&header(6, Rlp::str([0; 31]), 0)), "decode.header");
    assert_eq!(header_code(&header(6, Rlp::str([2; 32]), 0)), "decode.header");
    assert_eq!(header_code(&header(6, Rlp::str([0; 32]), 1)), "decode.header");
}

#[test]
fn a_header_has_an_origin_from_version_2_on_and_exactly_one() {
    let followed = |fields: &[Rlp]| {
        let mut items = items();
        items[0] = Rlp::uint(2);
        items.extend_from_slice(fields);
        Rlp::List(items).encode()
    };
    let origin = Rlp::str([7; 32]);
    let rlp = followed(std::slice::from_ref(&origin));
    let answer = headers(&CHAIN.encode(), &keccak(&rlp), &Rlp::strings([&rlp]).encode());
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["headers"][0]["origin"], format!("0x{}", "07".repeat(32)));
    for fields in [
        vec![],
        vec![Rlp::str([0; 32])],
        vec![Rlp::str([7; 31])],
        vec![origin.clone(), Rlp::str([])],
        vec![Rlp::List(vec![origin.clone()])],
    ] {
        assert_eq!(header_code(&followed(&fields)), "decode.header");
    }
    let mut first = items();
    first.push(origin);
    assert_eq!(header_code(&Rlp::List(first).encode()), "decode.header");
}

#[test]
fn names_of_systems_are_escaped() {
    let name = br#"\"<quoted>"#;
    let commitments = Rlp::list([Rlp::list([Rlp::str(name), Rlp::str([])])]);
    let rlp = header(5, commitments, 0);
    let text = headers(&CHAIN.encode(), &keccak(&rlp), &Rlp::strings([&rlp]).encode());
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(answer["headers"][0]["commitments"][r#"\"<quoted>"#], "0x");
}

#[test]
fn a_header_without_the_systems_commitment_proves_nothing() {
    for commitment in [Rlp::str([1; 31]), Rlp::str([1; 33]), Rlp::str([])] {
        let rlp = header(5, Rlp::list([Rlp::list([Rlp::str("mpt"), commitment])]), 0);
        let source = Source::Header { hash: keccak(&rlp).to_vec(), rlps: vec![rlp] };
        let query = &sample::queries()[0];
        let proof = sample::state().prove(query).encode();
        let claims = ask::claims(&[Claim::plain(source, query.encode(), proof)]);
        let verifier = Verifier::<Mpt>::new(&CHAIN.encode(), &ask::mpt_config(), &[]).unwrap();
        assert_eq!(code(&verifier.verify(&claims, [0; 32], &mut ())), "verify.commitment");
    }
}
