/** The command line's commands and their options. */

import { readFile } from 'node:fs/promises'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { InputError } from '../result/errors.js'
import { errorToJson } from '../result/json.js'
import { attack } from './attack.js'
import { checkpoint } from './checkpoint.js'
import { exportProof, verify } from './files.js'
import { get } from './get.js'
import { HELP, HELP_OF } from './help.js'
import { EXIT, exitOf, type Io, isExpected, jsonText, line, UsageError } from './io.js'
import { nodesCommand } from './nodes.js'
import { makeClient, readChain } from './setup.js'
import { syncCommand } from './sync.js'

const string = { type: 'string' } as const
const many = { type: 'string', multiple: true } as const
const flag = { type: 'boolean' } as const

const COMMON = { json: flag, help: { type: 'boolean', short: 'h' } } as const

/** Options of every command that asks nodes. */
const CLIENT_OPTIONS = {
  chain: string,
  node: many,
  beacon: many,
  checkpoint: string,
  block: string,
  'max-age': string,
  'max-lag': string,
  store: string,
  timeout: string,
  follows: string,
  'follows-node': many,
  'follows-beacon': many,
  'follows-checkpoint': string,
  'follows-block': string,
  'cross-check': string,
} as const

/** Options of each command, beside `--json` and `--help`. */
const OPTIONS = {
  get: {
    ...CLIENT_OPTIONS,
    at: string,
    slot: string,
    system: string,
    key: string,
    from: string,
    to: string,
    token: string,
    evidence: string,
  },
  sync: { ...CLIENT_OPTIONS, evidence: string },
  verify: {
    chain: string,
    block: string,
    root: string,
    system: string,
    checkpoint: string,
    number: string,
    origin: string,
    accounts: string,
    now: string,
    'max-age': string,
  },
  export: { ...CLIENT_OPTIONS, at: string, slot: many, code: flag, expires: string, out: string },
  checkpoint: { chain: string, agree: string, timeout: string },
  nodes: { chain: string, timeout: string },
  attack: { lie: many, address: string, 'time-limit': string, list: flag, serve: string },
} as const satisfies Record<string, ParseArgsConfig['options']>

function parse<T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
) {
  try {
    return parseArgs({
      args: [...args],
      options: { ...options, ...COMMON },
      allowPositionals: true,
    })
  } catch (cause) {
    // What follows the first sentence is advice for other command lines than this one.
    const [problem = ''] = (cause instanceof Error ? cause.message : String(cause)).split('. ')
    throw new UsageError(problem, { cause })
  }
}

/** A command's own words, before `--`; the words of a program to run after it. */
interface Words {
  readonly io: Io
  readonly args: readonly string[]
  readonly program: readonly string[]
}

type Command = (words: Words) => Promise<number>

const COMMANDS: Readonly<Record<keyof typeof OPTIONS, Command>> = {
  get: async ({ io, args }) => {
    const { values, positionals } = parse(args, OPTIONS.get)
    return get(io, () => makeClient(values), positionals, values)
  },
  sync: async ({ io, args }) => {
    const { values } = parse(args, OPTIONS.sync)
    return syncCommand(io, await makeClient(values), values)
  },
  verify: async ({ io, args }) => {
    const { values, positionals } = parse(args, OPTIONS.verify)
    return verify(io, positionals, values)
  },
  export: async ({ io, args }) => {
    const { values, positionals } = parse(args, OPTIONS.export)
    return exportProof(io, () => makeClient(values), positionals, values)
  },
  checkpoint: async ({ io, args }) => {
    const { values, positionals } = parse(args, OPTIONS.checkpoint)
    return checkpoint(io, positionals, values)
  },
  nodes: async ({ io, args }) => {
    const { values, positionals } = parse(args, OPTIONS.nodes)
    // Nothing is proven here, so nothing needs an anchor.
    const { genesisHash: block } = (await readChain(values.chain)).chain
    const node = positionals.length === 0 ? {} : { node: positionals }
    return nodesCommand(io, await makeClient({ ...values, ...node, block }), values.json === true)
  },
  attack: async ({ io, args, program }) => {
    const { values, positionals } = parse(args, OPTIONS.attack)
    return attack(io, positionals, values, program)
  },
}

function isCommand(name: string): name is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, name)
}

/**
 * Runs a command line.
 *
 * @returns the exit code: {@link EXIT}.
 */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...words] = argv
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    io.out(HELP)
    return name === undefined ? EXIT.usage : EXIT.ok
  }
  if (name === '--version' || name === '-V') {
    io.out(`${await version()}\n`)
    return EXIT.ok
  }
  const end = words.indexOf('--')
  const args = end < 0 ? words : words.slice(0, end)
  const program = end < 0 ? [] : words.slice(end + 1)
  try {
    if (!isCommand(name)) {
      throw new UsageError(
        `unknown command ${name}; expected one of ${Object.keys(COMMANDS).join(', ')}`,
      )
    }
    if (args.includes('--help') || args.includes('-h')) {
      io.out(HELP_OF[name])
      return EXIT.ok
    }
    return await COMMANDS[name]({ io, args, program })
  } catch (error) {
    return failed(io, name, args, error)
  }
}

async function version(): Promise<string> {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return String((JSON.parse(manifest) as { version: unknown }).version)
}

/** What the command line calls an argument of the library. */
const WORDS: readonly [RegExp, string][] = [
  [/^anchor\.(block|checkpoint|root)$/, '--$1'],
  [/^anchor\.(number|system)$/, '--$1'],
  [/^nodes\[\d+\]$/, '--node'],
  [/^beacons(\[\d+\])?$/, '--beacon'],
  [/^sources(\[\d+\])?$/, 'URL'],
  [/^need$/, '--agree'],
  [/^crossCheck$/, '--cross-check'],
  [/^(at|block)$/, '--at'],
  [/^(slot|key|token)$/, '--$1'],
  [/^slots\[\d+\]$/, '--slot'],
  [/^(anchor\.)?maxAgeSeconds$/, '--max-age'],
  [/^max(Final|Head)LagSeconds$/, '--max-lag'],
  [/^timeoutMs$/, '--timeout'],
  [/^fromBlock$/, '--from'],
  [/^toBlock$/, '--to'],
  [/^(address|owner)$/, 'ADDRESS'],
]

/** The message of an error, in the words of the command line. */
function worded(error: Error): string {
  if (!(error instanceof InputError)) return error.message
  const { argument, message } = error
  const [pattern, word] = WORDS.find(([known]) => known.test(argument)) ?? []
  if (pattern === undefined || word === undefined) return message
  return message.replace(argument, argument.replace(pattern, word))
}

function failed(io: Io, name: string, args: readonly string[], error: unknown): number {
  if (io.signal.aborted) {
    io.err('interrupted\n')
    return EXIT.interrupted
  }
  const exit = exitOf(error)
  if (args.includes('--json')) io.out(jsonText({ status: 'error', error: errorToJson(error) }))
  else if (isExpected(error)) {
    const text = worded(error)
    const prefix = text.startsWith(name) ? '' : `${name}: `
    io.err(`lightproof ${line(prefix + text)}\n`)
  } else {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    io.err(`${text.split('\n').map(line).join('\n')}\n`)
  }
  const about = isCommand(name) ? `${name} --help` : '--help'
  if (exit === EXIT.usage) io.err(`\`lightproof ${about}\` shows the options\n`)
  return exit
}
