//! Honest proofs.

use super::scene::{HEAD, Scene, as_of, highest, hot, lowest, never, range, rare};
use crate::case::Case;
use crate::scene::{Result, Scene as _};
use lightproof_prover::system::PLAIN;
use lightproof_prover::system::cole::config::Format;
use lightproof_prover::system::cole::prove::Query;

/// Every honest case of a scene.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (flag, comment, block, query) in questions() {
        if matches!(scene.config.format, Format::One)
            || ![[0; 52], [0xff; 52]].contains(&query.address)
        {
            cases.push(scene.valid(flag, comment, block.into(), &query, PLAIN)?);
        }
    }
    Ok(cases)
}

fn questions() -> Vec<(&'static str, &'static str, u32, Query)> {
    let last = u32::MAX;
    vec![
        ("Range", "the newest block", HEAD, range(hot(), HEAD, HEAD)),
        ("Range", "the newest three blocks", HEAD, range(hot(), HEAD - 2, HEAD)),
        ("Range", "several sources", HEAD, range(hot(), HEAD - 20, HEAD)),
        ("Range", "from the first block", HEAD, range(hot(), 1, HEAD)),
        ("Range", "the whole past and future", HEAD, range(hot(), 0, last)),
        ("Range", "one block in an old run", HEAD, range(hot(), 7, 7)),
        ("Range", "some blocks in an old run", HEAD, range(hot(), 5, 12)),
        ("Range", "an address with few versions", HEAD, range(rare(), 0, last)),
        ("Range", "few versions, some before the range", HEAD, range(rare(), 9, 20)),
        ("Empty", "nothing between two versions", HEAD, range(rare(), 10, 19)),
        ("Empty", "nothing before the first version", HEAD, range(rare(), 0, 2)),
        ("Empty", "nothing after the newest version", HEAD, range(rare(), 35, HEAD)),
        ("Empty", "block 0", HEAD, range(hot(), 0, 0)),
        ("NeverWritten", "between others", HEAD, range(never(), 0, last)),
        ("NeverWritten", "below all others", HEAD, range(lowest(), 1, HEAD)),
        ("NeverWritten", "above all others", HEAD, range(highest(), 1, HEAD)),
        ("Extreme", "the least address", HEAD, range([0; 52], 0, last)),
        ("Extreme", "the greatest address", HEAD, range([0xff; 52], 0, last)),
        ("Extreme", "the greatest address, latest value", HEAD, as_of([0xff; 52], last)),
        ("Latest", "written in the newest block", HEAD, as_of(hot(), HEAD)),
        ("Latest", "as of the last block there can be", HEAD, as_of(hot(), last)),
        ("Latest", "written long ago", HEAD, as_of(rare(), HEAD)),
        ("Latest", "never written", HEAD, as_of(never(), HEAD)),
        ("Latest", "never written, below all others", HEAD, as_of(lowest(), last)),
        ("Latest", "never written, above all others", HEAD, as_of(highest(), last)),
        ("AsOf", "a block that wrote it", HEAD, as_of(hot(), 17)),
        ("AsOf", "a block after it was written", HEAD, as_of(rare(), 30)),
        ("AsOf", "the block before its first version", HEAD, as_of(rare(), 2)),
        ("AsOf", "block 0", HEAD, as_of(hot(), 0)),
        ("Past", "the first block's state: all in memory", 1, range(hot(), 0, 1)),
        ("Past", "memory was just flushed", 17, range(hot(), 1, 17)),
        ("Past", "the latest value in an older state", 30, as_of(rare(), 30)),
    ]
}
