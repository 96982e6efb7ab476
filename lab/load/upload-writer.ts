// A writer (see writer.ts) that uploads recordings and publishes tracks. An acknowledged upload must be usable. An
// acknowledged track must be processed and published with all renditions.
import { createHash } from 'node:crypto'
import { makeWav } from '../../e2e/harness/make-wav.ts'
import type { WriterWorld, Writer } from './writer.ts'

interface Delivery {
  title: string
  wav: Buffer
  sha256: string
  path: string
  uploadUrl: string
  token: string
  step: 'ask' | 'send' | 'create'
}

export function createUploadWriter(
  world: WriterWorld,
  options: { everyMs: number; seconds: number },
): Writer {
  const { owner, chance } = world
  const uploads = new Map<string, string>()
  const tracks: string[] = []
  let delivery: Delivery | null = null
  let processed: string | null = null
  let count = 0

  const begin = (): Delivery => {
    const wav = makeWav(options.seconds, 200 + chance.below(400))
    const sha256 = createHash('sha256').update(wav).digest('hex')
    return {
      title: `Delivery ${++count}`,
      wav,
      sha256,
      path: '',
      uploadUrl: '',
      token: '',
      step: 'ask',
    }
  }

  async function ask(one: Delivery): Promise<void> {
    const body = { bucket: 'audio', filename: 'a.wav', mime: 'audio/wav', size: one.wav.length }
    const response = await owner.send('POST', '/api/upload-signed-url', { body })
    if (response.status !== 201) return
    const { path, uploadUrl, uploadToken } = response.body as Record<string, string>
    Object.assign(one, { path, uploadUrl, token: uploadToken, step: 'send' })
  }

  async function bring(one: Delivery): Promise<void> {
    const { status, code } = await owner.send('PUT', one.uploadUrl, {
      body: one.wav,
      headers: { 'upload-token': one.token, 'content-type': 'audio/wav' },
      // This code is expected if the response to an earlier attempt was lost.
      expects: ['upload_used'],
    })
    if (status !== 204 && code !== 'upload_used') return
    uploads.set(one.path, one.sha256)
    one.step = 'create'
  }

  async function publish(one: Delivery): Promise<boolean> {
    const { status, code, body } = await owner.send('POST', '/api/admin-tracks', {
      body: {
        action: 'create',
        title: one.title,
        artist: 'A',
        is_published: true,
        audio_path: one.path,
      },
      expects: ['upload_used'],
    })
    if (status !== 201 && code !== 'upload_used') return false
    tracks.push(one.title)
    processed = (body['data'] as { id: string } | undefined)?.id ?? null
    return true
  }

  /**
   * Returns true while the last track is being processed. The writer then pauses, so that tracks don't queue up on a
   * slow machine.
   */
  async function isBusy(): Promise<boolean> {
    if (processed === null) return false
    const { status, body } = await owner.send('GET', `/api/admin-tracks/${processed}`)
    return status !== 200 || body['processing_status'] !== 'ready'
  }

  return {
    name: 'uploads',
    everyMs: options.everyMs,
    async act() {
      if (!delivery && (await isBusy())) return
      delivery ??= begin()
      if (delivery.step === 'ask') await ask(delivery)
      if (delivery.step === 'send') await bring(delivery)
      if (delivery.step === 'create' && (await publish(delivery))) delivery = null
    },
    async audit({ db }) {
      const rows = await db.query
        .selectFrom('uploads')
        .select(['path', 'status', 'sha256'])
        .execute()
      const arrived = new Map(rows.map((row) => [row.path, row]))
      const made = await db.query.selectFrom('tracks').select(['title', 'source_sha256']).execute()
      const titles = made.map(({ title }) => title)
      const audited = await db.query
        .selectFrom('audit_log')
        .select('entity_id')
        .where('entity', '=', 'track')
        .where('action', '=', 'create')
        .execute()
      return [
        ...[...uploads]
          .filter(([path, sha256]) => arrived.get(path)?.sha256 !== sha256)
          .map(([path]) => `the upload ${path} is gone`),
        ...tracks
          .filter((title) => titles.filter((one) => one === title).length !== 1)
          .map(
            (title) => `${title} is there ${titles.filter((one) => one === title).length} times`,
          ),
        ...(audited.length === made.length
          ? []
          : [`${made.length} tracks were made, ${audited.length} are in the audit trail`]),
      ]
    },
    acknowledged: () => uploads.size + tracks.length,
  }
}
