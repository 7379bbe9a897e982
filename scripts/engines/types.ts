/** The browser engines that Lightproof is tested in. */
export type EngineName = 'chromium' | 'firefox' | 'webkit'

/** An engine whose binaries are all on this machine. */
export interface FoundEngine {
  readonly status: 'found'
  readonly engine: EngineName
  /** Absolute path of each binary by its role, such as `browser` or `driver`. */
  readonly binaries: Readonly<Record<string, string>>
}

/** An engine that cannot be started here, and what to install for it. */
export interface MissingEngine {
  readonly status: 'missing'
  readonly engine: EngineName
  /** Debian packages that hold what is missing. */
  readonly packages: readonly string[]
  /** One line for a person: what is missing and how to get it. */
  readonly message: string
}

/** What {@link Engine.console} reports: a message of the page, or an error that nothing caught. */
export interface ConsoleEntry {
  readonly level: 'log' | 'info' | 'warn' | 'error' | 'debug'
  readonly text: string
}

export interface LaunchOptions {
  /** What `prefers-color-scheme` says; `light` when left out. */
  readonly colorScheme?: 'light' | 'dark'
  /** Size of the viewport in CSS pixels; 1280 × 900 when left out. */
  readonly viewport?: { readonly width: number; readonly height: number }
  /**
   * Use a browser that this process already runs, with a profile of its own; it ends with the
   * process. WebKit, which starts fast, is started anew all the same.
   */
  readonly isShared?: boolean
}

/** One page in one headless engine. Every method rejects with an `Error` that names the engine. */
export interface Engine {
  readonly name: EngineName
  /**
   * Navigates and resolves when the page's `load` event has fired. Forgets earlier console entries.
   */
  open(url: string): Promise<void>
  /**
   * Evaluates a JavaScript expression in the page, awaits it if it is a promise, returns its JSON
   * value.
   */
  evaluate(expression: string): Promise<unknown>
  /**
   * Resolves when the expression is truthy; rejects, with the page's text, when it never becomes
   * so.
   */
  waitFor(expression: string): Promise<void>
  /** Clicks an element as a person would: it must be visible. */
  click(selector: string): Promise<void>
  /** Replaces the content of a field by typing. */
  type(selector: string, text: string): Promise<void>
  /** Chooses the option with a value, whose events the page hears. */
  choose(selector: string, value: string): Promise<void>
  /**
   * Presses keys one after the other, wherever the focus is: `Tab`, `Enter`, `ArrowDown`, `Space`,
   * or one character.
   */
  press(...keys: readonly string[]): Promise<void>
  /** The rendered text of the first element that matches. */
  text(selector: string): Promise<string>
  /** Writes what the viewport shows as a PNG file, creating folders. */
  screenshot(path: string): Promise<void>
  /** Console messages and uncaught errors since {@link Engine.open}. */
  console(): Promise<ConsoleEntry[]>
  setViewport(width: number, height: number): Promise<void>
  /** Removes the profile, and ends the engine's processes unless they are shared. */
  close(): Promise<void>
}
