/** The proof systems in words: what the page knows of them before the light client is loaded. */

/** A proof system of the form. */
interface SystemWords {
  readonly name: SystemName
  readonly title: string
  /** What it proves. */
  readonly about: string
}

/** The names of the systems. */
export type SystemName = 'mpt' | 'lmpt' | 'lvmt' | 'verkle' | 'cole' | 'balanceproofs'

/** All of them, in the form's order. */
export const SYSTEMS: readonly SystemWords[] = [
  {
    name: 'mpt',
    title: 'MPT',
    about: 'An account and its storage in Ethereum’s Merkle Patricia trie.',
  },
  { name: 'lmpt', title: 'LMPT', about: 'A key’s newest write over three layered tries.' },
  { name: 'lvmt', title: 'LVMT', about: 'A key’s latest version, opened from vector commitments.' },
  {
    name: 'verkle',
    title: 'Verkle',
    about: 'A key in a wide tree, with one short opening a level.',
  },
  {
    name: 'cole',
    title: 'COLE',
    about: 'Every version of a value between two blocks, none left out.',
  },
  {
    name: 'balanceproofs',
    title: 'BalanceProofs',
    about: 'Balances at many positions of one vector, all by one proof.',
  },
]

/** What a system proves, in a sentence. */
export function aboutSystem(name: string): string {
  return SYSTEMS.find((system) => system.name === name)?.about ?? ''
}

/** The name of a system as people write it. */
export function titleOf(name: string): string {
  return SYSTEMS.find((system) => system.name === name)?.title ?? name
}

/** Ethereum's headers commit to one system only. */
export function isOffered(system: string, chain: string): boolean {
  return chain === 'devnet' || system === 'mpt'
}
