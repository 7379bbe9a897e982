//! From records and files back to an engine.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use super::{Engine, log_span, memories};
use crate::system::cole::config::Config;
use crate::system::cole::error::{At as _, EngineError, Result};
use crate::system::cole::key::{ENTRY_BYTES, Entry};
use crate::system::cole::run::{self, Cancel, Meta, Run, RunId};
use crate::system::cole::tree::Tree;
use crate::system::cole::view::{Level, Memory, Record, View};

impl Engine {
    /// Opens an engine as it was after the newest block on record.
    ///
    /// * `records`: of the newest blocks, oldest first; as many as the window has stay provable.
    /// * `log`: of the blocks whose writes are not below [`Engine::log_floor`], oldest first.
    ///
    /// Every file is read once and checked; `H_state` of every block is computed again and
    /// compared. Files that no record names are deleted.
    ///
    /// # Errors
    /// [`EngineError::Damaged`] names the file, [`EngineError::Records`] what does not fit.
    pub fn restore(
        directory: &Path,
        config: Config,
        records: &[Vec<u8>],
        log: &[Vec<u8>],
    ) -> Result<Self> {
        std::fs::create_dir_all(directory).at(directory)?;
        let decoded = records.iter().map(|bytes| Record::decode(bytes)).collect::<Option<Vec<_>>>();
        let records = decoded.ok_or(EngineError::Records("a record of a block is malformed"))?;
        let metas: BTreeMap<RunId, Meta> =
            records.iter().flat_map(Record::runs).map(|meta| (meta.id, *meta)).collect();
        run::sweep(directory, &metas.keys().copied().collect::<Vec<_>>())?;
        let open =
            |meta: &Meta| Ok((meta.id, Arc::new(Run::open(directory, &config, *meta, true)?)));
        let runs: BTreeMap<RunId, Arc<Run>> = metas.values().map(open).collect::<Result<_>>()?;
        let mut trees = Trees { config, log: read_log(log)?, growing: BTreeMap::new() };
        let mut views = VecDeque::new();
        for record in &records {
            let view = view(config, record, &runs, &mut trees)?;
            views.push_back(Arc::new(view));
        }
        let head = views.back().cloned();
        let mut engine = Self {
            config,
            directory: directory.to_owned(),
            memories: head.as_ref().map_or_else(|| memories(&config), |head| head.memories.clone()),
            levels: head.as_ref().map_or_else(Vec::new, |head| head.levels.clone()),
            pending: Vec::new(),
            cancel: Cancel::default(),
            next: head
                .and_then(|head| head.memories.first().map(|writing| writing.to))
                .unwrap_or(0),
            views,
            known: runs.keys().copied().collect::<BTreeSet<_>>(),
        };
        engine.restart()?;
        Ok(engine)
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
    trees: &mut Trees,
) -> Result<View> {
    let memory = |(from, to): &(u64, u64)| trees.memory(*from, *to);
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
