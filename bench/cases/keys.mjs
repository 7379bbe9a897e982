/**
 * All systems beside each other: the proof of one key and of a hundred in one state, in every form,
 * as the SDK checks it.
 */

import { createClient, devnet, fetchProof, proven, verifyProofFile } from 'lightproof'
import { systems } from 'lightproof/systems'
import { keccak256 } from 'viem'
import { startNode } from '../../examples/tour/node.mjs'
import { measure, median } from '../lib/measure.mjs'

/** @typedef {import('../lib/types.js').Row} Row */
/** @typedef {import('lightproof').ProofFile} ProofFile */
/** @typedef {import('lightproof').ProofSystem} ProofSystem */
/** @typedef {{ address: string, slot: string }} Place */

const BLOCKS = 1_000
const COUNTS = [1, 100]
/** Fewer rounds than these are said to be few. */
const QUICK = 50

/**
 * How the questions of systems differ: by default they take keys, many in one proof.
 *
 * @type {Readonly<Record<string, (places: readonly Place[]) => readonly object[]>>}
 */
const QUESTIONS = {
  // Transactions and receipts have no keys.
  body: () => [],
  balanceproofs: (places) => [{ keys: places.map((_, position) => position) }],
  cole: (places) => places,
  mpt: ([first, ...others]) =>
    first === undefined
      ? []
      : [{ address: first.address, slots: [first, ...others].map(({ slot }) => slot) }],
}

/**
 * @param {ProofSystem} system
 * @param {readonly Place[]} places
 */
function questionsOf({ name }, places) {
  return (QUESTIONS[name] ?? ((keys) => [{ keys }]))(places)
}

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'keys',
  title: 'all systems',
  about:
    `Medians of the processor’s time of \`verifyProofFile\`, from files in hex; bytes of the proofs, before hex. One chain of ${BLOCKS.toLocaleString('en')} blocks, the same values of one mapping` +
    ' for all systems, for balanceproofs as many positions. cole proves one key a proof: a hundred proofs. A form that the node does not make of so many keys has no row.',
  async run({ rounds, log }) {
    const node = await startNode({ prefill: BLOCKS, bornAt: 1_767_225_600, period: 64, blocks: 0 })
    const chain = devnet(node.genesisHash, node.consensus)
    const anchor = { block: node.head.hash }
    const client = createClient({
      chain,
      anchor,
      nodes: [node.url],
      timeoutMs: 600_000,
      deadlineMs: 600_000,
    })
    const places = placesOf(node)
    /** @type {Row[]} */
    const rows = []
    /** @type {Record<string, string>} */
    const cases = {}
    for (const system of systems) {
      for (const variant of system.variants) {
        for (const count of COUNTS) {
          const files = await filesOf(
            client,
            { ...system, variants: [variant] },
            places.slice(0, count),
          )
          if (files === undefined) continue
          const title = `${count} ${count === 1 ? 'key' : 'keys'}: ${system.name}, ${variant}`
          log(`keys: ${title}`)
          const check = async () => {
            for (const file of files)
              proven(await verifyProofFile(file, { anchor, chain, systems: [system] }))
          }
          const [result] = await measure([check], rounds)
          const id = `keys-${system.name}-${variant}-${count}`
          cases[id] = title
          rows.push({
            system: 'keys',
            case: id,
            engine: 'keys-sdk',
            medianUs: median(result?.samples ?? []),
            runs: result?.runs ?? 0,
            proofBytes: files.reduce((sum, { proof }) => sum + (proof.length - 2) / 2, 0),
            ratioToOurs: null,
          })
        }
      }
    }
    const note = rounds < QUICK ? { note: `Quick: ${rounds} rounds.` } : {}
    return { rows, titles: { cases, engines: { 'keys-sdk': 'verify, SDK' } }, ...note }
  },
}

/**
 * Values of a mapping at slot 0 of the node's token contract: the first is never cleared, a few
 * were or were never written.
 *
 * @param {import('../../examples/tour/node.mjs').Ready} node
 * @returns {Place[]}
 */
function placesOf({ samples }) {
  const token = samples.find(({ kind }) => kind === 'contract')
  if (token === undefined) throw new Error('the node names no contract')
  const word = (/** @type {number} */ n) => n.toString(16).padStart(64, '0')
  return Array.from({ length: Math.max(...COUNTS) }, (_, n) => ({
    address: token.address,
    slot: keccak256(`0x${word(n)}${word(0)}`),
  }))
}

/**
 * The proofs as a reader gets them; undefined if the node makes none in this form.
 *
 * @param {import('lightproof').Client} client
 * @param {ProofSystem} system
 * @param {readonly Place[]} places
 * @returns {Promise<ProofFile[] | undefined>}
 */
async function filesOf(client, system, places) {
  /** @type {ProofFile[]} */
  const files = []
  for (const question of questionsOf(system, places)) {
    const file = await fetchProof(client, { ...question, system }).catch((error) => error)
    if (file?.name === 'UnavailableError') return undefined
    if (file instanceof Error) throw file
    // As it comes from a file: V8 reads strings that JavaScript has pieced together more slowly.
    files.push(JSON.parse(JSON.stringify(file)))
  }
  return files.length > 0 ? files : undefined
}
