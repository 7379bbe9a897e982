import { describe, expect, test, vi } from 'vitest'
import { honest, makeChain, NOBODY, OWNER, SLOT } from '../../test/support/chain.js'
import { blocksBelow } from '../../test/support/guides.js'
import { scriptedFetch } from '../../test/support/rpc.js'
import { createClient } from '../client/client.js'
import { cole } from '../entry/cole.js'
import { type BridgeReply, type BridgeTarget, serveBridge } from './bridge.js'

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
  // As code in the page dispatches an event; the browser's own are trusted, and name an origin.
  const emit = (event: object): void => {
    const synthetic = { origin: '', source: null, isTrusted: false }
    for (const listener of listeners) listener({ ...synthetic, ...event } as MessageEvent)
  }
  return { target, listeners, emit }
}

/** A call as a shell makes it. */
const call = (method: string, params: object = {}, id: number | string = 'a') => ({
  lightproof: 1,
  id,
  method,
  params,
})

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
    const reply = await ask(JSON.stringify({ lightproof: 1, id: 7, method, params }))
    expect(reply).toMatchObject({ lightproof: 1, id: 7, result })
  })

  test('default: verifyProofFile checks against the anchor of the client', async () => {
    const fetched = await ask(call('fetchProof', { address: OWNER }))
    const file = 'result' in fetched ? fetched.result : undefined
    const reply = await ask(call('verifyProofFile', { file }))
    expect(reply).toMatchObject({ result: { status: 'present', value: { address: OWNER } } })
    const elsewhere = { file, anchor: { block: chain.at(1).hash } }
    const other = await ask(call('verifyProofFile', elsewhere))
    expect(other).toMatchObject({ result: { status: 'invalid', error: { code: 'verify.header' } } })
  })

  test.each([
    [call('eth_call'), 'input.option', 'method'],
    [call('toString'), 'input.option', 'method'],
    [call('getBalance'), 'input.address', 'address'],
    [{ ...call('getBalance'), params: [OWNER] }, 'input.option', 'params'],
    [{ ...call('getBlock'), lightproof: 2 }, 'input.option', 'lightproof'],
    [call('getBalance', { adress: OWNER }), 'input.option', 'adress'],
    [call('getValue', { address: OWNER }), 'input.option', 'system'],
    [call('getValue', { system: 'lvmt' }), 'input.option', 'system'],
    [call('getValue', { system: 'cole' }), 'input.address', 'address'],
    [call('getValues', { system: 'cole' }), 'input.option', 'system'],
    [call('fetchProof', { system: 'cole', to: 1 }), 'input.option', 'to'],
    [call('sync', { force: true }), 'input.option', 'force'],
    [call('sync', { force: false }), 'input.option', 'force'],
    [call('sync'), 'input.anchor', 'anchor'],
  ])('error: %j', async (message, code, argument) => {
    expect(await ask(message)).toMatchObject({
      id: 'a',
      error: { name: 'InputError', code, argument },
    })
  })
})

test("default: the guide's code for React Native asks a page in a hidden webview", async () => {
  const [code = ''] = blocksBelow('platforms.md', 'React Native')
  const react = 'const createRef = () => ({ current: null })'
  const alone = code.replace("import { createRef } from 'react'", react)
  const app = await import(`data:text/javascript,${encodeURIComponent(alone)}`)
  // As the native side does: text in, and text out in an event of its own.
  const postMessage = (data: string): void => app.receive({ nativeEvent: { data } })
  const { target, emit } = windowOf({ ReactNativeWebView: { postMessage } })
  app.view.current = { postMessage: (data: string) => emit({ data }) }
  const stop = serveBridge(client, target)
  postMessage('{"type":"of another library"}')
  const asked = [app.ask('getBalance', { address: OWNER }), app.ask('getNonce', { address: OWNER })]
  expect(await Promise.all(asked)).toMatchObject([{ value: '0x3eb' }, { value: '0x1' }])
  await expect(app.ask('getBalance', {})).rejects.toMatchObject({ code: 'input.address' })
  stop()
})

