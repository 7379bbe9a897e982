/** What `npm start` asks: facts of the devnet, each proven, and lies, refused. Uses the published SDK only. */
import {
  createClient,
  devnet,
  fetchProof,
  getBalance,
  getBlock,
  proven,
  sync,
  verifyProofFile,
} from 'lightproof'

/** @typedef {import('./node.mjs').Ready} Ready */

const ETHER = 10n ** 18n

/** @param {bigint} wei */
function ether(wei) {
  return `${(Number((wei * 10_000n) / ETHER) / 10_000).toFixed(4)} ether`
}

/** @param {string} hex */
function short(hex) {
  return hex.length > 14 ? `${hex.slice(0, 8)}…${hex.slice(-4)}` : hex
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

/**
 * The questions: what to ask, and how to say the answer.
 *
 * @param {Ready} ready
 * @returns {{ ask: import('lightproof').ProofParameters, say: (fact: import('lightproof').ProvenAccount) => string }[]}
 */
function questions({ samples, head }) {
  const [eoa, contract, absent] = [
    sampleOf(samples, 'eoa'),
    sampleOf(samples, 'contract'),
    sampleOf(samples, 'absent'),
  ]
  const [slot = '0x0'] = contract.slots
  const empty = contract.slots.at(-1) ?? '0x0'
  const balance = (/** @type {import('lightproof').ProvenAccount} */ { account }) =>
    `balance of ${short(eoa.address)} is ${ether(account?.balance ?? 0n)}`
  return [
    { ask: { address: eoa.address }, say: balance },
    {
      ask: { address: eoa.address, at: Math.max(0, head.number - 5) },
      say: (fact) => `${balance(fact)}, five blocks earlier`,
    },
    {
      ask: { address: eoa.address },
      say: ({ account }) => `nonce of ${short(eoa.address)} is ${account?.nonce}`,
    },
    {
      ask: { address: contract.address, code: true },
      say: ({ code = '0x' }) =>
        `code of ${short(contract.address)} is ${code.length / 2 - 1} bytes`,
    },
    {
      ask: { address: contract.address, slots: [slot] },
      say: ({ slots }) => `slot ${short(slot)} holds ${short(`0x${slots[0]?.value.toString(16)}`)}`,
    },
    {
      ask: { address: contract.address, slots: [empty] },
      say: ({ slots }) => `slot ${short(empty)} is ${slots[0]?.status}`,
    },
    {
      ask: { address: absent.address },
      say: ({ account }) =>
        `account ${short(absent.address)} is ${account === null ? 'absent' : 'present'}`,
    },
  ]
}

/** @param {string} hex */
function byteLength(hex) {
  return hex.length / 2 - 1
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
export function chainOf({ genesisHash, consensus }) {
  return devnet(genesisHash, consensus)
}

/**
 * Fetches a proof and checks it: the client against the block that was signed, then once more as its reader would.
 *
 * @param {import('lightproof').Client} client
 * @param {import('lightproof').ProofParameters} ask
 */
async function proveFact(client, ask) {
  const file = await fetchProof(client, ask)
  const start = 'header' in file.source ? file.source.header.hash : undefined
  // The file starts at a block that the client vouches for, not at one that it names itself.
  const { hash } = proven(await getBlock(client, start === undefined ? {} : { block: start }))
  const { chain } = client
  const { result, time } = await measure(() =>
    verifyProofFile(file, { anchor: { block: hash }, chain }),
  )
  if (result.status === 'invalid') throw result.error
  return { ...result, bytes: byteLength(file.proof), time }
}

/**
 * Proves every fact and returns the rows of the table: fact, block, proof bytes, verify time, node.
 *
 * @param {import('lightproof').Client} client follows signed headers from a checkpoint
 * @param {Ready} ready
 * @throws if anything that should be proven is not
 */
export async function proveFacts(client, ready) {
  /** @type {(string | number)[][]} */
  const rows = []
  for (const { ask, say } of questions(ready)) {
    const { value, trust, bytes, time } = await proveFact(client, ask)
    rows.push([say(value), Number(trust.block.number), bytes, time, ready.url])
  }
  return rows
}

const PATIENCE_MS = 30_000

/**
 * Waits for a block that was not there when the tour began, and proves a balance of it: nobody told the client its hash.
 *
 * @param {import('lightproof').Client} client
 * @param {Ready} ready
 * @throws if none comes, or its signatures do not hold
 */
export async function proveNewer(client, ready) {
  const deadline = Date.now() + PATIENCE_MS
  const { address } = sampleOf(ready.samples, 'eoa')
  for (;;) {
    const synced = await follow(client)
    if (synced.finalized.slot > BigInt(ready.head.number)) {
      const at = Number(synced.finalized.slot)
      const { value, bytes, time } = await proveFact(client, { address, at })
      const fact = `balance of ${short(address)} is ${ether(value.account?.balance ?? 0n)}`
      const when = `in a block made and signed meanwhile (${signers(synced)})`
      return [`${fact}, ${when}`, at, bytes, time, ready.url]
    }
    if (Date.now() > deadline) throw new Error('no newer block was signed')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/**
 * Follows the signed headers to the newest one.
 *
 * @param {import('lightproof').Client} client
 * @throws if a header or signature is refused, or none is served
 */
export async function follow(client) {
  const synced = await sync(client)
  if (synced.status !== 'synced') throw synced.error
  return synced
}

/** @param {import('lightproof').Synced} synced */
export function signers({ finalized: { participation } }) {
  return participation === null ? 'pinned' : `${participation.signed} of ${participation.of} keys`
}

/**
 * Asks a lying node for a balance, from the checkpoint of an honest one, and returns the row that shows the refusal.
 *
 * @param {Ready} honest
 * @param {Ready} liar
 * @param {string} lie
 * @param {(fact: { address: string }) => string} about
 * @throws if the lie is not caught
 */
export async function refuseLie(honest, liar, lie, about) {
  const { address } = sampleOf(honest.samples, 'eoa')
  const chain = chainOf(honest)
  const anchor = { checkpoint: honest.checkpoint.hash }
  const client = createClient({ chain, anchor, nodes: [liar.url] })
  const answer = await getBalance(client, { address })
  if (answer.status !== 'invalid')
    throw new Error(`the lie ${lie} was not refused: ${answer.status}`)
  const fact = `REFUSED (${answer.error.code}): ${about({ address: short(address) })}`
  const [evidence] = answer.evidence
  if (evidence === undefined) throw new Error(`there is no evidence of ${lie}`)
  const shows = (/** @type {{ status: string }} */ { status }) => {
    if (status !== 'invalid') throw new Error(`the evidence of ${lie} does not show it`)
  }
  if ('steps' in evidence) {
    // A lie about signatures is found before any proof is asked for.
    const { result, time } = await measure(() => verifyProofFile(evidence, { anchor, chain }))
    shows(result)
    const sent = evidence.steps.at(-1)?.bytes ?? '0x'
    return [fact, '', byteLength(sent), time, liar.url]
  }
  const block = 'header' in evidence.source ? evidence.source.header.hash : ''
  const { result, time } = await measure(() =>
    verifyProofFile(evidence, { anchor: { block }, chain }),
  )
  shows(result)
  const { number } = proven(await getBlock(client, { block }))
  return [fact, Number(number), byteLength(evidence.proof), time, liar.url]
}
