//! Transactions of every type.

use alloy_consensus::{
    SignableTransaction as _, TxEip1559, TxEip2930, TxEip4844, TxEip4844WithSidecar, TxEip7702,
    TxEnvelope, TxLegacy,
};
use alloy_eips::Encodable2718 as _;
use alloy_eips::eip2930::{AccessList, AccessListItem};
use alloy_eips::eip4844::{Blob, Bytes48, kzg_to_versioned_hash};
use alloy_eips::eip7594::BlobTransactionSidecarEip7594;
use alloy_eips::eip7702::Authorization;
use alloy_primitives::{Address, B256, Bytes, TxKind, U256, hex};

use super::{CHAIN_ID, Key};

/// What a call costs at most, for each unit of gas.
pub const MAX_FEE: u128 = 20_000_000_000;
const GAS: u64 = 1_000_000;

/// A transaction of type 2.
pub fn call(key: &Key, nonce: u64, to: Address, value: u64, input: &[u8]) -> TxEnvelope {
    send(key, nonce, TxKind::Call(to), value, input)
}

/// A transaction that creates a contract.
pub fn create(key: &Key, nonce: u64, value: u64, code: &[u8]) -> TxEnvelope {
    send(key, nonce, TxKind::Create, value, code)
}

fn send(key: &Key, nonce: u64, to: TxKind, value: u64, input: &[u8]) -> TxEnvelope {
    key.sign(TxEip1559 {
        chain_id: CHAIN_ID,
        nonce,
        gas_limit: GAS,
        max_fee_per_gas: MAX_FEE,
        max_priority_fee_per_gas: 1_000_000_000,
        to,
        value: U256::from(value),
        access_list: AccessList::default(),
        input: Bytes::copy_from_slice(input),
    })
}

pub fn legacy(key: &Key, nonce: u64, to: Address, value: u64, protected: bool) -> TxEnvelope {
    key.sign(TxLegacy {
        chain_id: protected.then_some(CHAIN_ID),
        nonce,
        gas_price: MAX_FEE,
        gas_limit: GAS,
        to: TxKind::Call(to),
        value: U256::from(value),
        input: Bytes::new(),
    })
}

pub fn listed(key: &Key, nonce: u64, to: Address, input: &[u8]) -> TxEnvelope {
    let item = AccessListItem { address: to, storage_keys: vec![key.address.into_word()] };
    key.sign(TxEip2930 {
        chain_id: CHAIN_ID,
        nonce,
        gas_price: MAX_FEE,
        gas_limit: GAS,
        to: TxKind::Call(to),
        value: U256::ZERO,
        access_list: AccessList(vec![item]),
        input: Bytes::copy_from_slice(input),
    })
}

pub fn blobs(key: &Key, nonce: u64, to: Address, count: u8) -> TxEnvelope {
    let versioned = |index| {
        let mut hash = B256::with_last_byte(index);
        hash.0[0] = 1;
        hash
    };
    let transaction = TxEip4844 {
        chain_id: CHAIN_ID,
        nonce,
        gas_limit: GAS,
        max_fee_per_gas: MAX_FEE,
        max_priority_fee_per_gas: 1_000_000_000,
        to,
        value: U256::from(3),
        access_list: AccessList::default(),
        blob_versioned_hashes: (0..count).map(versioned).collect(),
        max_fee_per_blob_gas: MAX_FEE,
        input: Bytes::new(),
    };
    let signature =
        key.sign_hash(alloy_consensus::SignableTransaction::signature_hash(&transaction));
    let signed = alloy_consensus::SignableTransaction::into_signed(transaction, signature);
    TxEnvelope::from(signed)
}

/// `owner` lets `to` run in its place; `key` pays.
pub fn delegate(key: &Key, nonce: u64, owner: &Key, owner_nonce: u64, to: Address) -> TxEnvelope {
    let authorization =
        Authorization { chain_id: U256::from(CHAIN_ID), address: to, nonce: owner_nonce };
    let signature = owner.sign_hash(authorization.signature_hash());
    key.sign(TxEip7702 {
        chain_id: CHAIN_ID,
        nonce,
        gas_limit: GAS,
        max_fee_per_gas: MAX_FEE,
        max_priority_fee_per_gas: 1_000_000_000,
        to: owner.address,
        value: U256::ZERO,
        access_list: AccessList::default(),
        authorization_list: vec![authorization.into_signed(signature)],
        input: Bytes::new(),
    })
}

/// The input of the token: move an amount to somebody's slot.
pub fn token_input(to: Address, amount: u64) -> Vec<u8> {
    [to.into_word(), U256::from(amount).into()].concat()
}

/// A transaction as nodes take it.
pub fn raw(transaction: &TxEnvelope) -> String {
    hex::encode_prefixed(transaction.encoded_2718())
}

/// A blob transaction as the network sends it. The commitment and every proof of a blob of zeros is
/// the point at infinity.
pub fn sent_blob(key: &Key, nonce: u64, to: Address) -> String {
    let infinity = Bytes48::right_padding_from(&[0xc0]);
    let sidecar = BlobTransactionSidecarEip7594 {
        blobs: vec![Blob::ZERO],
        commitments: vec![infinity],
        cell_proofs: vec![infinity; 128],
    };
    let tx = TxEip4844 {
        chain_id: CHAIN_ID,
        nonce,
        gas_limit: 21_000,
        max_fee_per_gas: MAX_FEE,
        max_priority_fee_per_gas: 1_000_000_000,
        to,
        value: U256::from(3),
        blob_versioned_hashes: vec![kzg_to_versioned_hash(infinity.as_slice())],
        max_fee_per_blob_gas: MAX_FEE,
        ..TxEip4844::default()
    };
    let signature = key.sign_hash(tx.signature_hash());
    let signed = TxEip4844WithSidecar { tx, sidecar }.into_signed(signature);
    hex::encode_prefixed(signed.encoded_2718())
}
