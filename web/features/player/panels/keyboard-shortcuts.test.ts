import '../../../testing/browser-gaps.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { handleShortcuts, playerCommands } from './keyboard-shortcuts.ts'
import { changeSettings, playTracks } from '../playback/player-actions.ts'
import { setListener } from '../playback/player-reports.ts'
import { initialPlayerState, selectTrack, usePlayer } from '../playback/player-store.ts'
import { makeTracks } from '../../../testing/track-fixture.ts'
import { initialPlayerView, usePlayerView } from '../playback/player-view.ts'

const state = () => usePlayer.getState()
const toggleLike = vi.fn<() => void>()
let stop: () => void

beforeEach(() => {
  usePlayer.setState(initialPlayerState, true)
  usePlayerView.setState(initialPlayerView, true)
  setListener({ user_id: 'ada', is_premium: true })
  playTracks(makeTracks(3))
  usePlayer.setState({ positionSeconds: 60 })
  stop = handleShortcuts(() => ({ toggleLike }))
})
afterEach(() => {
  stop()
  document.body.innerHTML = ''
  toggleLike.mockClear()
})

/** Presses a key on an element that is created from HTML. Returns true if the page handled the key. */
function press(key: string, html = '', init: KeyboardEventInit = {}): boolean {
  document.body.innerHTML = html
  const target =
    document.querySelector('[data-target]') ?? document.body.firstElementChild ?? document.body
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init })
  return !target.dispatchEvent(event)
}

describe('shortcuts', () => {
  test('plays and pauses with Space', () => {
    expect(press(' ')).toBe(true)
    expect(state().playing).toBe(false)
    press(' ')
    expect(state().playing).toBe(true)
  })

  test('seeks by 5 seconds and changes the volume by 5 with the arrow keys', () => {
    press('ArrowLeft')
    expect(state().positionSeconds).toBe(55)
    press('ArrowRight')
    expect(state().positionSeconds).toBe(60)
    press('ArrowUp')
    expect(state().volume).toBe(75)
    press('ArrowDown')
    expect(state().volume).toBe(70)
  })

  test('changes the track with letters and with Shift and arrows', () => {
    const title = () => selectTrack(state())?.title
    press('n')
    expect(title()).toBe('Track 2')
    press('ArrowRight', '', { shiftKey: true })
    expect(title()).toBe('Track 3')
    press('P', '', { shiftKey: true })
    press('ArrowLeft', '', { shiftKey: true })
    expect(title()).toBe('Track 1')
  })

  test('runs the commands of the other letters', () => {
    press('m')
    press('s')
    press('r')
    press('l')
    press('?', '', { shiftKey: true })
    expect(state().muted).toBe(true)
    expect(state().queue.original).not.toBeNull()
    expect(state().queue.repeat).toBe('all')
    expect(toggleLike).toHaveBeenCalledOnce()
    expect(usePlayerView.getState().isHelpOpen).toBe(true)
  })

  test('focuses the search field with the slash', () => {
    expect(press('/', '<p></p><search role="search"><input id="search"></search>')).toBe(true)
    expect(document.activeElement?.id).toBe('search')
  })

  test('does nothing while shortcuts are turned off', () => {
    changeSettings({ shortcuts: false })
    expect(press('n')).toBe(false)
  })

  test('handles only search and help when no track is loaded', () => {
    usePlayer.setState(initialPlayerState, true)
    expect(press(' ')).toBe(false)
    expect(press('?')).toBe(true)
  })
})

describe('does not handle', () => {
  test.each([
    [' ', '<input type="text">'],
    ['n', '<input>'],
    ['/', '<textarea></textarea>'],
    ['m', '<select></select>'],
    [' ', '<div contenteditable="true"></div>'],
    [' ', '<button></button>'],
    [' ', '<button><span data-target></span></button>'],
    [' ', '<input type="checkbox">'],
    ['ArrowLeft', '<input type="range">'],
    ['ArrowDown', '<div role="menu"><button data-target></button></div>'],
    ['n', '<div role="menu"><button data-target></button></div>'],
    [' ', '<dialog open><p data-target></p></dialog>'],
    ['n', '<p data-target></p><dialog open></dialog>'],
  ])('%s on %s', (key, html) => {
    const before = state()
    expect(press(key, html)).toBe(false)
    expect(state()).toBe(before)
  })

  test.each(['ctrlKey', 'metaKey', 'altKey'])('a letter with %s', (modifier) => {
    expect(press('n', '', { [modifier]: true })).toBe(false)
  })

  test('a key that another handler has already used', () => {
    const use = (event: Event) => event.preventDefault()
    document.addEventListener('keydown', use)
    press('n')
    document.removeEventListener('keydown', use)
    expect(selectTrack(state())?.title).toBe('Track 1')
  })

  test('repeated events of a held key, except arrows', () => {
    expect(press('n', '', { repeat: true })).toBe(false)
    expect(press('ArrowRight', '', { repeat: true })).toBe(true)
  })
})

test('handles Space on the seek slider and letters on a button', () => {
  expect(press(' ', '<input type="range">')).toBe(true)
  expect(press('n', '<button></button>')).toBe(true)
  expect(press(' ', '<dialog open data-player><p data-target></p></dialog>')).toBe(true)
})

describe('Space on a control', () => {
  const page = '<button id="next">Next</button><input id="shuffle" type="checkbox">'

  beforeEach(() => {
    document.body.innerHTML = page
  })

  function click(id: string) {
    const element = document.getElementById(id)!
    element.dispatchEvent(new Event('pointerdown', { bubbles: true }))
    element.focus()
  }

  function pressFocused(key: string): boolean {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    return !document.activeElement!.dispatchEvent(event)
  }

  test.each(['next', 'shuffle'])('plays and pauses after a click on %s', (id) => {
    click(id)
    expect(pressFocused(' ')).toBe(true)
    expect(state().playing).toBe(false)
    const release = new KeyboardEvent('keyup', { key: ' ', bubbles: true, cancelable: true })
    expect(document.activeElement!.dispatchEvent(release)).toBe(false)
    expect(pressFocused(' ')).toBe(true)
    expect(state().playing).toBe(true)
  })

  test('still plays and pauses if other keys were pressed after the click', () => {
    click('next')
    pressFocused('m')
    expect(pressFocused(' ')).toBe(true)
  })

  test('presses the control if it was focused by keyboard', () => {
    click('shuffle')
    pressFocused('Tab')
    document.getElementById('next')!.focus()
    expect(pressFocused(' ')).toBe(false)
    expect(state().playing).toBe(true)
  })

  test('plays and pauses after a click on a control that was focused by keyboard', () => {
    pressFocused('Tab')
    document.getElementById('next')!.focus()
    click('next')
    expect(pressFocused(' ')).toBe(true)
  })

  test.each([
    ['a text field', '<input id="field">'],
    ['an item of a menu', '<div role="menu"><button id="field"></button></div>'],
    ['a button of a dialog', '<dialog open><button id="field"></button></dialog>'],
  ])('leaves Space to %s, even after a click', (_, html) => {
    document.body.innerHTML = html
    click('field')
    expect(pressFocused(' ')).toBe(false)
    expect(state().playing).toBe(true)
  })

  test('plays and pauses on a clicked tab', () => {
    document.body.innerHTML = '<div role="tablist"><button id="tab" role="tab"></button></div>'
    click('tab')
    expect(pressFocused(' ')).toBe(true)
  })
})

test('assigns each key to one command', () => {
  const keys = playerCommands.flatMap((command) => command.keys)
  expect(new Set(keys).size).toBe(keys.length)
})
