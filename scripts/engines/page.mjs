// @ts-check
// What the engines share: waiting and writing screenshots.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Longest wait for a condition. Only a fault takes this long, so it is generous: a loaded machine
 * is no fault.
 */
const patience = 60_000
const pollInterval = 25

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/**
 * Polls until a probe gives something other than `undefined`.
 *
 * @template T
 * @param {() => Promise<T | undefined>} probe
 * @param {() => Promise<string>} describe what to say when it never does
 * @returns {Promise<T>}
 */
export async function poll(probe, describe) {
  const end = Date.now() + patience
  for (;;) {
    const value = await probe()
    if (value !== undefined) return value
    if (Date.now() > end) throw new Error(await describe())
    await pause(pollInterval)
  }
}

/**
 * Waits for an expression in the page to be truthy. A navigation in between is not a failure.
 *
 * @param {string} name of the engine
 * @param {(expression: string) => Promise<unknown>} evaluate
 * @param {string} expression
 */
export async function waitForTruthy(name, evaluate, expression) {
  await poll(
    async () => ((await evaluate(`Boolean(${expression})`)) === true ? true : undefined),
    async () =>
      `${name}: never became true: ${expression}\nThe page shows:\n${await pageText(evaluate)}`,
  )
}

/** @param {(expression: string) => Promise<unknown>} evaluate */
async function pageText(evaluate) {
  try {
    return String(await evaluate('document.body.innerText'))
  } catch (error) {
    return `nothing readable (${error})`
  }
}

/**
 * The rendered text of the first element that matches.
 *
 * @param {string} name of the engine
 * @param {(expression: string) => Promise<unknown>} evaluate
 * @param {string} selector
 */
export async function textOf(name, evaluate, selector) {
  const text = await evaluate(
    `document.querySelector(${JSON.stringify(selector)})?.innerText ?? null`,
  )
  if (typeof text !== 'string') throw new Error(`${name}: no element matches ${selector}`)
  return text
}

/**
 * @param {string} path
 * @param {Uint8Array} png
 */
export async function writeImage(path, png) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, png)
}
