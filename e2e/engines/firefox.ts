// Firefox, driven by WebDriver BiDi over a WebSocket (https://w3c.github.io/webdriver-bidi/).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toScript, type EnginePage, type LaunchOptions } from './engine-page.ts'

const startTimeoutMs = 60_000

export async function launchFirefox({ soundServer }: LaunchOptions): Promise<EnginePage> {
  const profile = await mkdtemp(join(tmpdir(), 'velour-firefox-'))
  await writeFile(
    join(profile, 'user.js'),
    [
      'user_pref("app.update.enabled", false);',
      'user_pref("datareporting.policy.dataSubmissionEnabled", false);',
      'user_pref("network.captive-portal-service.enabled", false);',
      'user_pref("network.connectivity-service.enabled", false);',
      'user_pref("browser.safebrowsing.update.enabled", false);',
      'user_pref("services.settings.server", "data:,");',
    ].join('\n'),
  )
  const program = spawn(
    'firefox-esr',
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    {
      env: { ...process.env, HOME: profile, PULSE_SERVER: soundServer },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const ended = once(program, 'exit')
  const connection = await connect(await readAddress(program.stderr))
  await connection.send('session.new', { capabilities: {} })
  const { contexts } = await connection.send<{ contexts: { context: string }[] }>(
    'browsingContext.getTree',
  )
  const context = contexts[0]!.context
  return {
    engine: 'Firefox',
    ...pageIn(connection, context),
    async close() {
      connection.close()
      program.kill()
      await ended
      await rm(profile, { recursive: true, force: true })
    },
  }
}

function pageIn({ send }: Connection, context: string): Omit<EnginePage, 'engine' | 'close'> {
  const perform = (actions: unknown[]) => send('input.performActions', { context, actions })
  return {
    async goto(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async evaluate(run, ...args) {
      const response = await send<ScriptResult>('script.callFunction', {
        functionDeclaration: toScript(run),
        arguments: [{ type: 'string', value: JSON.stringify(args) }],
        target: { context },
        awaitPromise: true,
      })
      if (response.type === 'exception') throw new Error(response.exceptionDetails.text)
      return JSON.parse(response.result.value) as never
    },
    async clickAt(x, y) {
      const at = { x: Math.round(x), y: Math.round(y) }
      await perform([
        {
          type: 'pointer',
          id: 'mouse',
          actions: [
            { type: 'pointerMove', ...at },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ],
        },
      ])
    },
    async type(text) {
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await perform([{ type: 'key', id: 'keyboard', actions }])
    },
    async resize(width, height) {
      await send('browsingContext.setViewport', { context, viewport: { width, height } })
    },
    async screenshot() {
      const { data } = await send<{ data: string }>('browsingContext.captureScreenshot', {
        context,
      })
      return Buffer.from(data, 'base64')
    },
  }
}

type ScriptResult =
  | { type: 'success'; result: { value: string } }
  | { type: 'exception'; exceptionDetails: { text: string } }

async function readAddress(output: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`Firefox did not start:\n${text}`)),
      startTimeoutMs,
    )
    output.on('data', (part: Buffer) => {
      text += String(part)
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(text)?.[1]
      if (!address) return
      clearTimeout(timer)
      resolve(address)
    })
  })
}

interface Connection {
  send: <Result>(method: string, params?: object) => Promise<Result>
  close: () => void
}

interface BidiResponse {
  id?: number
  result?: unknown
  error?: string
  message?: string
}

async function connect(address: string): Promise<Connection> {
  const socket = new WebSocket(`${address}/session`)
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`No connection to ${address}`)))
  })
  const pending = new Map<number, (response: BidiResponse) => void>()
  socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const response = JSON.parse(data) as BidiResponse
    if (response.id === undefined) return
    pending.get(response.id)?.(response)
    pending.delete(response.id)
  })
  let lastId = 0
  return {
    async send<Result>(method: string, params: object = {}) {
      const id = ++lastId
      const answered = new Promise<BidiResponse>((resolve) => pending.set(id, resolve))
      socket.send(JSON.stringify({ id, method, params }))
      const { error, message, result } = await answered
      if (error) throw new Error(`${method}: ${error}: ${message}`)
      return result as Result
    },
    close: () => socket.close(),
  }
}
