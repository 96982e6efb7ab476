import 'fake-indexeddb/auto'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startList } from '../../catalogue/start-list.ts'
import { freeMember, mountApp, premiumMember } from '../../../testing/mount-app.tsx'
import { playTracks } from '../playback/player-actions.ts'
import { reportEnded, reportProgress } from '../playback/player-reports.ts'
import { initialPlayerState, usePlayer } from '../playback/player-store.ts'
import {
  makeTrack,
  makeTrackDetail,
  makeTracks,
  openedTracks,
} from '../../../testing/track-fixture.ts'
import { initialPlayerView, usePlayerView } from '../playback/player-view.ts'
import { readQueue, saveQueue } from '../queue/saved-queue.ts'
import { savePlace } from '../playback/saved-player.ts'

const state = () => usePlayer.getState()
/** Excludes the landing page's own audio element for previews. */
const playersOwn = 'audio:not(body > audio)'

const answers = {
  ...openedTracks(makeTrackDetail(1), makeTrackDetail(2), makeTrackDetail(3)),
  'POST /api/auth/sign-out': { success: true },
  'POST /api/plays': { is_counted: false },
  'POST /api/radio': { title: 'Radio', data: [] },
}

beforeEach(() => {
  localStorage.clear()
  usePlayer.setState(initialPlayerState, true)
  usePlayerView.setState(initialPlayerView, true)
  // jsdom neither scrolls nor plays media. The end-to-end tests cover both.
  Element.prototype.scrollTo = () => {}
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** Opens the app and waits until the player is mounted. */
async function open(member = premiumMember) {
  const app = mountApp('/', answers, member)
  await waitFor(() => expect(document.querySelectorAll(playersOwn).length).toBe(2))
  return app
}

/** Starts playback and returns queries for the bar. */
async function openPlaying(tracks = makeTracks(3), member = premiumMember) {
  const app = await open(member)
  act(() => playTracks(tracks, { source: 'Evening' }))
  const bar = within(await screen.findByRole('region', { name: 'Player' }))
  return { ...app, bar }
}

const button = (bar: ReturnType<typeof within>, name: string | RegExp) =>
  bar.getByRole('button', { name })

describe('the bar', () => {
  test('is rendered only while a track is loaded', async () => {
    await open()
    expect(screen.queryByRole('region', { name: 'Player' })).toBeNull()
    act(() => playTracks(makeTracks(1)))
    expect(await screen.findByRole('region', { name: 'Player' })).toBeTruthy()
  })

  test('shows title and artist, elapsed and total time, and announces the track', async () => {
    const { bar } = await openPlaying()
    expect(bar.getByText('Track 1')).toBeTruthy()
    expect(bar.getByText('Velour Ensemble')).toBeTruthy()
    act(() => reportProgress(65.2, 180))
    expect(bar.getByText('1:05')).toBeTruthy()
    expect(bar.getByText('3:00')).toBeTruthy()
    expect(screen.getByText('Now playing: Track 1 by Velour Ensemble')).toBeTruthy()
  })

  test('plays, pauses and skips', async () => {
    const { bar, user } = await openPlaying()
    await user.click(button(bar, 'Pause'))
    expect(state().playing).toBe(false)
    await user.click(button(bar, 'Play'))
    expect(state().playing).toBe(true)
    await user.click(button(bar, 'Next'))
    expect(bar.getByText('Track 2')).toBeTruthy()
    await user.click(button(bar, 'Previous'))
    await user.click(button(bar, 'Previous'))
    expect(bar.getByText('Track 3')).toBeTruthy()
  })

  test('cycles the repeat button through off, all, one and off, highlights it when on, and shows a 1 for one', async () => {
    const { bar, user } = await openPlaying()
    const repeat = button(bar, 'Repeat')
    expect(repeat.getAttribute('aria-pressed')).toBe('false')
    await user.click(repeat)
    expect(state().queue.repeat).toBe('all')
    expect(repeat.getAttribute('aria-pressed')).toBe('true')
    await user.click(repeat)
    expect(within(repeat).getByText('1')).toBeTruthy()
    await user.click(repeat)
    expect(state().queue.repeat).toBe('off')
    expect(repeat.textContent).toBe('')
  })

  test('highlights shuffle while it is on', async () => {
    const { bar, user } = await openPlaying()
    await user.click(button(bar, 'Shuffle'))
    expect(button(bar, 'Shuffle').getAttribute('aria-pressed')).toBe('true')
    expect(state().queue.original).not.toBeNull()
  })

  test('has sliders with the specified steps, limits and labels', async () => {
    const { bar } = await openPlaying()
    act(() => reportProgress(65.2, 180))
    const seek = bar.getByRole<HTMLInputElement>('slider', { name: 'Seek' })
    expect([seek.step, seek.min, seek.max]).toEqual(['0.1', '0', '180'])
    expect(seek.getAttribute('aria-valuetext')).toBe('1:05 of 3:00')
    const volume = bar.getByRole<HTMLInputElement>('slider', { name: 'Volume' })
    expect([volume.step, volume.min, volume.max, volume.value]).toEqual(['1', '0', '100', '70'])
  })

  test('seeks by 5 seconds with the arrow keys on the slider', async () => {
    const { bar, user } = await openPlaying()
    act(() => reportProgress(60, 180))
    bar.getByRole('slider', { name: 'Seek' }).focus()
    await user.keyboard('{ArrowRight}')
    expect(state().positionSeconds).toBe(65)
    await user.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(state().positionSeconds).toBe(55)
  })

  test('mutes the sound and keeps the volume setting', async () => {
    const { bar, user } = await openPlaying()
    await user.click(button(bar, 'Mute'))
    expect(state()).toMatchObject({ muted: true, volume: 70 })
    expect(bar.getByRole<HTMLInputElement>('slider', { name: 'Volume' }).value).toBe('0')
    await user.click(button(bar, 'Unmute'))
    expect(state().muted).toBe(false)
  })

  test('shows a like immediately and sends it to the server', async () => {
    const { bar, user, requests } = await openPlaying()
    const heart = await bar.findByRole('button', { name: 'Like Track 1' })
    await user.click(heart)
    expect(heart.getAttribute('aria-pressed')).toBe('true')
    const { id } = makeTrack(1)
    await waitFor(() =>
      expect(requests.map((request) => request.operation)).toContain(`PUT /api/tracks/${id}/like`),
    )
  })
})

describe('previews', () => {
  test("show a badge with the preview's length and a link to Premium", async () => {
    const track = makeTrack(1, { preview_seconds: 30 })
    const { bar } = await openPlaying([track, makeTrack(2)], freeMember)
    expect(bar.getByText('Preview Mode (30s)')).toBeTruthy()
    expect(bar.getByText('0:30')).toBeTruthy()
    const upgrade = bar.getByRole('link', { name: 'Upgrade to Premium' })
    expect(upgrade.getAttribute('href')).toBe('/subscribe')
  })

  test('are 45 seconds long by default', async () => {
    const { bar } = await openPlaying([makeTrack(1)], freeMember)
    expect(bar.getByText('Preview Mode (45s)')).toBeTruthy()
  })

  test('end with an alert that can be dismissed', async () => {
    const { bar, user } = await openPlaying([makeTrack(1)], freeMember)
    act(() => reportEnded())
    const alert = bar.getByRole('alert')
    expect(alert.textContent).toContain('Full playback available with Premium')
    expect(state().playing).toBe(false)
    await user.click(button(bar, 'Dismiss'))
    expect(bar.queryByRole('alert')).toBeNull()
  })

  test('end with an alert that links to the plans and then disappears', async () => {
    const { bar, user, router } = await openPlaying([makeTrack(1)], freeMember)
    act(() => reportEnded())
    await user.click(button(bar, 'Upgrade Now'))
    expect(state().isPreviewEnded).toBe(false)
    await waitFor(() => expect(router.state.location.pathname).toBe('/subscribe'))
  })

  test('show no badge to Premium members or for tracks without a preview', async () => {
    const { bar } = await openPlaying([makeTrack(1)])
    expect(bar.queryByText(/Preview Mode/)).toBeNull()
    act(() => usePlayer.setState({ listener: { user_id: 'x', is_premium: false } }))
    expect(bar.getByText('Preview Mode (45s)')).toBeTruthy()
    act(() => playTracks([makeTrack(2, { preview_url: null })]))
    expect(bar.queryByText(/Preview Mode/)).toBeNull()
  })
})

describe('a problem', () => {
  test('shows a message and a retry button', async () => {
    const { bar, user } = await openPlaying()
    act(() =>
      usePlayer.setState({
        playing: false,
        problem: { kind: 'stopped', message: 'The connection was lost.' },
      }),
    )
    expect(bar.getByRole('alert').textContent).toContain('The connection was lost.')
    await user.click(button(bar, 'Try again'))
    expect(state()).toMatchObject({ playing: true, problem: null })
  })
})

describe('account changes', () => {
  test('restores the queue after a reload, paused at its position', async () => {
    playTracks(makeTracks(3), { startIndex: 1 })
    reportProgress(63, 180)
    await saveQueue(freeMember.id, state().queue)
    savePlace(freeMember.id, state())
    usePlayer.setState(initialPlayerState, true)
    await open()
    const bar = within(await screen.findByRole('region', { name: 'Player' }))
    expect(bar.getByText('Track 2')).toBeTruthy()
    expect(bar.getByText('1:03')).toBeTruthy()
    expect(state().playing).toBe(false)
  })

  test('stops playback and clears the queue and pending requests on sign-out', async () => {
    const { user } = await openPlaying()
    const late = Promise.withResolvers<void>()
    async function* rest() {
      await late.promise
      yield makeTracks(3)
    }
    const shuffled = startList({ loaded: makeTracks(1), rest }, { shuffle: true })
    await waitFor(async () => expect(await readQueue(freeMember.id)).not.toBeNull())
    await user.click(
      screen.getAllByRole('button', { name: /log ?out|sign out/i })[0] as HTMLElement,
    )
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Player' })).toBeNull())
    late.resolve()
    await shuffled
    expect(state().queue.entries).toEqual([])
    expect(document.querySelector(playersOwn)).toBeNull()
    expect(await readQueue(freeMember.id)).toBeNull()
  })
})

describe('panels and dialogs', () => {
  test('moves the focus to the lyrics panel and back on Escape', async () => {
    const { bar, user, answers: all } = await openPlaying()
    all[`GET /api/tracks/${makeTrack(2).id}`] = makeTrackDetail(2, {
      lyrics: '[00:01.00]One\n[00:05.00]Two',
    })
    act(() => playTracks(makeTracks(3), { startIndex: 1 }))
    await user.click(button(bar, 'Lyrics'))
    const panel = await screen.findByRole('complementary', { name: 'Lyrics' })
    expect(document.activeElement).toBe(panel)
    act(() => reportProgress(6, 180))
    const line = await within(panel).findByRole('button', { name: 'Two' })
    expect(line.getAttribute('aria-current')).toBe('true')
    await user.click(within(panel).getByRole('button', { name: 'One' }))
    expect(state().seek.seconds).toBe(1)
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('complementary', { name: 'Lyrics' })).toBeNull()
    expect(document.activeElement).toBe(button(bar, 'Lyrics'))
  })

  test('changes sleep timer, speed, crossfade and loudness', async () => {
    const { bar, user } = await openPlaying()
    await user.click(button(bar, 'Sound and sleep timer'))
    const panel = within(
      await screen.findByRole('complementary', { name: 'Sound and sleep timer' }),
    )
    await user.click(await panel.findByRole('button', { name: 'End of track' }))
    expect(state().sleep).toEqual({ kind: 'end-of-track' })
    await user.click(panel.getByRole('button', { name: '30 min' }))
    expect(panel.getByText('30:00 left')).toBeTruthy()
    await user.click(panel.getByRole('button', { name: '1.5×' }))
    await user.click(panel.getByRole('switch', { name: 'Normalize volume' }))
    expect(state().settings).toMatchObject({ speed: 1.5, levelling: false })
    const crossfade = panel.getByRole<HTMLInputElement>('slider', { name: 'Crossfade' })
    expect([crossfade.min, crossfade.max]).toEqual(['0', '12'])
  })

  test('shows every control in the full player, which Escape closes', async () => {
    const { bar, user } = await openPlaying()
    await user.click(button(bar, 'Full player'))
    const full = within(await screen.findByRole('dialog', { name: 'Full player' }))
    for (const name of [
      'Shuffle',
      'Previous',
      'Pause',
      'Next',
      'Repeat',
      'Lyrics',
      'Queue',
      'Mute',
    ]) {
      expect(full.getByRole('button', { name })).toBeTruthy()
    }
    expect(full.getByRole('heading', { name: 'Track 1' })).toBeTruthy()
    expect(full.getByText('Evening')).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(usePlayerView.getState().isFull).toBe(false)
  })

  test('collapses the bar to the mini player and expands it again', async () => {
    const { bar, user } = await openPlaying()
    await user.click(button(bar, 'Mini player'))
    const mini = within(screen.getByRole('region', { name: 'Player' }))
    expect(mini.queryByRole('slider')).toBeNull()
    await user.click(button(mini, 'Pause'))
    expect(state().playing).toBe(false)
    await user.click(button(mini, 'Exit mini player'))
    expect(screen.getByRole('slider', { name: 'Seek' })).toBeTruthy()
  })

  test('lists the keyboard shortcuts in the help sheet and turns them off there', async () => {
    const { user } = await openPlaying()
    await user.keyboard('?')
    const sheet = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
    expect(sheet.getByText('Play or pause')).toBeTruthy()
    await user.click(sheet.getByRole('switch', { name: 'Use keyboard shortcuts' }))
    await user.keyboard('{Escape}')
    await user.keyboard('m')
    expect(state().muted).toBe(false)
  })
})
