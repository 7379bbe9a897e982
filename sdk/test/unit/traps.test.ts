/**
 * Modules that trap: on one node's bytes with an honest node beside, in a worker, in what holds
 * signed headers.
 */

// Before any module is loaded.
import '../support/traps.js'
import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Client,
  fetchProof,
  getBalance,
  proven,
  sepolia,
  sync,
  verifyProofFile,
} from '../../src/entry/node.js'
import { employ } from '../../src/proving/engine.js'
import { renew } from '../../src/wasm/instance.js'
import { loadModule } from '../../src/wasm/module.js'
import { type Spawn, startPool, type Workers } from '../../src/workers/pool.js'
import { serveJobs } from '../../src/workers/serve.js'
import { honest, makeChain, OWNER, proofJson, type TestBlock } from '../support/chain.js'
import { ASKING, clientOf } from '../support/client.js'
import { Forge } from '../support/forge.js'
import type { Methods } from '../support/rpc.js'
import { type Beacon, clientOf as lightClientOf, setSlot } from '../support/sources.js'
import { instancesWith, limited, memoriesHeld, poison } from '../support/traps.js'

const devnet = makeChain(12)
const wallet = { address: OWNER }
const HASH = 'mptverifier_verify'
const LIGHT = 'lightclient_apply'

/** A node whose proofs make the verifier trap. */
const trapping = (head: TestBlock = devnet.head): Methods =>
  honest(devnet, {
    eth_getProof: (address: string, slots: readonly string[]) => {
      poison(HASH)
      return proofJson(head, address, slots)
    },
  })

async function expectTrue(client: Client): Promise<void> {
  expect(proven(await getBalance(client, wallet))).toBe(devnet.head.balance)
}

describe('on a proof', () => {
  test('default: a trap is no verdict, and the next question is answered by a fresh instance', async () => {
    let traps = true
    const node = honest(devnet, {
      eth_getProof: (address: string, slots: readonly string[]) => {
        if (traps) poison(HASH)
        return proofJson(devnet.head, address, slots)
      },
    })
    const { client } = clientOf(devnet, [node], ASKING)
    const before = instancesWith(HASH)
    expect(await getBalance(client, wallet)).toMatchObject({
      status: 'unavailable',
      error: { code: 'node', cause: { name: 'PlatformError', code: 'platform.trap' } },
      tried: [{ node: 'http://n1', code: 'platform.trap' }],
    })
    expect(instancesWith(HASH)).toBe(before + 1)
    traps = false
    await expectTrue(client)
    expect(instancesWith(HASH)).toBe(before + 1)
  })

  test('behavior: with an honest node beside, the answer is true, and nobody is blamed', async () => {
    const onBadProof = vi.fn()
    const nodes = [trapping(), honest(devnet)]
    const { client, calls } = clientOf(devnet, nodes, { ...ASKING, onBadProof })
    expect(await getBalance(client, wallet)).toMatchObject({
      status: 'present',
      value: devnet.head.balance,
      trust: { servedBy: 'http://n2', tried: [{ node: 'http://n1', code: 'platform.trap' }] },
    })
    expect(onBadProof).not.toHaveBeenCalled()
    // It rests: the honest one is asked first.
    calls.length = 0
    await expectTrue(client)
    expect(calls).toEqual(['eth_getProof'])
  })

  test('behavior: many at once, and each is answered', async () => {
    const clients = Array.from({ length: 8 }, (_, i) => {
      const nodes = i % 2 === 0 ? [trapping(), honest(devnet)] : [honest(devnet)]
      return clientOf(devnet, nodes, ASKING).client
    })
    const results = await Promise.all(clients.map((client) => getBalance(client, wallet)))
    // Whose call the poisoned instance gets is chance; no result is false, and none is lost.
    for (const result of results) {
      if (result.status === 'unavailable') expect(result.error.code).toBe('node')
      else expect(result).toMatchObject({ status: 'present', value: devnet.head.balance })
    }
    for (const client of clients.filter((_, i) => i % 2 === 1)) await expectTrue(client)
  })

  test('behavior: what was kept and traps is asked for', async () => {
    const { client, calls } = clientOf(devnet, [honest(devnet)])
    await expectTrue(client)
    await expectTrue(client)
    expect(calls.filter((method) => method === 'eth_getProof')).toHaveLength(1)
    poison(HASH)
    await expectTrue(client)
    await expectTrue(client)
  })

  test('error: a file on which the verifier stops is neither valid nor invalid', async () => {
    const { client } = clientOf(devnet, [honest(devnet)])
    const file = await fetchProof(client, wallet)
    const anchor = { block: devnet.head.hash }
    poison(HASH)
    await expect(verifyProofFile(file, { anchor })).rejects.toMatchObject({
      name: 'PlatformError',
      code: 'platform.trap',
    })
    expect(await verifyProofFile(file, { anchor })).toMatchObject({ status: 'present' })
  })

  test('behavior: the memory of instances that trapped is given back', async () => {
    const { client } = clientOf(devnet, [trapping(), honest(devnet)], ASKING)
    for (let traps = 0; traps < 10; traps++) {
      for (const { health } of client.nodes) Object.assign(health, { restUntil: 0 })
      await expectTrue(client)
    }
    expect(instancesWith(HASH)).toBeGreaterThan(0)
    // One of each module that was loaded here.
    expect(await memoriesHeld()).toBeLessThanOrEqual(2)
    await expectTrue(client)
  })
})

