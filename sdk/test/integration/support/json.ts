/** Shapes of JSON. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Where a string sits inside a JSON value: keys and indices from the outside in. */
export type JsonPath = readonly (string | number)[]

/** Paths of all strings inside a JSON value. */
export function stringPaths(value: unknown, path: JsonPath = []): JsonPath[] {
  if (typeof value === 'string') return [path]
  if (Array.isArray(value)) return value.flatMap((item, i) => stringPaths(item, [...path, i]))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, item]) => stringPaths(item, [...path, key]))
}

/** A copy of a JSON value in which the value at the path is replaced. */
export function replaceAt(
  value: unknown,
  path: JsonPath,
  change: (old: unknown) => unknown,
): unknown {
  const [key, ...rest] = path
  if (key === undefined) return change(value)
  if (Array.isArray(value)) {
    return value.map((item: unknown, i) => (i === key ? replaceAt(item, rest, change) : item))
  }
  if (!isRecord(value)) throw new Error(`nothing at ${path.join('.')}`)
  return { ...value, [key]: replaceAt(value[key], rest, change) }
}
