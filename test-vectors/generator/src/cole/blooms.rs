//! `cole/fast24`: Bloom filters in place of neighbours.

use super::scene::{HEAD, Scene, as_of, hot, never};
use crate::case::{Case, Expected, invalid};
use crate::edit::Edit as _;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::cole::EngineError;
use lightproof_prover::system::cole::view::Source;

/// Every case of this file.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>, EngineError> {
    let runs = scene.view(HEAD).sources().filter_map(|source| match source {
        Source::Run(run) => Some((run.meta().root, run.filter().encode())),
        Source::Memory(_) => None,
    });
    let runs: Vec<_> = runs.collect();
    let put = |address, run: usize, filter: Vec<u8>| {
        scene.forged(&as_of(address, HEAD), |proof| {
            let form = vec![Item::uint(1_u8), Item::bytes(runs[run].0), Item::bytes(filter)];
            *proof.at(&[1, 2 * run, 0]) = Item::List(form);
        })
    };
    let honest = put(never(), 0, runs[0].1.clone())?;
    let valid = Case {
        comment: "a filter that excludes the address, in place of two neighbours".to_owned(),
        flags: vec!["Filter"],
        source: honest.0,
        query: honest.1,
        variant: "plain",
        proof: honest.2,
        expected: Expected::Valid(scene.fact(HEAD, &as_of(never(), HEAD), true)),
    };
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
    Ok(vec![
        valid,
        invalid(
            flag,
            "of a run that holds the address",
            put(hot(), 0, runs[0].1.clone())?,
            "verify.filter",
        ),
        invalid(flag, "of another run", put(never(), 0, runs[1].1.clone())?, "verify.root"),
        invalid(flag, "emptied", forged(&clear)?, "verify.root"),
        invalid(
            flag,
            "with another number of inserts",
            forged(&|filter| {
                let at = filter.len() - 16;
                filter[at] ^= 1;
            })?,
            "verify.root",
        ),
        invalid(flag, "without partitions", forged(&no_partition)?, "decode.shape"),
        invalid(flag, "without bits", forged(&no_bits)?, "decode.shape"),
        invalid(flag, "without slices", forged(&slices(0))?, "decode.shape"),
        invalid(flag, "with 65 slices", forged(&slices(65))?, "decode.limit"),
        invalid(
            flag,
            "with as many slices as a number holds",
            forged(&slices(u64::MAX))?,
            "decode.limit",
        ),
        invalid(
            flag,
            "with as many partitions as a number holds",
            forged(&|filter| filter[..8].fill(0xff))?,
            "decode.shape",
        ),
        invalid(
            flag,
            "with as many bytes as a number holds",
            forged(&|filter| filter[8..16].fill(0xff))?,
            "decode.shape",
        ),
        invalid(flag, "cut off", forged(&|filter| _ = filter.pop())?, "decode.shape"),
        invalid(flag, "with a byte after it", forged(&|filter| filter.push(0))?, "decode.shape"),
        invalid(flag, "of no bytes", forged(&Vec::clear)?, "decode.shape"),
    ])
}
