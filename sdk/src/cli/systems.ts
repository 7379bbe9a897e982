/** The proof systems that the command line knows. */

import { balanceproofs } from '../systems/balanceproofs.js'
import { cole } from '../systems/cole.js'
import { lmpt } from '../systems/lmpt.js'
import { lvmt } from '../systems/lvmt.js'
import { mpt } from '../systems/mpt.js'
import type { ProofSystem, ValueSystem } from '../systems/system.js'
import { verkle } from '../systems/verkle.js'

/** Systems that prove one value of a key: `get value --system NAME`. */
export const VALUE_SYSTEMS: readonly ValueSystem[] = [
  balanceproofs,
  cole,
  lmpt,
  lvmt,
  verkle,
] as readonly unknown[] as ValueSystem[]

/** Systems whose proof files are read. */
export const SYSTEMS: readonly ProofSystem[] = [
  mpt as unknown as ProofSystem,
  ...(VALUE_SYSTEMS as readonly unknown[] as ProofSystem[]),
]
