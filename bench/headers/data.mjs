/**
 * Periods of 512 keys by mainnet's rules. Two are made here, in Electra's shape and in Gloas'. One
 * more is mainnet's own, if it was recorded: from the folder of reference vectors
 * (LIGHTPROOF_REFERENCE_VECTORS, default ../shared/vectors beside the repository), which stays
 * outside the repository.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { at } from '../../scripts/lib/repo.mjs'
import { generate } from '../lib/generator.mjs'
import { fromHex, toHex } from '../lib/rlp.mjs'
import { mainnetChain } from './lightproof.mjs'
import { checkpointOf } from './root.mjs'

/** @typedef {{ version: string, data: Record<string, any> }} Answer */

const GENESIS_VALIDATORS_ROOT = '0x4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95'

function folder() {
  const vectors = process.env['LIGHTPROOF_REFERENCE_VECTORS'] ?? at('..', 'shared', 'vectors')
  return path.join(vectors, 'eth-beacon')
}

/**
 * Every period that there is, the recorded one first.
 *
 * @param {string} profile cargo's, of the generator
 * @returns {Promise<import('./types.js').HeaderData[]>}
 */
export async function headerData(profile) {
  return [...(await recordedPeriods()), ...(await madePeriods(profile))]
}

/**
 * @param {string} profile
 * @returns {Promise<import('./types.js').HeaderData[]>}
 */
async function madePeriods(profile) {
  const periods = await generate('periods', profile, [])
  return periods.map((/** @type {Record<string, string>} */ made) => {
    const bytes = (/** @type {string} */ name) => fromHex(made[name] ?? '')
    const shape = made['shape'] === 'gloas' ? 'gloas' : 'electra'
    return {
      id: `made-${shape}`,
      title: `${shape === 'gloas' ? 'Gloas' : 'Electra'}, made`,
      fork: shape,
      chain: bytes('chain'),
      forkVersion: bytes('version'),
      genesisValidatorsRoot: bytes('validators'),
      checkpoint: bytes('checkpoint'),
      bootstrap: bytes('bootstrap'),
      update: bytes('update'),
      finality: bytes('finality'),
      finalized: Number(made['finalized']),
      slot: Number(made['slot']),
    }
  })
}

/** @returns {Promise<import('./types.js').HeaderData[]>} none where the folder is not there */
async function recordedPeriods() {
  if (!existsSync(folder())) {
    if (process.env['LIGHTPROOF_REFERENCE_VECTORS'] === undefined) return []
    throw new Error(`LIGHTPROOF_REFERENCE_VECTORS: no directory ${folder()}`)
  }
  for (const set of readdirSync(folder())
    .filter((name) => name.startsWith('mainnet-'))
    .sort()) {
    const found = await electraPeriod(path.join(folder(), set))
    if (found !== undefined) return [found]
  }
  throw new Error(`${folder()} holds no bootstrap of Electra with an update of its period`)
}

/** @param {string} dir */
async function electraPeriod(dir) {
  const json = (/** @type {string} */ start) =>
    readdirSync(dir)
      .filter((name) => name.startsWith(start) && name.endsWith('.json'))
      .flatMap(
        (name) =>
          /** @type {Answer | Answer[]} */ (JSON.parse(readFileSync(path.join(dir, name), 'utf8'))),
      )
      .filter(({ version }) => version === 'electra')
  const period = (/** @type {string} */ slot) => Math.floor(Number(slot) / 8192)
  for (const bootstrap of json('bootstrap')) {
    const { slot } = bootstrap.data.header.beacon
    const update = json('updates').find(
      ({ data }) =>
        period(data.finalized_header.beacon.slot) === period(slot) &&
        Number(data.finalized_header.beacon.slot) > Number(slot),
    )
    if (update !== undefined) return encodeData(bootstrap, update)
  }
  return undefined
}

/**
 * What the SDK encodes answers with, which no entry exports: the benchmark hands SSZ to everybody.
 *
 * @returns {Promise<{ encodeAnswer(form: string, answer: Answer, keys: number): Uint8Array }>}
 */
async function containers() {
  const { outputFiles } = await build({
    entryPoints: [at('sdk', 'src', 'light', 'containers.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  })
  const text = outputFiles.map((file) => file.text).join('')
  return import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`)
}

/**
 * @param {Answer} bootstrap
 * @param {Answer} update
 * @returns {Promise<import('./types.js').HeaderData>}
 */
async function encodeData(bootstrap, update) {
  const { encodeAnswer } = await containers()
  const { next_sync_committee: _, next_sync_committee_branch: __, ...rest } = update.data
  const finality = { version: update.version, data: rest }
  return {
    id: 'recorded-electra',
    title: 'Electra, recorded on mainnet',
    fork: 'electra',
    chain: await mainnetChain(),
    forkVersion: Uint8Array.of(5, 0, 0, 0),
    genesisValidatorsRoot: fromHex(GENESIS_VALIDATORS_ROOT),
    checkpoint: checkpointOf(bootstrap.data.header.beacon),
    bootstrap: encodeAnswer('bootstrap', bootstrap, 512),
    update: encodeAnswer('update', update, 512),
    finality: encodeAnswer('finality', finality, 512),
    finalized: Number(update.data.finalized_header.beacon.slot),
    slot: Number(update.data.signature_slot) + 1,
  }
}

/**
 * A period as JSON has it: bytes in hex.
 *
 * @param {import('./types.js').HeaderData} data
 */
export function inHex(data) {
  const fields = Object.entries(data)
  return Object.fromEntries(
    fields.map(([name, value]) => [name, value instanceof Uint8Array ? toHex(value) : value]),
  )
}
