/** Every shared vector of balanceproofs. */

import '../../src/entry/node.js'
import { balanceproofs } from '../../src/systems/balanceproofs.js'
import { runVectors } from '../support/vectors.js'

await runVectors(balanceproofs, 1207)
