/**
 * What `npm start` asks: facts of the devnet by each of the six systems, each proven, and a lie
 * about each, refused. Uses the published SDK only.
 */
import {
  createClient,
  devnet,
  fetchProof,
  getBalance,
  getBlock,
  getValue,
  getValues,
  mpt,
  proven,
  sync,
  verifyProofFile,
} from 'lightproof'
import { balanceproofs } from 'lightproof/balanceproofs'
import { cole, getHistory } from 'lightproof/cole'
import { lmpt } from 'lightproof/lmpt'
import { lvmt } from 'lightproof/lvmt'
import { verkle } from 'lightproof/verkle'

/** @typedef {import('./node.mjs').Ready} Ready */
/** @typedef {import('lightproof').Client} Client */
/** @typedef {import('lightproof').Synced} Synced */
/** @typedef {(string | number)[]} Row system, fact, block, proof bytes, verify time, who vouches */

const ETHER = 10n ** 18n
const SYSTEMS = /** @type {const} */ ([mpt, lmpt, lvmt, verkle, cole, balanceproofs])

/** @param {bigint} wei */
export function ether(wei) {
  return `${(Number((wei * 10_000n) / ETHER) / 10_000).toFixed(4)} ether`
}

/** @param {string} hex */
export function short(hex) {
  return hex.length > 14 ? `${hex.slice(0, 8)}…${hex.slice(-4)}` : hex
}

/** @param {string} hex */
function byteLength(hex) {
  return hex.length / 2 - 1
}

/**
 * @param {Ready['samples']} samples
 * @param {Ready['samples'][number]['kind']} kind
 */
function sampleOf(samples, kind) {
  // Of several contracts the one with the most slots says most.
  const [best] = samples
    .filter((sample) => sample.kind === kind)
    .sort((a, b) => b.slots.length - a.slots.length)
  if (best === undefined) throw new Error(`lightproof-node announced no sample of kind ${kind}`)
  return best
}

/** @param {Ready} ready */
function placesOf({ samples }) {
  const { address: eoa } = sampleOf(samples, 'eoa')
  const { address: absent } = sampleOf(samples, 'absent')
  const { address, slots } = sampleOf(samples, 'contract')
  return { eoa, absent, key: { address, slot: slots[0] ?? '0x0' } }
}

const POSITIONS = [0, 1, 2, 3, 4, 5, 6, 7]

/**
 * The questions: the system (Ethereum's account proofs where none is named), what to ask, and how
 * to say the answer.
 *
 * @param {Ready} ready
 * @returns {{ name: string, ask: any, say: (value: any) => string }[]}
 */
function questions(ready) {
  const { eoa, absent, key } = placesOf(ready)
  const name = `slot ${short(key.slot)}`
  const balance = (/** @type {any} */ { account }) =>
    `balance of ${short(eoa)} is ${ether(account?.balance ?? 0n)}`
  const item = (/** @type {{ value?: string }[]} */ [first]) => short(first?.value ?? 'nothing')
  return [
    { name: 'mpt', ask: { address: eoa }, say: balance },
    {
      name: 'mpt',
      ask: { address: eoa, at: Math.max(0, ready.head.number - 5) },
      say: (value) => `${balance(value)}, five blocks earlier`,
    },
    {
      name: 'mpt',
      ask: { address: key.address, code: true },
      say: ({ code = '0x' }) => `code of ${short(key.address)} is ${byteLength(code)} bytes`,
    },
    {
      name: 'mpt',
      ask: { address: key.address, slots: [key.slot] },
      say: ({ slots }) => `${name} holds ${short(`0x${slots[0]?.value.toString(16)}`)}`,
    },
    {
      name: 'mpt',
      ask: { address: absent },
      say: ({ account }) =>
        `account ${short(absent)} is ${account === null ? 'absent' : 'present'}`,
    },
    {
      name: 'lmpt',
      ask: { system: lmpt, keys: [key] },
      say: (items) => `${name} holds ${item(items)}, layer ${items[0]?.layer}`,
    },
    {
      name: 'lvmt',
      ask: { system: lvmt, keys: [key] },
      say: (items) =>
        `${name} holds ${item(items)}, version ${items[0]?.version}, of block ${items[0]?.block}`,
    },
    {
      name: 'verkle',
      ask: { system: verkle, keys: [key] },
      say: (items) => `${name} holds ${item(items)}`,
    },
    {
      name: 'cole',
      ask: { system: cole, ...key, fromBlock: 0 },
      say: ({ versions, fromBlock, toBlock }) =>
        `${name} has ${versions.length} versions in blocks ${fromBlock} to ${toBlock}, and no more`,
    },
    {
      name: 'balanceproofs',
      ask: { system: balanceproofs, keys: POSITIONS },
      say: (/** @type {{ value: bigint }[]} */ items) => {
        const sum = items.reduce((wei, { value }) => wei + value, 0n)
        return `balances at positions 0 to 7 add up to ${ether(sum)}, by one aggregate`
      },
    },
  ]
}

