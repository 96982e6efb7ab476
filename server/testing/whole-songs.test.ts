// Tries to get a full song without Premium from every URL of the server: as a visitor, with a free account, and with
// the credentials of a former Premium member. /rest has its own test: server/features/subsonic/full-audio.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccessToken, revokeAccessToken } from '#contract/access-tokens.ts'
import { createPressLink } from '#contract/admin/press-links.ts'
import { updateUserSubscription } from '#contract/admin/admin-users.ts'
import { createDeviceKey, revokeDeviceKey } from '#contract/device-keys.ts'
import { findContractEndpoints } from './contract-endpoints.ts'
import { createTestApp, type Person, type TestApp } from './test-app.ts'
import { containsPartOf, createFullSong, type FullSong } from './whole-songs.ts'

let app: TestApp
let songs: Record<'everyone' | 'members' | 'premium' | 'draft', FullSong>
let pressSecret: string

/** The credentials of a request, which may be in several places. */
interface Proof {
  headers?: Record<string, string>
  query?: Record<string, string>
  /** The secret in the path of a private feed. */
  feedKey?: string
}

let free: Credentials
let former: Credentials
let revoked: Credentials
let premium: Credentials

beforeAll(async () => {
  app = await createTestApp()
  songs = {
    everyone: await createFullSong(app, 'everyone', ['standard', 'high', 'preview']),
    members: await createFullSong(app, 'members', ['standard', 'high', 'preview']),
    premium: await createFullSong(app, 'premium', ['standard', 'high']),
    draft: await createFullSong(app, 'everyone', ['standard', 'high', 'preview'], false),
  }
  const admin = await app.makePerson({ role: 'admin' })
  const link = await admin.call(createPressLink, {
    body: {
      kind: 'track',
      item_id: songs.draft.id,
      label: 'Radio',
    },
  })
  pressSecret = new URL(link.body.data.url, app.url).searchParams.get('press') ?? ''
  free = await createKeys(await app.makePerson())
  premium = await createKeys(await app.makePerson({ tier: 'monthly' }))
  former = await createKeys(await app.makePerson({ tier: 'monthly' }))
  await admin.call(updateUserSubscription, {
    params: { id: former.person.id },
    body: { subscription_tier: 'free' },
  })
  revoked = await createKeys(await app.makePerson({ tier: 'monthly' }))
  for (const id of revoked.keyIds) {
    await revoked.person.call(revokeDeviceKey, { params: { id } })
  }
  await revoked.person.call(revokeAccessToken, { params: { id: revoked.tokenId } })
})
afterAll(() => app.close())

/** All credentials that a person can give to a program. */
interface Credentials {
  person: Person
  token: string
  tokenId: string
  appKey: string
  feedKey: string
  keyIds: string[]
}

