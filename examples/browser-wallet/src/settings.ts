/** What the form holds, and how the address bar sets it. */

/** The names of the form's fields, which are also the parameters of the page's address. */
export const fieldNames = [
  'address',
  'chain',
  'node',
  'trust',
  'anchor',
  'beacon',
  'genesis',
  'committee',
] as const

export type FieldName = (typeof fieldNames)[number]

/** The form's content as text; nothing is checked yet. */
export type Settings = Readonly<Record<FieldName, string>>

/**
 * Fields given in the page's address: `#node=…&anchor=…&chain=…`, or the same after `?`. The part after `#` wins, and is
 * the better place: browsers do not send it to the server.
 */
export function settingsFromAddress(location: { search: string; hash: string }): Partial<Settings> {
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
export function isIdle(name: FieldName, { chain, trust }: Pick<Settings, 'chain' | 'trust'>) {
  if (name === 'genesis' || name === 'committee') return chain !== 'devnet'
  return name === 'beacon' && (chain === 'devnet' || trust !== 'checkpoint')
}