describe('an instance that was replaced', () => {
  test('invalid: its handles reach nothing of the next one', async () => {
    const module = await loadModule('light')
    const made = module['LightClient'] as new (chain: Uint8Array) => Record<string, () => unknown>
    const { encodeChain } = await import('../../src/encoding/chain.js')
    const old = new made(encodeChain(sepolia))
    renew(module)
    const next = new made(encodeChain(sepolia))
    expect(() => old['state']?.()).toThrow('null pointer')
    expect(() => old['free']?.()).not.toThrow()
    expect(next['state']?.()).toBeTypeOf('string')
    next['free']?.()
    expect(() => next['free']?.()).not.toThrow()
  })
})

describe('in a worker', () => {
  let pool: Workers | undefined
  afterEach(() => {
    pool?.close()
    pool = undefined
    employ()
  })

  test('behavior: the worker is ended, and with an honest node beside the answer is true', async () => {
    let ended = 0
    const spawn: Spawn = (onReport) => {
      const serve = serveJobs((report) => {
        // The main thread's module traps on these bytes as well. It is this very one.
        if ('error' in report) poison(HASH)
        onReport(structuredClone(report))
      })
      return {
        post: (order) => {
          setTimeout(() => {
            if (isSent && 'job' in order && order.job.kind === 'verify') {
              poison(HASH)
              isSent = false
            }
            serve(structuredClone(order))
          })
        },
        hold: () => undefined,
        end: () => ended++,
      }
    }
    let isSent = false
    const node = honest(devnet, {
      eth_getProof: (address: string, slots: readonly string[]) => {
        isSent = true
        return proofJson(devnet.head, address, slots)
      },
    })
    // Small jobs, too.
    pool = startPool(spawn, 1, undefined, -1)
    const { client } = clientOf(devnet, [node, honest(devnet)], ASKING)
    const result = await getBalance(client, wallet)
    expect(result).toMatchObject({
      status: 'present',
      value: devnet.head.balance,
      trust: { servedBy: 'http://n2', tried: [{ node: 'http://n1', code: 'platform.trap' }] },
    })
    expect(ended).toBe(1)
    await expectTrue(client)
  })
})

describe('for want of memory', () => {
  test('behavior: headers that the verifier has no room for, and an honest node beside', async () => {
    const { client, wasm } = await starved(40)
    const junk = { lp_getHeaders: () => [`0x${'00'.repeat(1_900_000)}`] }
    const { getBlock } = wasm
    const one = client([honest(devnet, junk), honest(devnet)])
    expect(await getBlock(one, { block: 3 })).toMatchObject({
      status: 'present',
      trust: { servedBy: 'http://n2', tried: [{ node: 'http://n1', code: 'platform.trap' }] },
    })
    expect(await wasm.getBalance(one, wallet)).toMatchObject({ value: devnet.head.balance })
  })

  test('error: a platform that cannot run the verifier at all says so, whoever is asked', async () => {
    const { client, wasm } = await starved(18)
    const junk = { lp_getHeaders: () => [`0x${'00'.repeat(500_000)}`] }
    const one = client([honest(devnet, junk), honest(devnet)])
    for (let again = 0; again < 2; again++) {
      await expect(wasm.getBlock(one, { block: 3 })).rejects.toMatchObject({
        name: 'PlatformError',
        code: 'platform.wasm',
        message: expect.stringContaining('cannot start again'),
      })
    }
  })

  /** The package anew, on a platform whose modules get so many pages of memory. */
  async function starved(pages: number) {
    vi.resetModules()
    const { setWasm } = await import('../../src/wasm/module.js')
    const file = new URL('../../src/generated/mpt_bg.wasm', import.meta.url)
    setWasm({ mpt: limited(await readFile(file), pages) })
    const wasm = await import('../../src/entry/node.js')
    const { scriptedFetch } = await import('../support/rpc.js')
    const client = (nodes: readonly Methods[]) => {
      const scripts = Object.fromEntries(nodes.map((node, i) => [`http://n${i + 1}`, node]))
      return wasm.createClient({
        chain: devnet.chain,
        anchor: { block: devnet.head.hash },
        nodes: Object.keys(scripts),
        fetch: scriptedFetch(scripts).fetch,
        retries: 0,
        ...ASKING,
      })
    }
    return { wasm, client }
  }
})

describe('in what holds signed headers', () => {
  const now = 186
  const checkpoint = 16
  const blocks = makeChain(200, 'ethereum')
  const forge = new Forge({ blocks })
  const synced = { status: 'synced', head: { slot: BigInt(now - 1) } }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    setSlot(now)
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  function clientFrom(...traps: readonly (() => boolean)[]) {
    const beacons = traps.map((isTrap): Beacon => {
      const answer = forge.node(now - 1, checkpoint)
      return {
        script: (route, query, request) => {
          if (route === 'updates' && isTrap()) poison(LIGHT)
          return answer(route, query, request)
        },
      }
    })
    return lightClientOf(forge, checkpoint, beacons, [blocks]).client
  }

  test('behavior: an honest beacon beside is followed from the checkpoint', async () => {
    const client = clientFrom(
      () => true,
      () => false,
    )
    expect(await sync(client)).toMatchObject(synced)
    const [bad, good] = client.light?.beacons ?? []
    expect(bad?.health).toMatchObject({ lastCode: 'platform.trap', badProof: undefined })
    expect([bad?.health.served, good?.health.served]).toEqual([0, 1])
  })

  test('behavior: alone it makes the client unavailable, and the next sync starts over', async () => {
    let traps = true
    const client = clientFrom(() => traps)
    expect(await sync(client)).toMatchObject({
      status: 'unavailable',
      tried: [{ code: 'platform.trap' }],
    })
    traps = false
    expect(await sync(client)).toMatchObject(synced)
  })
})
