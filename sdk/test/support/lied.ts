/**
 * The questions that nodes which lie are asked, in Node.js and in pages: of every system and header
 * source of a devnet. Takes the package as each of them loads it.
 */

import type { balanceproofs } from '../../src/entry/balanceproofs.js'
import type * as colePackage from '../../src/entry/cole.js'
import type { lmpt } from '../../src/entry/lmpt.js'
import type { lvmt } from '../../src/entry/lvmt.js'
import type * as lightproof from '../../src/entry/node.js'
import type { Client, ClientOptions } from '../../src/entry/node.js'
import type { verkle } from '../../src/entry/verkle.js'
import type { Ready } from './liveNode.js'
import { type Answer, essence, type Subject, Tally } from './tally.js'

/** What is tried of the package. */
export type Package = Pick<
  typeof lightproof,
  | 'createClient'
  | 'devnet'
  | 'getAccount'
  | 'getBalance'
  | 'getBlock'
  | 'getCode'
  | 'getStorage'
  | 'getValue'
  | 'getValues'
> &
  typeof colePackage & {
    readonly lmpt: typeof lmpt
    readonly lvmt: typeof lvmt
    readonly verkle: typeof verkle
    readonly balanceproofs: typeof balanceproofs
  }

type Anchor = 'pinned' | 'signed'
const ANCHORS: readonly Anchor[] = ['pinned', 'signed']

/** The chain of the nodes that are asked: so many blocks, of three committees. */
export const BLOCKS = 40
export const SIGNED = ['--committee-size', '8', '--period', '16']
/** A block before the head's. */
const OLD = 37

/** A node that tells a lie. */
export interface LyingNode {
  readonly name: string
  readonly url: string
  /** How the names of the questions begin that the lie is about. */
  readonly about: readonly string[]
}

/** What a node's lies are about, and the questions of each group. */
const GROUPS = {
  mpt: ['header', 'mpt'],
  headers: ['header', 'mpt'],
  signatures: ['header', 'mpt', 'cole', 'lmpt'],
  cole: ['header', 'cole'],
  lmpt: ['header', 'lmpt'],
  lvmt: ['header', 'lvmt'],
  verkle: ['header', 'verkle'],
  balanceproofs: ['header', 'balanceproofs'],
}
export type Group = keyof typeof GROUPS
// Sound: the keys of a constant.
export const groups = Object.keys(GROUPS) as readonly Group[]

const EVERYTHING = ['']

/** A lie about one system is no other's: its questions are that system's and the headers' alone. */
export function aboutNodeLie(group: Group, name: string): readonly string[] {
  return /^(header|forged-child|other-chain|null-reply)/.test(name) ? EVERYTHING : GROUPS[group]
}

/** Some lies of a proxy are about methods of Ethereum alone. */
export function aboutProxyLie(name: string): readonly string[] {
  const ofAll =
    /^(raw-|chain|null|types|empty|text|garbage|deep|cut|drop|error|redirect|drip|flood)/
  return ofAll.test(name) ? EVERYTHING : ['header', 'mpt']
}

/** What became of a liar's answers. */
export interface Outcome {
  readonly alone: Tally
  /** Of a liar with an honest node beside it. */
  readonly beside: Tally
}

export function nothingYet(): Outcome {
  return { alone: new Tally(), beside: new Tally() }
}

/** Questions about a chain whose answers are known. */
export interface Questions {
  readonly names: readonly string[]
  clientOf(anchor: Anchor, urls: readonly string[], options?: Partial<ClientOptions>): Client
  /** Asks nodes what a lie is about under both anchors, and judges the answers. */
  ask(lie: Omit<LyingNode, 'url'>, urls: readonly string[], tally: Tally): Promise<void>
  /** Asks a liar alone, and with the honest node beside it. */
  attack(lie: LyingNode, outcome: Outcome): Promise<void>
}

