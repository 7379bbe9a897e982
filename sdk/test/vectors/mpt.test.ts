/** Every shared vector of mpt. */

import '../../src/entry/node.js'
import { mpt } from '../../src/systems/mpt.js'
import { runVectors } from '../support/vectors.js'

await runVectors(mpt, 229)
