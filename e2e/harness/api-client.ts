// An HTTP client for tests that keeps cookies, as curl can.
import type { AdminTrack } from '../../contract/admin/admin-tracks.ts'
import { admin, waitUntil } from './service.ts'

export interface ApiClient {
  signIn: (who: { email: string; password: string }) => Promise<void>
  /** Returns the Cookie header, for requests that don't use this client. */
  cookie: () => string
  /** Sends JSON. If the action requires a confirmation, confirms with the password and sends the request again. */
  send: (
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>
  /** Sends any request with the session cookie of this user. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>
}

/** Creates a client that is signed out. Call `signIn` to sign in. */
export function createApiClient(url: string): ApiClient {
  let cookie = ''
  let password = ''
  const fetchAs: ApiClient['fetch'] = (path, init = {}) =>
    fetch(`${url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie ? { cookie } : {}), ...(init.headers as Record<string, string>) },
    })
  const send: ApiClient['send'] = async (method, path, body) => {
    const answer = await sendOnce(method, path, body)
    const { code } = (answer.body['error'] ?? {}) as { code?: string }
    if (code !== 'reauthentication_required') return answer
    const confirmed = await sendOnce('POST', '/api/auth/confirmation', { password })
    return confirmed.status === 200 ? sendOnce(method, path, body) : confirmed
  }
  const sendOnce: ApiClient['send'] = async (method, path, body) => {
    const response = await fetchAs(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.text()
    return {
      status: response.status,
      body: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>,
      headers: response.headers,
    }
  }
  return {
    send,
    fetch: fetchAs,
    async signIn(who) {
      const response = await fetchAs('/api/auth/sign-in/email', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(who),
      })
      if (!response.ok) throw new Error(`Sign-in returned ${response.status}`)
      cookie = buildCookieHeader(response)
      password = who.password
    },
    cookie: () => cookie,
  }
}

/** Returns the Cookie header for the next request, from the Set-Cookie headers of a response. */
export function buildCookieHeader({ headers }: Pick<Response, 'headers'>): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

/** Returns a client that is signed in as the admin of a new service. */
export async function signInOwner(url: string): Promise<ApiClient> {
  const owner = createApiClient(url)
  await owner.signIn(admin)
  return owner
}

/** Changes some settings. The other ones stay as they are. The changes are in effect when this returns. */
export async function changeSettings(
  owner: ApiClient,
  changes: Record<string, unknown>,
): Promise<void> {
  const { body } = await owner.send('GET', '/api/admin-settings')
  // Leave out the settings that require a confirmation.
  const {
    updated_at: _,
    stripe_webhook_secret: __,
    admins_need_two_factor: ___,
    ...settings
  } = body
  const { status } = await owner.send('POST', '/api/admin-settings', {
    action: 'update',
    settings: { ...settings, ...changes },
  })
  if (status !== 200) throw new Error(`Saving the settings returned ${status}`)
}

/** Requests a path and a token to upload a file, like the back office. */
export async function requestUpload(
  client: ApiClient,
  filename: string,
  mime: string,
  /** The size in bytes. Undefined if it isn't known yet. */
  size: number | undefined,
) {
  const { status, body } = await client.send('POST', '/api/upload-signed-url', {
    bucket: mime.startsWith('image/') ? 'covers' : 'audio',
    filename,
    mime,
    size,
  })
  if (status !== 201) throw new Error(`The upload was refused: ${JSON.stringify(body)}`)
  return body as { path: string; uploadToken: string; uploadUrl: string; publicUrl: string }
}

/** Uploads a recording and creates a published track from it, like the back office. */
export async function publishTrack(
  client: ApiClient,
  wav: Buffer,
  fields: Record<string, unknown>,
): Promise<AdminTrack> {
  const upload = await requestUpload(client, 'recording.wav', 'audio/wav', wav.length)
  const sent = await client.fetch(upload.uploadUrl, {
    method: 'PUT',
    headers: { 'upload-token': upload.uploadToken, 'content-type': 'audio/wav' },
    body: new Uint8Array(wav),
  })
  if (sent.status !== 204)
    throw new Error(`The upload returned ${sent.status}: ${await sent.text()}`)
  const created = await client.send('POST', '/api/admin-tracks', {
    action: 'create',
    artist: 'Test Artist',
    is_published: true,
    audio_path: upload.path,
    ...fields,
  })
  if (created.status !== 201)
    throw new Error(`Creating the track failed: ${JSON.stringify(created.body)}`)
  const { id } = created.body['data'] as AdminTrack
  return waitForTrack(client, id)
}

/** Waits until a track is processed. Throws the error if processing failed. */
export async function waitForTrack(client: ApiClient, id: string): Promise<AdminTrack> {
  let track: AdminTrack | undefined
  await waitUntil(
    async () => {
      const { body } = await client.send('GET', `/api/admin-tracks/${id}`)
      track = body as unknown as AdminTrack
      if (track.processing_status === 'failed') throw new Error(track.processing_error ?? 'failed')
      return track.processing_status === 'ready'
    },
    // Generous, because ffmpeg runs at a low priority and is many times slower on a busy machine.
    300_000,
    'the pipeline',
  )
  return track!
}
