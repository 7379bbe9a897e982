import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { at } from '../lib/repo.mjs'
import { account, OUT_OF_TIME, run } from '../lib/run.mjs'

const PROGRAM = `
  import { start } from ${JSON.stringify(at('scripts/lib/run.mjs'))}
  // It must be killed to end.
  const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('')"
  const child = start(process.execPath, ['-e', stubborn])
  child.stdout.once('data', () => console.log(process.pid, child.pid))
  setInterval(() => {}, 1000)
`

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * A command run by a shell, as npm runs one; the command and its child.
 *
 * @returns {Promise<{ shell: import('node:child_process').ChildProcess, pids: number[] }>}
 */
async function begin() {
  // The second command keeps the shell from becoming the first.
  const shell = spawn('sh', ['-c', '"$NODE" --input-type=module -e "$PROGRAM"; :'], {
    env: { ...process.env, NODE: process.execPath, PROGRAM, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(shell.stdout), 'line')
  return { shell, pids: line.split(' ').map(Number) }
}

/**
 * True if processes end by themselves; else they are killed.
 *
 * @param {number[]} pids
 */
async function gone(pids) {
  for (let round = 0; round < 150 && pids.some(isAlive); round += 1) await sleep(100)
  const left = pids.filter(isAlive)
  for (const pid of left) process.kill(pid, 'SIGKILL')
  return left.length === 0
}

test.runIf(process.platform !== 'win32')('a shell that dies takes all with it', async () => {
  const { shell, pids } = await begin()
  shell.kill('SIGTERM')
  expect(await gone(pids)).toBe(true)
})

test.runIf(process.platform !== 'win32')(
  'a signal ends the children too, also one that ignores it',
  async () => {
    const { shell, pids } = await begin()
    const [pid = 0] = pids
    process.kill(pid, 'SIGTERM')
    process.kill(pid, 'SIGTERM')
    expect(await gone(pids)).toBe(true)
    shell.kill('SIGTERM')
  },
)

const LEADER = `
  import { spawn } from 'node:child_process'
  const options = { detached: true, stdio: 'ignore' }
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], options)
  console.log(child.pid)
  process.on('SIGTERM', () => {
    child.kill('SIGKILL')
    process.exit(3)
  })
`

test.runIf(process.platform !== 'win32')(
  'error: a command that is out of time ends what it started in other groups',
  async () => {
    const args = ['--input-type=module', '-e', LEADER]
    const ended = await run(process.execPath, args, { timeoutMs: 2000 }).catch((error) => error)
    expect(ended).toMatchObject({ name: 'CommandError', code: OUT_OF_TIME })
    expect(await gone([Number(ended.output)])).toBe(true)
  },
)

test.runIf(process.platform !== 'win32')(
  'error: a command that is out of time and ignores a signal is killed',
  async () => {
    const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"
    const ended = run(process.execPath, ['-e', stubborn], { timeoutMs: 500 })
    await expect(ended).rejects.toMatchObject({ name: 'CommandError', code: OUT_OF_TIME })
  },
)

test.runIf(process.platform !== 'win32')(
  'error: what a command that is out of time leaves in its group is killed',
  async () => {
    // The shell dies of the signal; its child ignores it, and holds the output open.
    const script = `"$0" -e "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"; :`
    const ended = run('sh', ['-c', script, process.execPath], { timeoutMs: 1500 })
    await expect(ended).rejects.toMatchObject({ name: 'CommandError', code: OUT_OF_TIME })
  },
)

test.runIf(process.platform === 'linux')(
  "behavior: a step pays for its children's processor time, and for nobody else's",
  async () => {
    const spin = 'const end = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < end);'
    const [busy, idle] = [{ cpu: 0 }, { cpu: 0 }]
    await account.run(busy, () => run(process.execPath, ['-e', spin]))
    await account.run(idle, () => run('true', []))
    expect(busy.cpu).toBeGreaterThanOrEqual(0.3)
    expect(idle.cpu).toBeLessThan(0.3)
  },
)
