// One category in the grid.
import {
  IconArrowDown,
  IconArrowUp,
  IconEye,
  IconEyeOff,
  IconPencil,
  IconTrash,
} from '#web/base/ui/icons/icons.ts'
import type { Category } from '#contract/categories.ts'
import { ButtonLink, ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import styles from '../shared/lists/card-grid.module.css'
import { useShowCategory } from './category-queries.ts'

export interface CategoryCardProps {
  category: Category
  isFirst: boolean
  isLast: boolean
  onMove: (by: -1 | 1) => void
  onEdit: () => void
  onDelete: () => void
}

export function CategoryCard(props: CategoryCardProps) {
  const { category, isFirst, isLast, onMove, onEdit, onDelete } = props
  const showing = useShowCategory()
  const { display_name, track_count, is_visible } = category
  const address = `/admin/categories/${category.category}`
  return (
    <article className={styles.card} data-hidden={!is_visible || undefined}>
      <span className={styles.cover}>
        <Cover
          url={category.cover_url}
          tint={category.cover_tint}
          placeholder={category.cover_placeholder}
          title={display_name}
          sizes="96px"
        />
      </span>
      <div className={styles.words}>
        <h2 className={styles.title}>
          <ScreenLink to={address}>{display_name}</ScreenLink>
        </h2>
        <p className={styles.description}>{category.description || 'No description'}</p>
        <p className={styles.facts}>
          <span>
            {track_count.toLocaleString('en')} {track_count === 1 ? 'track' : 'tracks'}
          </span>
          <Badge tone={is_visible ? 'success' : 'neutral'}>
            {is_visible ? 'Visible' : 'Hidden'}
          </Badge>
        </p>
      </div>
      <div className={styles.moves}>
        <IconButton
          size="small"
          label={`Move ${display_name} up`}
          aria-disabled={isFirst || undefined}
          onClick={() => isFirst || onMove(-1)}
        >
          <IconArrowUp />
        </IconButton>
        <IconButton
          size="small"
          label={`Move ${display_name} down`}
          aria-disabled={isLast || undefined}
          onClick={() => isLast || onMove(1)}
        >
          <IconArrowDown />
        </IconButton>
      </div>
      <div className={styles.actions}>
        <Button size="small" variant="quiet" icon={<IconPencil />} onClick={onEdit}>
          Edit
        </Button>
        <Button
          size="small"
          variant="quiet"
          icon={is_visible ? <IconEyeOff /> : <IconEye />}
          busy={showing.isPending}
          onClick={() => showing.mutate(category)}
        >
          {is_visible ? 'Hide' : 'Show'}
        </Button>
        <ButtonLink size="small" variant="quiet" to={address}>
          View Tracks
        </ButtonLink>
        <IconButton
          size="small"
          variant="danger"
          label={`Delete ${display_name}`}
          onClick={onDelete}
        >
          <IconTrash />
        </IconButton>
      </div>
    </article>
  )
}
