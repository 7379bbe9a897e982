/**
 * Signed headers of Ethereum through the shipped wasm: those of our own generator, of every fork up
 * to Gloas, kept and proved again. Where the reference vectors `eth-beacon` are found outside the
 * repository, they run too: mainnet's updates with their signatures, the specification's own tests
 * with every step, and tampered files with a code each. What a folder holds is read off its content,
 * so that sets added to it run too.
 */

import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'
import { mainnet } from '../../src/client/chains.js'
import { bytesOf, type Hex } from '../../src/encoding/hex.js'
import { type BeaconForm, encodeAnswer } from '../../src/light/containers.js'
import { InputError, ProofError } from '../../src/result/errors.js'
import { type Answer, HAS_VECTORS, list, readBytes, readJson, rootOf } from '../support/beacon.js'
import { captured } from '../support/captured.js'
import { codeOf, type LightWasm, NO_CLOCK, openLight } from '../support/light.js'
import { proveReply } from '../support/reply.js'
import { chainOfYaml, type SpecStep, unpackSnappy, yamlSteps, yamlValues } from '../support/spec.js'

const text = (file: string): string => new TextDecoder().decode(readBytes(file))
/** Compared at once: the matchers take tens of kilobytes byte by byte. */
const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** Folders with steps, and those with captured files, at any depth. */
function sets(folder = ''): { readonly spec: string[]; readonly real: string[] } {
  const inside = list(folder)
  if (inside.includes('steps.yaml')) return { spec: [folder], real: [] }
  const below = inside.filter((name) => name.endsWith('/')).map((name) => sets(folder + name))
  const isReal = folder !== '' && below.length === 0
  return {
    spec: below.flatMap(({ spec }) => spec),
    real: isReal ? [folder] : below.flatMap(({ real }) => real),
  }
}

interface OwnCase {
  readonly id: number
  readonly comment: string
  readonly flags: readonly string[]
  readonly checkpoint: Hex
  readonly steps: readonly {
    readonly form: BeaconForm | 'import' | 'force'
    readonly bytes: Hex
    readonly expected: { readonly result: 'valid' | 'invalid' }
  }[]
}

const OWN = new URL('../../../test-vectors/headers.json', import.meta.url)
const FORKS = ['Altair', 'Bellatrix', 'Capella', 'Deneb', 'Electra', 'Gloas']
const FORMS = ['Update', 'Finality', 'Optimistic']
const { groups } = JSON.parse(readFileSync(OWN, 'utf8')) as {
  readonly groups: readonly {
    readonly chain: { readonly kind: string }
    readonly tests: readonly OwnCase[]
  }[]
}
/** A bootstrap, and what follows from it. */
const own = groups.flatMap(({ chain, tests }) =>
  tests
    .filter(({ comment, flags: [form = ''] }) => FORKS.includes(comment) && FORMS.includes(form))
    .map((one) => ({ ...one, chain, name: `${one.comment}, ${one.flags[0]}` })),
)

describe('headers of the generator', () => {
  test('default: each form of each fork is there', () => {
    const names = new Set(own.map(({ name }) => name))
    for (const fork of ['Altair', 'Capella', 'Deneb', 'Electra', 'Gloas']) {
      for (const form of FORMS) expect(names).toContain(`${fork}, ${form}`)
    }
  })

  test.each(own)('$name ($id)', ({ chain, checkpoint, steps }) => {
    const client = openLight(chain)
    for (const { form, bytes: hex } of steps) {
      const whole = bytesOf(hex)
      const take = (bytes: Uint8Array, anchor = bytesOf(checkpoint)): string | undefined => {
        if (form === 'bootstrap') return codeOf(client.bootstrap(anchor, bytes))
        if (form === 'import' || form === 'force') throw new Error(`no header: ${form}`)
        return codeOf(client.apply(form, bytes, NO_CLOCK))
      }
      if (form === 'bootstrap') {
        expect(take(whole, new Uint8Array(32).fill(7))).toBe('verify.checkpoint')
      }
      // From Capella on the last bytes may be extra data, which the branch to the payload binds.
      const refusal = /^(decode\.\w+|verify\.execution)$/
      expect(take(whole.subarray(0, -1))).toMatch(refusal)
      expect(take(Uint8Array.of(...whole, 0))).toMatch(refusal)
      expect(take(whole)).toBeUndefined()
      reopen(client, chain)
    }
    client.free()
  })
})

