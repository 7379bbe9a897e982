/** Runs a suite once in each browser engine. */

import { afterAll, beforeAll, describe } from 'vitest'
import { engineNames, findEngine } from '../../../scripts/engines/find.mjs'
import { launch } from '../../../scripts/engines/launch.mjs'
import { serveStatic } from '../../../scripts/engines/serve.mjs'
import type {
  ConsoleEntry,
  Engine,
  EngineName,
  LaunchOptions,
} from '../../../scripts/engines/types.ts'

/** What a suite gets: the engine, once it runs, and a way to serve files to it. */
export interface Lab {
  readonly name: EngineName
  /** The engine. Not before the tests run. */
  engine(): Engine
  /**
   * Serves a folder until the suite ends; console messages of its pages are recorded in every
   * engine.
   */
  serve(
    folder: string,
    options?: { csp?: string; wasmType?: string; missing?: string[] },
  ): Promise<{ readonly url: string; readonly requests: readonly string[] }>
}

/**
 * An engine that this machine must run: all of them in CI, and those that `LIGHTPROOF_ENGINES`
 * lists.
 */
function isRequired(name: EngineName): boolean {
  return process.env['CI'] === 'true' || listedEngines()?.includes(name) === true
}

function listedEngines(): readonly EngineName[] | undefined {
  const list = process.env['LIGHTPROOF_ENGINES'] ?? ''
  if (list === '') return undefined
  return list.split(',').map((name) => {
    const known = engineNames.find((engine) => engine === name)
    if (known === undefined) throw new Error(`LIGHTPROOF_ENGINES: no engine is called "${name}"`)
    return known
  })
}

/**
 * Describes a suite for each engine, which has a fresh profile; files of one process share its
 * browsers. An engine that is not on this machine is named and skipped, unless it is required: then
 * its tests fail.
 */
export function inEveryEngine(suite: (lab: Lab) => void, options: LaunchOptions = {}): void {
  const scheme = options.colorScheme ?? 'light'
  for (const name of listedEngines() ?? engineNames) {
    const found = findEngine(name)
    if (found.status === 'missing' && !isRequired(name)) {
      // `npm test` repeats this line in its summary.
      console.log(`SKIPPED: ${found.message}`)
      describe.skip(`${name}, ${scheme}`, () => suite(labOf(name, options)))
    } else {
      describe(`${name}, ${scheme}`, () => suite(labOf(name, options)))
    }
  }
}

/** Starts and ends the engine of the suite that is being described. */
function labOf(name: EngineName, options: LaunchOptions): Lab {
  let engine: Engine | undefined
  const cleanUp: (() => Promise<void>)[] = []
  beforeAll(async () => {
    engine = await launch(name, { ...options, isShared: true })
  })
  afterAll(async () => {
    await engine?.close()
    for (const close of cleanUp) await close()
  })
  return {
    name,
    engine() {
      if (engine === undefined) throw new Error(`${name} does not run yet`)
      return engine
    },
    async serve(folder, options = {}) {
      const server = await serveStatic(folder, { ...options, captureConsole: name === 'webkit' })
      cleanUp.push(server.close)
      return server
    },
  }
}

/** A result's status, or what the page does. */
type State =
  | 'present'
  | 'absent'
  | 'deleted'
  | 'invalid'
  | 'unavailable'
  | 'platform'
  | 'idle'
  | 'proposed'
  | 'asking'
  | 'working'

/** Waits for the state that both pages show in their element `result`. */
export async function waitForState(engine: Engine, state: State): Promise<void> {
  await engine.waitFor(`document.getElementById('result').dataset.state === '${state}'`)
}

/** Confirms what the page's link proposes, as a user does who trusts whoever gave it to them. */
export async function confirmLink(engine: Engine): Promise<void> {
  await waitForState(engine, 'proposed')
  await engine.click('#use-link')
}

/** Opens a link and confirms what it proposes. */
export async function openLink(engine: Engine, url: string): Promise<void> {
  await engine.open(url)
  await confirmLink(engine)
}

/**
 * Errors in the console that the page made itself. Engines also write there that a connection was
 * refused, which a test with an unreachable node provokes: `allowed` is the origin of that node.
 */
export async function consoleErrors(engine: Engine, allowed?: string): Promise<ConsoleEntry[]> {
  const entries = await engine.console()
  return entries.filter(
    ({ level, text }) => level === 'error' && (allowed === undefined || !text.includes(allowed)),
  )
}
