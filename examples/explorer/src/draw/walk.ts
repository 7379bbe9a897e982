/** The arrow keys, from one drawn step to the next, and to its bytes. */

const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/**
 * Lets the arrows go from step to step, as Tab does, and choose on the way; to the right lie the
 * bytes of the chosen step, and Escape leads back.
 */
export function walkByArrows(chain: HTMLElement, detail: HTMLElement): void {
  detail.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    chain.querySelector<HTMLElement>('.reason[aria-pressed=true]')?.focus()
  })
  chain.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const isStep = event.target instanceof HTMLElement && event.target.matches('.reason')
    if (event.key === 'ArrowRight' && isStep) {
      event.preventDefault()
      event.target.click()
      detail.querySelector<HTMLElement>('.hex')?.focus()
      return
    }
    const move = MOVES[event.key]
    if (move === undefined) return
    const steps = [...chain.querySelectorAll<HTMLButtonElement>('button.reason')].filter((step) =>
      step.checkVisibility(),
    )
    const at = event.target instanceof HTMLButtonElement ? steps.indexOf(event.target) : -1
    const next = at < 0 ? undefined : steps[move(at, steps.length)]
    if (next === undefined) return
    event.preventDefault()
    next.focus()
    next.click()
  })
}
