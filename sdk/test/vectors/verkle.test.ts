/** Every shared vector of verkle. */

import '../../src/entry/node.js'
import { verkle } from '../../src/systems/verkle.js'
import { runVectors } from '../support/vectors.js'

await runVectors(verkle, 548)
