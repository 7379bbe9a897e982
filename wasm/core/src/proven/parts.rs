//! A settlement in parts: several workers make one each, and any of them joins all.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Claim, check, seed};
use crate::json::{self, ToJson};
use crate::system::{Equations, Join, Part, System};
use crate::wire::{ListWriter, Reader};

/// A part of what [`verify`](super::verify) settles, as bytes for [`join`]. The first part has the
/// verdicts too, which hold if [`join`] says so.
///
/// `None` if [`verify`](super::verify) has to do it: a claim is rejected, or there is more than is
/// settled at once. And if there is no such part.
pub fn part<S: System>(
    params: &S::Params,
    claims: &[Claim<'_, S>],
    fresh: [u8; 32],
    part: Part,
) -> Option<Vec<u8>> {
    if part.number >= part.of {
        return None;
    }
    let mut todo = S::Equations::lazily();
    let mut proven = Vec::with_capacity(claims.len());
    for (index, claim) in claims.iter().enumerate() {
        todo.begin(index);
        proven.push(check(params, claim, &mut todo, &mut ()).ok()?);
        if todo.is_full() {
            return None;
        }
    }
    let seed = seed(S::digest(params), claims, fresh);
    let product = todo.part(params, seed, part)?;
    let mut verdicts = String::new();
    if part.number == 0 {
        json::list(&mut verdicts, &proven, |out, proven| proven.to_json(out));
    }
    let mut out = ListWriter::default();
    out.string(&label(&seed.0, part)).string(&product).string(verdicts.as_bytes());
    Some(out.finish())
}

/// The verdicts, all of them proven, by the parts of their settlement in order. `None` if
/// [`verify`](super::verify) has to do it.
///
/// # Soundness
/// The caller must trust whoever ran [`part`] as it trusts itself: a forged part can prove any
/// verdict. Parts of other claims, parts under other fresh bytes, and too few parts are refused.
pub fn join<E: Join>(parts: &[&[u8]]) -> Option<String> {
    let mut first = None;
    let mut products = Vec::with_capacity(parts.len());
    for (number, part) in parts.iter().enumerate() {
        let mut items = Reader::whole_list(part, 0, "part").ok()?;
        let mut next = || Some(items.string("part").ok()?.bytes);
        let (found, product, verdicts) = (next()?, next()?, next()?);
        items.finish("part").ok()?;
        let (seed, _) = *first.get_or_insert((found.get(..32)?, verdicts));
        if found != label(seed, Part { number, of: parts.len() }) {
            return None;
        }
        products.push(product);
    }
    let (_, verdicts) = first?;
    E::join(&products).then(|| String::from_utf8(verdicts.to_vec()).ok())?
}

/// What a part is part of, and which.
fn label(seed: &[u8], Part { number, of }: Part) -> Vec<u8> {
    [seed, &number.to_be_bytes(), &of.to_be_bytes()].concat()
}