describe('eth-beacon', () => {
  if (!HAS_VECTORS) {
    test('reference vectors', () => {
      console.log('eth-beacon: none there, nothing was run')
    })
    return
  }
  const { spec, real } = sets()

  test('default: every kind is there', () => {
    const negative = readJson('negative.json') as readonly unknown[]
    console.log(
      `eth-beacon: ${real.length} captured sets, ${spec.length} of the specification, ${negative.length} tampered files`,
    )
    expect([real.length, spec.length, negative.length].map((count) => count > 0)).toEqual([
      true,
      true,
      true,
    ])
  })

  describe.each(real)('captured %s', (folder) => {
    const set = captured(folder)
    const client = openLight(mainnet)

    test('default: each bootstrap, alone', () => {
      expect(set.bootstraps).not.toHaveLength(0)
      for (const { json } of set.bootstraps) openAt(json).free()
    })

    test('default: the updates in order, each kept and proved again', () => {
      const [first] = set.bootstraps
      if (first === undefined) throw new Error('no bootstrap')
      expect(codeOf(client.bootstrap(bytesOf(rootOf(first.json)), first.ssz))).toBeUndefined()
      for (const { name, ssz } of set.updates) {
        expect([name, codeOf(client.apply('update', ssz, NO_CLOCK))]).toEqual([name, undefined])
        set.learn(client)
        reopen(client)
      }
      set.learn(client)
    })

    test('default: independent bootstraps name the committees that the walk came to', () => {
      for (const { json, period } of set.bootstraps) {
        const own = openAt(json)
        const walked = set.committees.get(period) ?? new Uint8Array(0)
        expect(isSame(walked, own.committee(period))).toBe(true)
        own.free()
      }
    })

    test('default: later headers, by the store and by their committee alone', () => {
      for (const { name, json, form, ssz, slot } of set.headers) {
        const isOld = BigInt(stateOf(client).finalized.slot) >= slot
        const code = codeOf(client.apply(form, ssz, NO_CLOCK))
        const expected = isOld ? ['verify.relevance', 'verify.period'] : [undefined]
        expect([name, expected]).toEqual([name, expect.arrayContaining([code])])
        expect([name, set.stateless(json)]).toEqual([name, 'trusted'])
      }
    })

    test('default: accounts and blocks under the signed headers', async () => {
      for (const proof of set.proofs) expect(await set.account(proof)).toBeInstanceOf(Object)
      for (const { json } of set.blocks) await set.block(json)
    })

    test('default: nothing in the folder was left out', () => {
      expect(set.unknown).toEqual([])
      client.free()
    })
  })

  test.each(spec)('specification %s', (folder) => {
    const meta = yamlValues(text(`${folder}meta.yaml`))
    const validators = meta.get('genesis_validators_root') as Hex
    const chain = chainOfYaml(text(`${folder}config.yaml`), validators)
    const client = openLight(chain)
    const unpacked = (name: string) => unpackSnappy(readBytes(`${folder}${name}.ssz_snappy`))
    const checkpoint = bytesOf(meta.get('trusted_block_root') as Hex)
    expect(codeOf(client.bootstrap(checkpoint, unpacked('bootstrap')))).toBeUndefined()
    const steps = yamlSteps(text(`${folder}steps.yaml`))
    expect(steps).not.toHaveLength(0)
    for (const step of steps) {
      take(client, step, chain.consensus.secondsPerSlot, unpacked)
      const { finalized, head } = stateOf(client)
      expect(of(finalized)).toEqual(checked(step, 'finalized_header'))
      expect(of(head)).toEqual(checked(step, 'optimistic_header'))
    }
    client.free()
  })

  const tampered = readJson('negative.json') as readonly Tampered[]
  test.each(tampered)('tampered: $name', async (one) => {
    const base = read(one.base)
    const reply = structuredClone(base)
    for (const change of one.patch) patch((reply.data ?? reply.result) as Node, change)
    // SSZ has one length for a branch in a fork, so the SDK refuses to write another.
    const isWritable = `${branchLengths(base)}` === `${branchLengths(reply)}`
    expect(isWritable ? CODES[one.expect] : ['decode.response']).toContain(
      await judge(one, base, reply),
    )
  })
})

interface HeaderJson {
  readonly slot: Hex
  readonly root: string
}

function stateOf(client: LightWasm) {
  return JSON.parse(client.state()) as {
    readonly period: Hex
    readonly anchor: { readonly root: Hex }
    readonly finalized: HeaderJson
    readonly head: HeaderJson
  }
}

const of = ({ slot, root }: HeaderJson) => ({ slot: String(BigInt(slot)), root })

function checked({ checks }: SpecStep, header: string) {
  const values = checks.get(header)
  return { slot: values?.get('slot'), root: values?.get('beacon_root') }
}

function take(
  client: LightWasm,
  { name, values }: SpecStep,
  seconds: number,
  unpacked: (name: string) => Uint8Array,
): void {
  const now = BigInt(values.get('current_slot') ?? 0) * BigInt(seconds)
  if (name === 'process_update') {
    const update = unpacked(values.get('update') ?? '')
    expect(codeOf(client.apply('update', update, now))).toBeUndefined()
  } else if (name === 'force_update') {
    expect(codeOf(client.force(now))).toBeUndefined()
  } else {
    // The store holds no containers of a fork: there is nothing to upgrade.
    expect(name).toBe('upgrade_store')
  }
}

