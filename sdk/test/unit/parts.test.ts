/** Large claims, settled in parts by a pool whose workers are none. */

import { afterEach, describe, expect, test } from 'vitest'
import '../../src/entry/node.js'
import {
  type Done,
  doJob,
  employ,
  employed,
  type Job,
  type VerifyJob,
} from '../../src/proving/engine.js'
import { type Setup, verifyClaim } from '../../src/proving/verifier.js'
import { balanceproofs } from '../../src/systems/balanceproofs.js'
import { lvmt } from '../../src/systems/lvmt.js'
import { mpt } from '../../src/systems/mpt.js'
import type { ProofSystem } from '../../src/systems/system.js'
import { verkle } from '../../src/systems/verkle.js'
import type { Order } from '../../src/workers/messages.js'
import { type Spawn, startPool, type Workers } from '../../src/workers/pool.js'
import { serveJobs } from '../../src/workers/serve.js'
import { type Case, cutJobOf, readVectors } from '../support/vectors.js'

interface Fake {
  readonly jobs: string[]
  /** Whether the next job finds the worker dead. */
  isDying: boolean
}

let pool: Workers | undefined

afterEach(() => {
  pool?.close()
  pool = undefined
  employ()
})

const nameOf = (order: Order): string[] => {
  if (!('job' in order)) return []
  const { job } = order
  return [job.kind === 'verify' && job.part ? `part ${job.part.join(' of ')}` : job.kind]
}

function fakePool(size: number): { pool: Workers; fakes: Fake[] } {
  const fakes: Fake[] = []
  const spawn: Spawn = (onReport, onEnd) => {
    const fake: Fake = { jobs: [], isDying: false }
    fakes.push(fake)
    const serve = serveJobs((report) => onReport(structuredClone(report)))
    const post = (order: Order): void => {
      fake.jobs.push(...nameOf(order))
      const sent = structuredClone(order)
      if (fake.isDying && 'job' in order) setTimeout(() => onEnd('dead'))
      else setTimeout(() => serve(sent))
    }
    return { post, hold: () => undefined, end: () => undefined }
  }
  pool = startPool(spawn, size, undefined)
  return { pool, fakes }
}

const isValid = ({ vector }: Case): boolean => vector.expected.result === 'valid'

/** Two vectors of one group: of its proofs, the longest. */
function pair(system: ProofSystem, isLast: (one: Case) => boolean): [Case, Case] {
  const cases = readVectors(system.name).sort(
    (a, b) => b.vector.proof.length - a.vector.proof.length,
  )
  for (const first of cases.filter(isValid)) {
    const last = cases.find((one) => one.config === first.config && isLast(one))
    if (last !== undefined) return [first, last]
  }
  throw new Error('no such vectors')
}

