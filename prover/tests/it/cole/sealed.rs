//! COLE\* in `cole/1`: a merging tree moves from memory to files once a block holds the run that it
//! became. Older blocks prove from there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lightproof_prover::rng::Rng;
use lightproof_prover::store::blobs::Directory;
use lightproof_prover::system::cole::config::Config;
use lightproof_prover::system::cole::digest::blake2b;
use lightproof_prover::system::cole::engine::Engine;
use lightproof_prover::system::cole::key::Address;
use lightproof_prover::system::cole::prove::Query;
use lightproof_prover::system::cole::view::{Group, View};
use lightproof_prover::system::cole::{EngineError, Kind};

use super::model::{Kept, judge, scratch};
use super::random::{address, writes};

const ADDRESSES: u64 = 300;

fn config() -> Config {
    Config { kind: Kind::ColeStar, capacity: 24, ratio: 2, window: 12, ..Config::default() }
}

type Writes = Vec<(Address, [u8; 32])>;

/// Small blocks, that fill memory together, and wide ones.
fn block(rng: &mut Rng) -> Writes {
    let most = rng.pick(&[3, 9, 400]);
    writes(rng, ADDRESSES, most)
}

fn entries(group: &Group) -> u64 {
    group.memory().map_or(0, |memory| memory.tree.extent().entries)
}

fn sealed(view: &View) -> bool {
    view.memories.iter().any(|group| matches!(group, Group::Sealed(_)))
}

fn queries(rng: &mut Rng, head: u32) -> Vec<Query> {
    let one = |_| {
        let address = address(rng.below(ADDRESSES + 9));
        let mut block = || u32::try_from(rng.below(u64::from(head) + 2)).unwrap();
        let (from, to) = (block(), block());
        let (from, to) = (from.min(to), from.max(to));
        [Query { as_of: true, address, from: to, to }, Query { as_of: false, address, from, to }]
    };
    let edges =
        [[0; 52], [0xff; 52]].map(|address| Query { as_of: false, address, from: 0, to: head });
    (0..40).flat_map(one).chain(edges).collect()
}

#[test]
fn the_same_bytes_are_proven_from_a_tree_in_memory_and_from_its_files() {
    for (fanout, capacity) in [(2, 6), (3, 24), (4, 24), (16, 40), (256, 300)] {
        let config = Config { fanout, capacity, window: 60, ..config() };
        let (directory, mut rng) = (scratch(), Rng::new(31, "sealed", u64::from(fanout)));
        let mut kept = Kept::create(directory.path(), config);
        // As the blocks were when they were made: with their trees in memory.
        let mut fresh: Vec<Arc<View>> = Vec::new();
        for number in 1..=50 {
            kept.apply(number, &block(&mut rng));
            fresh.push(kept.engine.view(number).unwrap());
        }
        for restarted in [false, true] {
            if restarted {
                kept = kept.restart(directory.path());
            }
            let mut from_files = 0;
            for fresh in &fresh {
                let view = kept.engine.view(fresh.block).unwrap();
                assert!(!sealed(fresh));
                from_files += u32::from(sealed(&view));
                for query in queries(&mut rng, fresh.block) {
                    let expected = fresh.prove(&query).unwrap();
                    assert_eq!(view.prove(&query).unwrap(), expected, "{query:?}");
                    let [expected, found] =
                        [fresh, &view].map(|view| view.get(&query.address, query.to).unwrap());
                    assert_eq!(found, expected);
                }
            }
            assert!(from_files > 40, "{from_files} blocks");
        }
    }
}

#[test]
fn only_the_newest_merging_tree_stays_in_memory_and_its_log_alone_is_needed() {
    let (directory, mut rng) = (scratch(), Rng::new(32, "sealed", 0));
    let mut kept = Kept::create(directory.path(), config());
    let mut widest = 0;
    for number in 1..=40 {
        let writes = block(&mut rng);
        widest = widest.max(writes.len());
        kept.apply(number, &writes);
        let head = kept.engine.view(number).unwrap();
        for number in kept.engine.oldest().unwrap()..number {
            let view = kept.engine.view(number).unwrap();
            let [writing, merging] = &view.memories[..] else { panic!("two trees") };
            assert!(entries(writing) < 12, "{} entries", entries(writing));
            let newest = head.memories[1].memory().unwrap();
            let same = merging.memory().is_none_or(|merging| merging.from == newest.from);
            assert!(entries(merging) == 0 || same, "block {number} holds {}", entries(merging));
        }
        let engine = &kept.engine;
        kept.log.retain(|log| engine.needs(log));
        let needed: usize = kept.log.iter().map(|log| log.len() / 88).sum();
        // A wide block fills memory at once, together with what the small ones before it left.
        assert!(needed < widest + 12 * 12, "{needed} writes");
        if number % 7 == 0 {
            kept = kept.restart(directory.path());
        }
    }
    assert!(widest > 150, "{widest} writes");
}