/**
 * The lies: who tells each, what is asked there, and what it would have us believe.
 *
 * @param {Ready} ready
 * @returns {{ name: string, lie: string, about: string, ask: (client: Client) => Promise<any> }[]}
 */
function lies(ready) {
  const { eoa, key } = placesOf(ready)
  const slot = `slot ${short(key.slot)}`
  return [
    {
      name: 'mpt',
      lie: 'claim-balance',
      about: `a false balance of ${short(eoa)}`,
      ask: (client) => getBalance(client, { address: eoa }),
    },
    {
      name: 'lmpt',
      lie: 'lmpt-value',
      about: `a false value of ${slot}`,
      ask: (client) => getValue(client, { system: lmpt, key }),
    },
    {
      name: 'lvmt',
      lie: 'lvmt-stale',
      about: `an old value of ${slot} as the newest`,
      ask: (client) => getValue(client, { system: lvmt, key }),
    },
    {
      name: 'verkle',
      lie: 'verkle-absent',
      about: `${slot} was never written`,
      ask: (client) => getValue(client, { system: verkle, key }),
    },
    {
      name: 'cole',
      lie: 'cole-version-omitted',
      about: `a history of ${slot} without its newest version`,
      ask: (client) => getHistory(client, { ...key, fromBlock: 0 }),
    },
    {
      name: 'balanceproofs',
      lie: 'balances-richer',
      about: 'the account at position 0 is richer',
      ask: (client) => getValues(client, { system: balanceproofs, keys: POSITIONS }),
    },
    {
      name: 'headers',
      lie: 'signature-own-keys',
      about: 'a forged header, signed by keys of the node’s own',
      // What the checkpoint vouches for stays proven, so it is the header that is asked for.
      ask: (client) => sync(client),
    },
  ]
}

/**
 * The address at which a node tells a lie.
 *
 * @param {Ready} ready
 * @param {string} lie
 */
export function lyingUrl({ url }, lie) {
  return `${url}/lie/${lie}`
}

const RUNS = 9

/**
 * What a check finds, and the median of its times.
 *
 * @template Found
 * @param {() => Promise<Found>} check
 */
async function measure(check) {
  const times = []
  let result = await check()
  for (let run = 0; run < RUNS; run += 1) {
    const began = performance.now()
    result = await check()
    times.push(performance.now() - began)
  }
  const median = times.sort((a, b) => a - b)[(RUNS - 1) / 2] ?? Number.NaN
  return { result, time: `${median.toFixed(2)} ms` }
}

/** @param {Ready} ready the operator's words, not the node's answers */
function chainOf({ genesisHash, consensus }) {
  return devnet(genesisHash, consensus)
}

/**
 * A client that trusts the node's checkpoint and asks at a URL.
 *
 * @param {Ready} ready
 * @param {string} [url]
 */
export function clientOf(ready, url = ready.url) {
  const anchor = { checkpoint: ready.checkpoint.hash }
  return createClient({ chain: chainOf(ready), anchor, nodes: [url] })
}

/**
 * Who vouches for a block: the keys that signed it or a descendant; and for a system's setup, if it
 * has one.
 *
 * @param {import('lightproof').Trust['participation']} participation
 * @param {import('lightproof').Trust['setup']} [setup]
 */
function vouching(participation, setup) {
  const signed = participation ? `${participation.signed} of ${participation.of} keys` : 'the pin'
  if (setup === undefined) return signed
  return `${signed}; setup ${setup.insecure ? 'INSECURE' : 'by Ethereum’s ceremony'}`
}

/**
 * Fetches a proof and checks it: the client against the block that was signed, then as its reader
 * would, timed.
 *
 * @param {Client} client
 * @param {any} ask
 */
