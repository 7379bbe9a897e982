/** The proof systems in words: what the page knows of them before the light client is loaded. */

import type { SystemName as AnySystem } from 'lightproof'

/** The systems that the form offers: those of single values. */
export type SystemName = Exclude<AnySystem, 'body'>

/** A proof system of the form. */
interface SystemWords {
  readonly title: string
  /** What it proves. */
  readonly about: string
}

/** All of them, in the form's order. */
const WORDS: Readonly<Record<SystemName, SystemWords>> = {
  mpt: {
    title: 'MPT',
    about: 'An account and its storage in Ethereum’s Merkle Patricia trie.',
  },
  lmpt: { title: 'LMPT', about: 'A key’s newest write over three layered tries.' },
  lvmt: { title: 'LVMT', about: 'A key’s latest version, opened from vector commitments.' },
  verkle: { title: 'Verkle', about: 'A key in a wide tree, with one short opening a level.' },
  cole: {
    title: 'COLE',
    about: 'Every version of a value between two blocks, none left out.',
  },
  balanceproofs: {
    title: 'BalanceProofs',
    about: 'Balances at many positions of one vector, all by one proof.',
  },
}

/** All of them, in the form's order. */
export const SYSTEMS: readonly (SystemWords & { readonly name: SystemName })[] = Object.entries(
  WORDS,
).map(([name, words]) => ({ name: name as SystemName, ...words }))

/** What is asked beside one system's facts. */
const QUESTIONS: Readonly<Record<string, string>> = {
  transfers:
    'Every transfer of a token to and from an account, none left out: from receipts, and by COLE.',
  call: 'What a contract answers: its code runs here, and all that it reads is proven.',
}

/** What a system proves, or what a question is about, in a sentence. */
export function aboutSystem(name: string): string {
  return SYSTEMS.find((system) => system.name === name)?.about ?? QUESTIONS[name] ?? ''
}

/** The name of a system as people write it. */
export function titleOf(name: string): string {
  return SYSTEMS.find((system) => system.name === name)?.title ?? name
}

/** Ethereum's headers commit to one system only, and its blocks alone have an EVM's state. */
export function isOffered(system: string, chain: string): boolean {
  if (system === 'call') return chain !== 'devnet'
  if (system === 'transfers') return true
  return chain === 'devnet' || system === 'mpt'
}
