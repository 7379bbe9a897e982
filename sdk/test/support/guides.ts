/**
 * What the guides say to type, made fit to be run: their reader has a devnet of ours where they
 * name Ethereum.
 */

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LiveNode } from './liveNode.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Every document that a user reads. */
export const GUIDES: readonly string[] = [
  'README.md',
  'sdk/README.md',
  'sdk/guides/wallet.md',
  'sdk/guides/script.md',
  'sdk/guides/development.md',
  'sdk/guides/webview.md',
  'sdk/guides/node-operator.md',
]

/** A block of code. */
export interface Snippet {
  /** Its document, and which of its kind it is there: `wallet 0`. */
  readonly name: string
  readonly code: string
}

/** The blocks of one language in all documents. */
export function snippetsOf(language: 'ts' | 'sh'): Snippet[] {
  return GUIDES.flatMap((guide) => {
    const text = readFileSync(path.join(ROOT, guide), 'utf8')
    const folder = guide.startsWith('sdk/README') ? 'sdk ' : ''
    const blocks = [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))]
    return blocks.map(([, code = ''], i) => {
      return { name: `${folder}${path.basename(guide, '.md')} ${i}`, code }
    })
  })
}

/** The text of a guide. */
export function guide(name: string): string {
  return readFileSync(path.join(ROOT, 'sdk/guides', name), 'utf8')
}

/** The blocks of code below a heading of a guide, in their order. */
export function blocksBelow(name: string, heading: string): string[] {
  const [, section = ''] = guide(name).split(new RegExp(`^## ${heading}$`, 'm'))
  const own = section.split(/^## /m)[0] ?? ''
  return [...own.matchAll(/```\w+\n(.*?)```/gs)].map(([, code = '']) => code)
}

/** Values for the dots of `0x…`, by the word before them. */
const hashes = ({ head, genesisHash, samples }: LiveNode): readonly [RegExp, string][] => [
  [/((?:block|--block):? '?)0x…/g, head.hash],
  [/((?:checkpoint|--checkpoint):? '?)0x…/g, genesisHash],
  [/((?:address:|balance|storage|export) '?)0x…/g, samples[0]?.address ?? ''],
]

/** The text for the devnet: its hashes, its nodes, whose headers come with them, of any age. */
export function onDevnet(text: string, node: LiveNode, others: readonly string[]): string {
  const filled = hashes(node).reduce(
    (code, [dots, value]) => code.replace(dots, `$1${value}`),
    text,
  )
  const urls = [node.url, ...others]
  let asked = 0
  return filled
    .replace(
      /https?:\/\/(?:rpc|beacon|other)\.(?:example|one|two|three)|http:\/\/127\.0\.0\.1:8545/g,
      () => {
        return urls[asked++ % urls.length] ?? ''
      },
    )
    .replace(/,?\s*beacons: \[[^\]]*\]/g, '')
    .replace(/maxAgeSeconds: 24 \* 3600/g, 'maxAgeSeconds: Infinity')
    .replace(/\n\s*maxHeadLagSeconds: \d+.*/g, '')
    .replace(/(anchor: \{ checkpoint[^}]*?) \}/g, '$1, maxAgeSeconds: Infinity }')
}
