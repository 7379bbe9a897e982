/**
 * How a proof of {@link defaultSystem} leads from a block's state to the hash of an older block:
 * generic code takes it from here.
 */

export { askHash, hashIn, MAX_LEAPS, REACH } from './mpt/history.js'
