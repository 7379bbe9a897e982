//! Transactions in their envelopes (EIP-2718): legacy, and types 1 to 4 (EIP-2930, 1559, 4844,
//! 7702).

use alloc::vec::Vec;

use crate::error::{DecodeError, Malformed};
use crate::hash::{Hash, keccak256, keccak256_of};
use crate::wire::{Bytes, Items, Read, Reader, Uint256, prefix};

/// The newest type that is known.
pub(super) const NEWEST: u8 = 4;

/// Gas of one blob (EIP-4844).
const GAS_PER_BLOB: u64 = 1 << 17;

/// Most items of a list inside a transaction: no gas limit pays for more.
const MAX_ENTRIES: usize = 1 << 20;

/// An integer below 2^256, big-endian, without leading zeros.
pub type Uint<'a> = &'a [u8];

/// What a transaction pays for gas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fee<'a> {
    /// One price, whatever the block's base fee is.
    Price(Uint<'a>),
    /// The block's base fee and a tip, up to a maximum (EIP-1559).
    Market {
        /// Most that goes to the proposer.
        max_priority: Uint<'a>,
        /// Most that is paid in all.
        max: Uint<'a>,
    },
}

impl Fee<'_> {
    /// Wei for one gas in a block with this base fee.
    pub fn effective(&self, base_fee: Option<Uint256>) -> Uint256 {
        let wide = |bytes| Uint256::from_be(bytes).unwrap_or_default();
        match *self {
            Self::Price(price) => wide(price),
            Self::Market { max_priority, max } => {
                let tipped = base_fee.unwrap_or_default().saturating_add(wide(max_priority));
                wide(max).min(tipped)
            }
        }
    }
}

/// An address whose slots a transaction says that it will use (EIP-2930).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access<'a> {
    /// The address.
    pub address: [u8; 20],
    /// The slots.
    pub slots: Items<'a, Hash>,
}

/// An account's consent that another's code runs for it (EIP-7702).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Authorization<'a> {
    /// The chain on which it holds; zero for every chain.
    pub chain_id: Uint<'a>,
    /// The code's account.
    pub address: [u8; 20],
    /// The consenting account's nonce.
    pub nonce: u64,
    /// Its signature.
    pub signature: Signature<'a>,
}

/// A signature on secp256k1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature<'a> {
    /// The parity of the point's y; in a legacy transaction `v`, which may name the chain
    /// (EIP-155).
    pub v: Uint<'a>,
    /// The point's x.
    pub r: Uint<'a>,
    /// The other scalar.
    pub s: Uint<'a>,
}

/// What a type has beside the fields of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blobs<'a> {
    /// Most that is paid for one blob gas, in wei.
    pub max_fee: Uint<'a>,
    /// Versioned hashes of the blobs.
    pub hashes: Items<'a, Hash>,
}

/// A transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transaction<'a> {
    envelope: &'a [u8],
    /// The fields that are signed, without the list's prefix.
    signed: &'a [u8],
    /// 0 for legacy, else the envelope's first byte.
    pub kind: u8,
    /// The chain that it is for; `None` in a legacy transaction, whose `v` may name it.
    pub chain_id: Option<Uint<'a>>,
    /// Transactions that the sender sent before.
    pub nonce: u64,
    /// What it pays for gas.
    pub fee: Fee<'a>,
    /// Most gas that it may use.
    pub gas: u64,
    /// Who is called; `None` where a contract is made.
    pub to: Option<[u8; 20]>,
    /// In wei.
    pub value: Uint<'a>,
    /// What the callee reads, or the code that makes a contract.
    pub input: &'a [u8],
    /// From type 1 on.
    pub access: Option<Items<'a, Access<'a>>>,
    /// Of type 3.
    pub blobs: Option<Blobs<'a>>,
    /// Of type 4.
    pub authorizations: Option<Items<'a, Authorization<'a>>>,
    /// The sender's.
    pub signature: Signature<'a>,
}

/// The type of a transaction or of a receipt by its first byte, and the list behind it: legacy ones
/// are the list alone.
pub(super) fn envelope<'a>(
    Bytes { bytes, span }: Bytes<'a>,
    field: &'static str,
) -> Result<(u8, &'a [u8], usize), DecodeError> {
    match bytes {
        [0xc0..=0xff, ..] => Ok((0, bytes, span.start)),
        [kind @ 1..=0x7f, rest @ ..] => Ok((*kind, rest, span.start.saturating_add(1))),
        _ => Err(Malformed::Shape.at(field, "neither a list nor a type from 1 to 127", span)),
    }
}

impl<'a> Transaction<'a> {
    /// Reads an envelope; `None` if its type is not known.
    ///
    /// # Errors
    /// `decode.rlp` and `decode.shape` if the bytes are not of the type's form.
    pub fn read(bytes: Bytes<'a>) -> Result<Option<Self>, DecodeError> {
        let (kind, list, at) = envelope(bytes, "transaction")?;
        if kind > NEWEST {
            return Ok(None);
        }
        let mut items = Reader::whole_list(list, at, "transaction")?;
        let all = items.rest();
        let chain_id = (kind > 0).then(|| items.uint("chainId")).transpose()?;
        let nonce = items.u64("nonce")?;
        let fee = fee(&mut items, kind)?;
        let gas = items.u64("gas")?;
        let to = recipient(&mut items, kind)?;
        let value = items.uint("value")?;
        let input = items.string("input")?.bytes;
        let access = list_if(kind > 0, &mut items, "accessList")?;
        let blobs = (kind == 3).then(|| blobs(&mut items)).transpose()?;
        let authorizations = list_if(kind == 4, &mut items, "authorizationList")?;
        let signed = all.len().saturating_sub(items.rest().len());
        let signed = all.get(..signed).unwrap_or_default();
        let signature = signature(&mut items, kind > 0)?;
        items.finish("transaction")?;
        let envelope = bytes.bytes;
        Ok(Some(Self {
            envelope,
            signed,
            kind,
            chain_id,
            nonce,
            fee,
            gas,
            to,
            value,
            input,
            access,
            blobs,
            authorizations,
            signature,
        }))
    }

