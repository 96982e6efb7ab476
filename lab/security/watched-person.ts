// A client of the server whose output is searched for secrets. All its responses are searched, and all its cookies are
// secrets to search for.
import type { SecretWatch } from '#server/testing/secret-watch.ts'
import type { Service } from '../../e2e/harness/service.ts'

/** Fields of responses that tests read. Each response has only some of them. */
export interface WatchedBody {
  totpURI: string
  backupCodes: string[]
  uploadToken: string
  uploadUrl: string
  path: string
  data: { id: string }
}

export interface WatchedResponse {
  status: number
  text: string
  headers: Headers
  body: WatchedBody
}

/** Creates a client with cookies. Every response is recorded under `METHOD path`, to be searched. */
export function createWatchedPerson(service: Service, watch: SecretWatch) {
  const jar = new Map<string, string>()
  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<WatchedResponse> {
    const isJson = body !== undefined && !(body instanceof Uint8Array)
    const response = await fetch(`${service.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(jar.size > 0 && {
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: isJson ? JSON.stringify(body) : ((body as BodyInit | undefined) ?? null),
    })
    const text = await response.text()
    const where = `${method} ${path.split('?')[0]?.replaceAll(/[0-9a-f-]{36}/g, ':id')}`
    watch.scan(where, `${text}\n${[...response.headers].flat().join('\n')}`)
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
      if (value.length > 20)
        watch.keep(`the cookie ${name} of ${where}`, decodeURIComponent(value), [where])
    }
    return { status: response.status, text, headers: response.headers, body: readJson(text) }
  }
  return { send, clearCookies: () => jar.clear() }
}

function readJson(text: string): WatchedBody {
  return (text.startsWith('{') ? JSON.parse(text) : {}) as WatchedBody
}

export type WatchedPerson = ReturnType<typeof createWatchedPerson>

export const signInPath = '/api/auth/sign-in/email'
export const signInAs = (who: WatchedPerson, email: string, password: string) =>
  who.send('POST', signInPath, { email, password })
