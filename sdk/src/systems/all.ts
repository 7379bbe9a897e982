/**
 * Every proof system, a line for each: the one list. What follows from it stands in `registry.ts`.
 */

export { balanceproofs } from './balanceproofs.js'
export { body } from './body.js'
export { cole } from './cole.js'
export { lmpt } from './lmpt.js'
export { lvmt } from './lvmt.js'
export { mpt } from './mpt.js'
export { verkle } from './verkle.js'