    /// keccak of the envelope: its name.
    pub fn hash(&self) -> Hash {
        keccak256(self.envelope)
    }

    /// What the sender signed.
    pub fn signing_hash(&self) -> Hash {
        let mut tail = Vec::new();
        if let (0, Some(chain_id)) = (self.kind, self.protected_for()) {
            // EIP-155: the chain's id and two zeros stand in the signature's place.
            crate::wire::string(&mut tail, chain_id.minimal());
            tail.extend_from_slice(&[0x80, 0x80]);
        }
        let mut head = Vec::new();
        if self.kind > 0 {
            head.push(self.kind);
        }
        prefix(&mut head, 0xc0, self.signed.len().saturating_add(tail.len()));
        keccak256_of(&[&head, self.signed, &tail])
    }

    /// The chain that a legacy transaction's `v` names: (v - 35) / 2.
    fn protected_for(&self) -> Option<Uint256> {
        let Uint256(v) = Uint256::from_be(self.signature.v)?;
        let mut halved = [0; 32];
        let mut carry = 0;
        // 35 less: borrow byte by byte from the lowest.
        let mut less = v;
        let mut borrow = 35;
        for byte in less.iter_mut().rev() {
            let (value, under) = byte.overflowing_sub(borrow);
            *byte = value;
            borrow = under.into();
        }
        if borrow > 0 {
            return None;
        }
        for (to, from) in halved.iter_mut().zip(less) {
            *to = (carry << 7) | (from >> 1);
            carry = from & 1;
        }
        Some(Uint256(halved))
    }

    /// The parity of the signature's point.
    pub fn parity(&self) -> u8 {
        let last = self.signature.v.last().copied().unwrap_or_default();
        match self.kind {
            // 27 or 28, or 35 or 36 and twice the chain's id: odd is even.
            0 => (last & 1) ^ 1,
            _ => last & 1,
        }
    }

    /// Blob gas that it uses.
    pub fn blob_gas(&self) -> Option<u64> {
        let count = u64::try_from(self.blobs?.hashes.len()).ok()?;
        Some(count.saturating_mul(GAS_PER_BLOB))
    }
}

fn fee<'a>(items: &mut Reader<'a>, kind: u8) -> Result<Fee<'a>, DecodeError> {
    if kind < 2 {
        return items.uint("gasPrice").map(Fee::Price);
    }
    let max_priority = items.uint("maxPriorityFeePerGas")?;
    Ok(Fee::Market { max_priority, max: items.uint("maxFeePerGas")? })
}

/// Blobs and authorizations make no contract.
fn recipient(items: &mut Reader<'_>, kind: u8) -> Result<Option<[u8; 20]>, DecodeError> {
    let Bytes { bytes, span } = items.string("to")?;
    match bytes {
        [] if kind < 3 => Ok(None),
        _ => {
            bytes.try_into().map(Some).map_err(|_| Malformed::Shape.at("to", "wrong length", span))
        }
    }
}

fn list_if<'a, T: Read<'a>>(
    there: bool,
    items: &mut Reader<'a>,
    field: &'static str,
) -> Result<Option<Items<'a, T>>, DecodeError> {
    there.then(|| Items::list(items, field, MAX_ENTRIES)).transpose()
}

fn blobs<'a>(items: &mut Reader<'a>) -> Result<Blobs<'a>, DecodeError> {
    let max_fee = items.uint("maxFeePerBlobGas")?;
    Ok(Blobs { max_fee, hashes: Items::list(items, "blobVersionedHashes", MAX_ENTRIES)? })
}

/// * `parity`: whether the first item is 0 or 1, as in every typed envelope.
fn signature<'a>(items: &mut Reader<'a>, parity: bool) -> Result<Signature<'a>, DecodeError> {
    let span = items.span();
    let v = items.uint(if parity { "yParity" } else { "v" })?;
    if parity && !matches!(v, [] | [1]) {
        return Err(Malformed::Shape.at("yParity", "neither 0 nor 1", span));
    }
    Ok(Signature { v, r: items.uint("r")?, s: items.uint("s")? })
}

impl<'a> Read<'a> for Hash {
    fn read(list: &mut Reader<'a>) -> Result<Self, DecodeError> {
        list.hash("hash")
    }
}

impl<'a> Read<'a> for Access<'a> {
    fn read(list: &mut Reader<'a>) -> Result<Self, DecodeError> {
        let mut items = list.list("access")?;
        let address = items.array("address")?;
        let slots = Items::list(&mut items, "storageKeys", MAX_ENTRIES)?;
        items.finish("access")?;
        Ok(Self { address, slots })
    }
}

impl<'a> Read<'a> for Authorization<'a> {
    fn read(list: &mut Reader<'a>) -> Result<Self, DecodeError> {
        let mut items = list.list("authorization")?;
        let authorization = Self {
            chain_id: items.uint("chainId")?,
            address: items.array("address")?,
            nonce: items.u64("nonce")?,
            signature: Signature {
                // Only valid ones count; a parity of up to 255 is included (EIP-7702).
                v: items.uint("yParity")?,
                r: items.uint("r")?,
                s: items.uint("s")?,
            },
        };
        items.finish("authorization")?;
        Ok(authorization)
    }
}
