#!/usr/bin/env node
// @ts-check
// Proves an account, and storage slots of it, from any JSON-RPC node, or offline from a proof file.
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import {
  createClient,
  devnet,
  fetchProof,
  hoodi,
  InputError,
  mainnet,
  PlatformError,
  ProofError,
  resultToJson,
  sepolia,
  UnavailableError,
  verifyProofFile,
} from 'lightproof'
import { describe, describeFailure } from './report.mjs'

/** @import { Chain, ProofFile } from 'lightproof' */

const usage = `Prove an account from a node:
  node prove.mjs --node URL --block HASH --address 0x… [--slot N]… [--code] [--chain NAME] [--save FILE]
Check a proof file offline:
  node prove.mjs --file FILE --block HASH [--chain NAME]

  --node URL      any JSON-RPC node that answers eth_getProof; it is not trusted
  --block HASH    hash of the block that you trust, from another source than the node
  --address 0x…   the account
  --slot N        a storage slot, as a number or as 0x and up to 64 digits; may be repeated
  --code          include the contract's code
  --chain NAME    mainnet (the default), sepolia, hoodi or devnet
  --genesis HASH  hash of the devnet's block 0
  --save FILE     write the proof, to be checked with --file
  --json          print the result as JSON
  --help          print this

Exit codes: 0 proven (present or absent), 1 fault of this program, 2 bad input, 3 the proof is bad, 4 nothing proven.`

/** Exit codes, so that a shell script can tell the outcomes apart. */
const exit = { proven: 0, fault: 1, input: 2, invalid: 3, unavailable: 4 }

const options = /** @type {const} */ ({
  node: { type: 'string' },
  file: { type: 'string' },
  block: { type: 'string' },
  address: { type: 'string' },
  slot: { type: 'string', multiple: true },
  code: { type: 'boolean' },
  chain: { type: 'string' },
  genesis: { type: 'string' },
  save: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
})

/** @typedef {ReturnType<typeof parse>} Arguments */

/** Options by the library's name of the argument. */
const optionNames = [
  { argument: /^nodes/, option: '--node' },
  { argument: /^anchor/, option: '--block' },
  { argument: /^slots/, option: '--slot' },
  { argument: /^address/, option: '--address' },
  { argument: /genesisHash$/, option: '--genesis' },
]

/** A mistake on the command line. */
class UsageError extends Error {
  code = 'input.option'
}

/** @param {string[]} words */
function parse(words) {
  try {
    return parseArgs({ args: words, options }).values
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/**
 * @param {Arguments} given
 * @returns {Chain | undefined}
 */
function chainOf({ chain, genesis }) {
  if (chain === 'devnet') return devnet(genesis ?? '')
  if (genesis !== undefined) throw new UsageError('--genesis goes with --chain devnet')
  if (chain === undefined) return undefined
  const known = [mainnet, sepolia, hoodi].find(({ name }) => name === chain)
  if (known !== undefined) return known
  throw new UsageError(`--chain: expected mainnet, sepolia, hoodi or devnet, got "${chain}"`)
}

/**
 * A slot as the library takes it: a number, or hex.
 *
 * @param {string} text
 */
function slotOf(text) {
  return /^\d+$/.test(text) ? BigInt(text) : text
}

/**
 * @param {Arguments} given
 * @param {string} block
 * @returns {Promise<ProofFile>}
 */
async function fetchFile(given, block) {
  const { node = '', address = '', slot = [], code = false, save } = given
  const chain = chainOf(given) ?? mainnet
  const client = createClient({ chain, anchor: { block }, nodes: [node] })
  const file = await fetchProof(client, { address, slots: slot.map(slotOf), code })
  if (save !== undefined) await writeFile(save, `${JSON.stringify(file, null, 2)}\n`)
  return file
}

/**
 * @param {string} path
 * @returns {Promise<unknown>}
 */
async function readProof(path) {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new UsageError(`--file: cannot read ${path}: ${cause.code}`, { cause })
  })
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`--file: ${path} is not JSON`, { cause })
  }
}

/** @param {Arguments} given */
async function prove(given) {
  const { block, file: path, node, address } = given
  if (block === undefined) throw new UsageError('--block is missing')
  if ((path === undefined) === (node === undefined)) {
    throw new UsageError('give either --node or --file')
  }
  if (path !== undefined && (address ?? given.slot ?? given.code ?? given.save) !== undefined) {
    throw new UsageError(
      'a file says itself what it proves: --address, --slot, --code and --save go with --node',
    )
  }
  if (path === undefined && address === undefined) throw new UsageError('--address is missing')
  const file = path === undefined ? await fetchFile(given, block) : await readProof(path)
  // Fetched or read, a proof is only bytes until this has checked it against the block that the caller trusts.
  const chain = path === undefined ? (chainOf(given) ?? mainnet) : chainOf(given)
  const started = performance.now()
  const result = await verifyProofFile(file, {
    anchor: { block },
    ...(chain === undefined ? {} : { chain }),
  })
  const milliseconds = performance.now() - started
  // The first check of a process also loads the verifier; fetching has done so already.
  return { result, file, milliseconds: path === undefined ? milliseconds : undefined }
}

/**
 * @param {string[]} words
 * @returns {Promise<number>} exit code
 */
async function main(words) {
  const isJson = words.includes('--json')
  try {
    const given = parse(words)
    if (given.help === true || words.length === 0) {
      console.log(usage)
      return given.help === true ? exit.proven : exit.input
    }
    const { result, file, milliseconds } = await prove(given)
    if (result.status === 'invalid') return fail('invalid', result.error, isJson)
    console.log(
      isJson
        ? JSON.stringify(resultToJson(result), null, 2)
        : describe(result, /** @type {ProofFile} */ (file), milliseconds),
    )
    return exit.proven
  } catch (error) {
    if (error instanceof InputError) return fail('input', asOption(error), isJson)
    if (error instanceof UsageError) return fail('input', error, isJson)
    if (error instanceof ProofError) return fail('invalid', error, isJson)
    if (error instanceof UnavailableError) return fail('unavailable', error, isJson)
    if (error instanceof PlatformError) return fail('fault', error, isJson)
    throw error
  }
}

/**
 * The library's complaint about an argument, in the words of this command line.
 *
 * @param {InputError} error
 */
function asOption(error) {
  const { code, argument, message } = error
  const known = optionNames.find((name) => name.argument.test(argument))
  if (known === undefined) return error
  return {
    name: error.name,
    code,
    argument: known.option,
    message: message.replace(argument, known.option),
  }
}

/**
 * @param {'invalid' | 'unavailable' | 'input' | 'fault'} status
 * @param {Error & { code?: string, argument?: string }} error
 * @param {boolean} isJson
 */
function fail(status, error, isJson) {
  if (isJson) {
    const { name, code = null, argument, message } = error
    console.log(JSON.stringify({ status, error: { name, code, argument, message } }, null, 2))
  } else {
    console.error(describeFailure(status, error))
  }
  return exit[status]
}

process.exitCode = await main(process.argv.slice(2))
