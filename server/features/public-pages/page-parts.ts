// Parts that public pages and embeds share: cover, waveform, track list.
import { aiDisclosureLabels, type AiDisclosure } from '#contract/fields/ai-disclosure.ts'
import { pagePath, pressParam } from '#contract/public-pages.ts'
import { html, Html } from './html.ts'
import type { PageCover, PageName } from './page-facts.ts'
import { previewPath, type PageTrack } from './page-tracks.ts'
import { formatDuration } from './page-texts.ts'

const widths = [128, 384, 1024] as const

export function renderCover(
  { cover_id, cover_tint, cover_placeholder }: PageCover,
  { title, sizes, eager = false }: { title: string; sizes: string; eager?: boolean },
): Html {
  if (!cover_id) {
    return html`<span class="cover cover-empty" aria-hidden="true"
      >${[...title][0]?.toUpperCase()}</span
    >`
  }
  const set = (format: string) =>
    widths.map((width) => `/media/covers/${cover_id}/${width}.${format} ${width}w`).join(', ')
  return html`<span class="cover" style="background-color:${cover_tint ?? 'transparent'}"
    ><picture
      ><source type="image/avif" srcset="${set('avif')}" sizes="${sizes}" />
      <img
        src="/media/covers/${cover_id}/384.webp"
        srcset="${set('webp')}"
        sizes="${sizes}"
        alt=""
        width="384"
        height="384"
        decoding="async"
        ${eager ? new Html('fetchpriority="high"') : new Html('loading="lazy"')}
        style="background-image:url('${cover_placeholder ?? ''}')" /></picture
  ></span>`
}

/** Renders names as links to their pages, with the text between them. */
export function renderNames(names: readonly PageName[]): Html[] {
  return names.map(({ name, slug, joiner }, at) => {
    const between = at < names.length - 1 ? joiner : ''
    return slug
      ? html`<a href="${pagePath('artist', slug)}">${name}</a>${between}`
      : html`${name}${between}`
  })
}

const barCount = 120
const barHeight = 64

/**
 * Draws a waveform with one bar per section, as high as the section's maximum. The SVG is included twice: the upper
 * copy is clipped at the playback position.
 */
export function renderWaveform(peaks: Uint8Array | null): Html {
  const path = barHeights(peaks, barCount)
    .map((loudness, bar) => {
      const reach = Math.max(2, loudness * (barHeight - 4))
      return `M${bar * 5 + 2.5} ${((barHeight - reach) / 2).toFixed(1)}v${reach.toFixed(1)}`
    })
    .join('')
  const drawing = html`<svg
    viewBox="0 0 ${barCount * 5} ${barHeight}"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <path d="${path}"></path>
  </svg>`
  return html`<span class="wave" data-wave
    >${drawing}<span class="wave-played">${drawing}</span></span
  >`
}

/** The heights of a waveform's bars, from 0 to 1. All are low and equal if the track has no measured peaks. */
export function barHeights(peaks: Uint8Array | null, count: number): number[] {
  return Array.from({ length: count }, (_, bar) => {
    if (!peaks || peaks.length === 0) return 0.12
    const from = Math.floor((bar * peaks.length) / count)
    const to = Math.max(from + 1, Math.floor(((bar + 1) * peaks.length) / count))
    return Math.max(...peaks.subarray(from, to)) / 255
  })
}

export function renderAiMark(disclosure: AiDisclosure): Html | null {
  return disclosure === 'human'
    ? null
    : html`<span class="ai-mark" title="${aiDisclosureLabels[disclosure]}"
        >AI<span class="unseen">: ${aiDisclosureLabels[disclosure]}</span></span
      >`
}

/**
 * A button that plays the preview. Null if there is no preview. `query` is the page's query string, because a press
 * link also opens its previews.
 */
export function renderPlayButton(
  track: PageTrack,
  press: string | null,
  isMain = false,
): Html | null {
  if (track.preview_seconds === null) return null
  return html`<button
    type="button"
    class="${isMain ? 'play play-main' : 'play'}"
    data-preview="${getPreviewUrl(track, press)}"
    data-seconds="${track.preview_seconds}"
    data-title="${track.title}"
    aria-label="Play preview of ${track.title}"
  >
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path class="icon-play" d="M8 5.2v13.6L19 12z"></path>
      <path class="icon-pause" d="M7 5h3.6v14H7zM13.4 5H17v14h-3.6z"></path></svg
    >${isMain && html`<span data-play-word>Play preview</span>`}
  </button>`
}

export function getPreviewUrl(track: PageTrack, press: string | null): string {
  return addPressSecret(previewPath(track), press)
}

export function addPressSecret(path: string, press: string | null): string {
  return press === null ? path : `${path}?${new URLSearchParams({ [pressParam]: press })}`
}

/** Renders a list of tracks. It is numbered if the artist chose the order. */
export function renderTracks(
  tracks: readonly PageTrack[],
  { press, numbered, target }: { press: string | null; numbered: boolean; target?: '_blank' },
): Html {
  const opens = target ? new Html(` target="${target}" rel="noopener"`) : ''
  return html`<ol class="tracks" ${numbered ? '' : new Html('role="list"')}>
    ${tracks.map(
      (track, at) =>
        html`<li class="track">
          <span class="track-lead"
            >${numbered ? html`<span class="track-number" data-numeric>${at + 1}</span>` : renderCover(track, { title: track.title, sizes: '48px' })}${renderPlayButton(track, press)}</span
          >
          <span class="track-words"
            ><a
              class="track-title"
              href="${addPressSecret(pagePath('track', track.slug), press)}"
              ${opens}
              >${track.title}</a
            >
            <span class="track-artist"
              >${track.explicit && html`<span class="ai-mark" title="Explicit">E</span> `}${track.artist}
              ${renderAiMark(track.ai_disclosure)}</span
            ></span
          >
          <span class="track-time" data-numeric>${formatDuration(track.duration)}</span>
        </li>`,
    )}
  </ol>`
}

/** Renders the browser's built-in player, for pages without scripts. */
export function renderPlainPlayers(tracks: readonly PageTrack[], press: string | null): Html {
  const shown = tracks.filter(({ preview_seconds }) => preview_seconds !== null)
  return html`<noscript
    ><ul class="plain">
      ${shown.map(
        (track) =>
          html`<li>
            <span>${track.title} <small>${track.artist}</small></span
            ><audio
              controls
              preload="none"
              src="${getPreviewUrl(track, press)}"
              aria-label="Preview of ${track.title}"
            ></audio>
          </li>`,
      )}
    </ul></noscript
  >`
}
