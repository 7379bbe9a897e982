/** Every shared vector of every system. */

import { describe } from 'vitest'
import '../../src/entry/node.js'
import { systems } from '../../src/systems/registry.js'
import { runVectors } from '../support/vectors.js'

for (const system of systems) {
  describe(system.name, async () => runVectors(system))
}
