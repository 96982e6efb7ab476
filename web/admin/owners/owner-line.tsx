// Shows which creator owns a track, release or artist, with a button to change that.
import { useQuery } from '@tanstack/react-query'
import { findOwners, type OwnedKind } from '#contract/creators/owners.ts'
import { call } from '../../base/api/api.ts'
import layout from '../../base/ui/layout/layout.module.css'
import textStyles from '../../base/ui/layout/text.module.css'
import { AssignButton } from './assign-button.tsx'

export interface OwnerLineProps {
  kind: OwnedKind
  id: string
  title: string
}

/** Only for admins. */
export function OwnerLine({ kind, id, title }: OwnerLineProps) {
  const { data } = useQuery({
    queryKey: ['admin', 'owners', kind, id],
    queryFn: async ({ signal }) =>
      (await call(findOwners, { body: { items: [{ kind, id }] } }, { signal })).data[0] ?? null,
  })
  return (
    <div className={layout.line2}>
      <span className={textStyles.softSmall}>
        {data === undefined ? '…' : `Belongs to ${data?.owner_name ?? 'the service'}`}
      </span>
      <AssignButton items={[{ kind, id }]} what={`“${title}”`} />
    </div>
  )
}
