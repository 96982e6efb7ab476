// Renders a public page as HTML that works without scripts. A script of a few kB plays previews.
import { aiDisclosureLabels } from '#contract/fields/ai-disclosure.ts'
import type { SiteLogo } from '#contract/fields/branding.ts'
import { creditRoleLabels } from '#contract/fields/artist-credits.ts'
import { legalPath, type LegalLink } from '#contract/legal.ts'
import { pagePath } from '#contract/public-pages.ts'
import { buildSignInPath } from '#contract/return-path.ts'
import type { Branding } from '../settings/branding.ts'
import { getIcons } from '../settings/emblem-files.ts'
import { html, jsonIn, type Html } from './html.ts'
import { renderAccentStyle } from './page-colors.ts'
import { assetTags, type PageAssets } from './page-assets.ts'
import { pageData } from './page-data.ts'
import type { PageFacts, TrackFacts } from './page-facts.ts'
import { headTags, type CardAddresses } from './page-head.ts'
import {
  renderCover,
  renderNames,
  renderPlainPlayers,
  renderPlayButton,
  renderTracks,
  renderWaveform,
} from './page-parts.ts'
import { formatDuration, titleWithArtist } from './page-texts.ts'

export interface PageFrame {
  branding: Branding
  /** Links to the published legal pages. */
  legal: readonly LegalLink[]
  publicUrl: string
  assets: PageAssets
  year: number
}

export interface DrawOptions extends PageFrame {
  cards: CardAddresses
  /** The secret of the press link with which the page was opened. */
  press: string | null
}

export function renderPage(facts: PageFacts, options: DrawOptions): string {
  const { branding, publicUrl, cards, press } = options
  const brandName = branding.brand_name
  const title = `${titleWithArtist(facts)} · ${brandName}`
  const data = press
    ? null
    : pageData(facts, { publicUrl, brandName, image: cards.wide ?? cards.cover })
  const head = html`${headTags(facts, options)}${
    data &&
    html`<script type="application/ld+json">
      ${jsonIn(data)}
    </script>`
  }`
  return renderFrame(
    { ...options, title, head, appPath: facts.appPath },
    renderMain(facts, options),
  )
}

/** The page for items that do not exist or are not public. It is the same for both. */
export function renderMissingPage(frame: PageFrame): string {
  return renderNote(frame, {
    title: 'Page not found',
    text: 'The link may be old, or the music is for members.',
  })
}

export function renderNote(
  frame: PageFrame,
  { title, text }: { title: string; text: string },
): string {
  const main = html`<main class="note">
    <h1>${title}</h1>
    <p>${text}</p>
    <p class="actions">
      <a class="button button-main" href="/">Open ${frame.branding.brand_name}</a>
    </p>
  </main>`
  const head = html`<meta name="robots" content="noindex" />`
  return renderFrame({ ...frame, title: frame.branding.brand_name, head, appPath: null }, main)
}

export function renderMaintenancePage(frame: PageFrame): string {
  const main = html`<main class="note">
    <h1>Back soon</h1>
    <p>${frame.branding.brand_name} is down for maintenance. Please try again later.</p>
  </main>`
  return renderFrame(
    { ...frame, title: frame.branding.brand_name, head: html``, appPath: null },
    main,
  )
}

interface Frame extends PageFrame {
  title: string
  head: Html
  appPath: string | null
}

/** Renders the links of the footer: legal pages first, then the links that the owner added. */
function renderFootLinks(legal: readonly LegalLink[], branding: Branding): Html | null {
  const own = [...branding.footer_links, ...branding.social_links]
  if (legal.length + own.length === 0) return null
  return html`<nav class="foot-links" aria-label="More about ${branding.brand_name}">
    ${legal.map(({ slug, title }) => html`<a href="${legalPath(slug)}">${title}</a>`)}
    ${own.map(({ label, url }) => html`<a href="${url}" rel="noopener">${label}</a>`)}
  </nav>`
}

function renderLogo({ url, width, height }: SiteLogo, name: string): Html {
  return html`<img class="logo" src="${url}" width="${width}" height="${height}" alt="${name}" />`
}

