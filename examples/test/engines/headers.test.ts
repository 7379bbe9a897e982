/**
 * The cases of signed headers in each engine: the shipped wasm accepts and refuses what they say,
 * step by step.
 */

import { readFile } from 'node:fs/promises'
import { encodeRlp, hexlify, toBeArray, toUtf8Bytes } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleErrors, inEveryEngine } from '../support/engines.js'
import type { HeadersFile, HeadersReport } from './pages/headers.js'
import { buildPages } from './pages.js'

interface Fork {
  readonly epoch: number
  readonly version: string
  readonly shape: string
}

interface Chain {
  readonly kind: string
  readonly chainId: number
  readonly genesisHash: string
  readonly consensus?:
    | { readonly committeeSize?: number; readonly periodLength: number }
    | {
        readonly committeeSize: number
        readonly slotsPerEpoch: number
        readonly epochsPerPeriod: number
        readonly secondsPerSlot: number
        readonly genesisTime: number
        readonly genesisValidatorsRoot: string
        readonly forks: readonly Fork[]
      }
}

const text = await readFile(new URL('../../../test-vectors/headers.json', import.meta.url), 'utf8')
const file = JSON.parse(text) as {
  groups: readonly {
    readonly chain: Chain
    readonly tests: HeadersFile['groups'][number]['tests']
  }[]
}
const steps = file.groups.flatMap(({ tests }) => tests.flatMap((one) => one.steps))
const count = (result: string): number =>
  steps.filter(({ expected }) => expected.result === result).length

const integer = (value: number) => hexlify(toBeArray(value))
const name = (value: string) => hexlify(toUtf8Bytes(value))

function consensusOf(consensus: NonNullable<Chain['consensus']>): Parameters<typeof encodeRlp>[0] {
  if ('periodLength' in consensus) {
    const { committeeSize, periodLength } = consensus
    const size = committeeSize === undefined ? [] : [integer(committeeSize)]
    return [...size, integer(periodLength)]
  }
  const { committeeSize, slotsPerEpoch, epochsPerPeriod, secondsPerSlot, genesisTime } = consensus
  const numbers = [committeeSize, slotsPerEpoch, epochsPerPeriod, secondsPerSlot, genesisTime]
  const forks = consensus.forks.map(({ epoch, version, shape }) => [
    integer(epoch),
    version,
    name(shape),
  ])
  return [...numbers.map(integer), consensus.genesisValidatorsRoot, forks]
}

/** The chain as the core reads it. */
function rlpOf({ kind, chainId, genesisHash, consensus }: Chain): string {
  const chain = [name(kind), integer(chainId), genesisHash]
  return encodeRlp(consensus === undefined ? chain : [...chain, consensusOf(consensus)])
}

let pages: Awaited<ReturnType<typeof buildPages>>

beforeAll(async () => {
  const groups = file.groups.map(({ chain, tests }) => ({ rlp: rlpOf(chain), tests }))
  pages = await buildPages(JSON.stringify({ groups }))
})

afterAll(() => pages.remove())

inEveryEngine((lab) => {
  test('every step of every case of signed headers', async () => {
    const { url, requests } = await lab.serve(pages.folder)
    const engine = lab.engine()
    await engine.open(`${url}/headers.html`)
    await engine.waitFor('window.report !== undefined')
    const report = (await engine.evaluate('window.report')) as HeadersReport
    expect(report).toEqual({
      cases: file.groups.reduce((sum, { tests }) => sum + tests.length, 0),
      accepted: count('valid'),
      refused: count('invalid'),
      failures: [],
    })
    expect(report.accepted).toBeGreaterThan(100)
    expect(report.refused).toBeGreaterThan(100)
    expect(requests.filter((path) => path.endsWith('.wasm'))).toEqual(['/generated/light_bg.wasm'])
    expect(await consoleErrors(engine)).toEqual([])
  })
})
