/**
 * What `npm start -- --follow` shows: facts of a live Ethereum chain, which geth makes and our node
 * follows, by each of the six systems, each proven and compared with geth's chain; and a lie,
 * refused. Uses the published SDK only.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createClient,
  defineChain,
  getAccount,
  getBalance,
  getValue,
  getValues,
  proven,
} from 'lightproof'
import { balanceproofs } from 'lightproof/balanceproofs'
import { cole, getHistory } from 'lightproof/cole'
import { followedChain } from 'lightproof/follows'
import { lmpt } from 'lightproof/lmpt'
import { lvmt } from 'lightproof/lvmt'
import { verkle } from 'lightproof/verkle'
import { step } from '../../scripts/lib/steps.mjs'
import { table } from '../../scripts/lib/table.mjs'
import { CHAIN_ID, FRIENDS, makeHistory, payer, rpc, slotOf, startDevGeth } from './devGeth.mjs'
import { ether, proveFact, short, showEvidence } from './devnet.mjs'
import { runNode } from './node.mjs'

/** @typedef {import('./devnet.mjs').Row} Row */
/** @typedef {import('./devGeth.mjs').DevGeth} DevGeth */
/** @typedef {import('lightproof').Client} Client */
/** @typedef {Awaited<ReturnType<typeof makeHistory>>} Made */

/** Whose balances `balanceproofs` commits to. */
const LISTED = [payer.address, ...FRIENDS]
const PERIOD = 8
/** Only a fault takes this long. */
const PATIENT = { timeoutMs: 30_000, deadlineMs: 60_000 }

/**
 * Starts our node beside geth, with an operator's own key, and waits until it has attested a block.
 *
 * @param {string} program
 * @param {DevGeth} geth
 * @param {number} block
 */
async function startFollower(program, { url, genesis, dir }, block) {
  const [key = '', committee = '', balances = ''] = ['key', 'committee.json', 'balances.txt'].map(
    (name) => path.join(dir, name),
  )
  const member = JSON.parse(
    execFileSync(program, ['keys', 'new', '--out', key], { encoding: 'utf8' }),
  )
  const committees = [{ from: 0, members: [member] }]
  writeFileSync(committee, JSON.stringify({ periodLength: PERIOD, committees }))
  writeFileSync(balances, LISTED.map((address) => `${address}\n`).join(''))
  const follow = ['--follow', url, '--genesis', genesis, '--follow-depth', '0', '--trust-upstream']
  const own = ['--data', path.join(dir, 'chain'), '--committee', committee, '--keys', key]
  const more = ['--balances', balances, '--block-time-ms', '100', '--lies-by-path']
  return runNode(
    program,
    [...own, ...follow, ...more],
    ({ event, number }) => event === 'block' && number >= block,
  )
}

/**
 * The configuration of the operator's chain, from their node's first line.
 *
 * @param {any} ready
 */
function chainOf({ kind, chainId, genesisHash, consensus, systems }) {
  return defineChain({ name: 'ours', kind, chainId, genesisHash, consensus, systems })
}

/**
 * A client that trusts one block of geth.
 *
 * @param {string} geth whose word the tour takes for its genesis
 * @param {string} block hash
 * @param {string} node that it asks
 */
async function ethereumClient(geth, block, node) {
  const { hash: genesisHash } = await rpc(geth, 'eth_getBlockByNumber', ['0x0', false])
  const chain = defineChain({ name: 'geth', kind: 'ethereum', chainId: CHAIN_ID, genesisHash })
  return createClient({ chain, anchor: { block }, nodes: [node], ...PATIENT })
}

/**
 * The questions: the system, what to ask whom for a file, how to ask for a value that is compared,
 * and how to say it.
 *
 * @param {{ ethereum: Client, ours: Client, compared: Client }} clients all ask our node: the first
 *   trusts geth's block, the others the operator's key, and the last one compares with geth
 * @param {Made} made
 * @returns {{ name: string, client: Client, ask: any, get: () => Promise<any>, say: (value: any) =>
 *   string }[]}
 */
