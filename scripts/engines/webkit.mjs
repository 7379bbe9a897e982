// @ts-check
// WebKit: MiniBrowser of WebKitGTK, driven by WebKitWebDriver, on a virtual display.
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Builder, By, Key } from 'selenium-webdriver'
import { captureScript } from './capture.mjs'
import { poll, textOf, waitForTruthy, writeImage } from './page.mjs'
import { startGroup, temporaryHome } from './process.mjs'

/** @import { Readable } from 'node:stream' */
/** @import { ConsoleEntry, Engine, FoundEngine, LaunchOptions } from './types.ts' */

/**
 * MiniBrowser's tool bar is wider than a phone; without this, GTK would refuse a window of 390 px.
 */
const gtkStyle = `* { min-width: 0; min-height: 0; margin: 0; padding: 0; border-width: 0; font-size: 1px;
  -gtk-icon-transform: scale(0.01) }`

/**
 * Starts an X server on a display number that it chooses.
 *
 * @param {string} program
 */
async function startDisplay(program) {
  const args = ['-displayfd', '3', '-screen', '0', '2000x2600x24', '-nolisten', 'tcp', '-noreset']
  const group = startGroup(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const output = /** @type {Readable} */ (group.child.stdio[3])
  /** @type {Promise<string>} */
  const announced = new Promise((resolve) => {
    let text = ''
    output.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(text.trim())
    })
  })
  const display = await Promise.race([announced, group.exited.then(() => undefined)])
  if (display === undefined) throw new Error('Xvfb ended before it had a display')
  return { ...group, display: `:${display}` }
}

/**
 * The loopback port at which a process listens. The driver takes port 0 but does not say which port
 * it got, so the kernel is asked; WebKitGTK exists on Linux only, hence so does /proc.
 *
 * @param {number} pid
 */
function listeningPort(pid) {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).map((descriptor) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1]
      } catch {
        return undefined
      }
    }),
  )
  const listening = '0A'
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
    if (state === listening && sockets.has(inode)) {
      return Number.parseInt(local?.split(':')[1] ?? '', 16)
    }
  }
  return undefined
}

/**
 * @param {string} program
 * @param {NodeJS.ProcessEnv} env
 */
async function startDriver(program, env) {
  const group = startGroup(program, ['--port=0', '--host=127.0.0.1'], { env, stdio: 'ignore' })
  let ended = false
  group.exited.then(() => {
    ended = true
  })
  const port = await poll(
    async () => {
      if (ended || group.child.pid === undefined) throw new Error('WebKitWebDriver ended at once')
      return listeningPort(group.child.pid)
    },
    async () => 'WebKitWebDriver never listened',
  )
  return { ...group, base: `http://127.0.0.1:${port}` }
}

/**
 * @param {FoundEngine} found
 * @param {Required<LaunchOptions>} options
 * @returns {Promise<Engine>}
 */
export async function launchWebKit(found, { colorScheme, viewport }) {
  const { browser = '', driver: driverProgram = '', display: displayProgram = '' } = found.binaries
  const home = temporaryHome('webkit')
  /** @type {(() => unknown)[]} */
  const cleanUp = [home.remove]
  const close = async () => {
    for (const step of cleanUp.splice(0).reverse()) await step()
  }
  try {
    mkdirSync(join(home.path, 'config', 'gtk-3.0'), { recursive: true })
    writeFileSync(join(home.path, 'config', 'gtk-3.0', 'gtk.css'), gtkStyle)
    const display = await startDisplay(displayProgram)
    cleanUp.push(display.stop)
    const driver = await startDriver(driverProgram, {
      ...home.environment,
      DISPLAY: display.display,
      GDK_BACKEND: 'x11',
      // No accessibility bus and no graphics card on a virtual display.
      NO_AT_BRIDGE: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
      // Accelerated compositing without a graphics card took two thirds of a page's time.
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    })
    cleanUp.push(driver.stop)
    const args = ['--automation', ...(colorScheme === 'dark' ? ['--dark-mode'] : [])]
    const session = await new Builder()
      .disableEnvironmentOverrides()
      .usingServer(driver.base)
      .withCapabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: browser, args },
      })
      .build()
    cleanUp.push(() => session.quit())
    const engine = engineOf(session, close)
    await engine.setViewport(viewport.width, viewport.height)
    return engine
  } catch (error) {
    await close()
    throw new Error('webkit: could not be started', { cause: error })
  }
}