export function renderFrame(
  { branding, legal, assets, year, title, head, appPath }: Frame,
  main: Html,
): string {
  const { brand_name: brandName, logo } = branding
  const icons = getIcons(branding.icon_id)
  const years = year > 2025 ? `2025–${year}` : '2025'
  return html`<!doctype html>
    <html lang="en" data-mantine-color-scheme="dark" ${renderAccentStyle(branding)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>${title}</title>
        <meta name="theme-color" content="#150a13" />
        <link rel="icon" href="${icons.tab.href}" type="${icons.tab.type}" />
        <link rel="apple-touch-icon" href="${icons.touch}" />
        ${assets.beforeStart && html`<script src="${assets.beforeStart}"></script>`}
        ${assetTags(assets.page)} ${head}
      </head>
      <body>
        <header class="top">
          <a class="brand" href="/">${logo ? renderLogo(logo, brandName) : brandName}</a>
          <a class="button" href="${buildSignInPath(appPath)}">Sign In</a>
        </header>
        ${main}
        <footer class="foot">
          <p>© ${years} ${brandName}</p>
          ${renderFootLinks(legal, branding)}
        </footer>
      </body>
    </html> `.text
}

function renderMain(facts: PageFacts, options: DrawOptions): Html {
  const { press } = options
  const { kind, tracks, track } = facts
  const tint = facts.cover_tint ? `--page-tint:${facts.cover_tint}` : ''
  const playable = tracks.find(({ preview_seconds }) => preview_seconds !== null)
  const isList = kind !== 'track'
  return html`<main class="page" style="${tint}" data-kind="${kind}" data-slug="${facts.slug}">
    <section class="hero">
      <div class="hero-cover">
        ${renderCover(facts, { title: facts.title, sizes: '(max-width: 47.99rem) 70vw, 22rem', eager: true })}
      </div>
      <div class="hero-words">
        <p class="label">
          ${facts.label}${facts.date && html` · <time datetime="${facts.date}">${facts.date.slice(0, 4)}</time>`}
        </p>
        <h1>${facts.title}</h1>
        ${facts.artist && html`<p class="artists">${facts.artists.length > 0 ? renderNames(facts.artists) : facts.artist}</p>`}
        <p class="facts">${renderFacts(facts)}</p>
        <div class="actions">
          ${playable && renderPlayButton(playable, press, true)}
          <a class="button" href="${buildSignInPath(facts.appPath)}">${fullAccessLabel(facts)}</a>
          ${press === null && renderShareSection(facts, options)}
        </div>
        ${playable && kind === 'track' && renderSeekBar(playable.preview_seconds ?? 0, track?.peaks ?? null)}
        <p class="failed" role="status" data-status></p>
      </div>
    </section>
    ${renderPlainPlayers(tracks, press)} ${isList && renderTrackList(facts, press)}
    ${track && renderTrackSections(facts, track)}
    ${kind === 'artist' && facts.releases.length > 0 && renderReleases(facts)}
    ${
      facts.description &&
      html`<section class="about">
        <h2>About</h2>
        ${paragraphs(facts.description)}
      </section>`
    }
    ${
      facts.links.length > 0 &&
      html`<ul class="links">
        ${facts.links.map(({ label, url }) => html`<li><a href="${url}" rel="noopener nofollow">${label}</a></li>`)}
      </ul>`
    }
  </main>`
}

function fullAccessLabel({ kind }: PageFacts): string {
  return kind === 'artist' || kind === 'category' ? 'Hear everything' : 'Hear all of it'
}

function renderFacts({ kind, tracks, more, track, ai_disclosure }: PageFacts): Html {
  const count = tracks.length + more
  const [first] = tracks
  const extent =
    kind === 'track'
      ? formatDuration(first?.duration ?? 0)
      : `${count} ${count === 1 ? 'track' : 'tracks'}`
  const made =
    ai_disclosure === 'human' && kind !== 'track' ? '' : aiDisclosureLabels[ai_disclosure]
  return html`<span data-numeric>${extent}</span
    >${track?.genre && html`<span>${track.genre}</span>`}${first?.explicit && kind === 'track' && html`<span>Explicit</span>`}${made && html`<span class="made">${made}${track?.ai_tool && ` with ${track.ai_tool}`}</span>`}${track?.premium === 'early_access' && html`<span class="gold">Early access for Premium</span>`}`
}

function renderSeekBar(seconds: number, peaks: Buffer | null): Html {
  return html`<div class="seek" data-seek>
    ${renderWaveform(peaks)}<input
      type="range"
      min="0"
      max="${seconds}"
      step="0.1"
      value="0"
      aria-label="Position in the preview"
    />
    <p class="times" data-numeric>
      <span data-elapsed>0:00</span><span>Preview · ${formatDuration(seconds)}</span>
    </p>
  </div>`
}

