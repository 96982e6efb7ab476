// A playlist and a queue of 20,000 tracks in a Chromium whose CPU is slowed down four times. Measures the longest task
// of the main thread after each action, during which the page doesn't respond.
import type { Browser, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { queryAt, withClient } from '#server/platform/db/with-client.ts'
import type { BenchWorld } from './world/bench-world.ts'
import { benchMember } from './world/data-set.ts'
import { percentile, round } from '../harness/measure.ts'
import { openBrowser } from './clients/open-browser.ts'
import type { Finding } from './report.ts'
import { measureLongestTask } from './clients/task-times.ts'

const trackCount = 20_000
const slowdown = 4
const title = 'A very long list'
/** Time to wait for work that an action defers. */
const afterMs = { usual: 700, smoke: 50 }

export async function benchLongList(world: BenchWorld): Promise<Finding[]> {
  const isSmoke = world.dataSet === 'smoke'
  const count = isSmoke ? 1_000 : trackCount
  const waitMs = isSmoke ? afterMs.smoke : afterMs.usual
  const id = await putLongList(world, count)
  const browser = await openBrowser()
  try {
    const page = await openPlaying(browser, world, { id, count })
    const findings: Finding[] = []
    for (const { what, prepare } of createActions(page)) {
      const times: number[] = []
      for (let i = 0; i < (isSmoke ? 1 : 5); i++) {
        const act = await prepare()
        // Wait until the work that `prepare` caused is done.
        await page.waitForTimeout(waitMs)
        const taskMs = await measureLongestTask(browser, page, async () => {
          await act()
          await page.waitForTimeout(waitMs)
        })
        times.push(round(taskMs))
      }
      const ms = percentile(times, 0.5)
      world.print(`${what}: ${times.join(', ')} ms`)
      findings.push({
        name: what,
        goal: 'no task over 50 ms',
        value: `${ms} ms (${Math.min(...times)}–${Math.max(...times)})`,
        ok: ms <= 50,
      })
    }
    return findings
  } finally {
    await browser.close()
    await removeLongList(world, id)
  }
}

interface Act {
  what: string
  /** Finds the element to use. Not part of the measured action, because finding it is work for the page, too. */
  prepare: () => Promise<() => Promise<unknown>>
}

/** Returns the actions in the order in which they are measured. */
function createActions(page: Page): Act[] {
  const controls = page.getByRole('group', { name: 'Playback' })
  const queue = page.getByRole('list', { name: 'Queue' })
  const click = async (target: Locator) => {
    await target.hover()
    return async () => {
      await page.mouse.down()
      await page.mouse.up()
    }
  }
  const clickControl = (name: string) => () =>
    click(controls.getByRole('button', { name, exact: true }))
  const scroll = async () => {
    for (let i = 0; i < 12; i++) {
      await page.mouse.wheel(0, 900)
      await page.waitForTimeout(50)
    }
  }
  return [
    {
      what: 'scrolling the playlist',
      async prepare() {
        await page.mouse.move(400, 500)
        return scroll
      },
    },
    {
      what: 'scrolling the queue',
      async prepare() {
        const box = (await queue.locator('..').boundingBox())!
        await page.mouse.move(box.x + 60, box.y + 100)
        return scroll
      },
    },
    { what: 'next track', prepare: clickControl('Next') },
    { what: 'previous track', prepare: clickControl('Previous') },
    { what: 'shuffle, on and off', prepare: clickControl('Shuffle') },
    {
      what: 'removing from the queue',
      prepare: () => click(queue.getByRole('button', { name: /^Remove/ }).nth(6)),
    },
    {
      what: 'coming back to a queue',
      prepare: async () => async () => {
        await page.reload()
        await page.getByRole('group', { name: 'Playback' }).waitFor()
      },
    },
  ]
}

/** Opens the playlist, plays all of it and opens the queue. */
async function openPlaying(
  browser: Browser,
  world: BenchWorld,
  { id, count }: { id: string; count: number },
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const cookies = world.member.split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return { name, value: value.join('='), url: world.url }
  })
  await context.addCookies(cookies)
  const [cover, sound] = [await makeCover(), makeSilence()]
  await context.route('**/media/covers/**', (route) =>
    route.fulfill({ body: cover, contentType: 'image/webp' }),
  )
  await context.route('**/stream**', (route) =>
    route.fulfill({ body: sound, contentType: 'audio/wav' }),
  )
  const page = await context.newPage()
  await page.goto(`${world.url}/my-playlists/${id}`)
  await page.getByRole('button', { name: 'Play All', exact: true }).click()
  const player = page.getByRole('region', { name: 'Player', exact: true })
  await player.getByRole('button', { name: 'Queue', exact: true }).click()
  await page
    .getByText(`of ${count.toLocaleString('en')}`)
    .first()
    .waitFor()
  const client = await context.newCDPSession(page)
  await client.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return page
}

const makeCover = () =>
  sharp({ create: { width: 128, height: 128, channels: 3, background: '#8a4468' } })
    .webp()
    .toBuffer()

/** Returns a WAV with ten minutes of silence, 8 bits, mono. */
function makeSilence(): Buffer {
  const rate = 8_000
  const wav = Buffer.alloc(44 + 600 * rate, 128)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(wav.length - 8, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(rate, 24)
  wav.writeUInt32LE(rate, 28)
  wav.writeUInt16LE(1, 32)
  wav.writeUInt16LE(8, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(wav.length - 44, 40)
  return wav
}

/** Inserts a long playlist of the member. Returns its id. */
function putLongList({ database }: BenchWorld, count: number): Promise<string> {
  return withClient(database.owner, async (client) => {
    await client.query('begin')
    // Delete the playlist of an aborted run, which would distort other measurements.
    await client.query('delete from playlists where title = $1', [title])
    const made = await client.query<{ id: string }>(
      `insert into playlists (title, created_by) select $2, id from profiles where email = $1 returning id`,
      [benchMember, title],
    )
    const { id } = made.rows[0]!
    await client.query(
      `insert into playlist_tracks (playlist_id, track_id, order_index)
       select $1, id, row_number() over (order by created_at) - 1
         from (select id, created_at from tracks where is_published order by created_at limit $2) music`,
      [id, count],
    )
    await client.query('commit')
    return id
  })
}

/** Deletes the playlist, because other benchmarks measure the playlists of this member. */
async function removeLongList({ database }: BenchWorld, id: string): Promise<void> {
  await queryAt(database.owner, 'delete from playlists where id = $1', [id])
}
