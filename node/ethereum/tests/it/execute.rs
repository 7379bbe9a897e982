//! Blocks of our own making: what they change.

use super::support::code::{
    BLOCK_HASH_AT, DEPOSIT_AT, EMPTY_AT, MARK, MARK_AT, SELF_DESTRUCT, TOKEN, TOKEN_AT, deploy,
    deposit, genesis,
};
use super::support::transactions::{blobs, call, create, delegate, legacy, listed, token_input};
use super::support::{Grown, Key};
use alloy_eips::eip4895::Withdrawal;
use alloy_primitives::{Address, B256, U256, hex, keccak256};
use lightproof_ethereum::execute::ExecuteError;
use lightproof_ethereum::genesis::Genesis;
use lightproof_ethereum::{Account, State, StateError};

fn grown() -> Grown {
    Grown::new(&Genesis::parse(genesis().to_string().as_bytes()).unwrap())
}

fn slot(chain: &Grown, address: Address, slot: impl Into<U256>) -> U256 {
    chain.world.slot(&address, &B256::from(slot.into())).unwrap()
}

#[test]
fn payments_of_every_type_change_nonces_and_balances() {
    let mut chain = grown();
    let [a, b] = [Key::new(1), Key::new(2)];
    let to = Address::repeat_byte(0x77);
    let done = chain.grow(vec![
        legacy(&a, 0, to, 1, true),
        legacy(&a, 1, to, 10, false),
        call(&a, 2, to, 100, &[]),
        listed(&b, 0, to, &[]),
        blobs(&b, 1, to, 2),
    ]);
    assert_eq!(chain.balance(&to), U256::from(114));
    assert_eq!((chain.nonce(&a), chain.nonce(&b)), (3, 2));
    assert_eq!(done.receipts.len(), 5);
    assert_eq!(chain.parent.header.blob_gas_used, Some(2 << 17));
    // The next block is priced by what this one used.
    chain.grow(vec![blobs(&b, 2, to, 6), blobs(&a, 3, to, 3)]);
    assert_eq!(chain.parent.header.blob_gas_used, Some(9 << 17));
    chain.grow(Vec::new());
    assert!(chain.parent.header.excess_blob_gas.unwrap() > 0);
}

#[test]
fn a_deployed_token_moves_slots_and_touches_no_account_of_its_own() {
    let mut chain = grown();
    let [a, b] = [Key::new(1), Key::new(2)];
    let done = chain.grow(vec![create(&a, 0, 0, &deploy(TOKEN))]);
    let at = a.address.create(0);
    assert_eq!(slot(&chain, at, U256::ZERO), U256::from(42));
    assert_eq!(done.changes.codes[&keccak256(TOKEN)], *TOKEN);
    let done = chain.grow(vec![call(&a, 1, TOKEN_AT, 0, &token_input(b.address, 5))]);
    let of = |key: &Key| U256::from_be_bytes(key.address.into_word().0);
    assert_eq!(slot(&chain, TOKEN_AT, of(&b)), U256::from(0xff_ffff_ffff_u64 + 5));
    assert_eq!(slot(&chain, TOKEN_AT, of(&a)), U256::from(0xff_ffff_ffff_u64 - 5));
    assert!(!done.changes.accounts.contains_key(&TOKEN_AT));
    assert!(done.changes.codes.is_empty());
    // A slot that is emptied is a change to zero.
    let everything = token_input(b.address, 0xff_ffff_ffff - 5);
    let done = chain.grow(vec![call(&a, 2, TOKEN_AT, 0, &everything)]);
    assert_eq!(done.changes.slots[&(TOKEN_AT, a.address.into_word())], U256::ZERO);
    // Values that end as they began are no changes.
    let there = call(&a, 3, TOKEN_AT, 0, &token_input(b.address, 0));
    let done = chain.grow(vec![there]);
    assert!(done.changes.slots.keys().all(|(of, _)| *of != TOKEN_AT));
}

