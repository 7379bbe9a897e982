/** A page with a bridge to a native shell, which embeds a page of another origin: `?frame=…`. */

import { createClient, mainnet, serveBridge } from 'lightproof/inline'
import { publish } from './publish.js'

/** What came of the frame's attempts. */
export interface BridgeReport {
  /** Ids of the replies that the shell got. */
  readonly shell: readonly unknown[]
  /** Ids of the replies that the frame got. */
  readonly frame: readonly unknown[]
  /** How the frame's messages arrived: whether they had a source. */
  readonly sources: readonly boolean[]
}

publish(run())

async function run(): Promise<BridgeReport> {
  const shell: unknown[] = []
  const sources: boolean[] = []
  const postMessage = (text: string): void => void shell.push(JSON.parse(text).id)
  Object.assign(window, { ReactNativeWebView: { postMessage } })
  addEventListener('message', ({ isTrusted, source }) => {
    if (isTrusted) sources.push(source !== null)
  })
  // Nobody is asked: every answer is that the node cannot be reached.
  const fetch = (): Promise<Response> => Promise.reject(new Error('offline'))
  const anchor = { block: `0x${'11'.repeat(32)}` }
  const nodes = ['https://node.test']
  serveBridge(createClient({ chain: mainnet, anchor, nodes, fetch, retries: 0 }))
  const url = new URLSearchParams(location.search).get('frame') ?? ''
  const frame = document.createElement('iframe')
  frame.src = url
  document.body.append(frame)
  await told('attacked')
  await askAsShell('first')
  // By this answer, all that the frame asked before has been answered too.
  await askAsShell('last')
  frame.contentWindow?.postMessage('what did you hear?', new URL(url).origin)
  const { heard } = await told('heard')
  return { shell, frame: heard as unknown[], sources }

  /** As the native side of React Native does. */
  async function askAsShell(id: string): Promise<void> {
    const params = { address: `0x${'00'.repeat(20)}` }
    const data = JSON.stringify({ lightproof: 1, id, method: 'getBalance', params })
    dispatchEvent(new MessageEvent('message', { data }))
    while (!shell.includes(id)) await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** The frame's next message of a kind. */
function told(kind: string): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    const listen = ({ data }: MessageEvent): void => {
      if (data?.frame !== kind) return
      removeEventListener('message', listen)
      resolve(data)
    }
    addEventListener('message', listen)
  })
}
