//! An RLP encoder (Yellow Paper, appendix B).

/// An item to encode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rlp {
    /// A string.
    Str(Vec<u8>),
    /// A list.
    List(Vec<Rlp>),
    /// Bytes that stand as they are: an item encoded elsewhere, or one that is broken on purpose.
    Raw(Vec<u8>),
}

impl Rlp {
    /// A string.
    pub fn str(bytes: impl AsRef<[u8]>) -> Self {
        Self::Str(bytes.as_ref().to_vec())
    }

    /// An integer: minimal big-endian.
    pub fn uint(value: u64) -> Self {
        Self::Str(crate::hex::minimal(&value.to_be_bytes()))
    }

    /// A list.
    pub fn list(items: impl IntoIterator<Item = Self>) -> Self {
        Self::List(items.into_iter().collect())
    }

    /// A list of strings.
    pub fn strings<T: AsRef<[u8]>>(items: impl IntoIterator<Item = T>) -> Self {
        Self::list(items.into_iter().map(Self::str))
    }

    /// The encoding.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Raw(bytes) => bytes.clone(),
            Self::Str(bytes) => match bytes.as_slice() {
                [byte] if *byte < 0x80 => vec![*byte],
                _ => prefixed(0x80, bytes),
            },
            Self::List(items) => {
                let payload: Vec<u8> = items.iter().flat_map(Self::encode).collect();
                prefixed(0xc0, &payload)
            }
        }
    }
}

fn prefixed(offset: u8, payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(payload.len() + 9);
    if payload.len() < 56 {
        out.push(offset + u8::try_from(payload.len()).expect("under 56"));
    } else {
        let length = crate::hex::minimal(&(payload.len() as u64).to_be_bytes());
        out.push(offset + 55 + u8::try_from(length.len()).expect("at most 8"));
        out.extend(length);
    }
    out.extend_from_slice(payload);
    out
}
