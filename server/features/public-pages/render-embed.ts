// Renders an embed: the player of a public page as a separate document, for iframes on other sites.
import { getIcons } from '../settings/emblem-files.ts'
import { html, type Html } from './html.ts'
import { renderAccentStyle } from './page-colors.ts'
import { assetTags } from './page-assets.ts'
import type { PageFacts } from './page-facts.ts'
import {
  renderAiMark,
  renderCover,
  renderPlainPlayers,
  renderPlayButton,
  renderTracks,
  renderWaveform,
} from './page-parts.ts'
import type { PageFrame } from './render-page.ts'
import { formatDuration, titleWithArtist } from './page-texts.ts'

export const embedThemes = ['auto', 'dark', 'light'] as const
export type EmbedTheme = (typeof embedThemes)[number]

export function renderEmbed(facts: PageFacts, frame: PageFrame, theme: EmbedTheme): string {
  const { branding, publicUrl, assets } = frame
  const brandName = branding.brand_name
  const colors = renderAccentStyle(branding)
  const icon = getIcons(branding.icon_id).tab
  const { tracks, track, kind } = facts
  const playable = tracks.find(({ preview_seconds }) => preview_seconds !== null)
  const page = publicUrl + facts.path
  const scheme = theme === 'light' ? 'light' : 'dark'
  const tint = facts.cover_tint ? `--page-tint:${facts.cover_tint}` : ''
  const seconds = playable?.preview_seconds ?? 0
  return html`<!doctype html>
    <html lang="en" data-mantine-color-scheme="${scheme}" data-theme="${theme}" ${colors}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${titleWithArtist(facts)} · ${brandName}</title>
        <meta name="robots" content="noindex" />
        <link rel="icon" href="${icon.href}" type="${icon.type}" />
        <link rel="canonical" href="${page}" />
        ${assetTags(assets.embed)}
      </head>
      <body>
        <main class="embed" style="${tint}">
          <section class="embed-head">
            ${renderCover(facts, { title: facts.title, sizes: '148px', eager: true })}
            <div class="embed-words">
              <h1><a href="${page}" target="_blank" rel="noopener">${facts.title}</a></h1>
              <p class="artists">
                ${facts.artist || facts.label} ${renderAiMark(facts.ai_disclosure)}
              </p>
              <div class="embed-row">
                ${playable && renderPlayButton(playable, null, true)}
                ${playable && kind === 'track' && renderSeekBar(seconds, track?.peaks ?? null)}
                <a class="button" href="${page}" target="_blank" rel="noopener">${brandName}</a>
              </div>
              <p class="failed" role="status" data-status></p>
            </div>
          </section>
          ${renderPlainPlayers(tracks, null)}
          ${
            kind !== 'track' &&
            html`<div class="embed-list" tabindex="0" role="region" aria-label="Tracks">
              ${renderTracks(tracks, { press: null, numbered: kind === 'release', target: '_blank' })}
            </div>`
          }
        </main>
      </body>
    </html> `.text
}

function renderSeekBar(seconds: number, peaks: Buffer | null): Html {
  return html`<div class="seek" data-seek>
    ${renderWaveform(peaks)}<input
      type="range"
      min="0"
      max="${seconds}"
      step="0.1"
      value="0"
      aria-label="Position in the preview of ${formatDuration(seconds)}"
    />
  </div>`
}
