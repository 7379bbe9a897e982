//! Ethereum's precompiled contracts on curves: bytes in, bytes out. Their gas, and the inputs that
//! gas does not pay for, are the caller's affair.

#[cfg(feature = "bls12-381")]
pub mod bls12_381;
#[cfg(feature = "bn254")]
pub mod bn254;
#[cfg(feature = "p256")]
pub mod p256;

use alloc::vec::Vec;

/// What a precompile does with an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It returns this.
    Output(Vec<u8>),
    /// It fails: the call uses all of its gas.
    Failure,
    /// It is not one of those here.
    Unknown,
}

impl Outcome {
    /// As one module hands it to another: one and the output; zero; or nothing, if it is unknown.
    pub fn encode(self) -> Vec<u8> {
        match self {
            Self::Output(mut output) => {
                output.insert(0, 1);
                output
            }
            Self::Failure => alloc::vec![0],
            Self::Unknown => Vec::new(),
        }
    }

    /// What [`encode`](Self::encode) made bytes of.
    pub fn decode(bytes: &[u8]) -> Self {
        match bytes {
            [1, output @ ..] => Self::Output(output.to_vec()),
            [0] => Self::Failure,
            _ => Self::Unknown,
        }
    }
}

/// `None` is a failure.
impl From<Option<Vec<u8>>> for Outcome {
    fn from(output: Option<Vec<u8>>) -> Self {
        output.map_or(Self::Failure, Self::Output)
    }
}

/// One or zero in 32 bytes.
#[cfg(any(feature = "bls12-381", feature = "bn254", feature = "p256"))]
fn word(is_true: bool) -> Vec<u8> {
    let mut word = alloc::vec![0; 31];
    word.push(is_true.into());
    word
}
