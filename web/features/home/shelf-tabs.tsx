// Shows several shelves in the space of one, as tabs. All have the same height, so that the list below doesn't shift.
import { useState, type ReactNode } from 'react'
import type { Category } from '#contract/categories.ts'
import { releaseKindLabels } from '#contract/fields/release-fields.ts'
import type { ShelfArtist } from '#contract/home.ts'
import type { Mix } from '#contract/radio.ts'
import type { Release } from '#contract/releases.ts'
import type { Track } from '#contract/tracks.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { Tabs } from '../../base/ui/layout/tabs.tsx'
import { ShelfRow, useShelfScroll } from '../../base/ui/lists/shelf.tsx'
import { artistPath } from '../catalogue/artist-links.tsx'
import { PremiumMark } from '../catalogue/premium-mark.tsx'
import { RecentlyPlayed } from '../plays/recently-played.tsx'
import { MixOffer, MixTile } from './daily-mixes.tsx'
import { TileContent, tileClass } from './home-tile.tsx'
import { MoodTile } from './mood-tile.tsx'
import styles from './shelf-tabs.module.css'
import { useChosenShelf } from './use-chosen-shelf.ts'

export interface TabbedShelves {
  mixes: readonly Mix[]
  /** True for members without Premium: they see a description of the daily mixes instead of the mixes. */
  hasMixOffer: boolean
  releases: readonly Release[]
  artists: readonly ShelfArtist[]
  recent: readonly Track[]
  moods: readonly Category[]
}

type SetRow = ReturnType<typeof useShelfScroll>['setRow']

interface TabbedShelf {
  id: string
  label: string
  isFilled: boolean
  render: (setRow: SetRow) => ReactNode
}

export function ShelfTabs({ shelves }: { shelves: TabbedShelves }) {
  const all = listShelves(shelves)
  const [atFirst] = useState(() => all.filter(({ isFilled }) => isFilled).map(({ id }) => id))
  const filled = all.filter(({ id, isFilled }) => isFilled && atFirst.includes(id))
  const [chosenId, choose] = useChosenShelf()
  const chosen = filled.find(({ id }) => id === chosenId) ?? filled[0]
  const { setRow, buttons } = useShelfScroll(chosen?.label ?? '')
  if (!chosen) return null
  return (
    <section className={styles.shelves} aria-label="More for you">
      <Tabs
        label="Shelves"
        value={chosen.id}
        onChange={choose}
        end={buttons}
        tabs={filled.map(({ id, label, render }) => ({
          id,
          label,
          panel: id === chosen.id && render(setRow),
        }))}
      />
    </section>
  )
}

function listShelves(shelves: TabbedShelves): TabbedShelf[] {
  const { mixes, hasMixOffer, releases, artists, recent, moods } = shelves
  return [
    {
      id: 'mixes',
      label: 'Made for you',
      isFilled: mixes.length > 0,
      render: (setRow) => (
        <ShelfRow size="tile" setRow={setRow}>
          {mixes.map((mix) => (
            <li key={mix.position}>
              <MixTile mix={mix} />
            </li>
          ))}
        </ShelfRow>
      ),
    },
    {
      id: 'releases',
      label: 'New releases',
      isFilled: releases.length > 0,
      render: (setRow) => <NewReleases releases={releases} setRow={setRow} />,
    },
    {
      id: 'artists',
      label: 'Your artists',
      isFilled: artists.length > 0,
      render: (setRow) => <YourArtists artists={artists} setRow={setRow} />,
    },
    {
      id: 'recent',
      label: 'Recently played',
      isFilled: recent.length > 0,
      render: (setRow) => <RecentlyPlayed tracks={recent} setRow={setRow} />,
    },
    {
      id: 'moods',
      label: 'Moods',
      isFilled: moods.length > 0,
      render: (setRow) => (
        <ShelfRow size="mood" setRow={setRow}>
          {moods.map((mood, place) => (
            <li key={mood.id}>
              <MoodTile mood={mood} place={place} />
            </li>
          ))}
        </ShelfRow>
      ),
    },
    { id: 'mix-offer', label: 'Daily mixes', isFilled: hasMixOffer, render: () => <MixOffer /> },
  ]
}

function NewReleases({ releases, setRow }: { releases: readonly Release[]; setRow: SetRow }) {
  return (
    <ShelfRow size="tile" setRow={setRow}>
      {releases.map(({ id, slug, title, artist, kind, ...release }) => (
        <li key={id}>
          <ScreenLink to={`/releases/${slug}`} className={tileClass}>
            <TileContent
              picture={<TilePicture {...release} title={title} />}
              title={title}
              about={
                <>
                  <PremiumMark of={release} />{' '}
                  {[artist, kind === 'album' ? null : releaseKindLabels[kind]]
                    .filter(Boolean)
                    .join(' · ')}
                </>
              }
            />
          </ScreenLink>
        </li>
      ))}
      <AllOfThem to="/browse?view=releases">All releases</AllOfThem>
    </ShelfRow>
  )
}

function YourArtists({ artists, setRow }: { artists: readonly ShelfArtist[]; setRow: SetRow }) {
  return (
    <ShelfRow size="tile" setRow={setRow}>
      {artists.map(({ id, slug, name, ...cover }) => (
        <li key={id}>
          <ScreenLink to={artistPath(slug)} className={tileClass}>
            <TileContent picture={<TilePicture {...cover} title={name} />} isRound title={name} />
          </ScreenLink>
        </li>
      ))}
      <AllOfThem to="/browse?view=artists">All artists</AllOfThem>
    </ShelfRow>
  )
}

function AllOfThem({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li className={styles.all}>
      <ScreenLink to={to}>{children}</ScreenLink>
    </li>
  )
}

interface TilePictureProps {
  title: string
  cover_url: string | null
  cover_tint: string | null
  cover_placeholder: string | null
}

function TilePicture({ title, cover_url, cover_tint, cover_placeholder }: TilePictureProps) {
  return (
    <Cover
      url={cover_url}
      tint={cover_tint}
      placeholder={cover_placeholder}
      title={title}
      sizes="56px"
    />
  )
}
