#!/usr/bin/env node
/**
 * Writes test-vectors/geth/: what a geth of our own answers to eth_getProof, eth_getCode and
 * eth_getBlockByNumber.
 *
 *   node scripts/captures.mjs
 *
 * geth runs alone, on the loopback interface, on a small state that is laid down in its genesis
 * block. A capture differs from run to run in its block's time, and in geth's developer account.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildGeth, findGeth, gethObstacle } from './lib/geth.mjs'
import { at } from './lib/repo.mjs'
import { run, start, stopAll } from './lib/run.mjs'
import { printFailure } from './lib/steps.mjs'

const CHAIN_ID = 19_537
const CROWD = 60
const BLOCK_FORKS = [
  'homestead',
  'eip150',
  'eip155',
  'eip158',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'muirGlacier',
  'berlin',
  'london',
  'arrowGlacier',
  'grayGlacier',
  'mergeNetsplit',
]
const TIME_FORKS = ['shanghai', 'cancun', 'prague', 'osaka', 'amsterdam']
/** Asked for requests by every block (EIP-7002, EIP-7251, Amsterdam's two): here they make none. */
const SYSTEM_CONTRACTS = [
  '0x00000961ef480eb55e80d19ad83579a64c007002',
  '0x0000bbddc7ce488642fb579f8b00f3a590007251',
  '0x0000bff46984e3725691fa540a8c7589300d8282',
  '0x000064d678505ad48f8ccb093bc65613800e8282',
]
const READY = /HTTP server started\s+endpoint=(127\.0\.0\.1:\d+)/

const CONTRACT = `0x${'c0'.repeat(20)}`
const CODE = '0x60015460005260206000f3'
const LAST = `0x${'f'.repeat(64)}`

/** @param {number | bigint} value */
const quantity = (value) => `0x${value.toString(16)}`
/** @param {number} value */
const word = (value) => `0x${value.toString(16).padStart(64, '0')}`
/** @param {number} i */
const member = (i) => `0x${(i + 1).toString(16).padStart(2, '0').repeat(20)}`

/** Ten slots: of one byte, of 32, and under the highest key. */
const STORAGE = Object.fromEntries([
  ...Array.from({ length: 8 }, (_, i) => [word(i), word(i + 1)]),
  [word(8), LAST],
  [LAST, word(0x1234)],
])

/** What is asked for, by name. Values are those that the genesis block lays down. */
const CASES = [
  { id: 'balance', address: member(3), slots: [], exists: true },
  { id: 'account-absent', address: `0x${'ab'.repeat(20)}`, slots: [], exists: false },
  { id: 'slot', address: CONTRACT, slots: [word(1)], exists: true },
  { id: 'slots', address: CONTRACT, slots: [word(8), LAST, word(0)], exists: true },
  { id: 'slot-absent', address: CONTRACT, slots: [word(99)], exists: true },
  { id: 'slot-of-no-storage', address: member(3), slots: [word(1)], exists: true },
  { id: 'slot-of-nobody', address: `0x${'ab'.repeat(20)}`, slots: [word(1)], exists: false },
  { id: 'code', address: CONTRACT, slots: [], exists: true, code: CODE },
  { id: 'no-code', address: member(3), slots: [], exists: true, code: '0x' },
]

/** @param {string} newest the fork whose rules, and header fields, the chain has from block 0 on */
function genesisOf(newest) {
  const times = TIME_FORKS.slice(0, TIME_FORKS.indexOf(newest) + 1)
  const blobs = { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 }
  const crowd = Array.from({ length: CROWD }, (_, i) => [
    member(i),
    { balance: quantity(BigInt(i + 1) * 10n ** 15n), nonce: quantity(i % 3) },
  ])
  return {
    config: {
      chainId: CHAIN_ID,
      terminalTotalDifficulty: 0,
      ...Object.fromEntries(BLOCK_FORKS.map((fork) => [`${fork}Block`, 0])),
      ...Object.fromEntries(times.map((fork) => [`${fork}Time`, 0])),
      blobSchedule: Object.fromEntries(times.slice(1).map((fork) => [fork, blobs])),
    },
    difficulty: '0x0',
    gasLimit: quantity(30_000_000),
    alloc: {
      ...Object.fromEntries(SYSTEM_CONTRACTS.map((at) => [at, { balance: '0x0', code: '0x00' }])),
      ...Object.fromEntries(crowd),
      [CONTRACT]: { balance: '0x1', nonce: '0x1', code: CODE, storage: STORAGE },
    },
  }
}

