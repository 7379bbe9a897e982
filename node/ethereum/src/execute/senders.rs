//! Who signed the transactions of a block. Recovery is most of what following a payment costs, so it
//! is libsecp256k1's, on every core: k256 takes 4.4 times its processor time (1,600 token transfers,
//! both in one run, median of five). The node's benchmark measures both, rows `follow/senders` and
//! `follow/k256`.

use alloy_consensus::TxEnvelope;
use alloy_consensus::crypto::SECP256K1N_HALF;
use alloy_consensus::transaction::Recovered;
use alloy_primitives::Address;
use rayon::prelude::*;
use secp256k1::ecdsa::{RecoverableSignature, RecoveryId};
use secp256k1::{Message, SECP256K1};

use super::ExecuteError;
use crate::block::Block;

/// Recovers the senders of a block.
///
/// # Errors
/// [`ExecuteError::Signature`] names a transaction without a valid signature.
pub fn recover_senders(block: &Block) -> Result<Vec<Recovered<&TxEnvelope>>, ExecuteError> {
    let all = block.body.transactions.par_iter().enumerate();
    all.map(|(index, transaction)| {
        let signer = signer(transaction).ok_or(ExecuteError::Signature { index })?;
        Ok(Recovered::new_unchecked(transaction, signer))
    })
    .collect()
}

/// The account whose key signed: the last 20 bytes of the hash of the public key. `None` if no key
/// makes the signature, or if its s is above half of the order (EIP-2).
fn signer(transaction: &TxEnvelope) -> Option<Address> {
    let signature = transaction.signature();
    if signature.s() > SECP256K1N_HALF {
        return None;
    }
    let mut compact = [0; 64];
    compact[..32].copy_from_slice(&signature.r().to_be_bytes::<32>());
    compact[32..].copy_from_slice(&signature.s().to_be_bytes::<32>());
    let parity = if signature.v() { RecoveryId::One } else { RecoveryId::Zero };
    let signature = RecoverableSignature::from_compact(&compact, parity).ok()?;
    let message = Message::from_digest(transaction.signature_hash().0);
    let key = SECP256K1.recover_ecdsa(message, &signature).ok()?;
    Some(Address::from_raw_public_key(&key.serialize_uncompressed()[1..]))
}

#[cfg(test)]
mod tests {
    use alloy_consensus::transaction::SignerRecoverable as _;
    use alloy_consensus::{SignableTransaction as _, TxEip1559};
    use alloy_primitives::{Signature, U256, keccak256};

    use super::*;

    #[test]
    fn agrees_with_another_library_about_every_signature() {
        let order = SECP256K1N_HALF * U256::from(2) + U256::from(1);
        let named = [0, 1, 2].map(U256::from);
        let near = [order - U256::from(1), order, order + U256::from(1), U256::MAX];
        let half = [SECP256K1N_HALF, SECP256K1N_HALF + U256::from(1)];
        let random = (0u8..40).map(|seed| U256::from_be_bytes(keccak256([seed]).0));
        let numbers: Vec<U256> = named.into_iter().chain(near).chain(half).chain(random).collect();
        let (mut found, mut none) = (0, 0);
        for (nonce, r) in numbers.iter().enumerate() {
            for s in numbers.iter().take(20) {
                for parity in [false, true] {
                    let transaction = TxEip1559 { nonce: nonce as u64, ..TxEip1559::default() };
                    let signature = Signature::new(*r, *s, parity);
                    let transaction: TxEnvelope = transaction.into_signed(signature).into();
                    let ours = signer(&transaction);
                    assert_eq!(ours, transaction.recover_signer().ok(), "{signature:?}");
                    *if ours.is_some() { &mut found } else { &mut none } += 1;
                }
            }
        }
        assert!(found > 100 && none > 100, "{found} and {none}");
    }
}
