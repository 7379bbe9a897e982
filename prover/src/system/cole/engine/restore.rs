//! From records and files back to an engine.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::thread;

use super::{Engine, log_span, memories};
use crate::store::blobs::Blobs;
use crate::system::cole::config::Config;
use crate::system::cole::error::{EngineError, Result};
use crate::system::cole::key::{ENTRY_BYTES, Entry};
use crate::system::cole::run::{self, Cancel, Meta, Run, RunId, Sealed};
use crate::system::cole::tree::Tree;
use crate::system::cole::view::{Group, Level, Memory, Record, View};

/// How many files are opened at once: each waits for a store that may be far away.
const AT_ONCE: usize = 16;

/// Files of an engine that are open.
#[derive(Debug, Default)]
pub struct Known {
    runs: BTreeMap<RunId, Arc<Run>>,
    sealed: BTreeMap<(u64, u64), Arc<Sealed>>,
}

fn decode(records: &[Vec<u8>]) -> Result<Vec<Record>> {
    let decoded = records.iter().map(|bytes| Record::decode(bytes)).collect::<Option<_>>();
    decoded.ok_or(EngineError::Records("a record of a block is malformed"))
}

impl Engine {
    /// Opens an engine as it was after the newest block on record.
    ///
    /// * `records`: of the newest blocks, oldest first; as many as the window has stay provable.
    /// * `log`: the log records that [`Engine::needs`] kept, oldest first.
    ///
    /// Every file is read once and checked; `H_state` of every block is computed again and
    /// compared. Files that no record names are deleted.
    ///
    /// # Errors
    /// [`EngineError::Damaged`] names the file, [`EngineError::Records`] what does not fit.
    pub fn restore(
        files: Arc<dyn Blobs>,
        config: Config,
        records: &[Vec<u8>],
        log: &[Vec<u8>],
    ) -> Result<Self> {
        let records = decode(records)?;
        let runs = records.iter().flat_map(Record::runs).map(|meta| meta.id);
        run::sweep(&*files, &runs.collect::<Vec<_>>())?;
        let mut engine = Self::assemble(files, config, &records, log, &Known::default(), true)?;
        engine.restart()?;
        Ok(engine)
    }

    /// An engine that answers and is never written: as it is after the newest block on record,
    /// where another process writes the records and the files. No file is written or deleted. The
    /// content of runs is not compared with their checksums, which would read all of the state:
    /// whoever asks for a proof finds out, and nothing is made from them.
    ///
    /// * `records`, `log`: as for [`Self::restore`].
    /// * `known`: what is open already.
    ///
    /// # Errors
    /// As [`Self::restore`].
    pub fn follow(
        files: Arc<dyn Blobs>,
        config: Config,
        records: &[Vec<u8>],
        log: &[Vec<u8>],
        known: &Known,
    ) -> Result<Self> {
        Self::assemble(files, config, &decode(records)?, log, known, false)
    }

    /// The files that are open.
    pub fn open_files(&self) -> Known {
        let levels = self.views.iter().flat_map(|view| &view.levels);
        let runs = levels.flat_map(Level::runs).map(|run| (run.meta().id, Arc::clone(run)));
        let groups = self.views.iter().flat_map(|view| &view.memories);
        let sealed = groups.filter_map(|group| match group {
            Group::Sealed(sealed) => Some((sealed.span(), Arc::clone(sealed))),
            Group::Memory(_) => None,
        });
        Known { runs: runs.collect(), sealed: sealed.collect() }
    }

    fn assemble(
        files: Arc<dyn Blobs>,
        config: Config,
        records: &[Record],
        log: &[Vec<u8>],
        known: &Known,
        check: bool,
    ) -> Result<Self> {
        let metas: BTreeMap<RunId, Meta> =
            records.iter().flat_map(Record::runs).map(|meta| (meta.id, *meta)).collect();
        let metas: Vec<Meta> = metas.into_values().collect();
        let runs = at_once(&metas, |meta| {
            let run = match known.runs.get(&meta.id).filter(|run| run.meta() == meta) {
                Some(run) => Arc::clone(run),
                None => Arc::new(Run::open(&*files, &config, *meta, check)?),
            };
            Ok((meta.id, run))
        })?;
        let runs: BTreeMap<RunId, Arc<Run>> = runs.into_iter().collect();
        let mut trees = Trees { config, log: read_log(log)?, growing: BTreeMap::new() };
        let sealed = sealed(&files, config, records, &runs, &known.sealed)?;
        let mut views = VecDeque::new();
        for record in records {
            let view = view(config, record, &runs, &sealed, &mut trees)?;
            views.push_back(Arc::new(view));
        }
        let head = views.back().cloned();
        let trees = |head: &Arc<View>| {
            head.memories.iter().filter_map(Group::memory).cloned().collect::<Vec<_>>()
        };
        let memories = head.as_ref().map_or_else(|| memories(&config), trees);
        Ok(Self {
            config,
            files,
            next: memories.first().map_or(0, |writing| writing.to),
            memories,
            levels: head.as_ref().map_or_else(Vec::new, |head| head.levels.clone()),
            pending: Vec::new(),
            cancel: Cancel::default(),
            views,
            known: runs.keys().copied().collect::<BTreeSet<_>>(),
        })
    }

