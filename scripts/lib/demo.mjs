/** What `npm start` asks: facts of the devnet, each proven, and one lie, refused. Uses the published SDK only. */
import { createClient, devnet, fetchProof, getBalance, verifyProofFile } from 'lightproof'

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
 * Checks a proof file several times: the verdict, and the median time, which leaves out loading and warming up.
 *
 * @param {import('lightproof').ProofFile} file
 * @param {import('lightproof').ProofFileParameters} trusted
 */
async function measure(file, trusted) {
  const times = []
  let result = await verifyProofFile(file, trusted)
  for (let run = 0; run < RUNS; run += 1) {
    const began = performance.now()
    result = await verifyProofFile(file, trusted)
    times.push(performance.now() - began)
  }
  const median = times.sort((a, b) => a - b)[(RUNS - 1) / 2] ?? Number.NaN
  return { result, time: `${median.toFixed(2)} ms` }
}

/**
 * Proves every fact and returns the rows of the table: fact, block, proof bytes, verify time, node.
 *
 * @param {Ready} ready
 * @throws if anything that should be proven is not
 */
export async function proveFacts(ready) {
  const chain = devnet(ready.genesisHash)
  const anchor = { block: ready.head.hash }
  const client = createClient({ chain, anchor, nodes: [ready.url] })
  /** @type {(string | number)[][]} */
  const rows = []
  for (const { ask, say } of questions(ready)) {
    const file = await fetchProof(client, ask)
    const { result, time } = await measure(file, { anchor, chain })
    if (result.status === 'invalid') throw result.error
    const { value, trust } = result
    const block = Number(trust.block.number)
    rows.push([say(value), block, byteLength(file.proof), time, ready.url])
  }
  return rows
}

/**
 * Asks a lying node for a balance, under the anchor of an honest one, and returns the row that shows the refusal.
 *
 * @param {Ready} honest
 * @param {Ready} liar
 * @param {string} lie
 * @throws if the lie is not caught
 */
export async function refuseLie(honest, liar, lie) {
  const { address } = sampleOf(honest.samples, 'eoa')
  const chain = devnet(honest.genesisHash)
  const anchor = { block: honest.head.hash }
  const client = createClient({ chain, anchor, nodes: [liar.url] })
  const answer = await getBalance(client, { address })
  const [evidence] = answer.status === 'invalid' ? answer.evidence : []
  if (evidence === undefined) throw new Error(`the lie ${lie} was not refused: ${answer.status}`)
  const { result, time } = await measure(evidence, { anchor, chain })
  if (result.status !== 'invalid') throw new Error(`the evidence of ${lie} does not show it`)
  const fact = `REFUSED (${result.error.code}): a lie about the balance of ${short(address)}`
  return [fact, honest.head.number, byteLength(evidence.proof), time, liar.url]
}
