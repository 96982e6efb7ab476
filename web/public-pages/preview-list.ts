// Plays the previews of a server-rendered page: one audio element for all buttons, one preview at a time.

export interface PlayerState {
  /** Path of the track's public page: `/t/{slug}`. */
  path: string
  title: string
  isPlaying: boolean
  seconds: number
  duration: number
}

type Change = 'play' | 'pause' | 'time' | 'ended' | 'error'
type Listener = (change: Change, state: PlayerState) => void

/** Connects to the buttons in `root`. Returns null if there are none. Calls `onChange` on every event. */
export function attachPreviews(root: ParentNode, onChange: Listener): PreviewList | null {
  const buttons = [...root.querySelectorAll<HTMLButtonElement>('[data-preview]')]
  const [first] = buttons
  return first ? new PreviewList(root, buttons, first, onChange) : null
}

class PreviewList {
  readonly #root: ParentNode
  readonly #buttons: readonly HTMLButtonElement[]
  readonly #onChange: Listener
  readonly #audio = new Audio()
  readonly #seek: HTMLElement | null
  readonly #range: HTMLInputElement | null
  #current: HTMLButtonElement

  constructor(
    root: ParentNode,
    buttons: readonly HTMLButtonElement[],
    first: HTMLButtonElement,
    onChange: Listener,
  ) {
    this.#root = root
    this.#buttons = buttons
    this.#current = first
    this.#onChange = onChange
    this.#seek = root.querySelector<HTMLElement>('[data-seek]')
    this.#range = this.#seek?.querySelector('input') ?? null
    this.#audio.preload = 'none'
    for (const button of buttons) this.#attach(button)
    this.#range?.addEventListener('input', () => {
      this.seek(Number(this.#range?.value))
      this.#drawTime()
    })
    this.#addListeners()
  }

  play(button = this.#current): void {
    this.#load(button)
    this.#showStatus('')
    this.#audio.play().catch((error: unknown) => {
      // A newer press aborts the pending play(), which is not an error.
      if (!(error instanceof DOMException && error.name === 'AbortError')) this.#fail()
    })
  }

  pause(): void {
    this.#audio.pause()
  }

  seek(seconds: number): void {
    this.#load(this.#current)
    this.#audio.currentTime = seconds
  }

  read(): PlayerState {
    const { preview = '', title = '', seconds = '0' } = this.#current.dataset
    return {
      path: preview.replace(/\/preview\.m4a.*$/, ''),
      title,
      isPlaying: !this.#audio.paused,
      seconds: this.#audio.currentTime,
      duration: Number(seconds),
    }
  }

  #attach(button: HTMLButtonElement): void {
    button.addEventListener('click', () => {
      if (this.#isCurrent(button) && !this.#audio.paused) this.pause()
      else this.play(button)
    })
    // Loads the start of a preview when a mouse pointer is over its button. A touch loads nothing before the press.
    button.addEventListener('pointerenter', ({ pointerType }) => {
      if (pointerType === 'mouse') this.#warm(button)
    })
    // Loads the preview when its button gets the focus from the keyboard. Only the main button does this, because Tab
    // passes all buttons of a list.
    button.addEventListener('focus', () => {
      if (button.matches('.play-main:focus-visible')) this.#warm(button)
    })
    // Start loading on pointerdown, which precedes the click event.
    button.addEventListener('pointerdown', () => {
      this.#audio.preload = 'auto'
      if (this.#audio.paused) this.#load(button)
    })
  }

  #addListeners(): void {
    const audio = this.#audio
    audio.addEventListener('play', () => this.#change('play'))
    audio.addEventListener('pause', () => this.#change('pause'))
    audio.addEventListener('error', () => {
      // Ignore a failed preload: the user has not pressed play.
      if (!audio.paused) this.#fail()
    })
    audio.addEventListener('ended', () => this.#end())
    audio.addEventListener('timeupdate', () => {
      this.#drawTime()
      this.#onChange('time', this.read())
    })
  }

  #change(change: Change): void {
    this.#draw()
    this.#onChange(change, this.read())
  }

  /** In a list, continue with the next preview. */
  #end(): void {
    this.#onChange('ended', this.read())
    const list = this.#buttons.filter((button) => button.closest('.track'))
    const next = list[list.findIndex((button) => this.#isCurrent(button)) + 1]
    if (next && list.length > 1) return this.play(next)
    this.#audio.currentTime = 0
    this.#draw()
  }

  #fail(): void {
    this.#showStatus('The preview could not be played. Please try again.')
    this.#change('error')
  }

  #load(button: HTMLButtonElement): void {
    const address = button.dataset['preview'] ?? ''
    this.#current = button
    const isLoaded = this.#audio.getAttribute('src') === address && !this.#audio.error
    if (!isLoaded) this.#audio.src = address
  }

  /**
   * Loads the start of a preview that may be played next. Does not replace a paused preview, because it has a position.
   */
  #warm(button: HTMLButtonElement): void {
    const audio = this.#audio
    const address = button.dataset['preview'] ?? ''
    if (!audio.paused || audio.currentTime > 0 || audio.getAttribute('src') === address) return
    audio.preload = 'metadata'
    audio.src = address
  }

  #showStatus(message: string): void {
    const status = this.#root.querySelector('[data-status]')
    if (status) status.textContent = message
  }

  /**
   * True if the button plays the current preview. The main button plays the same preview as the button of its track, so
   * compare paths.
   */
  #isCurrent(button: HTMLButtonElement): boolean {
    return button.dataset['preview'] === this.#current.dataset['preview']
  }

  #draw(): void {
    const isSounding = !this.#audio.paused && !this.#audio.error
    for (const button of this.#buttons) {
      const isOn = isSounding && this.#isCurrent(button)
      button.toggleAttribute('data-playing', isOn)
      button.ariaLabel = `${isOn ? 'Pause' : 'Play'} preview of ${button.dataset['title'] ?? ''}`
      const word = button.querySelector('[data-play-word]')
      if (word) word.textContent = isOn ? 'Pause' : 'Play preview'
    }
  }

  #drawTime(): void {
    const { seconds, duration } = this.read()
    const whole = Number.isFinite(this.#audio.duration) ? this.#audio.duration : duration
    this.#seek?.style.setProperty('--played', `${(seconds / Math.max(1, whole)) * 100}%`)
    if (this.#range) {
      this.#range.max = String(whole)
      this.#range.value = String(seconds)
      this.#range.setAttribute('aria-valuetext', formatSeconds(seconds))
    }
    const elapsed = this.#seek?.querySelector('[data-elapsed]')
    if (elapsed) elapsed.textContent = formatSeconds(seconds)
  }
}

function formatSeconds(seconds: number): string {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
