import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { zipFolder } from './zip-folder.ts'

const found = (files: Record<string, string>) =>
  Object.entries(files).map(([path, text], index) => ({
    path,
    file: new File([text], path.split('/').at(-1) ?? '', { lastModified: 1000 + index }),
  }))
const options = { signal: new AbortController().signal, onProgress: () => {} }

test('creates an archive that another program can read', async () => {
  const files = { 'Export/catalogue.json': '{}', 'Export/Größe “1”.wav': 'x'.repeat(5000), e: '' }
  const shares: number[] = []
  const zip = await zipFolder(found(files), 'Export.zip', {
    ...options,
    onProgress: (share) => shares.push(share),
  })
  expect([zip.name, zip.type, zip.lastModified]).toEqual(['Export.zip', 'application/zip', 1002])
  expect(shares.at(-1)).toBe(1)
  const archive = await fromBufferPromise(Buffer.from(await zip.arrayBuffer()), {
    lazyEntries: true,
    validateEntrySizes: true,
  })
  const read: Record<string, string> = {}
  for await (const entry of archive.eachEntry()) {
    const chunks: Buffer[] = []
    for await (const chunk of await archive.openReadStreamPromise(entry))
      chunks.push(chunk as Buffer)
    read[entry.fileName] = Buffer.concat(chunks).toString()
  }
  expect(read).toEqual(files)
})

test('creates identical archives for identical files, so that an upload can resume', async () => {
  const files = { 'a/1.wav': 'one', 'a/2.wav': 'two' }
  const [one, other] = [
    await zipFolder(found(files), 'a.zip', options),
    await zipFolder(found(files), 'a.zip', options),
  ]
  expect(Buffer.from(await one.arrayBuffer())).toEqual(Buffer.from(await other.arrayBuffer()))
})

test('stops packing when it is aborted', async () => {
  const signal = AbortSignal.abort(new Error('cancelled'))
  await expect(zipFolder(found({ a: 'x' }), 'a.zip', { ...options, signal })).rejects.toThrow(
    'cancelled',
  )
})
