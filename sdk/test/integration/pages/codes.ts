/** Errors as tests compare them. */

/** The codes of an error and of its causes, from the outside in. */
export function codesOf(error: unknown): unknown[] {
  const codes: unknown[] = []
  for (let at = error; at instanceof Error; at = at.cause) codes.push(Reflect.get(at, 'code'))
  return codes.filter((code) => code !== undefined)
}
