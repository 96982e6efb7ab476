// Makes the hero interactive: handles its buttons and shows the player's state. It works on the server-rendered page
// before the app is loaded, and on the same page under React. React renders the hero in its initial state and leaves
// all changes to this module, so hydration changes nothing visible or audible. Invariant: only attributes and the
// clock's text change here.
import type { ShowcaseTrack } from '#contract/showcase-tracks.ts'
import { formatClock } from '../../base/format/format-clock.ts'
import { drawWaveform } from './draw-waveform.ts'
import { placeInFan } from './place-in-fan.ts'
import { previewPlayer, type StagePlayer } from './preview-player.ts'

/** Attributes that identify the parts of the hero. */
const parts = {
  place: '[data-fan-place]',
  cover: '[data-cover]',
  deckButton: '[data-deck]',
  toggle: '[data-deck=toggle]',
  words: '[data-words]',
  failure: '[data-failure]',
  clock: '[data-clock]',
  waveform: '[data-waveform]',
  seek: '[data-seek]',
}

let leaveStage: (() => void) | undefined

/** Connects the hero to a player, and disconnects the previous player. Returns a function that disconnects the hero. */
export function attachStage(
  hero: HTMLElement,
  tracks: readonly ShowcaseTrack[],
  player: StagePlayer = previewPlayer,
): () => void {
  leaveStage?.()
  const listening = new AbortController()
  const { signal } = listening
  player.setTracks(tracks)
  hero.addEventListener('click', pressed, { signal })
  hero.addEventListener('input', onSeekInput, { signal })
  const unsubscribe = player.subscribe(show)
  const sizes = new ResizeObserver(() => drawPeaks())
  const box = waveform()
  if (box) sizes.observe(box)
  let frame = 0
  show()

  function pressed({ target }: Event): void {
    const button = (target as Element).closest<HTMLElement>(`${parts.cover}, ${parts.deckButton}`)
    if (!button || tracks.length === 0) return
    const { index } = player.read()
    const { cover, deck } = button.dataset
    if (cover !== undefined) player.toggle(Number(cover))
    else if (deck === 'toggle') player.toggle(index)
    else player.pick(index + (deck === 'next' ? 1 : -1))
  }

  function onSeekInput({ target }: Event): void {
    if ((target as Element).matches(parts.seek)) {
      player.seek((target as HTMLInputElement).valueAsNumber)
    }
  }

  function show(): void {
    showState(hero, tracks, player)
    drawPeaks()
    cancelAnimationFrame(frame)
    startDrawing()
  }

  /** Draws the progress on every frame while a track plays. */
  function startDrawing(): void {
    const track = tracks[player.read().index]
    const lengthSeconds = track ? player.lengthSeconds(track) : 0
    const played = lengthSeconds > 0 ? Math.min(1, player.readSeconds() / lengthSeconds) : 0
    waveform()?.style.setProperty('--played', String(played))
    if (player.read().sound === 'playing') frame = requestAnimationFrame(startDrawing)
  }

  function drawPeaks(): void {
    const box = waveform()
    if (box) drawWaveform(box, tracks[player.read().index]?.peaks ?? null)
  }

  function waveform(): HTMLElement | null {
    return hero.querySelector<HTMLElement>(parts.waveform)
  }

  const leave = () => {
    listening.abort()
    unsubscribe()
    sizes.disconnect()
    cancelAnimationFrame(frame)
    if (leaveStage === leave) leaveStage = undefined
  }
  leaveStage = leave
  return leave
}

function showState(hero: HTMLElement, tracks: readonly ShowcaseTrack[], player: StagePlayer): void {
  const { index, sound, elapsedSeconds } = player.read()
  const track = tracks[index]
  hero.toggleAttribute('data-playing', sound === 'playing')
  hero.style.setProperty('--cover-tint', track?.cover_tint ?? '')
  hero.querySelectorAll<HTMLElement>(parts.place).forEach((place, at) => {
    turn(place, at, index, tracks.length)
  })
  hero.querySelectorAll<HTMLElement>(parts.cover).forEach((cover, at) => {
    const title = `${tracks[at]?.title ?? ''} by ${tracks[at]?.artist ?? ''}`
    name(cover, title, at === index ? sound : 'paused')
  })
  for (const toggle of hero.querySelectorAll<HTMLElement>(parts.toggle)) {
    name(toggle, player.noun, sound)
    toggle.dataset['tooltip'] = toggle.getAttribute('aria-label') ?? ''
  }
  hero.querySelectorAll<HTMLElement>(parts.words).forEach((words, at) => {
    words.hidden = at !== index
  })
  for (const line of hero.querySelectorAll<HTMLElement>(parts.failure)) {
    line.hidden = sound !== 'failed'
  }
  showTime(hero, elapsedSeconds, track ? player.lengthSeconds(track) : 0)
}

function turn(element: HTMLElement, index: number, front: number, count: number): void {
  const { place, distance, zIndex, isFront, isBehind } = placeInFan(index, front, count)
  element.style.setProperty('--place', String(place))
  element.style.setProperty('--distance', String(distance))
  element.style.zIndex = String(zIndex)
  element.toggleAttribute('data-front', isFront)
  element.toggleAttribute('data-behind', isBehind)
}

function name(button: HTMLElement, what: string, sound: string): void {
  const isSounding = sound === 'playing' || sound === 'waiting'
  button.setAttribute('aria-label', `${isSounding ? 'Pause' : 'Play'} ${what}`)
  button.dataset['sound'] = sound
}

function showTime(hero: HTMLElement, seconds: number, lengthSeconds: number): void {
  const [now, whole] = [formatClock(seconds), formatClock(lengthSeconds)]
  const text = `${now} / ${whole}`
  for (const clock of hero.querySelectorAll(parts.clock)) {
    // The position changes several times a second; update the text only once a second.
    if (clock.textContent !== text) clock.textContent = text
  }
  for (const seek of hero.querySelectorAll<HTMLInputElement>(parts.seek)) {
    seek.max = String(lengthSeconds)
    seek.value = String(Math.floor(Math.min(seconds, lengthSeconds)))
    seek.setAttribute('aria-valuetext', `${now} of ${whole}`)
  }
}
