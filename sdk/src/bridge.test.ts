import { describe, expect, test } from 'vitest'
import { honest, makeChain, NOBODY, OWNER, SLOT } from '../test/support/chain.js'
import { scriptedFetch } from '../test/support/rpc.js'
import { type BridgeReply, type BridgeTarget, serveBridge } from './bridge.js'
import { createClient } from './client.js'
import { cole } from './cole.js'

const chain = makeChain(4)
const { fetch } = scriptedFetch({ 'http://n1': honest(chain) })
const anchor = { block: chain.head.hash }
const client = createClient({ chain: chain.chain, anchor, nodes: ['http://n1'], fetch })

type Listener = (event: MessageEvent) => void

/** A window without a browser: it hands events to its listeners. */
function windowOf(shell: Partial<BridgeTarget> = {}) {
  const listeners = new Set<Listener>()
  const target: BridgeTarget = {
    ...shell,
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
  }
  const emit = (event: object): void => {
    for (const listener of listeners) listener({ origin: '', ...event } as MessageEvent)
  }
  return { target, listeners, emit }
}

/** Serves the bridge to a React Native shell, and asks as that shell does. */
async function ask(message: unknown): Promise<BridgeReply> {
  return new Promise((resolve) => {
    const postMessage = (text: string): void => resolve(JSON.parse(text) as BridgeReply)
    const { target, emit } = windowOf({ ReactNativeWebView: { postMessage } })
    serveBridge(client, target, { systems: [cole] })
    emit({ data: message })
  })
}

describe('methods', () => {
  test.each([
    ['getBalance', { address: OWNER }, { status: 'present', value: '0x3eb' }],
    ['getBalance', { address: OWNER, at: 1 }, { value: '0x3e9', trust: { finality: 'ancestor' } }],
    ['getBalance', { address: NOBODY }, { status: 'absent', value: '0x0' }],
    ['getNonce', { address: OWNER }, { status: 'present', value: '0x1' }],
    ['getAccount', { address: OWNER }, { status: 'present', value: { balance: '0x3eb' } }],
    ['getAccount', { address: NOBODY }, { status: 'absent', value: null }],
    ['getCode', { address: OWNER }, { status: 'present', value: '0x6001600155' }],
    ['getStorage', { address: OWNER, slot: SLOT }, { status: 'present', value: '0x4' }],
    ['getBlock', {}, { status: 'present', value: { number: '0x3', hash: chain.head.hash } }],
    ['fetchProof', { address: OWNER }, { schema: 1, kind: 'proof' }],
    ['fetchProof', { address: OWNER, system: 'mpt' }, { schema: 1, system: 'mpt' }],
    ['getValue', { address: OWNER, system: 'cole' }, { status: 'unavailable' }],
  ])('default: %s %j', async (method, params, result) => {
    const reply = await ask(JSON.stringify({ id: 7, method, params }))
    expect(reply).toMatchObject({ id: 7, result })
  })

  test('default: verifyProofFile checks against the anchor of the client', async () => {
    const fetched = await ask({ id: 1, method: 'fetchProof', params: { address: OWNER } })
    const file = 'result' in fetched ? fetched.result : undefined
    const reply = await ask({ id: 2, method: 'verifyProofFile', params: { file } })
    expect(reply).toMatchObject({ result: { status: 'present', value: { address: OWNER } } })
    const elsewhere = { file, anchor: { block: chain.at(1).hash } }
    const other = await ask({ id: 3, method: 'verifyProofFile', params: elsewhere })
    expect(other).toMatchObject({ result: { status: 'invalid', error: { code: 'verify.header' } } })
  })

  test.each([
    [{ id: 'a', method: 'eth_call' }, 'input.option', 'method'],
    [{ id: 'a', method: 'toString' }, 'input.option', 'method'],
    [{ id: 'a', method: 'getBalance' }, 'input.address', 'address'],
    [{ id: 'a', method: 'getBalance', params: [OWNER] }, 'input.option', 'params'],
    [{ id: 'a', method: 'getBalance', params: { adress: OWNER } }, 'input.option', 'adress'],
    [{ id: 'a', method: 'getValue', params: { address: OWNER } }, 'input.option', 'system'],
    [{ id: 'a', method: 'getValue', params: { system: 'lvmt' } }, 'input.option', 'system'],
    [{ id: 'a', method: 'getValue', params: { system: 'cole' } }, 'input.address', 'address'],
    [{ id: 'a', method: 'getValues', params: { system: 'cole' } }, 'input.option', 'system'],
    [{ id: 'a', method: 'fetchProof', params: { system: 'cole', to: 1 } }, 'input.option', 'to'],
  ])('error: %j', async (message, code, argument) => {
    expect(await ask(message)).toMatchObject({
      id: 'a',
      error: { name: 'InputError', code, argument },
    })
  })
})

