/** Megabytes of junk where a proof should be: refused before anything of it is decoded, mostly before it is read. */

import { describe, expect, test } from 'vitest'
import { getStorage, proven } from '../../src/entry/node.js'
import { employ } from '../../src/proving/engine.js'
import { boundProof } from '../../src/systems/mpt/bounds.js'
import { honest, makeChain, OWNER, proofJson, SLOT } from '../support/chain.js'
import { clientOf } from '../support/client.js'

const ethereum = makeChain(4, 'ethereum')
const question = { address: OWNER, slot: SLOT }
const honestProof = proofJson(ethereum.head, OWNER, [SLOT])
const [slot] = honestProof.storageProof
const MIB = 1 << 20
const deep = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)

/** Each is beyond what any honest answer holds. */
const JUNK: readonly [string, object][] = [
  ['66 nodes of an account', { accountProof: many(66, '0x80') }],
  ['66 nodes of a slot', { storageProof: [{ ...slot, proof: many(66, '0x80') }] }],
  ['two slots where one was asked for', { storageProof: [slot, slot] }],
  ['a node of 601 bytes', { accountProof: [`0x${'00'.repeat(601)}`] }],
  ['a balance of a thousand digits', { balance: `0x${'1'.repeat(2000)}` }],
  ['a key of a thousand digits', { storageProof: [{ ...slot, key: '0'.repeat(2000) }] }],
]

/** Text for text, whatever else is there. */
const NO_TEXT: readonly [string, object, string][] = [
  ['a deep list for an address', { address: deep(2_000) }, 'address'],
  ['a deep list for a node', { accountProof: [deep(2_000)] }, 'accountProof[0]'],
  ['a deep list for a slot', { storageProof: [deep(2_000)] }, 'storageProof[0]'],
  ['an object for nodes', { accountProof: { length: 1e9 } }, 'accountProof'],
  ['a number for a value', { storageProof: [{ ...slot, value: 1 }] }, 'storageProof[0].value'],
]

async function ask(change: object, code: string): Promise<string[]> {
  const jobs: string[] = []
  const eth_getProof = (): unknown => ({ ...honestProof, ...change })
  const { client } = clientOf(ethereum, [honest(ethereum, { eth_getProof }), honest(ethereum)])
  const { doJob } = await import('../../src/proving/engine.js')
  employ((job) => {
    jobs.push(job.kind)
    return doJob(job)
  })
  try {
    const result = await getStorage(client, question)
    expect(result).toMatchObject({
      status: 'present',
      value: ethereum.head.slotValue,
      trust: { servedBy: 'http://n2', tried: [{ node: 'http://n1', code }] },
    })
  } finally {
    employ()
  }
  return jobs
}

describe('an answer of eth_getProof', () => {
  test.each(JUNK)('invalid: %s reaches no decoder', async (_, change) => {
    const jobs = await ask(change, 'decode.limit')
    expect(jobs.filter((kind) => kind === 'proof')).toHaveLength(1)
  })

  test.each(NO_TEXT)('invalid: %s is refused by its name', async (_, change, field) => {
    await ask(change, 'decode.response')
    const bounded = boundProof({ ...honestProof, ...change }, 1)
    expect(JSON.stringify(bounded).length).toBeLessThan(5_000)
    const { encodeProof } = await import('../../src/ethereum/proof.js')
    expect(() => encodeProof(bounded)).toThrow(`${field}: `)
  })

  test.each([
    [1, 200_000],
    [100, 4 * MIB],
  ])('behavior: of %i slots no more than %i bytes are read', async (count, most) => {
    let sent = 0
    const chunk = new Uint8Array(65_536).fill(0x20)
    const body = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        pull: (controller) => {
          sent += chunk.length
          if (sent > 16 * MIB) controller.close()
          else controller.enqueue(chunk)
        },
      })
    const script = clientOf(ethereum, [honest(ethereum)])
    const fetch: typeof script.fetch = async (input, init) => {
      const isProof = String(init?.body).includes('eth_getProof')
      return isProof ? new Response(body()) : script.fetch(input, init)
    }
    const { client } = clientOf(ethereum, [], { nodes: ['http://n1'], fetch })
    const { fetchProof } = await import('../../src/entry/node.js')
    const slots = Array.from({ length: count }, (_, i) => i)
    await expect(fetchProof(client, { address: OWNER, slots })).rejects.toMatchObject({
      code: 'unreachable',
    })
    expect(sent).toBeLessThan(most + 4 * chunk.length)
  })

  test('behavior: the longest honest answers pass', () => {
    const node = `0x${'ff'.repeat(532)}`
    const path = many(65, node)
    const reply = { ...honestProof, accountProof: path, storageProof: [{ ...slot, proof: path }] }
    expect(boundProof(reply, 1)).toEqual(reply)
  })

  test('default: an honest answer', async () => {
    const { client } = clientOf(ethereum, [honest(ethereum)])
    expect(proven(await getStorage(client, question))).toBe(ethereum.head.slotValue)
  })
})
