/**
 * The queue before an endpoint: what travels together, what is made once, and when an exchange ends
 * early.
 */

import { describe, expect, test } from 'vitest'
import { ask, CALL, nodeAt } from '../../test/support/node.js'
import type { RpcCall } from './call.js'
import { makeQueue } from './queue.js'

interface Sent {
  readonly calls: readonly string[]
  readonly signal: AbortSignal
  readonly answer: () => void
}

/** A queue whose exchanges are answered by hand, each call with its own first parameter. */
function queueOf(most = 32) {
  const sent: Sent[] = []
  const send = (calls: readonly RpcCall[], signal: AbortSignal) =>
    new Promise<readonly (() => unknown)[]>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      const answer = (): void =>
        resolve(
          calls.map(
            ({ params }) =>
              () =>
                params[0],
          ),
        )
      sent.push({ calls: calls.map(({ method }) => method), signal, answer })
    })
  const call = makeQueue(send, most)
  const make = async (method: string, param: unknown = 1, signal?: AbortSignal): Promise<unknown> =>
    (await call([{ method, params: [param] }], signal))[0]
  return { sent, make }
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

describe('a queue', () => {
  test('default: calls that are made at once travel together, at most so many', async () => {
    const { sent, make } = queueOf(2)
    const results = Promise.all([make('a', 1), make('b', 2), make('c', 3)])
    await turn()
    expect(sent.map(({ calls }) => calls)).toEqual([['a', 'b'], ['c']])
    for (const { answer } of sent) answer()
    expect(await results).toEqual([1, 2, 3])
    void make('d')
    await turn()
    expect(sent).toHaveLength(3)
  })

  test('behavior: one read in flight serves all who ask for it', async () => {
    const { sent, make } = queueOf()
    const first = make('eth_getProof', 7)
    await turn()
    const second = make('eth_getProof', 7)
    const other = make('eth_getProof', 8)
    await turn()
    expect(sent.map(({ calls }) => calls.length)).toEqual([1, 1])
    for (const { answer } of sent) answer()
    expect(await Promise.all([first, second, other])).toEqual([7, 7, 8])
    void make('eth_getProof', 7)
    await turn()
    expect(sent).toHaveLength(3)
  })

  test('behavior: what is told once is asked for by each', async () => {
    const { sent, make } = queueOf()
    for (const _ of [1, 2]) void make('eth_getFilterChanges', 7)
    await turn()
    expect(sent[0]?.calls).toHaveLength(2)
  })

  test('behavior: who leaves ends the exchange only if nobody else waits', async () => {
    const { sent, make } = queueOf()
    const [one, two] = [new AbortController(), new AbortController()]
    const left = make('eth_getProof', 7, one.signal)
    const stays = make('eth_getProof', 7, two.signal)
    const beside = make('eth_call', 8, two.signal)
    await turn()
    one.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    expect(sent[0]?.signal.aborted).toBe(false)
    two.abort(new Error('both'))
    await expect(stays).rejects.toThrow('both')
    await expect(beside).rejects.toThrow('both')
    expect(sent[0]?.signal.aborted).toBe(true)
    // Who comes now is not served by the exchange that was ended.
    const later = make('eth_getProof', 7)
    await turn()
    sent[1]?.answer()
    expect(await later).toBe(7)
  })

  test('behavior: who leaves before the exchange is not asked for', async () => {
    const { sent, make } = queueOf()
    const abort = new AbortController()
    const left = make('a', 1, abort.signal)
    abort.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    await turn()
    expect(sent).toHaveLength(0)
    await expect(make('a', 1, abort.signal)).rejects.toThrow('left')
  })
})

describe('batches over HTTP', () => {
  const three = [1, 2, 3].map((n) => ({ method: 'eth_call', params: [n] }))

  test('behavior: the error of one call is not that of another', async () => {
    const { node, server } = await nodeAt((response, body) => {
      const asked = JSON.parse(body) as { id: number; params: number[] }[]
      const error = { code: -32011, message: 'unknown block' }
      const reply = ({ id, params: [n] }: (typeof asked)[number]): object =>
        n === 2 ? { id, error } : { id, result: n }
      response.end(JSON.stringify(asked.map(reply)))
    })
    const results = await Promise.allSettled(three.map((call) => node.call(call, undefined)))
    expect(results).toMatchObject([{ value: 1 }, { reason: { code: 'rpc.block' } }, { value: 3 }])
    expect(server.bodies).toHaveLength(1)
  })

  test('behavior: too much for one answer is asked for call by call', async () => {
    const { node, server } = await nodeAt(
      (response, body) => {
        const asked = JSON.parse(body) as { id: number }[] | { id: number }
        const reply = ({ id }: { id: number }): object => ({ id, result: 'x'.repeat(400) })
        response.end(JSON.stringify(Array.isArray(asked) ? asked.map(reply) : reply(asked)))
      },
      { maxBytes: 1000 },
    )
    const results = await Promise.all(three.map((call) => node.call(call, undefined)))
    expect(results.map((text) => String(text).length)).toEqual([400, 400, 400])
    expect(server.bodies).toHaveLength(4)
  })

  test('behavior: without batches each call travels alone', async () => {
    const { node, server } = await nodeAt(
      (response, body) => {
        const { id, params } = JSON.parse(body) as { id: number; params: number[] }
        response.end(JSON.stringify({ id, result: params[0] }))
      },
      { batchSize: 1 },
    )
    expect(await node.batch(three, undefined)).toEqual([1, 2, 3])
    expect(server.bodies).toHaveLength(3)
  })

  test('behavior: the meter counts what went over the wire', async () => {
    const { node, server } = await nodeAt((response, body) => {
      const { id } = JSON.parse(body) as { id: number }
      response.end(JSON.stringify({ id, result: '0x1' }))
    })
    await Promise.all([ask(node), ask(node)])
    expect(node.health).toMatchObject({
      requests: 1,
      sentBytes: server.bodies[0]?.length,
      receivedBytes: JSON.stringify({ id: 1, result: '0x1' }).length,
    })
    expect(JSON.parse(server.bodies[0] ?? '')).toMatchObject(CALL)
  })
})