describe('who may ask, and where the reply goes', () => {
  const call = { id: 1, method: 'getNonce', params: { address: OWNER } }

  test('default: a shell gets text, by whichever channel it has', async () => {
    const shells: ((postMessage: (message: unknown) => void) => Partial<BridgeTarget>)[] = [
      (postMessage) => ({ ReactNativeWebView: { postMessage } }),
      (postMessage) => ({ webkit: { messageHandlers: { lightproof: { postMessage } } } }),
      (postMessage) => ({ lightproofAndroid: { postMessage } }),
    ]
    for (const shell of shells) {
      const reply = await new Promise((resolve) => {
        const { target, emit } = windowOf(shell(resolve))
        serveBridge(client, target)
        emit({ data: JSON.stringify(call), source: null })
      })
      expect(JSON.parse(String(reply))).toMatchObject({ id: 1, result: { value: '0x1' } })
    }
  })

  test('default: a message port gets the reply', async () => {
    const reply = await new Promise((resolve) => {
      const { target, emit } = windowOf()
      serveBridge(client, target)
      emit({ data: call, source: null, ports: [{ postMessage: resolve }] })
    })
    expect(reply).toMatchObject({ id: 1 })
  })

  test('default: React Native on Android delivers to the document', async () => {
    const reply = await new Promise((resolve) => {
      const document = windowOf()
      const { target } = windowOf({
        document: document.target,
        ReactNativeWebView: { postMessage: resolve },
      })
      serveBridge(client, target)
      document.emit({ data: JSON.stringify(call) })
    })
    expect(JSON.parse(String(reply))).toMatchObject({ id: 1 })
  })

  test('error: another window is not heard unless its origin is allowed', async () => {
    const heard: unknown[] = []
    const told = await new Promise((resolve) => {
      const source = { postMessage: (...reply: unknown[]) => resolve(reply) }
      const shell = { ReactNativeWebView: { postMessage: (text: string) => heard.push(text) } }
      // The allowed one comes last: by its answer the others would have had theirs.
      for (const origin of ['https://other.test', 'https://wallet.test']) {
        const { target, emit } = windowOf(shell)
        serveBridge(client, target, { origins: [origin] })
        emit({ data: { ...call, id: origin }, source, origin: 'https://wallet.test' })
      }
    })
    expect(told).toEqual([
      expect.objectContaining({ id: 'https://wallet.test' }),
      { targetOrigin: 'https://wallet.test' },
    ])
    expect(heard).toEqual([])
  })

  test('behavior: what is no call is left alone, a reply included', async () => {
    const heard: string[] = []
    await new Promise<void>((resolve) => {
      const postMessage = (text: string): void => {
        heard.push(text)
        resolve()
      }
      const { target, emit } = windowOf({ ReactNativeWebView: { postMessage } })
      serveBridge(client, target)
      const others = ['{', 'text', null, 1, [], {}, { id: 1 }, { method: 'getNonce' }]
      for (const data of [...others, { id: 1, result: {} }, { id: {}, method: 'getNonce' }]) {
        emit({ data })
      }
      emit({ data: { ...call, id: 'last' } })
    })
    expect(heard.map((text) => (JSON.parse(text) as BridgeReply).id)).toEqual(['last'])
  })

  test('behavior: stops when told', () => {
    const { target, listeners } = windowOf()
    const stop = serveBridge(client, target)
    expect(listeners.size).toBe(1)
    stop()
    expect(listeners.size).toBe(0)
  })
})
