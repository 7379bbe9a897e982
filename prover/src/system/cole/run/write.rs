//! Writing a run: one pass over its entries feeds all four files.

use super::file::Writer;
use super::filter::Filter;
use super::{Cancel, Meta, Run, RunId, index, merkle, name, sealed};
use crate::hash::Word;
use crate::store::blobs::Blobs;
use crate::system::cole::config::Config;
use crate::system::cole::digest::Extent;
use crate::system::cole::error::{At as _, EngineError, Result};
use crate::system::cole::key::{Entry, address_of, block_of};
use crate::system::cole::tree::Tree;

/// How many entries are written between two looks at the stop signal.
const STRIDE: u64 = 1 << 12;

/// An entry and its digest in a run's tree.
pub(in crate::system::cole) type Leaf = (Entry, Word);

/// Writes `count` ascending entries (without sentinels), each with its digest, as a run; durable
/// when this returns. If `tree` is given, the entries come from it, and its nodes go into a file
/// beside them, for [`super::Sealed`].
///
/// # Errors
/// [`EngineError`]: a file cannot be written, entries fail to come, or the merge was cancelled.
pub(in crate::system::cole) fn write(
    files: &dyn Blobs,
    config: &Config,
    id: RunId,
    count: u64,
    entries: impl Iterator<Item = Result<Leaf>>,
    tree: Option<&Tree>,
    cancel: &Cancel,
) -> Result<Run> {
    let name = |extension| name(id, extension);
    let sentinels = config.sentinels();
    let mut values = Writer::create(files, &name("val"))?;
    let mut index = index::Builder::create(files, &name("idx"), config.epsilon)?;
    let shape = (config.fanout, count + if sentinels { 2 } else { 0 });
    let mut merkle = merkle::Builder::create(files, &name("mht"), config.format, shape)?;
    let mut filter = Filter::new(config.filter_capacity(id.level.into()));
    let mut extent = Extent::default();
    let edge =
        |entry: Entry| sentinels.then(|| Ok((entry, config.format.entry(&entry)))).into_iter();
    let all = edge(Entry::LEAST).chain(entries).chain(edge(Entry::GREATEST));
    for (position, entry) in (0_u64..).zip(all) {
        let (entry, digest) = entry?;
        values.write(&entry.encode())?;
        index.add(&entry.key)?;
        merkle.add(digest)?;
        if !(sentinels && entry.is_sentinel()) {
            extent.add(block_of(&entry.key));
            filter.insert(address_of(&entry.key));
        }
        if position % STRIDE == 0 && cancel.is_set() {
            return Err(EngineError::Cancelled);
        }
    }
    if extent.entries != count {
        return Err(EngineError::Records("a run holds other entries than announced"));
    }
    let mut stored = Writer::create(files, &name("flt"))?;
    stored.write(&filter.encode())?;
    let nodes = tree.map(|tree| sealed::write(files, id, tree)).transpose()?;
    // Waiting for the disk is most of the time that a run takes, and one wait is as long as five at
    // once.
    let (root, others) = std::thread::scope(|scope| {
        let others = [
            scope.spawn(|| stored.finish()),
            scope.spawn(|| values.finish()),
            scope.spawn(|| index.finish()),
            scope.spawn(|| nodes.map_or(Ok(()), Writer::finish)),
        ];
        let root = merkle.finish();
        (root, others.map(std::thread::ScopedJoinHandle::join))
    });
    for other in others {
        other.map_err(|_| EngineError::Records("a thread that writes a file panicked"))??;
    }
    let meta = Meta { id, extent, root: root?, filter: filter.digest() };
    // The names of the files become durable too.
    files.settle().at(&files.place(""))?;
    Run::open(files, config, meta, false)
}
