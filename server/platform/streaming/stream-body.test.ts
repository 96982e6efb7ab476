// Tests which bytes count as sent when the connection closes during a write.
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import { createBodySender } from './stream-body.ts'

const object = {
  byteSize: 1000,
  etag: '"1"',
  lastModified: new Date(0),
  minReadBytes: 1,
  read: async (target: Uint8Array) => target.length,
  close: async () => {},
}

/** Creates a response whose connection calls `onWrite` for each chunk. */
function createResponse(onWrite: (taken: (error?: Error) => void, close: () => void) => void) {
  const res = Object.assign(new EventEmitter(), {
    destroyed: false,
    headersSent: true,
    cork() {},
    uncork() {},
    end() {},
    write(_chunk: Uint8Array, taken: (error?: Error) => void) {
      onWrite(taken, () => {
        res.destroyed = true
        res.emit('close')
      })
    },
  })
  return res as unknown as ServerResponse
}

async function sendWhole(res: ServerResponse): Promise<number[]> {
  const onSent = vi.fn<(bytes: number) => void>()
  const sender = createBodySender()
  await sender.send({ res, object, parts: [{ start: 0, end: 1000 }], writeHead() {}, onSent })
  expect(sender.activeCount).toBe(0)
  return onSent.mock.calls.map(([bytes]) => bytes)
}

test('counts a chunk that the kernel accepted just before the connection closed', async () => {
  const res = createResponse((taken, close) => {
    taken()
    close()
  })
  expect(await sendWhole(res)).toEqual([1000])
})

test('does not count a chunk that was waiting when the connection closed, nor one that failed', async () => {
  expect(await sendWhole(createResponse((_taken, close) => close()))).toEqual([])
  expect(await sendWhole(createResponse((taken) => taken(new Error('EPIPE'))))).toEqual([])
})
