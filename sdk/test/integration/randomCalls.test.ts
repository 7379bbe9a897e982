/**
 * Random programs over proven state: they end as a live geth says, with the same output, gas and
 * logs.
 */

import { type Client, createClient, defineChain, proven } from 'lightproof'
import { type CallLog, type CallRequest, calls, type StateOverride } from 'lightproof/evm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deploying } from '../support/contracts.js'
import { Dice, randomBytes } from '../support/dice.js'
import { randomProgram } from '../support/randomProgram.js'
import { crowdMember, DEV_CHAIN_ID, faucet } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import { Sender } from './support/history.js'
import { isRecord } from './support/json.js'
import { hashOf, rpcBatch } from './support/rpc.js'

type Hex = `0x${string}`

/** Another seed, other programs. A failure names it. */
const SEED = Number(process.env['LIGHTPROOF_CALL_SEED'] ?? 1)
/** Calls of a round, and rounds of each fork. */
const [CALLS, ROUNDS] = [25, 20]
const GAS = 3_000_000n
/** Above the base fee, which falls from 1 gwei. */
const GAS_PRICE = 2_000_000_000n

/** How a call ended. */
interface End {
  readonly status: 'success' | 'reverted' | 'halted'
  readonly gas: bigint
  readonly output: unknown
  readonly logs: readonly unknown[]
}

const hex = (number: bigint | number): Hex => `0x${number.toString(16)}`
const slotOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
const caller = faucet.address.toLowerCase() as Hex
const others = [3, 4, 5].map((i) => crowdMember(i).address as Hex)
/** As JSON-RPC has it. */
const toJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? hex(v) : v)))

describe.each(['cancun', 'prague', 'osaka', 'amsterdam'] as const)('%s', (fork) => {
  let geth: Geth
  let client: Client
  let block: { readonly blockHash: string }
  let contracts: readonly [Hex, ...Hex[]]

  beforeAll(async () => {
    geth = await startDevGeth(fork)
    const sender = new Sender(geth.url)
    const deploy = async (i: number): Promise<Hex> => {
      const slots = Array.from(
        { length: 5 },
        (_, slot) => [slotOf(slot), BigInt(slot * i)] as const,
      )
      const { contract } = await sender.send({ data: deploying('0x00', slots) })
      return contract?.toLowerCase() as Hex
    }
    contracts = [await deploy(0)]
    for (let i = 1; i < CALLS; i++) contracts = [...contracts, await deploy(i)]
    const last = await sender.send({ to: caller })
    const hash = await hashOf(geth.url, last.block)
    const genesisHash = await hashOf(geth.url, 0)
    const named = { name: 'dev', kind: 'ethereum', chainId: DEV_CHAIN_ID } as const
    const forks = [{ rules: fork, block: 0, blobFraction: 5_007_716 }]
    block = { blockHash: hash }
    client = createClient({
      chain: defineChain({ ...named, genesisHash, forks }),
      anchor: { block: hash },
      nodes: [geth.url],
    })
  })
  afterAll(() => geth?.stop())

  test('behavior: they end as at the node, with the same output, gas and logs', async () => {
    const ended = { success: 0, reverted: 0, halted: 0, logs: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const { asked, stateOverride, isFree } = makeRound(new Dice((SEED * ROUNDS + round) >>> 0))
      // To geth, a block's base fee is zero if nobody pays it; here it is the block's.
      const free = isFree && { blockOverride: { baseFeePerGas: 0n } }
      const outcomes = proven(await calls(client, { calls: asked, stateOverride, ...free }))
      const theirs = await traced(asked, stateOverride)
      for (const [i, outcome] of outcomes.entries()) {
        const ours = endOf(outcome)
        ended[ours.status]++
        ended.logs += ours.logs.length
        const made = JSON.stringify(toJson({ call: asked[i], stateOverride }))
        expect(ours, `LIGHTPROOF_CALL_SEED=${SEED}, round ${round}: ${made}`).toEqual(theirs[i])
      }
    }
    // The programs are not all of one kind.
    expect(Math.min(...Object.values(ended))).toBeGreaterThan(20)
  })

  /** A program for each contract, and a call of each. */
  function makeRound(dice: Dice) {
    const isFree = dice.once(2)
    const stateOverride: StateOverride = Object.fromEntries(
      contracts.map((address) => {
        const around = { contracts, accounts: [caller, ...others] } as const
        const account = {
          code: randomProgram(dice, around),
          ...(dice.once(2) && { balance: BigInt(dice.below(100_000)) }),
          ...(dice.once(3) && { stateDiff: { [slotOf(1)]: slotOf(dice.below(2)) } }),
          ...(dice.once(4) && { nonce: BigInt(dice.below(3)) }),
        }
        return [address, account]
      }),
    )
    const asked = contracts.map((to) => ({
      from: caller,
      to,
      data: randomBytes(dice),
      value: BigInt(dice.once(3) ? dice.below(1000) : 0),
      gas: GAS,
      gasPrice: isFree ? 0n : GAS_PRICE + BigInt(dice.below(10)),
    }))
    return { asked, stateOverride, isFree }
  }

  async function traced(asked: readonly CallRequest[], overrides: StateOverride): Promise<End[]> {
    const stateOverrides = toJson(overrides)
    const logs = { tracer: 'callTracer', tracerConfig: { withLog: true } }
    const options = { ...logs, stateOverrides, timeout: '1m' }
    const params = asked.map((one) => [toJson(one), block, options])
    const traces = await rpcBatch(geth.url, 'debug_traceCall', params)
    return traces.map((trace) => {
      if (!isRecord(trace)) throw new Error('geth made no trace')
      const { error, gasUsed, output = '0x' } = trace
      const failed = error === 'execution reverted' ? 'reverted' : 'halted'
      const status = error === undefined ? 'success' : failed
      return { status, gas: BigInt(String(gasUsed)), output, logs: logsIn(trace) }
    })
  }
})

type Outcome = Extract<Awaited<ReturnType<typeof calls>>, { status: 'proven' }>['value'][number]

function endOf(outcome: Outcome): End {
  if (outcome.status === 'success') {
    const { gasUsed: gas, output, logs } = outcome.value
    return { status: 'success', gas, output, logs }
  }
  const { error, gasUsed: gas } = outcome
  if (error.code === 'call.refused') throw error
  const status = error.code === 'call.halted' ? 'halted' : 'reverted'
  return { status, gas, output: error.data, logs: [] }
}

/** The logs of a call and of those that it made, in their order. */
function logsIn(frame: Record<string, unknown>): CallLog[] {
  const listOf = (value: unknown): Record<string, unknown>[] =>
    Array.isArray(value) ? value.filter(isRecord) : []
  const within = (one: Record<string, unknown>): Record<string, unknown>[] => [
    ...listOf(one['logs']),
    ...listOf(one['calls']).flatMap(within),
  ]
  return within(frame)
    .sort((a, b) => Number(a['index']) - Number(b['index']))
    .map(({ address, topics, data }) => ({ address, topics, data }) as CallLog)
}
