/** Every shared vector of cole. */

import '../../src/entry/node.js'
import { cole } from '../../src/systems/cole.js'
import { runVectors } from '../support/vectors.js'

await runVectors(cole, 394)
