// Checks of `npm run doctor` for the server's port, PUBLIC_URL including the proxies in front of it, and the clock.
import { isIP } from 'node:net'
import { sql } from 'kysely'
import { isLoopback, type Config } from '../../platform/config/config.ts'
import { refuseLockedFolder } from '../../platform/embedded-postgres/data-folder-lock.ts'
import { DatabaseStartError } from '../../platform/db/database-start-error.ts'
import { parseHostname } from '../../platform/http/refusals/local-request.ts'
import { checkPort } from '../../platform/start/start-checks.ts'
import { hasCode } from '../../platform/storage/disk-files.ts'
import { note, ok, problem, type CheckContext, type Finding } from './finding.ts'
import {
  readProbeResponse,
  probeAddress,
  probeHeader,
  sealProbe,
  type Arrival,
} from '../health/installation-probe.ts'

const requestTimeoutMs = 10_000

export async function checkListening(context: CheckContext): Promise<Finding> {
  const { config } = context
  const { host, port } = config
  try {
    // Set any database URL, so that only the port is checked and not the data folder.
    await checkPort({ ...config, databaseUrl: 'postgres:' })
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error
    const answer = await sendProbe(context, `http://${reachableHost(host)}:${port}`).catch(
      () => null,
    )
    if (!answer?.arrival) throw error
    context.isRunning = true
    return ok(`${host}:${port} is in use by this Velour, which is running`)
  }
  try {
    if (config.databaseUrl === null) refuseLockedFolder(config.dataDir)
  } catch (error) {
    if (!(error instanceof DatabaseStartError)) throw error
    return note(
      `${host}:${port} is free, but Velour is running elsewhere: ${error.message} Run this command with the settings of the service.`,
    )
  }
  return ok(`${host}:${port} is free: Velour is stopped`)
}

const reachableHost = (host: string) =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : isIP(host) === 6 ? `[${host}]` : host

interface Answer {
  status: number
  location: string | null
  /** How the request arrived at the server. Null if another server responded. */
  arrival: Arrival | null
}

async function sendProbe(
  { secretBox }: CheckContext,
  origin: string,
): Promise<Answer & { date: string | null }> {
  const asked = secretBox && sealProbe(secretBox)
  const response = await fetch(`${origin}/healthz`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(requestTimeoutMs),
    headers: {
      'x-forwarded-for': probeAddress,
      ...(asked && { [probeHeader]: asked.sealed }),
    },
  })
  await response.body?.cancel()
  return {
    status: response.status,
    location: response.headers.get('location'),
    date: response.headers.get('date'),
    arrival: asked
      ? readProbeResponse(secretBox, asked.nonce, response.headers.get(probeHeader))
      : null,
  }
}

export async function checkPublicUrl(context: CheckContext): Promise<Finding> {
  const { config, isRunning } = context
  const { publicUrl } = config
  const failed = (text: string) => {
    if (isRunning) return problem(`PUBLIC_URL=${publicUrl} ${text}`)
    return isLoopback(new URL(publicUrl).hostname)
      ? note(`${publicUrl} is not checked: Velour is stopped.`)
      : note(
          `PUBLIC_URL=${publicUrl} ${text} Velour is stopped here: run this again while it runs.`,
        )
  }
  const startedAtMs = Date.now()
  let answer: Awaited<ReturnType<typeof sendProbe>>
  try {
    answer = await sendProbe(context, publicUrl)
  } catch (error) {
    return failed(explainFetchError(error))
  }
  if (answer.date !== null) {
    const localMs = (startedAtMs + Date.now()) / 2
    context.publicTime = { date: new Date(answer.date), localMs }
  }
  if (answer.status >= 300 && answer.status < 400) {
    return failed(`redirects to ${answer.location}: set PUBLIC_URL to that address.`)
  }
  if (answer.status >= 500) {
    return failed(
      `returns status ${answer.status}: the proxy there does not reach Velour. Configure it to forward requests to this machine, port ${config.port}.`,
    )
  }
  if (!answer.arrival) {
    return failed(
      context.secretBox === null
        ? 'answers, but without a SECRET this command cannot check whether it is this installation.'
        : `leads to another service, or to a Velour with another SECRET or an older version (status ${answer.status}). Check DNS and the proxy.`,
    )
  }
  return checkArrival(config, answer.arrival)
}

