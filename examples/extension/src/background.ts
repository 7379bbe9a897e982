/**
 * The service worker: holds the client and checks the proofs. The browser ends it at will; the next
 * one goes on from what was proven before, which the store keeps and which is verified again.
 */

import { type Client, createClient, getBalance, indexedDbStore } from 'lightproof'
import { options } from './config.js'
import type { Answer, Question } from './message.js'

let opened: Promise<Client> | undefined

async function answer({ address }: Question): Promise<Answer> {
  opened ??= options().then((given) => createClient({ ...given, store: indexedDbStore() }))
  const result = await getBalance(await opened, { address })
  if ('error' in result) {
    const { code, message } = result.error
    return { status: result.status, code, message }
  }
  const { block, servedBy, headersFrom } = result.trust
  return {
    status: result.status,
    wei: String(result.value),
    block: String(block.number),
    ageSeconds: block.ageSeconds,
    servedBy,
    headersFrom,
  }
}

chrome.runtime.onMessage.addListener((question, _sender, reply) => {
  answer(question).then(reply, (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    reply({ status: 'error', code: 'error', message })
  })
  // The reply comes later.
  return true
})
