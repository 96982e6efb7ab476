// The window title: the current song, or the screen if nothing plays, followed by the brand.
import { useEffect } from 'react'
import { useSite } from './site.ts'

let screen = ''
let playing: string | null = null

/**
 * Sets the title of the open screen from its content, such as a playlist's title. The route has already set its general
 * title in a layout effect, so this one overrides it. An empty title keeps the route's title.
 */
export function useDocumentTitle(title: string | undefined): void {
  const { brand_name } = useSite()
  useEffect(() => {
    if (title) setScreenTitle(documentTitle(title, brand_name))
  }, [title, brand_name])
}

/** Shows a song in the title; null if nothing plays. */
export function usePlayingTitle(song: string | null): void {
  const { brand_name } = useSite()
  useEffect(() => {
    playing = song === null ? null : `${song} – ${brand_name}`
    show()
    return () => {
      playing = null
      show()
    }
  }, [song, brand_name])
}

export function setScreenTitle(title: string): void {
  screen = title
  show()
}

/** Returns the title of the open screen, even while the window title shows a song. */
export function screenTitle(): string {
  return screen
}

export function documentTitle(title: string, brandName: string): string {
  return title ? `${title} · ${brandName}` : brandName
}

function show(): void {
  document.title = playing ?? screen
}
