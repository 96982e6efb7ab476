// The window title: what plays, or else what the screen is; then whose service it is.
import { useEffect } from 'react'
import { useSite } from './site.ts'

let screen = ''
let playing: string | null = null

/**
 * Names the open screen after what it shows, such as a playlist. The table of routes has given it
 * its general name already (in a layout effect, so this one wins). Empty: leave that name.
 */
export function useDocumentTitle(title: string | undefined): void {
  const { brand_name } = useSite()
  useEffect(() => {
    if (title) setScreenTitle(documentTitle(title, brand_name))
  }, [title, brand_name])
}

/** Stands in the title while a song plays; null: nothing plays. */
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

/** The title of the open screen, also while the window names a song. */
export function screenTitle(): string {
  return screen
}

export function documentTitle(title: string, brandName: string): string {
  return title ? `${title} · ${brandName}` : brandName
}

function show(): void {
  document.title = playing ?? screen
}
