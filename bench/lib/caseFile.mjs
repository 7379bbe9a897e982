/** A case as text, for another process. The expectation stays here: a cold start only proves. */

/** @typedef {import('./types.js').BenchCase} BenchCase */

/** @param {BenchCase} bench */
export function toJson({ id, title, record }) {
  return JSON.stringify({ id, title, record })
}

/**
 * @param {string} text
 * @returns {BenchCase}
 */
export function fromJson(text) {
  return { ...JSON.parse(text), expected: { account: null, slots: [] } }
}
