/** Every shared vector of lvmt. */

import '../../src/entry/node.js'
import { lvmt } from '../../src/systems/lvmt.js'
import { runVectors } from '../support/vectors.js'

await runVectors(lvmt, 613)
