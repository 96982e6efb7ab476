// The script of a public page: previews, sharing, copying. The server renders everything else, which works without it.
import './page-styles.ts'
import { attachPreviews } from './preview-list.ts'

attachPreviews(document, () => {})
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-share]')) {
  attachShare(button)
}
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
  button.addEventListener('click', () => void copyBefore(button))
}

/** Counts a share for the owner's insights. Sends only the page, nothing about the visitor. */
function countShare(): void {
  const { kind, slug } = document.querySelector('main')?.dataset ?? {}
  void fetch('/api/page-shares', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind, slug }),
    keepalive: true,
  }).catch(() => {})
}

/** Connects the share button. Phones use the system's share sheet. In other browsers the popover opens without a script. */
function attachShare(button: HTMLButtonElement): void {
  button.addEventListener('click', countShare)
  if (typeof navigator.share !== 'function' || !matchMedia('(pointer: coarse)').matches) return
  button.removeAttribute('popovertarget')
  button.addEventListener('click', () => {
    const url = document.querySelector<HTMLLinkElement>('link[rel="canonical"]')?.href
    // A canceled share is not an error.
    navigator
      .share({ title: button.dataset['title'] ?? '', url: url ?? location.href })
      .catch(() => {})
  })
}

async function copyBefore(button: HTMLButtonElement): Promise<void> {
  const field = button.previousElementSibling?.querySelector<HTMLInputElement>('[data-copied]')
  const status = button.parentElement?.querySelector('[data-copy-status]')
  if (!field) return
  field.select()
  try {
    await navigator.clipboard.writeText(field.value)
    if (status) status.textContent = 'Copied.'
  } catch {
    if (status) status.textContent = 'Press Ctrl+C or ⌘C to copy.'
  }
}
