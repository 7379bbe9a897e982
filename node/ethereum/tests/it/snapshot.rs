//! Chains that begin with a later state: what a dump must hold, and that all six systems go on from
//! it.

use crate::support::code::{BLOCK_HASH_AT, TOKEN, TOKEN_AT, deploy};
use crate::support::followed::{file, genesis, open, serve, source};
use crate::support::geth::{Geth, program};
use crate::support::transactions::{call, create, raw, token_input};
use crate::support::{Grown, Key, World, seal};
use alloy_eips::eip2935::{HISTORY_STORAGE_ADDRESS, HISTORY_STORAGE_CODE};
use alloy_primitives::{Address, B256, hex, keccak256};
use lightproof_ethereum::block::Block;
use lightproof_ethereum::follow::Options;
use lightproof_ethereum::snapshot::{Snapshot, SnapshotError};
use lightproof_node::ethereum::Ethereum;
use lightproof_prover::chain::database::Chain as Full;
use serde_json::{Value, json};

/// The block whose state the chain begins with: no whole period of anything ends there.
const START: u64 = 37;
const LAST: u64 = 70;

/// A genesis file with the contract that keeps hashes.
fn with_history() -> Value {
    let mut file = file();
    let account = json!({ "balance": "0x0", "nonce": "0x1", "code": HISTORY_STORAGE_CODE });
    file["alloc"][HISTORY_STORAGE_ADDRESS.to_string()] = account;
    file
}

fn number(number: u64) -> [u8; 32] {
    B256::from(alloy_primitives::U256::from(number)).0
}

/// Blocks 0 to [`LAST`], which move tokens and ask for the hashes of blocks, and the states after
/// [`START`] and the last.
fn grown() -> (Vec<Block>, World, World) {
    let genesis = genesis(&with_history());
    let mut chain = Grown::new(&genesis);
    let [a, b] = [Key::new(1), Key::new(2)];
    let withdrawals = Some(Vec::new().into());
    let body = alloy_consensus::BlockBody { withdrawals, ..Default::default() };
    let mut all = vec![seal(genesis.header, body)];
    let mut start = World::default();
    for at in 0..LAST {
        // Before and after the block that a chain begins with.
        let asked = number(at.saturating_sub(at % 40));
        let transactions = vec![
            call(&a, 3 * at, TOKEN_AT, 0, &token_input(Address::repeat_byte(1), at)),
            call(&a, 3 * at + 1, BLOCK_HASH_AT, 0, &asked),
            call(&a, 3 * at + 2, b.address, 1, &[]),
        ];
        let block = chain.build(transactions, Vec::new());
        chain.extend(&block);
        all.push(block);
        if at + 1 == START {
            start = chain.world.clone();
        }
    }
    (all, start, chain.world)
}

/// The lines of `geth dump --iterative`.
fn dump(world: &World, root: B256) -> Vec<Value> {
    let mut lines = vec![json!({ "root": root })];
    for (address, account) in &world.accounts {
        let first = (*address, B256::ZERO);
        let slots = world.slots.range(first..=(*address, B256::repeat_byte(0xff)));
        let storage: serde_json::Map<_, _> = slots
            .map(|((_, slot), value)| {
                (slot.to_string(), hex::encode(value.to_be_bytes_trimmed_vec()).into())
            })
            .collect();
        let alone = World { accounts: [(*address, *account)].into(), ..world.clone() };
        let mut line = json!({
            "balance": account.balance.to_string(),
            "nonce": account.nonce,
            "root": storage_root(&alone, address),
            "codeHash": account.code_hash,
            "address": address,
            "key": keccak256(address),
        });
        if let Some(code) = world.codes.get(&account.code_hash).filter(|code| !code.is_empty()) {
            line["code"] = json!(code);
        }
        if !storage.is_empty() {
            line["storage"] = storage.into();
        }
        lines.push(line);
    }
    lines
}

fn storage_root(world: &World, address: &Address) -> B256 {
    let slots = world.slots.iter().filter(|((of, _), _)| of == address);
    let slots: Vec<_> = slots.map(|((_, slot), value)| (*slot, *value)).collect();
    if slots.is_empty() {
        return alloy_trie::EMPTY_ROOT_HASH;
    }
    alloy_consensus::proofs::storage_root_unhashed(slots)
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
}

fn read(header: &[u8], lines: &[Value]) -> Result<Snapshot, SnapshotError> {
    Snapshot::read(header, text(lines).as_bytes())
}

