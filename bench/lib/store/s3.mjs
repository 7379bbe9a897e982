/** An S3 server on this machine, behind a proxy that counts requests and delays them. */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { at } from '../../../scripts/lib/repo.mjs'
import { start } from '../../../scripts/lib/run.mjs'
import { findS3 } from '../../../scripts/lib/s3.mjs'

/** @typedef {import('./proxy.mjs').Requests} Requests */

const BUCKET = 'chains'
const ACCESS = { AWS_ACCESS_KEY_ID: 'lightproof', AWS_SECRET_ACCESS_KEY: 'of this machine alone' }
const REGION = 'us-east-1'
/** Only a fault takes as long. */
const STARTS_MS = 30_000

/**
 * @typedef {object} S3
 * @property {(name: string) => string} url of a store in it
 * @property {Record<string, string>} env what a node reads to reach it
 * @property {(delayMs: number) => Promise<Requests>} delay holds up each request from then on; the
 *   requests since the last call
 * @property {(name: string) => number} stored bytes of a store
 * @property {() => void} stop
 */

/** A port that was free a moment ago. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/**
 * Bytes of the files under a folder.
 *
 * @param {string} folder
 */
function bytesUnder(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return (
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false }))
      // A file may go meanwhile.
      .reduce((sum, file) => sum + (file?.size ?? 0), 0)
  )
}

/** @param {number} port */
async function answers(port) {
  const end = Date.now() + STARTS_MS
  while (Date.now() < end) {
    const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    if (response !== undefined) return
    await pause(50)
  }
  throw new Error('the S3 server does not answer')
}

/**
 * Starts a server with an empty bucket; it goes away with this process.
 *
 * @returns {Promise<S3>}
 * @throws {Error} if versitygw is not built
 */
export async function startS3() {
  const program = findS3()
  if (program === undefined)
    throw new Error('versitygw is not built: npm test -- --suite rust builds it, with Go')
  const folder = mkdtempSync(path.join(tmpdir(), 'lightproof-s3-'))
  // A folder is a bucket.
  mkdirSync(path.join(folder, BUCKET))
  const clean = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', clean)
  const port = await freePort()
  const access = ['--access', ACCESS.AWS_ACCESS_KEY_ID, '--secret', ACCESS.AWS_SECRET_ACCESS_KEY]
  const listen = ['--port', `127.0.0.1:${port}`, '--region', REGION, '--keep-alive', '--quiet']
  const server = start(program, [...listen, ...access, 'posix', folder])
  server.stdout.resume()
  server.stderr.resume()
  await answers(port)
  const proxy = fork(at('bench/lib/store/proxy.mjs'), [`${port}`])
  const [outside] = await once(proxy, 'message')
  return {
    url: (name) => `s3://${BUCKET}/${name}`,
    env: {
      ...ACCESS,
      AWS_REGION: REGION,
      AWS_ENDPOINT: `http://127.0.0.1:${outside}`,
      AWS_ALLOW_HTTP: 'true',
    },
    delay: async (delayMs) => {
      proxy.send({ delayMs })
      const [counts] = await once(proxy, 'message')
      return counts
    },
    stored: (name) => bytesUnder(path.join(folder, BUCKET, name)),
    stop: () => {
      proxy.disconnect()
      server.kill()
      process.off('exit', clean)
      clean()
    },
  }
}