#[test]
fn self_destruction_within_one_transaction_deletes_what_stood_there() {
    let mut chain = grown();
    let a = Key::new(1);
    let at = a.address.create(1);
    chain.grow(vec![call(&a, 0, at, 9, &[])]);
    assert_eq!(chain.balance(&at), U256::from(9));
    let done = chain.grow(vec![create(&a, 1, 5, SELF_DESTRUCT)]);
    assert_eq!(done.changes.accounts[&at], None);
    // One that never was is no deletion.
    let never = a.address.create(2);
    let done = chain.grow(vec![create(&a, 2, 5, SELF_DESTRUCT)]);
    assert!(!done.changes.accounts.contains_key(&never));
}

#[test]
fn an_empty_account_of_genesis_is_deleted_when_it_is_touched() {
    let mut chain = grown();
    assert_eq!(chain.world.accounts[&EMPTY_AT], Account::default());
    let done = chain.grow(vec![call(&Key::new(1), 0, EMPTY_AT, 0, &[])]);
    assert_eq!(done.changes.accounts[&EMPTY_AT], None);
}

#[test]
fn a_delegated_account_runs_the_code_of_another() {
    let mut chain = grown();
    let [a, b] = [Key::new(1), Key::new(2)];
    let done = chain.grow(vec![delegate(&a, 0, &b, 0, MARK_AT)]);
    let code = [&hex!("ef0100"), MARK_AT.as_slice()].concat();
    assert_eq!(done.changes.codes[&keccak256(&code)], code);
    assert_eq!(slot(&chain, b.address, U256::from(7)), U256::ONE);
    // The code is read from the state now; then the delegation is taken back.
    let done = chain.grow(vec![call(&a, 1, b.address, 1, &[])]);
    assert!(done.receipts[0].status());
    chain.grow(vec![delegate(&a, 2, &b, 1, Address::ZERO)]);
    assert_eq!(chain.world.accounts[&b.address].code_hash, super::support::empty_code());
}

#[test]
fn withdrawals_mint_whatever_they_say() {
    let mut chain = grown();
    let address = Address::repeat_byte(0x99);
    let mint = Withdrawal { index: 0, validator_index: 0, address, amount: u64::MAX };
    let block = chain.build(Vec::new(), vec![mint]);
    // Valid, whoever made it: this is why a block's hash must come from somebody who is trusted.
    chain.extend(&block);
    assert_eq!(chain.balance(&address), U256::from(u64::MAX) * U256::from(1_000_000_000_u64));
}

#[test]
fn a_credit_beyond_256_bits_is_never_applied() {
    let mut chain = grown();
    let rich = Address::repeat_byte(0x99);
    chain.world.accounts.insert(rich, Account { balance: U256::MAX, ..Account::default() });
    chain.parent.header.state_root = chain.world.root();
    let mint = Withdrawal { index: 0, validator_index: 0, address: rich, amount: 1 };
    let mut block = chain.draft(Vec::new(), vec![mint]);
    block.header.state_root = B256::repeat_byte(9);
    assert!(chain.execute(&block).is_err());
}

#[test]
fn block_hashes_reach_256_back_and_include_block_0() {
    let mut chain = grown();
    let a = Key::new(1);
    let ask = |nonce, number: u64| {
        call(&a, nonce, BLOCK_HASH_AT, 0, &U256::from(number).to_be_bytes::<32>())
    };
    let stored = |chain: &Grown, number: u64| {
        let value = chain.world.slot(&BLOCK_HASH_AT, &B256::from(U256::from(number))).unwrap();
        B256::from(value)
    };
    chain.grow(vec![ask(0, 0)]);
    assert_eq!(stored(&chain, 0), chain.world.hashes[&0]);
    chain.parent.header.number = 299;
    chain.world.hashes = (0..300).map(|at| (at, keccak256(u64::to_be_bytes(at)))).collect();
    chain.grow(vec![ask(1, 299), ask(2, 44), ask(3, 43)]);
    assert_eq!(stored(&chain, 299), chain.world.hashes[&299]);
    assert_eq!(stored(&chain, 44), chain.world.hashes[&44]);
    assert_eq!(stored(&chain, 43), B256::ZERO);
}

