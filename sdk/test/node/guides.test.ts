/**
 * What the README files and the guides say to type: it compiles, and it runs, against a live node
 * of ours.
 */

import { execFile, spawn } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onDevnet, type Snippet, snippetsOf } from '../support/guides.js'
import { BINARY, type LiveNode, lying, startNode } from '../support/liveNode.js'

/** Where `lightproof` is this package. */
const HERE = fileURLToPath(new URL('.', import.meta.url))
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const SIGNED = ['--committee-size', '8', '--period', '16']

/** What a reader has: names that the snippets use and do not make. */
const READER = `
  declare const trustedHash: string, checkpoint: string, address: string
  declare const rpcUrl: string, otherRpcUrl: string, beaconUrl: string
  declare const checkpointSources: string[]
  declare const client: import('lightproof').Client
  declare const createClient: typeof import('lightproof').createClient
  declare const mainnet: import('lightproof').Chain
  declare const store: import('lightproof').Store
  declare const file: import('lightproof').ProofFile
  declare const createPublicClient: typeof import('viem').createPublicClient
  declare const badge: { textContent: string }, amount: { textContent: string }
  declare function report(node: string, code: string): void
  declare function showBadge(method: string, proven: boolean, trust: unknown): void
  declare function showBusy(jobs: number): void
`

/** Makes it: the devnet's own values, set before a snippet runs. */
const readerOf = (node: LiveNode, others: readonly string[]): string => `
  import * as lightproof from 'lightproof'
  import { createPublicClient } from 'viem'
  const { createClient, devnet, fetchProof, memoryStore } = lightproof
  const rpcUrl = process.argv[2] ?? '${node.url}'
  const trustedHash = '${node.head.hash}'
  const mainnet = devnet('${node.genesisHash}', ${JSON.stringify(node.consensus)})
  const address = '${node.samples[0]?.address}'
  const client = createClient({ chain: mainnet, anchor: { block: trustedHash }, nodes: [rpcUrl] })
  const nothing = () => undefined
  const page = new EventTarget()
  Object.assign(globalThis, {
    trustedHash, address, rpcUrl, client, createClient, createPublicClient, mainnet,
    checkpoint: '${node.genesisHash}', otherRpcUrl: '${others[0]}', beaconUrl: '',
    checkpointSources: ${JSON.stringify([node.url, ...others])},
    store: memoryStore(), file: process.argv[2] ? undefined : await fetchProof(client, { address }),
    badge: {}, amount: {}, report: nothing, showBadge: nothing, showBusy: nothing,
    addEventListener: page.addEventListener.bind(page), removeEventListener: nothing,
  })
`

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: ['node'],
}

function problems(sources: ReadonlyMap<string, string>): string[] {
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (file) => sources.has(file) || fileExists(file)
  host.readFile = (file) => sources.get(file) ?? readFile(file)
  host.getSourceFile = (file, ...rest) => {
    const text = sources.get(file)
    return text === undefined
      ? getSourceFile(file, ...rest)
      : ts.createSourceFile(file, text, ts.ScriptTarget.ES2022)
  }
  const program = ts.createProgram([...sources.keys()], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, '\n')
    return `${path.basename(file?.fileName ?? '')}: ${text}`
  })
}

const asModule = ({ code }: Snippet): string => `${code}\nexport {}\n`

test('default: every snippet compiles', () => {
  const snippets = snippetsOf('ts')
  expect(snippets.length).toBeGreaterThanOrEqual(17)
  const sources = new Map(snippets.map((one) => [path.join(HERE, `${one.name}.ts`), asModule(one)]))
  sources.set(path.join(HERE, 'reader.d.ts'), READER)
  expect(problems(sources)).toEqual([])
  const wrong = "import { getNothing } from 'lightproof'\nexport {}\n"
  sources.set(path.join(HERE, 'wrong.ts'), wrong)
  expect(problems(sources)).toEqual([expect.stringMatching(/^wrong\.ts: .*getNothing/)])
})

