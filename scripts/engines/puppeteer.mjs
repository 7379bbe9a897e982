// @ts-check
// Chromium over the DevTools protocol and Firefox over WebDriver BiDi, both through puppeteer-core.
import puppeteer from 'puppeteer-core'
import { textOf, waitForTruthy, writeImage } from './page.mjs'
import { signalGroup, temporaryHome } from './process.mjs'

/** @import { LaunchOptions as PuppeteerOptions, Browser, KeyInput, Page } from 'puppeteer-core' */
/** @import { ConsoleEntry, Engine, FoundEngine, LaunchOptions } from './types.ts' */

/** Root has no sandbox in a container, and nothing here may talk to a vendor's servers. */
const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--force-color-profile=srgb',
]

/** @type {Record<string, ConsoleEntry['level']>} */
const levels = { error: 'error', warn: 'warn', warning: 'warn', info: 'info', debug: 'debug' }

/**
 * @param {FoundEngine} found
 * @param {string} home
 * @param {NonNullable<LaunchOptions['colorScheme']>} colorScheme
 * @returns {PuppeteerOptions}
 */
function optionsFor(found, home, colorScheme) {
  const executablePath = found.binaries['browser'] ?? ''
  if (found.engine === 'chromium') {
    return { browser: 'chrome', executablePath, args: chromiumArgs, userDataDir: `${home}/profile` }
  }
  return {
    browser: 'firefox',
    executablePath,
    extraPrefsFirefox: {
      // 0 is dark, 1 is light.
      'layout.css.prefers-color-scheme.content-override': colorScheme === 'dark' ? 0 : 1,
    },
  }
}

/**
 * @param {Page} page
 * @param {ConsoleEntry[]} entries
 */
function record(page, entries) {
  page.on('console', (message) => {
    const place = message.location().url
    const text = place === undefined ? message.text() : `${message.text()} (${place})`
    entries.push({ level: levels[message.type()] ?? 'log', text })
  })
  page.on('pageerror', (error) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    entries.push({ level: 'error', text: `uncaught ${text}` })
  })
}

/** @typedef {{ browser: Browser, end: () => Promise<void>, kill: () => void, remove: () => void }} Running */

/**
 * @param {FoundEngine} found
 * @param {Required<LaunchOptions>} options
 * @returns {Promise<Running>}
 */
async function start(found, { colorScheme, isShared }) {
  const home = temporaryHome(found.engine)
  try {
    const browser = await puppeteer.launch({
      ...optionsFor(found, home.path, colorScheme),
      env: home.environment,
      headless: true,
      defaultViewport: null,
      handleSIGTERM: !isShared,
    })
    const end = async () => {
      await browser.close()
      home.remove()
    }
    const kill = () => {
      const child = browser.process()
      if (child !== null) signalGroup(child, 'SIGKILL')
    }
    return { browser, end, kill, remove: home.remove }
  } catch (error) {
    home.remove()
    throw error
  }
}

/**
 * Browsers that suites of this process share.
 *
 * @type {Map<string, Running>}
 */
const shared = new Map()

function killShared() {
  for (const { kill } of shared.values()) kill()
  // To remove profiles takes longer than the process may have left.
  for (const { remove } of shared.values()) remove()
}

/**
 * @param {FoundEngine} found
 * @param {Required<LaunchOptions>} options
 */
async function startShared(found, options) {
  const key = `${found.engine} ${options.colorScheme}`
  const known = shared.get(key)
  if (known?.browser.connected) return known
  const running = await start(found, options)
  if (shared.size === 0) {
    process.once('exit', killShared)
    // A test runner ends its processes so, and leaves them less time than a browser takes to close.
    process.once('SIGTERM', () => {
      killShared()
      process.kill(process.pid, 'SIGTERM')
    })
  }
  shared.set(key, running)
  return running
}

/**
 * @param {FoundEngine} found
 * @param {Required<LaunchOptions>} options
 * @returns {Promise<Engine>}
 */
export async function launchPuppeteer(found, options) {
  const { colorScheme, viewport, isShared } = options
  /** @type {(() => Promise<void>) | undefined} */
  let close
  try {
    const { browser, end } = await (isShared ? startShared : start)(found, options)
    close = end
    // A profile of its own is another context; what is measured has a browser's usual one.
    const context = isShared
      ? await browser.createBrowserContext()
      : browser.defaultBrowserContext()
    if (isShared) close = () => context.close()
    const page = await context.newPage()
    await page.setViewport({ ...viewport })
    if (found.engine === 'chromium') {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: colorScheme }])
    }
    return engineOf(found.engine, page, close)
  } catch (error) {
    await close?.()
    throw new Error(`${found.engine}: could not be started`, { cause: error })
  }
}

/**
 * @param {FoundEngine['engine']} name
 * @param {Page} page
 * @param {() => Promise<void>} close
 * @returns {Engine}
 */
function engineOf(name, page, close) {
  /** @type {ConsoleEntry[]} */
  const entries = []
  record(page, entries)
  /** @param {string} expression */
  const evaluate = (expression) => page.evaluate(`(async () => (${expression}))()`)
  return {
    name,
    async open(url) {
      // What the page before still says is said by then.
      await page.goto('about:blank')
      entries.length = 0
      await page.goto(url, { waitUntil: 'load' })
    },
    evaluate,
    waitFor: (expression) => waitForTruthy(name, evaluate, expression),
    click: (selector) => page.click(selector),
    async type(selector, text) {
      await page.focus(selector)
      await evaluate(`document.querySelector(${JSON.stringify(selector)}).select()`)
      await page.keyboard.press('Backspace')
      await page.keyboard.type(text)
    },
    async choose(selector, value) {
      await page.select(selector, value)
    },
    async press(...keys) {
      for (const key of keys) {
        await page.keyboard.press(/** @type {KeyInput} */ (key === 'Space' ? ' ' : key))
      }
    },
    text: (selector) => textOf(name, evaluate, selector),
    async screenshot(path) {
      await writeImage(path, await page.screenshot())
    },
    async console() {
      // A round trip: everything that the page had said before it has been delivered after it.
      await evaluate('0')
      return [...entries]
    },
    setViewport: (width, height) => page.setViewport({ width, height }),
    close,
  }
}
