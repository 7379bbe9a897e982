/** A live devnet with signed headers: from a checkpoint to proven accounts. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BadProof,
  type ClientOptions,
  createClient,
  devnet,
  fetchProof,
  getBalance,
  getBlock,
  type HeaderEvidence,
  memoryStore,
  proven,
  type Synced,
  sync,
  verifyProofFile,
} from '../../src/entry/node.js'
import { type LiveNode, listLies, lying, startNode } from '../support/liveNode.js'
import { fits } from '../support/schema.js'

const SIGNED = ['--committee-size', '32', '--period', '16']
const BLOCKS = 100

let node: LiveNode
let liar: LiveNode

beforeAll(async () => {
  node = await startNode(BLOCKS, SIGNED)
  liar = await startNode(BLOCKS, SIGNED)
})
afterAll(() => Promise.all([node, liar].map((one) => one.stop())))

/** The checkpoint is the genesis block: all periods lie ahead. */
function clientOf(urls: readonly string[], options: Partial<ClientOptions> = {}) {
  return createClient({
    chain: devnet(node.genesisHash, node.consensus),
    anchor: { checkpoint: node.genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY },
    nodes: urls,
    retries: 0,
    ...options,
  })
}

function address(): string {
  const [sample] = node.samples
  if (sample === undefined) throw new Error('no sample')
  return sample.address
}

