// Browser features that components need and jsdom lacks. Import for its side effects.

/** Opens the dialog and focuses its first control. Restores the focus when the dialog closes. */
function installModalDialogs(): void {
  const openers = new WeakMap<HTMLDialogElement, Element | null>()
  HTMLDialogElement.prototype.showModal = function showModal() {
    if (this.open) throw new DOMException('The dialog is open already.', 'InvalidStateError')
    openers.set(this, document.activeElement)
    this.setAttribute('open', '')
    this.querySelector<HTMLElement>('button, input, select, textarea, a[href]')?.focus()
  }
  HTMLDialogElement.prototype.close = function close() {
    if (!this.open) return
    this.removeAttribute('open')
    const opener = openers.get(this)
    if (opener instanceof HTMLElement) opener.focus()
    this.dispatchEvent(new Event('close'))
  }
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    const topmost = [...document.querySelectorAll('dialog[open]')].at(-1)
    topmost?.dispatchEvent(new Event('cancel', { cancelable: true }))
  })
}

/** Simulates popovers: jsdom can't open them, and always hides elements with `popover`. */
function installPopovers(): void {
  HTMLElement.prototype.showPopover = function showPopover() {
    this.style.display = 'block'
  }
  HTMLElement.prototype.hidePopover = function hidePopover() {
    this.style.display = ''
  }
}

/** Simulates media elements without sound. Playback is tested in a real browser. */
function installMediaElements(): void {
  HTMLMediaElement.prototype.pause = () => {}
  HTMLMediaElement.prototype.load = () => {}
}

function installObserversOfLayout(): void {
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  globalThis.matchMedia ??= (media: string) =>
    Object.assign(new EventTarget(), {
      matches: false,
      media,
      onchange: null,
      addListener() {},
      removeListener() {},
    })
  globalThis.scrollTo = () => {}
}

installModalDialogs()
installPopovers()
installMediaElements()
installObserversOfLayout()
