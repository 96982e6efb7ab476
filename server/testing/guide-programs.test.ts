// Tests the guides of the API page: their programs compile, and have the described effect on a real server.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccessToken } from '#contract/access-tokens.ts'
import { listAdminTracks, updateAdminTrack } from '#contract/admin/admin-tracks.ts'
import { tokenScopes } from '#contract/token-scopes.ts'
import { listPlaylists } from '#contract/playlists.ts'
import { guideFiles } from '../platform/http/openapi/guides.ts'
import { startWorker } from '../worker.ts'
import { encodeWav } from './audio-fixtures.ts'
import { makeTracks } from './feature-app.ts'
import {
  compile,
  generateTypes,
  prepareProject,
  readBlocks,
  readGuide,
  readPrograms,
  runNode,
  runProgram,
  startProgram,
  type Place,
} from './guide-programs.ts'
import { createTestApp, type Person, type TestApp } from './test-app.ts'

const trackCount = 230
let server: TestApp
let worker: Awaited<ReturnType<typeof startWorker>>
let admin: Person
let place: Place
let trackId: string
/** For each program, the file of its guide. */
const programs = new Map<string, string>()

beforeAll(async () => {
  server = await createTestApp()
  worker = await startWorker(server.services)
  admin = await server.makePerson({ role: 'admin', tier: 'monthly' })
  const folder = await mkdtemp(join(tmpdir(), 'velour-guides-'))
  place = { folder, env: {} }
  await prepareProject(folder)
  for (const file of guideFiles) {
    for (const [name, code] of await readPrograms(file)) {
      programs.set(name, file)
      await writeFile(join(folder, name), code)
    }
  }
  // A recording that is large enough for several parts.
  const song = encodeWav((t) => 0.3 * Math.sin(2764 * t), {
    seconds: 12,
    sampleRate: 192_000,
  })
  await writeFile(join(folder, 'song.wav'), song)
  const ids = await makeTracks(server.services.db, trackCount, {})
  trackId = ids[0]!
})
afterAll(async () => {
  await worker.stop()
  await server.close()
  await rm(place.folder, { recursive: true })
})

/** Creates a token with exactly the scopes that a guide names. */
async function makeToken(file: string): Promise<string> {
  const text = await readGuide(file)
  const [, named = ''] = /The token needs the scopes? ((?:`\w+`(?:, | and )?)+)/.exec(text) ?? []
  const scopes = tokenScopes.filter((scope) => named.includes(`\`${scope}\``))
  return (await admin.call(createAccessToken, { body: { name: file, scopes } })).body.data.token
}

async function createPlace(name: string): Promise<Place> {
  const token = await makeToken(programs.get(name) ?? '')
  return { ...place, env: { VELOUR_URL: server.url, VELOUR_TOKEN: token } }
}

/** Runs a program of a guide, expects exit code 0 and returns its output. */
async function run(name: string, ...args: string[]): Promise<string> {
  const { exitCode, output } = await runNode([name, ...args], await createPlace(name))
  expect(exitCode, output).toBe(0)
  return output
}

/** Returns the commands of a guide, with the URL and the token of this server. */
async function readCommands(file: string): Promise<string[]> {
  const commands = await readBlocks(file, 'bash')
  const token = await makeToken(file)
  return commands.map((text) =>
    text.replace('https://music.example.com', server.url).replace('velour_pat_…', token),
  )
}

async function runCommands(commands: string[]): Promise<string> {
  const { exitCode, output } = await runProgram('bash', ['-eu', '-c', commands.join('\n')], place)
  expect(exitCode, output).toBe(0)
  return output
}

/**
 * Expects that the newest track has this title, is published and has audio, and that the output ends with its URL.
 */
async function expectPublished(output: string, title: string): Promise<void> {
  const { body } = await admin.call(listAdminTracks, { query: {} })
  expect(body.data[0]).toMatchObject({
    title,
    is_published: true,
    processing_status: 'ready',
    duration: 12,
  })
  expect(output.trim().endsWith(body.data[0]!.share_url), output).toBe(true)
}

