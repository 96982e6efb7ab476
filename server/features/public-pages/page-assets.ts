// The styles and scripts of public pages and embeds. The build lists them in dist/.landing/public-pages.json.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { html, type Html } from './html.ts'

export interface PageAssets {
  /** URL of the built web/before-start.js. Null if there is no build. */
  beforeStart: string | null
  page: AssetNames
  embed: AssetNames
}

interface AssetNames {
  styles: string[]
  scripts: string[]
  fonts: string[]
}

const noNames: AssetNames = { styles: [], scripts: [], fonts: [] }
const noAssets: PageAssets = { beforeStart: null, page: noNames, embed: noNames }

/** Reads the list of assets. Without a build, as in server tests, pages have no assets. */
export async function readPageAssets(webFolder: string | null): Promise<PageAssets> {
  if (!webFolder) return noAssets
  try {
    const text = await readFile(join(webFolder, '.landing', 'public-pages.json'), 'utf8')
    return JSON.parse(text) as PageAssets
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return noAssets
  }
}

export function assetTags({ styles, scripts, fonts }: AssetNames): Html {
  return html`${fonts.map(
    (href) => html`<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin />`,
  )}${styles.map((href) => html`<link rel="stylesheet" href="${href}" />`)}${scripts.map(
    (src) => html`<script type="module" src="${src}"></script>`,
  )}`
}
