//! Containers as bytes (consensus-specs, `ssz/simple-serialize.md`).

/// A field, in place or behind an offset.
#[derive(Clone, Debug)]
pub(super) enum Field {
    /// Of fixed size.
    Fixed(Vec<u8>),
    /// Of variable size.
    Variable(Vec<u8>),
}

/// The container of these fields.
pub(super) fn container(fields: &[Field]) -> Vec<u8> {
    let size = |field: &Field| match field {
        Field::Fixed(bytes) => bytes.len(),
        Field::Variable(_) => 4,
    };
    let fixed: usize = fields.iter().map(size).sum();
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    for field in fields {
        match field {
            Field::Fixed(bytes) => head.extend(bytes),
            Field::Variable(bytes) => {
                head.extend(offset(fixed + tail.len()));
                tail.extend(bytes);
            }
        }
    }
    [head, tail].concat()
}

/// An offset's four bytes.
pub(super) fn offset(at: usize) -> [u8; 4] {
    u32::try_from(at).unwrap_or(u32::MAX).to_le_bytes()
}
