// The script of an embed. It posts the state of playback to the embedding page, and accepts commands only from it. See
// docs/embeds.md.
import './page-styles.ts'
import './embed.css'
import { attachPreviews } from './preview-list.ts'

const prefix = 'velour:'

followSystem()
const player = attachPreviews(document, (change, state) => postToParent(change, state))
if (player) {
  addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || source === window) return
    const { type, seconds } = (data ?? {}) as { type?: unknown; seconds?: unknown }
    if (type === `${prefix}play`) player.play()
    else if (type === `${prefix}pause`) player.pause()
    else if (type === `${prefix}seek` && typeof seconds === 'number' && seconds >= 0) {
      player.seek(seconds)
    }
  })
  postToParent('ready', player.read())
}

/** Posts to any origin, because the state contains nothing secret. */
function postToParent(type: string, state: object): void {
  if (window.parent !== window) {
    window.parent.postMessage({ type: prefix + type, ...state }, '*')
  }
}

/** Follows the system's color scheme, unless the URL names a theme. */
function followSystem(): void {
  const root = document.documentElement
  if (root.dataset['theme'] !== 'auto') return
  const light = matchMedia('(prefers-color-scheme: light)')
  const apply = () =>
    root.setAttribute('data-mantine-color-scheme', light.matches ? 'light' : 'dark')
  apply()
  light.addEventListener('change', apply)
}
