import { afterEach, beforeEach, expect, test } from 'vitest'
import { deviceId } from './device-id.ts'
import { pauseForOtherTabs } from './other-tabs.ts'
import { pause, play, playTracks, skipNext } from './player-actions.ts'
import { initialPlayerState, usePlayer } from './player-store.ts'
import { makeTracks } from '../../../testing/track-fixture.ts'

let otherTab: BroadcastChannel
let heard: number[]
let lateTab: BroadcastChannel
let received: number[]
let end: () => void
const state = () => usePlayer.getState()

beforeEach(() => {
  localStorage.clear()
  usePlayer.setState(initialPlayerState, true)
  otherTab = new BroadcastChannel('velour-playing')
  heard = []
  otherTab.addEventListener('message', ({ data }) => heard.push(data as number))
  end = pauseForOtherTabs()
  // Created after the channel of this tab, so that this channel receives each message later.
  lateTab = new BroadcastChannel('velour-playing')
  received = []
  lateTab.addEventListener('message', ({ data }) => received.push(data as number))
})
afterEach(() => {
  end()
  lateTab.close()
  otherTab.close()
})

test('pauses when another tab starts to play, and can take over again', async () => {
  playTracks(makeTracks(2))
  await expect.poll(() => heard).toHaveLength(1)
  otherTab.postMessage(heard[0]! + 1)
  await expect.poll(() => state().playing).toBe(false)
  expect(state().problem).toEqual({ kind: 'elsewhere', where: 'tab', cap: null })
  play()
  await expect.poll(() => heard).toHaveLength(2)
  expect(state()).toMatchObject({ playing: true, problem: null })
})

test('announces the start of playback once, not for each track', async () => {
  playTracks(makeTracks(2))
  skipNext()
  pause()
  play()
  await expect.poll(() => heard).toHaveLength(2)
})

test('leaves a paused tab unchanged, without a notice', async () => {
  playTracks(makeTracks(1))
  pause()
  const laterMs = Date.now() + 1000
  otherTab.postMessage(laterMs)
  await expect.poll(() => received).toContain(laterMs)
  expect(state()).toMatchObject({ playing: false, problem: null })
})

test('does not pause the newer of two tabs that start together', async () => {
  playTracks(makeTracks(1))
  await expect.poll(() => heard).toHaveLength(1)
  const earlierMs = heard[0]! - 1
  otherTab.postMessage(earlierMs)
  await expect.poll(() => received).toContain(earlierMs)
  expect(state()).toMatchObject({ playing: true, problem: null })
})

test('uses one device id in all tabs, and a different one for each account', () => {
  const ada = deviceId('ada')
  expect(ada).toMatch(/^[0-9a-f-]{36}$/)
  expect(deviceId('ada')).toBe(ada)
  expect(deviceId('grace')).not.toBe(ada)
  localStorage.setItem('velour-device-id:ada', '"no id"')
  expect(deviceId('ada')).toMatch(/^[0-9a-f-]{36}$/)
})
