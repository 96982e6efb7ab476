// The stage: the promise in words, six covers to pick from, and the waveform of the picked one across the
// whole width. What plays colours the room.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, type CSSProperties } from 'react'
import type { ShowcaseTrack } from '#contract/showcase-tracks.ts'
import { ButtonLink } from '../app/screen-link.tsx'
import { useSession } from '../app/session.ts'
import { useSite } from '../app/site.ts'
import { CoverFan } from './cover-fan.tsx'
import styles from './hero.module.css'
import { PreviewDeck } from './preview-deck.tsx'
import { untouchedPreview, previewPlayer } from './preview-player.ts'
import { attachStage } from './preview-stage.ts'
import { showcaseQuery } from './showcase-query.ts'

/** While a fresh service still composes its first tracks. */
const refetchWhileEmptyMs = 3000
const noTracks: ShowcaseTrack[] = []

export function Hero() {
  const { tagline } = useSite()
  const session = useSession()
  const showcase = useQuery({
    ...showcaseQuery,
    refetchInterval: ({ state }) => (state.data?.length === 0 ? refetchWhileEmptyMs : false),
  })
  const tracks = showcase.data ?? noTracks
  const stage = usePreviewStage(tracks)
  const tint = tracks[untouchedPreview.index]?.cover_tint
  return (
    <section
      ref={stage}
      className={styles.hero}
      style={tint ? ({ '--cover-tint': tint } as CSSProperties) : undefined}
      data-stage
    >
      <div className={styles.curtain} aria-hidden="true" />
      <div className={styles.stage}>
        <div className={styles.words}>
          <h1 className={styles.tagline}>{tagline}</h1>
          <div>
            <p className={styles.lead}>
              Original music for working, unwinding and everything between. Press play and hear it
              first; an account can wait.
            </p>
            <div className={styles.actions}>
              <ButtonLink
                to={session.status === 'signed-in' ? '/browse' : '/auth'}
                variant="primary"
                size="large"
              >
                Start Listening
              </ButtonLink>
              <a className={styles.plansLink} href="#plans">
                Compare plans
              </a>
            </div>
          </div>
        </div>
        <CoverFan tracks={tracks} />
      </div>
      <PreviewDeck
        tracks={tracks}
        isEmpty={showcase.isSuccess && tracks.length === 0}
        isFailed={showcase.isError}
      />
    </section>
  )
}

/** Attached anew with every list of tracks; silent once the hero has gone. */
function usePreviewStage(tracks: ShowcaseTrack[]) {
  const stage = useRef<HTMLElement>(null)
  useLayoutEffect(() => (stage.current ? attachStage(stage.current, tracks) : undefined), [tracks])
  useEffect(() => previewPlayer.leave, [])
  return stage
}
