import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProofFile } from 'lightproof'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deadUrl, type RunningNode, startNode } from '../../test/support/node.js'

const script = fileURLToPath(new URL('../prove.mjs', import.meta.url))

interface Run {
  readonly exit: number
  readonly output: string
  readonly problem: string
}

/** Runs the script as a person would. */
function prove(...args: readonly string[]): Promise<Run> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script, ...args], (error, output, problem) => {
      if (error !== null && typeof error.code !== 'number') reject(error)
      else resolve({ exit: Number(error?.code ?? 0), output, problem })
    })
  })
}

let node: RunningNode
let folder: string
/** Options that name the devnet and its trusted block. */
let trusted: readonly string[]

beforeAll(async () => {
  node = await startNode()
  folder = await mkdtemp(join(tmpdir(), 'lightproof-script-'))
  trusted = [...devnetOf(node), '--block', node.head.hash]
})

afterAll(async () => {
  await node.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Options that name the devnet. */
function devnetOf({ genesisHash, consensus }: RunningNode): readonly string[] {
  const { committeeSize, periodLength } = consensus
  const committee = `${committeeSize}/${periodLength}`
  return ['--chain', 'devnet', '--genesis', genesisHash, '--committee', committee]
}

/** Proves the sample contract and saves the proof. */
async function save(name: string): Promise<string> {
  const path = join(folder, name)
  const { address, slots } = node.sample('contract')
  const run = await prove(
    ...['--node', node.url, ...trusted, '--address', address, '--code', '--save', path],
    ...slots.flatMap((slot) => ['--slot', slot]),
  )
  expect(run).toMatchObject({ exit: 0, problem: '' })
  return path
}

/** A proof file made of the first valid Ethereum case of the test vectors. */
async function ethereumRecord(): Promise<{ record: unknown; block: string }> {
  const vectors = new URL('../../../test-vectors/mpt.json', import.meta.url)
  const { groups } = JSON.parse(await readFile(vectors, 'utf8')) as {
    groups: (Pick<ProofFile, 'chain' | 'config'> & { tests: ProofFile[] })[]
  }
  for (const { chain, config, tests } of groups) {
    if (chain.chainId !== 1) continue
    for (const vector of tests) {
      if (vector.expected.result !== 'valid' || !('header' in vector.source)) continue
      const record = { ...vector, schema: 1, kind: 'proof', system: 'mpt', chain, config }
      return { record, block: vector.source.header.hash }
    }
  }
  throw new Error('the vectors hold no valid Ethereum case')
}

describe('online', () => {
  test('proves an account and its slots', async () => {
    const { address, slots } = node.sample('contract')
    const query = ['--address', address, '--slot', `${slots[0]}`, '--slot', `${slots.at(-1)}`]
    const run = await prove('--node', node.url, ...trusted, ...query)
    expect(run).toMatchObject({ exit: 0, problem: '' })
    expect(run.output).toContain(`✓ PROVEN  ${address} on devnet`)
    expect(run.output).toMatch(/balance +\d[\d.]* ETH \(\d+ wei\)\n/)
    expect(run.output).toContain(`slot ${slots[0]}`)
    expect(run.output).toContain('0 (proven absent)')
    expect(run.output).toContain(`block         8 ${node.head.hash}`)
    expect(run.output).toMatch(/not proved +anchor, recency\n/)
    expect(run.output).toMatch(/proof +\d+ bytes, checked in [\d.]+ ms\n$/)
  })

  test('says what the node says, where the node is honest', async () => {
    const { address } = node.sample('eoa')
    const request = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [address, 'latest'] }
    const response = await fetch(node.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
    const { result } = (await response.json()) as { result: string }
    const run = await prove('--node', node.url, ...trusted, '--address', address, '--json')
    expect(run).toMatchObject({ exit: 0, problem: '' })
    expect(JSON.parse(run.output)).toMatchObject({
      status: 'present',
      value: { address, account: { balance: result } },
      trust: { block: { number: '0x8', hash: node.head.hash }, finality: 'pinned' },
    })
  })

  test('proves that an account is absent', async () => {
    const { address } = node.sample('absent')
    const run = await prove('--node', node.url, ...trusted, '--address', address)
    expect(run).toMatchObject({ exit: 0, problem: '' })
    expect(run.output).toContain(`✓ PROVEN ABSENT  ${address} on devnet`)
    expect(run.output).toContain('no such account in this block')
  })
})

describe('offline', () => {
  test('proves from a file what was proven online', async () => {
    const path = await save('proof.json')
    const run = await prove('--file', path, ...trusted)
    expect(run).toMatchObject({ exit: 0, problem: '' })
    expect(run.output).toContain(`✓ PROVEN  ${node.sample('contract').address} on devnet`)
    expect(run.output).toContain(`served by     ${node.url}`)
  })

  test('reads a file of a chain that the caller does not name, and says so', async () => {
    const path = await save('unnamed.json')
    const run = await prove('--file', path, '--block', node.head.hash, '--json')
    expect(run).toMatchObject({ exit: 0, problem: '' })
    expect(JSON.parse(run.output)).toMatchObject({
      trust: { notProved: ['anchor', 'recency', 'chain'] },
    })
  })

  test('proves an Ethereum account', async () => {
    const { record, block } = await ethereumRecord()
    const path = join(folder, 'ethereum.json')
    await writeFile(path, JSON.stringify(record))
    const run = await prove('--file', path, '--block', block, '--chain', 'mainnet')
    expect(run).toMatchObject({ exit: 0, problem: '' })
    expect(run.output).toMatch(/^✓ PROVEN( ABSENT)? {2}0x[0-9a-f]{40} on mainnet\n/)
    expect(run.output).toContain(block)
  })

  test('error: a changed proof is rejected', async () => {
    const path = await save('changed.json')
    const file = JSON.parse(await readFile(path, 'utf8')) as ProofFile
    const at = file.proof.length - 1
    const last = file.proof.slice(at) === '0' ? '1' : '0'
    await writeFile(path, JSON.stringify({ ...file, proof: file.proof.slice(0, at) + last }))
    const run = await prove('--file', path, ...trusted)
    expect(run).toMatchObject({ exit: 3, output: '' })
    expect(run.problem).toMatch(/^✗ REJECTED {2}verify\./)
  })

  test('error: what a stranger wrote into a file reaches no terminal as it is', async () => {
    const path = await save('hostile.json')
    const file = JSON.parse(await readFile(path, 'utf8')) as ProofFile
    const green = '\u001b[2J\u001b[H\u001b[32m✓ PROVEN\u009b0m\u2028\u202e'
    const long = 'x'.repeat(100_000)
    const proven = { ...file, meta: { servedBy: green + long, note: green } }
    const refused = [
      { ...file, chain: { ...file.chain, consensus: { [green + long]: 1 } } },
      { ...file, chain: { ...file.chain, genesisHash: green } },
      { ...file, config: { ...file.config, [green]: 1 } },
      { ...file, config: { ...file.config, format: green + long } },
      { ...file, system: green },
      { ...file, variant: green + long },
      { ...file, kind: green },
      { ...file, source: { header: { hash: green, rlps: [green] } } },
      { ...file, expires: green },
    ]
    for (const [i, hostile] of [proven, ...refused].entries()) {
      await writeFile(path, JSON.stringify(hostile))
      const run = await prove('--file', path, ...trusted)
      expect(run.exit).toBe(i === 0 ? 0 : 3)
      const text = run.output + run.problem
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
      expect(text).not.toMatch(/x{200}/)
    }
  })

  test('error: another trusted block than the file’s is rejected', async () => {
    const path = await save('other-block.json')
    const run = await prove('--file', path, '--block', node.genesisHash, '--json')
    expect(run.exit).toBe(3)
    expect(JSON.parse(run.output)).toMatchObject({
      status: 'invalid',
      error: { code: 'verify.header' },
    })
  })

  test('error: a file of another chain than the named one is rejected', async () => {
    const path = await save('other-chain.json')
    const run = await prove('--file', path, '--block', node.head.hash, '--chain', 'mainnet')
    expect(run).toMatchObject({ exit: 3, output: '' })
    expect(run.problem).toContain('verify.chain')
  })
})

describe('from a checkpoint', () => {
  const follow = (url: string, ...more: readonly string[]) => {
    const { address } = node.sample('eoa')
    const checkpoint = ['--checkpoint', node.checkpoint.hash]
    return prove('--node', url, ...devnetOf(node), ...checkpoint, '--address', address, ...more)
  }

  test('proves an account in the newest signed block, and says who signed', async () => {
    const run = await follow(node.url)
    expect(run).toMatchObject({ exit: 0, problem: '' })
    expect(run.output).toContain(`block         ${node.head.number} ${node.head.hash}`)
    expect(run.output).toMatch(/trusted +checkpoint 0x[0-9a-f]{64}, by you, \d+ (s|minutes) old\n/)
    expect(run.output).toMatch(
      /signed by +\d\d of 32 of its committee; the newest header is \d+ (s|minutes) behind\n/,
    )
  })

  test('keeps what it proved, and starts from there', async () => {
    const store = join(folder, 'store')
    for (const _ of ['first', 'second']) {
      const run = await follow(node.url, '--store', store, '--json')
      expect(JSON.parse(run.output)).toMatchObject({
        status: 'present',
        trust: {
          anchor: { kind: 'checkpoint', hash: node.checkpoint.hash },
          finality: 'finalized',
          participation: { of: 32 },
        },
      })
    }
  })

  test('error: forged signatures are caught', async () => {
    const forger = await startNode({ lie: 'signature-own-keys' })
    try {
      const run = await follow(forger.url)
      expect(run).toMatchObject({ exit: 3, output: '' })
      expect(run.problem).toContain('✗ REJECTED  verify.signature')
    } finally {
      await forger.stop()
    }
  })
})

describe('a node that lies', () => {
  const lies: readonly (readonly [lie: string, kind: 'eoa' | 'contract', code: string])[] = [
    ['claim-balance', 'eoa', 'verify.claim'],
    ['forged-leaf', 'eoa', 'verify.merkle'],
    ['absent-truncated', 'eoa', 'verify.incomplete'],
    ['other-account-renamed', 'eoa', 'verify.merkle'],
    ['header-root', 'eoa', 'verify.header'],
    ['slot-absent-no-nodes', 'contract', 'verify.incomplete'],
    ['malformed-hex', 'eoa', 'decode.response'],
  ]

  test.each(lies)('error: %s is caught', async (lie, kind, code) => {
    const liar = await startNode({ lie })
    try {
      const { address, slots } = node.sample(kind)
      const slot = slots.slice(0, 1).flatMap((key) => ['--slot', key])
      const run = await prove(
        '--node',
        liar.url,
        ...trusted,
        '--address',
        address,
        ...slot,
        '--json',
      )
      expect(run.exit).toBe(3)
      expect(JSON.parse(run.output)).toMatchObject({ status: 'invalid', error: { code } })
    } finally {
      await liar.stop()
    }
  })
})

test('error: an unreachable node proves nothing', async () => {
  const { address } = node.sample('eoa')
  const run = await prove('--node', await deadUrl(), ...trusted, '--address', address)
  expect(run).toMatchObject({ exit: 4, output: '' })
  expect(run.problem).toContain('? NOTHING PROVEN  unreachable')
})

describe('bad input', () => {
  const hash = `0x${'11'.repeat(32)}`
  const address = `0x${'22'.repeat(20)}`
  const node = 'http://127.0.0.1:1'
  const devnet = ['--chain', 'devnet', '--genesis', hash, '--committee', '32/64']
  const cases: readonly (readonly [what: string, args: readonly string[], named: string])[] = [
    ['an address', ['--node', node, '--block', hash, '--address', '0x12'], '--address'],
    ['a block', ['--node', node, '--block', '0x12', '--address', address], '--block'],
    ['a node', ['--node', 'ftp://x', '--block', hash, '--address', address], '--node'],
    ['a slot', ['--node', node, '--block', hash, '--address', address, '--slot', 'x'], '--slot'],
    [
      'a genesis',
      ['--node', node, '--block', hash, '--address', address, '--chain', 'devnet'],
      '--genesis',
    ],
    [
      'a chain',
      ['--node', node, '--block', hash, '--address', address, '--chain', 'nix'],
      '--chain',
    ],
    ['no block', ['--node', node, '--address', address, ...devnet], '--block'],
    ['no address', ['--node', node, '--block', hash, ...devnet], '--address'],
    ['no node', ['--block', hash, '--address', address], '--node'],
    ['no trust', ['--node', node, '--address', address], '--checkpoint'],
    [
      'a checkpoint',
      ['--node', node, '--checkpoint', '0x12', '--address', address, ...devnet],
      '--checkpoint',
    ],
    [
      'a committee',
      [
        ...['--node', node, '--block', hash, '--address', address, '--chain', 'devnet'],
        ...['--committee', '32'],
      ],
      '--committee',
    ],
    ['no beacon node', ['--node', node, '--checkpoint', hash, '--address', address], '--beacon'],
    ['two kinds of trust', ['--node', node, '--checkpoint', hash, '--block', hash], '--checkpoint'],
    ['a store of no use', ['--node', node, '--block', hash, '--store', 'x'], '--store'],
    ['a file from a checkpoint', ['--file', 'x', '--checkpoint', hash], '--checkpoint'],
    ['no such file', ['--file', 'no-such-file.json', '--block', hash], '--file'],
    ['no such option', ['--blok', hash], '--blok'],
  ]

  test.each(cases)('error: %s is named', async (_what, args, named) => {
    const run = await prove(...args)
    expect(run).toMatchObject({ exit: 2, output: '' })
    expect(run.problem).toContain('✗ BAD INPUT  input.')
    expect(run.problem).toContain(named)
  })

  test('no options: prints the usage', async () => {
    expect(await prove()).toMatchObject({ exit: 2, output: expect.stringContaining('--node URL') })
  })
})
