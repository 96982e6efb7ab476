// Sends traces to an OpenTelemetry collector, if one is configured. Finished spans are buffered for a few seconds and
// sent as OTLP/HTTP JSON (OTLP 1.0). While the collector is unreachable, spans are dropped and nothing else fails.
import { randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { TracerOptions } from '../config/config.ts'

export interface SpanContext {
  /** 32 hexadecimal digits. */
  traceId: string
  /** 16 hexadecimal digits. Null for the first span of a trace. */
  parentSpanId: string | null
}

export interface FinishedSpan {
  name: string
  kind: 'server' | 'consumer'
  durationMs: number
  isError: boolean
  attributes: Record<string, string | number>
  /** The trace and the parent of the span. Undefined to start a new trace. */
  context?: SpanContext
}

export interface Tracer {
  /** Adds a finished span. */
  record: (span: FinishedSpan) => void
  /** Sends the buffered spans now. */
  flush: () => Promise<void>
  stop: () => Promise<void>
}

// Numbers of SpanKind and StatusCode in the protocol (OTLP).
const kinds = { server: 2, consumer: 5 } as const
const errorStatus = 2
const flushMs = 5000
const sendMs = 5000
/** Maximum number of buffered spans. Further ones are dropped. */
const maxWaiting = 4096

export function createTracer(options: TracerOptions, log: FastifyBaseLogger): Tracer {
  let waiting: object[] = []
  let isHeard = true

  async function flush(): Promise<void> {
    if (waiting.length === 0) return
    const spans = waiting
    waiting = []
    try {
      await send(options, spans)
      isHeard = true
    } catch (error) {
      if (isHeard) log.warn({ err: error }, 'the trace collector does not accept spans')
      isHeard = false
    }
  }

  const timer = setInterval(() => void flush(), flushMs)
  timer.unref()
  return {
    record(span) {
      if (waiting.length < maxWaiting) waiting.push(encodeSpan(span, Date.now()))
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

async function send({ endpoint, headers, serviceName }: TracerOptions, spans: object[]) {
  const resource = { attributes: encodeAttributes({ 'service.name': serviceName }) }
  const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'velour' }, spans }] }] }
  const response = await fetch(`${endpoint.replace(/\/$/, '')}/v1/traces`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(sendMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The collector returned ${response.status}`)
}

function encodeSpan(span: FinishedSpan, endedAtMs: number): object {
  const { traceId, parentSpanId } = span.context ?? {
    traceId: randomBytes(16).toString('hex'),
    parentSpanId: null,
  }
  return {
    traceId,
    spanId: randomBytes(8).toString('hex'),
    ...(parentSpanId && { parentSpanId }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanoseconds(endedAtMs - span.durationMs),
    endTimeUnixNano: nanoseconds(endedAtMs),
    attributes: encodeAttributes(span.attributes),
    status: span.isError ? { code: errorStatus } : {},
  }
}

/** In the JSON of the protocol, 64-bit numbers are strings. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`
}

function encodeAttributes(attributes: Record<string, string | number>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }))
}

/**
 * Parses the caller's trace context (W3C Trace Context §3.2). Returns null if there is none, and `unsampled` if the
 * request must not be recorded.
 */
export function readTraceparent(header: string | undefined): SpanContext | 'unsampled' | null {
  const found = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/.exec(header ?? '')
  const [, traceId, parentSpanId, flags] = found ?? []
  if (!traceId || !parentSpanId || !flags) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(parentSpanId)) return null
  return Number.parseInt(flags, 16) & 1 ? { traceId, parentSpanId } : 'unsampled'
}