/**
 * A key of {@link Engine.press} as WebDriver writes it.
 *
 * @param {string} key
 */
function codeOf(key) {
  /** @type {Record<string, string>} */
  const codes = {
    ArrowDown: Key.ARROW_DOWN,
    ArrowLeft: Key.ARROW_LEFT,
    ArrowRight: Key.ARROW_RIGHT,
    ArrowUp: Key.ARROW_UP,
    Backspace: Key.BACK_SPACE,
    End: Key.END,
    Enter: Key.ENTER,
    Escape: Key.ESCAPE,
    Home: Key.HOME,
    Space: Key.SPACE,
    Tab: Key.TAB,
  }
  return codes[key] ?? key
}

/**
 * @param {import('selenium-webdriver').WebDriver} session
 * @param {() => Promise<void>} close
 * @returns {Engine}
 */
function engineOf(session, close) {
  const name = 'webkit'
  /** @param {string} expression */
  const evaluate = async (expression) => {
    const outcome = /** @type {{ value?: unknown, error?: string }} */ (
      await session.executeAsyncScript(`const done = arguments[arguments.length - 1];
        (async () => (${expression}))().then(
          (value) => done({ value }),
          (error) => done({ error: String(error) }))`)
    )
    if (outcome.error !== undefined) throw new Error(`webkit: ${outcome.error}`)
    return outcome.value ?? undefined
  }
  const resize = (/** @type {number} */ width, /** @type {number} */ height) =>
    session.manage().window().setRect({ width, height })
  const click = (/** @type {string} */ selector) => session.findElement(By.css(selector)).click()
  return {
    name,
    async open(url) {
      // Under load the driver returns while the page's scripts still run, or even while the page
      // before is there, which was complete. A fragment alone keeps the page.
      await evaluate(`(() => {
        const [from, to] = [location.href, ${JSON.stringify(url)}].map((of) => of.split('#'))
        window.__engineLeaves = from[0] !== to[0] || to.length === 1
      })()`)
      await session.get(url)
      const isThere = "document.readyState === 'complete' && window.__engineLeaves !== true"
      await waitForTruthy(name, evaluate, isThere)
      // Pages that our server did not prepare, such as file: ones, are recorded from here on.
      await evaluate(`(${captureScript.trim().replace(/\(\)$/, '')})()`)
    },
    evaluate,
    waitFor: (expression) => waitForTruthy(name, evaluate, expression),
    click,
    async type(selector, text) {
      const element = await session.findElement(By.css(selector))
      await element.clear()
      if (text !== '') await element.sendKeys(text)
    },
    choose: (selector, value) => click(`${selector} option[value=${JSON.stringify(value)}]`),
    press: (...keys) =>
      session
        .actions()
        .sendKeys(...keys.map(codeOf))
        .perform(),
    text: (selector) => textOf(name, evaluate, selector),
    async screenshot(path) {
      await evaluate(
        'new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(() => r(0))))',
      )
      await writeImage(path, Buffer.from(await session.takeScreenshot(), 'base64'))
    },
    async console() {
      return /** @type {ConsoleEntry[]} */ (await evaluate('window.__engineConsole ?? []'))
    },
    async setViewport(width, height) {
      await resize(width, height)
      let before = ''
      await poll(
        async () => {
          const sizes = await evaluate('[innerWidth, innerHeight, outerWidth, outerHeight]')
          const [inner, down, outer, high] = /** @type {[number, number, number, number]} */ (sizes)
          if (inner === width && down === height) return true
          // The window has a tool bar, a pixel or so high; what is left is the viewport. Sizes
          // follow a request late and not all at once, so a correction is made from settled ones
          // only.
          const settled = String(sizes) === before
          before = settled ? '' : String(sizes)
          if (settled) await resize(width + outer - inner, height + high - down)
          return undefined
        },
        async () => `webkit: no viewport of ${width} by ${height}, but ${before}`,
      )
    },
    close,
  }
}
