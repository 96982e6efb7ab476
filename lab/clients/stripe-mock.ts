// Vitest's global setup: starts stripe-mock. The tests' fake Stripe sends it every request.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export default async function setUp() {
  const program = process.env['STRIPE_MOCK']
  if (program === undefined) {
    throw new Error('Start these tests with `npm run test:clients`, which builds stripe-mock.')
  }
  const anyPort = '127.0.0.1:0'
  // It also listens with TLS, at a fixed port unless one is given.
  const child = spawn(program, ['-http-addr', anyPort, '-https-addr', anyPort], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  process.env['STRIPE_MOCK_URL'] = await addressOf(child.stdout)
  child.stdout.resume()
  return async () => {
    child.kill()
    await ended
  }
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: output })
  for await (const line of lines) {
    const address = line.match(/127\.0\.0\.1:\d+/)?.[0]
    if (address) return `http://${address}`
  }
  throw new Error('stripe-mock ended before it listened.')
}
