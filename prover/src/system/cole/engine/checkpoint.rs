//! Algorithms 1 and 5: when memory and levels are full.

use std::sync::Arc;

use super::{Engine, Group, Pending, Sealed};
use crate::system::cole::config::Kind;
use crate::system::cole::error::{EngineError, Result};
use crate::system::cole::run::{self, Run, RunId};
use crate::system::cole::tree::Tree;
use crate::system::cole::view::{Level, Memory};

impl Engine {
    /// Flushes and merges whatever is full.
    pub(super) fn checkpoint(&mut self) -> Result<()> {
        let full = self
            .memories
            .first()
            .is_some_and(|memory| memory.tree.extent().entries >= self.config.memory_capacity());
        match self.config.kind {
            _ if !full => Ok(()),
            Kind::Cole => self.flush_now(),
            Kind::ColeStar => self.switch_all(),
        }
    }

    /// COLE: the flush and all merges that follow from it happen within the block.
    fn flush_now(&mut self) -> Result<()> {
        let Some(memory) = self.memories.first_mut() else { return Ok(()) };
        let full = std::mem::replace(memory, empty(Tree::new(&self.config), memory.to));
        let job = self.flush_job(&full);
        let run = job()?;
        self.add_run(0, Arc::new(run));
        let mut index = 0;
        while self.is_full(index) {
            let runs = std::mem::take(&mut self.levels[index].writing);
            let job = self.merge_job(index, runs)?;
            let run = job()?;
            self.add_run(index + 1, Arc::new(run));
            index += 1;
        }
        Ok(())
    }

    /// COLE\*: each full group commits the run that its level's merging group became, takes the
    /// merging group's place, and starts a thread. What a block commits to depends on these
    /// checkpoints alone, never on a thread's pace.
    fn switch_all(&mut self) -> Result<()> {
        self.commit(0)?;
        if let [writing, merging] = self.memories.as_mut_slice() {
            let next = empty(Tree::new(&self.config), writing.to);
            *merging = std::mem::replace(writing, next);
        }
        self.start(0)?;
        let mut index = 0;
        while self.is_full(index) {
            self.commit(index + 1)?;
            let level = &mut self.levels[index];
            level.merging = std::mem::take(&mut level.writing);
            self.start(index + 1)?;
            index += 1;
        }
        Ok(())
    }

    /// Commit checkpoint of group `stage` (0 is memory, i + 1 is level i): waits for its thread if
    /// it must.
    fn commit(&mut self, stage: usize) -> Result<()> {
        let Some(pending) = self.pending.get_mut(stage).and_then(Option::take) else {
            return Ok(());
        };
        let run = pending.join().map_err(|_| EngineError::Records("a merge thread panicked"))??;
        let run = Arc::new(run);
        match stage.checked_sub(1) {
            None => {
                let next = self.memories.first().map_or(0, |writing| writing.from);
                if let Some(merging) = self.memories.get_mut(1) {
                    let next = empty(Tree::new(&self.config), next);
                    let merged = std::mem::replace(merging, next);
                    self.seal(&merged, &run)?;
                }
            }
            Some(index) => self.levels[index].merging.clear(),
        }
        self.add_run(stage, run);
        Ok(())
    }

    /// `memory` became `run`: blocks that committed to its tree prove from files from now on.
    fn seal(&mut self, memory: &Memory, run: &Arc<Run>) -> Result<()> {
        if !self.config.seals() {
            return Ok(());
        }
        let sealed = Sealed::open(&self.files, Arc::clone(run), Some(&memory.tree))?;
        let sealed = Arc::new(sealed);
        let same = |group: &Group| group.memory().is_some_and(|one| one.span() == memory.span());
        for view in self.views.iter_mut().filter(|view| view.memories.iter().any(same)) {
            for group in Arc::make_mut(view).memories.iter_mut().filter(|group| same(group)) {
                *group = Group::Sealed(Arc::clone(&sealed));
            }
        }
        Ok(())
    }

    /// Start checkpoint of group `stage`: its merging group becomes a run in the background.
    pub(super) fn start(&mut self, stage: usize) -> Result<()> {
        while self.pending.len() <= stage {
            self.pending.push(None);
        }
        self.pending[stage] = Some(match stage.checked_sub(1) {
            None => {
                let Some(merging) = self.memories.get(1) else { return Ok(()) };
                spawn(self.flush_job(merging))?
            }
            Some(index) => {
                let runs = self.levels[index].merging.clone();
                spawn(self.merge_job(index, runs)?)?
            }
        });
        Ok(())
    }

    fn is_full(&self, index: usize) -> bool {
        let full = usize::from(self.config.ratio.max(2));
        self.levels.get(index).is_some_and(|level| level.writing.len() >= full)
    }

    /// The newest run of a level.
    fn add_run(&mut self, index: usize, run: Arc<Run>) {
        while self.levels.len() <= index {
            self.levels.push(Level::default());
        }
        self.known.insert(run.meta().id);
        self.levels[index].writing.insert(0, run);
    }

    fn flush_job(&self, memory: &Memory) -> impl FnOnce() -> Result<Run> + Send + use<> {
        let (files, config, cancel) = (Arc::clone(&self.files), self.config, self.cancel.clone());
        let id = RunId { level: 0, from: memory.from, to: memory.to };
        let tree = memory.tree.clone();
        move || {
            let (count, entries) = (tree.extent().entries, tree.leaves());
            let entries = entries.into_iter().map(Ok);
            let sealed = config.seals().then_some(&tree);
            run::write(&*files, &config, id, count, entries, sealed, &cancel)
        }
    }

    /// Merges `runs` of a level, newest first, into a run of the next one.
    fn merge_job(
        &self,
        index: usize,
        runs: Vec<Arc<Run>>,
    ) -> Result<impl FnOnce() -> Result<Run> + Send + use<>> {
        let (files, config, cancel) = (Arc::clone(&self.files), self.config, self.cancel.clone());
        let level = u8::try_from(index + 1).map_err(|_| EngineError::Usage("over 255 levels"))?;
        let (Some(newest), Some(oldest)) = (runs.first(), runs.last()) else {
            return Err(EngineError::Records("a merge of no runs"));
        };
        let id = RunId { level, from: oldest.meta().id.from, to: newest.meta().id.to };
        Ok(move || run::merge(&*files, &config, id, &runs, &cancel))
    }
}

fn empty(tree: Tree, at: u64) -> Memory {
    Memory { tree, from: at, to: at }
}

fn spawn(job: impl FnOnce() -> Result<Run> + Send + 'static) -> Result<Pending> {
    let named = std::thread::Builder::new().name("cole-merge".into());
    named.spawn(job).map_err(|_| EngineError::Records("no thread for a merge"))
}