export async function proveFact(client, ask) {
  const file = await fetchProof(client, ask)
  const start = 'header' in file.source ? file.source.header.hash : undefined
  // The file starts at a block that the client vouches for, not at one that it names itself.
  const block = await getBlock(client, start === undefined ? {} : { block: start })
  const { hash } = proven(block)
  const { chain } = client
  const systems = ask.system === undefined ? {} : { systems: [ask.system] }
  const { result, time } = await measure(() =>
    verifyProofFile(file, { anchor: { block: hash }, chain, ...systems }),
  )
  const signed = 'trust' in block ? block.trust.participation : undefined
  const { setup } = 'trust' in result ? result.trust : {}
  const number = 'trust' in result ? Number(result.trust.block.number) : ''
  const value = /** @type {any} */ (proven(result))
  return { value, row: [number, byteLength(file.proof), time, vouching(signed, setup)] }
}

/**
 * Proves every fact and returns the rows of the table.
 *
 * @param {Client} client follows signed headers from a checkpoint
 * @param {Ready} ready
 * @returns {Promise<Row[]>}
 * @throws if anything that should be proven is not
 */
export async function proveFacts(client, ready) {
  const rows = []
  for (const { name, ask, say } of questions(ready)) {
    const { value, row } = await proveFact(client, ask)
    rows.push([name, say(value), ...row])
  }
  return rows
}

const PATIENCE_MS = 30_000

/**
 * Waits for a block that was not there when the tour began, and proves a balance of it: nobody told
 * the client its hash.
 *
 * @param {Client} client
 * @param {Ready} ready
 * @returns {Promise<Row>}
 * @throws if none comes, or its signatures do not hold
 */
export async function proveNewer(client, ready) {
  const deadline = Date.now() + PATIENCE_MS
  const { eoa: address } = placesOf(ready)
  for (;;) {
    const { finalized } = await follow(client)
    if (finalized.slot > BigInt(ready.head.number)) {
      const { value, row } = await proveFact(client, { address, at: Number(finalized.slot) })
      const balance = ether(value.account?.balance ?? 0n)
      return [
        'mpt',
        `balance of ${short(address)} is ${balance}, in a block made meanwhile`,
        ...row,
      ]
    }
    if (Date.now() > deadline) throw new Error('no newer block was signed')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/**
 * Follows the signed headers to the newest one.
 *
 * @param {Client} client
 * @throws if a header or signature is refused, or none is served
 */
export async function follow(client) {
  const synced = await sync(client)
  if (synced.status !== 'synced') throw synced.error
  return synced
}

/** @param {Synced} synced */
export function signers({ finalized: { participation } }) {
  return vouching(participation ?? undefined)
}

/**
 * Asks for each lie, and returns the rows that show the refusals.
 *
 * @param {Ready} ready
 * @returns {Promise<Row[]>}
 * @throws if a lie is not caught, or its evidence does not show it
 */
export async function refuseLies(ready) {
  const rows = []
  for (const { name, lie, about, ask } of lies(ready)) {
    const client = clientOf(ready, lyingUrl(ready, lie))
    const answer = await ask(client)
    if (answer.status !== 'invalid')
      throw new Error(`the lie ${lie} was not refused: ${answer.status}`)
    const [evidence] = answer.evidence
    if (evidence === undefined || evidence.kind === 'contradiction')
      throw new Error(`there is no evidence of ${lie}`)
    const fact = `REFUSED (${answer.error.code}): ${about}`
    rows.push([name, fact, ...(await showEvidence(client, evidence, lie))])
  }
  return rows
}

/**
 * Checks the evidence of a lie as a third person would, timed.
 *
 * @param {Client} client
 * @param {import('lightproof').ProofFile | import('lightproof').HeaderEvidence} evidence
 * @param {string} lie
 */
export async function showEvidence({ chain, anchor }, evidence, lie) {
  const check = async () => {
    // A lie about signatures is found before any proof is asked for.
    if ('steps' in evidence)
      return (await verifyProofFile(evidence, { anchor: { checkpoint: anchor.hash }, chain }))
        .status
    const block = 'header' in evidence.source ? evidence.source.header.hash : ''
    return (await verifyProofFile(evidence, { anchor: { block }, chain, systems: SYSTEMS })).status
  }
  const { result, time } = await measure(check)
  if (result !== 'invalid') throw new Error(`the evidence of ${lie} does not show it`)
  const sent = 'steps' in evidence ? (evidence.steps.at(-1)?.bytes ?? '0x') : evidence.proof
  return ['', byteLength(sent), time, 'nobody']
}
