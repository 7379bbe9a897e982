/** Every shared vector of a block's lists. */

import '../../src/entry/node.js'
import { body } from '../../src/systems/body.js'
import { runVectors } from '../support/vectors.js'

await runVectors(body, 253, 'inclusion')
