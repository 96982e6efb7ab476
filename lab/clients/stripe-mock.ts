// Global setup of Vitest: starts stripe-mock, Stripe's own mock. The fake Stripe of the tests passes every request on
// to it.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

let stop = async () => {}

export async function setup(): Promise<void> {
  const program = process.env['STRIPE_MOCK']
  if (program === undefined) {
    throw new Error('Start these tests with `npm run test:clients`, which builds stripe-mock.')
  }
  const anyPort = '127.0.0.1:0'
  // Also give a port for TLS. Otherwise stripe-mock would use a fixed one.
  const child = spawn(program, ['-verbose', '-http-addr', anyPort, '-https-addr', anyPort], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const requests = new Set<string>()
  process.env['STRIPE_MOCK_URL'] = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /HTTP at address: (127\.0\.0\.1:\d+)/.exec(line)?.[1]
      if (address) resolve(`http://${address}`)
      const request = /^Request: ([A-Z]+ \/v1\/[a-z_]+(?:\/(?:sessions|create_preview))?)/.exec(
        line,
      )?.[1]
      if (request) requests.add(request)
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error('stripe-mock ended before it listened.')))
  })
  stop = async () => {
    child.kill()
    await ended
    // Without any request nothing was checked, and every test would pass.
    if (requests.size === 0) throw new Error('No request reached stripe-mock.')
    console.log(`  stripe-mock has seen ${[...requests].toSorted().join(', ')}.`)
  }
}

export const teardown = (): Promise<void> => stop()
