//! A live geth, with transactions of every type over several forks: every block executed, every
//! root and field equal.

use std::time::{Duration, SystemTime};

use super::support::code::{
    BLOCK_HASH_AT, DEPOSIT_AT, EMPTY_AT, MARK_AT, SELF_DESTRUCT, TOKEN, TOKEN_AT, deploy, genesis,
};
use super::support::geth::{Geth, program};
use super::support::transactions::{
    call, create, delegate, legacy, listed, raw, sent_blob, token_input,
};
use super::support::{Grown, Key};
use alloy_primitives::{Address, U256, hex};
use lightproof_ethereum::block::Block;
use lightproof_ethereum::follow::{Follower, Held, Next, Options};
use lightproof_ethereum::genesis::Genesis;
use serde_json::{Value, json};

/// A sequence of numbers that is the same each time.
struct Random(u64);

impl Random {
    fn index(&mut self, below: usize) -> usize {
        usize::try_from(self.next(below as u64)).unwrap()
    }

    fn next(&mut self, below: u64) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % below
    }

    fn bytes(&mut self, length: u64) -> Vec<u8> {
        (0..length).map(|_| self.next(256).to_le_bytes()[0]).collect()
    }

    /// Code that goes somewhere: operations that take from the stack find small numbers there.
    fn code(&mut self) -> Vec<u8> {
        const OPERATIONS: &[u8] = &hex!(
            "0102030405060708090a0b101112131415161718191a1b1c1d20303132333435363738393a3b3d3e3f"
            "404142434445464748494a50515253545556585a5b5c5d5e5f8081828390919293a0a1a2f0f1f2f4f5fafdff"
        );
        let mut code = Vec::new();
        while code.len() < 150 {
            for _ in 0..self.next(5) {
                code.extend([0x60, self.next(64).to_le_bytes()[0]]);
            }
            if self.next(6) == 0 {
                code.push(0x73);
                code.extend_from_slice(MARK_AT.as_slice());
            }
            code.push(OPERATIONS[self.index(OPERATIONS.len())]);
        }
        code
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}

/// Prague, Osaka and a blob parameter fork begin while the test runs.
fn forks(file: &mut Value) -> u64 {
    let begin = now() + 12;
    for (fork, at) in [("pragueTime", begin), ("osakaTime", begin + 4), ("bpo1Time", begin + 8)] {
        file["config"][fork] = json!(at);
    }
    file["config"]["blobSchedule"]["bpo1"] =
        json!({ "target": 10, "max": 15, "baseFeeUpdateFraction": 8_346_193 });
    begin + 8
}

