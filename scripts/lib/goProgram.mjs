/** Programs of others that tests run: built by Go, kept in `.tools/`. */

import { at } from './repo.mjs'
import { probe, run } from './run.mjs'

/**
 * @typedef {object} GoProgram
 * @property {string} name of the program
 * @property {string} module Go's path of its package
 * @property {string} version
 * @property {[major: number, minor: number]} go the oldest Go that builds it
 * @property {string} variable of the environment, where another one is named
 * @property {(program: string) => boolean} isRight whether a file is the program, in this version
 */

/** @param {GoProgram} wanted */
export function goProgram({ name, module, version, go: [major, minor], variable, isRight }) {
  const file = process.platform === 'win32' ? `${name}.exe` : name
  const program = process.env[variable] ?? at('.tools', file)
  const hasGo = () => {
    const found = /go(\d+)\.(\d+)/.exec(probe('go', ['version']) ?? '')
    const [has, hasMinor] = [Number(found?.[1]), Number(found?.[2])]
    return has > major || (has === major && hasMinor >= minor)
  }
  return {
    /** Its path, if it is there in the right version. */
    find: () => (isRight(program) ? program : undefined),

    /** Why it cannot be built here, or undefined if it can. */
    obstacle: () => (hasGo() ? undefined : `Go >= ${major}.${minor} is not installed (go.dev)`),

    /**
     * Builds it into `.tools/`, without cgo and without debug information; in CI, which measures
     * nothing, also without inlining. This takes two thirds of the processor's time.
     * A compiler that collects garbage less often takes five sixths of that.
     *
     * @param {(line: string) => void} onLine
     */
    build: async (/** @type {(line: string) => void} */ onLine) => {
      const small = ['-ldflags=-s -w']
      if (process.env.CI === 'true') small.push('-gcflags=all=-l')
      await run('go', ['install', ...small, `${module}@v${version}`], {
        env: { GOBIN: at('.tools'), CGO_ENABLED: '0', GOGC: '400' },
        onLine,
      })
    },
  }
}