    /// Starts the merges that were under way.
    fn restart(&mut self) -> Result<()> {
        if self.memories.get(1).is_some_and(|merging| merging.tree.extent().entries > 0) {
            self.start(0)?;
        }
        for index in 0..self.levels.len() {
            if !self.levels[index].merging.is_empty() {
                self.start(index + 1)?;
            }
        }
        Ok(())
    }
}

fn view(
    config: Config,
    record: &Record,
    runs: &BTreeMap<RunId, Arc<Run>>,
    sealed: &BTreeMap<(u64, u64), Arc<Sealed>>,
    trees: &mut Trees,
) -> Result<View> {
    let memory = |span: &(u64, u64)| match sealed.get(span) {
        Some(sealed) => Ok(Group::Sealed(Arc::clone(sealed))),
        None => trees.memory(span.0, span.1).map(Group::Memory),
    };
    let restored = record.memories.iter().map(memory).collect::<Result<Vec<_>>>()?;
    if restored.len() != memories(&config).len() {
        return Err(EngineError::Records("they are of the other system: COLE or COLE*"));
    }
    let group =
        |metas: &[Meta]| metas.iter().filter_map(|meta| runs.get(&meta.id).cloned()).collect();
    let levels = record.levels.iter();
    let levels =
        levels.map(|(writing, merging)| Level { writing: group(writing), merging: group(merging) });
    let view = View::new(config, record.block, restored, levels.collect());
    if view.state != record.state {
        return Err(EngineError::Records("they do not give the recorded H_state"));
    }
    Ok(view)
}

/// The trees that lie in files, by the numbers of their writes: all merging groups but the newest
/// block's. A block of the window holds the run that each of them became.
fn sealed(
    files: &Arc<dyn Blobs>,
    config: Config,
    records: &[Record],
    runs: &BTreeMap<RunId, Arc<Run>>,
    known: &BTreeMap<(u64, u64), Arc<Sealed>>,
) -> Result<BTreeMap<(u64, u64), Arc<Sealed>>> {
    if !config.seals() {
        return Ok(BTreeMap::new());
    }
    let merging = |record: &Record| record.memories.get(1).copied().filter(|(from, to)| from < to);
    let mut spans: BTreeSet<(u64, u64)> = records.iter().filter_map(merging).collect();
    if let Some(newest) = records.last().and_then(merging) {
        spans.remove(&newest);
    }
    let spans: Vec<(u64, u64)> = spans.into_iter().collect();
    let opened = at_once(&spans, |&(from, to)| {
        if let Some(sealed) = known.get(&(from, to)) {
            return Ok(((from, to), Arc::clone(sealed)));
        }
        let run = runs.get(&RunId { level: 0, from, to });
        let run = run.ok_or(EngineError::Records("no block holds the run of a merging group"))?;
        Ok(((from, to), Arc::new(Sealed::open(files, Arc::clone(run), None)?)))
    })?;
    Ok(opened.into_iter().collect())
}

/// What `work` makes of all items, in their order, of several at once.
fn at_once<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> Result<R> + Sync) -> Result<Vec<R>> {
    let part = items.len().div_ceil(AT_ONCE).max(1);
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = items
            .chunks(part)
            .map(|part| scope.spawn(move || part.iter().map(work).collect::<Result<Vec<_>>>()))
            .collect();
        let mut made = Vec::with_capacity(items.len());
        for thread in threads {
            let part = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            made.append(&mut part?);
        }
        Ok(made)
    })
}

/// Writes by number.
fn read_log(log: &[Vec<u8>]) -> Result<BTreeMap<u64, Entry>> {
    let mut all = BTreeMap::new();
    for record in log {
        let (first, _) = log_span(record).ok_or(EngineError::Records("a log record is cut off"))?;
        let (entries, rest) = record[8..].as_chunks::<ENTRY_BYTES>();
        if !rest.is_empty() {
            return Err(EngineError::Records("a log record is cut off"));
        }
        all.extend((first..).zip(entries.iter().map(Entry::decode)));
    }
    Ok(all)
}

/// In-memory trees, rebuilt from the log in the order in which blocks wrote them.
struct Trees {
    config: Config,
    log: BTreeMap<u64, Entry>,
    /// By number of the first write: the tree as the newest block seen so far had it.
    growing: BTreeMap<u64, Memory>,
}

impl Trees {
    fn memory(&mut self, from: u64, to: u64) -> Result<Memory> {
        let new = || Memory { tree: Tree::new(&self.config), from, to: from };
        if from == to {
            // Until memory is full for the first time, the empty merging group begins where the
            // writing one does.
            return Ok(new());
        }
        let memory = self.growing.entry(from).or_insert_with(new);
        for number in memory.to..to {
            let entry = self.log.get(&number).ok_or(EngineError::Records("the log has a gap"))?;
            memory.tree.insert(*entry);
        }
        memory.to = memory.to.max(to);
        Ok(memory.clone())
    }
}