fn until(time: u64) {
    while now() <= time {
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Executes what geth has by now.
fn catch_up(follower: &mut Follower, chain: &mut Grown, geth: &Geth) {
    let head = geth.number();
    while chain.parent.header.number < head {
        match follower.next(chain).unwrap() {
            Next::Block(block) => {
                let answer =
                    geth.rpc.call("eth_getBlockByHash", &json!([block.hash, true])).unwrap();
                assert_eq!(Block::from_json(&answer).as_ref(), Ok(&*block));
                chain.extend(&block);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn every_block_of_a_live_geth_is_executed_to_its_own_roots() {
    let Some(program) = program() else { return };
    let mut file = genesis();
    let last_fork = forks(&mut file);
    let geth = Geth::start(&program, &file);
    let genesis = Genesis::parse(file.to_string().as_bytes()).unwrap();
    let options = Options { depth: Some(0), ..Options::default() };
    let mut follower =
        Follower::new(std::slice::from_ref(&geth.url), options, genesis.hash).unwrap();
    let mut chain = Grown::new(&genesis);
    let keys: Vec<_> = (1..=9).map(Key::new).collect();
    let [a, b, c] = [&keys[0], &keys[1], &keys[2]];

    // Under Cancun.
    geth.send(&[raw(&legacy(a, 0, b.address, 1, true)), raw(&legacy(a, 1, b.address, 1, false))]);
    geth.send(&[raw(&listed(a, 2, TOKEN_AT, &token_input(b.address, 7)))]);
    let withdrawal = json!({
        "index": "0x1", "validatorIndex": "0x2", "address": Address::repeat_byte(0x55),
        "amount": "0x3b9aca00",
    });
    geth.rpc.call("dev_addWithdrawal", &json!([withdrawal])).unwrap();
    geth.send(&[raw(&call(a, 3, EMPTY_AT, 0, &[]))]);
    assert!(chain.head().0 == 0 && now() < last_fork - 8, "the machine is too slow for the forks");
    until(last_fork - 8);
    // The pool takes what the newest block's rules allow, so a plain payment begins each fork.
    let plain = |nonce| raw(&call(&keys[3], nonce, a.address, 0, &[]));
    geth.send(&[plain(0)]);
    // Prague: a delegation, and requests.
    geth.send(&[raw(&delegate(a, 4, &keys[7], 0, MARK_AT))]);
    geth.send(&[raw(&call(a, 5, keys[7].address, 1, &[]))]);
    let exit = [&[7; 48][..], &[0; 8]].concat();
    let queue = alloy_eips::eip7002::WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS;
    geth.send(&[raw(&call(a, 6, queue, 500, &exit))]);
    until(last_fork - 4);
    geth.send(&[plain(1)]);
    // Osaka: blobs.
    for nonce in 0..3 {
        geth.send(&[sent_blob(&keys[8], nonce, c.address)]);
    }
    until(last_fork);
    geth.send(&[plain(2)]);
    geth.send(&[sent_blob(&keys[8], 3, c.address), sent_blob(&keys[8], 4, c.address)]);
    geth.send(&[
        raw(&create(b, 0, 0, &deploy(TOKEN))),
        raw(&create(b, 1, 5, SELF_DESTRUCT)),
        raw(&call(b, 2, b.address.create(3), 9, &[])),
        raw(&create(b, 3, 5, SELF_DESTRUCT)),
        raw(&call(b, 4, BLOCK_HASH_AT, 0, &U256::ONE.to_be_bytes::<32>())),
        raw(&call(b, 5, DEPOSIT_AT, 0, &super::support::code::deposit())),
    ]);
    catch_up(&mut follower, &mut chain, &geth);
    let fields = chain.parent.header.clone();
    assert!(fields.number >= 10 && fields.timestamp >= last_fork);
    assert_eq!(
        chain.balance(&Address::repeat_byte(0x55)),
        U256::from(1_000_000_000_000_000_000_u64)
    );
    assert!(!chain.world.accounts.contains_key(&EMPTY_AT));
    assert!(!chain.world.accounts.contains_key(&b.address.create(3)));

    // 500 calls with whatever in them.
    let mut random = Random(7);
    let mut nonces = [7, 6, 0];
    let mut contracts = vec![TOKEN_AT, MARK_AT, BLOCK_HASH_AT, Address::with_last_byte(2)];
    let mut sent = Vec::new();
    for step in 0..500 {
        let who = random.index(3);
        let (key, nonce) = ([a, b, c][who], nonces[who]);
        nonces[who] += 1;
        let transaction = if step < 60 {
            contracts.push(key.address.create(nonce));
            create(key, nonce, random.next(9), &deploy(&random.code()))
        } else {
            let to = contracts[random.index(contracts.len())];
            let length = random.next(100);
            call(key, nonce, to, random.next(3), &random.bytes(length))
        };
        sent.push(raw(&transaction));
        if sent.len() == 50 {
            geth.send(&sent);
            sent.clear();
        }
    }
    catch_up(&mut follower, &mut chain, &geth);
    println!(
        "{} blocks, {} accounts, {} slots, {} codes",
        chain.head().0,
        chain.world.accounts.len(),
        chain.world.slots.len(),
        chain.world.codes.len()
    );
}

#[test]
fn the_genesis_of_a_development_geth_is_refused_by_the_key_that_is_no_fork() {
    let Some(program) = program() else { return };
    let out = std::process::Command::new(program).args(["--dev", "dumpgenesis"]).output().unwrap();
    let mut file: Value = serde_json::from_slice(&out.stdout).unwrap();
    let refused = Genesis::parse(file.to_string().as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("bogotaTime"), "{refused}");
    file["config"].as_object_mut().unwrap().remove("bogotaTime");
    Genesis::parse(file.to_string().as_bytes()).unwrap();
}