async function createKeys(person: Person): Promise<Credentials> {
  const makeKey = async (purpose: 'app' | 'feed') =>
    (await person.call(createDeviceKey, { body: { name: 'Phone', purpose } })).body.data
  const [forApp, forFeed] = [await makeKey('app'), await makeKey('feed')]
  const { body } = await person.call(createAccessToken, {
    body: { name: 'Program', scopes: ['read', 'library'] },
  })
  return {
    person,
    token: body.data.token,
    tokenId: body.data.id,
    appKey: forApp.key,
    feedKey: forFeed.key,
    keyIds: [forApp.id, forFeed.id],
  }
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
const basic = (name: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`,
})

/** Puts each secret in its intended place, and in the places of the other secrets. */
function listCredentials({ person, token, appKey, feedKey }: Credentials): Record<string, Proof> {
  return {
    token: { headers: bearer(token) },
    'token as key': { query: { apiKey: token }, feedKey: token },
    'device key': { query: { apiKey: appKey } },
    'device key as token': { headers: bearer(appKey), feedKey: appKey },
    'device key as password': { headers: basic(person.email, appKey) },
    'feed key': { feedKey },
    'feed key as token': { headers: bearer(feedKey), query: { apiKey: feedKey } },
  }
}

/** Parameters that a program could add to a URL. */
const extraQuery = new URLSearchParams({
  keep: 'true',
  download: 'true',
  quality: 'high',
  kind: 'high',
  format: 'raw',
  maxBitRate: '320',
  timeOffset: '60',
  converted: 'false',
  view: 'page',
  audience: 'everyone',
})

const endpoints = await findContractEndpoints()

const reads = endpoints.filter(({ endpoint }) => endpoint.method === 'GET')
const sound = /stream|download|preview|\.m4a|\.mp4/
const pathsFor = (id: string, isSound: boolean) =>
  reads
    .map(({ endpoint }) => endpoint.path.replaceAll(/:\w+/g, id))
    .filter((path) => sound.test(path) === isSound)

/** Returns URLs that send audio, or could. */
function soundAddresses({ id, slug }: FullSong, { feedKey = 'x' }: Proof): string[] {
  return [
    ...pathsFor(id, true),
    `/t/${slug}/preview.m4a`,
    `/t/${slug}/card.mp4`,
    `/feeds/${feedKey}/${id}.m4a`,
    `/rest/stream?c=Test&id=tr-${id}`,
  ]
}

/** Returns URLs guessed from how files are stored, and URLs that send no audio. */
function otherAddresses({ id, slug }: FullSong, { feedKey = 'x' }: Proof): string[] {
  return [
    ...pathsFor(id, false),
    ...['standard', 'high', 'source'].flatMap((name) => [
      `/t/${slug}/${name}.m4a`,
      `/t/${slug}/preview.m4a/../${name}.m4a`,
      `/embed/t/${slug}/${name}.m4a`,
      `/audio/${id}/${name}.m4a`,
      `/media/audio/${id}/${name}.m4a`,
      `/media/covers/${id}/..%2f..%2f..%2faudio%2f${id}%2f${name}.m4a`,
      `/feeds/${feedKey}/..%2f..%2faudio%2f${id}%2f${name}.m4a`,
    ]),
    `/embed/t/${slug}`,
    `/oembed?url=${encodeURIComponent(`${app.url}/t/${slug}`)}`,
    '/podcast.xml',
    '/feed.xml',
    `/feeds/${feedKey}/podcast.xml`,
    `/feeds/${id}/${id}.m4a`,
  ]
}

async function findLeaks(proof: Proof): Promise<string[]> {
  const leaks: string[] = []
  const visit = async (address: string, headers = {}, more = '') => {
    const [path = '', own] = address.split('?')
    const query = new URLSearchParams([
      ...new URLSearchParams(own),
      ...Object.entries(proof.query ?? {}),
    ])
    const response = await fetch(`${app.url}${path}?${query}${more}`, {
      redirect: 'manual',
      headers: { ...proof.headers, ...headers },
    })
    // Skipped, because streams of live events do not end.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      return response.body?.cancel()
    }
    const body = Buffer.from(await response.arrayBuffer())
    if (containsPartOf(Object.values(songs), body)) leaks.push(address)
  }
  for (const song of Object.values(songs)) {
    for (const address of soundAddresses(song, proof)) {
      await visit(address)
      if (leaks.at(-1) === address || address.startsWith('/rest/')) continue
      await visit(address, {}, `&${extraQuery}`)
      await visit(address, { range: 'bytes=2000-' })
    }
  }
  for (const address of otherAddresses(songs.members, proof)) await visit(address)
  return leaks
}

const slow = 180_000

test('a visitor gets no part of a full song', { timeout: slow }, async () => {
  expect(await findLeaks({})).toEqual([])
})

test("a press link gives access to a draft's preview only", { timeout: slow }, async () => {
  const { slug, preview } = songs.draft
  const sent = await fetch(`${app.url}/t/${slug}/preview.m4a?press=${pressSecret}`)
  expect(Buffer.from(await sent.arrayBuffer()).equals(preview!)).toBe(true)
  expect(await findLeaks({ query: { press: pressSecret } })).toEqual([])
})

test("a free member's session gives access to no full song", { timeout: slow }, async () => {
  const { cookie } = free.person
  expect(await findLeaks({ headers: { cookie } })).toEqual([])
})

const holders = {
  'a free member': () => free,
  'a former Premium member': () => former,
  'a Premium member who revoked them': () => revoked,
}

describe.each(Object.entries(holders))('credentials of %s', (_who, holder) => {
  test.each([
    'token',
    'token as key',
    'device key',
    'device key as token',
    'device key as password',
    'feed key',
    'feed key as token',
  ])('a %s gives access to no full song', { timeout: slow }, async (name) => {
    expect(await findLeaks(listCredentials(holder())[name]!)).toEqual([])
  })
})

test(
  'each secret of a Premium member works only in its intended place',
  { timeout: slow },
  async () => {
    const opened = Object.fromEntries(
      await Promise.all(
        Object.entries(listCredentials(premium)).map(async ([name, proof]) => [
          name,
          await findLeaks(proof),
        ]),
      ),
    ) as Record<string, string[]>
    expect(opened['token']).toContain(`/api/tracks/${songs.premium.id}/stream`)
    expect(opened['device key']).toContain(`/rest/stream?c=Test&id=tr-${songs.premium.id}`)
    expect(opened['feed key']).toEqual(
      ['everyone', 'members', 'premium'].map(
        (name) => `/feeds/${premium.feedKey}/${songs[name as keyof typeof songs].id}.m4a`,
      ),
    )
    for (const name of Object.keys(opened).filter((one) => one.includes(' as '))) {
      expect(opened[name], name).toEqual([])
    }
    // A draft can be played in full only by admins.
    expect(Object.values(opened).flat().join(' ')).not.toContain(songs.draft.id)
  },
)
