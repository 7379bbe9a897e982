//! RLP taken apart, however deep, changed, and put together again: most of what comes out is still
//! decoded, so that the checks behind the decoder are asked.

use crate::dice::Dice;
use crate::spans;
use lightproof_core::wire::{self, Reader};
use lightproof_testkit::Rlp;

/// Deepest nesting that is taken apart; what is deeper stays bytes.
const DEPTH: usize = 12;

/// An item of RLP.
#[derive(Clone)]
pub(crate) enum Item {
    Str(Vec<u8>),
    List(Vec<Item>),
    /// A string whose bytes are a list in RLP, as a trie's nodes are.
    Inner(Vec<Item>),
}

impl Item {
    /// The one list that the bytes are; else a string.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        list(bytes, DEPTH).map_or_else(|| Self::Str(bytes.to_vec()), Self::List)
    }

    /// The bytes that [`Self::of`] takes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Str(bytes) => bytes.clone(),
            Self::List(_) | Self::Inner(_) => self.rlp().encode(),
        }
    }

    fn rlp(&self) -> Rlp {
        let items = |items: &[Self]| Rlp::list(items.iter().map(Self::rlp));
        match self {
            Self::Str(bytes) => Rlp::str(bytes),
            Self::List(all) => items(all),
            Self::Inner(all) => Rlp::Str(items(all).encode()),
        }
    }

    fn children(&self) -> &[Self] {
        match self {
            Self::Str(_) => &[],
            Self::List(all) | Self::Inner(all) => all,
        }
    }

    /// How many items it has, itself among them.
    fn count(&self) -> usize {
        1 + self.children().iter().map(Self::count).sum::<usize>()
    }

    /// The item of a number below [`Self::count`].
    fn at(&mut self, mut number: usize) -> &mut Self {
        if number == 0 {
            return self;
        }
        number -= 1;
        let (Self::List(all) | Self::Inner(all)) = self else { panic!("no such item") };
        for item in all {
            let count = item.count();
            if number < count {
                return item.at(number);
            }
            number -= count;
        }
        panic!("no such item")
    }

    /// Changes an item somewhere.
    ///
    /// * `donor`: another proof, of which pieces are taken.
    pub(crate) fn edit(&mut self, donor: &Self, dice: &mut Dice) {
        let place = dice.below(self.count());
        let number = dice.below(donor.count());
        let foreign = donor.clone().at(number).clone();
        let own = self.clone().at(dice.below(self.count())).clone();
        let item = self.at(place);
        match dice.below(8) {
            0 => *item = foreign,
            1 => *item = own,
            _ => match item {
                Self::Str(bytes) => spans::edit(bytes, &foreign.bytes(), dice),
                Self::List(all) | Self::Inner(all) => edit_list(all, foreign, dice),
            },
        }
    }
}

fn edit_list(all: &mut Vec<Item>, foreign: Item, dice: &mut Dice) {
    let at = dice.below(all.len());
    if all.is_empty() {
        all.push(foreign);
        return;
    }
    match dice.below(7) {
        0 => drop(all.remove(at)),
        1 => all.insert(at, all[at].clone()),
        2 => {
            let other = dice.below(all.len());
            all.swap(at, other);
        }
        3 => all.truncate(at),
        4 => all.reverse(),
        5 => all.insert(at, foreign),
        _ => all[at] = Item::Str(Vec::new()),
    }
}

fn list(bytes: &[u8], depth: usize) -> Option<Vec<Item>> {
    if bytes.first().is_none_or(|first| *first < 0xc0) || depth == 0 {
        return None;
    }
    let mut reader = Reader::new(bytes);
    let wire::Item::List { items, .. } = reader.item("item").ok()? else { return None };
    reader.is_empty().then(|| read(items, depth - 1)).flatten()
}

fn read(mut reader: Reader<'_>, depth: usize) -> Option<Vec<Item>> {
    let mut all = Vec::new();
    while !reader.is_empty() {
        all.push(match reader.item("item").ok()? {
            wire::Item::String(string) => list(string.bytes, depth)
                .map_or_else(|| Item::Str(string.bytes.to_vec()), Item::Inner),
            wire::Item::List { .. } if depth == 0 => return None,
            wire::Item::List { items, .. } => Item::List(read(items, depth - 1)?),
        });
    }
    Some(all)
}