/// The directory as a kill at this moment leaves it.
fn killed(directory: &Path) -> tempfile::TempDir {
    let copy = scratch();
    for file in std::fs::read_dir(directory).unwrap() {
        let path = file.unwrap().path();
        let copied = std::fs::copy(&path, copy.path().join(path.file_name().unwrap()));
        // Threads are at work: a file may have got its name since.
        let renamed = path.extension().is_some_and(|one| one == "part");
        assert!(copied.is_ok() || renamed, "{}", path.display());
    }
    copy
}

#[test]
fn a_kill_before_or_after_a_block_is_durable_loses_no_height() {
    let (directory, mut rng) = (scratch(), Rng::new(33, "sealed", 0));
    let mut kept = Kept::create(directory.path(), config());
    let mut fresh: Vec<Arc<View>> = Vec::new();
    let mut from_files = 0;
    for number in 1..=30 {
        let writes = block(&mut rng);
        let before = (kept.records.clone(), kept.log.clone());
        let applied = kept.engine.apply(number, &writes).unwrap();
        let left = killed(directory.path());
        let mut again =
            Engine::restore(Directory::files(left.path()), config(), &before.0, &before.1).unwrap();
        assert_eq!(again.apply(number, &writes).unwrap(), applied);
        fresh.push(kept.engine.view(number).unwrap());
        kept.records.push(applied.record);
        kept.records.drain(..kept.records.len().saturating_sub(12));
        kept.log.push(applied.log);
        let engine = &kept.engine;
        kept.log.retain(|log| engine.needs(log));
        let after = killed(directory.path());
        kept.engine.durable().unwrap();
        let cleared = killed(directory.path());
        let restored = [after, cleared].map(|left| {
            let engine =
                Engine::restore(Directory::files(left.path()), config(), &kept.records, &kept.log)
                    .unwrap();
            (left, engine)
        });
        for engine in restored.iter().map(|(_, engine)| engine).chain([&again]) {
            for block in engine.oldest().unwrap()..=number {
                let view = engine.view(block).unwrap();
                from_files += u32::from(sealed(&view));
                for query in queries(&mut rng, block).into_iter().take(4) {
                    let expected = fresh[block as usize - 1].prove(&query).unwrap();
                    assert_eq!(view.prove(&query).unwrap(), expected, "{query:?}");
                }
            }
        }
    }
    assert!(from_files > 500, "{from_files} views");
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(directory).unwrap().map(|file| file.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|one| one == "mbt")).collect()
}

/// The files of the trees that some block of the window proves from.
fn used(engine: &Engine, directory: &Path) -> Vec<PathBuf> {
    let views = engine.oldest().unwrap()..=engine.head().unwrap();
    let groups = views.flat_map(|block| engine.view(block).unwrap().memories.clone());
    let mut used: Vec<PathBuf> = groups
        .filter_map(|group| match group {
            Group::Memory(_) => None,
            Group::Sealed(sealed) => {
                let id = sealed.run().meta().id;
                Some(directory.join(format!("0-{}-{}.mbt", id.from, id.to)))
            }
        })
        .collect();
    used.dedup();
    used
}

