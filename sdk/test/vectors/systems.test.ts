/** Every shared vector of every system. */

import { describe } from 'vitest'
import '../../src/entry/node.js'
import { type SystemName, systems } from '../../src/systems/registry.js'
import { runVectors } from '../support/vectors.js'

/** Numbers of vectors. */
const COUNTS: Readonly<Record<SystemName, number>> = {
  balanceproofs: 1207,
  body: 253,
  cole: 394,
  lmpt: 632,
  lvmt: 613,
  mpt: 229,
  verkle: 548,
}

for (const system of systems) {
  describe(system.name, async () => runVectors(system, COUNTS[system.name]))
}