function explainFetchError(error: unknown): string {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const message = cause instanceof Error ? cause.message : String(cause)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'has a host name that is not in DNS: add a record, or correct the name.'
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(code)) {
    return `has a certificate that browsers reject (${message}): renew it, or issue one for this host name.`
  }
  if (/SSL|EPROTO/.test(code))
    return `does not speak TLS (${code}): check the proxy, and whether the address needs http: or https:.`
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    return `did not answer within ${requestTimeoutMs / 1000} s: check the firewall and the proxy.`
  }
  return `does not answer (${message || code}): start the proxy there, and check the firewall and the port.`
}

/** Checks whether the proxies in front of the server forward the headers that it needs. */
function checkArrival({ publicUrl, trustProxy }: Config, arrival: Arrival): Finding {
  const { peer, sender, host, forwardedFor } = arrival
  const ownName = new URL(publicUrl).hostname
  const name = parseHostname(host)
  if (name !== ownName && !isLoopback(name) && isIP(name.replace(/^\[|\]$/g, '')) === 0) {
    return problem(
      `The proxy forwards the host "${host}" instead of ${ownName}, so Velour would refuse requests (421): ` +
        'configure it to forward the Host header (nginx: proxy_set_header Host $host).',
    )
  }
  // A proxy changes X-Forwarded-For. Without a proxy, the value that this command sends arrives unchanged.
  const isProxied = forwardedFor.split(',').at(-1)!.trim() !== probeAddress
  if (isProxied && trustProxy === false) {
    return problem(
      `Requests come through a proxy at ${peer}, so all clients share one address: set TRUST_PROXY=${peer}`,
    )
  }
  if (isProxied && sender === peer) {
    return problem(
      `TRUST_PROXY=${String(trustProxy)} does not include the proxy at ${peer}, so all clients share one address: add ${peer}.`,
    )
  }
  if (!isProxied && trustProxy !== false && sender === probeAddress) {
    return problem(
      `TRUST_PROXY is set, but nothing between here and Velour writes X-Forwarded-For, so clients can forge their ` +
        'address: configure the proxy to set it (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for).',
    )
  }
  const through = isProxied ? ` through the proxy at ${peer}` : ''
  if (!publicUrl.startsWith('https:') && !isLoopback(ownName)) {
    return note(
      `${publicUrl} leads to this installation${through}, unencrypted: put a proxy with TLS in front and set PUBLIC_URL to its https:// address.`,
    )
  }
  return ok(`${publicUrl} leads to this installation${through}`)
}

/** Maximum difference between the clocks. The Date header has a resolution of one second. */
const largestDriftMs = 5_000

export async function checkClock({ config, db, publicTime }: CheckContext): Promise<Finding> {
  const drifts: { what: string; ms: number }[] = []
  if (db && config.databaseUrl !== null) {
    const startedAtMs = Date.now()
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db.query)
    drifts.push({
      what: "the database's",
      ms: (startedAtMs + Date.now()) / 2 - Number(rows[0]!.ms),
    })
  }
  if (publicTime) {
    drifts.push({ what: 'that of PUBLIC_URL', ms: publicTime.localMs - publicTime.date.getTime() })
  }
  if (drifts.length === 0) {
    return config.databaseUrl === null
      ? ok('the embedded database uses the clock of this machine')
      : note('There was no other clock to compare with.')
  }
  const wrong = drifts.find(({ ms }) => Math.abs(ms) > largestDriftMs)
  if (!wrong) return ok(`agrees with ${drifts.map(({ what }) => what).join(' and ')}`)
  const seconds = Math.round(Math.abs(wrong.ms) / 1000)
  return problem(
    `This machine's clock is ${seconds} s ${wrong.ms > 0 ? 'ahead of' : 'behind'} ${wrong.what}, so links, codes and signed addresses ` +
      'can be refused: turn on time synchronisation on both (timedatectl set-ntp true).',
  )
}