/**
 * @param {string} url
 * @param {string} method
 * @param {unknown[]} params
 */
async function rpc(url, method, params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const reply = await (await fetch(url, { method: 'POST', headers, body })).json()
  if (!('result' in reply)) throw new Error(`${method}: ${JSON.stringify(reply)}`)
  return reply.result
}

/**
 * @param {string} geth
 * @param {string[]} args
 * @returns {Promise<string>} the address that geth says it serves
 */
function serve(geth, args) {
  const child = start(geth, args)
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`geth ended (${code}) before it served`)))
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => {
        const ready = READY.exec(line)
        if (ready !== null) resolve(`http://${ready[1]}`)
      })
    }
  })
}

/**
 * What a geth of one fork answers about its first block after genesis.
 *
 * @param {string} geth
 * @param {string} fork
 * @param {string} dir of its own
 */
async function capture(geth, fork, dir) {
  const genesis = path.join(dir, 'genesis.json')
  const store = ['--datadir', path.join(dir, 'data'), '--state.scheme', 'hash']
  writeFileSync(genesis, JSON.stringify(genesisOf(fork)))
  await run(geth, ['init', ...store, genesis])
  const alone = ['--maxpeers', '0', '--nodiscover', '--nat', 'none', '--port', '0', '--ipcdisable']
  const http = ['--http', '--http.addr', '127.0.0.1', '--http.port', '0', '--authrpc.port', '0']
  // A block a second, also an empty one.
  const dev = ['--dev', '--dev.period', '1', '--gcmode', 'archive', '--http.api', 'eth,debug,web3']
  const url = await serve(geth, [...store, ...dev, ...alone, ...http])
  while (Number(await rpc(url, 'eth_blockNumber', [])) < 1) await sleep(100)
  const header = await rpc(url, 'eth_getBlockByNumber', ['0x1', false])
  const cases = []
  for (const { id, address, slots, exists, code } of CASES) {
    const proof = await rpc(url, 'eth_getProof', [address, slots, '0x1'])
    const found =
      code === undefined ? {} : { code: await rpc(url, 'eth_getCode', [address, '0x1']) }
    if (found.code !== code) throw new Error(`${id}: geth has code ${found.code}`)
    const values = slots.map((slot) => [slot, exists ? (laidDown(address, slot) ?? '0x0') : '0x0'])
    cases.push({
      id,
      request: [address, slots],
      accountExists: exists,
      slots: Object.fromEntries(values),
      strict: 'accept',
      ...found,
      proof,
    })
  }
  return {
    network: `geth --dev, ${fork} at 0 (chainId ${CHAIN_ID})`,
    client: await rpc(url, 'web3_clientVersion', []),
    note: 'written by scripts/captures.mjs; values are those of the genesis block, not of the reply',
    header,
    headerRlp: await rpc(url, 'debug_getRawHeader', ['0x1']),
    blockHash: header.hash,
    stateRoot: header.stateRoot,
    cases,
  }
}

/**
 * @param {string} address
 * @param {string} slot
 */
function laidDown(address, slot) {
  const value = address === CONTRACT ? STORAGE[slot] : undefined
  return value === undefined ? undefined : quantity(BigInt(value))
}

async function main() {
  const obstacle = gethObstacle()
  if (findGeth() === undefined && obstacle !== undefined) throw new Error(obstacle)
  if (findGeth() === undefined) await buildGeth((line) => console.error(`  ${line}`))
  const geth = findGeth()
  if (geth === undefined) throw new Error('geth was built, but does not run')
  mkdirSync(at('test-vectors', 'geth'), { recursive: true })
  for (const fork of ['osaka', 'amsterdam']) {
    const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-geth-'))
    try {
      const file = at('test-vectors', 'geth', `${fork}.json`)
      writeFileSync(file, `${JSON.stringify(await capture(geth, fork, dir), undefined, 2)}\n`)
    } finally {
      await stopAll()
      rmSync(dir, { recursive: true, force: true })
    }
  }
}

main().catch((error) => {
  printFailure(error)
  process.exitCode = 1
})
