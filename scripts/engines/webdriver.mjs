// @ts-check
// The few commands of W3C WebDriver (https://www.w3.org/TR/webdriver2/) that the tests need.

/** The key under which WebDriver names an element, fixed by the specification. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

/**
 * Keys that are no characters, as WebDriver writes them (§17.4.2).
 *
 * @type {Record<string, string>}
 */
const keyCodes = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  Space: '\uE00D',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
}

/** An error that the driver reported; `code` is one of the specification's strings, such as `javascript error`. */
class WebDriverError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(`${code}: ${message}`)
    this.name = 'WebDriverError'
    this.code = code
  }
}

/**
 * @param {string} base
 * @param {'GET' | 'POST' | 'DELETE'} method
 * @param {string} path
 * @param {Record<string, unknown>} [body]
 * @returns {Promise<unknown>}
 */
async function command(base, method, path, body) {
  const response = await fetch(base + path, {
    method,
    ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
  })
  const { value } = /** @type {{ value: unknown }} */ (await response.json())
  if (response.ok) return value
  const { error, message } = /** @type {{ error: string, message: string }} */ (value)
  throw new WebDriverError(error, message)
}

/** One WebDriver session. */
export class Session {
  /** @type {string} */
  #root

  /**
   * @param {string} base
   * @param {string} id
   */
  constructor(base, id) {
    this.#root = `${base}/session/${id}`
  }

  /**
   * @param {string} base address of the driver
   * @param {Record<string, unknown>} capabilities that the browser must have
   */
  static async start(base, capabilities) {
    const value = await command(base, 'POST', '/session', {
      capabilities: { alwaysMatch: capabilities },
    })
    const { sessionId } = /** @type {{ sessionId: string }} */ (value)
    return new Session(base, sessionId)
  }

  /** @param {string} url */
  async navigate(url) {
    await command(this.#root, 'POST', '/url', { url })
  }

  /**
   * Runs the body of a function that calls its last argument with the result.
   *
   * @param {string} script
   */
  execute(script) {
    return command(this.#root, 'POST', '/execute/async', { script, args: [] })
  }

  /** @param {string} selector */
  async #element(selector) {
    const value = await command(this.#root, 'POST', '/element', {
      using: 'css selector',
      value: selector,
    })
    const id = /** @type {Record<string, string>} */ (value)[elementKey]
    return `/element/${id}`
  }

  /** @param {string} selector */
  async click(selector) {
    await command(this.#root, 'POST', `${await this.#element(selector)}/click`)
  }

  /**
   * @param {string} selector
   * @param {string} text
   */
  async type(selector, text) {
    const element = await this.#element(selector)
    await command(this.#root, 'POST', `${element}/clear`)
    if (text !== '') await command(this.#root, 'POST', `${element}/value`, { text })
  }

  /** @param {readonly string[]} keys */
  async press(keys) {
    const actions = keys.flatMap((key) => {
      const value = keyCodes[key] ?? key
      return [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]
    })
    await command(this.#root, 'POST', '/actions', {
      actions: [{ type: 'key', id: 'keyboard', actions }],
    })
  }

  /** @returns {Promise<Uint8Array>} a PNG of the viewport */
  async screenshot() {
    return Buffer.from(String(await command(this.#root, 'GET', '/screenshot')), 'base64')
  }

  /**
   * @param {number} width of the window, in CSS pixels
   * @param {number} height
   */
  async setWindow(width, height) {
    await command(this.#root, 'POST', '/window/rect', { width, height })
  }

  async end() {
    await command(this.#root, 'DELETE', '')
  }
}