describe('at a live node', () => {
  let dir: string
  let node: LiveNode
  let others: LiveNode[]
  let pushed: LiveNode
  let urls: string[]

  beforeAll(async () => {
    dir = mkdtempSync(path.join(tmpdir(), 'lightproof-guides-'))
    symlinkSync(MODULES, path.join(dir, 'node_modules'))
    writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}')
    node = await startNode(20, SIGNED)
    others = [await startNode(20, SIGNED), await startNode(20, SIGNED)]
    urls = others.map(({ url }) => url)
    const jwt = path.join(dir, 'pushed.hex')
    writeFileSync(jwt, '07'.repeat(32))
    pushed = await startNode(0, ['--push', '127.0.0.1:0', '--jwt', jwt])
    const { stop: _, ...ready } = node
    const line = JSON.stringify({ event: 'ready', ...ready })
    for (const file of ['devnet.json', 'node.log']) writeFileSync(path.join(dir, file), line)
    writeFileSync(path.join(dir, 'reader.js'), readerOf(node, urls))
    for (const snippet of snippetsOf('ts')) writeFileSync(fileOf(snippet.name), toJs(snippet))
  })
  afterAll(async () => {
    await Promise.all([node, pushed, ...others].map((one) => one.stop()))
    rmSync(dir, { recursive: true, force: true })
  })

  const fileOf = (name: string): string => path.join(dir, `${name.replaceAll(' ', '-')}.js`)

  function toJs({ code }: Snippet): string {
    const { outputText } = ts.transpileModule(onDevnet(code, node, urls), {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    })
    // Its reader's Ethereum is the devnet; all else that it imports is the package's.
    const own = outputText.replace(/(import \{[^}]*?)\bmainnet,? ?/, '$1')
    return own.replace('http://127.0.0.1:8600', pushed.push ?? '')
  }

  interface Run {
    readonly exit: unknown
    readonly out: string
    readonly err: string
  }

  /** Runs a line as a shell does. */
  function type(line: string): Promise<Run> {
    const bin = [path.join(MODULES, '.bin'), path.dirname(BINARY), process.env['PATH']]
    const env = { ...process.env, PATH: bin.join(path.delimiter), NODE_NO_WARNINGS: '1' }
    // npx would find them in the same place, and say more than they do.
    const bare = line.replace(/^npx /, '')
    return new Promise((resolve) => {
      execFile('sh', ['-c', bare], { cwd: dir, env, timeout: 250_000 }, (error, out, err) =>
        resolve({ exit: error === null ? 0 : error.code, out, err }),
      )
    })
  }

  async function balanceOf(address: string): Promise<bigint> {
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [address, 'latest'] }
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(node.url, { method: 'POST', headers, body: JSON.stringify(call) })
    return BigInt(((await reply.json()) as { result: string }).result)
  }

  test('default: every snippet runs, and says what the node holds', async () => {
    const names = snippetsOf('ts').map(({ name }) => name)
    const ends = names.map(
      (name) => `await import('${fileOf(name)}'); console.log('end ${name}')\n`,
    )
    const told = "console.log('badge', badge.textContent, amount.textContent)\n"
    writeFileSync(path.join(dir, 'all.js'), [...ends, told].join(''))
    const { exit, out, err } = await type('node --import ./reader.js all.js')
    expect([exit, err]).toEqual([0, ''])
    for (const name of names) expect(out).toContain(`end ${name}\n`)
    const balance = await balanceOf(node.samples[0]?.address ?? '')
    expect(out).toContain(`badge present ${balance} wei\n`)
    expect(out).toContain(`${balance}n\nend script 0\n`)
    expect(out).toMatch(/final block of period \d+\nend script 1\n/)
  })

  const LINES = snippetsOf('sh').flatMap(({ code }) => code.trim().split('\n'))
  const SHELL = new Set(LINES.map((line) => line.replace(/\s+#.*/, '')))
  /** Those of the repository itself, which its own pipeline runs. */
  const OURS = /^npm (start|test)$/

  test.each([...SHELL].filter((line) => !OURS.test(line)))('default: %s', async (line) => {
    if (line.startsWith('lightproof-node')) return serves(line)
    if (line.includes('my-wallet.js')) return attacks(line)
    if (line.includes('evidence.json')) return convicts(line)
    if (line.includes('page.js')) renameSync(fileOf('webview 0'), path.join(dir, 'page.js'))
    const { exit, out, err } = await type(localized(line))
    expect([exit, exit === 0 ? '' : err]).toEqual([0, ''])
    if (/lightproof (get|verify)/.test(line)) {
      expect(out).toMatch(/proven (present|absent)|"status": "(present|absent)"/)
    }
    if (line.includes('checkpoint --agree')) expect(out).toContain('3 of 3 sources')
    if (line.includes('lightproof nodes')) expect(out.match(/ mpt 0 to \d+/g)).toHaveLength(2)
  })

  const localized = (line: string): string => {
    const chain = line.startsWith('npx lightproof') ? ' --chain devnet.json' : ''
    return `${onDevnet(line, node, urls)}${chain}`
  }

  /**
   * The script's own snippet, at the liar's URL. A few lies of each kind: all of them are the
   * hostile suite's.
   */
  async function attacks(line: string): Promise<void> {
    const [script] = snippetsOf('ts').filter(({ name }) => name === 'script 0')
    if (script === undefined) throw new Error('no script')
    writeFileSync(path.join(dir, 'my-wallet.js'), `import './reader.js'\n${toJs(script)}`)
    const lies = ['balance', 'absent', 'garbage'].map((lie) => ` --lie ${lie}`).join('')
    const given = onDevnet(line, node, urls).replace(' -- ', `${lies} -- `)
    const { exit, out, err } = await type(given)
    expect([exit, err, out]).toEqual([0, '', expect.stringContaining('3 lies: 3 refused')])
  }

  async function convicts(line: string): Promise<void> {
    const isBlock = line.includes('--block')
    const lie = isBlock ? 'claim-balance' : 'signature-other-header'
    const anchor = isBlock ? '' : `--checkpoint ${node.genesisHash} --max-age any`
    const asked = isBlock ? `get balance ${node.samples[0]?.address}` : 'sync'
    const at = `--node ${lying(node, lie).url} --chain devnet.json --evidence lies-${lie}`
    expect(await type(`npx lightproof ${asked} ${anchor} ${at}`)).toMatchObject({ exit: 3 })
    const kept = path.join(dir, `lies-${lie}`)
    renameSync(path.join(kept, String(readdirSync(kept)[0])), path.join(dir, 'evidence.json'))
    const { exit, err } = await type(localized(line))
    expect([exit, err]).toEqual([3, expect.stringContaining('as evidence of a lie')])
  }

  /** Runs the node as it is typed, and what the guide does with its first line, as it stands. */
  async function serves(line: string): Promise<void> {
    const [program] = snippetsOf('ts').filter(({ name }) => name === 'node-operator 0')
    if (program === undefined) throw new Error('no program')
    const log = path.join(dir, 'node.log')
    rmSync(log)
    const env = { ...process.env, PATH: `${path.dirname(BINARY)}:${process.env['PATH']}` }
    const child = spawn('sh', ['-c', `exec ${line}`], { cwd: dir, env, stdio: 'ignore' })
    const first = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '')
    try {
      while (!first().includes('\n')) {
        if (child.exitCode !== null) throw new Error(`left with ${child.exitCode}`)
        await setTimeout(100)
      }
      const { samples, checkpoint } = JSON.parse(first().split('\n')[0] ?? '')
      const asked = `get balance ${samples[0]?.address} --chain node.log`
      expect(await type(`npx lightproof ${asked}`)).toMatchObject({ exit: 0 })
      // Neither here nor in the program is an age allowed that is not by default.
      const { exit, out } = await type(`npx lightproof ${asked} --checkpoint ${checkpoint.hash}`)
      expect([exit, out]).toEqual([0, expect.stringMatching(/proven present/)])
      writeFileSync(path.join(dir, 'first.mjs'), program.code)
      const said = await type('node first.mjs')
      expect(said).toEqual({ exit: 0, out: expect.stringMatching(/^[1-9]\d*n\n$/), err: '' })
    } finally {
      child.kill('SIGKILL')
    }
  }
})
