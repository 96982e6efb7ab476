// One browser window of another engine than Chromium, reduced to what the journeys need. Playwright drives its own
// builds of Firefox and WebKit only, so each engine is driven here by the protocol that it speaks itself.

export interface EnginePage {
  engine: 'Firefox' | 'WebKit'
  goto: (url: string) => Promise<void>
  /** Runs a function in the page. It is sent as text: it may use its arguments and globals, nothing else. */
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

/** The function as an expression that takes its arguments as JSON and gives its result as JSON. */
export function asScript(run: (...args: never[]) => unknown): string {
  return `async (text) => JSON.stringify((await (${String(run)})(...JSON.parse(text))) ?? null)`
}
