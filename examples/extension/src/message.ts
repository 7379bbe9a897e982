/** What the popup and the service worker tell each other: plain JSON. */

/** Asks for the balance of an account. */
export interface Question {
  readonly address: string
}

/**
 * A proven balance, or why there is none. `error`: the address is malformed, or nothing can be
 * checked.
 */
export type Answer =
  | {
      readonly status: 'present' | 'absent'
      /** In decimal: messages carry no bigints. */
      readonly wei: string
      readonly block: string
      readonly ageSeconds: number | null
      readonly servedBy: string
      /** Who served the signed headers; `store` if this browser kept them. */
      readonly headersFrom: readonly string[]
    }
  | {
      readonly status: 'invalid' | 'unavailable' | 'error'
      readonly code: string
      readonly message: string
    }

type Listener = (question: Question, sender: unknown, reply: (answer: Answer) => void) => boolean

declare global {
  /** The part of the browser's API that this extension uses. */
  const chrome: {
    readonly runtime: {
      readonly onMessage: { addListener(listener: Listener): void }
      sendMessage(question: Question): Promise<Answer>
    }
  }
}
