// @ts-check

/**
 * Script that records the page's console messages and uncaught errors in `window.__engineConsole`.
 * WebKit's driver has no console events, so the page keeps them; it runs first in the page, and a
 * second run changes nothing.
 */
export const captureScript = `(() => {
  if (window.__engineConsole) return
  const entries = window.__engineConsole = []
  const show = (value) => {
    if (value instanceof Error) return String(value.stack && value.stack.includes(value.message) ? value.stack : value)
    if (typeof value !== 'object' || value === null) return String(value)
    try { return JSON.stringify(value) } catch { return String(value) }
  }
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) {
    const original = console[level]
    console[level] = (...values) => {
      entries.push({ level, text: values.map(show).join(' ') })
      original.apply(console, values)
    }
  }
  addEventListener('error', (event) => {
    const source = event.target && event.target !== window ? event.target.src || event.target.href : undefined
    const text = source ? 'failed to load ' + source : 'uncaught ' + show(event.error || event.message)
    entries.push({ level: 'error', text })
  }, true)
  addEventListener('unhandledrejection', (event) => {
    entries.push({ level: 'error', text: 'unhandled rejection ' + show(event.reason) })
  })
})()
`
