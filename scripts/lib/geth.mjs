/** geth, the real full node that the integration tests talk to: built by Go, kept in `.tools/`. */

import { at } from './repo.mjs'
import { probe, run } from './run.mjs'

/** Later versions need a module that the Go module proxy does not serve. */
const VERSION = '1.17.8'
const MIN_GO = { major: 1, minor: 24 }

const program =
  process.env.LIGHTPROOF_GETH ?? at('.tools', process.platform === 'win32' ? 'geth.exe' : 'geth')

function hasGo() {
  const [, major = 0, minor = 0] = /go(\d+)\.(\d+)/.exec(probe('go', ['version']) ?? '') ?? []
  return (
    Number(major) > MIN_GO.major ||
    (Number(major) === MIN_GO.major && Number(minor) >= MIN_GO.minor)
  )
}

/** The path of geth if it is there in the right version. */
export function findGeth() {
  const version = probe(program, ['version'])
  return version?.includes(`Version: ${VERSION}-`) ? program : undefined
}

/** Why geth cannot be built here, or undefined if it can. */
export function gethObstacle() {
  return hasGo() ? undefined : `Go >= ${MIN_GO.major}.${MIN_GO.minor} is not installed (go.dev)`
}

/**
 * Builds geth into `.tools/`.
 *
 * @param {(line: string) => void} onLine
 */
export async function buildGeth(onLine) {
  const source = `github.com/ethereum/go-ethereum/cmd/geth@v${VERSION}`
  await run('go', ['install', source], { env: { GOBIN: at('.tools') }, onLine })
}
