//! Withdrawals from the beacon chain (EIP-4895).

use crate::error::DecodeError;
use crate::wire::Reader;

/// A withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    /// Of all withdrawals of the chain, this one's number.
    pub index: u64,
    /// The validator.
    pub validator: u64,
    /// Who is credited.
    pub address: [u8; 20],
    /// In gwei.
    pub amount: u64,
}

impl Withdrawal {
    /// Reads RLP `[index, validatorIndex, address, amount]`, which stands at offset `at`.
    ///
    /// # Errors
    /// `decode.rlp` and `decode.shape` if the bytes are not of the form.
    pub fn read(bytes: &[u8], at: usize) -> Result<Self, DecodeError> {
        let mut items = Reader::whole_list(bytes, at, "withdrawal")?;
        let withdrawal = Self {
            index: items.u64("index")?,
            validator: items.u64("validatorIndex")?,
            address: items.array("address")?,
            amount: items.u64("amount")?,
        };
        items.finish("withdrawal")?;
        Ok(withdrawal)
    }
}
