// A browser window of Firefox or WebKit, with the few functions that the tests need. Playwright only drives its own
// builds of these engines, so each engine is driven by its own automation protocol.

export interface EnginePage {
  engine: 'Firefox' | 'WebKit'
  goto: (url: string) => Promise<void>
  /** Runs a function in the page. The function is sent as source text, so it can use only its arguments and globals. */
  evaluate: <Args extends unknown[], Result>(
    run: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ) => Promise<Result>
  /** Clicks as a user does, at a point of the viewport in CSS pixels. */
  clickAt: (x: number, y: number) => Promise<void>
  /** Types as a user does, into the focused element. */
  type: (text: string) => Promise<void>
  /** Resizes the window. WebKit's has a minimum width. */
  resize: (width: number, height: number) => Promise<void>
  /** Returns a PNG of the viewport. */
  screenshot: () => Promise<Buffer>
  close: () => Promise<void>
}

export interface LaunchOptions {
  /** Address of the sound server that plays the browser's sound, for PULSE_SERVER. */
  soundServer: string
}

/** Returns the source of a function that calls `run`. It takes the arguments as JSON and returns the result as JSON. */
export function toScript(run: (...args: never[]) => unknown): string {
  return `async (text) => JSON.stringify((await (${String(run)})(...JSON.parse(text))) ?? null)`
}