#[test]
fn a_damaged_or_foreign_file_of_a_tree_is_an_error() {
    // The same numbers of writes of other values: files of the same names and sizes.
    let [one, other] = [1, 2].map(|value| {
        let directory = scratch();
        let mut kept = Kept::create(directory.path(), config());
        for number in 1..=20 {
            let writes: Writes = (0..30).map(|at| ([at; 52], [value; 32])).collect();
            kept.apply(number, &writes);
        }
        (directory, kept)
    });
    let (directory, kept) = one;
    let used = used(&kept.engine, directory.path());
    assert!(used.len() > 8, "{} files", used.len());
    let Kept { engine, records, log } = kept;
    let log: Vec<_> = log.into_iter().filter(|log| engine.needs(log)).collect();
    drop(engine);
    let restore = || Engine::restore(Directory::files(directory.path()), config(), &records, &log);
    for path in &used {
        let whole = std::fs::read(path).unwrap();
        let mut changed = whole.clone();
        changed[whole.len() / 2] ^= 1;
        for damaged in
            [whole[..whole.len() - 1].to_vec(), whole[40..].to_vec(), changed, Vec::new()]
        {
            std::fs::write(path, damaged).unwrap();
            let Err(EngineError::Damaged { path: named, .. }) = restore() else {
                panic!("restored")
            };
            assert_eq!(&named, path);
        }
        let (content, _) = whole.split_at(whole.len() - 32);
        // The checksum is right. The last leaf ends with another number of entries than the run has.
        let mut more = content.to_vec();
        more[content.len() - 33] += 1;
        let longer = [content, &[0]].concat();
        let shorter = &content[..content.len() - 40];
        for damaged in [&more, &longer, shorter, &content[40..], &content[1..], &[]] {
            std::fs::write(path, [damaged, &blake2b(damaged)].concat()).unwrap();
            assert!(matches!(restore(), Err(EngineError::Damaged { .. })));
        }
        let foreign = other.0.path().join(path.file_name().unwrap());
        std::fs::copy(foreign, path).unwrap();
        assert!(restore().unwrap_err().to_string().contains("H_state"));
        std::fs::remove_file(path).unwrap();
        assert!(restore().unwrap_err().to_string().contains(&path.display().to_string()));
        std::fs::write(path, whole).unwrap();
    }
    assert!(restore().is_ok());
    drop(other);
}

/// Its root and the last record of each depth are as they were, and so is its checksum.
#[test]
fn nodes_that_do_not_follow_each_other_are_refused_by_the_engine_or_the_verifier() {
    let directory = scratch();
    let mut kept = Kept::create(directory.path(), config());
    for number in 1..=4 {
        let writes: Writes = (0..30).map(|at| ([at; 52], [1; 32])).collect();
        kept.apply(number, &writes);
    }
    let path = used(&kept.engine, directory.path()).remove(0);
    let query = |at| Query { as_of: false, address: [at; 52], from: 1, to: 4 };
    let view = kept.engine.view(1).unwrap();
    assert!(sealed(&view));
    let honest: Vec<_> = (0..30).map(|at| view.prove(&query(at)).unwrap()).collect();
    let content = std::fs::read(&path).unwrap();
    let (content, _) = content.split_at(content.len() - 32);
    let mut refused = 0;
    for record in 0..content.len() / 40 {
        for end in [0, 1, 1 << 40, u64::MAX] {
            let mut changed = content.to_vec();
            changed[40 * record..40 * record + 8].copy_from_slice(&end.to_be_bytes());
            std::fs::write(&path, [&changed[..], &blake2b(&changed)].concat()).unwrap();
            for (at, honest) in (0..).zip(&honest) {
                match view.prove(&query(at)) {
                    Ok(proof) if &proof == honest => {}
                    Ok(proof) => {
                        judge(&view.config, &view.state, 1, &query(at), &proof).unwrap_err();
                    }
                    Err(EngineError::Damaged { path: named, .. }) => {
                        assert_eq!(named, path);
                        refused += 1;
                    }
                    Err(other) => panic!("{other}"),
                }
            }
        }
    }
    assert!(refused > 100, "{refused} proofs");
}

/// The engine looks at the file when it gives up the tree.
#[test]
fn a_tree_is_not_given_up_for_the_file_of_another_one() {
    let (directory, other) = (scratch(), scratch());
    let mut engines = [(&directory, 1), (&other, 2)].map(|(directory, value)| {
        let mut kept = Kept::create(directory.path(), config());
        kept.apply(1, &(0..30).map(|at| ([at; 52], [value; 32])).collect::<Writes>());
        kept
    });
    // A file gets its name when it is whole.
    for directory in [&directory, &other] {
        while files(directory.path()).is_empty() {
            std::thread::yield_now();
        }
    }
    std::fs::copy(&files(other.path())[0], &files(directory.path())[0]).unwrap();
    let [kept, _] = &mut engines;
    let error = kept.engine.apply(2, &[([9; 52], [1; 32])]);
    // The next block fills nothing; the one after it does.
    assert!(error.is_ok());
    let writes: Writes = (0..30).map(|at| ([at; 52], [3; 32])).collect();
    let Err(EngineError::Damaged { path, .. }) = kept.engine.apply(3, &writes) else {
        panic!("applied")
    };
    assert_eq!(path, files(directory.path())[0]);
}
