//! Places for a number of threads; the one that has waited longest is next.

use std::collections::VecDeque;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Places that threads take and give back.
#[derive(Debug)]
pub(super) struct Permits(Mutex<Places>);

#[derive(Debug)]
struct Places {
    free: usize,
    /// Those who wait, the longest first. Invariant: nobody waits while a place is free.
    waiting: VecDeque<SyncSender<()>>,
}

/// A place; given back when it is dropped.
#[derive(Debug)]
pub(super) struct Permit<'a>(&'a Permits);

impl Permits {
    pub(super) fn new(free: usize) -> Self {
        Self(Mutex::new(Places { free, waiting: VecDeque::new() }))
    }

    /// Waits for a place.
    pub(super) fn acquire(&self) -> Permit<'_> {
        let mut places = self.places();
        if places.free > 0 {
            places.free -= 1;
        } else {
            let (send, receive) = sync_channel(1);
            places.waiting.push_back(send);
            drop(places);
            // A place is handed over. The sender stays in the queue until then, so this cannot fail.
            let _ = receive.recv();
        }
        Permit(self)
    }

    /// Nothing panics while it holds the lock.
    fn places(&self) -> MutexGuard<'_, Places> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut places = self.0.places();
        match places.waiting.pop_front() {
            // Its receiver waits, and its channel has room for this.
            Some(next) => _ = next.send(()),
            None => places.free += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn who_waits_longest_is_next() {
        let permits = Permits::new(1);
        let order = Mutex::new(Vec::new());
        let first = permits.acquire();
        thread::scope(|scope| {
            for number in 0..5 {
                let (permits, order) = (&permits, &order);
                scope.spawn(move || {
                    let _permit = permits.acquire();
                    order.lock().unwrap().push(number);
                });
                while permits.places().waiting.len() <= number {
                    thread::yield_now();
                }
            }
            drop(first);
        });
        assert_eq!(order.into_inner().unwrap(), [0, 1, 2, 3, 4]);
        assert_eq!(permits.places().free, 1);
    }

    #[test]
    fn a_maker_that_panics_gives_its_place_back() {
        let permits = Permits::new(1);
        let panicked = thread::scope(|scope| {
            scope
                .spawn(|| {
                    let _permit = permits.acquire();
                    panic!("made to panic");
                })
                .join()
        });
        assert!(panicked.is_err());
        assert_eq!(permits.places().free, 1);
    }
}