function renderTrackList(facts: PageFacts, press: string | null): Html {
  const { tracks, more, kind } = facts
  const note = more === 0 ? 'There are no tracks yet.' : 'The tracks are for members.'
  return html`<section class="list">
    <h2>${kind === 'artist' ? 'Newest tracks' : 'Tracks'}</h2>
    ${tracks.length > 0 ? renderTracks(tracks, { press, numbered: kind === 'release' }) : html`<p class="soft">${note}</p>`}
    ${more > 0 && tracks.length > 0 && html`<p class="soft">${more} more ${more === 1 ? 'track' : 'tracks'} for members.</p>`}
  </section>`
}

function renderTrackSections(facts: PageFacts, track: TrackFacts): Html {
  return html`<div class="columns">
    ${
      track.lyrics &&
      html`<section class="lyrics">
        <h2>Lyrics</h2>
        ${plainLyrics(track.lyrics)}
      </section>`
    }
    <section class="credits">
      <h2>Credits</h2>
      <dl>
        ${track.credits.map(
          ({ role, ...name }) =>
            html`<div>
              <dt>${creditRoleLabels[role]}</dt>
              <dd>${renderNames([name])}</dd>
            </div>`,
        )}
        ${
          track.release &&
          html`<div>
            <dt>From</dt>
            <dd><a href="${pagePath('release', track.release.slug)}">${track.release.title}</a></dd>
          </div>`
        }
        <div>
          <dt>How it was made</dt>
          <dd>
            ${aiDisclosureLabels[facts.ai_disclosure]}${track.ai_tool && ` with ${track.ai_tool}`}
          </dd>
        </div>
      </dl>
      ${track.credits_text && paragraphs(track.credits_text)}
    </section>
  </div>`
}

function renderReleases({ releases }: PageFacts): Html {
  return html`<section class="list">
    <h2>Releases</h2>
    <ul class="releases">
      ${releases.map(
        (release) =>
          html`<li>
            <a href="${pagePath('release', release.slug)}"
              >${renderCover(release, { title: release.title, sizes: '(max-width: 47.99rem) 44vw, 12rem' })}
              <span class="release-title">${release.title}</span></a
            ><span class="soft"
              >${release.kind === 'ep' ? 'EP' : release.kind} · ${release.year}</span
            >
          </li>`,
      )}
    </ul>
  </section>`
}

/** Renders the page's link and embed code. Without scripts, they can be selected. With scripts, buttons copy them. */
function renderShareSection(facts: PageFacts, { publicUrl }: DrawOptions): Html {
  const url = publicUrl + facts.path
  const height = facts.kind === 'track' ? 180 : 420
  const code = html`<iframe
    src="${publicUrl}/embed${facts.path}"
    width="100%"
    height="${height}"
    loading="lazy"
    title="${titleWithArtist(facts)}"
    style="border:0;border-radius:14px"
    allow="autoplay; encrypted-media"
  ></iframe>`
  return html`<button
      type="button"
      class="button"
      popovertarget="share"
      data-share
      data-title="${titleWithArtist(facts)}"
    >
      Share
    </button>
    <div id="share" popover class="share">
      <div class="share-head">
        <h2>Share</h2>
        <button type="button" class="button" popovertarget="share" popovertargetaction="hide">
          Close
        </button>
      </div>
      <label>Link<input readonly value="${url}" data-copied /></label
      ><button type="button" class="button" data-copy>Copy link</button>
      <label
        >Code for your own site<textarea readonly rows="4" data-copied>
${code.text.replaceAll(/\s+/g, ' ')}</textarea></label
      ><button type="button" class="button" data-copy>Copy code</button>
      <p class="soft" role="status" data-copy-status></p>
    </div>`
}

/** Renders lyrics without the timestamps of LRC. */
function plainLyrics(lyrics: string): Html[] {
  return paragraphs(
    lyrics
      .replaceAll(/^\[[a-z]+:[^\]]*\]\s*$/gim, '')
      .replaceAll(/\[\d+:\d+(?:[.:]\d+)?\]/g, '')
      .trim(),
  )
}

function paragraphs(text: string): Html[] {
  return text
    .split(/\n{2,}/)
    .map(
      (part) =>
        html`<p>${part.split('\n').map((line, at) => html`${at > 0 && html`<br />`}${line}`)}</p>`,
    )
}
