/** Cargo's commands over the whole workspace. */
import { run } from './run.mjs'

/**
 * Crates without tests. cargo would link every module of the first natively. The second is built
 * before, and cargo would compile its dependencies again with other features.
 */
export const UNTESTED = ['lightproof-wasm', 'lightproof-bindgen']
const TESTED = ['--workspace', ...UNTESTED.flatMap((name) => ['--exclude', name])]

/**
 * What the tests are compiled with. In CI clippy does it, which is the compiler with its lints:
 * `cargo clippy` would check every dependency once more.
 *
 * @type {NodeJS.ProcessEnv}
 */
export const COMPILER =
  process.env['CI'] === 'true'
    ? { RUSTC_WORKSPACE_WRAPPER: 'clippy-driver', CLIPPY_ARGS: clippyArgs('-D', 'warnings') }
    : {}

/**
 * Arguments as clippy's compiler takes them.
 *
 * @param {string[]} args
 */
function clippyArgs(...args) {
  return args.map((arg) => `${arg}__CLIPPY_HACKERY__`).join('')
}

/** Runs the Rust tests. */
export const CARGO_TEST = ['test', ...TESTED, '--locked']

/**
 * Compiles the Rust tests and the benchmarks; one command for all, or cargo chooses other features
 * for what they share and compiles it again. Without the examples: here cargo would compile them as
 * tests, and again as programs for `cargo test`.
 */
export const CARGO_COMPILE = [...CARGO_TEST, '--lib', '--bins', '--tests', '--benches', '--no-run']

/** Compiles the examples as `cargo test` does: of the same packages, so with the same features. */
const CARGO_EXAMPLES = ['build', ...TESTED, '--locked', '--examples']

/** The profile that the tests are compiled in. */
const TEST_PROFILE = 'dev'

/** @param {string} output */
function jsonLines(output) {
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line))
}

/**
 * Programs that a command of cargo compiles, by their names.
 *
 * @type {Map<'bench' | 'example', Promise<Map<string, string>>>}
 */
const compiled = new Map()

/**
 * The benchmarks or the examples as they are compiled with the tests: name to program.
 *
 * @param {'bench' | 'example'} kind
 */
function compile(kind) {
  const known = compiled.get(kind)
  if (known !== undefined) return known
  const command = kind === 'bench' ? CARGO_COMPILE : CARGO_EXAMPLES
  const programs = run('cargo', [...command, '--message-format=json'], { env: COMPILER }).then(
    (output) => {
      const artifacts = jsonLines(output).filter(({ target }) => target?.kind.includes(kind))
      return new Map(artifacts.map(({ target, executable }) => [target.name, executable]))
    },
  )
  compiled.set(kind, programs)
  return programs
}

/**
 * Runs a program that is compiled with the tests and returns what it prints.
 *
 * @param {'bench' | 'example'} kind
 * @param {string} name
 * @param {readonly string[]} options
 */
async function runCompiled(kind, name, options) {
  const program = (await compile(kind)).get(name)
  if (program === undefined) throw new Error(`cargo compiled no ${kind} ${name}`)
  return run(program, [...options])
}

/**
 * Runs an example and returns what it prints.
 *
 * @param {string} name of its crate
 * @param {string} example
 * @param {string} profile cargo's; the tests' one uses what is compiled for them
 * @param {readonly string[]} options
 */
export function cargoExample(name, example, profile, options) {
  if (profile === TEST_PROFILE) return runCompiled('example', example, options)
  const crate = ['run', '--locked', '--quiet', '-p', name, '--profile', profile]
  return run('cargo', [...crate, '--example', example, '--', ...options])
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
  return jsonLines(await runCompiled('bench', bench, options))
}
