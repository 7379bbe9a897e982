// @ts-check
// The command line: what may be said, and what it means.
import { parseArgs } from 'node:util'
import { devnet, hoodi, mainnet, sepolia } from 'lightproof'

/** @import { Chain, DevnetConsensus } from 'lightproof' */

export const usage = `Prove an account in the newest final block, from a checkpoint:
  node prove.mjs --node URL --beacon URL --checkpoint HASH --address 0x… [--slot N]… [--code] [--save FILE]
Prove it in a block that you know:
  node prove.mjs --node URL --block HASH --address 0x… [--slot N]… [--code] [--save FILE]
Check a proof file offline:
  node prove.mjs --file FILE --block HASH

  --checkpoint HASH  root of a finalized beacon block that you trust; on a devnet the hash of a block
  --beacon URL       a beacon node that serves light clients; it is not trusted, and a devnet needs none
  --store DIR        keep what was proved since the checkpoint, to start from there next time
  --block HASH       hash of the block that you trust, from another source than the node
  --node URL         any JSON-RPC node that answers eth_getProof; it is not trusted
  --address 0x…      the account
  --slot N           a storage slot, as a number or as 0x and up to 64 digits; may be repeated
  --code             include the contract's code
  --chain NAME       mainnet (the default), sepolia, hoodi or devnet
  --genesis HASH     hash of the devnet's block 0
  --committee N/L    keys of the devnet's committees, and blocks for which each signs: 32/64
  --save FILE        write the proof, to be checked with --file
  --json             print the result as JSON
  --help             print this

Exit codes: 0 proven (present or absent), 1 fault of this program, 2 bad input, 3 the proof is bad, 4 nothing proven.`

const options = /** @type {const} */ ({
  node: { type: 'string' },
  beacon: { type: 'string' },
  file: { type: 'string' },
  block: { type: 'string' },
  checkpoint: { type: 'string' },
  store: { type: 'string' },
  address: { type: 'string' },
  slot: { type: 'string', multiple: true },
  code: { type: 'boolean' },
  chain: { type: 'string' },
  genesis: { type: 'string' },
  committee: { type: 'string' },
  save: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
})

/** @typedef {ReturnType<typeof parse>} Arguments */

/** Options by the library's name of the argument. */
export const optionNames = [
  { argument: /^nodes/, option: '--node' },
  { argument: /^beacons/, option: '--beacon' },
  { argument: /^anchor\.checkpoint/, option: '--checkpoint' },
  { argument: /^anchor/, option: '--block' },
  { argument: /^slots/, option: '--slot' },
  { argument: /^address/, option: '--address' },
  { argument: /genesisHash$/, option: '--genesis' },
  { argument: /consensus/, option: '--committee' },
]

/** A mistake on the command line. */
export class UsageError extends Error {
  code = 'input.option'
}

/** @param {string[]} words */
export function parse(words) {
  try {
    return parseArgs({ args: words, options }).values
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/**
 * The chain that the command line names; undefined if it names none.
 *
 * @param {Arguments} given
 * @returns {Chain | undefined}
 */
export function chainOf({ chain, genesis, committee }) {
  if (chain === 'devnet') return devnet(genesis ?? '', committeeOf(committee))
  if (genesis !== undefined) throw new UsageError('--genesis goes with --chain devnet')
  if (committee !== undefined) throw new UsageError('--committee goes with --chain devnet')
  if (chain === undefined) return undefined
  const known = [mainnet, sepolia, hoodi].find(({ name }) => name === chain)
  if (known !== undefined) return known
  throw new UsageError(`--chain: expected mainnet, sepolia, hoodi or devnet, got "${chain}"`)
}

/**
 * @param {string | undefined} text
 * @returns {DevnetConsensus | undefined} undefined: the devnet signs nothing
 */
function committeeOf(text) {
  if (text === undefined) return undefined
  const [, size, length] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  if (size === undefined || length === undefined) {
    throw new UsageError(`--committee: expected N/L, such as 32/64, got "${text}"`)
  }
  return { committeeSize: Number(size), periodLength: Number(length) }
}

/**
 * A slot as the library takes it: a number, or hex.
 *
 * @param {string} text
 */
export function slotOf(text) {
  return /^\d+$/.test(text) ? BigInt(text) : text
}

/**
 * What is asked: of a node from a block or a checkpoint, or of a file.
 *
 * @param {Arguments} given
 * @throws {UsageError} if options are missing, or do not go together
 */
export function checkTogether({ file, node, block, checkpoint, beacon, store, ...given }) {
  const { address, slot, code, save } = given
  if (file !== undefined && checkpoint !== undefined) {
    throw new UsageError('a file is checked against --block: --checkpoint goes with --node')
  }
  if (block === undefined && checkpoint === undefined) {
    throw new UsageError(file === undefined ? 'give --checkpoint or --block' : '--block is missing')
  }
  if (block !== undefined && checkpoint !== undefined) {
    throw new UsageError('give either --checkpoint or --block')
  }
  if (checkpoint === undefined && (beacon ?? store) !== undefined) {
    throw new UsageError('--beacon and --store go with --checkpoint')
  }
  if ((file === undefined) === (node === undefined)) {
    throw new UsageError('give either --node or --file')
  }
  if (file !== undefined && (address ?? slot ?? code ?? save) !== undefined) {
    throw new UsageError(
      'a file says itself what it proves: --address, --slot, --code and --save go with --node',
    )
  }
  if (file === undefined && address === undefined) throw new UsageError('--address is missing')
}