const verify = (job: VerifyJob, signal?: AbortSignal): Promise<Done> => employed()(job, signal)
const jobsOf = (fakes: readonly Fake[]): string[] => fakes.flatMap(({ jobs }) => jobs)
const clear = (fakes: readonly Fake[]): void => {
  for (const { jobs } of fakes) jobs.length = 0
}
const idle = async ({ pool }: { pool: Workers }): Promise<void> => {
  while (pool.progress.running > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** A pool whose three workers run, and the job that had them start. */
async function warm(job: VerifyJob): Promise<{ pool: Workers; fakes: Fake[] }> {
  const made = fakePool(3)
  await verify(job)
  await idle(made)
  expect(jobsOf(made.fakes).sort()).toEqual(['prepare', 'prepare', 'verify'])
  clear(made.fakes)
  return made
}

describe.each([balanceproofs, lvmt, verkle])('$name', (system) => {
  test('default: all workers that run make a part each, and the verdicts are the same', async () => {
    const job = cutJobOf(system, pair(system, isValid))
    const whole = await doJob(job)
    const { fakes } = await warm(job)
    expect(await verify(job)).toEqual(whole)
    expect(jobsOf(fakes).sort()).toEqual(['join', 'part 0 of 3', 'part 1 of 3', 'part 2 of 3'])
  })

  test('behavior: claims that are false are refused as they are whole', async () => {
    const isFalse = ({ vector }: Case): boolean =>
      vector.expected.result === 'invalid' && vector.expected.code === 'verify.opening'
    const job = cutJobOf(system, pair(system, isFalse))
    const whole = await doJob(job)
    expect(whole).toMatchObject({ value: expect.stringContaining('"verify.opening"') })
    const { fakes } = await warm(job)
    expect(await verify(job)).toEqual(whole)
    expect(jobsOf(fakes)).toEqual(expect.arrayContaining(['join', 'verify']))
  })

  test('behavior: claims that cannot be read are refused as they are whole', async () => {
    const isMalformed = ({ vector }: Case): boolean =>
      vector.expected.result === 'invalid' && vector.expected.code === 'decode.point'
    const job = cutJobOf(system, pair(system, isMalformed))
    const whole = await doJob(job)
    const { fakes } = await warm(job)
    expect(await verify(job)).toEqual(whole)
    expect(jobsOf(fakes)).toContain('verify')
    expect(jobsOf(fakes)).not.toContain('join')
  })
})

test('behavior: a proof is shared from so many bytes on, by its variant', async () => {
  const isLarge = async (system: ProofSystem, variant: string, length: number) => {
    let seen: Job | undefined
    employ(async (job) => {
      seen = job
      return { value: '[]' }
    })
    const place = cutJobOf(system, pair(system, isValid))
    const config = { format: '', paramsDigest: null }
    const setup = { system, pinned: config, config, params: place.params, place } as unknown
    const source = { kind: 'root', number: 1n, root: new Uint8Array(0) } as const
    const claim = { source, query: new Uint8Array(0), variant, proof: new Uint8Array(length) }
    await expect(verifyClaim(setup as Setup, claim)).rejects.toThrow()
    return seen?.kind === 'verify' && seen.isLarge
  }
  expect(await isLarge(balanceproofs, 'plain', 1_999)).toBe(false)
  expect(await isLarge(balanceproofs, 'plain', 2_000)).toBe(true)
  expect(await isLarge(balanceproofs, 'hinted', 1_000_000)).toBe(false)
  expect(await isLarge(mpt, 'plain', 1_000_000)).toBe(false)
})

test('behavior: a worker makes a part once it has the verifier', async () => {
  const [one, other] = [verkle, lvmt].map((system) => cutJobOf(system, pair(system, isValid)))
  if (one === undefined || other === undefined) throw new Error('no jobs')
  const { fakes } = await warm(one)
  await verify(other)
  expect(jobsOf(fakes)).toContain('verify')
  expect(jobsOf(fakes).filter((name) => name.startsWith('part'))).toEqual([])
})

describe('a pool', () => {
  const job = cutJobOf(verkle, pair(verkle, isValid))

  test('behavior: a part of a worker that dies is made here', async () => {
    const whole = await doJob(job)
    const { fakes } = await warm(job)
    const [first] = fakes
    if (first) first.isDying = true
    expect(await verify(job)).toEqual(whole)
    expect(jobsOf(fakes)).toContain('join')
  })

  test('behavior: small claims, one worker and other work leave claims whole', async () => {
    const { fakes } = await warm(job)
    await verify({ ...job, isLarge: false })
    expect(jobsOf(fakes)).toEqual(['verify'])
    clear(fakes)
    await Promise.all([verify(job), verify(job), verify(job), verify(job)])
    expect(jobsOf(fakes).filter((name) => name === 'verify')).toHaveLength(3)
    pool?.close()
    const alone = fakePool(1)
    await verify(job)
    await verify(job)
    expect(jobsOf(alone.fakes)).toEqual(['verify', 'verify'])
  })

  test('behavior: who leaves is not waited for', async () => {
    await warm(job)
    const abort = new AbortController()
    const waiting = verify(job, abort.signal)
    abort.abort(new Error('left'))
    await expect(waiting).rejects.toThrow('left')
  })

  test('behavior: a verifier without parts has its claims checked whole', async () => {
    const none = cutJobOf(mpt, pair(mpt, isValid))
    const whole = await doJob(none)
    await warm(none)
    expect(await verify(none)).toEqual(whole)
  })
})
