/** How a page looks: whether it fits and is legible, and pictures of it. */

import { expect } from 'vitest'
import type { Engine } from '../../../scripts/engines/types.ts'
import { screenshotPath } from './build.ts'

/**
 * An expression for the page: every visible text of less contrast than WCAG AA asks for (4.5, or 3
 * for large text), with its ratio.
 */
export const poorContrast = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const background = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const color = rgba(getComputedStyle(e).backgroundColor)
      if (color[3] === 255) return color.slice(0, 3)
    }
    return [255, 255, 255]
  }
  const poor = []
  for (const element of document.body.querySelectorAll('*')) {
    const text = [...element.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()).join('')
    if (text === '' || !element.checkVisibility() || element.closest('option, script, style')) continue
    const style = getComputedStyle(element)
    const [a, b] = [rgba(style.color).slice(0, 3), background(element)].map(luminance).sort((x, y) => y - x)
    const ratio = (a + 0.05) / (b + 0.05)
    const size = parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    if (ratio < (isLarge ? 3 : 4.5)) poor.push(text.slice(0, 40) + ': ' + ratio.toFixed(2))
  }
  return poor
})()`

/** Expects that nothing is wider than a window of each width, in CSS pixels, and all is legible. */
export async function expectPresentable(
  engine: Engine,
  widths: readonly number[],
  example: string,
  name: string,
): Promise<void> {
  for (const width of widths) {
    await engine.setViewport(width, 900)
    await expectFits(engine)
    await takePicture(engine, example, `${name}-${width}`, width)
  }
  expect(await engine.evaluate(poorContrast)).toEqual([])
}

/** Expects that nothing is wider than the window. */
export async function expectFits(engine: Engine): Promise<void> {
  const [overflow, width] = (await engine.evaluate(
    '[document.documentElement.scrollWidth - innerWidth, innerWidth]',
  )) as [number, number]
  expect(overflow, `overflow at ${width} px`).toBeLessThanOrEqual(0)
}

/**
 * Keeps a picture of the page for whoever works on it; CI takes none.
 *
 * @param width of a window that is made as high as the page, in CSS pixels
 */
export async function takePicture(
  engine: Engine,
  example: string,
  name: string,
  width?: number,
): Promise<void> {
  if (process.env['CI'] === 'true') return
  if (width !== undefined) {
    const height = Number(await engine.evaluate('document.documentElement.scrollHeight'))
    await engine.setViewport(width, Math.min(Math.max(height, 844), 4200))
  }
  await engine.screenshot(screenshotPath(example, name))
}