/// A change of a dump's lines.
type Change<'a> = &'a dyn Fn(&mut Vec<Value>);

fn commitments(node: &Full, number: u64) -> Vec<(String, Vec<u8>)> {
    let snapshot = node.snapshot().unwrap();
    snapshot.header(number).unwrap().unwrap().commitments
}

#[test]
fn six_systems_go_on_from_a_later_state() {
    let (all, start, _) = grown();
    let upstream = serve(&all);
    let header = &all[37].header;
    let lines = dump(&start, header.state_root);
    let rlp = alloy_rlp::encode(header);
    let snapshot = read(&rlp, &lines).unwrap();
    assert_eq!(snapshot, read(hex::encode_prefixed(&rlp).as_bytes(), &lines[1..]).unwrap());
    let fresh = |start: bool| {
        let source = source(&upstream.url, &with_history());
        if start { source.from(snapshot.clone()) } else { source }
    };
    let directory = tempfile::tempdir().unwrap();
    let mut follow: Ethereum = fresh(true);
    let node = open(directory.path(), &follow);
    let first = node.snapshot().unwrap();
    assert_eq!((first.first(), first.head(), first.oldest_state()), (START, START, START));
    assert_eq!(first.header(START).unwrap().unwrap().origin, all[37].hash.0);
    assert_eq!(node.advance(&mut follow, 5).unwrap().len(), 5);
    drop((first, node));
    // From now on the directory says where it began.
    let mut follow = fresh(false);
    let node = open(directory.path(), &follow);
    assert_eq!(node.advance(&mut follow, 99).unwrap().len(), 28);
    drop(node);
    let node = open(directory.path(), &fresh(true));
    assert_eq!(node.snapshot().unwrap().head(), LAST);

    // The state is that of a node that executed every block.
    let whole = tempfile::tempdir().unwrap();
    let mut follow = fresh(false);
    let from_genesis = open(whole.path(), &follow);
    while !from_genesis.advance(&mut follow, 99).unwrap().is_empty() {}
    for number in [START, START + 1, LAST] {
        let (late, early) = (commitments(&node, number), commitments(&from_genesis, number));
        assert_eq!(late[4], early[4], "mpt");
        // Histories differ; the tree of verkle holds the state alone.
        assert_eq!(late[5], early[5], "verkle");
        assert_ne!(late[1], early[1], "cole");
    }
}

#[test]
fn a_state_that_is_not_the_headers_is_refused_by_name() {
    let (all, start, last) = grown();
    let header = &all[37].header;
    let rlp = alloy_rlp::encode(header);
    let lines = dump(&start, header.state_root);
    let at =
        |address: Address| lines.iter().position(|line| line["address"] == json!(address)).unwrap();
    let token = at(TOKEN_AT);
    let slot = lines[token]["storage"].as_object().unwrap().keys().next().unwrap().clone();
    let refused = |change: Change<'_>| {
        let mut lines = lines.clone();
        change(&mut lines);
        read(&rlp, &lines).unwrap_err().to_string()
    };
    let storage = |lines: &mut Vec<Value>| lines[token]["storage"].as_object_mut().unwrap().clone();
    let cases: [(&str, Change<'_>); 14] = [
        ("storageRoot of 0x0000000000000000000000000000000000001001", &|lines| {
            let mut left = storage(lines);
            left.remove(&slot);
            lines[token]["storage"] = left.into();
        }),
        ("storageRoot of", &|lines| lines[token]["storage"][&slot] = "ff".into()),
        ("storageRoot of", &|lines| lines[token]["storage"][B256::ZERO.to_string()] = "1".into()),
        ("value \"00\"", &|lines| lines[token]["storage"][&slot] = "00".into()),
        ("value \"0x1\"", &|lines| lines[token]["storage"][&slot] = "0x1".into()),
        ("stateRoot", &|lines| lines[token]["nonce"] = json!(2)),
        ("stateRoot", &|lines| lines[token]["balance"] = json!("1")),
        ("stateRoot", &|lines| drop(lines.pop())),
        ("a second time", &|lines| lines.push(lines[token].clone())),
        ("does not hash to codeHash", &|lines| lines[token]["code"] = json!("0x00")),
        ("without its address", &|lines| {
            lines[token].as_object_mut().unwrap().remove("address");
        }),
        ("no nonce, no balance and no code", &|lines| {
            lines.push(json!({
                "balance": "0", "nonce": 0, "root": alloy_trie::EMPTY_ROOT_HASH,
                "codeHash": alloy_primitives::KECCAK256_EMPTY, "address": Address::repeat_byte(9),
            }));
        }),
        ("unknown field", &|lines| lines[token]["storageRoot"] = json!("0x")),
        ("line 2", &|lines| lines[1] = json!("{")),
    ];
    for (words, change) in cases {
        let found = refused(change);
        assert!(found.contains(words), "{words}: {found}");
    }
    // Another block's header, and what is none.
    let of_last = alloy_rlp::encode(&all[70].header);
    assert!(matches!(read(&of_last, &lines), Err(SnapshotError::Root { number: LAST, .. })));
    read(&of_last, &dump(&last, all[70].header.state_root)).unwrap();
    for bytes in [b"".to_vec(), b"0x00".to_vec(), [rlp, vec![0]].concat()] {
        assert!(matches!(read(&bytes, &lines), Err(SnapshotError::Header(_))));
    }
    let zero = alloy_rlp::encode(&all[0].header);
    let found = read(&zero, &lines).unwrap_err().to_string();
    assert!(found.contains("genesis file"), "{found}");
}