#[test]
fn requests_follow_from_deposits_and_the_system_contracts() {
    use alloy_eips::{eip7002, eip7251};
    let mut chain = grown();
    let a = Key::new(1);
    let event = deposit();
    let empty = chain.build(Vec::new(), Vec::new()).header.requests_hash;
    let exit = [&[7; 48][..], &[0; 8]].concat();
    let block = chain.build(
        vec![
            call(&a, 0, DEPOSIT_AT, 0, &event),
            call(&a, 1, eip7002::WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS, 500, &exit),
            call(&a, 2, eip7251::CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS, 500, &[8; 96]),
        ],
        Vec::new(),
    );
    assert_ne!(block.header.requests_hash, empty);
    let done = chain.extend(&block);
    assert!(done.receipts.iter().all(alloy_consensus::ReceiptEnvelope::status));
    // A log of the deposit contract that is no deposit makes the block invalid.
    let block = chain.draft(vec![call(&a, 3, DEPOSIT_AT, 0, &event[..100])], Vec::new());
    let found = chain.execute(&super::support::body_roots(block)).unwrap_err();
    assert!(matches!(&found, ExecuteError::Invalid(why) if why.contains("deposit")), "{found}");
}

#[test]
fn four_hundred_token_transfers_are_one_block() {
    let mut chain = grown();
    let keys: Vec<_> = (1..=8).map(Key::new).collect();
    let transfers = (0..400).map(|at: usize| {
        let (from, to) = (&keys[at % 8], &keys[(at * 5 + 1) % 8]);
        call(from, at as u64 / 8, TOKEN_AT, 0, &token_input(to.address, 1))
    });
    let block = chain.build(transfers.collect(), Vec::new());
    let begun = std::time::Instant::now();
    let root = block.header.state_root;
    let done = lightproof_ethereum::execute::execute(
        &chain.chain,
        &chain.parent,
        &block,
        &chain.world,
        |_| Ok(root),
    );
    let took = begun.elapsed();
    assert!(done.unwrap().receipts.iter().all(alloy_consensus::ReceiptEnvelope::status));
    let mega = f64::from(u32::try_from(block.header.gas_used).unwrap()) / 1e6;
    println!("{mega:.1} Mgas in {took:.1?}, senders and roots of the body included");
    chain.extend(&block);
}

/// A state that lost something.
struct Lossy<'a>(&'a super::support::World);

impl State for Lossy<'_> {
    fn account(&self, address: &Address) -> Result<Option<Account>, StateError> {
        self.0.account(address)
    }

    fn slot(&self, address: &Address, _: &B256) -> Result<U256, StateError> {
        if *address == TOKEN_AT { Err(StateError::new("disk")) } else { Ok(U256::ZERO) }
    }

    fn code(&self, hash: &B256) -> Result<Option<alloy_primitives::Bytes>, StateError> {
        if *hash == keccak256(MARK) { Ok(None) } else { self.0.code(hash) }
    }

    fn block_hash(&self, _: u64) -> Result<Option<B256>, StateError> {
        Ok(None)
    }
}

#[test]
fn reads_that_fail_are_errors_of_the_state_and_never_defaults() {
    let chain = grown();
    let a = Key::new(1);
    let cases = [
        (call(&a, 0, MARK_AT, 0, &[]), format!("the code {} is not stored", keccak256(MARK))),
        (call(&a, 0, BLOCK_HASH_AT, 0, &[0; 32]), "the hash of block 0 is not stored".to_owned()),
        (call(&a, 0, TOKEN_AT, 0, &token_input(a.address, 1)), "disk".to_owned()),
    ];
    for (transaction, why) in cases {
        let block = chain.build(vec![transaction], Vec::new());
        let lossy = Lossy(&chain.world);
        let found = lightproof_ethereum::execute::execute(
            &chain.chain,
            &chain.parent,
            &block,
            &lossy,
            |_| unreachable!(),
        );
        match found {
            Err(ExecuteError::State(error)) => {
                assert!(error.to_string().ends_with(&why), "{error}");
            }
            other => panic!("{other:?}"),
        }
    }
}
