// MiniBrowser, the browser of WebKitGTK, on a virtual display. Driven by WebDriver over HTTP
// (https://www.w3.org/TR/webdriver2/).
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '../harness/service.ts'
import { toScript, type EnginePage, type LaunchOptions } from './engine-page.ts'

const startTimeoutMs = 60_000
const scriptTimeoutMs = 60_000

export async function launchWebkit({ soundServer }: LaunchOptions): Promise<EnginePage> {
  const home = await mkdtemp(join(tmpdir(), 'velour-webkit-'))
  const display = await startDisplay()
  const port = await freePort()
  const driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    env: { ...process.env, HOME: home, DISPLAY: display.name, PULSE_SERVER: soundServer },
    stdio: 'ignore',
  })
  const server = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${server}/status`).then(
      ({ ok }) => ok,
      () => false,
    )
  await waitUntil(isReady, startTimeoutMs, 'the WebKit driver')
  const { sessionId } = await request<{ sessionId: string }>(`${server}/session`, 'POST', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': { binary: await findMiniBrowser(), args: ['--automation'] },
      },
    },
  })
  const session = `${server}/session/${sessionId}`
  await request(`${session}/timeouts`, 'POST', { script: scriptTimeoutMs })
  return {
    engine: 'WebKit',
    ...pageOf(session),
    async close() {
      await request(session, 'DELETE')
      await end(driver)
      await end(display.program)
      await rm(home, { recursive: true, force: true })
    },
  }
}

function pageOf(session: string): Omit<EnginePage, 'engine' | 'close'> {
  const post = <Result>(command: string, body: object) =>
    request<Result>(`${session}/${command}`, 'POST', body)
  return {
    async goto(url) {
      await post('url', { url })
    },
    async evaluate(run, ...args) {
      const script = `
        const done = arguments[1]
        ;(${toScript(run)})(arguments[0]).then(
          (value) => done({ value }),
          (error) => done({ error: String(error) }),
        )`
      const { value, error } = await post<{ value: string; error?: string }>('execute/async', {
        script,
        args: [JSON.stringify(args)],
      })
      if (error !== undefined) throw new Error(error)
      return JSON.parse(value) as never
    },
    async clickAt(x, y) {
      const at = { x: Math.round(x), y: Math.round(y), origin: 'viewport', duration: 0 }
      await post('actions', {
        actions: [
          {
            type: 'pointer',
            id: 'mouse',
            parameters: { pointerType: 'mouse' },
            actions: [
              { type: 'pointerMove', ...at },
              { type: 'pointerDown', button: 0 },
              { type: 'pointerUp', button: 0 },
            ],
          },
        ],
      })
    },
    async type(text) {
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await post('actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
    },
    async resize(width, height) {
      await post('window/rect', { width, height })
    },
    async screenshot() {
      return Buffer.from(await request<string>(`${session}/screenshot`, 'GET'), 'base64')
    },
  }
}

async function request<Result>(url: string, method: string, body?: object): Promise<Result> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
  const { value } = (await response.json()) as { value: Result & { message?: string } }
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname}: ${value.message}`)
  return value
}

/** Finds the program. Debian installs it in a folder whose name contains the version of the library. */
async function findMiniBrowser(): Promise<string> {
  const libraries = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`
  const folders = (await readdir(libraries)).filter((name) => /^webkit2?gtk-/.test(name))
  for (const folder of folders.toSorted().toReversed()) {
    const names = await readdir(join(libraries, folder))
    if (names.includes('MiniBrowser')) return join(libraries, folder, 'MiniBrowser')
  }
  throw new Error(`No MiniBrowser below ${libraries}: install webkit2gtk-driver.`)
}

async function startDisplay(): Promise<{ name: string; program: ChildProcess }> {
  const program = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  )
  const [number] = (await once(program.stdio[3]!, 'data')) as [Buffer]
  return { name: `:${String(number).trim()}`, program }
}

async function end(program: ChildProcess): Promise<void> {
  const ended = once(program, 'exit')
  program.kill()
  await ended
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
