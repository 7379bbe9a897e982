/** What the form holds, and how the address bar sets it. */

/** The names of the form's fields, which are also the parameters of the page's address. */
export const fieldNames = [
  'system',
  'address',
  'slot',
  'positions',
  'from',
  'to',
  'data',
  'sender',
  'token',
  'chain',
  'node',
  'trust',
  'at',
  'anchor',
  'beacon',
  'genesis',
  'committee',
  'systems',
  'follows',
  'upstream',
  'origin',
] as const

export type FieldName = (typeof fieldNames)[number]

/** The form's content as text; nothing is checked yet. */
export type Fields = Readonly<Record<FieldName, string>>

/** Who proposed a value that the user confirmed. */
export type Proposer = 'link' | 'file'

/** What is asked, of whom, and from where trust starts. */
export interface Settings extends Fields {
  /** Fields that the user did not choose, but confirmed. */
  readonly proposed: Readonly<Partial<Record<FieldName, Proposer>>>
}

/** Fields that make a question; the others say whom to ask and what to trust. */
export const QUESTION: readonly FieldName[] = [
  'system',
  'address',
  'slot',
  'positions',
  'from',
  'to',
  'data',
  'sender',
  'token',
]

/**
 * Fields given in the page's address: `#node=…&anchor=…&chain=…`, or the same after `?`. The part
 * after `#` wins, and is the better place: browsers do not send it to the server.
 */
export function settingsFromAddress(location: { search: string; hash: string }): Partial<Fields> {
  const search = new URLSearchParams(location.search)
  const hash = new URLSearchParams(location.hash.replace(/^#/, ''))
  const found: Partial<Record<FieldName, string>> = {}
  for (const name of fieldNames) {
    const value = hash.get(name) ?? search.get(name)
    if (value !== null) found[name] = value.trim()
  }
  return found
}

/** Which fields the others leave without a meaning. */
export function isIdle(
  name: FieldName,
  { chain, trust, system, committee }: Pick<Fields, 'chain' | 'trust' | 'system' | 'committee'>,
): boolean {
  switch (name) {
    case 'genesis':
      return chain !== 'devnet' && chain !== 'private'
    case 'committee':
    case 'systems':
      return chain !== 'devnet'
    case 'follows':
    case 'upstream':
    case 'origin':
      return chain !== 'devnet' || !committee.startsWith('operators/')
    case 'at':
    case 'beacon':
      return chain === 'devnet' || chain === 'private' || trust !== 'checkpoint'
    case 'positions':
      return system !== 'balanceproofs'
    case 'address':
      return system === 'balanceproofs'
    case 'slot':
      return system === 'balanceproofs' || system === 'call'
    case 'data':
    case 'sender':
      return system !== 'call'
    case 'from':
    case 'to':
      return system !== 'cole' && system !== 'transfers'
    case 'token':
      return system !== 'transfers'
    default:
      return false
  }
}

/** Is there anything to ask about? */
export function asksSomething({ system, address, positions }: Fields): boolean {
  return (system === 'balanceproofs' ? positions : address) !== ''
}
