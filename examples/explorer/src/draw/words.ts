/** What each step of a check is called, and what it proves. */

import type { Step } from 'lightproof/trace'
import { whatFailed } from '../answer/words.js'
import { grouped } from '../parts/format.js'

/** A step in words. */
export interface StepWords {
  readonly title: string
  readonly sentence: string
}

type Teller = (step: Step) => StepWords

const words = (title: string, sentence: string): Teller => {
  return () => ({ title, sentence })
}

const number = (value: unknown): string => (typeof value === 'number' ? grouped(value) : '')
const levelOf = ({ level }: Step): string => (typeof level === 'number' ? `, level ${level}` : '')

const TELLERS: Readonly<Record<string, Teller>> = {
  'hashed header': ({ header, number: block }) => ({
    title: `Header of block ${number(block)}`,
    sentence:
      header === 0 || header === undefined
        ? 'These bytes hash to the block hash that you trust.'
        : 'These bytes hash to the parent hash in the header above.',
  }),
  'compared commitment': words(
    'The commitment in the header',
    'The header commits to the whole state by this one value. Everything below must lead up to it.',
  ),
  'entered pinned root': words('The root that you pinned', 'Trust starts at this very root.'),
  'hashed checkpoint': ({ number: at }) => ({
    title: `Header ${number(at)}`,
    sentence:
      'These bytes hash to the checkpoint where trust starts, or to a header that was proven from it.',
  }),
  'hashed committee': ({ keys }) => ({
    title: `A committee of ${number(keys)} keys`,
    sentence: 'The keys hash to one root, so that a header can name all of them by it.',
  }),
  'compared committee root': words(
    'The header names this committee',
    'The committee’s root is the one in the header, so nobody could put other keys in its place.',
  ),
  'compared participation': ({ signed, of }) => ({
    title: `${number(signed)} of ${number(of)} signed`,
    sentence:
      'As many as the rules ask for. Who they are is said bit by bit, and each filled dot is one of them.',
  }),
  'compared period': ({ period }) => ({
    title: `In period ${number(period)}`,
    sentence: 'It was signed while the committee that is known was the one to sign.',
  }),
  'hashed signed header': ({ number: at }) => ({
    title: `Header ${number(at)}`,
    sentence: 'Its hash is what the committee signed.',
  }),
  'compared finalized header': ({ number: at }) => ({
    title: `It calls header ${number(at)} final`,
    sentence: 'A branch of hashes leads from the final header to the state root of the signed one.',
  }),
  'settled signature': ({ terms }) => ({
    title: 'The signature holds',
    sentence: `The keys of those who signed, added up${typeof terms === 'number' ? ` in ${number(terms)} additions` : ''}, fit the one signature of them all: two pairings cancel.`,
  }),
  'compared committee keys': ({ keys }) => ({
    title: `${number(keys)} keys are sound`,
    sentence: 'Each is a point of the right group, and their sum is the one that is named.',
  }),
  'compared rules': ({ finalized, head, next }) => ({
    title:
      [
        ...(finalized === true
          ? ['The newest final header']
          : head === true
            ? ['The newest header']
            : []),
        ...(next === true ? ['the next committee is known'] : []),
      ].join(', ') || 'Nothing newer',
    sentence: 'What the light client holds from here on.',
  }),
  'hashed trie node': ({ depth }) => ({
    title: 'Node',
    sentence:
      depth === 0
        ? 'It hashes to the root of this trie, so it is the trie’s first node.'
        : 'It hashes to what the node above holds for the key’s next digits, so it is the only node ' +
          'that can stand there.',
  }),
  'compared leaf': words(
    'The key’s own value',
    'The path down to here spells out the key to its last digit, so this value is the key’s.',
  ),
  'compared end': ({ by }) => ({
    title: 'The path ends without the key',
    sentence: `The only place where the key could be is taken by ${by === undefined ? 'nothing or another' : `the ${String(by)}`}: the key is proven absent.`,
  }),
  'compared branch': ({ nibble }) => ({
    title: `On at ${typeof nibble === 'number' ? nibble.toString(16) : 'the next digit'}`,
    sentence: 'The next digit of the key’s hash says which child to follow.',
  }),
  'compared extension': ({ nibbles }) => ({
    title: `A prefix of ${number(nibbles)} digits`,
    sentence: 'All keys below share these digits, and the key that was asked for has them too.',
  }),
  'compared newest write': ({ deleted }) => ({
    title: deleted === true ? 'The newest write: a deletion' : 'The newest write',
    sentence: 'Every layer above is shown to hold no write of the key, so this one is the newest.',
  }),
  'compared question': words(
    'The question',
    'The proof is about the address and the blocks that were asked for.',
  ),
  'compared neighbour': ({ side }) => ({
    title: `The ${String(side ?? '')} neighbour`,
    sentence: 'A leaf beside the place where the key would stand.',
  }),
  'compared sub-AMT': ({ version }) => ({
    title: `The tree below, version ${number(version)}`,
    sentence: 'Version 0 of the leaf above says which commitment of the tree below is the newest.',
  }),
  'compared owner': ({ slot }) => ({
    title: `Slot ${number(slot)} is another key’s`,
    sentence: 'A slot is its owner’s for good: the key that was asked for is not in it.',
  }),
  'opened aggregate': words(
    'One opening for everything',
    'All that was claimed, weighted and added up, is opened by these points.',
  ),
  'compared claimed field': ({ field }) => ({
    title: `Claimed ${String(field ?? 'field')}`,
    sentence: 'What the node claimed beside its proof equals what the proof shows.',
  }),
  'hashed code': words('The code', 'It hashes to the code hash in the account’s leaf.'),
  'hashed layer roots': words(
    'The roots of the three layers',
    'Snapshot, intermediate and delta hash together to the commitment in the header.',
  ),
  'compared empty layer': words(
    'An empty layer',
    'The root of this layer is that of an empty trie: it holds no write of the key.',
  ),
  'compared neighbours': words(
    'Two leaves beside each other',
    'The key would stand between them, and nothing stands between them.',
  ),
  'compared extent': ({ first, last, form }) => ({
    title: `Blocks ${number(first)} to ${number(last)}`,
    sentence:
      form === 'open'
        ? 'This source holds the writes of these blocks. It is opened around the address.'
        : 'The writes of these blocks cannot matter to the question, so the source stays closed by the rule.',
  }),
  'compared left neighbour': ({ edge }) =>
    edge === true
      ? { title: 'The left edge', sentence: 'Nothing in this source comes before.' }
      : {
          title: 'The neighbour before',
          sentence:
            'It is older than the range, or of another address. Nothing stands between it and the first version.',
        },
  'compared right neighbour': ({ edge }) =>
    edge === true
      ? { title: 'The right edge', sentence: 'Nothing in this source comes after.' }
      : {
          title: 'The neighbour behind',
          sentence:
            'It is newer than the range, or of another address. Nothing stands between it and the last version.',
        },
  'compared version': ({ block }) => ({
    title: `A version, written in block ${number(block)}`,
    sentence: 'It lies in the range, and stands in its place in the order of all writes.',
  }),
  'hashed opened range': words(
    'The opened range',
    'Entries next to each other, hashed up through the layers of the tree. They give the root of ' +
      'this source: none between them is left out.',
  ),
  'hashed source': words('Source', 'Its size, its blocks and its tree hash to this digest.'),
  'hashed H_state': words(
    'All sources together',
    'The digests of all sources, newest first, hash to the commitment in the header: none is left out.',
  ),
  'hashed sub-AMT tuple': (step) => ({
    title: `Commitment of the tree below${levelOf(step)}`,
    sentence: 'The block that wrote it last bound commitment and version together.',
  }),
  'hashed owner tuple': (step) => ({
    title: `Owner of a slot${levelOf(step)}`,
    sentence: 'Another key holds this slot for good, so the key that was asked for cannot.',
  }),
  'hashed key tuple': ({ block }) => ({
    title: 'The write itself',
    sentence: `Key, version and value, as block ${number(block)} wrote them.`,
  }),
  'hashed block path': ({ block }) => ({
    title: `Block ${number(block)} in the list of all blocks`,
    sentence: 'The root of that block’s writes hashes up to the list that the header commits to.',
  }),
  'opened leaf': (step) => ({
    title: `Leaf ${number(step['index'])}${levelOf(step)}`,
    sentence:
      'The commitment opens at this leaf to these six versions and to no others: of the tree below, then of five keys.',
  }),
  'compared present': words(
    'The newest version',
    'The version in the leaf is the one that was written: no newer write exists.',
  ),
  'compared absent': words(
    'No slot is the key’s',
    'Every slot that the key could have is another’s, or unused: it was never written.',
  ),
  'compared path node': ({ level, digit, branching }) => ({
    title: `Level ${number(level)}: branch ${number(digit)} of ${number(branching)}`,
    sentence:
      'The hash of the key says which branch to take. The node’s commitment must open there to what stands below.',
  }),
  'opened slot': ({ level, digit }) => ({
    title: `Opening of level ${number(level)} at ${number(digit)}`,
    sentence:
      'The node’s commitment opens at this branch to what stands below, and to nothing else.',
  }),
  'compared terminal': ({ found }) => ({
    title: found === 'present' ? 'The key’s own leaf' : 'Not there',
    sentence:
      found === 'present'
        ? 'The last branch holds the leaf of exactly this key and value.'
        : 'The last branch is empty, or holds the leaf of another key: this one is absent.',
  }),
  'drew aggregate seed': words(
    'Weights for all openings',
    'Drawn from everything that is claimed, so that nobody could choose claims to fit them.',
  ),
  'drew challenges': words(
    'A random point',
    'Drawn from commitment, positions and values, so that no proof could be made to fit it.',
  ),
  'compared position': ({ position }) => ({
    title: `Position ${number(position)}`,
    sentence: 'Its value goes into the equation: with any other, the equation fails.',
  }),
  'settled equations': ({ equations, terms, loops }) => ({
    title: `${number(equations)} ${equations === 1 ? 'equation' : 'equations'}, settled`,
    sentence: `All openings hold: one product of ${number(loops)} pairings, after ${number(terms)} multiplications of points.`,
  }),
}

/** A step in words; steps that have none keep their own. */
export function wordsOf(step: Step): StepWords {
  if (step.kind === 'rejected') {
    const known: Readonly<Record<string, string>> = whatFailed
    return { title: 'Here it breaks', sentence: known[step.what] ?? step.what }
  }
  const teller = TELLERS[`${step.kind} ${step.what}`]
  if (teller !== undefined) return teller(step)
  if (step.kind === 'opened') {
    return {
      title: `Opening, ${step.what}`,
      sentence: 'The commitment opens to these values, and to no others.',
    }
  }
  const title = step.what.charAt(0).toUpperCase() + step.what.slice(1)
  return { title, sentence: `${title}: ${step.kind}, and it fits.` }
}
