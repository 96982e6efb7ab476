// A browser window of Firefox or WebKit, reduced to what the tests need. Playwright drives only its own builds of these
// engines, so each one is driven by its native automation protocol.

export interface EnginePage {
  engine: 'Firefox' | 'WebKit'
  goto: (url: string) => Promise<void>
  /** Runs a function in the page. It is sent as text, so it may use only its arguments and globals. */
  evaluate: <Args extends unknown[], Result>(
    run: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ) => Promise<Result>
  /** A trusted click, in CSS pixels of the viewport. */
  clickAt: (x: number, y: number) => Promise<void>
  /** Types trusted keys into the focused element. */
  type: (text: string) => Promise<void>
  /** Sets the size of the window. An engine may have a minimum width. */
  resize: (width: number, height: number) => Promise<void>
  /** A PNG of the viewport. */
  screenshot: () => Promise<Buffer>
  close: () => Promise<void>
}

export interface LaunchOptions {
  /** Value of PULSE_SERVER: where the sound goes. */
  soundServer: string
}

/** Returns the source of a function that takes its arguments as JSON and returns its result as JSON. */
export function toScript(run: (...args: never[]) => unknown): string {
  return `async (text) => JSON.stringify((await (${String(run)})(...JSON.parse(text))) ?? null)`
}
