//! `cole/fast24`: Bloom filters in place of neighbours.

use super::scene::{HEAD, Scene, as_of, hot, never};
use crate::case::{Case, refusals};
use crate::edit::Edit as _;
use crate::scene::Result;
use lightproof_prover::error::StoreError;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::cole::view::Source;

/// Every case of this file.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let runs = scene.view(HEAD).sources().filter_map(|source| match source {
        Source::Run(run) => Some((run.meta().root, run.filter().encode())),
        Source::Memory(_) | Source::Sealed(_) => None,
    });
    let runs: Vec<_> = runs.collect();
    let put = |address, run: usize, filter: Vec<u8>| {
        let form = vec![Item::uint(1_u8), Item::bytes(runs[run].0), Item::bytes(filter)];
        let honest = scene.about(&as_of(address, HEAD))?;
        Ok::<_, StoreError>(honest.edited(|proof| proof.set(&[1, 2 * run, 0], Item::List(form))))
    };
    let valid = put(never(), 0, runs[0].1.clone())?.proves(
        "Filter",
        "a filter that excludes the address, in place of two neighbours",
        scene.told(HEAD, &as_of(never(), HEAD), true),
    );
    let forged = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut filter = runs[0].1.clone();
        change(&mut filter);
        put(never(), 0, filter)
    };
    let bits = runs[0].1.len() - 56;
    let slices = move |slices: u64| {
        move |filter: &mut Vec<u8>| {
            filter[16 + bits..24 + bits].copy_from_slice(&slices.to_le_bytes());
        }
    };
    let clear = |filter: &mut Vec<u8>| filter[16..16 + bits].fill(0);
    let no_partition = |filter: &mut Vec<u8>| {
        filter.drain(8..24 + bits);
        filter[..8].fill(0);
    };
    let no_bits = |filter: &mut Vec<u8>| {
        filter.drain(16..16 + bits);
        filter[8..16].fill(0);
    };
    let flag = "Filter";
    let mut cases = vec![valid];
    cases.extend(refusals([
        (
            flag,
            "of a run that holds the address",
            "verify.filter",
            put(hot(), 0, runs[0].1.clone())?,
        ),
        (flag, "of another run", "verify.root", put(never(), 0, runs[1].1.clone())?),
        (flag, "emptied", "verify.root", forged(&clear)?),
        (
            flag,
            "with another number of inserts",
            "verify.root",
            forged(&|filter| {
                let at = filter.len() - 16;
                filter[at] ^= 1;
            })?,
        ),
        (flag, "without partitions", "decode.shape", forged(&no_partition)?),
        (flag, "without bits", "decode.shape", forged(&no_bits)?),
        (flag, "without slices", "decode.shape", forged(&slices(0))?),
        (flag, "with 65 slices", "decode.limit", forged(&slices(65))?),
        (flag, "with as many slices as a number holds", "decode.limit", forged(&slices(u64::MAX))?),
        (
            flag,
            "with as many partitions as a number holds",
            "decode.shape",
            forged(&|filter| filter[..8].fill(0xff))?,
        ),
        (
            flag,
            "with as many bytes as a number holds",
            "decode.shape",
            forged(&|filter| filter[8..16].fill(0xff))?,
        ),
        (flag, "cut off", "decode.shape", forged(&|filter| _ = filter.pop())?),
        (flag, "with a byte after it", "decode.shape", forged(&|filter| filter.push(0))?),
        (flag, "of no bytes", "decode.shape", forged(&Vec::clear)?),
    ]));
    Ok(cases)
}
