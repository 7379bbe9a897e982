/** Every shared vector of lmpt. */

import '../../src/entry/node.js'
import { lmpt } from '../../src/systems/lmpt.js'
import { runVectors } from '../support/vectors.js'

await runVectors(lmpt, 632)
