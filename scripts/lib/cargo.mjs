/** Cargo's commands over the whole workspace. */
import { run } from './run.mjs'

/**
 * The panic handler of the first cannot stand beside std's. The others have no tests: of the second
 * cargo would link every module natively, and for the third, which is built before, compile crates
 * again with other features.
 */
const UNTESTED = ['lightproof-no-std-check', 'lightproof-wasm', 'lightproof-bindgen']
const TESTED = ['--workspace', ...UNTESTED.flatMap((name) => ['--exclude', name])]

/** Runs the Rust tests. */
export const CARGO_TEST = ['test', ...TESTED, '--locked']

/**
 * Compiles the Rust tests and the benchmarks; one command for all, or cargo chooses other features
 * for what they share and compiles it again.
 */
export const CARGO_COMPILE = [...CARGO_TEST, '--all-targets', '--no-run']

/** The profile that the tests are compiled in. */
const TEST_PROFILE = 'dev'

/** @param {string} output */
function jsonLines(output) {
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line))
}

/**
 * The benchmarks as they are compiled with the tests: name to program.
 *
 * @type {Promise<Map<string, string>> | undefined}
 */
let compiled

async function compileBenches() {
  const output = await run('cargo', [...CARGO_COMPILE, '--message-format=json'])
  const artifacts = jsonLines(output).filter(({ target }) => target?.kind.includes('bench'))
  return new Map(artifacts.map(({ target, executable }) => [target.name, executable]))
}

/**
 * Runs a benchmark and returns the JSON objects that it prints, one a line.
 *
 * @param {string} name of its crate
 * @param {string} bench
 * @param {string} profile cargo's; the tests' one uses what is compiled for them
 * @param {readonly string[]} options
 * @param {readonly string[]} [features] of its crate; the tests have all
 */
export async function cargoBench(name, bench, profile, options, features = []) {
  if (profile !== TEST_PROFILE) {
    const chosen = features.flatMap((feature) => ['--features', feature])
    const cargo = [
      'bench',
      '--locked',
      '-p',
      name,
      ...chosen,
      '--bench',
      bench,
      '--profile',
      profile,
    ]
    return jsonLines(await run('cargo', [...cargo, '--', ...options]))
  }
  compiled ??= compileBenches()
  const program = (await compiled).get(bench)
  if (program === undefined) throw new Error(`cargo compiled no benchmark ${bench}`)
  return jsonLines(await run(program, [...options]))
}