/** A store survives export and import, within its size, and only under its own anchor. */
function reopen(client: LightWasm, chain: object = mainnet): void {
  const bytes = client.export()
  expect(bytes.length).toBeGreaterThan(0)
  expect(bytes.length).toBeLessThanOrEqual(56_000)
  const again = openLight(chain)
  const { anchor, finalized, period } = stateOf(client)
  expect(codeOf(again.import(bytes, new Uint8Array(32).fill(7)))).toBe('verify.checkpoint')
  expect(codeOf(again.import(bytes, bytesOf(anchor.root)))).toBeUndefined()
  expect(codeOf(again.loadPoints(client.points()))).toBeUndefined()
  expect(stateOf(again)).toMatchObject({ finalized, period })
  expect(isSame(again.export(), bytes)).toBe(true)
  again.free()
}

function openAt(json: Answer): LightWasm {
  const client = openLight(mainnet)
  const ssz = encodeAnswer('bootstrap', json, 512)
  expect(codeOf(client.bootstrap(bytesOf(rootOf(json)), ssz))).toBeUndefined()
  return client
}

interface Place {
  readonly file: string
  readonly index?: number
}

interface Tampered {
  readonly name: string
  readonly expect: string
  readonly kind?: 'bootstrap' | 'proof'
  readonly bootstrap?: string
  readonly checkpoint?: Hex
  readonly stateRoot?: Hex
  readonly prior?: readonly Place[]
  readonly base: Place
  readonly patch: readonly {
    readonly path: string
    readonly value?: unknown
    readonly delete?: true
  }[]
}

/** The vectors' words, and the codes for them. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  ACCOUNT_MISMATCH: ['verify.claim'],
  CHECKPOINT_MISMATCH: ['verify.checkpoint'],
  CURRENT_COMMITTEE_BRANCH: ['verify.committee'],
  EXECUTION_BRANCH: ['verify.execution'],
  FINALITY_BRANCH: ['verify.finality'],
  MPT_HASH: ['verify.root', 'verify.merkle'],
  MPT_SHORT: ['verify.incomplete'],
  NEXT_COMMITTEE_BRANCH: ['verify.committee'],
  NO_PARTICIPANTS: ['verify.participation'],
  PERIOD_SKIP: ['verify.period'],
  SIGNATURE: ['verify.signature'],
  SIGNATURE_ENCODING: ['decode.point'],
  SLOT_ORDER: ['verify.time'],
}

function read({ file, index }: Place): Answer & { readonly result?: unknown } {
  const json = readJson(file) as unknown
  return (index === undefined ? json : (json as unknown[])[index]) as Answer
}

const BRANCHES = ['finality_branch', 'next_sync_committee_branch', 'current_sync_committee_branch']

function branchLengths({ data = {} }: Partial<Answer>): unknown[] {
  const all: Readonly<Record<string, readonly unknown[]>> = data
  return BRANCHES.map((name) => all[name]?.length)
}

async function judge(
  one: Tampered,
  base: Answer,
  reply: Answer & { readonly result?: unknown },
): Promise<string | undefined> {
  try {
    if (one.kind === 'proof') {
      await proveReply(one.stateRoot ?? '0x', reply.result)
      return undefined
    }
    if (one.kind === 'bootstrap') {
      const client = openLight(mainnet)
      const checkpoint = bytesOf(one.checkpoint ?? rootOf(base))
      return codeOf(client.bootstrap(checkpoint, encodeAnswer('bootstrap', reply, 512)))
    }
    return judgeUpdate(one, reply)
  } catch (error) {
    if (error instanceof ProofError || error instanceof InputError) return error.code
    throw error
  }
}

function judgeUpdate({ bootstrap = '', prior = [] }: Tampered, reply: Answer): string | undefined {
  const client = openAt(read({ file: bootstrap }))
  const apply = (json: Answer): string | undefined => {
    const form = formOf(json)
    return codeOf(client.apply(form, encodeAnswer(form, json, 512), NO_CLOCK))
  }
  for (const place of prior) expect(apply(read(place))).toBeUndefined()
  const before = client.export()
  const code = apply(reply)
  expect(isSame(client.export(), before)).toBe(true)
  return code
}

function formOf({ data }: Answer): Exclude<BeaconForm, 'bootstrap'> {
  if ('next_sync_committee' in data) return 'update'
  return 'finalized_header' in data ? 'finality' : 'optimistic'
}

type Node = { [key: string]: Node | unknown }

/** Sets or deletes what a dotted path leads to. */
function patch(json: Node, change: Tampered['patch'][number]): void {
  const keys = change.path.split('.')
  const last = keys.pop() ?? ''
  const parent = keys.reduce<Node>((node, key) => node[key] as Node, json)
  if (change.delete !== true) parent[last] = change.value
  else if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else delete parent[last]
}
