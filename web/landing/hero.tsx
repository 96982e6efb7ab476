// The stage: the promise in words, six covers to pick from, and the waveform of the picked one across the
// whole width. What plays colours the room.
import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { listShowcase } from '#contract/tracks.ts'
import { call } from '../app/api.ts'
import { ButtonLink } from '../app/screen-link.tsx'
import { useSession } from '../app/session.ts'
import { useSite } from '../app/site.ts'
import { CoverFan } from './cover-fan.tsx'
import styles from './hero.module.css'
import { PreviewDeck } from './preview-deck.tsx'
import { usePreviewAudio } from './use-preview-audio.ts'

/** While a fresh service still composes its first tracks. */
const refetchWhileEmptyMs = 3000

export function Hero() {
  const { tagline } = useSite()
  const session = useSession()
  const showcase = useQuery({
    queryKey: ['showcase'],
    queryFn: async () => (await call(listShowcase, {})).data,
    refetchInterval: ({ state }) => (state.data?.length === 0 ? refetchWhileEmptyMs : false),
  })
  const tracks = showcase.data ?? []
  const preview = usePreviewAudio(tracks)
  const tint = preview.track?.cover_tint
  return (
    <section
      className={styles.hero}
      style={tint ? ({ '--cover-tint': tint } as CSSProperties) : undefined}
      data-playing={preview.playing || undefined}
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
        <CoverFan tracks={tracks} preview={preview} />
      </div>
      <PreviewDeck
        preview={preview}
        isEmpty={showcase.isSuccess && tracks.length === 0}
        isFailed={showcase.isError}
      />
    </section>
  )
}
