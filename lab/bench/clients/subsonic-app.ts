// A Subsonic app that copies a whole catalogue. Connects to Velour with a device key, or to another server.
import { createDeviceKey, revokeDeviceKey } from '#contract/device-keys.ts'
import { round, measureMs } from '../../harness/measure.ts'
import type { BenchWorld } from '../world/bench-world.ts'
import { fetchBody } from '../world/http-client.ts'

/** The largest page that the API allows. Apps use it to copy a catalogue. */
export const pageSize = 500

/** Calls an endpoint and returns the body of the response. */
export type AppCall = (name: string, params?: Record<string, string | number>) => Promise<Buffer>

export interface Listed {
  id: string
}
interface SubsonicResponse {
  'subsonic-response': {
    status: string
    artists?: { index?: { artist: Listed[] }[] }
    albumList2?: { album?: Listed[] }
    searchResult3?: { song?: Listed[] }
  }
}

/** Connects as the member of the benchmark, with a new device key. `close` revokes the key. */
export async function openVelourApp(
  world: BenchWorld,
): Promise<{ call: AppCall; close: () => Promise<void> }> {
  const response = await fetchBody(world.url + createDeviceKey.path, {
    cookie: world.member,
    body: { name: 'Bench' },
  })
  const { id, key } = (JSON.parse(String(response)) as { data: { id: string; key: string } }).data
  return {
    call: (name, params = {}) => {
      const given = Object.entries(params).map(([field, value]) => [field, String(value)])
      const query = new URLSearchParams([['apiKey', key], ['c', 'bench'], ['f', 'json'], ...given])
      return fetchBody(`${world.url}/rest/${name}?${query}`)
    },
    close: async () => {
      await fetch(world.url + revokeDeviceKey.path.replace(':id', id), {
        method: revokeDeviceKey.method,
        headers: { cookie: world.member, origin: world.url },
      })
    },
  }
}

/** Calls an endpoint and parses the response. Throws if it is an error. */
export async function read(
  call: AppCall,
  name: string,
  params?: Record<string, string | number>,
): Promise<SubsonicResponse['subsonic-response']> {
  const response = (JSON.parse(String(await call(name, params))) as SubsonicResponse)[
    'subsonic-response'
  ]
  if (response.status !== 'ok') throw new Error(`${name} returned ${JSON.stringify(response)}`)
  return response
}

/** Copies all artists, albums and songs page by page. */
export async function copyByPages(
  call: AppCall,
): Promise<{ seconds: number; songs: number; albums: number }> {
  let songs = 0
  let albums = 0
  const ms = await measureMs(async () => {
    await read(call, 'getArtists')
    albums = await countAll(async (offset) => {
      const params = { type: 'alphabeticalByName', size: pageSize, offset }
      return (await read(call, 'getAlbumList2', params)).albumList2?.album ?? []
    })
    songs = await countAll(async (songOffset) => {
      const params = { query: '', songCount: pageSize, songOffset, artistCount: 0, albumCount: 0 }
      return (await read(call, 'search3', params)).searchResult3?.song ?? []
    })
  })
  return { seconds: round(ms / 1000), songs, albums }
}

/** Reads pages until one is not full. Returns the number of distinct ids. */
async function countAll(page: (offset: number) => Promise<Listed[]>): Promise<number> {
  const ids = new Set<string>()
  for (let offset = 0; ; offset += pageSize) {
    const rows = await page(offset)
    for (const { id } of rows) ids.add(id)
    if (rows.length < pageSize) return ids.size
  }
}