function questions({ ethereum, ours, compared }, { token, block: at }) {
  const [friend = ''] = FRIENDS
  const key = { address: token, slot: slotOf(friend) }
  const one = { address: friend, at }
  const balance = (/** @type {any} */ { account }) =>
    `balance of ${short(friend)} is ${ether(account?.balance ?? 0n)}`
  const slot = (/** @type {any} */ system) => ({
    name: system.name,
    client: ours,
    ask: { system, keys: [key], at },
    get: () => getValue(compared, { system, key, at }),
    say: (/** @type {{ value?: string }[]} */ [item]) =>
      `${short(friend)} has ${BigInt(item?.value ?? 0)} of the token`,
  })
  const range = { ...key, fromBlock: 0, toBlock: at, at }
  const positions = LISTED.map((_, position) => position)
  return [
    {
      name: 'mpt',
      client: ethereum,
      ask: one,
      get: () => getAccount(ethereum, one),
      say: (value) => `${balance(value)}, under geth’s own header`,
    },
    { name: 'mpt', client: ours, ask: one, get: () => getAccount(compared, one), say: balance },
    slot(lmpt),
    slot(lvmt),
    slot(verkle),
    {
      name: 'cole',
      client: ours,
      ask: { system: cole, ...range },
      get: () => getHistory(compared, range),
      say: ({ versions }) => {
        const sums = versions.map((/** @type {any} */ { value }) => BigInt(value))
        return `${short(friend)} had ${sums.join(', then ')} of the token, and never another sum`
      },
    },
    {
      name: 'balanceproofs',
      client: ours,
      ask: { system: balanceproofs, keys: positions, at },
      get: () => getValues(compared, { system: balanceproofs, keys: positions, at }),
      say: (/** @type {{ value: bigint }[]} */ items) => {
        const sum = items.reduce((wei, { value }) => wei + value, 0n)
        return `balances of ${items.length} accounts add up to ${ether(sum)}, by one aggregate`
      },
    },
  ]
}

/** @param {import('lightproof').Trust} trust */
function vouching({ attestedBy, origin, originState, crossChecked, setup }) {
  if (attestedBy === undefined) return 'geth’s block hash'
  const compared = origin === 'proven' && originState === 'equal'
  return [
    `${attestedBy.signed} of ${attestedBy.of} keys`,
    ...(compared ? ['geth’s block and state root'] : []),
    ...(crossChecked ? [`${crossChecked} compared by mpt`] : []),
    ...(setup?.insecure ? ['setup INSECURE'] : []),
  ].join('; ')
}

/**
 * Proves each fact, and returns a row for it.
 *
 * @param {Parameters<typeof questions>} about
 * @returns {Promise<Row[]>}
 * @throws if anything that should be proven is not
 */
async function proveFacts(...about) {
  const rows = []
  for (const { name, client, ask, get, say } of questions(...about)) {
    const answer = await get()
    proven(answer)
    const { value, row } = await proveFact(client, ask)
    rows.push([name, say(value), ...row.slice(0, -1), vouching(answer.trust)])
  }
  return rows
}

const LIE = 'claim-balance'

/**
 * Asks where our node lies, and returns the row of the refusal.
 *
 * @param {Client} liar asks there
 * @param {Made} made
 * @returns {Promise<Row>}
 * @throws if the lie is not caught, or its evidence does not show it
 */
async function refuseLie(liar, { block: at }) {
  const [address = ''] = FRIENDS
  const answer = await getBalance(liar, { address, at })
  if (answer.status !== 'invalid') throw new Error(`the lie was not refused: ${answer.status}`)
  const [evidence] = answer.evidence
  if (evidence === undefined || evidence.kind === 'contradiction')
    throw new Error('there is no evidence of the lie')
  const fact = `REFUSED (${answer.error.code}): a false balance of ${short(address)}`
  return ['mpt', fact, ...(await showEvidence(liar, evidence, LIE))]
}

/**
 * Runs the tour; geth and the node run on until this process ends.
 *
 * @param {string} gethProgram
 * @param {string} nodeProgram with cargo's feature `ethereum`
 */
export async function show(gethProgram, nodeProgram) {
  console.log('Tour beside geth')
  const geth = await step('start geth on a chain of its own', () => startDevGeth(gethProgram))
  const made = await step('deploy a token, move some of it, and pay three accounts', () =>
    makeHistory(geth.url),
  )
  const node = await step('start our node, which executes every block and attests it', () =>
    startFollower(nodeProgram, geth, made.block),
  )
  // geth dates blocks that it makes at once a second apart; clients believe no block of the future.
  await step('wait until the newest block is of the past', () =>
    sleep(Math.max(0, (made.timestamp + 1) * 1000 - Date.now())),
  )
  const chain = chainOf(node)
  const anchor = { checkpoint: node.genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY }
  const besides = await ethereumClient(geth.url, made.hash, geth.url)
  const follows = followedChain(besides, { accounts: LISTED, crossCheck: LISTED.length })
  const options = { chain, anchor, nodes: [node.url], ...PATIENT }
  const ours = createClient(options)
  const compared = createClient({ ...options, follows })
  const ethereum = await ethereumClient(geth.url, made.hash, node.url)
  const facts = await step(
    'ask our node for facts, check their proofs, compare them with geth',
    () => proveFacts({ ethereum, ours, compared }, made),
  )
  const refused = await step('ask where it lies', async () =>
    refuseLie(await ethereumClient(geth.url, made.hash, `${node.url}/lie/${LIE}`), made),
  )
  const head = ['system', 'fact', 'block', 'proof bytes', 'verify time', 'vouched for by']
  console.log(`
  You trust   block 0 of the operator’s chain, ${node.genesisHash}, which names their key;
              and geth’s block ${made.block}, ${made.hash}.
  Our node    executed every block of geth: ${node.url}
  geth        ${geth.url}

${table([head, ...facts, refused])}
`)
}
