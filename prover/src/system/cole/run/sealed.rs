//! The in-memory tree that a run was made of. Blocks that committed to the tree prove from its
//! entries, which the run holds, and from its nodes, which a file beside the run holds.
//!
//! The file holds a record for each node, from the root down and each depth from left to right: how
//! many children this node and those on its left have together, and its digest. So a depth ends
//! with the number of nodes of the next one.

use std::sync::Arc;

use super::file::{Stored, Writer};
use super::{Run, RunId, name};
use crate::hash::Word;
use crate::store::blobs::Blobs;
use crate::system::cole::error::Result;
use crate::system::cole::tree::Tree;
use crate::system::cole::tree::opening::Place;

/// Extension of the file of nodes.
pub(super) const EXTENSION: &str = "mbt";

/// The number of children up to a node's last one, and the node's digest.
type Record = (u64, Word);

const RECORD_BYTES: u64 = 40;

/// Writes the nodes of the tree that the run `id` is made of. The file still has to be finished.
pub(super) fn write(files: &dyn Blobs, id: RunId, tree: &Tree) -> Result<Writer> {
    let mut file = Writer::create(files, &name(id, EXTENSION))?;
    for nodes in tree.depths() {
        let mut end = 0;
        for (children, digest) in nodes {
            end += children as u64;
            file.write(&end.to_be_bytes())?;
            file.write(&digest)?;
        }
    }
    Ok(file)
}

/// A tree that lies in files. The file of its nodes is opened for each proof: a window has many
/// such trees, and the number of files that a process may have open is limited.
#[derive(Debug)]
pub struct Sealed {
    run: Arc<Run>,
    files: Arc<dyn Blobs>,
    root: Word,
    /// Number of the first node and how many there are, for each depth, bottom-up.
    depths: Vec<(u64, u64)>,
}

impl Sealed {
    /// Opens the tree that `run` was made of. Its root is compared with that of `tree`. Without
    /// `tree`, the file is read once and compared with its checksum, and its root has to be
    /// compared by the caller.
    ///
    /// # Errors
    /// [`crate::system::cole::EngineError`] names the file that is missing or damaged.
    pub fn open(files: &Arc<dyn Blobs>, run: Arc<Run>, tree: Option<&Tree>) -> Result<Self> {
        let files = Arc::clone(files);
        let file = Stored::open(&*files, &name(run.meta().id, EXTENSION), tree.is_none())?;
        let total = file.length() / RECORD_BYTES;
        let (mut root, mut depths) = (None, Vec::new());
        let (mut first, mut count) = (0, 1);
        while first < total {
            if count == 0 || count > total - first {
                return Err(file.damaged("a depth has another number of nodes"));
            }
            let (children, digest) = record(&file, first + count - 1)?;
            root.get_or_insert(digest);
            depths.push((first, count));
            (first, count) = (first + count, children);
        }
        depths.reverse();
        let fits = count == run.len() && file.length() == total * RECORD_BYTES;
        let root = root.filter(|_| fits);
        let root = root.ok_or_else(|| file.damaged("it is of another number of entries"))?;
        if tree.is_some_and(|tree| tree.root() != root) {
            return Err(file.damaged("it is another tree's"));
        }
        Ok(Self { run, files, root, depths })
    }

    /// The run that holds the entries.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Numbers of its first write and of the one after its last.
    pub fn span(&self) -> (u64, u64) {
        let RunId { from, to, .. } = self.run.meta().id;
        (from, to)
    }

    /// Root digest of the tree.
    pub fn root(&self) -> &Word {
        &self.root
    }

    /// Opens the entries at positions `first..=last` of the run, as [`Tree::place`] does.
    ///
    /// # Errors
    /// [`crate::system::cole::EngineError`] names the file that cannot be read, or whose nodes do
    /// not follow each other.
    pub fn place(&self, mut first: u64, mut last: u64) -> Result<Place> {
        let file = Stored::open(&*self.files, &name(self.run.meta().id, EXTENSION), false)?;
        let nodes = Nodes { tree: self, file };
        let mut place = Place::default();
        for depth in 0..self.depths.len() {
            let (from, to) = (nodes.parent(depth, first)?, nodes.parent(depth, last)?);
            let start = if from == 0 { 0 } else { nodes.record(depth, from - 1)?.0 };
            let mut end = start;
            let mut counts = Vec::new();
            for at in from..=to {
                let (next, _) = nodes.record(depth, at)?;
                counts.push(nodes.count(end, next)?);
                end = next;
            }
            place.depths.push((nodes.count(start, first + 1)? - 1, counts));
            place.siblings.append(&mut nodes.children(depth, start, first)?);
            place.siblings.append(&mut nodes.children(depth, last + 1, end)?);
            (first, last) = (from, to);
        }
        Ok(place)
    }
}

struct Nodes<'a> {
    tree: &'a Sealed,
    file: Stored,
}

impl Nodes<'_> {
    /// Number of the node of a depth that has this child: the first one that ends behind it.
    fn parent(&self, depth: usize, child: u64) -> Result<u64> {
        let (mut low, mut high) = (0, self.tree.depths[depth].1 - 1);
        while low < high {
            let middle = low.midpoint(high);
            if self.record(depth, middle)?.0 > child {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok(low)
    }

    /// How many children lie between two positions: a node has 1 to 256.
    fn count(&self, start: u64, end: u64) -> Result<usize> {
        let count = end.checked_sub(start).filter(|count| (1..=256).contains(count));
        let count = count.and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| self.file.damaged("a node has no children, or too many"))
    }

    /// Digests of the children `from..to` of a depth's nodes.
    fn children(&self, depth: usize, from: u64, to: u64) -> Result<Vec<Word>> {
        match depth.checked_sub(1) {
            None => self.tree.run.merkle.leaves(from, to),
            Some(below) => (from..to).map(|at| Ok(self.record(below, at)?.1)).collect(),
        }
    }

    fn record(&self, depth: usize, at: u64) -> Result<Record> {
        record(&self.file, self.tree.depths[depth].0 + at)
    }
}

fn record(file: &Stored, at: u64) -> Result<Record> {
    let mut end = [0; 8];
    let mut digest = [0; 32];
    file.read(at * RECORD_BYTES, &mut end)?;
    file.read(at * RECORD_BYTES + 8, &mut digest)?;
    Ok((u64::from_be_bytes(end), digest))
}