describe('who may ask, and where the reply goes', () => {
  const nonce = call('getNonce', { address: OWNER }, 1)

  /**
   * All that a shell hears of a bridge in whose window the events happen; the last must be
   * answered.
   */
  async function heardAfter(
    events: readonly object[],
    origins: readonly string[] = [],
    onCall?: (method: string) => void,
  ) {
    const heard: BridgeReply[] = []
    await new Promise<void>((resolve) => {
      const postMessage = (text: string): void => {
        heard.push(JSON.parse(text) as BridgeReply)
        if (heard.at(-1)?.id === 'last') resolve()
      }
      const { target, emit } = windowOf({ ReactNativeWebView: { postMessage } })
      serveBridge(client, target, { origins, ...(onCall && { onCall }) })
      for (const event of events) emit(event)
      emit({ data: { ...nonce, id: 'last' } })
    })
    return heard.map(({ id }) => id)
  }

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
        emit({ data: JSON.stringify(nonce) })
      })
      expect(JSON.parse(String(reply))).toMatchObject({ id: 1, result: { value: '0x1' } })
    }
  })

  test('default: native code that calls window.postMessage is heard', async () => {
    const reply = await new Promise((resolve) => {
      const { target, emit } = windowOf({ ReactNativeWebView: { postMessage: resolve } })
      serveBridge(client, target)
      emit({ data: JSON.stringify(nonce), source: target, origin: 'null', isTrusted: true })
    })
    expect(JSON.parse(String(reply))).toMatchObject({ id: 1, result: { value: '0x1' } })
  })

  test('default: React Native on Android delivers to the document', async () => {
    const reply = await new Promise((resolve) => {
      const document = windowOf()
      const { target } = windowOf({
        document: document.target,
        ReactNativeWebView: { postMessage: resolve },
      })
      serveBridge(client, target)
      document.emit({ data: JSON.stringify(nonce) })
    })
    expect(JSON.parse(String(reply))).toMatchObject({ id: 1 })
  })

  test('error: a frame that posted and was removed is not the shell', async () => {
    const port = { postMessage: vi.fn() }
    const frame = { source: null, isTrusted: true, origin: 'https://other.test' }
    const attacks = [
      { ...frame, data: nonce },
      { ...frame, data: nonce, origin: 'null' },
      { ...frame, data: nonce, origin: 'https://wallet.test' },
      { ...frame, data: nonce, ports: [port] },
    ]
    expect(await heardAfter(attacks, ['https://wallet.test'])).toEqual(['last'])
    expect(port.postMessage).not.toHaveBeenCalled()
  })

  test('error: another window is not heard unless its origin is allowed', async () => {
    const heard: unknown[] = []
    const port = { postMessage: vi.fn() }
    const told = await new Promise((resolve) => {
      const source = { postMessage: (...reply: unknown[]) => resolve(reply) }
      const shell = { ReactNativeWebView: { postMessage: (text: string) => heard.push(text) } }
      const event = { source, origin: 'https://wallet.test', isTrusted: true, ports: [port] }
      // The allowed one comes last: by its answer the others would have had theirs.
      for (const origin of ['https://other.test', 'https://wallet.test']) {
        const { target, emit } = windowOf(shell)
        serveBridge(client, target, { origins: [origin] })
        emit({ ...event, data: { ...nonce, id: origin } })
      }
    })
    expect(told).toEqual([
      expect.objectContaining({ id: 'https://wallet.test' }),
      { targetOrigin: 'https://wallet.test' },
    ])
    expect(heard).toEqual([])
    expect(port.postMessage).not.toHaveBeenCalled()
  })

  test('behavior: what is no call to this bridge is left alone, a reply included', async () => {
    const others = ['{', 'text', null, 1, [], {}, { id: 1 }, { method: 'getNonce' }]
    // Other bridges name their calls in the same way.
    const foreign = { id: 1, method: 'getNonce', params: { address: OWNER } }
    const ours = { lightproof: 1, id: {}, method: 'getNonce' }
    const reply = { lightproof: 1, id: 1, result: {} }
    const all = [...others, foreign, JSON.stringify(foreign), ours, reply]
    expect(await heardAfter(all.map((data) => ({ data })))).toEqual(['last'])
  })

  test('behavior: a listener hears of the calls that are answered, and disturbs none', async () => {
    const heard: string[] = []
    const onCall = (method: string): void => {
      heard.push(method)
      throw new Error('no')
    }
    const stranger = { source: null, isTrusted: true, origin: 'https://other.test', data: nonce }
    expect(await heardAfter([stranger, { data: nonce }], [], onCall)).toEqual([1, 'last'])
    expect(heard).toEqual(['getNonce', 'getNonce'])
  })

  test('behavior: stops when told', () => {
    const { target, listeners } = windowOf()
    const stop = serveBridge(client, target)
    expect(listeners.size).toBe(1)
    stop()
    expect(listeners.size).toBe(0)
  })
})
