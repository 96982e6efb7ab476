// The list in Browse for a signed-in member, compared with a bare node:http server that sends the same bytes. Sixteen
// connections send one request after another.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchWorld } from './world/bench-world.ts'
import { fetchBody } from './world/http-client.ts'
import { round, summarize } from '../harness/measure.ts'
import type { Finding } from './report.ts'

const connections = 16
const rounds = 7

export async function benchBrowse(world: BenchWorld): Promise<Finding[]> {
  const path = '/api/tracks'
  const bytes = await fetchBody(world.url + path, { cookie: world.member })
  const bare = fork(join(import.meta.dirname, 'peers', 'bare-http.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  bare.send(bytes.toString())
  const [{ port }] = (await once(bare, 'message')) as [{ port: number }]
  try {
    const head = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: ${world.member}\r\n\r\n`
    const sides = { ours: Number(new URL(world.url).port), peer: port }
    const perRequestMs: Record<'ours' | 'peer', number[]> = { ours: [], peer: [] }
    for (let i = 0; i <= rounds; i++) {
      for (const side of ['ours', 'peer'] as const) {
        const ms = await measureMsPerRequest(sides[side], head, world.budgetMs)
        // Don't count the first round, which warms up both servers.
        if (i > 0) perRequestMs[side].push(ms)
      }
    }
    const [ours, peer] = [summarize(perRequestMs.ours), summarize(perRequestMs.peer)]
    const ratio = round(peer.median_ms / ours.median_ms)
    world.print(
      `browse: ${Math.round(1000 / ours.median_ms)}/s, bare ${Math.round(1000 / peer.median_ms)}/s, ratio ${ratio}`,
    )
    return [
      {
        name: `list of 50, ${Math.round(bytes.length / 1024)} KB, ${connections} connections, per answer`,
        ours,
        peer,
        peer_is: 'bare node:http, the same bytes',
        goal: '≥ 0.5 × its rate',
        value: `${ratio} × its rate`,
        ok: ratio >= 0.5,
      },
    ]
  } finally {
    bare.disconnect()
  }
}

async function measureMsPerRequest(port: number, head: string, forMs: number) {
  const state = { count: 0, isOver: false }
  const clients = Array.from({ length: connections }, () => runClient(port, head, state))
  await sleep(forMs / 4)
  const [start, before] = [performance.now(), state.count]
  await sleep(forMs)
  const perRequest = (performance.now() - start) / (state.count - before)
  state.isOver = true
  await Promise.all(clients)
  return perRequest
}

/** Sends requests over a plain socket, because a real HTTP client would use more CPU than the servers. */
async function runClient(port: number, head: string, state: { count: number; isOver: boolean }) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let missing = -1
  socket.write(head)
  socket.on('data', (chunk) => {
    missing = missing < 0 ? missingAfterHead(chunk) : missing - chunk.length
    if (missing > 0) return
    missing = -1
    state.count++
    if (state.isOver) socket.end()
    else socket.write(head)
  })
  await once(socket, 'close')
}

function missingAfterHead(chunk: Buffer): number {
  const end = chunk.indexOf('\r\n\r\n') + 4
  const head = chunk.toString('latin1', 0, end)
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`Answered ${head.split('\r\n')[0]}`)
  return Number(/content-length: (\d+)/i.exec(head)![1]) - (chunk.length - end)
}