describe('a signed devnet', () => {
  test('default: from the genesis over all periods to the newest block', async () => {
    const client = clientOf([node.url])
    const result = await getBalance(client, { address: address() })
    expect(proven(result)).toBeGreaterThan(0n)
    expect(result).toMatchObject({
      trust: {
        block: { number: BigInt(BLOCKS), hash: node.head.hash },
        finality: 'finalized',
        anchor: { kind: 'checkpoint', hash: node.genesisHash },
        participation: { of: 32 },
      },
    })
    const synced = (await sync(client)) as Synced
    expect(synced).toMatchObject({ status: 'synced', period: BigInt(Math.floor(BLOCKS / 16)) })
    expect(synced.head).toEqual(synced.finalized)
  })

  test('behavior: older blocks are reached by their hashes, newer ones are not trusted', async () => {
    const client = clientOf([node.url])
    const block = await getBlock(client, { block: 40 })
    expect(block).toMatchObject({ status: 'present', trust: { finality: 'ancestor' } })
    const newer = await getBlock(client, { block: BLOCKS + 1 })
    expect(newer).toMatchObject({ status: 'unavailable', error: { code: 'untrusted' } })
  })

  test('behavior: a proof file is checked against the signed block', async () => {
    const client = clientOf([node.url])
    const file = await fetchProof(client, { address: address() })
    const anchor = { block: node.head.hash }
    const read = await verifyProofFile(JSON.parse(JSON.stringify(file)), { anchor })
    expect(read).toMatchObject({ status: 'present' })
  })

  test('behavior: a store takes the place of all periods', async () => {
    const store = memoryStore()
    const first = (await sync(clientOf([node.url], { store }))) as Synced
    const again = (await sync(clientOf([node.url], { store }))) as Synced
    expect(again.finalized).toEqual(first.finalized)
    expect(again.anchor).toMatchObject({ hash: node.genesisHash })
  })

  test('error: a checkpoint that is not of this chain', async () => {
    const anchor = { checkpoint: `0x${'22'.repeat(32)}`, maxAgeSeconds: Number.POSITIVE_INFINITY }
    const synced = await sync(clientOf([node.url], { anchor }))
    expect(synced).toMatchObject({ status: 'unavailable', error: { code: 'checkpoint' } })
  })

  describe('evidence', () => {
    /**
     * What a client that trusts the genesis, and one that followed the chain up to some block, keep
     * of a lie.
     */
    async function evidenceOf(lie: string): Promise<HeaderEvidence[]> {
      const kept: HeaderEvidence[] = []
      const onBadProof = ({ evidence }: BadProof) => {
        if (evidence !== undefined && evidence.kind === 'evidence' && 'steps' in evidence)
          kept.push(evidence)
      }
      const result = await sync(clientOf([lying(liar, lie).url], { onBadProof }))
      if (result.status === 'invalid') expect(result.evidence).toEqual(kept)
      return kept
    }

    const check = (file: unknown, checkpoint: string) => {
      const chain = devnet(node.genesisHash, node.consensus)
      return verifyProofFile(file, { anchor: { checkpoint }, chain })
    }

    test('default: every signed header that does not hold leaves a file, which convicts offline', async () => {
      const forms = new Set<string | undefined>()
      for (const { name } of listLies('signatures')) {
        const result = await sync(clientOf([lying(liar, name).url]))
        const files = await evidenceOf(name)
        // A source that holds back lies no less, but nothing that it sends is false; and the clock
        // is the client's own.
        const isFalse = result.status === 'invalid' && result.error.code !== 'verify.time'
        expect(files, name).toHaveLength(isFalse ? 1 : 0)
        for (const file of files) {
          const { code } = file.expected
          expect(fits(file)).toBe(true)
          const read: unknown = JSON.parse(JSON.stringify(file))
          expect(await check(read, file.checkpoint), name).toMatchObject({
            status: 'invalid',
            error: { code },
          })
          forms.add(file.steps.at(-1)?.form)
        }
      }
      expect([...forms]).toEqual(expect.arrayContaining(['bootstrap', 'update']))
    })

    test('error: made up, it convicts nobody', async () => {
      const [file] = await evidenceOf('signature-other-header')
      if (file === undefined) throw new Error('no evidence')
      const { checkpoint, steps } = file
      const [held, sent] = steps
      const other = `0x${'22'.repeat(32)}`
      expect(await check(file, other)).toMatchObject({ error: { code: 'verify.checkpoint' } })
      expect(await check({ ...file, checkpoint: other }, other)).toMatchObject({
        error: { code: 'decode.response' },
      })
      const flipped = {
        ...held,
        bytes: `${held?.bytes.slice(0, -2)}${held?.bytes.endsWith('00') ? '01' : '00'}`,
      }
      const alone = [sent]
      for (const wrong of [[flipped, sent], alone, [], [held, { ...sent, form: 'guess' }], 7]) {
        const made = await check({ ...file, steps: wrong }, checkpoint)
        expect(made).toMatchObject({ status: 'invalid', error: { code: 'decode.response' } })
      }
      // What an honest node sent holds, whatever the file says of it.
      const honest = await honestStep(sent?.form)
      expect(await check({ ...file, steps: [held, honest] }, checkpoint)).toMatchObject({
        status: 'signed',
        head: { slot: expect.any(BigInt) },
      })
    })

    async function honestStep(form: string | undefined): Promise<object> {
      const held = await sync(clientOf([node.url]))
      expect(held.status).toBe('synced')
      const params = form === 'update' ? ['0x0', '0x1'] : []
      const method = form === 'update' ? 'lp_getUpdates' : 'lp_getFinality'
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const headers = { 'content-type': 'application/json' }
      const { result } = (await (
        await fetch(node.url, { method: 'POST', headers, body })
      ).json()) as { result: string | string[] }
      return { form, bytes: [result].flat()[0], now: '0xffffffffff' }
    }

    test('error: a block is no anchor for it, and its reader names the chain', async () => {
      const [file] = await evidenceOf('signature-other-header')
      const block = node.head.hash
      await expect(verifyProofFile(file, { anchor: { block } })).rejects.toMatchObject({
        code: 'input.anchor',
        message: expect.stringContaining('signed headers'),
      })
      const anchor = { checkpoint: file?.checkpoint ?? '' }
      const unsigned = { anchor, chain: devnet(node.genesisHash) }
      await expect(verifyProofFile(file, unsigned)).rejects.toMatchObject({ code: 'input.chain' })
      const nameless = { anchor } as unknown as Parameters<typeof verifyProofFile>[1]
      await expect(verifyProofFile(file, nameless)).rejects.toMatchObject({ code: 'input.chain' })
    })
  })

  test.each(listLies('signatures'))('error: $name: $about', async ({ name }) => {
    const { url } = lying(liar, name)
    const alone = await getBalance(clientOf([url]), { address: address() })
    if (alone.status === 'present') {
      // A lie that only holds back: what is proven is of the same chain all the same.
      expect(alone.trust.block.number).toBeLessThanOrEqual(BigInt(BLOCKS))
    } else {
      expect(alone.status).toMatch(/^(invalid|unavailable)$/)
    }
    const both = await getBalance(clientOf([url, node.url]), { address: address() })
    expect(both).toMatchObject({ status: 'present', trust: { finality: 'finalized' } })
  })
})
