#!/usr/bin/env node
// @ts-check
// Proves an account, and storage slots of it, from any JSON-RPC node, or offline from a proof file.
import { readFile, writeFile } from 'node:fs/promises'
import {
  createClient,
  fetchProof,
  fileStore,
  getBlock,
  InputError,
  mainnet,
  PlatformError,
  ProofError,
  proven,
  resultToJson,
  sync,
  UnavailableError,
  verifyProofFile,
} from 'lightproof'
import {
  chainOf,
  checkTogether,
  optionNames,
  parse,
  slotOf,
  UsageError,
  usage,
} from './options.mjs'
import { describe, describeFailure, showProgress } from './report.mjs'

/** @import { Absent, Block, Client, Invalid, Present } from 'lightproof' */
/** @import { ProofFile, ProvenAccount, Trust } from 'lightproof' */
/** @import { Arguments } from './options.mjs' */

/**
 * @typedef {object} Check
 * @property {Present<ProvenAccount> | Absent<ProvenAccount> | Invalid} result
 * @property {unknown} file
 * @property {number} [milliseconds]
 */

/** Exit codes, so that a shell script can tell the outcomes apart. */
const exit = { proven: 0, fault: 1, input: 2, invalid: 3, unavailable: 4 }

/**
 * @param {Arguments} given
 * @returns {Client}
 */
function clientOf(given) {
  const { node = '', beacon, block = '', checkpoint, store } = given
  const chain = chainOf(given) ?? mainnet
  if (checkpoint === undefined) return createClient({ chain, anchor: { block }, nodes: [node] })
  return createClient({
    chain,
    anchor: { checkpoint },
    nodes: [node],
    ...(beacon === undefined ? {} : { beacons: [beacon] }),
    ...(store === undefined ? {} : { store: fileStore(store) }),
  })
}

/**
 * Asks the node, and checks its proof against a block that is trusted.
 *
 * @param {Arguments} given
 * @returns {Promise<Check>}
 */
async function proveOnline(given) {
  const { address = '', slot = [], code = false, save, checkpoint } = given
  const client = clientOf(given)
  const signed = checkpoint === undefined ? undefined : await newestOf(client)
  const at = signed === undefined ? {} : { at: signed.value }
  const file = await fetchProof(client, { address, slots: slot.map(slotOf), code, ...at })
  if (save !== undefined) await writeFile(save, `${JSON.stringify(file, null, 2)}\n`)
  const block = signed?.value.hash ?? given.block ?? ''
  const started = performance.now()
  const result = await verifyProofFile(file, { anchor: { block }, chain: client.chain })
  const milliseconds = performance.now() - started
  if (signed === undefined || result.status === 'invalid') return { result, file, milliseconds }
  const trust = onGroundsOf(result.trust, signed.trust)
  return { result: { ...result, trust }, file, milliseconds }
}

/**
 * Follows the signed headers from the checkpoint to the newest final block.
 *
 * @param {Client} client
 * @returns {Promise<{ value: Block, trust: Trust }>}
 */
async function newestOf(client) {
  const synced = await sync(client, { onProgress: showProgress })
  if (synced.status !== 'synced') throw synced.error
  const newest = await getBlock(client)
  if ('error' in newest) throw newest.error
  return { value: proven(newest), trust: newest.trust }
}

/**
 * The file is proved from its block; that block is trusted on grounds of its own, such as
 * signatures.
 *
 * @param {Trust} fact
 * @param {Trust} block
 * @returns {Trust}
 */
function onGroundsOf(fact, { anchor, finality, participation, headLagSeconds }) {
  const signed = participation === undefined ? {} : { participation }
  return { ...fact, anchor, finality, headLagSeconds, ...signed }
}

/**
 * @param {Arguments} given
 * @returns {Promise<Check>}
 */
async function proveOffline(given) {
  const { file: path = '', block = '' } = given
  const chain = chainOf(given)
  const file = await readProof(path)
  // Read or fetched, a proof is only bytes until this has checked it against the block that the
  // caller trusts.
  const result = await verifyProofFile(file, {
    anchor: { block },
    ...(chain === undefined ? {} : { chain }),
  })
  // The first check of a process also loads the verifier: its time says little.
  return { result, file }
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
    checkTogether(given)
    const check = given.file === undefined ? proveOnline : proveOffline
    const { result, file, milliseconds } = await check(given)
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