#[test]
fn a_state_of_another_branch_stops_at_the_next_block() {
    let (all, start, _) = grown();
    // The state is that of block 37, but the block is not on the chain.
    let mut header = all[37].header.clone();
    header.extra_data = vec![7].into();
    let snapshot = read(&alloy_rlp::encode(&header), &dump(&start, header.state_root)).unwrap();
    let upstream = serve(&all);
    let directory = tempfile::tempdir().unwrap();
    let mut follow = source(&upstream.url, &with_history()).from(snapshot);
    let node = open(directory.path(), &follow);
    let found = node.advance(&mut follow, 1).unwrap_err().to_string();
    assert!(found.contains("reorganized below what is held: block 37"), "{found}");
    drop(node);
    // A directory of one start is not that of another.
    let other = read(&alloy_rlp::encode(&all[37].header), &dump(&start, header.state_root));
    let source = source(&upstream.url, &with_history()).from(other.unwrap());
    let config = lightproof_node::system::config(7, 64);
    let found = Full::open_with(directory.path(), config, &source).unwrap_err().to_string();
    assert!(found.contains("holds origin"), "{found}");
}

/// geth's own dump, and a node that goes on from it beside the restarted geth.
#[test]
fn a_dump_of_geth_is_a_state_to_begin_with() {
    let Some(program) = program() else { return };
    let mut file = with_history();
    file["config"] = crate::support::code::config();
    let geth = Geth::start(&program, &file);
    let [a, b] = [Key::new(1), Key::new(2)];
    let sends = |from: u64, count: u64| {
        let send = |nonce: u64| {
            let input = token_input(Address::repeat_byte(7), nonce + 1);
            let asked = number(nonce.saturating_sub(1));
            let to = if nonce.is_multiple_of(2) {
                (TOKEN_AT, input)
            } else {
                (BLOCK_HASH_AT, asked.to_vec())
            };
            raw(&call(&a, nonce, to.0, 0, &to.1))
        };
        (from..from + count).map(send).collect::<Vec<_>>()
    };
    for at in 0..6 {
        geth.send(&sends(at, 1));
    }
    geth.send(&[raw(&create(&b, 0, 5, &deploy(TOKEN)))]);
    let start = geth.number();
    let header = geth.rpc.call("debug_getRawHeader", &json!([format!("{start:#x}")])).unwrap();
    let (dump, geth) = geth.dumped(&program, start);
    let snapshot = Snapshot::read(header.as_str().unwrap().as_bytes(), dump.as_slice()).unwrap();
    assert_eq!(snapshot.header.number, start);

    geth.send(&sends(6, 4));
    let options = Options { depth: Some(0), ..Options::default() };
    let follow = Ethereum::new(genesis(&file), std::slice::from_ref(&geth.url), options);
    let mut follow = follow.unwrap().from(snapshot);
    let directory = tempfile::tempdir().unwrap();
    let node = open(directory.path(), &follow);
    let made = node.advance(&mut follow, 99).unwrap();
    assert!(!made.is_empty());
    let head = geth.number();
    assert_eq!(node.snapshot().unwrap().head(), head);
    let block = geth.rpc.call("eth_getBlockByNumber", &json!([format!("{head:#x}"), false]));
    assert_eq!(json!(B256::from(made.last().unwrap().origin)), block.unwrap()["hash"]);
}
