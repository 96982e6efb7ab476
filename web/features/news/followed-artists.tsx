// The artists that the member follows, each with an Unfollow button.
import { useInfiniteQuery } from '@tanstack/react-query'
import { artistPath } from '../catalogue/artist-links.tsx'
import { followedArtistsOptions, useFollowArtist } from '../catalogue/queries/artist-queries.ts'
import { errorText } from '../../base/api/show-error.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { keepRowFocus } from '../../base/ui/lists/keep-row-focus.ts'
import textStyles from '../../base/ui/layout/text.module.css'
import styles from './news-card.module.css'

export function FollowedArtists() {
  const list = useInfiniteQuery(followedArtistsOptions)
  const follow = useFollowArtist()
  const artists = list.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <section ref={keepRowFocus} aria-labelledby="following-heading">
      <h3 id="following-heading" className={styles.heading}>
        Following
      </h3>
      {list.isPending && <Skeleton shape="text" width="60%" />}
      {list.isError && artists.length === 0 && (
        <ErrorState
          title="The artists that you follow could not be loaded"
          message={errorText(list.error)}
          busy={list.isFetching}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isSuccess && artists.length === 0 && (
        <p className={textStyles.faintSmall}>
          You do not follow any artists yet. Press Follow on an artist’s page.
        </p>
      )}
      {artists.length > 0 && (
        <ul className={styles.artists}>
          {artists.map(({ id, name, slug, cover_url, cover_tint, cover_placeholder }) => (
            <li key={id} className={styles.artist}>
              <span className={styles.picture}>
                <Cover
                  url={cover_url}
                  tint={cover_tint}
                  placeholder={cover_placeholder}
                  title={name}
                  sizes="40px"
                  radius="none"
                />
              </span>
              <ScreenLink to={artistPath(slug)} className={styles.name ?? ''}>
                {name}
              </ScreenLink>
              <Button
                size="small"
                variant="quiet"
                aria-label={`Unfollow ${name}`}
                onClick={() => follow.mutate({ id, followed: false })}
              >
                Unfollow
              </Button>
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button
          size="small"
          variant="quiet"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </section>
  )
}