test('runs each program of the guides', () => {
  expect([...programs.keys()].toSorted()).toEqual([
    'catalogue.ts',
    'events.ts',
    'first.ts',
    'list-tracks.ts',
    'rename-track.ts',
    'retry.ts',
    'upload.ts',
  ])
})

test('a client generated from the description compiles with all programs', async () => {
  const generated = await generateTypes(server.url, place)
  expect(generated.exitCode, generated.output).toBe(0)
  expect(await compile(place)).toEqual({ exitCode: 0, output: '' })
})

test('rejects incorrect use of the generated client at compile time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'velour-guides-'))
  try {
    await cp(join(place.folder, 'velour-api.ts'), join(folder, 'velour-api.ts'))
    await prepareProject(folder)
    await writeFile(
      join(folder, 'wrong.ts'),
      `import createClient from 'openapi-fetch'
import type { paths } from './velour-api.ts'
const velour = createClient<paths>()
await velour.POST('/playlists', { body: { name: 'x' } })
await velour.GET('/trakcs')
const { error } = await velour.POST('/playlists/{id}/tracks', {
  params: { path: { id: 'x' } },
  body: { track_id: 'x' },
})
if (error?.error.code === 'no_such_code') console.log()
`,
    )
    const { output } = await compile({ ...place, folder })
    const lines = [...output.matchAll(/wrong\.ts\((\d+),/g)].map(([, line]) => Number(line))
    expect([...new Set(lines)]).toEqual([4, 5, 10])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the first request works in bash and in TypeScript', async () => {
  const commands = await readCommands('api/getting-started.md')
  expect(
    JSON.parse(await runCommands(commands.map((each) => each.replace('curl', 'curl -s')))),
  ).toMatchObject({
    data: [{}, {}, {}],
  })
  expect((await run('first.ts')).trim().split('\n')).toHaveLength(3)
})

test('lists every track once by paging', async () => {
  const lines = (await run('list-tracks.ts')).trim().split('\n')
  expect(lines).toHaveLength(trackCount)
})

test('the commands upload and publish a track, whole and in parts', async () => {
  const commands = await readCommands('api/upload.md')
  const inParts = commands.findIndex((text) => text.includes('split -b'))
  expect(inParts).toBeGreaterThan(0)
  for (const left of [inParts, inParts - 1]) {
    const output = await runCommands(commands.filter((_, at) => at !== left))
    await expectPublished(output, 'Low Tide')
  }
})

test('the program uploads and publishes a track', async () => {
  const output = await run('upload.ts', 'song.wav', 'High Tide', 'Mira Vale')
  expect(output).toMatch(/^Published: /)
  await expectPublished(output, 'High Tide')
})

test('the program with the generated client publishes, adds and lists', async () => {
  const output = await run('catalogue.ts', 'song.wav')
  expect(output.trim().split('\n')).toEqual([
    'published Low Tide',
    'added',
    'already there',
    expect.stringMatching(/^tracks 2\d\d$/),
  ])
})

test('a creation that is sent twice with one key is executed once', async () => {
  expect(await run('retry.ts')).toBe('created once\n')
  const { body } = await admin.call(listPlaylists, { query: {} })
  expect(body.data.filter(({ title }) => title === 'Evening')).toHaveLength(1)
})

test('saves a change with the current version', async () => {
  expect(await run('rename-track.ts', trackId, 'Slack Water')).toBe('Now called Slack Water\n')
})

test('events arrive until the program is stopped', async () => {
  const child = startProgram(process.execPath, ['events.ts'], await createPlace('events.ts'))
  let output = ''
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()))
  let changes = 0
  await expect
    .poll(
      async () => {
        const body = { title: `Slack Water ${(changes += 1)}` }
        await admin.call(updateAdminTrack, { params: { id: trackId }, body })
        return output
      },
      { interval: 300 },
    )
    .toContain('tracks \n')
  child.kill()
  expect(output).toMatch(/^connected\n/)
})
