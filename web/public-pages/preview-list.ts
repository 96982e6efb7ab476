// Plays the previews of a page that the server drew: one audio element for all its buttons, one preview at a time.

export interface PlayerState {
  /** Address of the preview page's track: `/t/{slug}`. */
  path: string
  title: string
  isPlaying: boolean
  seconds: number
  duration: number
}

export interface PreviewList {
  play: () => void
  pause: () => void
  seek: (seconds: number) => void
  read: () => PlayerState
}

type Change = 'play' | 'pause' | 'time' | 'ended' | 'error'

/** Takes over the buttons in `root`. Calls `onChange` for every event. */
export function attachPreviews(
  root: ParentNode,
  onChange: (change: Change, state: PlayerState) => void,
): PreviewList | null {
  const buttons = [...root.querySelectorAll<HTMLButtonElement>('[data-preview]')]
  const [first] = buttons
  if (!first) return null
  const audio = new Audio()
  audio.preload = 'none'
  let current = first
  const seek = root.querySelector<HTMLElement>('[data-seek]')
  const range = seek?.querySelector('input')

  const read = (): PlayerState => ({
    path: (current.dataset['preview'] ?? '').replace(/\/preview\.m4a.*$/, ''),
    title: current.dataset['title'] ?? '',
    isPlaying: !audio.paused,
    seconds: audio.currentTime,
    duration: Number(current.dataset['seconds'] ?? 0),
  })

  function load(button: HTMLButtonElement): void {
    const address = button.dataset['preview'] ?? ''
    current = button
    if (audio.getAttribute('src') !== address) audio.src = address
  }

  function play(button = current): void {
    load(button)
    say('')
    audio.play().catch((error: unknown) => {
      // Another press aborts the pending play(), which is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) fail()
    })
  }

  function fail(): void {
    say('The preview could not be played. Please try again.')
    draw()
    onChange('error', read())
  }

  function say(words: string): void {
    const status = root.querySelector('[data-status]')
    if (status) status.textContent = words
  }

  /** The main button is a second one for its track. */
  function isCurrent(button: HTMLButtonElement): boolean {
    return button.dataset['preview'] === current.dataset['preview']
  }

  function draw(): void {
    const isSounding = !audio.paused && !audio.error
    for (const button of buttons) {
      const isOn = isSounding && isCurrent(button)
      button.toggleAttribute('data-playing', isOn)
      button.ariaLabel = `${isOn ? 'Pause' : 'Play'} preview of ${button.dataset['title'] ?? ''}`
      const word = button.querySelector('[data-play-word]')
      if (word) word.textContent = isOn ? 'Pause' : 'Play preview'
    }
  }

  function drawTime(): void {
    const { seconds, duration } = read()
    const whole = Number.isFinite(audio.duration) ? audio.duration : duration
    seek?.style.setProperty('--played', `${(seconds / Math.max(1, whole)) * 100}%`)
    if (range) {
      range.max = String(whole)
      range.value = String(seconds)
      range.setAttribute('aria-valuetext', formatSeconds(seconds))
    }
    const elapsed = seek?.querySelector('[data-elapsed]')
    if (elapsed) elapsed.textContent = formatSeconds(seconds)
  }

  for (const button of buttons) {
    button.addEventListener('click', () => {
      if (isCurrent(button) && !audio.paused) audio.pause()
      else play(button)
    })
    // The connection and the first bytes are on their way before the click ends.
    button.addEventListener('pointerdown', () => {
      if (audio.paused) load(button)
      audio.preload = 'auto'
    })
  }
  range?.addEventListener('input', () => {
    load(current)
    audio.currentTime = Number(range.value)
    drawTime()
  })
  audio.addEventListener('play', () => (draw(), onChange('play', read())))
  audio.addEventListener('pause', () => (draw(), onChange('pause', read())))
  audio.addEventListener('timeupdate', () => (drawTime(), onChange('time', read())))
  audio.addEventListener('error', fail)
  audio.addEventListener('ended', () => {
    onChange('ended', read())
    const list = buttons.filter((button) => button.closest('.track'))
    const next = list[list.findIndex(isCurrent) + 1]
    if (next) return play(next)
    audio.currentTime = 0
    draw()
  })
  return {
    play: () => play(),
    pause: () => audio.pause(),
    seek(seconds) {
      load(current)
      audio.currentTime = seconds
    },
    read,
  }
}

export function formatSeconds(seconds: number): string {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