/** Asks an honest node everything first: its answers are the truth, and each must be proven. */
export async function questionsOf(using: Package, honest: Ready): Promise<Questions> {
  const subjects = subjectsOf(using, honest)
  const clientOf: Questions['clientOf'] = (anchor, urls, options) =>
    using.createClient({
      chain: using.devnet(honest.genesisHash, honest.consensus),
      anchor:
        anchor === 'pinned'
          ? { block: honest.head.hash }
          : { checkpoint: honest.genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY },
      nodes: urls,
      retries: 0,
      // A loaded machine is no liar: only one that drips is to run into it.
      timeoutMs: 30_000,
      // What one question proved, the next one shall not be spared.
      cacheBytes: 0,
      ...options,
    })
  const truth = new Map<string, string>()
  const client = clientOf('pinned', [honest.url])
  for (const { name, ask } of subjects) {
    const said = essence(await ask(client))
    if (!said.startsWith('[')) throw new Error(`an honest node is asked for ${name}: ${said}`)
    truth.set(name, said)
  }
  const ask: Questions['ask'] = async ({ name, about }, urls, tally) => {
    const asked = subjects.filter((one) => about.some((start) => one.name.startsWith(start)))
    for (const anchor of ANCHORS) {
      const client = clientOf(anchor, urls, name === 'drip' ? { timeoutMs: 5000 } : {})
      const answers = await Promise.allSettled(asked.map((one) => one.ask(client)))
      for (const [i, answer] of answers.entries()) {
        const subject = asked[i]?.name ?? ''
        const said = answer.status === 'fulfilled' ? answer.value : (answer.reason as Error)
        tally.judge(name, `${anchor} ${subject}`, said, truth.get(subject))
      }
    }
  }
  return {
    names: subjects.map(({ name }) => name),
    clientOf,
    ask,
    attack: async (lie, { alone, beside }) => {
      await ask(lie, [lie.url], alone)
      await ask(lie, [lie.url, honest.url], beside)
    },
  }
}

/**
 * Of every system, at blocks that are named: held back headers make them untrusted, and never
 * something else.
 */
function subjectsOf(using: Package, { head, samples }: Ready): Subject<Client>[] {
  const contract = samples.find(({ slots }) => slots.length > 1)
  const absent = samples.find(({ kind }) => kind === 'absent')
  if (contract === undefined || absent === undefined) throw new Error('no sample')
  const { address, slots } = contract
  const key = { address, slot: slots[0] ?? 0 }
  const keys = slots.slice(0, 3).map((slot) => ({ address, slot }))
  const at = head.number
  const { cole, lmpt, lvmt, verkle, balanceproofs } = using
  const { getAccount, getBalance, getBlock, getCode, getHistory, getStorage } = using
  const value = (ask: Promise<unknown>): Promise<Answer> => ask as Promise<Answer>
  return [
    { name: 'header', ask: (client) => getBlock(client, { block: at }) },
    { name: 'mpt account', ask: (client) => getAccount(client, { address, at }) },
    { name: 'mpt balance', ask: (client) => getBalance(client, { address, at: OLD }) },
    { name: 'mpt absence', ask: (client) => getBalance(client, { address: absent.address, at }) },
    { name: 'mpt slot', ask: (client) => getStorage(client, { ...key, at }) },
    { name: 'mpt code', ask: (client) => getCode(client, { address, at }) },
    {
      name: 'cole value',
      ask: (client) => value(using.getValue(client, { system: cole, ...key, at })),
    },
    {
      name: 'cole history',
      ask: (client) => value(getHistory(client, { ...key, fromBlock: 2, at })),
    },
    {
      name: 'lmpt value',
      ask: (client) => value(using.getValue(client, { system: lmpt, key, at })),
    },
    {
      name: 'lmpt values',
      ask: (client) => value(using.getValues(client, { system: lmpt, keys, at })),
    },
    {
      name: 'lvmt values',
      ask: (client) => value(using.getValues(client, { system: lvmt, keys, at })),
    },
    {
      name: 'verkle values',
      ask: (client) => value(using.getValues(client, { system: verkle, keys, at })),
    },
    {
      name: 'balanceproofs values',
      ask: (client) =>
        value(using.getValues(client, { system: balanceproofs, keys: [0, 1, 9], at })),
    },
  ]
}
