// Four features, each with an illustration.
import { IconGripVertical, IconHeartFilled, IconSearch } from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import { useSite } from '../../base/session/site.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { Equalizer } from '../../base/ui/display/equalizer.tsx'
import styles from './feature-cards.module.css'

interface Feature {
  title: string
  text: string
  picture: ReactNode
}

const features: Feature[] = [
  {
    title: 'The music stays with you',
    text: 'One player on every screen. Keep browsing while the music plays.',
    picture: <PlayerPicture />,
  },
  {
    title: 'Playlists in your order',
    text: 'Drag them into shape. Shuffle deals the deck once, so going back really goes back.',
    picture: <PlaylistPicture />,
  },
  {
    title: 'Found while you type',
    text: 'Title, artist, category or genre: the results update with every letter.',
    picture: <SearchPicture />,
  },
  {
    title: 'Honest about how it is made',
    text: 'Every track shows whether people, a machine or both made it.',
    picture: <DisclosurePicture />,
  },
]

export function FeatureCards() {
  const { features_heading } = useSite()
  return (
    <section className={styles.section} aria-labelledby="features">
      <h2 id="features" className={styles.heading}>
        {features_heading}
      </h2>
      <ul className={styles.cards}>
        {features.map(({ title, text, picture }) => (
          <li key={title} className={styles.card}>
            <div className={styles.picture} aria-hidden="true">
              {picture}
            </div>
            <h3 className={styles.title}>{title}</h3>
            <p className={styles.text}>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

const wave = [
  30, 52, 44, 70, 92, 64, 80, 100, 74, 58, 84, 66, 46, 72, 54, 36, 60, 42, 28, 48, 34, 22,
]

function PlayerPicture() {
  return (
    <div className={styles.player}>
      <MiniCover title="Slow Tide" />
      <div className={styles.wave}>
        {wave.map((height, bar) => (
          <span key={bar} style={{ height: `${height}%` }} />
        ))}
      </div>
    </div>
  )
}

function PlaylistPicture() {
  const titles = ['Velvet Static', 'Paper Lanterns', 'Low Sun']
  return (
    <div className={styles.rows}>
      {titles.map((title) => (
        <div key={title} className={styles.row}>
          <IconGripVertical />
          <MiniCover title={title} />
          <span>{title}</span>
        </div>
      ))}
    </div>
  )
}

function SearchPicture() {
  return (
    <div className={styles.rows}>
      <div className={styles.search}>
        <IconSearch />
        <span>amb</span>
        <i />
      </div>
      <div className={styles.row}>
        <MiniCover title="Amber Hours" />
        <span>
          <b>Amb</b>er Hours
        </span>
        <Equalizer playing />
      </div>
      <div className={styles.row}>
        <MiniCover title="Undertow" />
        <span>
          Undertow · <b>Amb</b>ient
        </span>
        <IconHeartFilled className={styles.heart} />
      </div>
    </div>
  )
}

function DisclosurePicture() {
  return (
    <div className={styles.badges}>
      <Badge>Made by humans</Badge>
      <Badge tone="accent">AI-assisted</Badge>
      <Badge>AI-generated</Badge>
    </div>
  )
}

function MiniCover({ title }: { title: string }) {
  return (
    <span className={styles.miniCover}>
      <Cover url={null} title={title} sizes="40px" />
    </span>
  )
}
