/**
 * A proxy before an S3 server, as a process of its own: it counts requests, and holds each up as a
 * server that is far away does.
 *
 * Forked with the server's port; sends its own port first. Each message that it gets, `{ delayMs }`,
 * sets the delay from then on and is answered with the counts since the last one.
 */
import { Agent, createServer, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Requests by what S3 charges for.
 *
 * @typedef {{ gets: number, puts: number, deletes: number, bytesIn: number, rounds: number }} Requests
 * `puts`: lists too, which cost the same; `bytesIn`: of bodies; `rounds`: times that some were under
 * way, after none was
 */

/** @returns {Requests} */
const none = () => ({
  ...{ gets: 0, puts: 0, deletes: 0 },
  ...{ bytesIn: 0, rounds: 0 },
})

const port = Number(process.argv[2])
const agent = new Agent({ keepAlive: true, maxSockets: 256 })
let counts = none()
let delayMs = 0
let active = 0

/**
 * @param {string} method
 * @param {string} url
 */
function kindOf(method, url) {
  if (method === 'DELETE' || (method === 'POST' && /[?&]delete\b/.test(url))) return 'deletes'
  if (method === 'PUT' || method === 'POST') return 'puts'
  return /[?&](list-type|prefix)=/.test(url) ? 'puts' : 'gets'
}

const server = createServer(async (from, to) => {
  const { method = 'GET', url = '/', headers } = from
  counts[kindOf(method, url)]++
  if (active === 0) counts.rounds++
  active++
  const held = pause(delayMs)
  // The host stays: the client has signed it.
  const forward = request({ host: '127.0.0.1', port, method, path: url, headers, agent })
  to.once('close', () => {
    active--
    // What the client does not read any more would keep its connection for ever.
    if (!to.writableFinished) forward.destroy()
  })
  forward.once('error', () => to.destroy())
  from.on('data', (part) => {
    counts.bytesIn += part.length
  })
  from.pipe(forward)
  forward.once('response', async (answer) => {
    answer.pause()
    await held
    to.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(to)
  })
})

process.on('message', (/** @type {{ delayMs: number }} */ message) => {
  delayMs = message.delayMs
  process.send?.(counts)
  counts = none()
})
process.once('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : undefined)
})
