// The hero, with the headline, six covers to choose from, and the waveform of the selected one across the full width.
// The playing track tints the page.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState, type CSSProperties } from 'react'
import type { ShowcaseTrack } from '#contract/showcase-tracks.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { useSession } from '../../base/session/session.ts'
import { useSite } from '../../base/session/site.ts'
import { CoverFan } from './cover-fan.tsx'
import { HeroText } from './hero-text.tsx'
import styles from './hero.module.css'
import { PreviewDeck } from './preview-deck.tsx'
import { initialPreview, previewPlayer, type StagePlayer } from './preview-player.ts'
import { attachStage } from './preview-stage.ts'
import { showcaseQuery } from './showcase-query.ts'

/** Polling interval while a new service is generating its first tracks. */
const refetchWhileEmptyMs = 3000
const noTracks: ShowcaseTrack[] = []

export function Hero() {
  const { tagline, landing_lead } = useSite()
  const session = useSession()
  const showcase = useQuery({
    ...showcaseQuery,
    refetchInterval: ({ state }) => (state.data?.length === 0 ? refetchWhileEmptyMs : false),
  })
  const tracks = showcase.data ?? noTracks
  const player = useStagePlayer(session.status === 'signed-in')
  const stage = useStage(tracks, player)
  const tint = tracks[initialPreview.index]?.cover_tint
  return (
    <section
      ref={stage}
      className={styles.hero}
      style={tint ? ({ '--cover-tint': tint } as CSSProperties) : undefined}
      data-stage
    >
      <div className={styles.curtain} aria-hidden="true" />
      <div className={styles.stage}>
        <HeroText tagline={tagline} lead={landing_lead}>
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
        </HeroText>
        <CoverFan tracks={tracks} />
      </div>
      <PreviewDeck
        tracks={tracks}
        isEmpty={showcase.isSuccess && tracks.length === 0}
        isFailed={showcase.isError}
        noun={player.noun}
      />
    </section>
  )
}

/** The app's player for members, once its code is loaded. Until then, and for visitors, the preview player. */
function useStagePlayer(isMember: boolean): StagePlayer {
  const queryClient = useQueryClient()
  const [memberStage, setMemberStage] = useState<StagePlayer | null>(null)
  useEffect(() => {
    if (!isMember) return
    let isHere = true
    import('./member-stage.ts')
      .then(({ MemberStage }) => {
        if (isHere) setMemberStage(new MemberStage(queryClient))
      })
      // If loading fails, the page keeps the preview player.
      .catch((error: unknown) => console.info(error))
    return () => {
      isHere = false
    }
  }, [isMember, queryClient])
  return (isMember && memberStage) || previewPlayer
}

/** Attach again for every new list of tracks. Previews stop when the hero unmounts; the app's player continues. */
function useStage(tracks: ShowcaseTrack[], player: StagePlayer) {
  const stage = useRef<HTMLElement>(null)
  useLayoutEffect(
    () => (stage.current ? attachStage(stage.current, tracks, player) : undefined),
    [tracks, player],
  )
  useEffect(() => {
    if (player === previewPlayer) return
    // The user pressed play before the app's player had loaded.
    const sounding = previewPlayer.isSounding() ? previewPlayer.read().index : null
    previewPlayer.leave()
    if (sounding !== null) player.toggle(sounding)
  }, [player])
  useEffect(() => () => previewPlayer.leave(), [])
  return stage
}
